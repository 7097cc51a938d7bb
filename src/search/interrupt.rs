//! Ending a search early from outside.

use std::sync::atomic::{AtomicBool, Ordering};

/// A wish that a search ends soon with what it has found, mostly raised by a signal.
#[derive(Debug, Default)]
pub struct Interrupt {
    raised: AtomicBool,
    heeded: AtomicBool,
}

impl Interrupt {
    /// Asks the search to end. Returns whether it had been asked before.
    pub fn raise(&self) -> bool {
        self.raised.swap(true, Ordering::Relaxed)
    }

    /// Whether a search ended because of it, so that not all games were looked at.
    pub fn was_heeded(&self) -> bool {
        self.heeded.load(Ordering::Relaxed)
    }

    /// Whether somebody wants the run to end.
    pub fn is_raised(&self) -> bool {
        self.raised.load(Ordering::Relaxed)
    }

    pub(super) fn heed(&self) {
        self.heeded.store(true, Ordering::Relaxed);
    }
}
