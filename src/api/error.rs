//! Errors for users of the library.

use std::ops::Range;
use std::{fmt, io};

use crate::chess::FenError;
use crate::pgn::InputError;
use crate::syntax::{Diagnostic, Place, Source};
use crate::terminal::{in_a_line, without_codes};
use crate::{query, search};

/// An error in a query: what is wrong, where, and what to do about it.
///
/// Its [`Display`](fmt::Display) form is one line that begins with the place, `pins.cql:2:3: …`. [`drawn`](QueryError::drawn) shows the text
/// of the query with the error underlined, and so does [`Debug`](fmt::Debug), which `unwrap` and a `main` that returns the error print.
///
/// ```
/// let error = skewer::Query::compile("cql()\nchekc").unwrap_err();
/// assert_eq!((error.line(), error.column()), (2, 1));
/// assert!(error.message().contains("chekc"));
/// assert!(error.hints().any(|hint| hint.contains("check")));
/// assert!(error.drawn().contains("^^^^^"));
/// assert!(format!("Error: {error:?}").starts_with("Error: unknown name `chekc`\n --> query:2:1\n"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct QueryError(Box<Details>);

#[derive(Clone, PartialEq, Eq, Debug)]
struct Details {
    name: String,
    place: Place,
    diagnostic: Diagnostic,
    drawn: String,
}

impl QueryError {
    /// Creates the error from a diagnostic of compiling or evaluating `source`.
    pub(super) fn new(source: &Source, options: &query::Options, error: &Diagnostic) -> QueryError {
        let (text, diagnostic) = options.text_of(source, error);
        QueryError(Box::new(Details {
            name: text.name().to_owned(),
            place: text.place(diagnostic.span.start),
            drawn: diagnostic.render(text, false),
            diagnostic,
        }))
    }

    /// Returns the line where the error begins, from 1.
    pub fn line(&self) -> usize {
        self.0.place.line
    }

    /// Returns the column where the error begins, in characters from 1.
    pub fn column(&self) -> usize {
        self.0.place.column
    }

    /// Returns the range of bytes of the text that the error is about.
    pub fn range(&self) -> Range<usize> {
        self.0.diagnostic.span.range()
    }

    /// Returns what is wrong, in one line.
    pub fn message(&self) -> &str {
        &self.0.diagnostic.message
    }

    /// Returns advice on what to do about it, one line each.
    pub fn hints(&self) -> impl Iterator<Item = &str> {
        self.0.diagnostic.hints.iter().map(String::as_str)
    }

    /// Returns the name of the text that has the error, and the diagnostic.
    pub(crate) fn diagnostic(&self) -> (&str, &Diagnostic) {
        (&self.0.name, &self.0.diagnostic)
    }

    /// Returns the whole error as text for people: several lines, with the mistake underlined, without colours and without a final line end.
    pub fn drawn(&self) -> &str {
        &self.0.drawn
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details { name, place, .. } = &*self.0;
        let name = in_a_line(name);
        write!(f, "{name}:{}:{}: {}", place.line, place.column, self.message())
    }
}

impl fmt::Debug for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // What prints it, such as `main`, has already said that it is an error.
        let drawn = self.drawn();
        f.write_str(drawn.strip_prefix("error: ").unwrap_or(drawn))
    }
}

impl std::error::Error for QueryError {}

/// Why a search cannot begin, or ends early.
///
/// Its [`Debug`](fmt::Debug) form, which a `main` that returns it prints, is the same as [`Display`](fmt::Display), except that an error of
/// the query is shown as [`QueryError::drawn`].
#[non_exhaustive]
pub enum Error {
    /// Games cannot be read, or not to their end. Mistakes in games are not errors but [warnings](super::Sink::warning). Games that a
    /// damaged database has lost are not errors either; [`Totals::unreadable`](crate::output::Totals::unreadable) counts them.
    Input {
        /// The file, folder or stream.
        name: String,
        /// What is wrong.
        error: io::Error,
    },
    /// The query asks for something that cannot be done: a loop that does not end, more memory than the limit, or a file.
    Evaluation(QueryError),
    /// A text is not the FEN of a position.
    Fen {
        /// The text.
        fen: String,
        /// What is wrong with it.
        message: String,
    },
    /// A thread cannot be started.
    Thread(io::Error),
    /// What was found cannot be written.
    Output(io::Error),
}

impl Error {
    /// Converts the error of a search for a query.
    pub(super) fn of_search(error: search::Error, source: &Source, options: &query::Options) -> Error {
        match error {
            search::Error::Run(error) => Error::of_run(error),
            search::Error::Evaluation(stop) => Error::Evaluation(QueryError::new(source, options, &stop.diagnostic)),
            search::Error::Output(error) => Error::Output(error),
        }
    }

    /// Converts the error of a run, which belongs to no single query.
    pub(super) fn of_run(error: search::RunError) -> Error {
        match error {
            search::RunError::Input { name, error } => Error::Input { name, error },
            search::RunError::Thread(error) => Error::Thread(error),
        }
    }

    pub(super) fn of_fen(fen: &str, error: &FenError) -> Error {
        Error::Fen {
            fen: fen.to_owned(),
            message: error.fault.to_string(),
        }
    }
}

impl From<InputError> for Error {
    fn from(InputError { source, error }: InputError) -> Error {
        Error::Input {
            name: source.to_string(),
            error,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Input { name, error } => write!(f, "cannot read {}: {}", in_a_line(name), words(error)),
            Error::Evaluation(error) => error.fmt(f),
            Error::Fen { fen, message } => write!(f, "`{fen}` is not a FEN: {message}"),
            Error::Thread(error) => write!(f, "cannot start a thread: {}", words(error)),
            Error::Output(error) => write!(f, "cannot write what was found: {}", words(error)),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Evaluation(error) => fmt::Debug::fmt(error, f),
            other => fmt::Display::fmt(other, f),
        }
    }
}

/// Returns the system's message without its error number.
fn words(error: &io::Error) -> String {
    without_codes(&error.to_string()).into_owned()
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Input { error, .. } | Error::Thread(error) | Error::Output(error) => Some(error),
            Error::Evaluation(error) => Some(error),
            Error::Fen { .. } => None,
        }
    }
}
