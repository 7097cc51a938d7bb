//! How a command ends.

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// Something matches; what was checked is fine.
    Success = 0,
    /// Nothing matches.
    NoMatch = 1,
    /// It could not be found out.
    Error = 2,
    /// The time given by `--timeout` is over; the code of the command `timeout`.
    TimedOut = 124,
    /// A signal ended it. Its number is added, as shells have it.
    Interrupted = 128,
}
