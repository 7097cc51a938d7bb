//! The one place where a panic is caught.
//!
//! The `parquet` crate and the decoders below it trust some bytes of a page more than they should, and panic where these are
//! damaged. [`shape`](super::shape) and [`pages`](super::pages) look at all that is cheap to look at first; what is left ends here,
//! at the edge of a column, as an error like any other. A panic of our own code stays one: nothing of it runs inside.

use std::cell::Cell;
use std::io;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use parquet::errors::ParquetError;

use super::damaged;

thread_local! {
    /// Whether panics of this thread are contained, so that nothing is printed about them.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Decodes a part of a column. What it was decoding has to be dropped after an error.
///
/// # Errors
/// When the decoder fails or panics.
pub(super) fn decode<T>(decoder: impl FnOnce() -> Result<T, ParquetError>) -> io::Result<T> {
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
    let decoded = panic::catch_unwind(AssertUnwindSafe(decoder));
    QUIET.set(false);
    match decoded {
        Ok(decoded) => decoded.map_err(|error| damaged(&error.to_string())),
        Err(_) => Err(damaged("its values cannot be decoded")),
    }
}
