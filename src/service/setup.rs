//! `setup`: a board that is set up as a query, and a query as a board.
//!
//! ```
//! use skewer::service::Service;
//!
//! let ask = |question| Service::default().call("setup", question).map_err(|error| error.message);
//! let shown = ask(r#"{"query": "Pd4 elo>2400"}"#);
//! assert_eq!(shown.as_deref(), Ok(r#"{"setup":{"squares":{"d4":"P"}},"query":"Pd4 elo>2400","whole":false}"#));
//! let said = ask(r#"{"setup": {"squares": {"d4": "P", "d5": "p"}}}"#);
//! assert_eq!(said.as_deref(), Ok(r#"{"setup":{"squares":{"d4":"P","d5":"p"}},"query":"Pd4 pd5","whole":true}"#));
//! let changed = ask(r#"{"query": "Pd4 elo>2400", "setup": {"squares": {"e4": "P"}}}"#);
//! assert_eq!(changed.as_deref(), Ok(r#"{"setup":{"squares":{"e4":"P"}},"query":"Pe4 elo>2400","whole":false}"#));
//! let wider = ask(r#"{"fen": "4k3/8/8/8/8/8/4P3/4K3 w", "width": "structure"}"#);
//! assert_eq!(wider.as_deref(), Ok(r#"{"setup":{"squares":{"e2":"P"},"material":[{"pieces":"P","least":1,"most":1},{"pieces":"p","most":0}]},"query":"Pe2 P == 1 not p","whole":true}"#));
//! assert!(ask(r#"{"query": "mate", "fen": "8/8/8/8/8/8/8/8 w"}"#).is_err());
//! ```

use serde::{Deserialize, Serialize};

use super::error::Error;
use super::text::{document, no_query};
use crate::chess::Start;
use crate::setup::{Setup, Width};
use crate::syntax::format::Spelling;

/// The question: a query, a setup, both, or a position.
#[derive(Deserialize, Clone, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Question {
    /// A whole query or filters alone.
    pub query: Option<String>,
    /// What is set up; with a query, in the place of what a board shows of that.
    pub setup: Option<Setup>,
    /// A position. It may be impossible; castling rights and what follows them may be missing.
    pub fen: Option<String>,
    /// How much of the position is kept: `exact`, unless it is given.
    pub width: Option<Width>,
}

/// The answer.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Answer {
    /// What a board shows.
    pub setup: Setup,
    /// The query.
    pub query: String,
    /// The setup is all of the query.
    pub whole: bool,
}

/// Answers.
///
/// # Errors
/// When the query is none, the FEN is none, or what is asked for does not go together.
pub fn setup(question: Question) -> Result<Answer, Error> {
    match question {
        Question {
            query: Some(query),
            setup,
            fen: None,
            width: None,
        } => of_query(query, setup),
        Question {
            query: None,
            setup: Some(setup),
            fen: None,
            width: None,
        } => Ok(of_setup(setup)),
        Question {
            query: None,
            setup: None,
            fen: Some(fen),
            width,
        } => {
            let start = Start::from_fen(fen.trim().as_bytes()).map_err(|error| Error {
                hint: Some(error.fault.advice().to_owned()),
                ..Error::new(format!("the position cannot be read: {}", error.fault))
            })?;
            Ok(of_setup(Setup::of_position(
                &start.board,
                start.turn,
                width.unwrap_or_default(),
            )))
        }
        _ => Err(Error {
            hint: Some("give `query`, `setup`, both of them, or `fen` with or without `width`".to_owned()),
            ..Error::new("what is asked for does not go together")
        }),
    }
}

fn of_setup(setup: Setup) -> Answer {
    Answer {
        query: setup.query(Spelling::AsWritten),
        setup,
        whole: true,
    }
}

fn of_query(query: String, setup: Option<Setup>) -> Result<Answer, Error> {
    let document = document(query);
    let (source, options) = (document.source(), document.options());
    let shown = Setup::of_query(source, &options).map_err(|error| no_query(&document, &error))?;
    let Some(setup) = setup else {
        return Ok(Answer {
            setup: shown.setup,
            query: source.text().to_owned(),
            whole: shown.whole,
        });
    };
    let Some(query) = shown.rewrite(source, &options, &setup, Spelling::AsWritten) else {
        return Err(Error::new("the query cannot say this beside what it says already"));
    };
    let document = super::text::document(query);
    let shown = Setup::of_query(document.source(), &document.options()).map_err(|error| no_query(&document, &error))?;
    Ok(Answer {
        setup: shown.setup,
        query: document.source().text().to_owned(),
        whole: shown.whole,
    })
}
