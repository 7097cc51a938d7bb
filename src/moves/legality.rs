//! Decides whether a pseudolegal move is legal: checks, pins, and attacks on the squares of the king.

use shakmaty::attacks;

use crate::board::attacked::{attacked, leapers_to, sliders_aiming_at};
use crate::board::between::between;
use crate::board::{Bitboard, Board, Color, Role, Square};

/// The checks and pins that decide whether a pseudolegal move is legal.
pub(crate) struct Legality {
    /// The king that is checked.
    pub(crate) king: Option<Square>,
    /// The pieces that give check.
    pub(crate) checkers: Bitboard,
    /// The pieces that may only move along the line to their king.
    pub(crate) pinned: Bitboard,
    /// The squares where a piece other than the king ends a check: all squares if there is no check.
    pub(crate) evasions: Bitboard,
}

impl Legality {
    /// Returns the checks and pins of a colour's king.
    #[inline]
    pub(crate) fn of(board: &Board, us: Color) -> Legality {
        let (own, them) = (*board.colors.get(us), *board.colors.get(!us));
        let Some(king) = board.pieces(us, Role::King).first() else {
            return Legality {
                king: None,
                checkers: Bitboard::EMPTY,
                pinned: Bitboard::EMPTY,
                evasions: Bitboard::FULL,
            };
        };
        let (checkers, pinned) = checkers_and_blockers(board, king, them, own);
        Legality {
            king: Some(king),
            checkers,
            pinned,
            evasions: evasions(king, checkers),
        }
    }

    /// Returns the squares where a piece other than the king may arrive without leaving the king in check.
    #[inline]
    pub(crate) fn allow(&self, from: Square) -> Bitboard {
        match self.king {
            Some(king) if self.pinned.contains(from) => self.evasions & attacks::ray(king, from),
            _ => self.evasions,
        }
    }
}

/// Returns those of `attackers` that give check to a king, and those of `blockers` that are the only piece between the king and such a slider.
/// Few sliders are in line with a king, so they are checked one by one.
///
/// Source: chessprogramming wiki, "Checks and Pinned Pieces (Bitboards)".
#[inline]
pub(super) fn checkers_and_blockers(
    board: &Board,
    king: Square,
    attackers: Bitboard,
    blockers: Bitboard,
) -> (Bitboard, Bitboard) {
    let (mut checkers, mut alone) = (leapers_to(board, king) & attackers, Bitboard::EMPTY);
    for slider in sliders_aiming_at(board, king) & attackers {
        let between = between(king, slider) & board.occupied();
        if between.is_empty() {
            checkers.add(slider);
        } else if !between.more_than_one() {
            alone |= between & blockers;
        }
    }
    (checkers, alone)
}

/// Returns the squares where a piece other than the king ends a check: all squares if there is no check.
fn evasions(king: Square, checkers: Bitboard) -> Bitboard {
    match checkers.single_square() {
        Some(checker) => between(king, checker) | Bitboard::from(checker),
        None if checkers.is_empty() => Bitboard::FULL,
        None => Bitboard::EMPTY,
    }
}

/// Returns those of the reached squares on which the king is not attacked. Each is tested when the iterator comes to it.
#[inline]
pub(crate) fn safe_for_king(board: &Board, us: Color, king: Square, reached: Bitboard) -> impl Iterator<Item = Square> {
    let them = *board.colors.get(!us);
    let occupied = board.occupied() & !Bitboard::from(king);
    let is_safe = move |to: &Square| !attacked(board, them, !us, occupied, *to);
    reached.into_iter().filter(is_safe)
}
