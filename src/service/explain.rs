//! `explain`: says how a query is evaluated.

use serde::{Deserialize, Serialize};

use super::error::Error;
use super::text::{compile, document};
use crate::query::explain::Plan;

/// The question.
#[derive(Deserialize, Clone, Debug)]
#[cfg_attr(feature = "mcp", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// A whole query or filters alone.
    pub query: String,
}

/// The answer.
#[derive(Serialize, Clone, Debug)]
pub struct Answer {
    /// The explanation in words, as `skewer explain` prints it, in lines of any length.
    pub text: String,
    /// The explanation as an object, as `skewer explain --json` prints it.
    pub plan: Plan,
}

/// Answers a question.
///
/// # Errors
/// Returns an error if the text is not a valid query.
pub fn explain(question: Question) -> Result<Answer, Error> {
    let document = document(question.query);
    let plan = Plan::of(&compile(&document)?, document.source());
    Ok(Answer {
        text: plan.text(),
        plan,
    })
}
