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
mod sliders;
mod symmetry;
