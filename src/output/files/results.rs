//! The results of many queries, which wait in one file until all of them are known.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::destination::{Busy, Destination, NewFile, Placed, named};
use super::guard::Permit;
use super::unfinished::{Unfinished, folder_of, sync_folder};

/// How much of all results together waits in memory before it is written.
const BUFFER_BYTES: usize = 32 << 20;
/// The least and the most of one result.
const LEAST_BUFFER: usize = 1 << 12;
const MOST_BUFFER: usize = 1 << 16;

/// What the file with all that waits is for.
const NAME: &str = "results";

/// The results of many queries in one folder. However many there are, one file is open.
pub struct Results {
    shared: Arc<Mutex<Spool>>,
    buffer_bytes: usize,
}

struct Spool {
    // Removed before the lock on it goes.
    _unfinished: Unfinished,
    file: File,
    length: u64,
    /// Where results have got their names that may not last through a loss of power yet.
    unsynced: BTreeSet<PathBuf>,
}

impl Results {
    /// Room for so many results in a folder, which may have to be made. No other run can write results there meanwhile.
    ///
    /// # Errors
    /// When the folder cannot be written to, or when another run writes results into it.
    pub fn new(folder: &Path, count: usize) -> io::Result<Results> {
        let (file, unfinished) = fs::create_dir_all(folder)
            .and_then(|()| Unfinished::create(folder, NAME.as_ref(), Busy::Refuse))
            .map_err(|error| named(folder, error))?;
        Ok(Results {
            shared: Arc::new(Mutex::new(Spool {
                _unfinished: unfinished,
                file,
                length: 0,
                unsynced: BTreeSet::new(),
            })),
            buffer_bytes: (BUFFER_BYTES / count.max(1)).clamp(LEAST_BUFFER, MOST_BUFFER),
        })
    }

    /// Where one of the results goes.
    pub fn result(&self, permit: Permit) -> Destination {
        Destination::waiting(Waiting {
            spool: Arc::clone(&self.shared),
            parts: Vec::new(),
            buffer: Vec::new(),
            buffer_bytes: self.buffer_bytes,
            permit,
        })
    }

    /// Makes the names of the results that are committed last through a loss of power, where the system can: once for each folder.
    pub fn sync_folders(&self) {
        let folders = mem::take(&mut locked(&self.shared).unsynced);
        folders.iter().for_each(|folder| sync_folder(folder));
    }
}

/// A result that waits.
pub(super) struct Waiting {
    spool: Arc<Mutex<Spool>>,
    /// Where its parts are in the spool, and how long they are.
    parts: Vec<(u64, usize)>,
    /// Its end, which is not there yet.
    buffer: Vec<u8>,
    buffer_bytes: usize,
    permit: Permit,
}

impl Waiting {
    /// Gives it its name, or one beside it if it is a part of what was to be written; [`Results::sync_folders`] is left to do.
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

impl Spool {
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

impl Write for Waiting {
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
fn locked(spool: &Mutex<Spool>) -> MutexGuard<'_, Spool> {
    spool.lock().unwrap_or_else(PoisonError::into_inner)
}
