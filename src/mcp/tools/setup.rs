//! `setup`: converts a board to a query, and a query to a board.

use super::super::call::Call;
use super::context::ToolContext;
use super::tool::Question;
use crate::service::{Error, setup};

impl Question for setup::Question {
    const NAME: &'static str = "setup";
    const TITLE: &'static str = "Make a query of a board";
    const PURPOSE: &'static str = "Makes a query of pieces on squares, or of a position, of which it keeps what `widen` says: `structure` finds games \
                                   with the same pawns. Of a query alone it says what a board shows of it.";

    fn answer(self, _: &ToolContext, _: &Call) -> Result<String, Error> {
        let answer = setup::setup(self)?;
        let board = serde_json::to_string(&answer.setup).map_err(|error| Error::new(error.to_string()))?;
        let rest = match answer.whole {
            true => "",
            false => "The board shows only a part of the query.\n",
        };
        Ok(format!("{}\n\nthe board: {board}\n{rest}", answer.query.trim_end()))
    }
}
