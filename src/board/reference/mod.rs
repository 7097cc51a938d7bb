//! Other forms of the board's routines, kept as oracles for its tests.
//!
//! Each function here has the same value as the routine of the same family outside; `tests/board` proves it and
//! `benches/board.rs` compares the speeds. The evaluation of queries uses none of them.

pub mod attacked;
pub mod between;
pub mod fill;
pub mod intersection;
pub mod rays;
pub mod sliders;
pub mod xray;
