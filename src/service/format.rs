//! `format`: formats a query in the style of skewer.

use serde::{Deserialize, Serialize};

use super::error::Error;
use super::text::{document, no_query};
use crate::query;
use crate::syntax::format::{Spelling, format as lay_out};

/// The question.
#[derive(Deserialize, Clone, Debug)]
#[cfg_attr(feature = "mcp", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// A whole query or filters alone.
    pub query: String,
    /// In which spelling signs are written: as they are, unless it is given.
    #[serde(default)]
    pub spelling: Spelling,
}

/// The answer.
#[derive(Serialize, Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The query in the style of skewer.
    pub query: String,
}

/// Answers a question.
///
/// # Errors
/// Returns an error if the text is not a valid query.
pub fn format(question: Question) -> Result<Answer, Error> {
    let document = document(question.query);
    let formatted = query::outline(document.source(), &document.options())
        .and_then(|outline| lay_out(document.source(), &outline, question.spelling))
        .map_err(|error| no_query(&document, &error))?;
    Ok(Answer {
        query: String::from_utf8_lossy(&formatted).into_owned(),
    })
}
