//! The same query, evaluated with less work.

pub(crate) mod loop_fusion;
pub(crate) mod memoize;
pub(crate) mod simplify;
