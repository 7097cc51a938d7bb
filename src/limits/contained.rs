//! The only place where a panic is caught.
//!
//! Certain crates trust the bytes of a file too much, and panic if these are damaged: `parquet` and the decoders below it,
//! and `shakmaty-syzygy`. Callers first check everything that is cheap to check. Remaining panics are caught here and become ordinary
//! errors. A panic of our own code is never caught, since none of it runs inside.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// Whether panics of this thread are contained, so that nothing is printed about them.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// A panic in code that reads bytes which may be damaged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Panicked;

/// Runs code that reads bytes which may be damaged. After an error, the data being read must be dropped, or still be valid.
///
/// # Errors
/// Returns an error if it panics.
pub(crate) fn contained<T>(reads: impl FnOnce() -> T) -> Result<T, Panicked> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !QUIET.get() {
                hook(info);
            }
        }));
    });
    QUIET.set(true);
    let read = panic::catch_unwind(AssertUnwindSafe(reads));
    QUIET.set(false);
    read.map_err(|_| Panicked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_and_the_next_call_runs() {
        let nothing = Vec::<u8>::new();
        assert_eq!(contained(|| nothing[0]), Err(Panicked));
        assert_eq!(contained(|| 1), Ok(1));
    }
}
