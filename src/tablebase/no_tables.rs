//! What stands for tablebases where skewer is built without `tablebase`: none.

use std::path::PathBuf;
use std::sync::Arc;

use super::{Endgame, Metric, Unknown, Unreadable};

/// There are no tablebases.
#[derive(Clone, Copy, Debug)]
pub enum Tablebase {}

impl Tablebase {
    /// There are none in any folder.
    pub fn in_folders(_folders: &[PathBuf]) -> Option<Arc<Tablebase>> {
        None
    }

    /// There are none, whatever the environment says.
    #[cfg(feature = "lsp")]
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
