//! One file in which others wait until all of them are known.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::guard::Permit;
use super::new_file::{NewFile, Placed, named};
use super::unfinished::{Busy, Unfinished, folder_of, sync_folder};

/// What the file with all that waits is for.
const NAME: &str = "results";

/// What waits of all files, one part after the other.
pub(super) struct Spool {
    // Removed before the lock on it goes.
    _unfinished: Unfinished,
    file: File,
    length: u64,
    /// Where results have got their names that may not last through a loss of power yet.
    unsynced: BTreeSet<PathBuf>,
}

impl Spool {
    /// An empty one in a folder. No other run can have one there meanwhile.
    ///
    /// # Errors
    /// When the folder cannot be written to, or when another run has one there.
    pub(super) fn create(folder: &Path) -> io::Result<Spool> {
        let (file, unfinished) = Unfinished::create(folder, NAME.as_ref(), Busy::Refuse)?;
        Ok(Spool {
            _unfinished: unfinished,
            file,
            length: 0,
            unsynced: BTreeSet::new(),
        })
    }

    /// Makes the names of the files that are complete last through a loss of power, where the system can: once for each folder.
    pub(super) fn sync_folders(&mut self) {
        mem::take(&mut self.unsynced)
            .iter()
            .for_each(|folder| sync_folder(folder));
    }

    fn part(&mut self, start: u64, length: usize) -> io::Result<Vec<u8>> {
        let mut part = vec![0; length];
        self.file.seek(SeekFrom::Start(start))?;
        self.file.read_exact(&mut part)?;
        Ok(part)
    }

    /// Adds a part; where it is.
    fn add(&mut self, part: &[u8]) -> io::Result<u64> {
        let start = self.length;
        self.file.seek(SeekFrom::Start(start))?;
        self.file.write_all(part)?;
        self.length += part.len() as u64;
        Ok(start)
    }

    /// Notes that a file has got this name.
    fn add_name(&mut self, path: &Path) {
        let folder = folder_of(path);
        if !self.unsynced.contains(folder) {
            self.unsynced.insert(folder.to_path_buf());
        }
    }
}

/// A file whose parts wait in a spool.
pub(super) struct SpooledFile {
    spool: Arc<Mutex<Spool>>,
    /// Where its parts are in the spool, and how long they are.
    parts: Vec<(u64, usize)>,
    /// Its end, which is not there yet.
    buffer: Vec<u8>,
    buffer_bytes: usize,
    permit: Permit,
}

impl SpooledFile {
    /// An empty one, of which this many bytes wait in memory.
    pub(super) fn new(spool: Arc<Mutex<Spool>>, buffer_bytes: usize, permit: Permit) -> SpooledFile {
        SpooledFile {
            spool,
            parts: Vec::new(),
            buffer: Vec::new(),
            buffer_bytes,
            permit,
        }
    }

    /// Gives it its name, or one beside it if it is a part of what was to be written; [`Spool::sync_folders`] is left to do.
    pub(super) fn place(self, is_part: bool) -> io::Result<Placed> {
        let spool = Arc::clone(&self.spool);
        let (path, placed) = self.into_file()?.place(is_part)?;
        locked(&spool).add_name(&path);
        Ok(placed)
    }

    /// Copies the whole into a file, whose folder may have to be made.
    fn into_file(self) -> io::Result<NewFile> {
        let path = self.permit.path.clone();
        let folder = folder_of(&self.permit.target);
        fs::create_dir_all(folder).map_err(|error| named(folder, error))?;
        let mut file = NewFile::create(self.permit, Busy::Refuse)?;
        let mut spool = locked(&self.spool);
        for (start, length) in self.parts {
            let part = spool.part(start, length).map_err(|error| named(&path, error))?;
            file.write_all(&part)?;
        }
        file.write_all(&self.buffer)?;
        Ok(file)
    }
}

impl Write for SpooledFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= self.buffer_bytes {
            let added = locked(&self.spool).add(&self.buffer);
            let start = added.map_err(|error| named(&self.permit.path, error))?;
            self.parts.push((start, self.buffer.len()));
            self.buffer.clear();
        }
        Ok(bytes.len())
    }

    /// Nobody reads it before it is complete, so nothing has to be written yet.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The spool: whatever panicked, what it says of itself is true.
pub(super) fn locked(spool: &Mutex<Spool>) -> MutexGuard<'_, Spool> {
    spool.lock().unwrap_or_else(PoisonError::into_inner)
}
