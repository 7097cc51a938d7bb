//! The squares from which pieces would attack a square on an empty board.
//!
//! A piece on no approach does not attack the square, whatever pieces stand in the way or leave it. So most questions about one square end
//! here, with one cache line: [`attacked`](super::attacked::attacked) and the moves of games look here first.
//!
//! Source: chessprogramming wiki, "Square Attacked By".

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::sliders::{bishop_lines, rook_lines};

/// The approaches to one square, by role. White pawns come first and black ones last. The place of the role of pawns is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Approaches([Bitboard; 8]);

const WHITE_PAWNS: usize = 0;
const BLACK_PAWNS: usize = 7;

static APPROACHES: [Approaches; 64] = {
    let mut approaches = [Approaches([Bitboard::EMPTY; 8]); 64];
    let mut index = 0;
    while index < 64 {
        let square = Square::ALL[index];
        let (straight, diagonal) = (rook_lines(square), bishop_lines(square));
        let of_square = &mut approaches[index].0;
        of_square[WHITE_PAWNS] = attacks::pawn_attacks(Color::Black, square);
        of_square[BLACK_PAWNS] = attacks::pawn_attacks(Color::White, square);
        of_square[Role::Knight as usize] = attacks::knight_attacks(square);
        of_square[Role::Bishop as usize] = diagonal;
        of_square[Role::Rook as usize] = straight;
        of_square[Role::Queen as usize] = Bitboard(straight.0 | diagonal.0);
        of_square[Role::King as usize] = attacks::king_attacks(square);
        index += 1;
    }
    approaches
};

impl Approaches {
    /// Returns the approaches to a square.
    ///
    /// ```
    /// use skewer::board::approaches::Approaches;
    /// use skewer::board::{Color, Role, Square};
    ///
    /// let to_e4 = Approaches::of(Square::E4);
    /// assert!(to_e4.by(Role::Queen).contains(Square::H7));
    /// assert_eq!(to_e4.by_pawns(Color::White).first(), Some(Square::D3));
    /// ```
    #[inline(always)]
    pub fn of(square: Square) -> &'static Approaches {
        &APPROACHES[square.to_usize()]
    }

    /// Returns the approaches of a role; no squares for pawns, whose approaches depend on their colour.
    #[inline(always)]
    pub const fn by(&self, role: Role) -> Bitboard {
        self.0[role as usize]
    }

    /// Returns the approaches of the pawns of a colour.
    #[inline(always)]
    pub fn by_pawns(&self, color: Color) -> Bitboard {
        self.0[color.fold_wb(WHITE_PAWNS, BLACK_PAWNS)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_are_the_attacks_on_the_empty_board_turned_round() {
        for square in Square::ALL {
            let approaches = Approaches::of(square);
            for from in Square::ALL {
                let attacked = |role| match role {
                    Role::Pawn => Bitboard::EMPTY,
                    Role::Knight => attacks::knight_attacks(from),
                    Role::Bishop => attacks::bishop_attacks(from, Bitboard::EMPTY),
                    Role::Rook => attacks::rook_attacks(from, Bitboard::EMPTY),
                    Role::Queen => attacks::queen_attacks(from, Bitboard::EMPTY),
                    Role::King => attacks::king_attacks(from),
                };
                for role in Role::ALL {
                    let is_approach = approaches.by(role).contains(from);
                    assert_eq!(is_approach, attacked(role).contains(square), "{role:?} {from} {square}");
                }
                for color in Color::ALL {
                    let is_approach = approaches.by_pawns(color).contains(from);
                    assert_eq!(is_approach, attacks::pawn_attacks(color, from).contains(square));
                }
            }
        }
    }
}
