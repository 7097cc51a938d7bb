//! Squares and bitboards: the men on a board, attacks, rays, x-rays, lines between squares.
//!
//! Knows no query and no game. The vocabulary (squares, colours, roles, bitboards) is shakmaty's; a1 is bit 0, h8 bit 63.

mod men;

pub use men::Board;
pub use shakmaty::{Bitboard, Color, File, Rank, Role, Square};
