//! The routines of the board module against each other, against shakmaty's attack tables, and against definitions written down
//! square by square.

mod attacked;
mod columns;
mod fill;
mod intersection;
mod lines;
mod naive;
mod pawns;
mod random;
pub(crate) mod reference;
mod sliders;
mod symmetry;
