//! Backpressure: how much text may be between the thread that reads and the one that collects.

use std::sync::{Condvar, Mutex, PoisonError};

/// No further batch is read while more bytes of text than this are in flight. What is made of a text may take about as much
/// memory again.
const MOST_IN_FLIGHT: usize = 16 << 20;

/// A batch whose text is larger has a large game, and is not used again.
pub(super) const USUAL_BATCH: usize = 1 << 20;

/// How much text is in flight.
#[derive(Default)]
pub(super) struct InFlight {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    bytes: usize,
    /// Nobody collects any more.
    ended: bool,
}

impl InFlight {
    /// Waits until there is room for a further batch; whether someone still wants one.
    pub(super) fn wait(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |state: &mut State| state.bytes > MOST_IN_FLIGHT && !state.ended;
        let state = self.changed.wait_while(state, is_full);
        !state.unwrap_or_else(PoisonError::into_inner).ended
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }

    /// A batch of this many bytes is in flight.
    pub(super) fn add(&self, bytes: usize) {
        self.change(|state| state.bytes += bytes);
    }
}

/// Whoever collects has it, and lets those who wait go when it is gone, also by a panic.
pub(super) struct Collecting<'u>(pub(super) &'u InFlight);

impl Collecting<'_> {
    /// It is collected.
    pub(super) fn remove(&self, bytes: usize) {
        self.0.change(|state| state.bytes = state.bytes.saturating_sub(bytes));
    }
}

impl Drop for Collecting<'_> {
    fn drop(&mut self) {
        self.0.change(|state| state.ended = true);
    }
}
