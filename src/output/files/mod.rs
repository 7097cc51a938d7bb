//! The files that a run writes: which of them it may write, and how they appear completely or not at all.
//!
//! ```text
//!  Guard (what is read, --force) ──► Permit (one output) ──► Destination ──► Unfinished (.skewer-NAME.tmp, locked) ──► rename
//! ```
//!
//! Each part uses only those before it: `mark`, `unfinished`, `guard`, `new_file`, `spool`, `destination`, `results`.

mod destination;
mod guard;
mod mark;
mod new_file;
mod results;
mod spool;
#[cfg(test)]
mod tests;
mod unfinished;

pub use destination::{Destination, Packing, replace_text};
pub use guard::{Guard, Permit, Refused, Role};
pub use mark::Kind;
pub(crate) use mark::is_found;
pub use new_file::Placed;
pub use results::Results;
pub use unfinished::{Busy, remove_unfinished};
