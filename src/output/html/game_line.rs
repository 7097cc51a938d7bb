//! The data of a game in the page.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::Display;

use serde::{Deserialize, Serialize};

use super::moves;
use super::solution::unplayed;
use crate::board::{Bitboard, Square};
use crate::chess::Position;
use crate::eval::report::{Extras, GameReport};
use crate::game::{ShapeColor, Shapes};
use crate::output::columns::{self, Column};
use crate::output::facts::{GameFacts, Matched, matched};
use crate::output::game_row::{Cell, GameRow, SortValues};
use crate::output::text::{text, written};

/// The data of a game in the page.
#[derive(Serialize)]
pub(super) struct GameLine<'g> {
    number: u64,
    #[serde(flatten)]
    columns: GameRow<'g>,
    sort: SortValues<'g>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    moves: String,
    /// The comments of the query, each with the id of its position.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    said: Vec<(u32, Cow<'g, str>)>,
    matches: Vec<MatchCells>,
    /// The shapes that comments of the game draw, by position: squares, then arrows, each after the letter of its colour.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    drawn: Vec<(u32, String, String)>,
    /// The values of the added columns, match by match.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<Vec<Cell<'g>>>,
    /// Evaluations and clocks of the main line, by the ids of the positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    evals: Option<Vec<Option<i32>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clocks: Option<Vec<Option<i32>>>,
}

/// A matching position: `positionid`, last move, highlighted squares, rays, moves, the first and the last position of its line, and its
/// solution unless that is the moves of the game. Squares and pairs of squares are concatenated.
#[derive(Serialize, Deserialize)]
pub(super) struct MatchCells(
    pub(super) u32,
    pub(super) String,
    pub(super) String,
    pub(super) String,
    pub(super) String,
    pub(super) Option<(u32, u32)>,
    pub(super) Option<String>,
);

/// Returns what reports must contain for the page. Boards that are `plain` have no marks.
pub(super) fn extras(added: &[Column], plain: bool) -> Extras {
    let marks = match plain {
        true => Extras::empty(),
        false => Extras::HIGHLIGHTS,
    };
    Extras::COMMENTS | marks | Column::extras(added)
}

impl<'g> GameLine<'g> {
    /// Creates the data of a game, if it has a match.
    pub(super) fn of(
        game: &'g dyn GameFacts,
        report: &'g GameReport,
        added: &'g [Column],
        plain: bool,
    ) -> Option<GameLine<'g>> {
        let matches: Vec<_> = matched(game, report)
            .map(
                |Matched {
                     position, highlights, ..
                 }| {
                    MatchCells(
                        position.id,
                        written(|out| game.write_move(position, out)),
                        squares(highlights.squares),
                        pairs(&highlights.rays),
                        pairs(&highlights.moves),
                        highlights.line,
                        unplayed(game, position, highlights),
                    )
                },
            )
            .collect();
        if matches.is_empty() {
            return None;
        }
        let values = matched(game, report).filter(|_| !added.is_empty());
        let values = values.map(|matched| {
            let values = columns::values(added, game, matched);
            values.map(Cell::of).collect()
        });
        Some(GameLine {
            number: game.number(),
            columns: GameRow(game),
            sort: SortValues(&report.keys),
            start: moves::start(game),
            moves: moves::moves(game),
            said: said(report),
            matches,
            drawn: if plain { Vec::new() } else { drawn(game) },
            values: values.collect(),
            evals: of_main_line(game, |position| game.evaluation(position)),
            clocks: of_main_line(game, |position| game.clock(position)),
        })
    }
}

/// Returns the comments of the query as they are written into the game: in the order of the positions, and without repetitions unless the
/// query asks for them.
fn said(report: &GameReport) -> Vec<(u32, Cow<'_, str>)> {
    let mut said: Vec<_> = report.comments.iter().filter(|(_, words)| !words.is_empty()).collect();
    said.sort_by_key(|(position, _)| *position);
    if !report.repeats_comments {
        let mut known = HashSet::new();
        said.retain(|comment| known.insert(*comment));
    }
    let texts = said.into_iter();
    texts
        .map(|(position, words)| (*position, text(Cow::Borrowed(words))))
        .collect()
}

/// Returns the shapes that comments of a game draw, by position.
fn drawn(game: &dyn GameFacts) -> Vec<(u32, String, String)> {
    let positions = game.positions().iter().take_while(|_| !game.is_given_up());
    let drawn = positions.filter_map(|position| {
        let Shapes { squares, arrows } = game.shapes(position);
        let squares = squares.iter().map(|shape| colored(*shape));
        let arrows = arrows
            .iter()
            .map(|(color, (from, to))| colored((*color, format_args!("{from}{to}"))));
        let (squares, arrows) = (squares.collect::<String>(), arrows.collect::<String>());
        let is_empty = squares.is_empty() && arrows.is_empty();
        (!is_empty).then_some((position.id, squares, arrows))
    });
    drawn.collect()
}

fn colored((color, squares): (ShapeColor, impl Display)) -> String {
    format!("{}{squares}", color.letter())
}

/// Returns a value for each position of the main line, in order, or `None` if no value is known.
fn of_main_line(game: &dyn GameFacts, known: impl Fn(&Position) -> Option<i32>) -> Option<Vec<Option<i32>>> {
    let line = game.positions().iter().take_while(|position| position.depth == 0);
    let values: Vec<_> = line.take_while(|_| !game.is_given_up()).map(known).collect();
    values.iter().any(Option::is_some).then_some(values)
}

fn squares(set: Bitboard) -> String {
    set.into_iter().map(|square| square.to_string()).collect()
}

fn pairs(pairs: &[(Square, Square)]) -> String {
    pairs.iter().map(|(from, to)| format!("{from}{to}")).collect()
}
