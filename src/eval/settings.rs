//! What a search decides about an evaluation, apart from the query.

use std::sync::Arc;

use crate::eval::files::folder::Folder;
use crate::limits::Memory;

/// How often loops may go round at one position if nothing else is said.
const MOST_ROUNDS: u64 = 10_000_000;

/// What a search decides about an evaluation.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How often `loop`, `while` and loops over keys may go round at one position before they count as endless. Filters that
    /// are tried at many positions or squares may be evaluated ten times as often.
    pub max_rounds: u64,
    /// Where `readfile` and `writefile` find files. Without it they end the run.
    pub files: Option<Arc<Folder>>,
    /// How much memory what the queries make may take; one budget for all that have these settings.
    pub memory: Arc<Memory>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            max_rounds: MOST_ROUNDS,
            files: None,
            memory: Arc::default(),
        }
    }
}
