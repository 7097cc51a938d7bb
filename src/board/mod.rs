//! Squares and bitboards: the pieces on a board, attacks, rays, x-rays, lines between squares.
//!
//! Knows no queries and no games. The vocabulary (squares, colours, roles, bitboards) is shakmaty's. Square a1 is bit 0, h8 is bit 63.
//!
//! Each concept has a module, which contains the form of a routine that won the comparison in `docs/board-variants.md` and that
//! queries use. The other forms are in `tests/board/reference`, under the same names.
//!
//! | article of the chessprogramming wiki | routines | filters that use them |
//! |---|---|---|
//! | Classical Approach | [`rays::ray`], [`fill::reach`], [`sliders`] | `ray`, `xray`, `->`, `<-`, `pin` |
//! | X-ray Attacks | [`xray`], by [`lines`] and [`pins`](mod@pins) | `xray`, `ray`, arrows with three or more operands, `pin`, and the filters of the prelude built on them: `battery`, `skewer`, `discoveredcheck`, ... |
//! | Square Attacked By | [`attacked`], [`approaches`], [`between`] | `->`, `<-`, `attacks`, `attackedby`, `check`, `legal`, `between` |
//! | Intersection Squares | [`intersection`] | `intersection` |
//!
//! [`columns`] answers the same questions for sixteen boards at once, before the body of a query is evaluated on any of them, and for sixteen
//! [`stretches`] of eight positions.
//!
//! Each part uses only those before it: `directions`, `rays`, `sliders`, `approaches`, `fill`, `between`, `pieces`, `attacked`, `pawns`,
//! `key`, `processor`, `columns`, `contents`, `counts`, `intersection`, `legality`, `xray`, `lines`, `mailbox`, `pins`, `stretches`, `symmetry`.

pub mod approaches;
pub mod attacked;
pub mod between;
pub mod columns;
mod contents;
mod counts;
pub mod directions;
pub mod fill;
pub mod intersection;
mod key;
pub mod legality;
pub mod lines;
mod mailbox;
pub mod pawns;
mod pieces;
pub mod pins;
pub(crate) mod processor;
pub mod rays;
pub mod sliders;
pub mod stretches;
pub mod symmetry;
pub mod xray;

pub use contents::Contents;
pub(crate) use counts::{PieceCounts, numbers_of};
pub use directions::{Direction, DirectionSet};
pub use intersection::Line;
pub use key::BoardKey;
pub use mailbox::Mailbox;
pub use pieces::{Board, material};
pub use pins::Pins;
pub use shakmaty::{Bitboard, Color, File, Rank, Role, Square};
pub use symmetry::Symmetry;
