//! Slower forms of the board's routines: oracles for the tests, and rivals in `benches/board.rs`.
//!
//! Each gives the same result as the routine of the same family in `src/board`. `docs/board-variants.md` says which form is used, and why.

pub(crate) mod attacked;
pub(crate) mod between;
pub(crate) mod fill;
pub(crate) mod intersection;
pub(crate) mod lines;
pub(crate) mod rays;
pub(crate) mod sliders;
pub(crate) mod square0x88;
pub(crate) mod xray;
