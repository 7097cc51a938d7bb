//! The number of positions side by side, and sets of them.

/// The number of positions side by side.
pub const LANES: usize = 16;

/// A set of lanes. Bit 0 is the first.
pub type Lanes = u16;

/// Returns the first `count` lanes, or all.
pub(crate) fn first_lanes(count: usize) -> Lanes {
    match count {
        ..LANES => (1 << count) - 1,
        _ => Lanes::MAX,
    }
}
