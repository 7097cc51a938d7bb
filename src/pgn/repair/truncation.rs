//! What is left out of a game that has more moves in a line, deeper variations or more text than any game of chess needs, so that memory is
//! bounded for whoever reads it.

use super::Tidier;
use super::limits::Gap;
use super::problem::Fault;

impl Tidier {
    /// Whether a result that stands here is that of the game.
    pub(crate) fn is_in_main_line(&self) -> bool {
        self.lines.len() == 1 && self.gap.is_none_or(|gap| gap.nested == 0)
    }

    /// Drops what has been read inside of a gap, or begins one where there is enough.
    pub(crate) fn look_for_gap(&mut self, at: usize) {
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
    pub(crate) fn drop_gap(&mut self, at: usize) {
        if let Some(gap) = self.gap
            && self.moves.len() > gap.start
        {
            self.fault(at, self.has_enough().unwrap_or(Fault::TooDeep));
            self.moves.truncate(gap.start);
        }
    }

    /// Whether a parenthesis belongs to a gap, or to a variation that is too deep and begins one.
    pub(crate) fn passes_over(&mut self, opens: bool, at: usize) -> bool {
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
