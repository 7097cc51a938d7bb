//! Options that several commands take.

pub(super) mod drawing;
pub(super) mod formats;
pub(super) mod limits;
pub(super) mod mistaken;
pub(super) mod narrowing;
pub(super) mod reading;
pub(super) mod refusals;
pub(super) mod tablebase;
pub(super) mod threads;
pub(super) mod warnings;
