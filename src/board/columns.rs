//! Boards of several positions side by side: the squares of each role and colour are a column of bitboards, one for each position.
//!
//! The same few instructions answer a question for all lanes of a column, if it needs neither branches nor tables. Every
//! loop in this module is over the lanes, and simple enough for compilers to turn into vector instructions. That is why fills are used here where
//! single boards use tables.
//!
//! Source: chessprogramming wiki, "SIMD and SWAR Techniques", "Kogge-Stone Algorithm", "AVX2".
//!
//! Each part uses only those before it: `lanes`, `column`, `lines`, `boards`, `checks`.

mod boards;
mod checks;
mod column;
mod lanes;
mod lines;

pub use boards::{Boards, Movers, Parts};
pub use column::Column;
pub(crate) use lanes::first_lanes;
pub use lanes::{LANES, Lanes};
pub use lines::{are_in_line, beyond, reach, shifted};
