//! Temporary files of outputs that are not complete.
//!
//! A temporary file stands in the folder of its output and is called after it, `.skewer-NAME.tmp`. As long as its process
//! lives it is locked, so two runs never write the same output at once, and what is not locked was left by a process that was
//! killed: the next run that writes in the folder removes it.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tempfile::TempPath;

use crate::limits::Interrupt;
use crate::terminal::shown;

const PREFIX: &str = ".skewer-";
const SUFFIX: &str = ".tmp";

/// The longest name of an output, in bytes, that is part of the name of its temporary file as it is.
const LONGEST_NAME: usize = 200;

/// How long it takes at most to see that another run has ended, or that this one is interrupted.
const PATIENCE: Duration = Duration::from_millis(50);

/// What this process knows of its temporary files. It is one for the process, as a signal ends the whole of it.
struct Known {
    /// The temporary files of this process. A file is made while this is locked, so there is none that is not listed.
    listed: Vec<PathBuf>,
    /// The folders in which nothing is left of processes that were killed.
    swept: Option<HashSet<PathBuf>>,
}

static KNOWN: Mutex<Known> = Mutex::new(Known {
    listed: Vec::new(),
    swept: None,
});

/// What to do while another run writes the same output.
#[derive(Clone, Copy)]
pub enum Busy<'i> {
    /// Give up.
    Refuse,
    /// Wait until it has ended, or until this run shall end.
    Wait(&'i Interrupt),
}

/// Removes the temporary files of all outputs that are not complete, for a process that ends without dropping them.
/// As long as what is returned lives, no other is made: who wants to make one waits.
pub fn remove_unfinished() -> impl Sized {
    let known = known();
    for path in &known.listed {
        // It may have been removed or renamed a moment ago.
        let _ = fs::remove_file(path);
    }
    known
}

/// A temporary file that is removed unless it gets another name: when this is dropped, or by [`remove_unfinished`].
///
/// The file that comes with it holds the lock and should be dropped later.
pub(super) struct Unfinished {
    // Dropped in this order: what is not listed any more is gone.
    temporary: TempPath,
    _listing: Listing,
}

impl Unfinished {
    /// A new file for an output of this name in a folder, with the permissions that the system gives to any new file.
    pub(super) fn create(folder: &Path, name: &OsStr, busy: Busy<'_>) -> io::Result<(File, Unfinished)> {
        sweep(folder);
        let path = folder.join(temporary_name(name));
        loop {
            match Listing::create(&path) {
                Ok((file, listing)) => {
                    // Where a file system has no locks, nothing is removed either.
                    let _ = file.lock();
                    // Another run may have taken it for a leftover before it was locked.
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

    /// Where the file is.
    pub(super) fn path(&self) -> &Path {
        &self.temporary
    }

    /// Gives the file its name; if it `replaces` another file of that name, else there must be none. The name lasts through a loss of
    /// power after [`sync_folder`].
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

/// Opens a file that is about to be replaced. The system frees what a file holds when nobody has it open any more. That takes a while, and if it
/// happens during the renaming, nobody else can make or rename a file in the folder meanwhile.
#[cfg(unix)]
fn held(path: &Path) -> Option<File> {
    File::open(path).ok()
}

/// Elsewhere a file that someone has open may not be replaced.
#[cfg(not(unix))]
fn held(_: &Path) -> Option<File> {
    None
}

/// Makes the new names of files in a folder last through a loss of power, where the system can.
#[cfg(unix)]
pub(super) fn sync_folder(folder: &Path) {
    // The files have their names; some file systems cannot do more.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

#[cfg(not(unix))]
pub(super) fn sync_folder(_: &Path) {}

/// The folder in which a file is.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// What the temporary file of an output is called.
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
    if !known().swept.get_or_insert_default().insert(folder.to_path_buf()) {
        return;
    }
    // A folder that cannot be read cannot be swept; whether it can be written to shows soon.
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        if name.starts_with(PREFIX.as_bytes()) && name.ends_with(SUFFIX.as_bytes()) {
            // What cannot be removed is in nobody's way, unless it has the name of a new one: then that is an error.
            let _ = remove_leftover(&entry.path());
        }
    }
}

/// Removes a temporary file if its process has ended; whether it is gone.
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
        // Meanwhile it may have become the output that it was for.
        Ok(()) if !is_at(&file, path) => Ok(true),
        Ok(()) => fs::remove_file(path).map(|()| true).map_err(|error| in_the_way(&error)),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(in_the_way(&format_args!(
            "it was left by an earlier run, or another skewer is writing it ({error})"
        ))),
    }
}

/// Whether an open file is the one that has a name.
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

/// That a file is in the list.
struct Listing {
    path: PathBuf,
}

impl Listing {
    /// Makes and lists a file that does not exist.
    fn create(path: &Path) -> io::Result<(File, Listing)> {
        let mut known = known();
        let file = File::options().read(true).write(true).create_new(true).open(path)?;
        known.listed.push(path.to_path_buf());
        let path = path.to_path_buf();
        Ok((file, Listing { path }))
    }
}

impl Drop for Listing {
    fn drop(&mut self) {
        known().listed.retain(|path| *path != self.path);
    }
}

/// What is known, which is whole at every moment, whatever panicked meanwhile.
fn known() -> MutexGuard<'static, Known> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
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
