//! Squares and bitboards: the men on a board, attacks, rays, x-rays, lines between squares.
//!
//! Knows no query and no game. The vocabulary (squares, colours, roles, bitboards) is shakmaty's; a1 is bit 0, h8 bit 63.
//!
//! One concept is one module. Where a routine is known in several forms, the module holds the one that won the comparison in
//! `docs/board-variants.md`, and [`reference`](mod@reference) holds the others as oracles for the tests.

pub mod attacked;
pub mod between;
pub mod columns;
pub mod directions;
pub mod fill;
pub mod intersection;
pub mod lines;
mod men;
pub mod pawns;
pub mod pins;
pub mod rays;
pub mod reference;
pub mod sliders;
mod square0x88;
pub mod symmetry;
pub mod xray;

pub use directions::{Direction, DirectionSet};
pub use intersection::Line;
pub use men::Board;
pub use pins::Pins;
pub use shakmaty::{Bitboard, Color, File, Rank, Role, Square};
pub use symmetry::Symmetry;
