//! Handles Ctrl-C and other signals that ask a process to end.
//!
//! Each part uses only those before it: `ignored`.

#[cfg(unix)]
mod ignored;

use std::io::{self, Write};
use std::process;
use std::sync::{Arc, OnceLock};
use std::thread;

use crate::cli::exit::Exit;
use crate::cli::failure::{cause_of_end, readable};
use crate::limits::Interrupt;
use crate::output::{self, Placed};
use crate::terminal::shown;

/// The number of the first signal that arrived.
static FIRST: OnceLock<u8> = OnceLock::new();

/// The number of Ctrl-C.
const INTERRUPT: u8 = 2;

impl Exit {
    /// Returns the exit code of the process. If a signal ended the run, its number is added.
    pub(crate) fn code(self) -> u8 {
        match self {
            Exit::Interrupted => self as u8 + number(),
            _ => self as u8,
        }
    }
}

/// Begins to handle signals. The first one raises the interrupt; the second one ends the process at once and removes unfinished outputs.
/// This must be called before an output is begun.
///
/// Signals that were ignored when the process started stay ignored.
pub(super) fn handle(interrupt: Interrupt) -> Arc<Interrupt> {
    let interrupt = Arc::new(interrupt);
    let raised = Arc::clone(&interrupt);
    on_each(move |signal| {
        FIRST.get_or_init(|| signal);
        if raised.raise() {
            let _no_more_begin = output::remove_unfinished();
            process::exit(Exit::Interrupted as i32 + i32::from(signal));
        }
        // If nobody reads standard error, the process can still be interrupted again.
        thread::spawn(|| say("interrupted: finishing what is begun; interrupt again to end at once"));
    });
    interrupt
}

/// Begins to handle signals for a command that runs until one arrives. The first one calls `end`; the second one ends the process at once.
#[cfg(feature = "ui")]
pub(super) fn until_ended(end: impl Fn() + Send + 'static) {
    on_each(move |signal| match FIRST.set(signal) {
        Ok(()) => end(),
        Err(_) => process::exit(Exit::Interrupted as i32 + i32::from(signal)),
    });
}

/// Returns the number of the signal that ends this run.
fn number() -> u8 {
    *FIRST.get_or_init(|| INTERRUPT)
}

/// Calls `observe` with the number of each signal that asks the process to end.
///
/// If that is not possible, a signal still ends the run, but temporary files remain.
#[cfg(unix)]
fn on_each(observe: impl Fn(u8) + Send + 'static) {
    let Ok(mut signals) = signal_hook::iterator::Signals::new(ignored::not_ignored()) else {
        return;
    };
    thread::spawn(move || {
        for signal in signals.forever() {
            observe(u8::try_from(signal).unwrap_or(INTERRUPT));
        }
    });
}

/// Calls `observe` whenever the process is asked to end.
#[cfg(windows)]
fn on_each(observe: impl Fn(u8) + Send + 'static) {
    let _ = ctrlc::set_handler(move || observe(INTERRUPT));
}

/// If the run was ended early, says that the outputs cover only the first `games`, and where they are.
pub(super) fn ended_early(interrupt: &Interrupt, games: u64, placed: &[Placed]) -> Option<Exit> {
    let cause = interrupt.cause().filter(|_| interrupt.was_acknowledged())?;
    let (why, exit) = cause_of_end(cause);
    let searched = match games {
        0 => "no game was searched to its end".to_owned(),
        1 => "what was found in the first game is written".to_owned(),
        _ => format!("what was found in the first {games} games is written"),
    };
    say(&format!("{why}: {searched}"));
    if interrupt.has_cut() {
        say("  without its end: there was no time to write all of it");
    }
    for place in placed {
        if let Placed::Beside { kept, written } = place {
            say(&format!("  to {}; {} is as it was", shown(written), shown(kept)));
        }
    }
    Some(exit)
}

/// Prints a line on standard error.
pub(super) fn say(line: &str) {
    // A failure to write to standard error cannot be reported.
    let _ = writeln!(io::stderr(), "{}", readable(line));
}
