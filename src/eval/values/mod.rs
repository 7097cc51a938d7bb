//! One file for each type of value: each finds the filter that an expression is and asks its family for the value.

pub(super) mod conditions;
pub(super) mod endgames;
pub(super) mod numbers;
pub(super) mod positions;
pub(super) mod sets;
pub(super) mod strings;
