//! `setup`: converts a board to a query, and a query to a board.

use serde::{Deserialize, Serialize};

use super::error::Error;
use super::position;
use super::text::{document, no_query};
use crate::lsp::Document;
use crate::setup::{Setup, Shown, Width};
use crate::syntax::format::Spelling;

/// The question: what a board shows of a query, the query of a board, a query with another board, or the board of a position.
#[derive(Deserialize, Clone, Default, Debug)]
#[cfg_attr(feature = "mcp", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct Question {
    /// A whole query or filters alone.
    pub query: Option<String>,
    /// A board. With a query beside it, it takes the place of what a board shows of that; all else of the query stays.
    pub setup: Option<Setup>,
    /// A position.
    pub fen: Option<String>,
    /// What is kept of the position.
    pub widen: Width,
    /// How signs are written.
    pub spelling: Spelling,
}

/// The answer.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Answer {
    /// The board.
    pub setup: Setup,
    /// The query for the board.
    pub query: String,
    /// Whether the board shows the whole query.
    pub whole: bool,
}

/// Answers a question.
///
/// # Errors
/// Returns an error if the text is not a valid query, the FEN is not a position, no query has such a board, or the question has another
/// combination of fields.
pub fn setup(question: Question) -> Result<Answer, Error> {
    let spelling = question.spelling;
    match (question.query, question.setup, question.fen) {
        (Some(query), None, None) => {
            let Shown { setup, whole, .. } = shown(&document(query))?;
            Ok(Answer {
                query: setup.query(spelling),
                setup,
                whole,
            })
        }
        (None, Some(setup), None) => Ok(Answer::of(setup, spelling)),
        (Some(query), Some(setup), None) => {
            let before = document(query);
            let shown = shown(&before)?;
            let rewritten = shown.rewrite(before.source(), &before.options(), &setup, spelling);
            let query = rewritten.ok_or_else(|| Error::new("no query can have this board in place of the other"))?;
            Ok(Answer {
                setup,
                query,
                whole: shown.whole,
            })
        }
        (None, None, Some(fen)) => {
            let start = position::start(&fen)?;
            let setup = Setup::of_position(&start.board, start.turn, question.widen);
            Ok(Answer::of(setup, spelling))
        }
        _ => Err(Error::new("ask for a `query`, a `setup`, both, or a `fen`")),
    }
}

impl Answer {
    fn of(setup: Setup, spelling: Spelling) -> Answer {
        Answer {
            query: setup.query(spelling),
            setup,
            whole: true,
        }
    }
}

fn shown(document: &Document) -> Result<Shown, Error> {
    Setup::of_query(document.source(), &document.options()).map_err(|error| no_query(document, &error))
}
