//! Forms of the set-wise attacks (`attackers_among`, `attacked_by_set`), of the attacks of one piece (`attacks_to`), and of the
//! attacks of a side (`attacked`).
//!
//! Source: chessprogramming wiki, "Square Attacked By" and "Kogge-Stone Algorithm".

use shakmaty::{Bitboard, Color, Piece, Role, Square, attacks};

use skewer::board::attacked::{attacks_to, king_fill, knight_fill, pawn_fill};
use skewer::board::between::between;
use skewer::board::fill::reach;
use skewer::board::sliders::{bishop_attacks, bishop_lines, rook_attacks, rook_lines};
use skewer::board::{Board, Direction};

use super::square0x88::{DIFFERENCES, difference};

const WHITE_PAWN: usize = 0;
const BLACK_PAWN: usize = 1;
const KNIGHT: usize = 2;
const BISHOP: usize = 3;
const ROOK: usize = 4;
const QUEEN: usize = 5;
const KING: usize = 6;

/// By kind of piece and 0x88 difference, the squares that must be empty, rotated to the first square: none for leapers, the squares
/// between for sliders, and all squares if there is no attack.
static OBSTRUCTIONS: [[u64; DIFFERENCES]; 7] = {
    let mut table = [[!0; DIFFERENCES]; 7];
    let mut pair = 0;
    while pair < 64 * 64 {
        let (from, to) = (Square::ALL[pair / 64], Square::ALL[pair % 64]);
        let (straight, diagonal) = (rook_lines(from).0, bishop_lines(from).0);
        let attacks = [
            attacks::pawn_attacks(Color::White, from).0,
            attacks::pawn_attacks(Color::Black, from).0,
            attacks::knight_attacks(from).0,
            diagonal,
            straight,
            straight | diagonal,
            attacks::king_attacks(from).0,
        ];
        let mut kind = 0;
        while kind < attacks.len() {
            if attacks[kind] >> to.to_u32() & 1 == 1 {
                let between = between(from, to).0.rotate_right(from.to_u32());
                table[kind][difference(from.to_usize(), to.to_usize())] = between;
            }
            kind += 1;
        }
        pair += 1;
    }
    table
};

/// Returns whether a piece on `from` attacks `to`.
///
/// The piece need not be on the board, and the contents of the two squares do not matter.
///
/// Source: chessprogramming wiki, "Square Attacked By", attacked by piece on square, by 0x88 difference.
#[inline]
pub(crate) fn is_attacked(from: Square, to: Square, piece: Piece, occupied: Bitboard) -> bool {
    let kind = match piece.role {
        Role::Pawn => piece.color.fold_wb(WHITE_PAWN, BLACK_PAWN),
        Role::Knight => KNIGHT,
        Role::Bishop => BISHOP,
        Role::Rook => ROOK,
        Role::Queen => QUEEN,
        Role::King => KING,
    };
    // Bit 0 is the first square itself. Only entries without an attack contain it, so they fail on any occupancy.
    let seen_from = occupied.0.rotate_right(from.to_u32()) | 1;
    OBSTRUCTIONS[kind][difference(from.to_usize(), to.to_usize())] & seen_from == 0
}

/// Returns whether a piece of a colour attacks a square, by magic tables. Stops at the first kind of piece that does.
///
/// Source: chessprogramming wiki, "Square Attacked By", any attack by side.
#[inline]
pub(crate) fn attacked_by_tables(board: &Board, occupied: Bitboard, square: Square, by: Color) -> bool {
    let pieces = *board.colors.get(by);
    let roles = &board.roles;
    attacks::pawn_attacks(by.other(), square).intersects(pieces & roles.pawn)
        || attacks::knight_attacks(square).intersects(pieces & roles.knight)
        || attacks::king_attacks(square).intersects(pieces & roles.king)
        || bishop_attacks(occupied, square).intersects(pieces & board.diagonal_sliders())
        || rook_attacks(occupied, square).intersects(pieces & board.orthogonal_sliders())
}

/// Returns all pieces that attack any square of a set, by fills from the set in all directions: the set-wise super-piece.
#[inline]
pub(crate) fn attackers_by_fill(board: &Board, targets: Bitboard) -> Bitboard {
    let roles = &board.roles;
    let pawns = (pawn_fill(Color::Black, targets) & board.colors.white)
        | (pawn_fill(Color::White, targets) & board.colors.black);
    let leapers = (pawns & roles.pawn) | (knight_fill(targets) & roles.knight) | (king_fill(targets) & roles.king);
    Direction::ALL.into_iter().fold(leapers, |attackers, direction| {
        attackers | board.sliders(direction) & reach(targets, !board.occupied(), direction)
    })
}

/// Returns all pieces that attack any square of a set, as the union of the attackers of its members.
#[inline]
pub(crate) fn attackers_by_targets(board: &Board, targets: Bitboard) -> Bitboard {
    let occupied = board.occupied();
    targets.into_iter().fold(Bitboard::EMPTY, |attackers, square| {
        attackers | attacks_to(board, occupied, square)
    })
}

/// Returns all squares that the pieces on a set attack, by fills from the sliders in all directions.
#[inline]
pub(crate) fn attacked_by_fill(board: &Board, attackers: Bitboard) -> Bitboard {
    let pawns = attackers & board.roles.pawn;
    let leapers = pawn_fill(Color::White, pawns & board.colors.white)
        | pawn_fill(Color::Black, pawns & board.colors.black)
        | knight_fill(attackers & board.roles.knight)
        | king_fill(attackers & board.roles.king);
    Direction::ALL.into_iter().fold(leapers, |attacked, direction| {
        attacked | reach(attackers & board.sliders(direction), !board.occupied(), direction)
    })
}

/// Returns all squares that the pieces on a set attack, one piece at a time.
#[inline]
pub(crate) fn attacked_by_members(board: &Board, attackers: Bitboard) -> Bitboard {
    attackers
        .into_iter()
        .filter_map(|square| Some((square, board.piece_at(square)?)))
        .fold(Bitboard::EMPTY, |attacked, (square, piece)| {
            attacked | attacks::attacks(square, piece, board.occupied())
        })
}
