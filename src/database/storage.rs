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

/// The size of the pieces in which a file is fetched when it is read as a stream.
const PIECE_BYTES: u64 = 1 << 13;

/// The source of the bytes. Any number of threads may read them.
pub(super) enum Storage {
    File { file: Mutex<File>, length: u64 },
    Memory(Bytes),
}

impl Storage {
    /// Opens a file.
    pub(super) fn open(path: &Path) -> io::Result<Storage> {
        Storage::of_file(File::open(path)?)
    }

    /// Creates the storage of an open file.
    pub(super) fn of_file(file: File) -> io::Result<Storage> {
        let length = file.metadata()?.len();
        Ok(Storage::File {
            file: Mutex::new(file),
            length,
        })
    }

    /// Returns the number of bytes.
    pub(super) fn length(&self) -> u64 {
        match self {
            Storage::File { length, .. } => *length,
            Storage::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// Returns the last `count` bytes, or all if there are fewer.
    pub(super) fn tail(&self, count: u64) -> io::Result<Bytes> {
        let length = self.length();
        self.read(length.saturating_sub(count)..length)
    }

    /// Returns the first `count` bytes, or all if there are fewer.
    pub(super) fn head(&self, count: u64) -> io::Result<Bytes> {
        self.read(0..self.length().min(count))
    }

    /// Returns the bytes of a range.
    ///
    /// # Errors
    /// Returns an error if the range is not completely in the file, or cannot be read.
    pub(super) fn read(&self, range: Range<u64>) -> io::Result<Bytes> {
        if range.start > range.end || range.end > self.length() {
            return Err(damaged("something lies beyond the end of the file"));
        }
        let too_long = |_| damaged("a column that is too long");
        match self {
            Storage::File { file, .. } => {
                let length = range.end - range.start;
                let mut bytes = Vec::with_capacity(usize::try_from(length).map_err(too_long)?);
                // A panic of another reader does no harm, as each one seeks first.
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

/// A range of a file that is read piece by piece. Its offsets are those of the whole file.
#[derive(Clone)]
pub(super) struct Stretch {
    storage: Arc<Storage>,
    range: Range<u64>,
    /// The fetched bytes at its start.
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

    /// Returns the rest of it from a place on.
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
