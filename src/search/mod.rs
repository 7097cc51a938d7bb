//! A query over many games: batches on several threads, results in the order of the input.
//!
//! Each part uses only those before it: `error`, `games`, `way`, `database`, `pgn`, `inputs`, `listener`, `options`, `findings`, `spool`,
//! `sink`, `collector`, `pipeline`, `terms`, `window`, `visit`, `examiner`, `under_way`, `run`, `chosen`, `indexing`, `log`, `tasks`,
//! `ranking`, `text`, `memory`, `parallel`, `sample`, `single`.

#[cfg(feature = "cli")]
mod chosen;
mod collector;
#[cfg(feature = "database")]
mod database;
mod error;
mod examiner;
mod findings;
mod games;
#[cfg(feature = "cli")]
mod indexing;
mod inputs;
mod listener;
mod log;
mod memory;
mod options;
#[cfg(feature = "cli")]
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
mod terms;
#[cfg(test)]
mod tests;
mod text;
mod under_way;
mod visit;
mod way;
mod window;

#[cfg(feature = "cli")]
pub use chosen::{Chosen, Id, Whole};
pub use error::{Error, RunError};
pub use memory::{Printed, search_in_memory, search_sources};
pub use options::Options;
pub use pipeline::STACK_BYTES;
pub use sample::{Draw, sample};

#[cfg(feature = "cli")]
pub(crate) use chosen::search_chosen;
#[cfg(feature = "cli")]
pub(crate) use games::{Batch, Games, ReadGames};
#[cfg(feature = "cli")]
pub(crate) use indexing::{Indexed, index};
#[cfg(feature = "database")]
pub(crate) use inputs::wanted;
#[cfg(feature = "cli")]
pub(crate) use inputs::{InputBatch, InputGames, InputReader};
pub(crate) use listener::Listener;
pub(crate) use log::Log;
#[cfg(feature = "cli")]
pub(crate) use parallel::in_parallel;
pub(crate) use pipeline::on_deep_stack;
pub(crate) use run::Outcome;
pub(crate) use single::search_only;
pub(crate) use sink::{Harvest, Recorder, Sink};
pub(crate) use tasks::{Task, search_all, search_one};
pub(crate) use text::TextSink;
