//! Boards of several positions side by side: the squares of each role and colour as a column of bitboards, one a position.
//!
//! A question that needs neither branches nor tables is asked of all lanes of a column by the same few instructions: every
//! loop here is over the lanes, and simple enough for compilers to make vector instructions of it. So fills are taken, where
//! single boards look into tables.
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
