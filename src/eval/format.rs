//! How values are written in messages and comments.

use std::io::Write;

use crate::board::Bitboard;

/// Appends a value as text. Writing to a vector cannot fail.
pub(crate) fn display(value: impl std::fmt::Display, out: &mut Vec<u8>) {
    let _ = write!(out, "{value}");
}

/// Appends a set as `e4`, `[a1,b2]` or `[]`.
pub(crate) fn write_set(set: Bitboard, out: &mut Vec<u8>) {
    if let Some(square) = set.single_square() {
        return display(square, out);
    }
    out.push(b'[');
    for (index, square) in set.into_iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        display(square, out);
    }
    out.push(b']');
}
