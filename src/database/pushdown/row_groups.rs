//! Finds row groups in which no game can match.

use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};

use shakmaty::{Color, KnownOutcome};

use super::Test;
use crate::database::facts::{Events, Facts, Lines, together};
use crate::database::file::ParquetFile;
use crate::database::layout::{Column, tag_column};
use crate::database::record::outcome_code;
use crate::query::prefilter::GameTest;
use crate::query::{Comparison, Cond, CondExpr, NumExpr, Query, Shortcuts, ThemeDigest};

/// Skips row groups of a database in which none of several queries can match, without reading them.
#[derive(Clone, Debug)]
pub(crate) struct GroupFilter {
    /// What each query wants.
    searches: Vec<Search>,
    /// Whether a query sees variations, about which little is known.
    sees_variations: bool,
    /// The themes that the queries want.
    themes: BTreeSet<ThemeDigest>,
}

/// What a query wants from games.
#[derive(Clone, Debug)]
struct Search {
    /// The first and the last game number, if not all games are searched.
    numbers: Option<(i32, i32)>,
    /// What the games must have, if there is anything.
    test: Option<Test>,
    /// What they must have to be searched at all, if there is anything.
    narrowing: Option<Test>,
}

impl Search {
    /// Returns whether any of the games with these numbers are searched.
    fn has_any_of(&self, numbers: &RangeInclusive<u64>) -> bool {
        let number = |number| u64::try_from(number).unwrap_or(0);
        self.numbers.is_none_or(|(first, last)| {
            first <= last && number(first) <= *numbers.end() && *numbers.start() <= number(last)
        })
    }
}

impl GroupFilter {
    /// Creates a filter for queries that are searched together. Returns `None` if one of them has to see every game.
    pub(crate) fn of(queries: &[&Query]) -> Option<GroupFilter> {
        let is_plain = |query: &&Query| query.narrowing.iter().chain(&query.selection).all(is_plain);
        let are_plain = queries.iter().all(is_plain);
        let searches = queries.iter().map(|query| {
            // Games with other numbers are not searched, so skipping them cannot be noticed.
            let numbers = query.header.games;
            let may_ask = are_plain && query.shortcuts.contains(Shortcuts::ROW_GROUPS);
            let test = may_ask.then(|| Test::of_query(query)).flatten();
            let narrowing = Test::of_narrowing(query).filter(|_| test.is_some());
            (numbers.is_some() || test.is_some()).then_some(Search {
                numbers,
                test,
                narrowing,
            })
        });
        Some(GroupFilter {
            searches: searches.collect::<Option<_>>()?,
            sees_variations: queries.iter().any(|query| query.header.variations),
            themes: queries.iter().flat_map(|query| query.themes.digests()).collect(),
        })
    }

    /// Returns whether a game of a row group, whose games have these numbers, may match or has warnings, which are always printed.
    pub(crate) fn wants(&self, file: &ParquetFile, group: usize, numbers: &RangeInclusive<u64>) -> bool {
        self.wants_some(file, group, 0..file.group_games(group), numbers)
    }

    /// Returns whether parts of a row group may have different answers: themes are known for each game.
    pub(crate) fn tells_parts(&self, file: &ParquetFile) -> bool {
        self.themes.iter().any(|theme| file.theme_rows(*theme).is_some())
    }

    /// Does the same as [`wants`](GroupFilter::wants) for the games of a row group with these indices.
    pub(crate) fn wants_some(
        &self,
        file: &ParquetFile,
        group: usize,
        games: Range<usize>,
        numbers: &RangeInclusive<u64>,
    ) -> bool {
        let Some(bounds) = Bounds::of(file, group, games) else {
            return true;
        };
        let untold = Events::UNREADABLE.0 | Events::FROM_TEXT.0;
        if file.has_warnings(group) {
            return true;
        }
        let mut searches = self
            .searches
            .iter()
            .filter(|search| search.has_any_of(numbers))
            .peekable();
        let is_untold = bounds.facts.events.has(Events(untold)) || (self.sees_variations && bounds.has_variations);
        if is_untold {
            return searches.peek().is_some();
        }
        searches.any(|search| search.test.as_ref().is_none_or(|test| bounds.allow(test)))
    }

    /// Returns whether each query that searches games with these numbers leaves all games of the row group alone because of its narrowing.
    pub(crate) fn leaves_alone(&self, file: &ParquetFile, group: usize, numbers: &RangeInclusive<u64>) -> bool {
        let Some(bounds) = Bounds::of(file, group, 0..file.group_games(group)) else {
            return false;
        };
        let mut searches = self.searches.iter().filter(|search| search.has_any_of(numbers));
        searches.all(|search| search.narrowing.as_ref().is_some_and(|test| !bounds.allow(test)))
    }
}

/// Returns whether a test of a game only compares, so that it cannot be noticed whether it was evaluated.
fn is_plain(test: &Cond) -> bool {
    match &test.kind {
        CondExpr::And(a, b) | CondExpr::Or(a, b) => is_plain(a) && is_plain(b),
        CondExpr::Not(test) => is_plain(test),
        CondExpr::Constant(_) | CondExpr::Result(_) | CondExpr::Variant(_) => true,
        CondExpr::HasNumber(number) => is_plain_number(&number.kind),
        _ => false,
    }
}

fn is_plain_number(number: &NumExpr) -> bool {
    match number {
        NumExpr::Compare(_, a, b) => is_plain_number(&a.kind) && is_plain_number(&b.kind),
        NumExpr::Literal(_) | NumExpr::Rating(_) | NumExpr::BestRating | NumExpr::Year => true,
        _ => false,
    }
}

/// The least and the greatest value of several games: `None` if they are unknown, `Some(None)` if no game has a value.
type Extremes = Option<Option<(i32, i32)>>;

/// What is known about the games of a row group.
struct Bounds<'a> {
    file: &'a ParquetFile,
    group: usize,
    games: Range<usize>,
    facts: &'a Facts,
    years: &'a RangeInclusive<u16>,
    has_variations: bool,
}

impl<'a> Bounds<'a> {
    /// Returns what is known about these games of a row group, if there is a summary of it.
    fn of(file: &'a ParquetFile, group: usize, games: Range<usize>) -> Option<Bounds<'a>> {
        let summary = file.summary(group)?;
        Some(Bounds {
            file,
            group,
            games,
            facts: &summary.facts,
            years: &summary.years,
            has_variations: summary.has_variations,
        })
    }

    /// Returns whether any game may pass.
    fn allow(&self, test: &Test) -> bool {
        match test {
            Test::All(tests) => tests.iter().all(|test| self.allow(test)),
            Test::Either(tests) => tests.iter().any(|test| self.allow(test)),
            Test::Outcome(result) => {
                let outcomes = self.file.bounds(self.group, Column::Outcome.index());
                may_hold(Comparison::Equal, outcomes, code(*result))
            }
            Test::Rating(color, comparison, limit) => may_hold(*comparison, self.rating(*color), *limit),
            Test::BestRating(comparison, limit) => {
                let of = |color| may_hold(*comparison, self.rating(color), *limit);
                of(Color::White) || of(Color::Black)
            }
            Test::Year(comparison, limit) => {
                let years = (i32::from(*self.years.start()), i32::from(*self.years.end()));
                may_hold(*comparison, Some((!self.years.is_empty()).then_some(years)), *limit)
            }
            Test::Line(prefilter) => {
                let is_ruled_out =
                    |theme: &ThemeDigest| !self.file.may_have_theme(self.group, self.games.clone(), *theme);
                let ruled_out = prefilter.digests().filter(is_ruled_out);
                GameTest::of(prefilter).allows(&Lines {
                    may_have_board: &|key| self.file.may_have_board(self.group, key),
                    themes: ruled_out.map(|theme| (theme, 0)).collect(),
                    ..together(self.facts)
                })
            }
        }
    }

    /// Returns the bounds of the ratings of a player, if the columns have all of them.
    fn rating(&self, color: Color) -> Extremes {
        /// The highest rating. Higher values count as this one, and values below 1 as none.
        const MOST: i32 = 4000;
        let column = tag_column(color.fold_wb(b"WhiteElo", b"BlackElo"))?;
        let of_color = self.file.bounds(self.group, column);
        let is_told = |extremes: &Option<(i32, i32)>| extremes.is_none_or(|(least, most)| least > 0 && most <= MOST);
        of_color
            .filter(|_| !self.facts.events.has(Events::OTHER_RATINGS))
            .filter(is_told)
    }
}

fn code(result: KnownOutcome) -> i32 {
    outcome_code(shakmaty::Outcome::Known(result))
}

/// Returns whether a value between the least and the greatest may compare like this to a limit.
fn may_hold(comparison: Comparison, extremes: Extremes, limit: i32) -> bool {
    let Some(extremes) = extremes else { return true };
    extremes.is_some_and(|(least, most)| match comparison {
        Comparison::Equal => least <= limit && limit <= most,
        Comparison::Less => least < limit,
        Comparison::LessEqual => least <= limit,
        Comparison::Greater => most > limit,
        Comparison::GreaterEqual => most >= limit,
    })
}
