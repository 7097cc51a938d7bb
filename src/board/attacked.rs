//! Which men attack which squares.
//!
//! A man attacks as chapter 04 of the language says: pawns diagonally forwards whatever stands there, sliders up to and including the first man,
//! of either colour. The side to move, pins and checks do not matter, and no man attacks its own square.

use shakmaty::attacks::{self, king_attacks, knight_attacks, pawn_attacks};
use shakmaty::{Bitboard, Color, Piece, Role, Square};

use super::directions::{Direction, offset};
use super::fill::{bishop_reach, rook_reach};
use super::men::Board;
use super::sliders::{bishop_attacks, bishop_lines, rook_attacks, rook_lines};
use super::square0x88::{DIFFERENCES, difference};

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_H: u64 = FILE_A << 7;
const FILES_AB: u64 = FILE_A | FILE_A << 1;
const FILES_GH: u64 = FILE_H | FILE_H >> 1;

/// The squares that knights on all squares of a set attack.
///
/// Source: chessprogramming wiki, "Knight Pattern", multiple knight attacks: all leaps of one file, and all of two, share a
/// shift.
///
/// ```
/// use skewer::board::{Bitboard, Square, attacked::knight_fill};
///
/// let attacks = knight_fill(Bitboard::from_iter([Square::A1, Square::E5]));
/// assert_eq!(format!("{attacks:?}"), "\
/// . . . . . . . .
/// . . . 1 . 1 . .
/// . . 1 . . . 1 .
/// . . . . . . . .
/// . . 1 . . . 1 .
/// . 1 . 1 . 1 . .
/// . . 1 . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn knight_fill(set: Bitboard) -> Bitboard {
    let one_file = (set.0 << 1 & !FILE_A) | (set.0 >> 1 & !FILE_H);
    let two_files = (set.0 << 2 & !FILES_AB) | (set.0 >> 2 & !FILES_GH);
    Bitboard(one_file << 16 | one_file >> 16 | two_files << 8 | two_files >> 8)
}

/// The squares that kings on all squares of a set attack.
///
/// Source: chessprogramming wiki, "King Pattern".
///
/// ```
/// use skewer::board::{Bitboard, Square, attacked::king_fill};
///
/// let attacks = king_fill(Bitboard::from_iter([Square::A1, Square::E5]));
/// assert_eq!(format!("{attacks:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . 1 1 1 . .
/// . . . 1 . 1 . .
/// . . . 1 1 1 . .
/// . . . . . . . .
/// 1 1 . . . . . .
/// . 1 . . . . . .
/// ");
/// ```
#[inline]
pub fn king_fill(set: Bitboard) -> Bitboard {
    let beside = (set.0 << 1 & !FILE_A) | (set.0 >> 1 & !FILE_H);
    let row = set.0 | beside;
    Bitboard(beside | row << 8 | row >> 8)
}

/// The squares that pawns of a colour on all squares of a set attack.
///
/// Source: chessprogramming wiki, "Pawn Attacks (Bitboards)".
///
/// ```
/// use skewer::board::{Bitboard, Color, Square, attacked::pawn_fill};
///
/// let attacks = pawn_fill(Color::White, Bitboard::from_iter([Square::A2, Square::E4]));
/// assert_eq!(format!("{attacks:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . 1 . 1 . .
/// . . . . . . . .
/// . 1 . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// ");
/// ```
#[inline]
pub fn pawn_fill(color: Color, set: Bitboard) -> Bitboard {
    let beside = (set.0 << 1 & !FILE_A) | (set.0 >> 1 & !FILE_H);
    Bitboard(color.fold_wb(beside << 8, beside >> 8))
}

/// The men of both colours that attack a square.
///
/// A super-piece on the square attacks as every kind of man; what it meets of the same kind attacks back, for pawns that of
/// the other colour. `occupied` is where sliders stop: all men, or fewer to look through some.
///
/// Source: chessprogramming wiki, "Square Attacked By", by all pieces.
///
/// ```
/// use skewer::board::{Board, Square, attacked::attacks_to};
///
/// let board: Board = "4r3/8/3n4/3P4/4Q1b1/8/4R3/7B".parse()?;
/// // The bishop on g4 does not move along ranks, and the pawn attacks c6 and e6.
/// let attackers = attacks_to(&board, board.occupied(), Square::E4);
/// assert_eq!(format!("{attackers:?}"), "\
/// . . . . 1 . . .
/// . . . . . . . .
/// . . . 1 . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . 1 . . .
/// . . . . . . . 1
/// ");
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn attacks_to(board: &Board, occupied: Bitboard, square: Square) -> Bitboard {
    leapers_to(board, square)
        | (bishop_attacks(occupied, square) & board.diagonal_sliders())
        | (rook_attacks(occupied, square) & board.orthogonal_sliders())
}

/// The men of both colours that would attack a square if nothing were between them: as [`attacks_to`] with no square occupied,
/// from smaller tables.
///
/// ```
/// use skewer::board::{Board, Square, attacked::aiming_at};
///
/// let board: Board = "4r3/8/3n4/4P3/4Q1b1/8/4R3/7B".parse()?;
/// // The pawn is in the way of the rook on e8, which aims at e4 all the same.
/// let aiming = aiming_at(&board, Square::E4);
/// assert_eq!(format!("{aiming:?}"), "\
/// . . . . 1 . . .
/// . . . . . . . .
/// . . . 1 . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . 1 . . .
/// . . . . . . . 1
/// ");
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn aiming_at(board: &Board, square: Square) -> Bitboard {
    leapers_to(board, square)
        | (bishop_lines(square) & board.diagonal_sliders())
        | (rook_lines(square) & board.orthogonal_sliders())
}

/// The pawns, knights and kings that attack a square.
#[inline]
fn leapers_to(board: &Board, square: Square) -> Bitboard {
    let roles = &board.roles;
    let pawns = (pawn_attacks(Color::White, square) & board.colors.black)
        | (pawn_attacks(Color::Black, square) & board.colors.white);
    (pawns & roles.pawn) | (knight_attacks(square) & roles.knight) | (king_attacks(square) & roles.king)
}

/// The squares that the man on a square attacks; none if there is no man.
///
/// ```
/// use skewer::board::{Bitboard, Board, Square, attacked::attacks_from};
///
/// let board: Board = "8/8/2p5/8/4B3/5P2/8/8".parse()?;
/// let attacks = attacks_from(&board, Square::E4);
/// assert_eq!(format!("{attacks:?}"), "\
/// . . . . . . . .
/// . . . . . . . 1
/// . . 1 . . . 1 .
/// . . . 1 . 1 . .
/// . . . . . . . .
/// . . . 1 . 1 . .
/// . . 1 . . . . .
/// . 1 . . . . . .
/// ");
/// assert_eq!(attacks_from(&board, Square::A1), Bitboard::EMPTY);
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn attacks_from(board: &Board, square: Square) -> Bitboard {
    board.piece_at(square).map_or(Bitboard::EMPTY, |piece| {
        attacks::attacks(square, piece, board.occupied())
    })
}

/// Whether a man of a colour attacks a square; ends at the first kind of men that does.
///
/// Source: chessprogramming wiki, "Square Attacked By", any attack by side.
///
/// ```
/// use skewer::board::{Board, Color, Square, attacked::attacked};
///
/// let board: Board = "4k3/8/8/8/8/8/4R3/4K3".parse()?;
/// assert!(attacked(&board, board.occupied(), Square::E8, Color::White));
/// assert!(!attacked(&board, board.occupied(), Square::E1, Color::Black));
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn attacked(board: &Board, occupied: Bitboard, square: Square, by: Color) -> bool {
    let men = *board.colors.get(by);
    let roles = &board.roles;
    pawn_attacks(by.other(), square).intersects(men & roles.pawn)
        || knight_attacks(square).intersects(men & roles.knight)
        || king_attacks(square).intersects(men & roles.king)
        || bishop_attacks(occupied, square).intersects(men & board.diagonal_sliders())
        || rook_attacks(occupied, square).intersects(men & board.orthogonal_sliders())
}

/// By kind of man and 0x88 difference, the squares that must be empty, rotated to the first square: none for leapers, those
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

/// Whether a man on `from` attacks `to`.
///
/// The man need not be on the board; what stands on the two squares does not matter.
///
/// Source: chessprogramming wiki, "Square Attacked By", attacked by piece on square, by 0x88 difference.
///
/// ```
/// use skewer::board::{Bitboard, Color, Role, Square, attacked::is_attacked};
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

/// All men of either colour that attack some square of a set.
///
/// ```
/// use skewer::board::{Bitboard, Board, Square, attacked::attackers_of_set};
///
/// let board: Board = "4k3/8/5n2/8/3p4/8/1B6/R3K2R".parse()?;
/// let attackers = attackers_of_set(&board, Bitboard::from_iter([Square::D4, Square::E4, Square::H7]));
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
pub fn attackers_of_set(board: &Board, targets: Bitboard) -> Bitboard {
    attackers_among(board, board.occupied(), targets)
}

/// The squares of a set whose man attacks some square of another set: `S -> T`.
///
/// One target is asked with the super-piece, one man is asked by its attacks; several meet in fills from the targets. See
/// `docs/board-variants.md`.
///
/// ```
/// use skewer::board::{Bitboard, Board, Square, attacked::attackers_among};
///
/// let board: Board = "4k3/8/5n2/8/3p4/8/1B6/R3K2R".parse()?;
/// let targets = Bitboard::from_iter([Square::D4, Square::E4, Square::H7]);
/// assert_eq!(attackers_among(&board, board.colors.black, targets), Square::F6.into());
/// assert_eq!(attackers_among(&board, board.roles.rook, targets), Square::H1.into());
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn attackers_among(board: &Board, candidates: Bitboard, targets: Bitboard) -> Bitboard {
    let occupied = board.occupied();
    let men = candidates & occupied;
    if men.is_empty() || targets.is_empty() {
        return Bitboard::EMPTY;
    }
    if let Some(target) = targets.single_square() {
        return men & attacks_to(board, occupied, target);
    }
    if let Some(attacker) = men.single_square() {
        return keep_if(men, attacks_from(board, attacker).intersects(targets));
    }
    let bishops = men & board.diagonal_sliders();
    let rooks = men & board.orthogonal_sliders();
    let bishops = match bishops.single_square() {
        _ if bishops.is_empty() => bishops,
        Some(bishop) => keep_if(bishops, bishop_attacks(occupied, bishop).intersects(targets)),
        None => bishops & bishop_reach(targets, !occupied),
    };
    let rooks = match rooks.single_square() {
        _ if rooks.is_empty() => rooks,
        Some(rook) => keep_if(rooks, rook_attacks(occupied, rook).intersects(targets)),
        None => rooks & rook_reach(targets, !occupied),
    };
    leapers_that_see(board, men, targets) | bishops | rooks
}

/// A set under a condition.
#[inline]
fn keep_if(set: Bitboard, condition: bool) -> Bitboard {
    if condition { set } else { Bitboard::EMPTY }
}

/// The pawns, knights and kings of a set that attack some target.
#[inline]
pub(super) fn leapers_that_see(board: &Board, men: Bitboard, targets: Bitboard) -> Bitboard {
    let roles = &board.roles;
    let pawns = (pawn_fill(Color::Black, targets) & board.colors.white)
        | (pawn_fill(Color::White, targets) & board.colors.black);
    men & ((pawns & roles.pawn) | (knight_fill(targets) & roles.knight) | (king_fill(targets) & roles.king))
}

/// Up to so many lookups of sliders cost less than the fills in all directions. See `docs/board-variants.md`.
const FEW_SLIDERS: usize = 8;

/// All squares that the men on the squares of a set attack.
///
/// ```
/// use skewer::board::{Board, Square, attacked::attacked_by_set};
///
/// let board: Board = "4k3/8/8/3p4/8/8/6P1/1N5R".parse()?;
/// let attacked = attacked_by_set(&board, board.colors.white | Square::D5);
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
pub fn attacked_by_set(board: &Board, attackers: Bitboard) -> Bitboard {
    let occupied = board.occupied();
    let men = attackers & occupied;
    if men.is_empty() {
        return Bitboard::EMPTY;
    }
    if let Some(attacker) = men.single_square() {
        return attacks_from(board, attacker);
    }
    let bishops = men & board.diagonal_sliders();
    let rooks = men & board.orthogonal_sliders();
    let sliders = if bishops.count() + rooks.count() <= FEW_SLIDERS {
        union_of_attacks(bishops, |square| bishop_attacks(occupied, square))
            | union_of_attacks(rooks, |square| rook_attacks(occupied, square))
    } else {
        bishop_reach(bishops, !occupied) | rook_reach(rooks, !occupied)
    };
    attacked_by_leapers(board, men) | sliders
}

/// The squares that the pawns, knights and kings of a set attack.
#[inline]
pub(super) fn attacked_by_leapers(board: &Board, men: Bitboard) -> Bitboard {
    let pawns = men & board.roles.pawn;
    pawn_fill(Color::White, pawns & board.colors.white)
        | pawn_fill(Color::Black, pawns & board.colors.black)
        | knight_fill(men & board.roles.knight)
        | king_fill(men & board.roles.king)
}

#[inline]
fn union_of_attacks(members: Bitboard, attacks: impl Fn(Square) -> Bitboard) -> Bitboard {
    members
        .into_iter()
        .fold(Bitboard::EMPTY, |union, square| union | attacks(square))
}

/// The squares of a set that a man on another set attacks: `S <- T`.
///
/// ```
/// use skewer::board::{Board, Square, attacked::attacked_among};
///
/// let board: Board = "4k3/8/8/3p4/8/8/6P1/1N5R".parse()?;
/// let squares = board.roles.king | Square::H8 | Square::H2;
/// assert_eq!(attacked_among(&board, squares, board.roles.rook), squares & !board.roles.king);
/// # Ok::<(), shakmaty::fen::ParseFenError>(())
/// ```
#[inline]
pub fn attacked_among(board: &Board, squares: Bitboard, attackers: Bitboard) -> Bitboard {
    match squares.single_square() {
        Some(square) if attacks_to(board, board.occupied(), square).intersects(attackers) => squares,
        Some(_) => Bitboard::EMPTY,
        None if squares.is_empty() => Bitboard::EMPTY,
        None => squares & attacked_by_set(board, attackers),
    }
}
