//! Forms of the set-wise attacks ([`attackers_among`](crate::board::attacked::attackers_among),
//! [`attacked_by_set`](crate::board::attacked::attacked_by_set)), of those of one piece
//! ([`attacks_to`]), and of those of a side ([`attacked`](crate::board::attacked::attacked)).
//!
//! Source: chessprogramming wiki, "Square Attacked By" and "Kogge-Stone Algorithm".

use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

use crate::board::Board;
use crate::board::attacked::{attacks_to, king_fill, knight_fill, pawn_fill};
use crate::board::directions::{Direction, offset};
use crate::board::fill::reach;
use crate::board::sliders::{bishop_attacks, rook_attacks};
use crate::board::square0x88::{DIFFERENCES, difference};

/// By kind of piece and 0x88 difference, the squares that must be empty, rotated to the first square: none for leapers, those
/// between for sliders, all for what is no attack.
static OBSTRUCTIONS: [[u64; DIFFERENCES]; 7] = obstructions();

const WHITE_PAWN: usize = 0;
const BLACK_PAWN: usize = 1;
const KNIGHT: usize = 2;
const BISHOP: usize = 3;
const ROOK: usize = 4;
const QUEEN: usize = 5;
const KING: usize = 6;

const fn obstructions() -> [[u64; DIFFERENCES]; 7] {
    let mut table = [[!0; DIFFERENCES]; 7];
    let mut from = 0;
    while from < 64 {
        let mut direction = 0;
        while direction < 8 {
            enter_ray(&mut table, from, Direction::ALL[direction]);
            direction += 1;
        }
        let mut leap = 0;
        while leap < 8 {
            let leaps = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
            if let Some(to) = offset(from, leaps[leap].0, leaps[leap].1) {
                table[KNIGHT][difference(from, to)] = 0;
            }
            leap += 1;
        }
        from += 1;
    }
    table
}

const fn enter_ray(table: &mut [[u64; DIFFERENCES]; 7], from: usize, direction: Direction) {
    let (files, ranks) = direction.delta();
    let line_slider = if direction.is_orthogonal() { ROOK } else { BISHOP };
    let mut passed: u64 = 0;
    let mut next = offset(from, files, ranks);
    while let Some(to) = next {
        let index = difference(from, to);
        table[line_slider][index] = passed.rotate_right(from as u32);
        table[QUEEN][index] = passed.rotate_right(from as u32);
        if passed == 0 {
            table[KING][index] = 0;
            if direction.is_diagonal() {
                table[if ranks > 0 { WHITE_PAWN } else { BLACK_PAWN }][index] = 0;
            }
        }
        passed |= 1 << to;
        next = offset(to, files, ranks);
    }
}

/// Whether a piece on `from` attacks `to`.
///
/// The piece need not be on the board; what stands on the two squares does not matter.
///
/// Source: chessprogramming wiki, "Square Attacked By", attacked by piece on square, by 0x88 difference.
///
/// ```
/// use skewer::board::{Bitboard, Color, Role, Square, reference::attacked::is_attacked};
///
/// let bishop = Role::Bishop.of(Color::White);
/// assert!(is_attacked(Square::B2, Square::F6, bishop, Bitboard::EMPTY));
/// assert!(!is_attacked(Square::B2, Square::F6, bishop, Square::D4.into()));
/// assert!(!is_attacked(Square::B2, Square::B6, bishop, Bitboard::EMPTY));
/// ```
#[inline]
pub fn is_attacked(from: Square, to: Square, piece: Piece, occupied: Bitboard) -> bool {
    let kind = match piece.role {
        Role::Pawn => piece.color.fold_wb(WHITE_PAWN, BLACK_PAWN),
        Role::Knight => KNIGHT,
        Role::Bishop => BISHOP,
        Role::Rook => ROOK,
        Role::Queen => QUEEN,
        Role::King => KING,
    };
    // Bit 0 stands for the first square itself. Only the entries for no attack contain it, so those fail on any occupancy.
    let seen_from = occupied.0.rotate_right(from.to_u32()) | 1;
    OBSTRUCTIONS[kind][difference(from.to_usize(), to.to_usize())] & seen_from == 0
}

/// Whether a piece of a colour attacks a square, by magic tables; ends at the first kind of pieces that does.
///
/// Source: chessprogramming wiki, "Square Attacked By", any attack by side.
///
/// ```
/// use skewer::board::{Board, Color, Square, reference::attacked::attacked_by_tables};
///
/// let board: Board = "4k3/8/8/8/8/8/4R3/4K3".parse()?;
/// assert!(attacked_by_tables(&board, board.occupied(), Square::E8, Color::White));
/// assert!(!attacked_by_tables(&board, board.occupied(), Square::E1, Color::Black));
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn attacked_by_tables(board: &Board, occupied: Bitboard, square: Square, by: Color) -> bool {
    let pieces = *board.colors.get(by);
    let roles = &board.roles;
    attacks::pawn_attacks(by.other(), square).intersects(pieces & roles.pawn)
        || attacks::knight_attacks(square).intersects(pieces & roles.knight)
        || attacks::king_attacks(square).intersects(pieces & roles.king)
        || bishop_attacks(occupied, square).intersects(pieces & board.diagonal_sliders())
        || rook_attacks(occupied, square).intersects(pieces & board.orthogonal_sliders())
}

/// All pieces that attack some square of a set, as fills from the set in all directions: the set-wise super-piece.
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

/// All pieces that attack some square of a set, as the union of the attackers of its members.
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

/// All squares that the pieces on a set attack, as fills from the sliders in all directions.
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

/// All squares that the pieces on a set attack, one piece after the other.
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
