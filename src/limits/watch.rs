//! Lets long-running code check whether to stop.

use std::io;
use std::sync::Arc;

use super::Interrupt;

/// The number of steps between two checks. A power of two.
const STEPS: usize = 1 << 12;

/// A view of the interrupt of a run. Games carry it, so that work on a long game can be given up.
/// Without a run, work is never given up.
#[derive(Debug, Default)]
pub struct InterruptHandle(Option<Arc<Interrupt>>);

impl InterruptHandle {
    /// Creates a view of this interrupt.
    pub fn of(interrupt: &Arc<Interrupt>) -> InterruptHandle {
        InterruptHandle(Some(Arc::clone(interrupt)))
    }

    /// Returns whether the run should end.
    pub fn is_over(&self) -> bool {
        self.0.as_ref().is_some_and(|interrupt| interrupt.is_raised())
    }

    /// Returns the same, but only checks at certain step numbers.
    #[inline]
    pub fn is_over_at(&self, step: usize) -> bool {
        step.is_multiple_of(STEPS) && self.is_over()
    }

    /// Returns an error if the run should end.
    ///
    /// # Errors
    /// Returns the errors of [`Interrupt::check`].
    pub fn check(&self) -> io::Result<()> {
        self.0.as_ref().map_or(Ok(()), |interrupt| interrupt.check())
    }
}

impl Clone for InterruptHandle {
    fn clone(&self) -> InterruptHandle {
        InterruptHandle(self.0.clone())
    }

    /// Costs nothing if both already have the same interrupt.
    fn clone_from(&mut self, other: &InterruptHandle) {
        let is_same = match (&self.0, &other.0) {
            (Some(own), Some(other)) => Arc::ptr_eq(own, other),
            (None, None) => true,
            _ => false,
        };
        if !is_same {
            self.0.clone_from(&other.0);
        }
    }
}

/// Watches do not count when games are compared.
impl PartialEq for InterruptHandle {
    fn eq(&self, _: &InterruptHandle) -> bool {
        true
    }
}

impl Eq for InterruptHandle {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_over_when_the_interrupt_is_raised() {
        let interrupt = Arc::default();
        let mut watch = InterruptHandle::default();
        watch.clone_from(&InterruptHandle::of(&interrupt));
        assert!(!watch.is_over() && watch.check().is_ok());
        interrupt.raise();
        assert!(watch.is_over() && watch.check().is_err());
        assert!(watch.is_over_at(0) && watch.is_over_at(STEPS) && !watch.is_over_at(STEPS + 1));
        assert!(!InterruptHandle::default().is_over());
    }
}
