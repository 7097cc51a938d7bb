//! Leaves out what exceeds the limits of a game: moves of a line, depth of variations, text.

use super::Rewriter;
use super::defect::Defect;
use super::limits::Omission;

impl Rewriter {
    /// Returns whether a result here is that of the game.
    pub(crate) fn is_in_main_line(&self) -> bool {
        self.lines.len() == 1 && self.omission.is_none_or(|omission| omission.nested == 0)
    }

    /// Drops what was read inside an omission, or begins one if a limit is reached.
    pub(crate) fn look_for_omission(&mut self, at: usize) {
        self.make_room(0);
        if self.omission.is_some() {
            self.drop_omitted(at);
        } else if self.has_enough().is_some() {
            self.omission = Some(Omission {
                start: self.moves.len(),
                nested: 0,
                is_variation: false,
            });
        }
    }

    /// Returns the limit that the line has reached.
    fn has_enough(&self) -> Option<Defect> {
        if self.moves.len() >= self.limits.text {
            Some(Defect::TOO_LONG)
        } else {
            (self.open_moves >= self.limits.moves).then_some(Defect::TOO_MANY_MOVES)
        }
    }

    /// Drops what was read inside an omission.
    pub(crate) fn drop_omitted(&mut self, at: usize) {
        if let Some(omission) = self.omission
            && self.moves.len() > omission.start
        {
            self.defect(at, self.has_enough().unwrap_or(Defect::TOO_DEEP));
            self.moves.truncate(omission.start);
        }
    }

    /// Returns whether a parenthesis belongs to an omission, or to a variation that is too deep and starts one.
    pub(crate) fn passes_over(&mut self, opens: bool, at: usize) -> bool {
        match (&mut self.omission, opens) {
            (Some(omission), true) => omission.nested += 1,
            (Some(omission), false) if omission.nested > 0 => {
                omission.nested -= 1;
                if omission.nested == 0 && omission.is_variation {
                    self.omission = None;
                }
            }
            (Some(_), false) => {
                self.omission = None;
                return false;
            }
            (None, true) if self.lines.len() > self.limits.nested => {
                self.defect(at, Defect::TOO_DEEP);
                self.omission = Some(Omission {
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
