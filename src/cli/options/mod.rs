//! Options that several commands share.
//!
//! Each part uses only those before it: `drawing`, `formats`, `handout`, `ids`, `limits`, `numbers`, `narrowing`, `reading`, `refusals`, `suggestions`,
//! `tablebase`, `threads`, `warnings`.

pub(super) mod drawing;
pub(super) mod formats;
pub(super) mod handout;
pub(super) mod ids;
pub(super) mod limits;
pub(super) mod narrowing;
pub(super) mod numbers;
pub(super) mod reading;
pub(super) mod refusals;
pub(super) mod suggestions;
pub(super) mod tablebase;
pub(super) mod threads;
pub(super) mod warnings;
