//! Narrows the squares of pieces that are in line or attack each other: if one end of a line is known, few squares are left for the other.

use shakmaty::attacks::attacks;
use shakmaty::{Color, Square};

use super::condition::{Prefilter, all};
use crate::board::fill::lines_through;
use crate::board::{Bitboard, Contents};
use crate::query::algebra::{BoardCond, Lines, Pieces};

/// Returns what holds where a piece of `from` is in line with a piece of `to`.
pub(super) fn in_line(from: Pieces, to: Pieces, lines: Lines) -> Prefilter {
    let through = |squares| lines.through(squares);
    let [from, to] = connected(from, to, through, through);
    let standing = [from.standing(1), to.standing(1)];
    // A piece on a line through the only possible square is in line with it.
    let is_settled = from.squares.count() <= 1 || to.squares.count() <= 1;
    let line = (!is_settled).then(|| Prefilter::of_board(BoardCond::InLine(from, to, lines)));
    all(standing.into_iter().chain(line).collect())
}

/// Returns what holds where at least this many of `from` attack a piece of `to`.
pub(super) fn reach(from: Pieces, to: Pieces, least: u32) -> Prefilter {
    let from = Pieces {
        contents: from.contents & Contents::PIECES,
        ..from
    };
    let sources = |targets| from.aiming_at(targets);
    let [from, to] = connected(from, to, sources, |squares| from.aims(squares));
    all(vec![from.standing(least), to.standing(1)])
}

/// Narrows each kind of piece to the squares that can be connected with a square of the other. `sources` returns the squares from which one
/// of the given squares can be reached, and `targets` the squares that can be reached. Neither is called if all squares are possible.
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
    /// Returns the squares from which one of them would attack one of `targets` if nothing were between them.
    fn aiming_at(self, targets: Bitboard) -> Bitboard {
        let aims = |square: &Square| !self.aims((*square).into()).is_disjoint(targets);
        Bitboard::FULL.into_iter().filter(aims).collect()
    }

    /// Returns the squares that one of them would attack from one of these squares on an otherwise empty board.
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
    /// Returns all other squares in line with one of these squares.
    fn through(self, squares: Bitboard) -> Bitboard {
        let through = |square: Square| lines_through(square.into(), self.straight, self.diagonal).without(square);
        squares.into_iter().map(through).fold(Bitboard::EMPTY, Bitboard::with)
    }
}
