//! The files of tables. Small ones are kept in memory, so that a lookup in them needs no system call.

use std::cell::Cell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use shakmaty_syzygy::filesystem::{Filesystem, OsFilesystem, RandomAccessFile, ReadHint};

/// The size in bytes up to which a file is kept. Larger files are read from the disk.
const LONGEST_KEPT: u64 = 1 << 20;
/// The most bytes of all files together that are kept.
const MOST_KEPT: usize = 64 << 20;

thread_local! {
    /// The file that this thread has opened or read last, by its index in `opened`. A panic does not say which file it was.
    static LAST: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Forgets the last file, before a new lookup.
pub(super) fn forget_last() {
    LAST.set(None);
}

/// Files that are read from the disk, or from a copy in memory.
#[derive(Debug, Default)]
pub(super) struct Files {
    disk: OsFilesystem,
    /// The files that have been opened.
    opened: Mutex<Vec<PathBuf>>,
    /// The number of bytes kept.
    kept: AtomicUsize,
}

impl Files {
    /// Returns the file that this thread has opened or read last.
    pub(super) fn last(&self) -> Option<PathBuf> {
        let opened = self.opened.lock().ok()?;
        opened.get(LAST.get()?).cloned()
    }

    /// Returns the content of a file if it is small enough to be kept.
    fn keep(&self, path: &Path) -> io::Result<Option<Vec<u8>>> {
        let length = self.disk.regular_file_size(path)?;
        let Some(length) = usize::try_from(length).ok().filter(|_| length <= LONGEST_KEPT) else {
            return Ok(None);
        };
        if self.kept.fetch_add(length, Ordering::Relaxed) + length > MOST_KEPT {
            self.kept.fetch_sub(length, Ordering::Relaxed);
            return Ok(None);
        }
        fs::read(path).map(Some)
    }
}

impl Filesystem for Files {
    fn regular_file_size(&self, path: &Path) -> io::Result<u64> {
        self.disk.regular_file_size(path)
    }

    fn read_dir(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.disk.read_dir(path)
    }

    fn open(&self, path: &Path) -> io::Result<Box<dyn RandomAccessFile>> {
        let place = self.opened.lock().ok().map(|mut opened| {
            opened.push(path.to_owned());
            opened.len() - 1
        });
        LAST.set(place);
        let file = match self.keep(path)? {
            Some(content) => Box::new(LoadedFile { content }),
            None => self.disk.open(path)?,
        };
        Ok(Box::new(Opened { file, place }))
    }
}

/// A file that notes that it is read.
struct Opened {
    file: Box<dyn RandomAccessFile>,
    place: Option<usize>,
}

impl RandomAccessFile for Opened {
    fn read_at(&self, buffer: &mut [u8], offset: u64, hint: ReadHint) -> io::Result<usize> {
        LAST.set(self.place);
        self.file.read_at(buffer, offset, hint)
    }
}

/// A file in memory.
struct LoadedFile {
    content: Vec<u8>,
}

impl RandomAccessFile for LoadedFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64, _hint: ReadHint) -> io::Result<usize> {
        let rest = usize::try_from(offset)
            .ok()
            .and_then(|offset| self.content.get(offset..));
        let rest = rest.unwrap_or_default();
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        Ok(length)
    }
}
