//! What programs use: queries, games to search, and what a search finds.
//!
//! Everything here is built on the pipeline of [`search`](crate::search), whose items are [`FoundGame`]s here.
//!
//! Each part uses only those before it: `error`, `options`, `narrowing`, `sort_key`, `query`, `columns`, `found`, `games`, `picture`,
//! `run`, `counts`, `search`, `single_game`, `text`, `why`, `library`.

#[cfg(feature = "database")]
mod columns;
#[cfg(feature = "cli")]
mod counts;
mod error;
mod found;
mod games;
#[cfg(feature = "library")]
mod library;
mod narrowing;
mod options;
mod picture;
mod query;
mod run;
mod search;
mod single_game;
mod sort_key;
#[cfg(test)]
mod tests;
mod text;
mod why;

#[cfg(feature = "database")]
pub use columns::{columns_read, row_groups, spark_condition};
#[cfg(feature = "cli")]
pub use counts::{CountError, CountOptions, Counts, PartCounts};
pub use error::{Error, QueryError};
pub use found::{FoundGame, Match};
pub use games::Games;
pub(crate) use games::game_of_fen;
pub use narrowing::Narrowing;
pub use options::Options;
pub use query::{Query, QueryOptions};
pub(crate) use run::run_sinks;
pub use run::{Progress, Sink, run_all};
pub use search::Search;
pub use sort_key::{SortKey, SortKeyValue};
pub use text::TextFormat;
