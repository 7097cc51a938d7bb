//! Rewrites a query so that it takes less work and has the same answers.
//!
//! Each part uses only those before it: `selection`, `loop_fusion`, `lookahead`, `joins`, `simplify`, `memoize`.

mod joins;
mod lookahead;
mod loop_fusion;
pub(crate) mod memoize;
pub(crate) mod selection;
pub(crate) mod simplify;
