//! How much of a game is read, and what becomes of it.

/// How much of a game is wanted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Scope {
    /// The positions of variations, not only those of the main line.
    pub variations: bool,
    /// Comments and annotation symbols.
    pub notes: bool,
    /// What [`Commands`](crate::game::Commands) holds: evaluations, clocks and judgements.
    pub commands: bool,
}

impl Scope {
    /// Everything, as the output needs it.
    pub const ALL: Scope = Scope {
        variations: true,
        notes: true,
        commands: true,
    };
}

/// What became of a request to read a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reading {
    /// The game has been read.
    Read,
    /// The game was not wanted; it has its tags and its result, but no positions.
    Skipped,
    /// The game cannot be read from its beginning; it has its tags, its result and a warning that says why, but no positions.
    Unreadable,
    /// Nobody wants the game any more; what it has counts for nothing.
    GivenUp,
    /// There is no further game in the batch.
    End,
}
