//! A call of a tool that is being answered.

use std::sync::{Arc, Mutex};

use tokio::sync::watch;

use crate::limits::{Interrupt, locked};

/// The progress of an answer.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Progress {
    /// Games that have been looked at.
    pub(super) games: u64,
    /// Games that match.
    pub(super) matched: u64,
    /// The share of the input that has been read, from 0 to 1, if its length is known.
    pub(super) share: Option<f64>,
}

/// A call that is being answered. The client may cancel it, and is informed of its progress.
pub(super) struct Call {
    state: Mutex<State>,
    progress: watch::Sender<Option<Progress>>,
}

/// The state of the work.
enum State {
    /// Long work has not begun, and may never begin.
    Waiting,
    Running(Arc<Interrupt>),
    Cancelled,
}

impl Call {
    /// Creates a call, and the receiver of its progress.
    pub(super) fn new() -> (Arc<Call>, watch::Receiver<Option<Progress>>) {
        let (progress, heard) = watch::channel(None);
        let call = Call {
            state: Mutex::new(State::Waiting),
            progress,
        };
        (Arc::new(call), heard)
    }

    /// Registers the interrupt of work that begins now.
    pub(super) fn begin(&self, interrupt: &Arc<Interrupt>) {
        let mut state = locked(&self.state);
        match *state {
            State::Cancelled => drop(interrupt.raise()),
            State::Waiting | State::Running(_) => *state = State::Running(Arc::clone(interrupt)),
        }
    }

    /// Ends the work, now or when it begins, because the call was cancelled.
    pub(super) fn cancel(&self) {
        let mut state = locked(&self.state);
        if let State::Running(interrupt) = &*state {
            interrupt.raise();
        }
        *state = State::Cancelled;
    }

    /// Reports progress.
    pub(super) fn advance(&self, progress: Progress) {
        self.progress.send_replace(Some(progress));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_cancelled_before_and_while_it_is_worked_on() {
        let (call, _heard) = Call::new();
        let interrupt = Arc::new(Interrupt::default());
        call.begin(&interrupt);
        assert!(!interrupt.is_raised());
        call.cancel();
        assert!(interrupt.is_raised());
        let late = Arc::new(Interrupt::default());
        call.begin(&late);
        assert!(late.is_raised());
    }
}
