//! Whatever ends a run early: an interrupt, a deadline, or a memory budget.
//!
//! Code that may take long checks the [`Interrupt`], or a [`InterruptHandle`] on it, at least a few times a second. Code that keeps data made by a
//! query holds a [`Share`] of the run's [`Memory`] of the same size.
//!
//! Each part uses only those before it: `contained`, `clock`, `interrupt`, `lock`, `memory`, `watch`.

mod clock;
mod contained;
mod interrupt;
mod lock;
mod memory;
mod watch;

pub(crate) use clock::Instant;
pub(crate) use contained::contained;
pub use interrupt::{Cause, Interrupt};
pub(crate) use lock::locked;
pub use memory::{Memory, Share};
pub use watch::InterruptHandle;
