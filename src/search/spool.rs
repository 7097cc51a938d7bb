//! Text that waits for the end of a run, for all searches in one file.

use std::env;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::terminal::shown;

/// The text of all searches of a run that may be in memory. The rest is on disk.
const SPOOL_BYTES: usize = 32 << 20;
/// The part of it that all searches together may hold back from the file.
const BUFFER_BYTES: usize = 8 << 20;
/// The most that one search may hold back.
const MOST_BUFFER: usize = 1 << 16;

/// What waits: in memory while it is small, then on disk.
#[cfg(feature = "files")]
type Store = tempfile::SpooledTempFile;
/// What waits: all of it in memory.
#[cfg(not(feature = "files"))]
type Store = io::Cursor<Vec<u8>>;

#[cfg(feature = "files")]
fn store(spool_bytes: usize) -> Store {
    Store::new(spool_bytes)
}

#[cfg(not(feature = "files"))]
fn store(_spool_bytes: usize) -> Store {
    Store::default()
}

/// The space of a run for text that waits. At most one file is open, however many searches there are.
pub(super) struct SpoolSpace {
    file: Arc<Mutex<Store>>,
    buffer_bytes: usize,
}

/// The text of one search. It is written sequentially and read anywhere.
pub(super) struct Spool {
    file: Arc<Mutex<Store>>,
    parts: Vec<Segment>,
    length: u64,
    /// The end of the text, which is not in the file yet.
    buffer: Vec<u8>,
    buffer_bytes: usize,
}

/// A part of a text that is contiguous in the file.
struct Segment {
    /// Its start in the text.
    start: u64,
    /// Its start in the file.
    place: u64,
}

impl SpoolSpace {
    /// Creates the space for this many searches.
    pub(super) fn new(searches: usize) -> SpoolSpace {
        SpoolSpace::of(SPOOL_BYTES, (BUFFER_BYTES / searches.max(1)).min(MOST_BUFFER))
    }

    fn of(spool_bytes: usize, buffer_bytes: usize) -> SpoolSpace {
        SpoolSpace {
            file: Arc::new(Mutex::new(store(spool_bytes))),
            buffer_bytes,
        }
    }

    /// Creates the spool of another search.
    pub(super) fn spool(&self) -> Spool {
        Spool {
            file: Arc::clone(&self.file),
            parts: Vec::new(),
            length: 0,
            buffer: Vec::new(),
            buffer_bytes: self.buffer_bytes,
        }
    }
}

impl Spool {
    /// Returns the length of the text.
    pub(super) fn len(&self) -> u64 {
        self.length
    }

    /// Reads a part of the text.
    ///
    /// # Errors
    /// Returns an error if the part cannot be read or reaches beyond the end of the text.
    pub(super) fn read_at(&self, start: u64, mut bytes: &mut [u8]) -> io::Result<()> {
        let mut at = start;
        while !bytes.is_empty() {
            let read = self.read_some(at, bytes)?;
            if read == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            at += read as u64;
            bytes = &mut bytes[read..];
        }
        Ok(())
    }

    /// Reads as much as is contiguous at a place.
    fn read_some(&self, at: u64, bytes: &mut [u8]) -> io::Result<usize> {
        let in_file = self.length - self.buffer.len() as u64;
        if at >= in_file {
            let begin = usize::try_from(at - in_file).unwrap_or(usize::MAX);
            return self.buffer.get(begin..).unwrap_or_default().read(bytes);
        }
        let next = self.parts.partition_point(|part| part.start <= at);
        let end = self.parts.get(next).map_or(in_file, |part| part.start);
        let Some(part) = next.checked_sub(1).and_then(|part| self.parts.get(part)) else {
            return Ok(0);
        };
        let length = usize::try_from(end - at).unwrap_or(usize::MAX).min(bytes.len());
        let mut file = locked(&self.file);
        file.seek(SeekFrom::Start(part.place + (at - part.start)))?;
        file.read(&mut bytes[..length])
    }

    /// Moves the end of the text to the file.
    fn store(&mut self) -> io::Result<()> {
        let start = self.length - self.buffer.len() as u64;
        let mut file = locked(&self.file);
        let place = file.seek(SeekFrom::End(0)).map_err(unspooled)?;
        file.write_all(&self.buffer).map_err(unspooled)?;
        drop(file);
        // What directly follows the last part in the file belongs to it.
        let is_continued = self
            .parts
            .last()
            .is_some_and(|last| last.place + (start - last.start) == place);
        if !is_continued {
            self.parts.push(Segment { start, place });
        }
        self.buffer.clear();
        Ok(())
    }

    /// Returns a reader of the text from its start.
    pub(super) fn into_reader(self) -> Reader {
        Reader { spool: self, at: 0 }
    }
}

impl Write for Spool {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.buffer.extend_from_slice(bytes);
        self.length += bytes.len() as u64;
        if self.buffer.len() >= self.buffer_bytes {
            self.store()?;
            if self.buffer.capacity() > 2 * self.buffer_bytes {
                mem::take(&mut self.buffer);
            }
        }
        Ok(bytes.len())
    }

    /// Does nothing: only the spools read the file.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads the text of a search.
pub(super) struct Reader {
    spool: Spool,
    at: u64,
}

impl Read for Reader {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.spool.read_some(self.at, bytes)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for Reader {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(offset) => self.spool.length.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.at.checked_add_signed(offset),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
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

/// Locks the file. A panic elsewhere does no harm: each spool knows its own parts.
fn locked(file: &Mutex<Store>) -> MutexGuard<'_, Store> {
    file.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_search_finds_its_own_text() {
        for (spool_bytes, buffer_bytes) in [(1 << 20, 1 << 20), (1 << 20, 0), (100, 10), (0, 0)] {
            let room = SpoolSpace::of(spool_bytes, buffer_bytes);
            let mut spools: Vec<Spool> = (0..3).map(|_| room.spool()).collect();
            let mut texts = vec![Vec::new(); spools.len()];
            for round in 0..100_usize {
                let which = round * round % 7 % spools.len();
                let text = format!("{which}:{round};").repeat(round % 5);
                spools[which].write_all(text.as_bytes()).unwrap();
                texts[which].extend_from_slice(text.as_bytes());
            }
            for (spool, text) in spools.into_iter().zip(texts) {
                assert_eq!(spool.len(), text.len() as u64);
                let mut part = [0; 20];
                for start in 0..text.len() - part.len() {
                    spool.read_at(start as u64, &mut part).unwrap();
                    assert_eq!(part, text[start..start + part.len()]);
                }
                assert!(spool.read_at(text.len() as u64 - 19, &mut part).is_err());
                let (mut reader, mut whole) = (spool.into_reader(), Vec::new());
                for _ in 0..2 {
                    whole.clear();
                    reader.rewind().unwrap();
                    reader.read_to_end(&mut whole).unwrap();
                    assert_eq!(whole, text);
                }
            }
        }
    }
}
