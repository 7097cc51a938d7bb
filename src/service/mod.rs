//! Questions and answers as JSON without a transport, for pages, servers and assistants.
//!
//! A question has a method and an object with documented fields; an answer is such an object, too. An unknown field is an error. Offsets in
//! texts are UTF-16 code units, as in browsers. Lines and columns begin at 1, and columns are in characters, as in the errors of the
//! command.
//!
//! ```
//! use skewer::service::Service;
//!
//! let service = Service::default();
//! let answer = service.call("check", r#"{"query": "xray (B a k)"}"#)?;
//! assert_eq!(answer, r#"{"ok":true,"diagnostics":[]}"#);
//! let error = service.call("check", r#"{"qeury": "mate"}"#).unwrap_err();
//! assert!(error.message.starts_with("unknown field `qeury`"));
//! # Ok::<(), skewer::service::Error>(())
//! ```
//!
//! Questions that take longer emit events as they run: see [`Pass`], which [`Search`], [`Stats`] and [`Funnel`] are.
//!
//! Each part uses only those before it: `diagnostic`, `error`, `position`, `text`, `board`, `check`, `explain`, `format`, `help`, `inputs`, `library`,
//! `lsp`, `setup`, `events`, `options`, `pass`, `search`, `show`, `stats`, `funnel`, `why`.

pub mod board;
pub mod check;
mod diagnostic;
mod error;
mod events;
pub mod explain;
pub mod format;
mod funnel;
pub mod help;
mod inputs;
pub mod library;
pub mod lsp;
mod options;
mod pass;
pub(crate) mod position;
pub mod search;
pub mod setup;
pub mod show;
pub mod stats;
mod text;
pub mod why;

use std::io;
use std::sync::Mutex;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::lsp::Conversation;
use crate::search::on_deep_stack;
use crate::syntax::nearest;

pub use diagnostic::{Diagnostic, Edit, Elsewhere, Fix, Related, Severity};
pub use error::Error;
pub(crate) use error::parse;
pub use events::{Emit, End, Progress, WarningLine, Warnings};
pub use funnel::Funnel;
pub use inputs::{Inputs, Named};
#[cfg(feature = "mcp")]
pub(crate) use options::refused;
pub use options::{Limits, SearchOptions};
pub use pass::Pass;
pub use search::Search;
pub use show::show;
pub use stats::Stats;

/// The methods in alphabetical order, with a description of each.
pub const METHODS: [(&str, &str); 9] = [
    ("board", "Draws a position."),
    ("check", "Says what is wrong with a query, and how to mend it."),
    ("explain", "Says how a query is evaluated."),
    ("format", "Lays a query out in the style of skewer."),
    ("help", "Explains a word of the language."),
    (
        "library",
        "Lists the queries of the library, finds some by words, or shows one.",
    ),
    ("lsp", "Takes a message of the Language Server Protocol."),
    (
        "setup",
        "Makes a query of a board that is set up, and a board of a query or a position.",
    ),
    ("why", "Says why a query matches at a position, or why not."),
];

/// Answers questions. Threads may share it. Between questions it keeps the documents of one editor.
#[derive(Default)]
pub struct Service {
    conversation: Mutex<Conversation>,
}

impl Service {
    /// Answers a question.
    ///
    /// # Errors
    /// Returns an error if there is no such method, or if the question is malformed or cannot be answered.
    pub fn call(&self, method: &str, question: &str) -> Result<String, Error> {
        // Queries nest, and so do the calls that compile them.
        on_deep_stack(|| match method {
            "board" => answer(question, board::board),
            "check" => answer(question, check::check),
            "explain" => answer(question, explain::explain),
            "format" => answer(question, format::format),
            "help" => answer(question, help::help),
            "library" => answer(question, library::library),
            "lsp" => answer(question, |question: lsp::Question| {
                let messages = lsp::converse(&self.conversation, question.message)?;
                Ok(lsp::Answer { messages })
            }),
            "setup" => answer(question, setup::setup),
            "why" => answer(question, why::why),
            _ => Err(unknown(method)),
        })
        .unwrap_or_else(no_thread)
    }

    /// Handles a message of the Language Server Protocol, as `lsp` does. Returns the server's messages, one text each.
    ///
    /// # Errors
    /// Returns an error if it is not a message.
    pub fn converse(&self, message: &str) -> Result<Vec<String>, Error> {
        let message = parse(message)?;
        let messages = on_deep_stack(|| lsp::converse(&self.conversation, message)).unwrap_or_else(no_thread)?;
        Ok(messages.iter().map(ToString::to_string).collect())
    }
}

fn no_thread<T>(error: io::Error) -> Result<T, Error> {
    Err(Error::new(format!("no thread can be started: {error}")))
}

/// Parses a question and returns its serialized answer.
fn answer<Q: DeserializeOwned, A: Serialize>(
    question: &str,
    method: impl FnOnce(Q) -> Result<A, Error>,
) -> Result<String, Error> {
    serde_json::to_string(&method(parse(question)?)?).map_err(|error| Error::new(error.to_string()))
}

fn unknown(method: &str) -> Error {
    let names = METHODS.map(|(name, _)| name);
    Error {
        hint: Some(match nearest(method, names.into_iter()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("there are {}", names.join(", ")),
        }),
        ..Error::new(format!("there is no method `{method}`"))
    }
}
