//! A memory budget shared by all parts of a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The default budget in bytes.
const DEFAULT_BYTES: usize = 2 << 30;

/// The unit by which shares grow and shrink, in bytes, so that the budget is seldom accessed.
const STEP: usize = 256 << 10;

/// The size in bytes up to which a share is small.
const SMALL: usize = 4 * STEP;

/// One in this many bytes of a budget is reserved for small shares, so that a part that takes too much is refused before the others have no memory
/// left.
const KEPT_FOR_SMALL: usize = 8;

/// The memory that data made by the queries of a run may take together: strings, dictionaries, messages, comments, sort keys, values
/// remembered for a game, and output waiting to be written.
///
/// It is counted roughly, where the data grows. Games, and buffers that do not depend on the query, are not counted. An eighth is reserved for shares
/// of up to a megabyte.
#[derive(Debug)]
pub struct Memory {
    limit: usize,
    taken: AtomicUsize,
}

/// The part of a [`Memory`] that one part of a run holds. It is returned when the share is dropped.
#[derive(Debug, Default)]
pub struct Share {
    /// Without a memory, the share can hold nothing.
    memory: Option<Arc<Memory>>,
    held: usize,
}

impl Memory {
    /// Creates a budget of this many bytes.
    pub fn new(bytes: usize) -> Memory {
        Memory {
            limit: bytes,
            taken: AtomicUsize::new(0),
        }
    }

    /// Returns the size of the budget in bytes.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Takes more bytes for a share that already holds `held`. Returns whether they are available.
    fn take(&self, bytes: usize, held: usize) -> bool {
        let is_small = held.saturating_add(bytes) <= SMALL;
        let kept = if is_small { 0 } else { self.limit / KEPT_FOR_SMALL };
        let within = |taken: usize| taken.checked_add(bytes).filter(|sum| *sum <= self.limit - kept);
        self.taken
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, within)
            .is_ok()
    }

    fn give_back(&self, bytes: usize) {
        self.taken.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl Default for Memory {
    fn default() -> Memory {
        Memory::new(DEFAULT_BYTES)
    }
}

impl Share {
    /// Creates an empty share.
    pub fn of(memory: &Arc<Memory>) -> Share {
        Share {
            memory: Some(Arc::clone(memory)),
            held: 0,
        }
    }

    /// Makes it a share of this memory, unless it already has one.
    pub fn move_to(&mut self, memory: &Arc<Memory>) {
        self.memory.get_or_insert_with(|| Arc::clone(memory));
    }

    /// Creates an empty share of the same memory.
    #[must_use]
    pub fn another(&self) -> Share {
        Share {
            memory: self.memory.clone(),
            held: 0,
        }
    }

    /// Returns how many bytes all shares together may have.
    pub fn limit(&self) -> usize {
        self.memory.as_ref().map_or(0, |memory| memory.limit())
    }

    /// Returns whether it already has this many bytes.
    #[inline]
    pub fn covers(&self, bytes: usize) -> bool {
        bytes <= self.held
    }

    /// Grows the share to at least this many bytes, or shrinks it if it is much too large. Returns whether that was possible.
    pub fn resize(&mut self, bytes: usize) -> bool {
        let Some(memory) = &self.memory else {
            return bytes == 0;
        };
        let rounded = bytes.checked_next_multiple_of(STEP).unwrap_or(bytes);
        if bytes > self.held {
            // Near the limit, there may be no room for a whole step.
            for size in [rounded, bytes] {
                if memory.take(size - self.held, self.held) {
                    self.held = size;
                    return true;
                }
            }
            return false;
        }
        if self.held - bytes > 2 * STEP {
            memory.give_back(self.held - rounded);
            self.held = rounded;
        }
        true
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        if let Some(memory) = &self.memory {
            memory.give_back(self.held);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_the_memory_together() {
        let memory = Arc::new(Memory::new(24 * STEP + 16));
        let (mut first, mut second) = (Share::of(&memory), Share::of(&memory));
        assert!(first.resize(15 * STEP));
        assert!(first.covers(15 * STEP));
        assert!(!second.resize(6 * STEP + 15));
        assert!(second.resize(6 * STEP + 14), "what is left, to the byte");
        assert!(first.resize(1));
        assert!(
            first.covers(STEP) && !first.covers(STEP + 1),
            "what is not needed goes back"
        );
        assert!(second.resize(20 * STEP));
        drop((first, second));
        assert_eq!(memory.taken.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn small_shares_have_room_beside_one_that_takes_too_much() {
        let memory = Arc::new(Memory::new(16 * STEP));
        let [mut large, mut small, mut last] = [(); 3].map(|()| Share::of(&memory));
        assert!(large.resize(14 * STEP));
        assert!(!large.resize(14 * STEP + 1));
        assert!(small.resize(STEP + 1));
        assert!(!last.resize(1), "the step of the other is the last one");
        drop(small);
        assert!(last.resize(2 * STEP));
        assert!(!last.resize(SMALL + 1), "it is no longer small");
    }

    #[test]
    fn a_share_of_nothing_holds_nothing() {
        assert!(!Share::default().resize(1));
        assert!(Share::default().resize(0));
        assert!(!Share::of(&Arc::default()).resize(usize::MAX));
    }
}
