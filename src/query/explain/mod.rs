//! The plan of a query, for people: which of its parts are evaluated when, in which form, and what keeps them from a
//! faster one.
//!
//! Everything is read off the typed query, as the evaluation finds it there; nothing is decided here.
//!
//! Each part uses only those before it: `explanation`, `forms`, `plan`.

mod explanation;
mod forms;
#[cfg(any(feature = "cli", feature = "service"))]
mod plan;

pub use explanation::{
    Deed, Explanation, Form, Hindrance, InGame, Join, Part, Reach, Reading, SerialCause, Shortcut, Ways,
};
pub use forms::explain;
#[cfg(any(feature = "cli", feature = "service"))]
pub use plan::{ExplainedPart, Plan};
