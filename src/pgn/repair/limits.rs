//! How much of a game is taken, so that memory is bounded for whoever reads it.

/// A buffer that has grown beyond this for a long game is not kept for the next.
pub(crate) const USUAL_BUFFER: usize = 1 << 22;

/// A game that is longer than this is cut short: whoever makes a database of it needs its text five times.
pub(crate) const LONGEST_GAME: usize = 48 << 20;

/// How much of a game is taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameLimits {
    /// Tags.
    pub(crate) tags: usize,
    /// Bytes of tags.
    pub(crate) tag_bytes: usize,
    /// Moves of a line and of all lines that it branches off from. No game of chess by the rules of today has a tenth of them.
    pub(crate) moves: usize,
    /// Variations inside of each other.
    pub(crate) nested: usize,
    /// Bytes of canonical movetext.
    pub(crate) text: usize,
}

impl Default for GameLimits {
    fn default() -> GameLimits {
        GameLimits {
            tags: 10_000,
            tag_bytes: 16 << 20,
            moves: 1 << 18,
            nested: 1 << 15,
            text: LONGEST_GAME,
        }
    }
}

/// A part of the movetext that is left out: what is left of a line of moves, or a variation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Omission {
    /// Where it is in the canonical movetext.
    pub(super) start: usize,
    /// How many variations are open in it.
    pub(super) nested: usize,
    /// It is a variation. It ends with the last one that is open; the rest of a line ends with the line.
    pub(super) is_variation: bool,
}
