//! Ctrl-C and other signals that ask a process to end.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Arc, Mutex};

use super::Exit;
use crate::search::Interrupt;

/// Signals that are handled. There has to be one before an output is begun, so that no signal leaves a part of it.
pub(super) struct Signals {
    /// What the first signal raises.
    pub(super) interrupt: Arc<Interrupt>,
    temporary: Arc<Mutex<Vec<PathBuf>>>,
}

impl Signals {
    /// Begins to handle signals. The first one raises the interrupt, the second one ends the process at once.
    pub(super) fn handle() -> Signals {
        let signals = Signals {
            interrupt: Arc::new(Interrupt::default()),
            temporary: Arc::default(),
        };
        let (raised, temporary) = (Arc::clone(&signals.interrupt), Arc::clone(&signals.temporary));
        let handler = move || {
            if raised.raise() {
                for path in temporary.lock().iter().flat_map(|paths| paths.iter()) {
                    let _ = fs::remove_file(path);
                }
                process::exit(Exit::Interrupted as i32);
            }
            say("interrupted: finishing what is begun; interrupt again to end at once");
        };
        // Without a handler a signal ends the run all the same; it only leaves the temporary files.
        let _ = ctrlc::set_handler(handler);
        signals
    }

    /// From now on, nothing is left of the unfinished outputs in `temporary` when the process ends at once.
    pub(super) fn remove<'a>(&self, temporary: impl IntoIterator<Item = &'a Path>) {
        if let Ok(mut paths) = self.temporary.lock() {
            paths.extend(temporary.into_iter().map(Path::to_path_buf));
        }
    }
}

/// Says that the output is that of the first `games` only.
pub(super) fn interrupted(games: u64) -> Exit {
    say(&format!(
        "interrupted: what was found in the first {games} games is written"
    ));
    Exit::Interrupted
}

fn say(line: &str) {
    // Nobody can be told that standard error is closed.
    let _ = writeln!(io::stderr(), "{line}");
}
