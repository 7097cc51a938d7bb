//! Shows long output through a pager, as git does.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::mem;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use crate::limits::locked;
use crate::output::Destination;
use crate::terminal::Visible;

/// Whether output goes through a pager.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub(super) struct Paging {
    /// Print straight to the terminal, not through $PAGER
    #[arg(long)]
    pub(super) no_pager: bool,
}

/// The default pager.
const PAGER: &str = "less";
/// The options of `less`, unless the user has set others: it ends at once if everything fits on the screen (`F`), shows colours (`R`), and
/// leaves the text on the screen when it ends (`X`).
const LESS: &str = "FRX";
/// Characters for which a command needs a shell.
const OF_SHELLS: &str = "|&;<>()$`\\\"'*?[#~=%\n";

/// The pager of standard output, if there is one. Dropping it ends the text and waits until the user has left the pager.
#[derive(Default)]
pub(super) struct Pages(Option<Pager>);

impl Pages {
    /// Creates the pager for standard output, if that is a terminal and the user has a pager. If the user leaves it before the text is
    /// complete, `when_left` is called.
    pub(super) fn of_terminal(paging: Paging, when_left: impl FnOnce() + Send + 'static) -> Pages {
        if paging.no_pager || !io::stdout().is_terminal() || !can_turn_pages() {
            return Pages(None);
        }
        let command = command(env::var("PAGER").ok().as_deref());
        Pages(command.map(|command| {
            let when_left = Box::new(when_left);
            Pager(Arc::new(Mutex::new(State::Waiting { command, when_left })))
        }))
    }

    /// Returns the destination for standard output. With `colors`, colours in the text are kept.
    pub(super) fn destination(&self, colors: bool) -> Destination {
        match &self.0 {
            Some(pager) => Destination::stream(Visible::at_terminal(pager.clone(), colors)),
            None if colors => Destination::colored_stdout(),
            None => Destination::stdout(),
        }
    }

    /// Returns the log of a run, for everything other than its output.
    pub(super) fn log(&self) -> Box<dyn Write> {
        match self.0.as_ref().filter(|_| io::stderr().is_terminal()) {
            Some(pager) => Box::new(Visible::at_terminal(PagedMessages(pager.clone()), false)),
            None => Box::new(Visible::new(io::stderr())),
        }
    }

    /// Returns whether the user has left the pager before the text was complete.
    pub(super) fn were_left(&self) -> bool {
        let pager = self.0.as_ref();
        pager.is_some_and(|Pager(state)| matches!(*locked(state), State::Left))
    }

    /// Ends the text and waits until the user has left the pager.
    pub(super) fn finish(&self) {
        let Some(Pager(state)) = &self.0 else { return };
        let end = {
            let mut state = locked(state);
            match &*state {
                State::Left => return,
                _ => mem::replace(&mut *state, State::Over),
            }
        };
        if let State::Running { pipe, end } = end {
            drop(pipe);
            // The thread only waits.
            let _ = end.join();
        }
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        self.finish();
    }
}

/// A pager that starts with the first text that it gets. Everyone who writes to it shares it.
#[derive(Clone)]
struct Pager(Arc<Mutex<State>>);

enum State {
    /// Nothing has been written yet.
    Waiting {
        command: Command,
        when_left: Box<dyn FnOnce() + Send>,
    },
    Running {
        pipe: ChildStdin,
        end: JoinHandle<()>,
    },
    /// There is no such program, so text goes to standard output.
    Missing,
    /// The text has ended.
    Over,
    /// The user has left the pager before the text was complete.
    Left,
}

impl Pager {
    /// Starts the pager, and waits for its end on a thread of its own.
    fn begin(&self, command: &mut Command, when_left: Box<dyn FnOnce() + Send>) -> State {
        let Ok(mut child) = command.stdin(Stdio::piped()).spawn() else {
            return State::Missing;
        };
        let Some(pipe) = child.stdin.take() else {
            return State::Missing;
        };
        let Pager(state) = self.clone();
        let end = thread::spawn(move || {
            // Whether the pager failed does not matter here.
            let _ = child.wait();
            let mut state = locked(&state);
            if let State::Running { .. } = *state {
                *state = State::Left;
                drop(state);
                when_left();
            }
        });
        State::Running { pipe, end }
    }
}

impl Write for Pager {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = locked(&self.0);
        if bytes.is_empty() {
            return Ok(0);
        }
        if matches!(*state, State::Waiting { .. })
            && let State::Waiting { mut command, when_left } = mem::replace(&mut *state, State::Missing)
        {
            *state = self.begin(&mut command, when_left);
        }
        match &mut *state {
            State::Running { pipe, .. } => pipe.write(bytes),
            State::Waiting { .. } | State::Missing => io::stdout().write(bytes),
            State::Over | State::Left => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut *locked(&self.0) {
            State::Running { pipe, .. } => pipe.flush(),
            State::Missing => io::stdout().flush(),
            State::Waiting { .. } | State::Over | State::Left => Ok(()),
        }
    }
}

/// The log of a run, through the pager as long as it has the screen, and otherwise to standard error.
struct PagedMessages(Pager);

impl Write for PagedMessages {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let State::Running { pipe, .. } = &mut *locked(&self.0.0) {
            return pipe.write(bytes);
        }
        io::stderr().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

/// Returns whether a pager can page on this terminal.
fn can_turn_pages() -> bool {
    let terminal = env::var_os("TERM");
    cfg!(windows) || terminal.is_some_and(|name| !name.is_empty() && name != "dumb")
}

/// Returns the command that $PAGER names, or `None` if it is empty or `cat`, which changes nothing.
fn command(pager: Option<&str>) -> Option<Command> {
    let pager = pager.unwrap_or(PAGER).trim();
    let mut words = pager.split_whitespace();
    let program = words.next().filter(|program| *program != "cat")?;
    let mut command = if pager.contains(|character| OF_SHELLS.contains(character)) && cfg!(unix) {
        let mut shell = Command::new("sh");
        shell.args(["-c", pager]);
        shell
    } else {
        let mut command = Command::new(program);
        command.args(words);
        command
    };
    if env::var_os("LESS").is_none() {
        command.env("LESS", LESS);
    }
    if env::var_os("LV").is_none() {
        command.env("LV", "-c");
    }
    Some(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pager_is_named_by_its_words_or_for_a_shell() {
        let shown = |pager| {
            let command = command(pager)?;
            let words = std::iter::once(command.get_program()).chain(command.get_args());
            Some(
                words
                    .map(|word| word.to_string_lossy().into_owned())
                    .collect::<Vec<_>>(),
            )
        };
        assert_eq!(shown(None).unwrap(), ["less"]);
        assert_eq!(shown(Some("less -S")).unwrap(), ["less", "-S"]);
        for none in ["", " ", "cat"] {
            assert_eq!(shown(Some(none)), None);
        }
        if cfg!(unix) {
            assert_eq!(shown(Some("head | cat")).unwrap(), ["sh", "-c", "head | cat"]);
        }
    }
}
