//! What all positions of a game have in common. It is computed on first use.

use shakmaty::Color;

use super::tree::Game;
use crate::board::columns::{Boards, Column, LANES, Parts};
use crate::board::processor::for_this_processor;
use crate::board::{Bitboard, Contents, PieceCounts};
use crate::chess::{MoveKind, Position};

impl Game {
    /// How many plies come before a position at most.
    pub(crate) fn most_plies(&self) -> u32 {
        u32::try_from(self.len()).unwrap_or(u32::MAX).saturating_sub(1)
    }

    /// The least and the most pieces of each kind at its positions, if they are there.
    pub(crate) fn piece_counts(&self) -> Option<[PieceCounts; 2]> {
        let count = || {
            let promotes = |position: &Position| position.arrival.promotion.is_some();
            let may_grow = self.has_own_rules() || !self.is_line() || self.positions.iter().any(promotes);
            least_and_most(&self.positions, may_grow)
        };
        (!self.positions.is_empty()).then(|| *self.derived.overview.counts.get_or_init(count))
    }

    /// The squares that have one of some contents at one position or another, as far as the boards stand side by side.
    pub(crate) fn ever_on(&self, contents: Contents) -> Option<Bitboard> {
        let mut ever = Bitboard::EMPTY;
        for bit in Bitboard(u64::from(contents.0)) {
            let known = self.derived.overview.ever.get(bit.to_usize())?;
            ever |= match known.get() {
                Some(squares) => *squares,
                None => {
                    let squares = self.ever_on_one(Contents(1 << bit.to_usize()))?;
                    *known.get_or_init(|| squares)
                }
            };
        }
        Some(ever)
    }

    /// The same for contents of one kind, from the boards.
    #[inline(never)]
    fn ever_on_one(&self, contents: Contents) -> Option<Bitboard> {
        if !self.has_all_columns() {
            return None;
        }
        let kind = contents.only_kind();
        let parts = match kind {
            Some((color, role)) => [Parts::role(role), Parts::color(color)],
            None => Color::ALL.map(Parts::color),
        };
        if !parts.into_iter().all(|part| self.derived.parts.has(part)) {
            return None;
        }
        match kind {
            Some((color, role)) => for_this_processor!(self.joined(|boards| boards.pieces(color, role))),
            None => for_this_processor!(self.joined(Boards::empty)),
        }
    }

    /// The squares that `of_block` finds at one position or another, if there are boards.
    #[inline(always)]
    fn joined(&self, of_block: impl Fn(&Boards) -> Column) -> Option<Bitboard> {
        let (last, full) = self.columns().split_last()?;
        let squares = full
            .iter()
            .fold(Column::default(), |all, boards| all | of_block(boards));
        let in_last = self.len() - full.len() * LANES;
        Some(squares.joined(LANES) | of_block(last).joined(in_last))
    }
}

/// The numbers of the pieces in successive positions, at their least and at their most; if they do not grow, the first position and
/// the last say it.
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

/// Whether other pieces may be on the board than before the move that led to a position.
fn may_change_pieces(position: &Position) -> bool {
    let arrival = &position.arrival;
    let is_usual = matches!(arrival.kind, MoveKind::Normal | MoveKind::Castle(_) | MoveKind::Null);
    !is_usual || arrival.captured.is_some() || arrival.promotion.is_some()
}
