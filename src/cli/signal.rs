//! Ctrl-C and other signals that ask a process to end.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Arc, OnceLock};

use super::Exit;
use crate::output::Totals;
use crate::search::Interrupt;

/// Signals that are handled. There has to be one before the output is begun, so that no signal leaves a part of it.
pub(super) struct Signals {
    /// What the first signal raises.
    pub(super) interrupt: Arc<Interrupt>,
    temporary: Arc<OnceLock<PathBuf>>,
}

impl Signals {
    /// Begins to handle signals. The first one raises the interrupt, the second one ends the process at once.
    pub(super) fn handle() -> Signals {
        let interrupt = Arc::new(Interrupt::default());
        let temporary = Arc::new(OnceLock::<PathBuf>::new());
        let (raised, left) = (Arc::clone(&interrupt), Arc::clone(&temporary));
        let handler = move || {
            if raised.raise() {
                if let Some(path) = left.get() {
                    let _ = fs::remove_file(path);
                }
                process::exit(Exit::Interrupted as i32);
            }
            say("interrupted: finishing what is begun; interrupt again to end at once");
        };
        // Without a handler a signal ends the run all the same; it only leaves the temporary file.
        let _ = ctrlc::set_handler(handler);
        Signals { interrupt, temporary }
    }

    /// From now on, nothing is left of the unfinished output in `temporary` when the process ends at once.
    pub(super) fn remove(&self, temporary: Option<&Path>) {
        if let Some(path) = temporary {
            // There is one output.
            let _ = self.temporary.set(path.to_path_buf());
        }
    }
}

/// Says that the output is that of the first games only.
pub(super) fn interrupted(totals: Totals) -> Exit {
    say(&format!(
        "interrupted: what was found in the first {} games is written",
        totals.games
    ));
    Exit::Interrupted
}

fn say(line: &str) {
    // Nobody can be told that standard error is closed.
    let _ = writeln!(io::stderr(), "{line}");
}
