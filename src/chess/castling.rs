//! Castling rights as sets of rooks, so that Chess960 needs no code of its own.

use std::fmt::Write as _;

use shakmaty::{Bitboard, CastlingSide, Color, File, Rank, Role, Square, attacks};

use crate::board::Board;
use crate::board::attacked::attacked;

/// The rooks with which the sides may castle, now or later.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rights(pub Bitboard);

/// The squares of king and rook before they castle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Castlers {
    /// The king's square.
    pub king: Square,
    /// The rook's square.
    pub rook: Square,
}

impl Castlers {
    /// Returns king and rook of the usual start.
    pub(crate) fn usual(color: Color, side: CastlingSide) -> Castlers {
        let rank = home_rank(color);
        let corner = if side.is_king_side() { File::H } else { File::A };
        Castlers {
            king: Square::from_coords(File::E, rank),
            rook: Square::from_coords(corner, rank),
        }
    }

    /// Returns the square where the king arrives.
    #[inline]
    pub(crate) fn arrival(self, side: CastlingSide) -> Square {
        Square::from_coords(side.king_to_file(), self.king.rank())
    }

    /// Returns the square where the king arrives if both are on their squares, nothing is in their way and no square on the king's way is
    /// attacked. Earlier moves do not count.
    pub fn can_castle(self, board: &Board, us: Color, side: CastlingSide) -> Option<Square> {
        if !self.is_way_free(board, us, side) {
            return None;
        }
        let Castlers { king, rook } = self;
        let to = self.arrival(side);
        let rook_to = Square::from_coords(side.rook_to_file(), king.rank());
        let them = *board.colors.get(!us);
        let is_safe = |occupied: Bitboard, square| !attacked(board, them, !us, occupied, square);
        // On its way, the king has the rook next to it; on arrival, the rook is on its new square.
        let before = board.occupied() & !Bitboard::from(king);
        let after = (before & !Bitboard::from(rook)) | Bitboard::from(rook_to);
        let may = way(king, to).into_iter().all(|square| is_safe(before, square)) && is_safe(after, to);
        may.then_some(to)
    }

    /// Returns whether king and rook are on their squares and nothing is in their way.
    pub(crate) fn is_way_free(self, board: &Board, us: Color, side: CastlingSide) -> bool {
        let Castlers { king, rook } = self;
        if !board.pieces(us, Role::King).contains(king) || !board.pieces(us, Role::Rook).contains(rook) {
            return false;
        }
        let to = self.arrival(side);
        let rook_to = Square::from_coords(side.rook_to_file(), king.rank());
        let others = board.occupied() & !Bitboard::from(king) & !Bitboard::from(rook);
        (others & (way(king, to) | way(rook, rook_to))).is_empty()
    }
}

/// Returns the squares from one square to another, including both.
fn way(from: Square, to: Square) -> Bitboard {
    attacks::between(from, to) | Bitboard::from(from) | Bitboard::from(to)
}

/// Returns the rank on which a side castles.
pub(crate) fn home_rank(color: Color) -> Rank {
    color.fold_wb(Rank::First, Rank::Eighth)
}

impl Rights {
    /// The rights of the usual start.
    pub const USUAL: Rights = Rights(Bitboard::CORNERS);

    /// Returns the rights for which king and rook are on their squares of the usual start.
    pub(crate) fn at_home(board: &Board) -> Rights {
        let of = |color: Color, side: CastlingSide| {
            let Castlers { king, rook } = Castlers::usual(color, side);
            let stand =
                board.pieces(color, Role::King).contains(king) && board.pieces(color, Role::Rook).contains(rook);
            stand.then_some(rook)
        };
        let sides = |color: Color| CastlingSide::ALL.into_iter().filter_map(move |side| of(color, side));
        Rights(Color::ALL.into_iter().flat_map(sides).collect())
    }

    /// Reads the castling field of a FEN: `KQkq` for the outermost rook on a side of the king (X-FEN), letters of
    /// files for any rook (Shredder-FEN), `-` for none. Letters are ignored if king or rook are on no square from which they could
    /// castle. Returns `None` if there are other letters.
    pub(crate) fn given(board: &Board, field: &str) -> Option<Rights> {
        if field == "-" {
            return Some(Rights::default());
        }
        let mut rooks = Bitboard::EMPTY;
        for letter in field.chars() {
            let color = Color::from_white(letter.is_ascii_uppercase());
            let file = match letter.to_ascii_lowercase() {
                'k' | 'q' => None,
                letter => Some(File::from_char(letter)?),
            };
            let home = Bitboard::from(home_rank(color));
            let mine = board.pieces(color, Role::Rook) & home;
            let Some(king) = (board.pieces(color, Role::King) & home).first() else {
                continue;
            };
            rooks |= match file {
                Some(file) => mine & Bitboard::from(file),
                None if letter.eq_ignore_ascii_case(&'k') => last(mine & beyond(king, CastlingSide::KingSide)),
                None => first(mine & beyond(king, CastlingSide::QueenSide)),
            };
        }
        Some(Rights(rooks).outermost(board))
    }

    /// Returns the rights for one rook on each side of a king, the outermost.
    fn outermost(self, board: &Board) -> Rights {
        let kings = board.roles.king.into_iter();
        let rooks = kings.flat_map(|king| CastlingSide::ALL.map(|side| self.rook(king, side)));
        Rights(rooks.flatten().collect::<Bitboard>() & self.0)
    }

    /// Returns the rook that castles to a side with a king on its first square.
    pub(crate) fn rook(self, king: Square, side: CastlingSide) -> Option<Square> {
        let rooks = self.0 & Bitboard::from(king.rank()) & beyond(king, side);
        if side.is_king_side() {
            rooks.last()
        } else {
            rooks.first()
        }
    }

    /// Returns whether there is any right.
    pub(crate) fn any(self) -> bool {
        self.0.any()
    }

    /// Writes the castling field of a FEN in X-FEN: `KQkq`, or the letter of the file if another rook is further out.
    pub(crate) fn write(self, board: &Board, out: &mut String) {
        if !self.any() {
            out.push('-');
        }
        for color in Color::ALL {
            let home = Bitboard::from(home_rank(color));
            let king = (board.pieces(color, Role::King) & home).first();
            let rooks = board.pieces(color, Role::Rook) & home;
            for rook in (self.0 & home).into_iter().rev() {
                let letter = if king.is_some_and(|king| king < rook) && rooks.last() == Some(rook) {
                    'k'
                } else if king.is_some_and(|king| rook < king) && rooks.first() == Some(rook) {
                    'q'
                } else {
                    rook.file().char()
                };
                // Writing to a string cannot fail.
                let _ = out.write_char(color.fold_wb(letter.to_ascii_uppercase(), letter));
            }
        }
    }
}

/// Returns the squares of the king's rank on one side of it.
fn beyond(king: Square, side: CastlingSide) -> Bitboard {
    let on_side = |square: &Square| (king < *square) == side.is_king_side() && *square != king;
    Bitboard::from(king.rank()).into_iter().filter(on_side).collect()
}

fn first(squares: Bitboard) -> Bitboard {
    squares.first().into_iter().collect()
}

fn last(squares: Bitboard) -> Bitboard {
    squares.last().into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rights(placement: &str, field: &str) -> Option<(Bitboard, String)> {
        let board: Board = placement.parse().expect("a board");
        let rights = Rights::given(&board, field)?;
        let mut written = String::new();
        rights.write(&board, &mut written);
        Some((rights.0, written))
    }

    #[test]
    fn letters_of_all_kinds_are_read_and_written_as_x_fen() {
        let squares = |squares: &[Square]| squares.iter().copied().collect::<Bitboard>();
        for (placement, field, rooks, written) in [
            (
                "r3k2r/8/8/8/8/8/8/R3K2R",
                "KQkq",
                &[Square::A1, Square::H1, Square::A8, Square::H8][..],
                "KQkq",
            ),
            ("r3k2r/8/8/8/8/8/8/R3K2R", "qK", &[Square::H1, Square::A8], "Kq"),
            (
                "r3k2r/8/8/8/8/8/8/R3K2R",
                "HAha",
                &[Square::A1, Square::H1, Square::A8, Square::H8],
                "KQkq",
            ),
            (
                "1r1k2r1/8/8/8/8/8/8/1R1K2R1",
                "KQkq",
                &[Square::B1, Square::G1, Square::B8, Square::G8],
                "KQkq",
            ),
            ("4k3/8/8/8/8/8/8/2R1KRR1", "FC", &[Square::C1, Square::F1], "FQ"),
            ("4k3/8/8/8/8/8/8/2R1KRR1", "K", &[Square::G1], "K"),
            ("4k3/8/8/8/8/8/8/2R1KRR1", "GF", &[Square::G1], "K"),
            ("4k3/8/8/8/8/8/8/4K3", "KQkq", &[], "-"),
            ("4k3/8/8/8/8/8/4K3/R6R", "KQ", &[], "-"),
            ("4k3/8/8/8/8/8/8/R3K2R", "-", &[], "-"),
        ] {
            let expected = Some((squares(rooks), written.to_owned()));
            assert_eq!(rights(placement, field), expected, "{placement} {field}");
        }
        assert_eq!(rights("4k3/8/8/8/8/8/8/4K3", "KX"), None);
    }
}
