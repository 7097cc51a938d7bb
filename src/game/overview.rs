//! Facts about all positions of a game together. They are computed on first use.

use super::tree::Game;
use crate::board::PieceCounts;
use crate::chess::{MoveKind, Position};

impl Game {
    /// Returns the greatest number of plies before a position.
    pub(crate) fn most_plies(&self) -> u32 {
        u32::try_from(self.len()).unwrap_or(u32::MAX).saturating_sub(1)
    }

    /// Returns the least and the most pieces of each kind at its positions; `None` if the positions are missing.
    pub(crate) fn piece_counts(&self) -> Option<[PieceCounts; 2]> {
        let count = || {
            let promotes = |position: &Position| position.arrival.promotion.is_some();
            let may_grow = self.has_own_rules() || !self.is_line() || self.positions.iter().any(promotes);
            least_and_most(&self.positions, may_grow)
        };
        (!self.positions.is_empty()).then(|| *self.derived.piece_counts.get_or_init(count))
    }
}

/// Returns the least and the greatest numbers of pieces in successive positions. If the numbers cannot grow, the first and
/// the last position determine them.
pub(crate) fn least_and_most(positions: &[Position], may_grow: bool) -> [PieceCounts; 2] {
    let counts = |position: &Position| PieceCounts::of(&position.board);
    let (Some(first), Some(last)) = (positions.first(), positions.last()) else {
        return Default::default();
    };
    if !may_grow {
        return [counts(last), counts(first)];
    }
    let changed = positions.iter().filter(|position| may_change_pieces(position));
    changed.map(counts).fold([counts(first); 2], |[least, most], counts| {
        [least.least(counts), most.most(counts)]
    })
}

/// Returns whether the move that led to a position may have changed the pieces on the board.
fn may_change_pieces(position: &Position) -> bool {
    let arrival = &position.arrival;
    let is_usual = matches!(arrival.kind, MoveKind::Normal | MoveKind::Castle(_) | MoveKind::Null);
    !is_usual || arrival.captured.is_some() || arrival.promotion.is_some()
}
