//! Evaluation: a typed query at a position of a game gives a value.
//!
//! `interpreter` evaluates filters at a position, `context` is the state that they share while a game is evaluated, and `state` holds the parts of
//! that state. `prefilter` selects the positions worth evaluating. `highlight` finds the squares and moves that made a match.
//!
//! Each part uses only those before it: `lineage`, `columns`, `files`, `format`, `report`, `trace`, `state`, `settings`, `prefilter`, `prepared`,
//! `context`, `interpreter`, `highlight`, `evaluator`, `evaluation`, `tracing`.

mod columns;
mod context;
mod evaluation;
mod evaluator;
mod files;
mod format;
mod highlight;
mod interpreter;
mod lineage;
mod prefilter;
mod prepared;
pub mod report;
mod settings;
mod state;
mod trace;
mod tracing;

pub use evaluation::Evaluation;
pub use evaluator::Evaluator;
pub use files::folder::Folder;
pub use prepared::Prepared;
pub(crate) use report::out_of_memory;
pub use settings::Settings;
pub(crate) use trace::{Trace, TraceEvent};
pub(crate) use tracing::{Traced, trace};
