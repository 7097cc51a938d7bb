//! The control bytes that mark what canonical PGN cannot express. They occur nowhere else in it.

/// The first byte of a comment that carries a move not written in SAN.
pub const ODD_MOVE: u8 = 0x01;
/// The first byte of a comment that carries the number of an annotation symbol beyond those of the standard.
pub const ODD_NAG: u8 = 0x04;
