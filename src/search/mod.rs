//! A query over many games: batches on several threads, results in the order of the input.
//!
//! Each part uses only those before it: `error`, `batch_results`, `pipeline`, `context`, `games`, `spool`, `sink`, `window`,
//! `batch_search`, `materialization`, `database`, `pgn`, `inputs`, `listener`, `options`, `collector`, `in_flight`, `worker`, `run`,
//! `by_id`, `indexing`, `log`, `tasks`, `ranking`, `text`, `memory`, `parallel`, `sample`, `match_sample`, `single`, `numbers`, `hit`,
//! `theme_games`.

mod batch_results;
mod batch_search;
#[cfg(feature = "cli")]
mod by_id;
mod collector;
mod context;
#[cfg(feature = "database")]
mod database;
mod error;
mod games;
mod hit;
mod in_flight;
#[cfg(feature = "cli")]
mod indexing;
mod inputs;
mod listener;
mod log;
mod match_sample;
mod materialization;
mod memory;
mod numbers;
mod options;
mod parallel;
mod pgn;
mod pipeline;
mod ranking;
mod run;
mod sample;
mod single;
mod sink;
mod spool;
mod tasks;
#[cfg(test)]
mod tests;
mod text;
#[cfg(feature = "cli")]
mod theme_games;
mod window;
mod worker;

#[cfg(feature = "cli")]
pub use by_id::{Id, RequestedIds, Whole};
pub use error::{Error, RunError};
pub use memory::{Printed, search_in_memory, search_sources};
pub use options::Options;
pub use pipeline::STACK_BYTES;
pub use sample::{Draw, sample};

#[cfg(feature = "cli")]
pub(crate) use by_id::search_by_id;
pub(crate) use games::{Batch, Games, ReadGames};
pub(crate) use hit::{Hit, search_game};
#[cfg(feature = "cli")]
pub(crate) use indexing::{Indexed, index};
#[cfg(feature = "database")]
pub(crate) use inputs::wanted;
pub(crate) use inputs::{InputBatch, InputGames, InputReader};
pub(crate) use listener::{Listener, NoListener};
pub(crate) use log::Log;
pub(crate) use match_sample::MatchSample;
pub(crate) use parallel::in_parallel;
pub(crate) use pipeline::on_deep_stack;
pub(crate) use run::Outcome;
pub(crate) use single::search_only;
pub(crate) use sink::{Recorder, Sink, SinkBatch};
pub(crate) use tasks::{Task, search_all, search_one};
pub(crate) use text::TextSink;
#[cfg(feature = "cli")]
pub(crate) use theme_games::rows_of_themes;
