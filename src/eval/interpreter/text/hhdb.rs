//! `hhdb …`: van der Heijden's database of endgame studies (chapter 2, 11).
//!
//! `Event` holds the award and the source, `White` the composer, `Black` the GBR code and flags. The comment of the initial position
//! holds further facts. Comments of other positions mark cooks and lines.

use std::borrow::Cow;

use memchr::memmem;

use crate::chess::Position;
use crate::game::Game;
use crate::query::SortId;
use crate::query::ast::hhdb::{Award, AwardKeys, AwardKind, GbrPart, StudyCond, StudyNumber, StudyText};

use crate::eval::context::Context;
use crate::eval::interpreter::text;
use crate::eval::interpreter::values::strings::{Text, existing};
use crate::eval::report::SortValue;

use super::tourney::{Tourney, leading_digits, parse};

/// The flags of duals, and the flags of other faults.
const DUALS: [&str; 2] = ["U1", "U2"];
const FAULTS: [&str; 3] = ["U3", "U4", "U5"];

/// The default rank: the best, or with `max` the worst.
const NO_RANK: i32 = 1;
const NO_MAX_RANK: i32 = 10_000;

/// Returns whether a filter on the study matches at a position.
pub(crate) fn matches(filter: StudyCond, context: &mut Context<'_>, at: &Position) -> bool {
    let game = context.game;
    match filter {
        StudyCond::Flag(flag) => is_flagged(game, &[flag]),
        StudyCond::Mark(mark) => is_marked(game, at, mark),
        StudyCond::Cooked => is_cooked(game),
        StudyCond::Dual => is_flagged(game, &DUALS),
        StudyCond::Sound => !(is_flagged(game, &FAULTS) || is_flagged(game, &DUALS) && is_cooked(game)),
        StudyCond::Unsound => is_flagged(game, &DUALS) || is_flagged(game, &FAULTS) || is_cooked(game),
        StudyCond::MainLine => is_in_main_line(game, at),
        StudyCond::Variation => !is_in_main_line(game, at),
        StudyCond::Award(wanted) => awarded(game, wanted).is_some(),
        StudyCond::SortByAward(wanted, keys) => match awarded(game, wanted) {
            Some(given) => {
                sort_by(given, keys, context);
                true
            }
            None => false,
        },
    }
}

/// Returns a number about the study, if it has one.
pub(crate) fn number(number: StudyNumber, game: &Game) -> Option<i32> {
    match number {
        StudyNumber::EgDiagram => eg_diagram(&first_comment(game)?),
        StudyNumber::Award(wanted) => awarded(game, wanted)?.value(wanted),
        StudyNumber::TourneyEdition => tourney(game).edition,
        StudyNumber::TourneyYear => tourney(game).year,
        StudyNumber::TourneyYearEnd => tourney(game).year_end,
    }
}

/// Returns a text about the study, if it has one.
pub(crate) fn string(text: StudyText, game: &Game) -> Option<Text<'_>> {
    match text {
        StudyText::Composer => composer(game),
        StudyText::Gbr(part) => gbr(part, &game.tags.black()).map(Cow::Owned),
        StudyText::Diagram => diagram(game.tags.event()).map(Cow::Borrowed),
        StudyText::FirstComment => first_comment(game),
        StudyText::Stipulation => stipulation(&first_comment(game)?).map(|text| Cow::Owned(text.to_vec())),
        StudyText::Search => Some(Cow::Owned(searched(game))),
        StudyText::TourneyName => existing(Cow::Borrowed(tourney(game).name)),
        StudyText::TourneyYearPart => existing(Cow::Borrowed(tourney(game).part)),
        StudyText::Distinction => existing(Cow::Borrowed(award_and_source(game.tags.event()).0)),
    }
}

/// Returns whether the tag `Black` contains one of the flags.
fn is_flagged(game: &Game, flags: &[&str]) -> bool {
    let black = game.tags.black();
    flags.iter().any(|flag| memmem::find(&black, flag.as_bytes()).is_some())
}

fn is_marked(game: &Game, at: &Position, mark: &str) -> bool {
    game.notes
        .comment(at.id)
        .is_some_and(|comment| memmem::find(&comment, mark.as_bytes()).is_some())
}

/// Returns whether a comment or tag of the game mentions a cook.
fn is_cooked(game: &Game) -> bool {
    const COOK: &[u8] = b"<cook";
    game.notes.mention(COOK) || game.tags.iter().any(|(_, value)| memmem::find(value, COOK).is_some())
}

/// Returns whether each variation on the way to a position is marked as part of the solution.
fn is_in_main_line(game: &Game, at: &Position) -> bool {
    game.path_back(at)
        .filter(|position| position.choice > 0)
        .all(|position| is_marked(game, position, "<main>"))
}

fn first_comment(game: &Game) -> Option<Text<'_>> {
    game.notes.comment(0).filter(|comment| !comment.is_empty())
}

/// Returns the composers. If a study has too many for the tag, the comment names them.
fn composer(game: &Game) -> Option<Text<'_>> {
    if is_flagged(game, &["MC"])
        && let Some(comment) = first_comment(game)
        && let Some(end) = memchr::memchr(b'.', &comment)
    {
        return existing(Cow::Owned(comment[..end].to_vec()));
    }
    let mut white = game.tags.white().into_owned();
    if white.ends_with(b" NN") {
        white.truncate(white.len() - 3);
    }
    existing(Cow::Owned(white))
}

/// Returns the first GBR code in a text, or a part of it: a sign, four digits, a dot, two digits, two squares.
fn gbr(part: GbrPart, text: &[u8]) -> Option<Vec<u8>> {
    let code = text.windows(12).find(|window| is_gbr(window))?;
    let range = match part {
        GbrPart::Whole => 0..12,
        GbrPart::Material => 1..8,
        GbrPart::Pieces => 1..5,
        GbrPart::Pawns => 6..8,
        GbrPart::Kings => 8..12,
    };
    Some(code[range].to_vec())
}

fn is_gbr(window: &[u8]) -> bool {
    const FORM: &[u8; 12] = b"+0000.00a0a0";
    window.iter().zip(FORM).all(|(byte, form)| match form {
        b'+' => (b'+'..=b'=').contains(byte),
        b'0' => byte.is_ascii_digit(),
        b'a' => (b'a'..=b'h').contains(byte),
        form => byte == form,
    }) && window[9..].iter().step_by(2).all(|rank| (b'1'..=b'8').contains(rank))
}

/// Returns the tourney named by the tag `Event`.
fn tourney(game: &Game) -> Tourney<'_> {
    Tourney::parse(award_and_source(game.tags.event()).1)
}

/// Splits the tag `Event` into the award at its start, which may be empty, and the rest.
fn award_and_source(event: &[u8]) -> (&[u8], &[u8]) {
    let length = Given::parse(event).map_or(0, |(_, length)| length);
    event.split_at(length)
}

/// Returns the text after the first `#`, up to white space.
fn diagram(event: &[u8]) -> Option<&[u8]> {
    let behind = &event[memchr::memchr(b'#', event)? + 1..];
    behind
        .split(u8::is_ascii_whitespace)
        .next()
        .filter(|text| !text.is_empty())
}

/// Returns the number after `EG#`.
fn eg_diagram(comment: &[u8]) -> Option<i32> {
    memmem::find_iter(comment, b"EG#").find_map(|start| {
        let (digits, _) = leading_digits(&comment[start + 3..]);
        parse(digits)
    })
}

/// Returns the text between `stipulation: ` and the next dot.
fn stipulation(comment: &[u8]) -> Option<&[u8]> {
    const TITLE: &[u8] = b"stipulation: ";
    let behind = &comment[memmem::find(comment, TITLE)? + TITLE.len()..];
    memchr::memchr(b'.', behind).map(|end| &behind[..end])
}

/// Returns the fields that `hhdb search` searches, one a line.
fn searched(game: &Game) -> Vec<u8> {
    let (white, black) = (game.tags.white(), game.tags.black());
    let comment = first_comment(game);
    let mut fields: Vec<&[u8]> = vec![game.tags.event(), &white, &black];
    fields.extend(comment.as_deref());
    fields.join(&b'\n')
}

/// An award as written in the tag `Event`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Given {
    kind: AwardKind,
    special: bool,
    /// The rank, which is the first of several ranks if the award is shared.
    rank: Option<i32>,
    shared_to: Option<i32>,
}

impl Given {
    /// Reads `[r[/s]] [sp] .kind` at the start of a text, and returns the award and its length: `1.p`, `2/3.hm`, `sp.p`, `4.sp.c`, `.c`.
    fn parse(event: &[u8]) -> Option<(Given, usize)> {
        let (rank, mut rest) = leading_digits(event);
        let rank = if rank.is_empty() { None } else { Some(parse(rank)?) };
        let mut shared_to = None;
        if let (Some(rank), Some(behind)) = (rank, rest.strip_prefix(b"/")) {
            let (last, behind) = leading_digits(behind);
            shared_to = Some(parse(last).filter(|last| *last > rank)?);
            rest = behind;
        }
        let mark: &[u8] = if rank.is_some() { b".sp" } else { b"sp" };
        let special = rest.strip_prefix(mark);
        rest = special.unwrap_or(rest);
        let (kind, rest) = match rest {
            [b'.', b'p', rest @ ..] => (AwardKind::Prize, rest),
            [b'.', b'h', b'm', rest @ ..] => (AwardKind::HonourableMention, rest),
            [b'.', b'c', rest @ ..] => (AwardKind::Commendation, rest),
            _ => return None,
        };
        let given = Given {
            kind,
            special: special.is_some(),
            rank,
            shared_to,
        };
        Some((given, event.len() - rest.len()))
    }

    fn best_rank(self) -> i32 {
        self.rank.unwrap_or(NO_RANK)
    }

    fn worst_rank(self) -> i32 {
        self.shared_to.or(self.rank).unwrap_or(NO_MAX_RANK)
    }

    /// Returns its value for a filter. A special award has none if the filter does not want special awards.
    fn value(self, wanted: Award) -> Option<i32> {
        if self.special && !wanted.special {
            return None;
        }
        Some(if wanted.max {
            self.worst_rank()
        } else {
            self.best_rank()
        })
    }

    /// Returns the place of its kind in the order of all kinds. Special awards count separately.
    fn category(self) -> i32 {
        2 * self.kind as i32 + 1 + i32::from(self.special)
    }
}

/// Returns the award of a study if the filter wants it.
fn awarded(game: &Game, wanted: Award) -> Option<Given> {
    let (given, _) = Given::parse(game.tags.event())?;
    let is_wanted = wanted.kind.is_none_or(|kind| kind == given.kind) && (given.special || !wanted.special);
    is_wanted.then_some(given)
}

fn sort_by(given: Given, keys: AwardKeys, context: &mut Context<'_>) {
    let mut offer = |key: SortId, value: i32| text::keep_best(key, SortValue::Number(value), context);
    offer(keys.category, given.category());
    offer(keys.rank, given.best_rank());
    offer(keys.max_rank, given.worst_rank());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn awards_are_read_from_the_start_of_the_event() {
        use AwardKind::{Commendation, HonourableMention, Prize};
        let given = |kind, special, rank, shared_to| {
            Some(Given {
                kind,
                special,
                rank,
                shared_to,
            })
        };
        for (event, expected) in [
            ("1.p Rustavi", given(Prize, false, Some(1), None)),
            ("2/3.hm", given(HonourableMention, false, Some(2), Some(3))),
            ("sp.p", given(Prize, true, None, None)),
            ("4.sp.c x", given(Commendation, true, Some(4), None)),
            (".c", given(Commendation, false, None, None)),
            ("3/2.p", None),
            ("2/2.p", None),
            ("2/.p", None),
            ("/3.p", None),
            (".sp.p", None),
            ("4sp.p", None),
            ("99999999999.p", None),
            ("p", None),
            (" 1.p", None),
            ("", None),
        ] {
            let parsed = Given::parse(event.as_bytes()).map(|(given, _)| given);
            assert_eq!(parsed, expected, "{event:?}");
        }
    }

    #[test]
    fn ranks_and_categories_order_awards() {
        let all = ["1.p", "sp.p", "1.hm", "2.sp.hm", ".c", "sp.c"];
        let categories = all.map(|event| Given::parse(event.as_bytes()).map(|(given, _)| given.category()));
        assert_eq!(categories, [1, 2, 3, 4, 5, 6].map(Some));
        let ranks =
            |event: &str| Given::parse(event.as_bytes()).map(|(given, _)| (given.best_rank(), given.worst_rank()));
        assert_eq!(ranks("2/5.p"), Some((2, 5)));
        assert_eq!(ranks("4.p"), Some((4, 4)));
        assert_eq!(ranks(".p"), Some((1, 10_000)));
    }

    #[test]
    fn gbr_codes_are_found_with_their_parts() {
        let part = |part| gbr(part, b"x 1234.5 +0130.02c1d3 MC").map(|code| String::from_utf8(code).unwrap());
        assert_eq!(part(GbrPart::Whole).as_deref(), Some("+0130.02c1d3"));
        assert_eq!(part(GbrPart::Material).as_deref(), Some("0130.02"));
        assert_eq!(part(GbrPart::Pieces).as_deref(), Some("0130"));
        assert_eq!(part(GbrPart::Pawns).as_deref(), Some("02"));
        assert_eq!(part(GbrPart::Kings).as_deref(), Some("c1d3"));
        for none in [
            "+0130.02c9d3",
            "+0130.02i1d3",
            "+0130,02c1d3",
            "A0130.02c1d3",
            "+0130.02c1d",
            "",
        ] {
            assert_eq!(gbr(GbrPart::Whole, none.as_bytes()), None, "{none:?}");
        }
    }

    #[test]
    fn texts_end_where_they_should() {
        assert_eq!(diagram(b"Shakmat#A1 (3) #B"), Some(&b"A1"[..]));
        assert_eq!((diagram(b"Shakmat# A1"), diagram(b"Shakmat")), (None, None));
        assert_eq!(eg_diagram(b"EG#x EG#123."), Some(123));
        assert_eq!((eg_diagram(b"EG#"), eg_diagram(b"EG#99999999999")), (None, None));
        assert_eq!(stipulation(b"a. stipulation: White wins. b."), Some(&b"White wins"[..]));
        assert_eq!((stipulation(b"stipulation: Draw"), stipulation(b"Draw.")), (None, None));
    }
}
