//! Narrows the squares of pieces that stand in line or attack each other: if one end of a line is known, few squares are left for the other.

use shakmaty::attacks::attacks;
use shakmaty::{Color, Square};

use super::condition::{Prefilter, all};
use crate::board::fill::lines_through;
use crate::board::{Bitboard, Contents};
use crate::query::algebra::{BoardCond, Lines, Pieces};

/// What holds where some pieces are in line with others.
pub(super) fn in_line(from: Pieces, to: Pieces, lines: Lines) -> Prefilter {
    let through = |squares| lines.through(squares);
    let [from, to] = connected(from, to, through, through);
    let standing = [from.standing(1), to.standing(1)];
    // What is on a line through the only square that comes into question is in line with it.
    let is_settled = from.squares.count() <= 1 || to.squares.count() <= 1;
    let line = (!is_settled).then(|| Prefilter::of_board(BoardCond::InLine(from, to, lines)));
    all(standing.into_iter().chain(line).collect())
}

/// What holds where this many pieces attack others.
pub(super) fn reach(from: Pieces, to: Pieces, least: u32) -> Prefilter {
    let from = Pieces {
        contents: from.contents & Contents::PIECES,
        ..from
    };
    let sources = |targets| from.aiming_at(targets);
    let [from, to] = connected(from, to, sources, |squares| from.aims(squares));
    all(vec![from.standing(least), to.standing(1)])
}

/// Of some pieces those that can be connected with one of the others, and the other way round. `sources` says from which squares one of
/// some squares is reached, `targets` which squares are; where all squares come into question, neither is asked.
fn connected(
    from: Pieces,
    to: Pieces,
    sources: impl Fn(Bitboard) -> Bitboard,
    targets: impl Fn(Bitboard) -> Bitboard,
) -> [Pieces; 2] {
    let from = match to.squares {
        Bitboard::FULL => from,
        squares => from.on(sources(squares)),
    };
    let to = match from.squares {
        Bitboard::FULL => to,
        squares => to.on(targets(squares)),
    };
    [from, to]
}

impl Pieces {
    /// Where one of them would attack something on one of some squares, if nothing were between them.
    fn aiming_at(self, targets: Bitboard) -> Bitboard {
        let aims = |square: &Square| !self.aims((*square).into()).is_disjoint(targets);
        Bitboard::FULL.into_iter().filter(aims).collect()
    }

    /// What one of them would attack from one of some squares, if nothing else were on the board.
    fn aims(self, squares: Bitboard) -> Bitboard {
        let kinds = || {
            Color::ALL.into_iter().flat_map(move |color| {
                let roles = self.contents.roles(color);
                roles.map(move |role| role.of(color))
            })
        };
        let from = |square| kinds().map(move |kind| attacks(square, kind, Bitboard::EMPTY));
        squares.into_iter().flat_map(from).fold(Bitboard::EMPTY, Bitboard::with)
    }
}

impl Lines {
    /// All other squares that are in line with one of some squares.
    fn through(self, squares: Bitboard) -> Bitboard {
        let through = |square: Square| lines_through(square.into(), self.straight, self.diagonal).without(square);
        squares.into_iter().map(through).fold(Bitboard::EMPTY, Bitboard::with)
    }
}
