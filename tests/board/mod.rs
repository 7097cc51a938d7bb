//! The routines of the board module, compared with each other, with shakmaty's attack tables, and with definitions written down square by square.

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
