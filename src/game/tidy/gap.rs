//! What is left out of a game that has more moves in a line, deeper variations or more text than any game of chess needs, so that memory is
//! bounded for whoever reads it.

use super::{Fault, Tidier};
use crate::game::split::LONGEST_GAME;

/// How much of a game is taken.
#[derive(Clone, Copy, Debug)]
pub(in crate::game) struct Limits {
    /// Tags.
    pub(in crate::game) tags: usize,
    /// Bytes of tags.
    pub(in crate::game) tag_bytes: usize,
    /// Moves of a line and of all lines that it branches off from. No game of chess by the rules of today has a tenth of them.
    pub(in crate::game) moves: usize,
    /// Variations inside of each other.
    pub(in crate::game) nested: usize,
    /// Bytes of canonical movetext.
    pub(in crate::game) text: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
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
pub(super) struct Gap {
    /// Where it is in the canonical movetext.
    start: usize,
    /// How many variations are open in it.
    nested: usize,
    /// It is a variation. It ends with the last one that is open; the rest of a line ends with the line.
    is_variation: bool,
}

impl Tidier {
    /// Whether a result that stands here is that of the game.
    pub(super) fn is_in_main_line(&self) -> bool {
        self.lines.len() == 1 && self.gap.is_none_or(|gap| gap.nested == 0)
    }

    /// Drops what has been read inside of a gap, or begins one where there is enough.
    pub(super) fn look_for_gap(&mut self, at: usize) {
        self.make_room(0);
        if self.gap.is_some() {
            self.drop_gap(at);
        } else if self.has_enough().is_some() {
            self.gap = Some(Gap {
                start: self.moves.len(),
                nested: 0,
                is_variation: false,
            });
        }
    }

    /// Why nothing more of the line is taken.
    fn has_enough(&self) -> Option<Fault> {
        if self.moves.len() >= self.limits.text {
            Some(Fault::TooLong)
        } else {
            (self.open_moves >= self.limits.moves).then_some(Fault::TooManyMoves)
        }
    }

    /// Drops what has been read inside of a gap.
    pub(super) fn drop_gap(&mut self, at: usize) {
        if let Some(gap) = self.gap
            && self.moves.len() > gap.start
        {
            self.fault(at, self.has_enough().unwrap_or(Fault::TooDeep));
            self.moves.truncate(gap.start);
        }
    }

    /// Whether a parenthesis belongs to a gap, or to a variation that is too deep and begins one.
    pub(super) fn passes_over(&mut self, opens: bool, at: usize) -> bool {
        match (&mut self.gap, opens) {
            (Some(gap), true) => gap.nested += 1,
            (Some(gap), false) if gap.nested > 0 => {
                gap.nested -= 1;
                if gap.nested == 0 && gap.is_variation {
                    self.gap = None;
                }
            }
            (Some(_), false) => {
                self.gap = None;
                return false;
            }
            (None, true) if self.lines.len() > self.limits.nested => {
                self.fault(at, Fault::TooDeep);
                self.gap = Some(Gap {
                    start: self.moves.len(),
                    nested: 1,
                    is_variation: true,
                });
            }
            (None, _) => return false,
        }
        self.number = None;
        true
    }
}
