//! Assignments to variables, and dictionaries.
//!
//! Each part uses only those before it: `assignments`, `dictionaries`.

pub(crate) mod assignments;
pub(crate) mod dictionaries;
