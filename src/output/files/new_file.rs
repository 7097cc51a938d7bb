//! A file that is written under a temporary name and renamed at the end.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::terminal::shown;

use super::guard::{Existing, Permit, Place};
use super::mark::{self, Checksum};
use super::unfinished::{Busy, Unfinished, folder_of};

/// The number of bytes to buffer before they are written.
pub(super) const BUFFER_BYTES: usize = 1 << 16;

/// The place where an output was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Placed {
    /// Where it was to go.
    There,
    /// In another file, because the intended one exists. That one is unchanged.
    Beside {
        /// The unchanged file.
        kept: PathBuf,
        /// The file that was written.
        written: PathBuf,
    },
}

/// A file under its temporary name.
pub(super) struct NewFile {
    // Dropped first: the file is removed before its lock is released.
    unfinished: Unfinished,
    writer: BufWriter<File>,
    checksum: Checksum,
    permit: Permit,
}

impl NewFile {
    /// Creates a file in the folder of the file that it will replace, with that file's permissions, or those of any new file if there is
    /// none.
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
            // The other run has changed it.
            permit = permit.renewed()?;
        }
        if let Place::File(Existing { permissions, .. }) = &permit.place {
            // Keeping the permissions is a courtesy. Where it is not allowed, the output is still worth having.
            let _ = file.set_permissions(permissions.clone());
        }
        Ok(NewFile {
            unfinished,
            writer: BufWriter::with_capacity(BUFFER_BYTES, file),
            checksum: Checksum::default(),
            permit,
        })
    }

    /// Gives the file its name. If it `is_part` of what was to be written and a file exists, it gets another name. Returns its path. The
    /// caller still has to call [`sync_folder`].
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

/// Adds the name of its file to an error, which keeps its kind.
pub(super) fn named(path: &Path, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", shown(path)))
}
