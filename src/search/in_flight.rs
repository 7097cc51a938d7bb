//! Backpressure: limits the text between the thread that reads and the one that collects.

use std::sync::{Condvar, Mutex, PoisonError};

use crate::limits::locked;

/// The bytes of text in flight above which no further batch is read. The results for a text may take about as much memory again.
const MOST_IN_FLIGHT: usize = 16 << 20;

/// The largest text of a batch that is used again. A larger one contains a large game.
pub(super) const USUAL_BATCH: usize = 1 << 20;

/// The amount of text in flight.
#[derive(Default)]
pub(super) struct InFlight {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    bytes: usize,
    /// Whether collecting has ended.
    ended: bool,
}

impl InFlight {
    /// Waits until there is room for another batch. Returns whether one is still wanted.
    pub(super) fn wait(&self) -> bool {
        let state = locked(&self.state);
        let is_full = |state: &mut State| state.bytes > MOST_IN_FLIGHT && !state.ended;
        let state = self.changed.wait_while(state, is_full);
        !state.unwrap_or_else(PoisonError::into_inner).ended
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut locked(&self.state));
        self.changed.notify_all();
    }

    /// Adds a batch of this many bytes.
    pub(super) fn add(&self, bytes: usize) {
        self.change(|state| state.bytes += bytes);
    }
}

/// A guard for the thread that collects. When it is dropped, even by a panic, it releases the threads that wait.
pub(super) struct Collecting<'u>(pub(super) &'u InFlight);

impl Collecting<'_> {
    /// Removes a batch of this many bytes, which has been collected.
    pub(super) fn remove(&self, bytes: usize) {
        self.0.change(|state| state.bytes = state.bytes.saturating_sub(bytes));
    }
}

impl Drop for Collecting<'_> {
    fn drop(&mut self) {
        self.0.change(|state| state.ended = true);
    }
}
