//! Forms of `between` that need less memory.
//!
//! Source of all: chessprogramming wiki, "Square Attacked By", section "In Between".

use shakmaty::{Bitboard, Square};

use skewer::board::between::between;

use super::square0x88::{DIFFERENCES, difference};

static TRIANGULAR: [u64; 64 * 65 / 2] = {
    let mut table = [0; 64 * 65 / 2];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            table[triangular_index(a, b)] = between(Square::ALL[a], Square::ALL[b]).0;
            b += 1;
        }
        a += 1;
    }
    table
};

/// Returns the index of an unordered pair in a triangle: the size of the rows before that of the smaller square, plus the larger square.
#[inline]
const fn triangular_index(a: usize, b: usize) -> usize {
    let (small, large) = if a < b { (a, b) } else { (b, a) };
    small * (127 - small) / 2 + large
}

/// Returns the in-between set from a table of unordered pairs, half as large as the rectangular one.
#[inline]
pub(crate) fn triangular(a: Square, b: Square) -> Bitboard {
    Bitboard(TRIANGULAR[triangular_index(a.to_usize(), b.to_usize())])
}

static BY_DIFFERENCE: [u64; DIFFERENCES] = {
    let mut table = [0; DIFFERENCES];
    let mut from = 0;
    while from < 64 {
        let mut to = 0;
        while to < 64 {
            table[difference(from, to)] = between(Square::ALL[from], Square::ALL[to]).0.rotate_right(from as u32);
            to += 1;
        }
        from += 1;
    }
    table
};

/// Returns the in-between set from a table by 0x88 difference: 2 KiB, rotated to the first square.
#[inline]
pub(crate) fn by_0x88_difference(a: Square, b: Square) -> Bitboard {
    Bitboard(BY_DIFFERENCE[difference(a.to_usize(), b.to_usize())].rotate_left(a.to_u32()))
}

/// The squares from a2 to a7, which a multiplication moves to any file.
const A2_A7: u64 = 0x0001_0101_0101_0100;
/// The squares from b2 to g7.
const B2_G7: u64 = 0x0040_2010_0804_0200;
/// The squares from h1 to b7. In the order of square numbers, h1 is one step down-right from a2.
const H1_B7: u64 = 0x0002_0408_1020_4080;

/// Returns the in-between set without a table.
///
/// Of the four lines that begin at a1, this chooses the one that has the direction of the squares, moves it to the smaller square
/// by a multiplication, and cuts it off at the larger square.
#[inline]
pub(crate) fn calculated(a: Square, b: Square) -> Bitboard {
    let (from, to) = (i64::from(a.to_u32()), i64::from(b.to_u32()));
    let file = (to & 7) - (from & 7);
    let rank = ((to | 7) - from) >> 3;
    // All squares from the smaller one up to the larger one, exclusive.
    let span = (u64::MAX << from) ^ (u64::MAX << to);
    let mut line = all_if_zero(file & 7) & A2_A7;
    line += 2 * (all_if_zero(rank & 7) >> 58);
    line += all_if_zero((rank - file) & 15) & B2_G7;
    line += all_if_zero((rank + file) & 15) & H1_B7;
    Bitboard(line.wrapping_mul(span & span.wrapping_neg()) & span)
}

/// Returns all bits for 0. For other numbers up to 15 the result is less than 15, so the masks of the lines do not contain it.
#[inline]
fn all_if_zero(number: i64) -> u64 {
    (number as u64).wrapping_sub(1)
}
