//! Whatever ends a run early: an interrupt, a deadline, or a memory budget.
//!
//! Code that may take long checks the [`Interrupt`], or a [`InterruptHandle`] on it, at least a few times a second. Code that keeps data made by a
//! query holds a [`Share`] of the run's [`Memory`] of the same size.
//!
//! Each part uses only those before it: `contained`, `clock`, `interrupt`, `lock`, `memory`, `watch`.

mod clock;
#[cfg(any(feature = "chessbase", feature = "database", feature = "tablebase"))]
mod contained;
mod interrupt;
mod lock;
mod memory;
mod watch;

#[cfg(feature = "lsp")]
pub(crate) use clock::Instant;
#[cfg(any(feature = "chessbase", feature = "database", feature = "tablebase"))]
pub(crate) use contained::contained;
pub use interrupt::{Cause, Interrupt};
pub(crate) use lock::locked;
pub use memory::{Memory, Share};
pub use watch::InterruptHandle;
