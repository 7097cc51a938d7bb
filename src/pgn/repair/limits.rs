//! Limits on the size of a game, which bound the memory of its readers.

/// The largest buffer that is kept after a long game.
pub(crate) const USUAL_BUFFER: usize = 1 << 22;

/// The longest game. Longer ones are cut short, as making a database needs the text of a game five times.
pub(crate) const LONGEST_GAME: usize = 48 << 20;

/// The largest amounts that are taken from a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameLimits {
    /// Tags.
    pub(crate) tags: usize,
    /// Bytes of tags.
    pub(crate) tag_bytes: usize,
    /// Moves of a line and of all lines that it branches off from. A game of chess by today's rules has less than a tenth of them.
    pub(crate) moves: usize,
    /// Nested variations.
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

/// A part of the movetext that is left out: the rest of a line of moves, or a variation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Omission {
    /// Its start in the canonical movetext.
    pub(super) start: usize,
    /// The number of open variations in it.
    pub(super) nested: usize,
    /// Whether it is a variation. It ends with the last open variation; the rest of a line ends with the line.
    pub(super) is_variation: bool,
}
