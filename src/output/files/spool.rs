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

/// The output name from which the temporary name is made.
const NAME: &str = "results";

/// The waiting data of all files, in parts.
pub(super) struct Spool {
    // Dropped first: the file is removed before its lock is released.
    _unfinished: Unfinished,
    file: File,
    length: u64,
    /// The folders whose new names may not survive a loss of power yet.
    unsynced: BTreeSet<PathBuf>,
}

impl Spool {
    /// Creates an empty spool in a folder. No other run can have one there meanwhile.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be written to, or if another run has a spool there.
    pub(super) fn create(folder: &Path) -> io::Result<Spool> {
        let (file, unfinished) = Unfinished::create(folder, NAME.as_ref(), Busy::Refuse)?;
        Ok(Spool {
            _unfinished: unfinished,
            file,
            length: 0,
            unsynced: BTreeSet::new(),
        })
    }

    /// Makes the names of the completed files survive a loss of power, where the system can. Each folder is synced once.
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

    /// Adds a part and returns its offset.
    fn add(&mut self, part: &[u8]) -> io::Result<u64> {
        let start = self.length;
        self.file.seek(SeekFrom::Start(start))?;
        self.file.write_all(part)?;
        self.length += part.len() as u64;
        Ok(start)
    }

    /// Records that a file was given this name.
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
    /// The offsets of its parts in the spool, and their lengths.
    parts: Vec<(u64, usize)>,
    /// Its last bytes, which are not in the spool yet.
    buffer: Vec<u8>,
    buffer_bytes: usize,
    permit: Permit,
}

impl SpooledFile {
    /// Creates an empty file that buffers this many bytes.
    pub(super) fn new(spool: Arc<Mutex<Spool>>, buffer_bytes: usize, permit: Permit) -> SpooledFile {
        SpooledFile {
            spool,
            parts: Vec::new(),
            buffer: Vec::new(),
            buffer_bytes,
            permit,
        }
    }

    /// Gives the file its name, or another one if it is only a part of what was to be written. The caller still has to call
    /// [`Spool::sync_folders`].
    pub(super) fn place(self, is_part: bool) -> io::Result<Placed> {
        let spool = Arc::clone(&self.spool);
        let (path, placed) = self.into_file()?.place(is_part)?;
        locked(&spool).add_name(&path);
        Ok(placed)
    }

    /// Copies all parts into a file. Its folder is created if necessary.
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

    /// Nobody reads the file before it is complete, so there is nothing to flush.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Locks the spool. Its state is consistent even after a panic.
pub(super) fn locked(spool: &Mutex<Spool>) -> MutexGuard<'_, Spool> {
    spool.lock().unwrap_or_else(PoisonError::into_inner)
}
