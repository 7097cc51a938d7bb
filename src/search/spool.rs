//! Where text waits for the end of a run.

use std::{env, io};

use crate::output::SpoolSpace;
use crate::terminal::shown;

/// The text of all searches of a run that may be in memory. The rest is on disk.
const SPOOL_BYTES: usize = 32 << 20;
/// The part of it that all searches together may hold back from the file.
const BUFFER_BYTES: usize = 8 << 20;
/// The most that one search may hold back.
const MOST_BUFFER: usize = 1 << 16;

/// Creates the space for this many searches: in memory while it is small, then on disk.
pub(super) fn space(searches: usize) -> SpoolSpace {
    #[cfg(feature = "files")]
    let store = tempfile::SpooledTempFile::new(SPOOL_BYTES);
    #[cfg(not(feature = "files"))]
    let store = io::Cursor::new(Vec::new());
    SpoolSpace::new(store, (BUFFER_BYTES / searches.max(1)).min(MOST_BUFFER), unspooled)
}

/// Adds the folder of temporary files to a write error.
fn unspooled(error: io::Error) -> io::Error {
    let folder = env::temp_dir();
    let message = format!(
        "what waits for the end cannot be kept in the folder for temporary files, {} (TMPDIR): {error}",
        shown(&folder)
    );
    io::Error::new(error.kind(), message)
}
