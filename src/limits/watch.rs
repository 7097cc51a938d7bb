//! What those ask who work on something for long.

use std::io;
use std::sync::Arc;

use super::Interrupt;

/// Whoever goes through something step by step asks after this many of them. A power of two.
const STEPS: usize = 1 << 12;

/// A look at the interrupt of the run for which something is made: games carry it, so that whoever works on a long one can give
/// it up. Without a run nothing is given up.
#[derive(Debug, Default)]
pub struct Watch(Option<Arc<Interrupt>>);

impl Watch {
    /// A look at this interrupt.
    pub fn of(interrupt: &Arc<Interrupt>) -> Watch {
        Watch(Some(Arc::clone(interrupt)))
    }

    /// Whether the run shall end.
    pub fn is_over(&self) -> bool {
        self.0.as_ref().is_some_and(|interrupt| interrupt.is_raised())
    }

    /// The same, asked at some steps only, by their numbers.
    #[inline]
    pub fn is_over_at(&self, step: usize) -> bool {
        step.is_multiple_of(STEPS) && self.is_over()
    }

    /// Continues unless the run shall end.
    ///
    /// # Errors
    /// Those of [`Interrupt::check`].
    pub fn check(&self) -> io::Result<()> {
        self.0.as_ref().map_or(Ok(()), |interrupt| interrupt.check())
    }
}

impl Clone for Watch {
    fn clone(&self) -> Watch {
        Watch(self.0.clone())
    }

    /// Costs nothing if it is the same interrupt already.
    fn clone_from(&mut self, other: &Watch) {
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

/// Games are the same whoever waits for them.
impl PartialEq for Watch {
    fn eq(&self, _: &Watch) -> bool {
        true
    }
}

impl Eq for Watch {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_over_when_the_interrupt_is_raised() {
        let interrupt = Arc::default();
        let mut watch = Watch::default();
        watch.clone_from(&Watch::of(&interrupt));
        assert!(!watch.is_over() && watch.check().is_ok());
        interrupt.raise();
        assert!(watch.is_over() && watch.check().is_err());
        assert!(watch.is_over_at(0) && watch.is_over_at(STEPS) && !watch.is_over_at(STEPS + 1));
        assert!(!Watch::default().is_over());
    }
}
