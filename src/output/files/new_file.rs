//! A file that is written under a temporary name and gets its own at the end.

use std::fmt;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::terminal::shown;

use super::guard::{Existing, Permit, Place};
use super::mark::{self, Checksum};
use super::unfinished::{Busy, Unfinished, folder_of};

/// How much waits in memory before it is written.
pub(super) const BUFFER_BYTES: usize = 1 << 16;

/// Where an output has ended up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Placed {
    /// Where it was to go.
    There,
    /// Here, as there was a file already, which is left as it was.
    Beside {
        /// The file that is as it was.
        kept: PathBuf,
        /// The file that was written.
        written: PathBuf,
    },
}

/// A file under its temporary name.
pub(super) struct NewFile {
    // Removed, if it is, before the lock on it goes.
    unfinished: Unfinished,
    writer: BufWriter<File>,
    checksum: Checksum,
    permit: Permit,
}

impl NewFile {
    /// A new file beside what it is to replace, with the permissions of the old one, or else those of any new file.
    pub(super) fn create(mut permit: Permit, busy: Busy<'_>) -> io::Result<NewFile> {
        let folder = folder_of(&permit.target);
        let name = permit.target.file_name().unwrap_or_default();
        let (file, unfinished) = Unfinished::create(folder, name, busy).map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound {
                let message = format!("there is no folder {}", shown(folder));
                named(&permit.path, io::Error::new(io::ErrorKind::NotFound, message))
            } else {
                named(&permit.path, error)
            }
        })?;
        if matches!(busy, Busy::Wait(_)) {
            // The run that was waited for has changed it.
            permit = permit.renewed()?;
        }
        if let Place::File(Existing { permissions, .. }) = &permit.place {
            // Keeping the permissions is a courtesy: where it is not allowed, the output is still worth having.
            let _ = file.set_permissions(permissions.clone());
        }
        Ok(NewFile {
            unfinished,
            writer: BufWriter::with_capacity(BUFFER_BYTES, file),
            checksum: Checksum::default(),
            permit,
        })
    }

    /// Gives the file its name; a part of what was to be written gets one beside a file that is there. Where it stands now;
    /// [`sync_folder`] is left to do.
    pub(super) fn place(mut self, is_part: bool) -> io::Result<(PathBuf, Placed)> {
        let mut placed = Placed::There;
        if let Some(kind) = self.permit.kind.filter(|_| is_part && self.permit.replaces()) {
            let beside = self.permit.beside(kind)?;
            placed = Placed::Beside {
                kept: self.permit.path.clone(),
                written: beside.path.clone(),
            };
            self.permit = beside;
        }
        let NewFile {
            unfinished,
            writer,
            checksum,
            permit,
        } = self;
        let fail = |error| named(&permit.path, error);
        let file = writer.into_inner().map_err(|error| fail(error.into_error()))?;
        if let Some(kind) = permit.kind {
            mark::set(&file, unfinished.path(), kind, checksum);
        }
        file.sync_all().map_err(fail)?;
        let replaces = match &permit.place {
            Place::File(existing) if existing.is_still(&permit.target) => true,
            Place::File(_) => return Err(fail(io::Error::other("another program has changed it meanwhile"))),
            Place::Nothing | Place::Device => false,
        };
        unfinished
            .rename(&permit.target, replaces)
            .map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => fail(io::Error::other("another program has made it meanwhile")),
                _ => fail(error),
            })?;
        Ok((permit.target, placed))
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self
            .writer
            .write(bytes)
            .map_err(|error| named(&self.permit.path, error))?;
        self.checksum.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush().map_err(|error| named(&self.permit.path, error))
    }
}

/// An error with the file that it is about.
#[derive(Debug)]
struct Named {
    name: String,
    error: io::Error,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.error)
    }
}

impl std::error::Error for Named {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

/// The error, which keeps its kind, with the file that it is about.
pub(super) fn named(path: &Path, error: io::Error) -> io::Error {
    let name = shown(path);
    io::Error::new(error.kind(), Named { name, error })
}
