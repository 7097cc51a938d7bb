//! What the games of a row group have in common, so that a search can skip those in which nothing can match.
//!
//! The columns `events`, `men_least` and `men_most` have packed bits and numbers, so their bounds say almost nothing. Therefore the key
//! `skewer.groups` holds for each row group the bits that any of its games has, and the least and greatest of each number.

use std::fmt::Write as _;
use std::io;
use std::ops::RangeInclusive;

use super::facts::{Events, Facts};
use super::hexadecimal::{self, Digits};
use crate::board::PieceCounts;
use crate::game::{Rules, Tags};

/// The hexadecimal digits of a summary.
const DIGITS: usize = 57;

/// What is known about all games of a row group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Summary {
    /// The length of the longest main line, the events of all of them, and the fewest and the most pieces of each kind. Events of commands count as
    /// known only if they are known for all games.
    pub(super) facts: Facts,
    /// The years in which the games were played.
    pub(super) years: RangeInclusive<u16>,
    /// Whether any game has variations.
    pub(super) has_variations: bool,
}

impl Default for Summary {
    /// Returns the summary of no games.
    fn default() -> Summary {
        Summary {
            facts: Facts {
                plies: 0,
                events: Events::KNOWS_COMMANDS,
                least: PieceCounts(u64::MAX),
                most: PieceCounts(0),
            },
            years: RangeInclusive::new(u16::MAX, 0),
            has_variations: false,
        }
    }
}

impl Summary {
    /// Adds a game with the values of its tags `Date` and `UTCDate`. If the row `has_pgn`, there may be more such tags.
    pub(super) fn add(&mut self, facts: &Facts, dates: [Option<&[u8]>; 2], has_pgn: bool, has_variations: bool) {
        let knows = self.facts.events.both(facts.events, Events::KNOWS_COMMANDS);
        self.facts.events.add(facts.events);
        self.facts.events.remove(Events::KNOWS_COMMANDS);
        self.facts.events.add(knows);
        self.facts.plies = self.facts.plies.max(facts.plies);
        self.facts.least = self.facts.least.least(facts.least);
        self.facts.most = self.facts.most.most(facts.most);
        self.has_variations |= has_variations;
        if has_pgn {
            return self.forget_years();
        }
        // Reading by the rules of CQL takes other years from some dates.
        for rules in [Rules::Full, Rules::Cql] {
            let mut tags = Tags::default();
            tags.begin(rules);
            for (name, date) in ["Date", "UTCDate"].into_iter().zip(dates) {
                if let Some(date) = date {
                    tags.push(name.as_bytes(), date);
                }
            }
            if let Some(year) = tags.year() {
                self.years = (*self.years.start()).min(year)..=(*self.years.end()).max(year);
            }
        }
    }

    /// Makes every year possible.
    pub(super) fn forget_years(&mut self) {
        self.years = 0..=u16::MAX;
    }

    /// Returns summaries as hexadecimal digits without separators.
    pub(super) fn to_text(summaries: &[Summary]) -> String {
        let mut text = String::with_capacity(DIGITS * summaries.len());
        for Summary {
            facts,
            years,
            has_variations,
        } in summaries
        {
            // Writing to a string cannot fail.
            let _ = write!(text, "{:08x}{:08x}", facts.plies, facts.events.0);
            let _ = write!(text, "{:016x}{:016x}", facts.least.0, facts.most.0);
            let _ = write!(text, "{:04x}{:04x}", years.start(), years.end());
            let _ = write!(text, "{:x}", u8::from(*has_variations));
        }
        text
    }

    /// Reads the summaries of this many row groups.
    ///
    /// # Errors
    /// Returns an error if their number differs, or a character is not a digit.
    pub(super) fn from_text(text: &str, groups: usize) -> io::Result<Vec<Summary>> {
        hexadecimal::of_groups(text, DIGITS, groups, read, "its row groups")
    }
}

fn read(digits: &mut Digits<'_>) -> Option<Summary> {
    Some(Summary {
        facts: Facts {
            plies: digits.number(8)?,
            events: Events(digits.number(8)?),
            least: PieceCounts(digits.number(16)?),
            most: PieceCounts(digits.number(16)?),
        },
        years: digits.number(4)?..=digits.number(4)?,
        has_variations: digits.number::<u8>(1)? != 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::facts::together;
    use crate::query::prefilter::{Event, GamePrefilter, GameTest};

    fn facts(plies: u32, events: u32, least: u64, most: u64) -> Facts {
        Facts {
            plies,
            events: Events(events),
            least: PieceCounts(least),
            most: PieceCounts(most),
        }
    }

    #[test]
    fn a_summary_allows_what_any_game_allows() {
        let known = Events::KNOWS_COMMANDS.0;
        let mut summary = Summary::default();
        summary.add(
            &facts(40, known | 1, 0x2_10, 0x2_88),
            [Some(b"1990.1.2"), None],
            false,
            false,
        );
        summary.add(
            &facts(90, known | 4, 0x1_20, 0x9_28),
            [Some(b"????.??.??"), Some(b"1988.01.01")],
            false,
            true,
        );
        summary.add(
            &facts(60, known, 0x3_30, 0x3_30),
            [Some(b"15.10.1985"), None],
            false,
            false,
        );
        assert_eq!(summary.facts, facts(90, known | 5, 0x1_10, 0x9_88));
        assert_eq!(summary.years, 15..=1990);
        let allows = |event| GameTest::of(&GamePrefilter::Event(event)).allows(&together(&summary.facts));
        assert!(allows(Event::Check) && allows(Event::Stalemate));
        assert!(!allows(Event::Mate) && !allows(Event::Evaluation));
        assert!(summary.has_variations);
        let text = Summary::to_text(&[summary.clone(), Summary::default()]);
        assert_eq!(text.len(), 2 * DIGITS);
        assert_eq!(
            Summary::from_text(&text, 2).unwrap(),
            [summary.clone(), Summary::default()]
        );
        assert!(Summary::from_text(&text, 3).is_err());
        assert!(Summary::from_text(&text[1..], 1).is_err());
        summary.add(&facts(1, 0, 0, 0), [None; 2], true, false);
        assert!(
            GameTest::of(&GamePrefilter::Event(Event::Evaluation)).allows(&together(&summary.facts)),
            "not known of one"
        );
        assert_eq!(summary.years, 0..=u16::MAX);
    }
}
