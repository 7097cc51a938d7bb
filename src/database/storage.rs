//! The bytes of a Parquet file, on disk or in memory.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::{Buf as _, Bytes};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::reader::{ChunkReader, Length};

use super::error::damaged;

/// Bytes of a file that is read as a stream are fetched in pieces of this size.
const PIECE_BYTES: u64 = 1 << 13;

/// Where the bytes are. Any number of threads may read them.
pub(super) enum Storage {
    File { file: Mutex<File>, length: u64 },
    Memory(Bytes),
}

impl Storage {
    /// The bytes of a file.
    pub(super) fn open(path: &Path) -> io::Result<Storage> {
        Storage::of_file(File::open(path)?)
    }

    /// The bytes of a file that is open.
    pub(super) fn of_file(file: File) -> io::Result<Storage> {
        let length = file.metadata()?.len();
        Ok(Storage::File {
            file: Mutex::new(file),
            length,
        })
    }

    /// How many there are.
    pub(super) fn length(&self) -> u64 {
        match self {
            Storage::File { length, .. } => *length,
            Storage::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// The last bytes, or all if there are not that many.
    pub(super) fn tail(&self, count: u64) -> io::Result<Bytes> {
        let length = self.length();
        self.read(length.saturating_sub(count)..length)
    }

    /// The first bytes, or all if there are not that many.
    pub(super) fn head(&self, count: u64) -> io::Result<Bytes> {
        self.read(0..self.length().min(count))
    }

    /// The bytes of a range.
    ///
    /// # Errors
    /// When it is not all in the file, or cannot be read.
    pub(super) fn read(&self, range: Range<u64>) -> io::Result<Bytes> {
        if range.start > range.end || range.end > self.length() {
            return Err(damaged("something stands beyond the end of the file"));
        }
        let too_long = |_| damaged("a column that is too long");
        match self {
            Storage::File { file, .. } => {
                let length = range.end - range.start;
                let mut bytes = Vec::with_capacity(usize::try_from(length).map_err(too_long)?);
                // A thread that panicked while it read has left nothing half done: the next one seeks anyway.
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                file.seek(SeekFrom::Start(range.start))?;
                match Read::by_ref(&mut *file).take(length).read_to_end(&mut bytes)? as u64 == length {
                    true => Ok(Bytes::from(bytes)),
                    false => Err(io::ErrorKind::UnexpectedEof.into()),
                }
            }
            Storage::Memory(bytes) => {
                let place = |at: u64| usize::try_from(at).map_err(too_long);
                Ok(bytes.slice(place(range.start)?..place(range.end)?))
            }
        }
    }
}

/// A range of a file, read piece by piece, with the places of the whole file.
#[derive(Clone)]
pub(super) struct Stretch {
    storage: Arc<Storage>,
    range: Range<u64>,
    /// Its first bytes that have been fetched.
    piece: Bytes,
}

impl Stretch {
    pub(super) fn new(storage: &Arc<Storage>, range: Range<u64>) -> Stretch {
        Stretch {
            storage: Arc::clone(storage),
            range,
            piece: Bytes::new(),
        }
    }

    /// What is left of it from a place on.
    fn from(&self, start: u64) -> ParquetResult<Stretch> {
        if !(self.range.start..=self.range.end).contains(&start) {
            return Err(ParquetError::EOF("a page outside of its column".to_owned()));
        }
        Ok(Stretch::new(&self.storage, start..self.range.end))
    }
}

impl Read for Stretch {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.piece.is_empty() {
            let end = self.range.end.min(self.range.start.saturating_add(PIECE_BYTES));
            self.piece = self.storage.read(self.range.start..end)?;
            self.range.start = end;
        }
        let length = buffer.len().min(self.piece.len());
        self.piece.copy_to_slice(&mut buffer[..length]);
        Ok(length)
    }
}

impl Length for Stretch {
    fn len(&self) -> u64 {
        self.range.end
    }
}

impl ChunkReader for Stretch {
    type T = Stretch;

    fn get_read(&self, start: u64) -> ParquetResult<Stretch> {
        self.from(start)
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        let end = start.saturating_add(length as u64);
        if start < self.range.start || end > self.range.end {
            return Err(ParquetError::EOF("a page beyond the end of its column".to_owned()));
        }
        Ok(self.storage.read(start..end)?)
    }
}
