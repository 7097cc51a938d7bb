//! Evaluation: a typed query at a position of a game gives a value.
//!
//! `interpreter` has the value of each filter, and `context` is what all of them share while one game is evaluated: variables, comments,
//! messages. `prefilter` and `highlight` come before and after.

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

pub use evaluation::Evaluation;
pub use evaluator::Evaluator;
pub use files::folder::Folder;
pub use prepared::Prepared;
pub(crate) use report::out_of_memory;
pub use settings::Settings;
