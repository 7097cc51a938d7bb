//! Locks that go on after a panic elsewhere.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a value that a panic of another thread cannot leave in a bad state.
pub(crate) fn locked<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
