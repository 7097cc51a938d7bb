//! Text that waits for its end, with that of others in one file.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::mem;
use std::sync::{Arc, Mutex};

use crate::limits::locked;

/// Where the text waits.
pub(crate) trait Store: Read + Write + Seek + Send {}

impl<S: Read + Write + Seek + Send> Store for S {}

/// The space for texts that wait. At most one file is open, however many texts there are.
pub(crate) struct SpoolSpace {
    store: Arc<Mutex<dyn Store>>,
    buffer_bytes: usize,
    explain: fn(io::Error) -> io::Error,
}

/// A text that waits. It is written sequentially and read anywhere.
pub(crate) struct Spool {
    store: Arc<Mutex<dyn Store>>,
    segments: Vec<Segment>,
    length: u64,
    /// The place where it is read next.
    at: u64,
    /// The end of the text, which is not in the store yet.
    buffer: Vec<u8>,
    buffer_bytes: usize,
    explain: fn(io::Error) -> io::Error,
}

/// A part of a text that is contiguous in the store.
struct Segment {
    /// Its start in the text.
    start: u64,
    /// Its start in the store.
    place: u64,
}

impl SpoolSpace {
    /// Creates the space in a store that is empty. Each text holds back so many bytes from it. `explain` says more about an error of the store.
    pub(crate) fn new(
        store: impl Store + 'static,
        buffer_bytes: usize,
        explain: fn(io::Error) -> io::Error,
    ) -> SpoolSpace {
        SpoolSpace {
            store: Arc::new(Mutex::new(store)),
            buffer_bytes,
            explain,
        }
    }

    /// Creates the spool of another text.
    pub(crate) fn spool(&self) -> Spool {
        Spool {
            store: Arc::clone(&self.store),
            segments: Vec::new(),
            length: 0,
            at: 0,
            buffer: Vec::new(),
            buffer_bytes: self.buffer_bytes,
            explain: self.explain,
        }
    }
}

impl Spool {
    /// Returns the length of the text.
    pub(crate) fn len(&self) -> u64 {
        self.length
    }

    /// Moves the end of the text to the store.
    fn store(&mut self) -> io::Result<()> {
        let start = self.length - self.buffer.len() as u64;
        let mut store = locked(&self.store);
        let place = store.seek(SeekFrom::End(0)).map_err(self.explain)?;
        store.write_all(&self.buffer).map_err(self.explain)?;
        drop(store);
        // What directly follows the last segment in the store belongs to it.
        let is_continued = self
            .segments
            .last()
            .is_some_and(|last| last.place + (start - last.start) == place);
        if !is_continued {
            self.segments.push(Segment { start, place });
        }
        self.buffer.clear();
        Ok(())
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

    /// Does nothing: only the spools read the store.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for Spool {
    /// Reads as much as is contiguous.
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let stored = self.length - self.buffer.len() as u64;
        let read = if self.at >= stored {
            let begin = usize::try_from(self.at - stored).unwrap_or(usize::MAX);
            self.buffer.get(begin..).unwrap_or_default().read(bytes)?
        } else {
            let next = self.segments.partition_point(|segment| segment.start <= self.at);
            let end = self.segments.get(next).map_or(stored, |segment| segment.start);
            let Some(segment) = next.checked_sub(1).and_then(|segment| self.segments.get(segment)) else {
                return Ok(0);
            };
            let length = usize::try_from(end - self.at).unwrap_or(usize::MAX).min(bytes.len());
            let mut store = locked(&self.store);
            store.seek(SeekFrom::Start(segment.place + (self.at - segment.start)))?;
            store.read(&mut bytes[..length])?
        };
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for Spool {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(offset) => self.length.checked_add_signed(offset),
            SeekFrom::Current(offset) => self.at.checked_add_signed(offset),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn each_text_is_found_again() {
        for buffer_bytes in [1 << 20, 10, 0] {
            let space = SpoolSpace::new(Cursor::new(Vec::new()), buffer_bytes, |error| error);
            let mut spools: Vec<Spool> = (0..3).map(|_| space.spool()).collect();
            let mut texts = vec![Vec::new(); spools.len()];
            for round in 0..100_usize {
                let which = round * round % 7 % spools.len();
                let text = format!("{which}:{round};").repeat(round % 5);
                spools[which].write_all(text.as_bytes()).unwrap();
                texts[which].extend_from_slice(text.as_bytes());
            }
            for (mut spool, text) in spools.into_iter().zip(texts) {
                assert_eq!(spool.len(), text.len() as u64);
                let mut part = [0; 20];
                for start in 0..text.len() - part.len() {
                    spool.seek(SeekFrom::Start(start as u64)).unwrap();
                    spool.read_exact(&mut part).unwrap();
                    assert_eq!(part, text[start..start + part.len()]);
                }
                spool.seek(SeekFrom::End(-19)).unwrap();
                assert!(spool.read_exact(&mut part).is_err());
                let mut whole = Vec::new();
                for _ in 0..2 {
                    whole.clear();
                    spool.rewind().unwrap();
                    spool.read_to_end(&mut whole).unwrap();
                    assert_eq!(whole, text);
                }
            }
        }
    }
}
