//! The files that a run writes: which of them it may, and how they appear whole or not at all.
//!
//! ```text
//!  Guard (what is read, --force) ──► Permit (one output) ──► Destination ──► Unfinished (.skewer-NAME.tmp, locked) ──► rename
//! ```

mod destination;
mod guard;
mod mark;
mod results;
#[cfg(test)]
mod tests;
mod unfinished;

pub use destination::{Busy, Destination, Packing, Placed, replace_text};
pub use guard::{Guard, Permit, Refused, Role};
pub use mark::Kind;
#[cfg(feature = "cli")]
pub(crate) use mark::is_found;
pub use results::Results;
pub use unfinished::remove_unfinished;
