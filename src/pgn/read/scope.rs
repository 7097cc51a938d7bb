//! Which parts of a game are read, and the outcome of reading.

/// Which parts of a game are wanted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Scope {
    /// The positions of variations, not only those of the main line.
    pub variations: bool,
    /// Comments and annotation symbols.
    pub notes: bool,
    /// The contents of [`Commands`](crate::game::Commands): evaluations, clocks and judgements.
    pub commands: bool,
}

impl Scope {
    /// Everything, as needed for output.
    pub const ALL: Scope = Scope {
        variations: true,
        notes: true,
        commands: true,
    };
}

/// The outcome of reading a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// The game has been read.
    Read,
    /// The game was not wanted. It has its tags and its result, but no positions.
    Skipped,
    /// The game cannot be read from its beginning. It has its tags, its result and a warning that says why, but no positions.
    Unreadable,
    /// The game is no longer wanted. Its contents must not be used.
    GivenUp,
    /// There is no further game in the batch.
    End,
}
