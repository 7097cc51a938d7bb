//! Other forms of the board's routines, kept beside those that won: as documented alternatives and as oracles for the tests.
//!
//! Each function here has the same value as the routine of the same family outside; `tests/board` proves it,
//! `benches/board.rs` compares the speeds, and `docs/board-variants.md` says which form is taken, and why. The evaluation of
//! queries uses none of them.

pub mod attacked;
pub mod between;
pub mod fill;
pub mod intersection;
pub mod lines;
pub mod rays;
pub mod sliders;
pub mod xray;
