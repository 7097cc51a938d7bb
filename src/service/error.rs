//! Why a question has no answer.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::diagnostic::Diagnostic;

/// Why a question has no answer.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Error {
    /// What is wrong, in one line.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Where the text of a query is wrong, if that is the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<Diagnostic>,
}

/// How many bytes of a message are shown from its beginning and from its end. What lies between is a part of the question.
const SHOWN: (usize, usize) = (100, 400);

impl Error {
    /// An error with a message alone. Of one that repeats much of a question the middle is left out.
    pub fn new(message: impl Into<String>) -> Error {
        let mut message = message.into();
        let (begin, end) = SHOWN;
        if message.len() > begin + end {
            let left_out = message.floor_char_boundary(begin)..message.ceil_char_boundary(message.len() - end);
            message.replace_range(left_out, "…");
        }
        Error {
            message,
            hint: None,
            diagnostics: Vec::new(),
        }
    }

    /// The error as it is sent: `{"error": {"message": …}}`.
    pub fn to_json(&self) -> String {
        serde_json::json!({ "error": self }).to_string()
    }
}

/// Reads a question.
pub(crate) fn parse<Q: DeserializeOwned>(question: &str) -> Result<Q, Error> {
    serde_json::from_str(question).map_err(|error| Error::new(error.to_string()))
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_message_repeats_is_bounded_and_the_rest_is_shown() {
        let word = "ü".repeat(1000);
        let message = Error::new(format!("unknown field `{word}`, expected `query`")).message;
        assert!(message.starts_with("unknown field `ü"), "{message}");
        assert!(message.ends_with("ü`, expected `query`"), "{message}");
        assert_eq!(message.matches('…').count(), 1);
        assert!(message.len() <= 503, "{}", message.len());
        let whole = "ü".repeat(250);
        assert_eq!(Error::new(whole.clone()).message, whole);
    }
}
