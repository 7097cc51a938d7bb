//! Ends a run early from outside.

use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use super::clock::{HAS_CLOCK, Instant};

/// The time that a run may take to end after it was asked to: to sort, lay out or copy its results.
const GRACE: Duration = Duration::from_millis(250);

/// The time between two checks of an interrupt while waiting for something else.
const POLL: Duration = Duration::from_millis(50);

/// A request that a run end soon with the results so far, raised by someone, usually a signal, or by a deadline.
#[derive(Debug, Default)]
pub struct Interrupt {
    raised: AtomicBool,
    raised_at: OnceLock<Instant>,
    acknowledged: AtomicBool,
    cut: AtomicBool,
    deadline: Option<Instant>,
}

/// Why a run ends early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// Someone asked for it.
    Raised,
    /// Its time is over.
    Deadline,
}

impl Interrupt {
    /// Creates an interrupt that raises itself after this time.
    ///
    /// `wasm32-unknown-unknown` has no clock, so this function is missing there without the feature `service`. Raise the interrupt from outside.
    #[cfg(any(not(all(target_family = "wasm", target_os = "unknown")), feature = "service"))]
    pub fn after(timeout: Duration) -> Interrupt {
        Interrupt {
            // A time that is too long means no deadline.
            deadline: Instant::now().checked_add(timeout),
            ..Interrupt::default()
        }
    }

    /// Asks the run to end. Returns whether it had been asked before.
    pub fn raise(&self) -> bool {
        if HAS_CLOCK {
            self.raised_at.get_or_init(Instant::now);
        }
        self.raised.swap(true, Ordering::Relaxed)
    }

    /// Returns whether the run should end.
    pub fn is_raised(&self) -> bool {
        self.cause().is_some()
    }

    /// Returns why the run should end, if it should.
    pub fn cause(&self) -> Option<Cause> {
        if self.raised.load(Ordering::Relaxed) {
            return Some(Cause::Raised);
        }
        let is_over = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        is_over.then_some(Cause::Deadline)
    }

    /// Returns whether the run should have ended by now, so that no more results are written.
    pub fn is_overdue(&self) -> bool {
        let raised = self.raised_at.get().or(self.deadline.as_ref());
        raised.is_some_and(|raised| raised.elapsed() >= GRACE)
    }

    /// Returns whether the rest of the results is left out because the run is [overdue](Interrupt::is_overdue), and notes that.
    pub(crate) fn cuts_off(&self) -> bool {
        let cuts = self.is_overdue();
        if cuts {
            self.acknowledge();
            self.cut.store(true, Ordering::Relaxed);
        }
        cuts
    }

    /// Returns whether some results were not written.
    pub fn has_cut(&self) -> bool {
        self.cut.load(Ordering::Relaxed)
    }

    /// Notes that a run has ended because of this interrupt.
    pub fn acknowledge(&self) {
        self.acknowledged.store(true, Ordering::Relaxed);
    }

    /// Returns whether a run ended because of this interrupt, so that not all games were searched.
    pub fn was_acknowledged(&self) -> bool {
        self.acknowledged.load(Ordering::Relaxed)
    }

    /// Returns an error if the interrupt is raised.
    ///
    /// # Errors
    /// The error says why reading or writing ended.
    pub fn check(&self) -> io::Result<()> {
        match self.cause() {
            None => Ok(()),
            Some(Cause::Raised) => Err(io::Error::other("interrupted")),
            Some(Cause::Deadline) => Err(io::Error::new(io::ErrorKind::TimedOut, "the time is up")),
        }
    }

    /// Runs an operation that may block forever, such as opening a named pipe, on a thread of its own. The thread is abandoned
    /// if the run should end first.
    ///
    /// # Errors
    /// Returns the errors of [`check`](Interrupt::check), or an error if the thread cannot be started.
    pub fn wait_for<T: Send + 'static>(&self, blocks: impl FnOnce() -> T + Send + 'static) -> io::Result<T> {
        let (sender, receiver) = sync_channel(1);
        thread::Builder::new().spawn(move || sender.send(blocks()))?;
        self.receive(&receiver)?
            .ok_or_else(|| io::Error::other("a thread has ended early"))
    }

    /// Waits for a message from another thread. Returns `None` if the sender is gone.
    ///
    /// # Errors
    /// Returns the errors of [`check`](Interrupt::check).
    pub(crate) fn receive<T>(&self, receiver: &Receiver<T>) -> io::Result<Option<T>> {
        loop {
            self.check()?;
            match receiver.recv_timeout(POLL) {
                Ok(received) => return Ok(Some(received)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_has_some_time() {
        let interrupt = Interrupt::default();
        assert!(!interrupt.is_overdue());
        interrupt.raise();
        std::thread::sleep(GRACE);
        assert!(interrupt.is_overdue());
        assert!(!Interrupt::after(Duration::from_secs(3600)).is_overdue());
    }

    #[test]
    fn what_blocks_is_waited_for_until_the_end() {
        assert_eq!(Interrupt::default().wait_for(|| 1).ok(), Some(1));
        let error = Interrupt::after(Duration::from_millis(10)).wait_for(|| thread::sleep(Duration::MAX));
        assert_eq!(error.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[test]
    fn somebody_or_the_time_raises_it() {
        let interrupt = Interrupt::after(Duration::from_secs(3600));
        assert_eq!(interrupt.cause(), None);
        assert!(!interrupt.raise());
        assert!(interrupt.raise());
        assert_eq!(interrupt.cause(), Some(Cause::Raised));
        assert!(interrupt.check().is_err());
        assert_eq!(Interrupt::after(Duration::ZERO).cause(), Some(Cause::Deadline));
        assert_eq!(Interrupt::after(Duration::MAX).cause(), None);
    }
}
