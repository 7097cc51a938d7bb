//! A file whose text waits with that of others until all of them are known.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use super::guard::Permit;
use super::new_file::{BUFFER_BYTES, NewFile, Placed, named};
use super::unfinished::{Busy, Unfinished, folder_of};
use crate::limits::locked;
use crate::output::spool::Spool;

/// What all results share. It is dropped before the text of any: the file is removed before its lock is released.
pub(super) struct Shared {
    pub(super) _unfinished: Unfinished,
    /// The folders whose new names may not survive a loss of power yet.
    pub(super) unsynced: Mutex<BTreeSet<PathBuf>>,
}

/// A file whose text waits.
pub(super) struct SpooledFile {
    pub(super) shared: Arc<Shared>,
    pub(super) text: Spool,
    pub(super) permit: Permit,
}

impl SpooledFile {
    /// Gives the file its name, or another one if it is only a part of what was to be written. Its folder is created if necessary. The caller
    /// still has to call [`Results::sync_folders`](super::Results::sync_folders).
    pub(super) fn place(mut self, is_part: bool) -> io::Result<Placed> {
        let path = self.permit.path.clone();
        let folder = folder_of(&self.permit.target);
        fs::create_dir_all(folder).map_err(|error| named(folder, error))?;
        let mut file = NewFile::create(self.permit, Busy::Refuse)?;
        let mut part = vec![0; BUFFER_BYTES];
        loop {
            match self.text.read(&mut part).map_err(|error| named(&path, error))? {
                0 => break,
                read => file.write_all(&part[..read])?,
            }
        }
        let (path, placed) = file.place(is_part)?;
        locked(&self.shared.unsynced).insert(folder_of(&path).to_path_buf());
        Ok(placed)
    }
}

impl Write for SpooledFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.write(bytes).map_err(|error| named(&self.permit.path, error))
    }

    /// Nobody reads the file before it is complete, so there is nothing to flush.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
