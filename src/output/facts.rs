//! What formats ask of games.

use std::borrow::Cow;

use shakmaty::{Color, Outcome};

use crate::board::Bitboard;
use crate::chess::Arrival;
use crate::eval::report::{GameReport, Highlights, MatchValue};
use crate::game::{Date, Position, Shapes};

/// Tags that formats print beside the ratings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagName {
    /// The name of the player of the white pieces.
    White,
    /// The name of the player of the black pieces.
    Black,
    /// The event.
    Event,
    /// The site.
    Site,
    /// The date, `yyyy.mm.dd` with `?`.
    Date,
    /// The result.
    Result,
    /// The opening.
    Eco,
}

/// What formats ask of a game.
pub trait GameFacts {
    /// Where the game comes from: the name of the input as the user gave it.
    fn source(&self) -> &str;
    /// The number of the game.
    fn number(&self) -> u64;
    /// The value of a tag as it stands in the file, and as the PGN output has it; `None` when it is not known.
    fn tag(&self, name: TagName) -> Option<Cow<'_, [u8]>>;
    /// The value of any tag as queries see it: names and dates in one spelling.
    fn value(&self, name: &[u8]) -> Option<Cow<'_, [u8]>>;
    /// How the game ended.
    fn outcome(&self) -> Outcome;
    /// The rating of a player.
    fn rating(&self, player: Color) -> Option<u16>;
    /// The date, as far as it is certain.
    fn date(&self) -> Date;
    /// The positions, by `positionid`.
    fn positions(&self) -> &[Position];
    /// Whether nobody wants the game any more: what is written of it then counts for nothing.
    fn is_given_up(&self) -> bool {
        false
    }
    /// The `movenumber` of CQL: the initial position has number 1, each position with White to move after it the next.
    fn move_number(&self, position: &Position) -> u32 {
        let black_began = self.positions().first().is_some_and(|root| root.turn.is_black());
        (u32::from(position.ply) + u32::from(black_began)) / 2 + 1
    }
    /// The evaluation of a position in centipawns from White's side, if the game was read with evaluations and it has one; a mate in
    /// `n` moves is 100,000 less `n`, negative if Black mates.
    fn evaluation(&self, _position: &Position) -> Option<i32> {
        None
    }
    /// The tenths of a second that are left to the side that has moved, if the game was read with clocks and it is known.
    fn clock(&self, _position: &Position) -> Option<i32> {
        None
    }
    /// What the comments on a position draw on the board, if the game was read with comments.
    fn shapes(&self, _position: &Position) -> Shapes {
        Shapes::default()
    }
    /// Appends the FEN of a position, all six fields, as queries see it.
    fn write_fen(&self, position: &Position, out: &mut Vec<u8>);
    /// Appends the move that led to a position, with its number: `12.Nf3`, `12...Nf6`; nothing for the initial position.
    fn write_move(&self, position: &Position, out: &mut Vec<u8>);
    /// Appends the same move without its number: `Nf3`.
    fn write_san(&self, position: &Position, out: &mut Vec<u8>);
    /// Appends a legal move that was tried in a position, with its number: `12.Nf3`.
    fn write_tried(&self, position: &Position, tried: &Arrival, out: &mut Vec<u8>);
    /// Appends the move that led to a position in the notation of the Universal Chess Interface: `g1f3`.
    fn write_uci(&self, position: &Position, out: &mut Vec<u8>);
    /// The same without its number: `Nf3`.
    fn write_tried_san(&self, position: &Position, tried: &Arrival, out: &mut Vec<u8>);
    /// Shows each tag that the game has once, with the value that [`tag`](GameFacts::tag) gives, and the result.
    fn each_tag(&self, visit: &mut dyn FnMut(&[u8], &[u8]));
    /// Appends the game as PGN with the report's comments and tags, and two empty lines.
    fn write_pgn(&self, report: &GameReport, out: &mut Vec<u8>);
    /// Appends what follows a matching position as a game of its own, this many plies of it or all: with the report's comments and tags and a tag
    /// that says where it comes from, and two empty lines.
    fn write_continuation(&self, position: &Position, plies: Option<u32>, report: &GameReport, out: &mut Vec<u8>);
}

/// The matching positions of a game that matches; none for a game that does not.
pub(super) fn matching_positions<'a>(
    game: &'a dyn GameFacts,
    report: &'a GameReport,
) -> impl Iterator<Item = &'a Position> {
    matched(game, report).map(|matched| matched.position)
}

/// A matching position, and what is known of it.
#[derive(Clone, Copy)]
pub(crate) struct Matched<'a> {
    pub(crate) position: &'a Position,
    /// Why it matches.
    pub(crate) highlights: &'a Highlights,
    /// The values that are kept of it.
    pub(crate) values: &'a [MatchValue],
}

/// The side of which a query holds, as its first transform that exchanges colours says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum QuerySide {
    /// White: the query holds as it is written.
    White,
    /// Black: it holds in a copy with exchanged colours.
    Black,
    /// Both: it holds in both ways.
    Both,
}

impl Matched<'_> {
    /// The side of which the query holds, given the [place](crate::query::Query::side_values) of the values that say it.
    pub(crate) fn query_side(&self, place: Option<usize>) -> Option<QuerySide> {
        self.values.get(place?..).and_then(QuerySide::of)
    }
}

impl QuerySide {
    /// What two [values](GameReport::values) of a match say: whether it is one of the query as written, and whether it is one with exchanged
    /// colours.
    fn of(values: &[MatchValue]) -> Option<QuerySide> {
        match values {
            [MatchValue::Truth(true), MatchValue::Truth(true)] => Some(QuerySide::Both),
            [MatchValue::Truth(true), _] => Some(QuerySide::White),
            [_, MatchValue::Truth(true)] => Some(QuerySide::Black),
            _ => None,
        }
    }

    /// `white`, `black` or `both`.
    pub fn as_str(self) -> &'static str {
        match self {
            QuerySide::White => "white",
            QuerySide::Black => "black",
            QuerySide::Both => "both",
        }
    }
}

/// The matching positions of a game that matches, each with what is known of it.
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

/// The position after a position in its line.
pub(crate) fn next_position<'g>(game: &'g dyn GameFacts, position: &Position) -> Option<&'g Position> {
    let next = game.positions().get(position.id as usize + 1)?;
    (next.parent == position.id && next.id <= position.last).then_some(next)
}
