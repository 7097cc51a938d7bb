//! Forms of the board's routines that lost: oracles for the tests, and rivals for `benches/board.rs`.
//!
//! Each has the same value as the routine of the same family in `src/board`. `docs/board-variants.md` says which form is taken, and
//! why.

pub(crate) mod attacked;
pub(crate) mod between;
pub(crate) mod fill;
pub(crate) mod intersection;
pub(crate) mod lines;
pub(crate) mod rays;
pub(crate) mod sliders;
pub(crate) mod square0x88;
pub(crate) mod xray;
