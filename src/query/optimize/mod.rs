//! The same query, evaluated with less work.

mod imagined_moves;
mod joins;
mod loop_fusion;
pub(crate) mod memoize;
pub(crate) mod selection;
pub(crate) mod simplify;
