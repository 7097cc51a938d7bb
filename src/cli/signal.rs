//! Ctrl-C and other signals that ask a process to end.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process;
use std::sync::Arc;

use super::Exit;
use crate::search::Interrupt;

/// An interrupt that the first signal raises. The second one ends the process at once and leaves nothing of the unfinished
/// outputs in `temporary`.
pub(super) fn handled<'a>(temporary: impl IntoIterator<Item = &'a Path>) -> Arc<Interrupt> {
    let interrupt = Arc::new(Interrupt::default());
    let raised = Arc::clone(&interrupt);
    let temporary: Vec<_> = temporary.into_iter().map(Path::to_path_buf).collect();
    let handler = move || {
        if raised.raise() {
            for path in &temporary {
                let _ = fs::remove_file(path);
            }
            process::exit(Exit::Interrupted as i32);
        }
        say("interrupted: finishing what is begun; interrupt again to end at once");
    };
    // Without a handler a signal ends the run all the same; it only leaves the temporary file.
    let _ = ctrlc::set_handler(handler);
    interrupt
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
