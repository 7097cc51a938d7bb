//! The interface through which formats see games.

use std::borrow::Cow;

use shakmaty::{Color, Outcome};

use crate::board::Bitboard;
use crate::chess::Arrival;
use crate::eval::report::{GameReport, Highlights, MatchValue};
use crate::game::{Date, Position, Shapes};

/// A game as formats see it.
pub trait GameFacts {
    /// Returns the name of the input that the game comes from, as the user gave it.
    fn source(&self) -> &str;
    /// Returns the number of the game.
    fn number(&self) -> u64;
    /// Returns the value of a tag, or `None` if it is not known. Names and dates are spelled as in the file, while queries see a uniform spelling.
    fn tag(&self, name: &[u8]) -> Option<Cow<'_, [u8]>>;
    /// Returns the value of any tag as queries see it, with names and dates in one spelling.
    fn value(&self, name: &[u8]) -> Option<Cow<'_, [u8]>>;
    /// Returns how the game ended.
    fn outcome(&self) -> Outcome;
    /// Returns the rating of a player.
    fn rating(&self, player: Color) -> Option<u16>;
    /// Returns the date, as far as it is certain.
    fn date(&self) -> Date;
    /// Returns the positions, by `positionid`.
    fn positions(&self) -> &[Position];
    /// Returns whether nobody wants the game any more. What is written about it is then thrown away.
    fn is_given_up(&self) -> bool {
        false
    }
    /// Returns the `movenumber` of CQL: 1 at the initial position, and one more at each later position with White to move.
    fn move_number(&self, position: &Position) -> u32 {
        let black_began = self.positions().first().is_some_and(|root| root.turn.is_black());
        (u32::from(position.ply) + u32::from(black_began)) / 2 + 1
    }
    /// Returns the evaluation of a position in centipawns from White's side, if the game was read with evaluations and the position has one.
    /// A mate in `n` moves is 100,000 less `n`, negative if Black mates.
    fn evaluation(&self, _position: &Position) -> Option<i32> {
        None
    }
    /// Returns the time left to the side that has moved, in tenths of a second, if the game was read with clocks and it is known.
    fn clock(&self, _position: &Position) -> Option<i32> {
        None
    }
    /// Returns the shapes that comments on a position draw on the board, if the game was read with comments.
    fn shapes(&self, _position: &Position) -> Shapes {
        Shapes::default()
    }
    /// Appends the FEN of a position as queries see it, with all six fields.
    fn write_fen(&self, position: &Position, out: &mut Vec<u8>);
    /// Appends the move that led to a position, with its number: `12.Nf3`, `12...Nf6`. Appends nothing for the initial position.
    fn write_move(&self, position: &Position, out: &mut Vec<u8>);
    /// Appends the move that led to a position, without its number: `Nf3`.
    fn write_san(&self, position: &Position, out: &mut Vec<u8>);
    /// Appends a legal move that was tried in a position, with its number: `12.Nf3`.
    fn write_tried(&self, position: &Position, tried: &Arrival, out: &mut Vec<u8>);
    /// Appends the move that led to a position in the notation of the Universal Chess Interface: `g1f3`.
    fn write_uci(&self, position: &Position, out: &mut Vec<u8>);
    /// Appends a legal move that was tried in a position, without its number: `Nf3`.
    fn write_tried_san(&self, position: &Position, tried: &Arrival, out: &mut Vec<u8>);
    /// Calls `visit` with each tag of the game and the result, each once. Values are those of [`tag`](GameFacts::tag).
    fn each_tag(&self, visit: &mut dyn FnMut(&[u8], &[u8]));
    /// Appends the game as PGN with the report's comments and tags, and two empty lines.
    fn write_pgn(&self, report: &GameReport, out: &mut Vec<u8>);
    /// Appends the continuation of a matching position as a game of its own, for this many plies or to the end. It has the report's comments
    /// and tags, a tag with its origin, and two empty lines at the end.
    fn write_continuation(&self, position: &Position, plies: Option<u32>, report: &GameReport, out: &mut Vec<u8>);
}

/// Returns the matching positions of a game, or none if the game does not match.
pub(super) fn matching_positions<'a>(
    game: &'a dyn GameFacts,
    report: &'a GameReport,
) -> impl Iterator<Item = &'a Position> {
    matched(game, report).map(|matched| matched.position)
}

/// A matching position, with what is known about it.
#[derive(Clone, Copy)]
pub(crate) struct Matched<'a> {
    pub(crate) position: &'a Position,
    /// Why it matches.
    pub(crate) highlights: &'a Highlights,
    /// The values that were kept for it.
    pub(crate) values: &'a [MatchValue],
}

/// The side that a query matches for, by its first transform that exchanges colours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuerySide {
    /// The query matches as it is written.
    White,
    /// A copy of the query with exchanged colours matches.
    Black,
    /// Both match.
    Both,
}

impl Matched<'_> {
    /// Returns the side that the query matches for. `place` is the [index](crate::query::Query::side_values) of the values that say it.
    pub(crate) fn query_side(&self, place: Option<usize>) -> Option<QuerySide> {
        self.values.get(place?..).and_then(QuerySide::of)
    }
}

impl QuerySide {
    /// Returns the side for two [values](GameReport::values) of a match: whether the query matches as written, and whether it matches with
    /// exchanged colours.
    fn of(values: &[MatchValue]) -> Option<QuerySide> {
        match values {
            [MatchValue::Truth(true), MatchValue::Truth(true)] => Some(QuerySide::Both),
            [MatchValue::Truth(true), _] => Some(QuerySide::White),
            [_, MatchValue::Truth(true)] => Some(QuerySide::Black),
            _ => None,
        }
    }

    /// Returns `white`, `black` or `both`.
    pub fn as_str(self) -> &'static str {
        match self {
            QuerySide::White => "white",
            QuerySide::Black => "black",
            QuerySide::Both => "both",
        }
    }
}

/// Returns the matching positions of a game, each with what is known about it, or none if the game does not match.
pub(crate) fn matched<'a>(game: &'a dyn GameFacts, report: &'a GameReport) -> impl Iterator<Item = Matched<'a>> {
    const NONE: &Highlights = &Highlights {
        squares: Bitboard::EMPTY,
        rays: Vec::new(),
        moves: Vec::new(),
        line: None,
        tried: Vec::new(),
        may_have_tried_more: false,
    };
    let ids: &[u32] = if report.matched { &report.positions } else { &[] };
    let highlights = report.highlights.iter().chain(std::iter::repeat(NONE));
    let found = |(place, (id, highlights)): (usize, (&u32, &'a Highlights))| {
        Some(Matched {
            position: game.positions().get(*id as usize)?,
            highlights,
            values: report.values_at(place),
        })
    };
    let wanted = |_: &(usize, (&u32, &Highlights))| !game.is_given_up();
    let ids = ids.iter().zip(highlights).enumerate();
    ids.take_while(wanted).filter_map(found)
}

/// Returns the next position in the same line.
pub(crate) fn next_position<'g>(game: &'g dyn GameFacts, position: &Position) -> Option<&'g Position> {
    let next = game.positions().get(position.id as usize + 1)?;
    (next.parent == position.id && next.id <= position.last).then_some(next)
}
