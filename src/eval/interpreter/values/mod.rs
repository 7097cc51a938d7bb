//! One file for each type of value, which finds out which filter an expression is and asks its family for the value.
//!
//! Each part uses only those before it: `endgames`, `positions`, `sets`, `numbers`, `strings`, `conditions`.

pub(crate) mod conditions;
pub(crate) mod endgames;
pub(crate) mod numbers;
pub(crate) mod positions;
pub(crate) mod sets;
pub(crate) mod strings;
