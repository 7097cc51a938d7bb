//! What programs use: queries, games to search, what is found.
//!
//! All of it stands on the pipeline of [`search`](crate::search), whose items are [`FoundGame`]s here.

mod error;
mod found;
mod games;
mod narrowing;
mod options;
mod query;
mod run;
mod search;
#[cfg(test)]
mod tests;

pub use error::{Error, QueryError};
pub use found::{FoundGame, Match, SortKeyValue};
pub use games::Games;
pub use narrowing::Narrowing;
pub use options::Options;
pub use query::{Query, QueryOptions};
pub use run::{Progress, Sink, run_all};
pub use search::Search;
