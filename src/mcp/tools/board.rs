//! `board`: draws a position with letters.

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::Call;
use super::context::ToolContext;
use super::tool::Question;
use crate::board::{Bitboard, Square};
use crate::chess::Start;
use crate::output::{Diagram, Drawing};
use crate::service::{Error, position};

/// A position.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Board {
    /// The position. It may be impossible; castling rights and what follows them may be missing.
    fen: String,
    /// Whether it is seen by Black.
    #[serde(default)]
    flip: bool,
    /// Squares that stand out, in brackets: `["e4", "d5"]`.
    #[serde(default)]
    squares: Vec<String>,
}

impl Question for Board {
    const NAME: &'static str = "board";
    const TITLE: &'static str = "Draw a position";
    const PURPOSE: &'static str =
        "Draws the board of a FEN with letters, white pieces as capitals. Use it to see where the pieces stand.";

    fn answer(self, _: &ToolContext, _: &Call) -> Result<String, Error> {
        let start: Start = position::start(&self.fen)?;
        let marks = self.squares.iter().map(|name| position::square(name));
        let marks: Bitboard = marks.collect::<Result<Vec<Square>, _>>()?.into_iter().collect();
        let diagram = Diagram::of_board(
            &start.board,
            marks,
            Drawing {
                flip: self.flip,
                ..Drawing::default()
            },
        );
        Ok(format!("{diagram}{:?} to move\n", start.turn))
    }
}
