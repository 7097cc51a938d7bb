//! How many positions stand side by side, and some of them.

/// How many positions stand side by side.
pub const LANES: usize = 16;

/// Some of the lanes: bit 0 is the first.
pub type Lanes = u16;

/// This many lanes, from the first on, or all.
pub(crate) fn first_lanes(count: usize) -> Lanes {
    match count {
        ..LANES => (1 << count) - 1,
        _ => Lanes::MAX,
    }
}
