//! A stand-in for tablebases in builds of skewer without `tablebase`.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Endgame, Metric, Unknown, Unreadable};

/// A tablebase, which cannot exist in this build.
#[derive(Clone, Copy, Debug)]
pub enum Tablebase {}

impl Tablebase {
    /// Returns `None`, whatever the folders.
    pub fn in_folders(_folders: &[PathBuf]) -> Option<Arc<Tablebase>> {
        None
    }

    /// Returns `None`, whatever the environment says.
    pub fn of_environment() -> Option<Arc<Tablebase>> {
        None
    }

    pub(crate) fn most_men(&self) -> Result<u32, &Unreadable> {
        match *self {}
    }

    pub(crate) fn probe(&self, _metric: Metric, _endgame: &Endgame) -> Result<i32, Unknown> {
        match *self {}
    }
}
