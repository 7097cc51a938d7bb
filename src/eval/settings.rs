//! Settings of an evaluation that the search decides, not the query.

use std::sync::Arc;

use crate::eval::files::folder::Folder;
use crate::limits::Memory;

/// The default limit of loop rounds at one position.
const MOST_ROUNDS: u64 = 10_000_000;

/// Settings of an evaluation that the search decides.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How often `loop`, `while` and loops over keys may repeat at one position before they count as endless. Filters
    /// tried at many positions or squares may be evaluated ten times as often.
    pub max_rounds: u64,
    /// The folder for `readfile` and `writefile`. Without it they end the run.
    pub files: Option<Arc<Folder>>,
    /// The memory budget of the queries, shared by all evaluations with these settings.
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
