//! Temporary files of outputs that are not complete.
//!
//! A temporary file is in the folder of its output and has a name like it, `.skewer-NAME.tmp`. It is locked while its process lives, so two
//! runs never write the same output at once. A file that is not locked was left by a process that was killed; the next run that writes in
//! the folder removes it.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::Duration;

use tempfile::TempPath;

use crate::limits::{Interrupt, locked};
use crate::terminal::shown;

const PREFIX: &str = ".skewer-";
const SUFFIX: &str = ".tmp";

/// The longest output name, in bytes, that is used unchanged in the name of its temporary file.
const LONGEST_NAME: usize = 200;

/// The longest delay until a run notices that another run has ended, or that it is interrupted.
const PATIENCE: Duration = Duration::from_millis(50);

/// What this process knows about its temporary files. There is one for the process, as a signal ends all of it.
struct Known {
    /// The temporary files of this process. Files are created while this is locked, so none is missing.
    listed: Vec<PathBuf>,
    /// The folders from which the leftovers of killed processes have been removed.
    swept: Option<HashSet<PathBuf>>,
}

static KNOWN: Mutex<Known> = Mutex::new(Known {
    listed: Vec::new(),
    swept: None,
});

/// What to do while another run writes the same output.
#[derive(Clone, Copy)]
pub enum Busy<'i> {
    /// Return an error.
    Refuse,
    /// Wait until it has ended, or until this run is interrupted.
    Wait(&'i Interrupt),
}

/// Removes the temporary files of all incomplete outputs, for a process that ends without dropping them. As long as the returned value
/// lives, creating another one waits.
pub fn remove_unfinished() -> impl Sized {
    let known = locked(&KNOWN);
    for path in &known.listed {
        // It may just have been removed or renamed.
        let _ = fs::remove_file(path);
    }
    known
}

/// A temporary file that is removed unless it is renamed: when this is dropped, or by [`remove_unfinished`].
///
/// The `File` created with it holds the lock and should be dropped later.
pub(super) struct Unfinished {
    // Dropped in this order: the file is gone before it is taken off the list.
    temporary: TempPath,
    _listing: Listing,
}

impl Unfinished {
    /// Creates a file for an output of this name in a folder, with the permissions of any new file.
    pub(super) fn create(folder: &Path, name: &OsStr, busy: Busy<'_>) -> io::Result<(File, Unfinished)> {
        sweep(folder);
        let path = folder.join(temporary_name(name));
        loop {
            match Listing::create(&path) {
                Ok((file, listing)) => {
                    // A file system without locks also removes nothing.
                    let _ = file.lock();
                    // Another run may have removed it as a leftover before it was locked.
                    if is_at(&file, &path) {
                        let unfinished = Unfinished {
                            temporary: TempPath::try_from_path(&path)?,
                            _listing: listing,
                        };
                        return Ok((file, unfinished));
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => match (remove_leftover(&path)?, busy) {
                    (true, _) => {}
                    (false, Busy::Wait(interrupt)) => {
                        interrupt.check()?;
                        thread::sleep(PATIENCE);
                    }
                    (false, Busy::Refuse) => {
                        return Err(io::Error::new(
                            io::ErrorKind::ResourceBusy,
                            "another skewer is writing it",
                        ));
                    }
                },
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns the path of the file.
    pub(super) fn path(&self) -> &Path {
        &self.temporary
    }

    /// Gives the file its name. If `replaces` is false, no file of that name may exist. The name survives a loss of power after
    /// [`sync_folder`].
    pub(super) fn rename(self, target: &Path, replaces: bool) -> io::Result<()> {
        let _replaced = replaces.then(|| held(target));
        let named = if replaces {
            self.temporary.persist(target)
        } else {
            self.temporary.persist_noclobber(target)
        };
        named.map(drop).map_err(|error| error.error)
    }
}

/// Opens a file that is about to be replaced. The system frees the contents of a file when nobody has it open any more. That takes a while,
/// and during a renaming it would keep others from creating or renaming files in the folder.
#[cfg(unix)]
fn held(path: &Path) -> Option<File> {
    File::open(path).ok()
}

/// On other systems, a file that is open may not be replaced.
#[cfg(not(unix))]
fn held(_: &Path) -> Option<File> {
    None
}

/// Makes new names in a folder survive a loss of power, where the system can.
#[cfg(unix)]
pub(super) fn sync_folder(folder: &Path) {
    // The files have their names; some file systems cannot do more.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

#[cfg(not(unix))]
pub(super) fn sync_folder(_: &Path) {}

/// Returns the folder of a file.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Returns the name of the temporary file of an output.
fn temporary_name(name: &OsStr) -> OsString {
    let mut temporary = OsString::from(PREFIX);
    if name.len() <= LONGEST_NAME {
        temporary.push(name);
    } else {
        let shown = name.to_string_lossy();
        let checksum = crc32fast::hash(name.as_encoded_bytes());
        temporary.push(&shown[..shown.floor_char_boundary(LONGEST_NAME - 20)]);
        temporary.push(format!("-{checksum:08x}"));
    }
    temporary.push(SUFFIX);
    temporary
}

/// Removes what killed processes have left in a folder, once for each folder.
fn sweep(folder: &Path) {
    if !locked(&KNOWN)
        .swept
        .get_or_insert_default()
        .insert(folder.to_path_buf())
    {
        return;
    }
    // A folder that cannot be read is not swept. Whether it can be written to becomes clear soon.
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        if name.starts_with(PREFIX.as_bytes()) && name.ends_with(SUFFIX.as_bytes()) {
            // A leftover that cannot be removed does no harm, unless a new file needs its name; that is an error.
            let _ = remove_leftover(&entry.path());
        }
    }
}

/// Removes a temporary file if its process has ended. Returns whether it is gone.
fn remove_leftover(path: &Path) -> io::Result<bool> {
    let in_the_way = |why: &dyn std::fmt::Display| {
        let message = format!("{} is in the way: {why}", shown(path));
        io::Error::new(io::ErrorKind::AlreadyExists, message)
    };
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        Ok(metadata) if metadata.is_file() => {}
        _ => return Err(in_the_way(&"it is not a file")),
    }
    let file = match File::options().read(true).write(true).open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
        opened => opened.map_err(|error| in_the_way(&error))?,
    };
    match file.try_lock() {
        // Meanwhile it may have been renamed to its output.
        Ok(()) if !is_at(&file, path) => Ok(true),
        Ok(()) => fs::remove_file(path).map(|()| true).map_err(|error| in_the_way(&error)),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(in_the_way(&format_args!(
            "it was left by an earlier run, or another skewer is writing it ({error})"
        ))),
    }
}

/// Returns whether an open file is the one at a path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |metadata: &fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(open), Ok(named)) => place(&open) == place(&named),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// An entry in the list of temporary files.
struct Listing {
    path: PathBuf,
}

impl Listing {
    /// Creates a file that does not exist, and lists it.
    fn create(path: &Path) -> io::Result<(File, Listing)> {
        let mut known = locked(&KNOWN);
        let file = File::options().read(true).write(true).create_new(true).open(path)?;
        known.listed.push(path.to_path_buf());
        let path = path.to_path_buf();
        Ok((file, Listing { path }))
    }
}

impl Drop for Listing {
    fn drop(&mut self) {
        locked(&KNOWN).listed.retain(|path| *path != self.path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_temporary_file_is_called_after_its_output() {
        assert_eq!(temporary_name("a b.pgn".as_ref()), ".skewer-a b.pgn.tmp");
        let long = "ä".repeat(127);
        let name = temporary_name(long.as_ref());
        assert!(name.len() < 255, "{name:?}");
        assert_ne!(name, temporary_name(format!("{}b", &long[..252]).as_ref()));
    }

    #[test]
    fn what_is_left_is_removed_and_what_is_in_use_stays() {
        let folder = tempfile::tempdir().unwrap();
        let left = folder.path().join(".skewer-left.pgn.tmp");
        fs::write(&left, "half").unwrap();
        let foreign = folder.path().join(".skewer-notes.txt");
        fs::write(&foreign, "mine").unwrap();
        let (first, unfinished) = Unfinished::create(folder.path(), "a.pgn".as_ref(), Busy::Refuse).unwrap();
        assert!(!left.exists() && foreign.exists());
        let busy = Unfinished::create(folder.path(), "a.pgn".as_ref(), Busy::Refuse).map(drop);
        assert_eq!(busy.unwrap_err().kind(), io::ErrorKind::ResourceBusy);
        let over = Interrupt::after(Duration::ZERO);
        let waited = Unfinished::create(folder.path(), "a.pgn".as_ref(), Busy::Wait(&over)).map(drop);
        assert_eq!(waited.unwrap_err().kind(), io::ErrorKind::TimedOut);
        drop((unfinished, first));
        Unfinished::create(folder.path(), "a.pgn".as_ref(), Busy::Refuse)
            .map(drop)
            .unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_leftover_of_the_same_output_gives_way() {
        let folder = tempfile::tempdir().unwrap();
        sweep(folder.path());
        fs::write(folder.path().join(".skewer-a.pgn.tmp"), "half").unwrap();
        let (_file, unfinished) = Unfinished::create(folder.path(), "a.pgn".as_ref(), Busy::Refuse).unwrap();
        let target = folder.path().join("a.pgn");
        unfinished.rename(&target, false).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"");
    }
}
