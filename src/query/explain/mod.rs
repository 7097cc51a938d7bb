//! Explains queries: when and in which form their parts are evaluated, and why they have no faster form.
//!
//! Explanations are read from the typed query in its final form. Nothing is decided here.
//!
//! Each part uses only those before it: `explanation`, `forms`, `plan`.

mod explanation;
mod forms;
#[cfg(any(feature = "cli", feature = "service"))]
mod plan;

pub use explanation::{
    Explanation, Form, Hindrance, InGame, Join, Part, PathStrategy, Reach, Reading, SerialCause, Shortcut, SideEffect,
};
pub use forms::explain;
#[cfg(any(feature = "cli", feature = "service"))]
pub use plan::{ExplainedPart, Plan};
