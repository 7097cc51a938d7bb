//! Forms of the set-wise attacks and of [`is_attacked`](crate::board::attacked::is_attacked).
//!
//! Source: chessprogramming wiki, "Square Attacked By" and "Kogge-Stone Algorithm".

use shakmaty::{Bitboard, Color, Piece, Square, attacks};

use crate::board::Board;
use crate::board::attacked::{attacks_to, king_fill, knight_fill, pawn_fill};
use crate::board::directions::Direction;
use crate::board::fill::reach;

/// Whether a man on `from` attacks `to`, by looking `to` up among its attacks.
///
/// ```
/// use skewer::board::{Bitboard, Color, Role, Square, reference::attacked::is_attacked_by_attack_set};
///
/// let rook = Role::Rook.of(Color::White);
/// assert!(is_attacked_by_attack_set(Square::B2, Square::B6, rook, Square::B7.into()));
/// assert!(!is_attacked_by_attack_set(Square::B2, Square::B6, rook, Square::B5.into()));
/// ```
#[inline]
pub fn is_attacked_by_attack_set(from: Square, to: Square, piece: Piece, occupied: Bitboard) -> bool {
    attacks::attacks(from, piece, occupied).contains(to)
}

/// All men that attack some square of a set, as fills from the set in all directions: the set-wise super-piece.
///
/// ```
/// use skewer::board::{Bitboard, Board, Square, reference::attacked::attackers_by_fill};
///
/// let board: Board = "4k3/8/5n2/8/3p4/8/1B6/R3K2R".parse()?;
/// let attackers = attackers_by_fill(&board, Bitboard::from_iter([Square::D4, Square::E4, Square::H7]));
/// assert_eq!(format!("{attackers:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . 1 . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . 1 . . . . . .
/// . . . . . . . 1
/// ");
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn attackers_by_fill(board: &Board, targets: Bitboard) -> Bitboard {
    let roles = &board.roles;
    let pawns = (pawn_fill(Color::Black, targets) & board.colors.white)
        | (pawn_fill(Color::White, targets) & board.colors.black);
    let leapers = (pawns & roles.pawn) | (knight_fill(targets) & roles.knight) | (king_fill(targets) & roles.king);
    Direction::ALL.into_iter().fold(leapers, |attackers, direction| {
        attackers | board.sliders(direction) & reach(targets, !board.occupied(), direction)
    })
}

/// All men that attack some square of a set, as the union of the attackers of its members.
///
/// ```
/// use skewer::board::{Bitboard, Board, Square, reference::attacked::attackers_by_targets};
///
/// let board: Board = "4k3/8/5n2/8/3p4/8/1B6/R3K2R".parse()?;
/// let attackers = attackers_by_targets(&board, Bitboard::from_iter([Square::D4, Square::E4, Square::H7]));
/// assert_eq!(format!("{attackers:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . 1 . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . 1 . . . . . .
/// . . . . . . . 1
/// ");
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn attackers_by_targets(board: &Board, targets: Bitboard) -> Bitboard {
    let occupied = board.occupied();
    targets.into_iter().fold(Bitboard::EMPTY, |attackers, square| {
        attackers | attacks_to(board, occupied, square)
    })
}

/// All squares that the men on a set attack, as fills from the sliders in all directions.
///
/// ```
/// use skewer::board::{Board, Square, reference::attacked::attacked_by_fill};
///
/// let board: Board = "4k3/8/8/3p4/8/8/6P1/1N5R".parse()?;
/// let attacked = attacked_by_fill(&board, board.colors.white | Square::D5);
/// assert_eq!(format!("{attacked:?}"), "\
/// . . . . . . . 1
/// . . . . . . . 1
/// . . . . . . . 1
/// . . . . . . . 1
/// . . 1 . 1 . . 1
/// 1 . 1 . . 1 . 1
/// . . . 1 . . . 1
/// . 1 1 1 1 1 1 .
/// ");
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn attacked_by_fill(board: &Board, attackers: Bitboard) -> Bitboard {
    let pawns = attackers & board.roles.pawn;
    let leapers = pawn_fill(Color::White, pawns & board.colors.white)
        | pawn_fill(Color::Black, pawns & board.colors.black)
        | knight_fill(attackers & board.roles.knight)
        | king_fill(attackers & board.roles.king);
    Direction::ALL.into_iter().fold(leapers, |attacked, direction| {
        attacked | reach(attackers & board.sliders(direction), !board.occupied(), direction)
    })
}

/// All squares that the men on a set attack, one man after the other.
///
/// ```
/// use skewer::board::{Board, Square, reference::attacked::attacked_by_members};
///
/// let board: Board = "4k3/8/8/3p4/8/8/6P1/1N5R".parse()?;
/// let attacked = attacked_by_members(&board, board.colors.white | Square::D5);
/// assert_eq!(format!("{attacked:?}"), "\
/// . . . . . . . 1
/// . . . . . . . 1
/// . . . . . . . 1
/// . . . . . . . 1
/// . . 1 . 1 . . 1
/// 1 . 1 . . 1 . 1
/// . . . 1 . . . 1
/// . 1 1 1 1 1 1 .
/// ");
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn attacked_by_members(board: &Board, attackers: Bitboard) -> Bitboard {
    attackers
        .into_iter()
        .filter_map(|square| Some((square, board.piece_at(square)?)))
        .fold(Bitboard::EMPTY, |attacked, (square, piece)| {
            attacked | attacks::attacks(square, piece, board.occupied())
        })
}
