//! Where games come from: files, folders, archives, streams.
//!
//! Each part uses only those before it: `file_kinds`, `interruptible`, `utf16`, `packed`, `part`, `source`.

mod file_kinds;
mod interruptible;
mod packed;
mod part;
mod source;
mod utf16;

pub use file_kinds::{DATABASE, holds_games};
pub(crate) use part::Part;
pub use source::{Batches, Input, InputError, Source};
