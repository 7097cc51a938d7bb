//! Options that several commands take.

pub(super) mod drawing;
pub(super) mod formats;
pub(super) mod letters;
pub(super) mod limits;
pub(super) mod mistaken;
pub(super) mod narrowing;
pub(super) mod packed;
pub(super) mod refusals;
pub(super) mod tablebase;
pub(super) mod threads;
pub(super) mod warnings;
