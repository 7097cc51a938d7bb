//! Forms of the attacks along one ray, from a square up to the first piece.
//!
//! `reach` finds them for all squares of a set.
//!
//! Each form takes the ray on the empty board and removes the ray behind the first piece on it.
//!
//! Source of all: chessprogramming wiki, "Classical Approach".

use shakmaty::{Bitboard, Square};
use skewer::board::Direction;
use skewer::board::rays::ray;

/// The rays on the empty board, by direction and square.
pub(super) static RAYS: [[u64; 64]; 8] = {
    let mut table = [[0; 64]; 8];
    let mut entry = 0;
    while entry < 8 * 64 {
        let (direction, square) = (entry / 64, entry % 64);
        table[direction][square] = ray(Direction::ALL[direction], Square::ALL[square]).0;
        entry += 1;
    }
    table
};

/// Bit 63 for positive directions and bit 0 for the others: the corner that the scan reaches last.
static CORNERS: [u64; 8] = {
    let mut corners = [1; 8];
    let mut direction = 0;
    while direction < 8 {
        if Direction::ALL[direction].is_positive() {
            corners[direction] = 1 << 63;
        }
        direction += 1;
    }
    corners
};

/// No squares for positive directions and all squares for the others.
static NEGATIVE: [u64; 8] = {
    let mut masks = [!0; 8];
    let mut direction = 0;
    while direction < 8 {
        if Direction::ALL[direction].is_positive() {
            masks[direction] = 0;
        }
        direction += 1;
    }
    masks
};

/// The rays by direction and by the number of zero bits before the square, from the end where the scan begins. Entry 64, for an
/// empty intersection, is empty.
static RAYS_BY_ZEROS: [[u64; 65]; 8] = {
    let mut table = [[0; 65]; 8];
    let mut direction = 0;
    while direction < 8 {
        let mut zeros = 0;
        while zeros < 64 {
            let square = if Direction::ALL[direction].is_positive() {
                zeros
            } else {
                63 - zeros
            };
            table[direction][zeros] = RAYS[direction][square];
            zeros += 1;
        }
        direction += 1;
    }
    table
};

/// Returns the ray attacks with a branch: the ray behind is only removed if there is a piece on the ray.
#[inline]
pub(crate) fn conditional(occupied: Bitboard, direction: Direction, square: Square) -> Bitboard {
    let rays = &RAYS[direction.index()];
    let attacks = Bitboard(rays[square.to_usize()]);
    let pieces = attacks & occupied;
    let first = if direction.is_positive() {
        pieces.first()
    } else {
        pieces.last()
    };
    match first {
        Some(first) => attacks ^ Bitboard(rays[first.to_usize()]),
        None => attacks,
    }
}

/// Returns the ray attacks without a branch, if the direction is known at compile time.
///
/// The bit scan always finds something, because the last corner in its way (h8 or a1) counts as occupied. The ray of that direction
/// from the corner is empty, so removing it changes nothing.
#[inline]
pub(crate) fn branchless(occupied: Bitboard, direction: Direction, square: Square) -> Bitboard {
    let rays = &RAYS[direction.index()];
    let attacks = rays[square.to_usize()];
    let pieces = attacks & occupied.0;
    let first = if direction.is_positive() {
        (pieces | 1 << 63).trailing_zeros()
    } else {
        63 - (pieces | 1).leading_zeros()
    };
    Bitboard(attacks ^ rays[first as usize])
}

/// Returns the ray attacks by a generalised bit scan with a branch. Isolating the lowest bit, or not, makes one reverse scan serve all directions.
#[inline]
pub(crate) fn generalised_conditional(occupied: Bitboard, direction: Direction, square: Square) -> Bitboard {
    let rays = &RAYS[direction.index()];
    let attacks = rays[square.to_usize()];
    let pieces = attacks & occupied.0;
    if pieces == 0 {
        return Bitboard(attacks);
    }
    Bitboard(attacks ^ rays[scan(pieces, NEGATIVE[direction.index()])])
}

/// Returns the ray attacks by a generalised bit scan without a branch. It adds the corner that the scan reaches last.
#[inline]
pub(crate) fn generalised_branchless(occupied: Bitboard, direction: Direction, square: Square) -> Bitboard {
    let rays = &RAYS[direction.index()];
    let attacks = rays[square.to_usize()];
    let pieces = attacks & occupied.0 | CORNERS[direction.index()];
    Bitboard(attacks ^ rays[scan(pieces, NEGATIVE[direction.index()])])
}

/// Returns the index of the lowest bit of a set if `negative` is empty, or of the highest bit if `negative` is full. The set is not empty.
#[inline]
fn scan(pieces: u64, negative: u64) -> usize {
    63 - (pieces & (pieces.wrapping_neg() | negative)).leading_zeros() as usize
}

/// Returns the ray attacks by counting zeros. For an empty intersection this is 64, for which the table has an empty entry.
#[inline]
pub(crate) fn zero_count(occupied: Bitboard, direction: Direction, square: Square) -> Bitboard {
    let rays = &RAYS_BY_ZEROS[direction.index()];
    let index = square.to_usize();
    if direction.is_positive() {
        let attacks = rays[index];
        Bitboard(attacks ^ rays[(attacks & occupied.0).trailing_zeros() as usize])
    } else {
        let attacks = rays[63 - index];
        Bitboard(attacks ^ rays[(attacks & occupied.0).leading_zeros() as usize])
    }
}
