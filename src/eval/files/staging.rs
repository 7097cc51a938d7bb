//! Files that are written piece by piece and moved to their places at the end.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What is to stand in some files.
#[derive(Debug, Default)]
pub(crate) struct Staging {
    /// All of it, in the order in which it was written. The file has no name, so nothing is left of it if the process is killed.
    content: Option<File>,
    /// How much of it is whole.
    length: u64,
    files: Vec<Staged>,
    /// The files by their places.
    numbers: HashMap<PathBuf, usize>,
    /// About how many bytes of memory it takes to know what is where.
    bytes: usize,
}

/// One of the files.
#[derive(Debug)]
struct Staged {
    place: PathBuf,
    /// Where its parts are, in their order; none of them follows directly on the one before.
    parts: Vec<Range<u64>>,
}

impl Staging {
    /// Adds to the file of a place. `folder` is where the content waits: where the files will be, so there is room for them.
    ///
    /// # Errors
    /// When it cannot be written. What was there before is whole.
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

    /// About how many bytes of memory it takes to know what is where.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// What is to stand in the file of a place, if anything has been written to it.
    pub(crate) fn content(&self, place: &Path) -> Option<Content<'_>> {
        let file = self.files.get(*self.numbers.get(place)?)?;
        Some(self.content_of(file))
    }

    /// All files with their content, in the order in which they were begun.
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

/// What is to stand in one file, from its beginning.
#[derive(Debug)]
pub struct Content<'s> {
    content: Option<&'s File>,
    parts: std::slice::Iter<'s, Range<u64>>,
    /// What is left of the part that is read.
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
