//! Evaluation: a typed query at a position of a game gives a value.
//!
//! `interpreter` has the value of each filter, and `context` is what all of them share while one game is evaluated: variables, comments,
//! messages. `prefilter` and `highlight` come before and after.

mod columns;
mod context;
mod evaluator;
mod files;
mod highlight;
mod interpreter;
mod prefilter;
mod prepared;
pub mod report;
mod settings;
mod state;

pub(crate) use context::budget::out_of_memory;
pub use evaluator::Evaluator;
pub use files::folder::Folder;
pub use prepared::Prepared;
pub use settings::{Evaluation, Settings};
