//! A database without the games that repeat others.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use super::duplicates::Duplicates;
use super::error::damaged;
use super::file::ParquetFile;
use super::merge::Groups;
use super::storage::Storage;
use super::writer::Writer;
use crate::limits::InterruptHandle;

/// A database whose games have been compared with each other.
pub(crate) struct Unique {
    file: Arc<ParquetFile>,
    duplicates: Duplicates,
    watch: InterruptHandle,
}

impl Unique {
    /// Compares the games of an open database. None of the first `fixed` games is left out.
    ///
    /// # Errors
    /// Returns an error if it cannot be read or is no longer wanted.
    pub(crate) fn of_file(file: File, fixed: u64, watch: InterruptHandle) -> io::Result<Unique> {
        let file = ParquetFile::open(Storage::of_file(file)?)?;
        if !file.is_database() {
            return Err(damaged("not a database of skewer"));
        }
        let file = Arc::new(file);
        let duplicates = Duplicates::find(&file, fixed, &watch)?;
        Ok(Unique {
            file,
            duplicates,
            watch,
        })
    }

    /// Does the same for the file at a path.
    ///
    /// # Errors
    /// Returns an error if it cannot be read or is no longer wanted.
    pub(crate) fn open(path: &Path, fixed: u64, watch: InterruptHandle) -> io::Result<Unique> {
        Unique::of_file(File::open(path)?, fixed, watch)
    }

    /// Returns how many games repeat others.
    pub(crate) fn duplicates(&self) -> usize {
        self.duplicates.len()
    }

    /// Writes a table of the games that repeat others.
    ///
    /// # Errors
    /// Returns an error if the database cannot be read, or the table cannot be written.
    pub(crate) fn report(&self, out: impl Write) -> io::Result<()> {
        self.duplicates.report(&self.file, &self.watch, out)
    }

    /// Writes the database without them.
    ///
    /// # Errors
    /// Returns an error if the database cannot be read or written.
    pub(crate) fn write<W: Write + Send>(&self, out: W) -> io::Result<Writer<W>> {
        let mut writer = Writer::until(self.watch.clone(), out)?;
        let groups = 0..self.file.groups();
        for group in Groups::new(Arc::clone(&self.file), groups, None)? {
            self.watch.check()?;
            writer.add_rows(group.read_without(|row| self.duplicates.have(row))?)?;
        }
        Ok(writer)
    }
}
