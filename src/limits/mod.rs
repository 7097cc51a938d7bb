//! What ends a run before its end: someone who interrupts it, a deadline, a budget of memory.
//!
//! Whoever may take long asks the [`Interrupt`], or a [`Watch`] on it, at least a few times a second; whoever keeps what a query makes holds a
//! [`Share`] of the [`Memory`] of the run that is as large.
//!
//! Each part uses only those before it: `contained`, `clock`, `interrupt`, `memory`, `watch`.

mod clock;
#[cfg(any(feature = "chessbase", feature = "database", feature = "tablebase"))]
mod contained;
mod interrupt;
mod memory;
mod watch;

#[cfg(feature = "lsp")]
pub(crate) use clock::Instant;
#[cfg(any(feature = "chessbase", feature = "database", feature = "tablebase"))]
pub(crate) use contained::contained;
pub use interrupt::{Cause, Interrupt};
pub use memory::{Memory, Share};
pub use watch::Watch;
