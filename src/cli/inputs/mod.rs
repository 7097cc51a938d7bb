//! The games that a command reads: files, folders, databases, standard input.
//!
//! Each part uses only those before it: `duplicates`.

mod duplicates;

use std::path::PathBuf;

use crate::cli::failure::Failure;
use crate::cli::options::reading::ReadingOptions;
use crate::cli::queries::files;
use crate::cli::signal;
use crate::database::Archive;
use crate::output::{Guard, Role};
use crate::pgn::{Input, Source};
use crate::search::Error;
use crate::terminal::in_a_line;

/// Inputs that exist.
pub(super) struct Inputs {
    sources: Vec<Source>,
    /// Notes about what is left out of folders.
    left_out: Vec<String>,
}

impl Inputs {
    /// Finds files and folders; `-` is standard input.
    pub(super) fn open(paths: &[PathBuf], reading: ReadingOptions) -> Result<Inputs, Error> {
        let (mut sources, mut left_out) = (Vec::new(), Vec::new());
        for path in paths {
            let input = Input::from(path.as_path());
            let mut files = match reading.positions {
                true => input.positions()?,
                false => input.sources()?,
            };
            if path.is_dir() {
                left_out.extend(duplicates::leave_out(&mut files));
            }
            sources.extend(files.into_iter().map(|file| {
                let file = file.in_language(reading.pieces.language);
                match reading.long {
                    Some(window) => file.with_zstd_window(window),
                    None => file,
                }
            }));
        }
        Ok(Inputs { sources, left_out })
    }

    /// Finds files and folders, with advice if one of them does not exist.
    pub(super) fn find(paths: &[PathBuf], reading: ReadingOptions) -> Result<Inputs, Failure> {
        Inputs::open(paths, reading).map_err(|error| match paths.iter().find_map(|path| files::instead_of(path)) {
            Some(advice) => Failure::with_help(error, advice),
            None => Failure::new(error),
        })
    }

    /// Says what is left out of folders.
    pub(super) fn say_left_out(&self) {
        self.left_out.iter().for_each(|note| signal::say(note));
    }

    /// Refuses inputs that can be read only once, for commands that read their inputs repeatedly.
    pub(super) fn check_lasting(&self) -> Result<(), Failure> {
        match self.sources.iter().find(|source| !source.is_lasting()) {
            None => Ok(()),
            Some(stream) => Err(Failure::with_help(
                format_args!(
                    "{} can be read once only, and each search reads it again",
                    in_a_line(stream.name())
                ),
                "save it as a file",
            )),
        }
    }

    /// Protects the inputs from being replaced by outputs.
    pub(super) fn protect(&self, guard: &mut Guard) {
        for file in self.sources.iter().filter_map(Source::file) {
            guard.protect(Role::Input, file);
        }
    }

    /// Returns the inputs that are files. They can be read again after the search.
    pub(super) fn files(&self) -> Vec<Source> {
        let files = self.sources.iter().filter(|source| source.file().is_some());
        files.cloned().collect()
    }

    /// Returns the inputs, in order.
    pub(super) fn sources(&self) -> &[Source] {
        &self.sources
    }

    /// Returns the inputs, in order.
    pub(super) fn into_sources(self) -> Vec<Source> {
        self.sources
    }

    /// Returns the number of bytes to read, or `None` if it is not known.
    pub(super) fn bytes(&self) -> Option<u64> {
        self.sources.iter().map(Source::plain_length).sum()
    }
}

/// Returns whether any source is a database that has games with variations. A database that can no longer be read counts as having none.
pub(super) fn any_has_variations(sources: &[Source]) -> bool {
    let mut archives = sources.iter().filter_map(|source| Archive::of_source(source).ok()?);
    archives.any(|archive| archive.has_variations().unwrap_or(false))
}
