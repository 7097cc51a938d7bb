//! Files that are written piece by piece and moved to their places at the end.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The future content of several files.
#[derive(Debug, Default)]
pub(crate) struct Staging {
    /// All content, in the order in which it was written. The file has no name, so it disappears if the process is killed.
    content: Option<File>,
    /// The number of bytes in it that are completely written.
    length: u64,
    files: Vec<Staged>,
    /// The indices of the files by their paths.
    numbers: HashMap<PathBuf, usize>,
    /// Roughly the memory in bytes that the list of parts takes.
    bytes: usize,
}

/// A file that is written at the end.
#[derive(Debug)]
struct Staged {
    place: PathBuf,
    /// The places of its parts in the content, in order. Adjacent parts are merged.
    parts: Vec<Range<u64>>,
}

impl Staging {
    /// Appends to the file at `place`. The content waits in `folder`, on the disk where the files will be, so there is room for them.
    ///
    /// # Errors
    /// Returns an error if it cannot be written. Earlier content stays intact.
    pub(crate) fn add(&mut self, folder: &Path, place: PathBuf, more: &[u8]) -> io::Result<()> {
        let content = match &mut self.content {
            Some(content) => content,
            none => none.insert(tempfile::tempfile_in(folder)?),
        };
        content.seek(SeekFrom::Start(self.length))?;
        content.write_all(more)?;
        let part = self.length..self.length + more.len() as u64;
        self.length = part.end;
        let number = *self.numbers.entry(place).or_insert_with_key(|place| {
            self.bytes += 2 * (size_of::<Staged>() + place.as_os_str().len());
            self.files.push(Staged {
                place: place.clone(),
                parts: Vec::new(),
            });
            self.files.len() - 1
        });
        if let Some(Staged { parts, .. }) = self.files.get_mut(number) {
            match parts.last_mut() {
                Some(last) if last.end == part.start => last.end = part.end,
                _ => {
                    parts.push(part);
                    self.bytes += size_of::<Range<u64>>();
                }
            }
        }
        Ok(())
    }

    /// Returns roughly the memory in bytes that the list of parts takes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the future content of the file at `place`, if anything has been written to it.
    pub(crate) fn content(&self, place: &Path) -> Option<Content<'_>> {
        let file = self.files.get(*self.numbers.get(place)?)?;
        Some(self.content_of(file))
    }

    /// Returns all files with their content, in the order in which they were begun.
    pub(crate) fn files(&self) -> impl Iterator<Item = (&Path, Content<'_>)> {
        self.files
            .iter()
            .map(|file| (file.place.as_path(), self.content_of(file)))
    }

    fn content_of<'s>(&'s self, file: &'s Staged) -> Content<'s> {
        Content {
            content: self.content.as_ref(),
            parts: file.parts.iter(),
            part: 0..0,
        }
    }
}

/// A reader of the future content of one file.
#[derive(Debug)]
pub struct Content<'s> {
    content: Option<&'s File>,
    parts: std::slice::Iter<'s, Range<u64>>,
    /// The rest of the part that is being read.
    part: Range<u64>,
}

impl Read for Content<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.part.is_empty() {
            match self.parts.next() {
                Some(part) => self.part = part.clone(),
                None => return Ok(0),
            }
        }
        let Some(mut content) = self.content else {
            return Ok(0);
        };
        content.seek(SeekFrom::Start(self.part.start))?;
        let length = self.part.end - self.part.start;
        let read = content.take(length).read(buffer)?;
        self.part.start += read as u64;
        Ok(read)
    }
}
