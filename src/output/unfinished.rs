//! Temporary files of outputs that are not complete, none of which outlives the process.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::TempPath;

/// The temporary files of this process. A file is made while this is locked, so there is none that is not listed.
///
/// It is one list for the process, as a signal ends the whole of it.
static LISTED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the temporary files of all outputs that are not complete, for a process that ends without dropping them.
/// As long as what is returned lives, no other is made: who wants to make one waits.
pub fn remove_unfinished() -> impl Sized {
    let listed = listed();
    for path in listed.iter() {
        // It may have been removed or renamed a moment ago.
        let _ = fs::remove_file(path);
    }
    listed
}

/// A temporary file that is removed unless it gets another name: when this is dropped, or by [`remove_unfinished`].
pub(super) struct Unfinished {
    // Dropped in this order: what is not listed any more is gone.
    temporary: TempPath,
    _listing: Listing,
}

impl Unfinished {
    /// A new file in a folder, with the permissions that the system gives to any new file.
    pub(super) fn create(folder: &Path) -> io::Result<(File, Unfinished)> {
        let mut names = tempfile::Builder::new();
        let (file, temporary) = names
            .prefix(".skewer-")
            .suffix(".tmp")
            .make_in(folder, Listing::create)?
            .into_parts();
        let (file, listing) = file;
        let unfinished = Unfinished {
            temporary,
            _listing: listing,
        };
        Ok((file, unfinished))
    }

    /// Gives the file its name, which may be that of another file that it replaces.
    pub(super) fn rename(self, target: &Path) -> io::Result<()> {
        self.temporary.persist(target).map_err(|error| error.error)
    }
}

/// That a file is in the list.
struct Listing {
    path: PathBuf,
}

impl Listing {
    /// Makes and lists a file that does not exist.
    fn create(path: &Path) -> io::Result<(File, Listing)> {
        let mut listed = listed();
        let file = File::options().write(true).create_new(true).open(path)?;
        listed.push(path.to_path_buf());
        let path = path.to_path_buf();
        Ok((file, Listing { path }))
    }
}

impl Drop for Listing {
    fn drop(&mut self) {
        listed().retain(|path| *path != self.path);
    }
}

/// The list, which is whole at every moment, whatever panicked meanwhile.
fn listed() -> MutexGuard<'static, Vec<PathBuf>> {
    LISTED.lock().unwrap_or_else(PoisonError::into_inner)
}
