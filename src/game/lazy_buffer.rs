//! A value that is computed on first use, in the memory of the previous value.

use std::mem;
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::limits::locked;

/// A value that is computed on first use. It reuses the memory of the previous game's value.
#[derive(Debug, Default)]
pub(crate) struct LazyBuffer<T> {
    made: OnceLock<T>,
    /// The value of the last game that had one.
    last: Mutex<T>,
}

impl<T: Default> LazyBuffer<T> {
    /// Returns the value. On first use, `make` overwrites the value of an earlier game with it.
    pub(crate) fn get_or_make(&self, make: impl FnOnce(&mut T)) -> &T {
        self.made.get_or_init(|| {
            let mut value = mem::take(&mut *locked(&self.last));
            make(&mut value);
            value
        })
    }

    /// Returns whether the value was computed.
    pub(crate) fn is_made(&self) -> bool {
        self.made.get().is_some()
    }

    /// Clears the value, but keeps its memory.
    pub(crate) fn forget(&mut self) {
        if let Some(made) = self.made.take() {
            *self.last.get_mut().unwrap_or_else(PoisonError::into_inner) = made;
        }
    }
}

/// Clones only the value.
impl<T: Clone + Default> Clone for LazyBuffer<T> {
    fn clone(&self) -> LazyBuffer<T> {
        LazyBuffer {
            made: self.made.clone(),
            last: Mutex::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_made_once_for_each_game_of_the_memory_of_the_last() {
        let mut squares: LazyBuffer<Vec<u8>> = LazyBuffer::default();
        let made = |squares: &LazyBuffer<Vec<u8>>, value: u8| {
            let value = squares.get_or_make(|squares| {
                squares.clear();
                squares.push(value);
            });
            (value.clone(), value.as_ptr())
        };
        assert!(!squares.is_made());
        let (first, memory) = made(&squares, 1);
        assert!(squares.is_made());
        assert_eq!((first, made(&squares, 2).0), (vec![1], vec![1]));
        assert_eq!(made(&squares.clone(), 2).0, [1]);
        squares.forget();
        assert!(!squares.is_made());
        assert_eq!(made(&squares, 3), (vec![3], memory));
    }
}
