//! The error that a question may have instead of an answer.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::diagnostic::{Diagnostic, shortened};

/// The reason why a question has no answer.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Error {
    /// What is wrong, in one line.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The errors in the text of a query, if they are the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Diagnostic>,
}

impl Error {
    /// Creates an error with only a message. If it is long, because it repeats the question, its middle is left out.
    pub fn new(message: impl Into<String>) -> Error {
        Error {
            message: shortened(message.into()),
            hint: None,
            diagnostics: Vec::new(),
        }
    }

    /// Returns the error as it is sent: `{"error": {"message": …}}`.
    pub fn to_json(&self) -> String {
        serde_json::json!({ "error": self }).to_string()
    }
}

/// Parses a question.
pub(crate) fn parse<Q: DeserializeOwned>(question: &str) -> Result<Q, Error> {
    serde_json::from_str(question).map_err(|error| Error::new(error.to_string()))
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}
