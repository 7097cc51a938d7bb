//! The exit codes of commands.

/// The result of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// Something matches, or everything that was checked is fine.
    Success = 0,
    /// Nothing matches.
    NoMatch = 1,
    /// The command failed.
    Error = 2,
    /// The time given by `--timeout` is over. This is the exit code of the command `timeout`.
    TimedOut = 124,
    /// A signal ended it. As in shells, the number of the signal is added.
    Interrupted = 128,
}
