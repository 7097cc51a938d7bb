//! The text of batches that are on their way to whoever collects.

use std::sync::{Condvar, Mutex, PoisonError};

/// The text of batches that are on their way, in bytes, beyond which no further one is read. What is made of a text may take about as much
/// memory again.
const UNDER_WAY: usize = 16 << 20;

/// A batch whose text is larger has a large game, and is not used again.
pub(super) const USUAL_BATCH: usize = 1 << 20;

/// How much text is on its way, so that not too much is.
#[derive(Default)]
pub(super) struct UnderWay {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    bytes: usize,
    /// Nobody collects any more.
    ended: bool,
}

impl UnderWay {
    /// Waits until there is room for a further batch; whether somebody still wants one.
    pub(super) fn wait(&self) -> bool {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |state: &mut State| state.bytes > UNDER_WAY && !state.ended;
        let state = self.changed.wait_while(state, is_full);
        !state.unwrap_or_else(PoisonError::into_inner).ended
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }

    /// A batch of so many bytes is on its way.
    pub(super) fn add(&self, bytes: usize) {
        self.change(|state| state.bytes += bytes);
    }
}

/// Whoever collects has it, and lets those who wait go when it is gone, also by a panic.
pub(super) struct Collecting<'u>(pub(super) &'u UnderWay);

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
