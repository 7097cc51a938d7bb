//! Assignments to variables, and dictionaries.

pub(crate) mod assignments;
pub(crate) mod dictionaries;
