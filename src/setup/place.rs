//! Places: kinds of pieces, and where they are.

use std::fmt;

use crate::board::{Bitboard, Color, Contents};
use crate::syntax::token::Designator;

/// Certain pieces in a part of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The contents of the squares.
    pub pieces: Contents,
    /// The squares.
    pub zone: Zone,
}

/// A part of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Zone {
    /// These squares.
    Squares(Bitboard),
    /// The light squares.
    Light,
    /// The dark squares.
    Dark,
    /// The squares next to the king of this colour.
    Near(Color),
}

impl Zone {
    /// All squares.
    pub const BOARD: Zone = Zone::Squares(Bitboard::FULL);

    /// Returns the maximum number of its squares. There may be several kings.
    pub fn size(self) -> u32 {
        match self {
            Zone::Squares(squares) => squares.count() as u32,
            Zone::Light | Zone::Dark => 32,
            Zone::Near(_) => 64,
        }
    }
}

/// Writes the set of these squares in CQL.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on = |squares| Designator::of(self.pieces, squares);
        let everywhere = on(Bitboard::FULL);
        match self.zone {
            Zone::Squares(squares) => on(squares).fmt(f),
            Zone::Light => write!(f, "light {everywhere}"),
            Zone::Dark => write!(f, "dark {everywhere}"),
            Zone::Near(color) => {
                let king = color.fold_wb('K', 'k');
                write!(f, "{everywhere} & anydirection 1 {king}")
            }
        }
    }
}

/// Merges alternative places into as few as possible: places with the same pieces become one, and so do places on the same squares.
pub(super) fn merged(places: &[Place]) -> Vec<Place> {
    let mut merged: Vec<Place> = Vec::new();
    for place in places {
        match merged
            .iter_mut()
            .find_map(|known| Some((joined(*known, *place)?, known)))
        {
            Some((joined, known)) => *known = joined,
            None => merged.push(*place),
        }
    }
    // A merged place may be merged with others.
    if merged.len() < places.len() {
        self::merged(&merged)
    } else {
        merged
    }
}

/// Returns the place that is equivalent to two alternative places, if there is one.
fn joined(one: Place, other: Place) -> Option<Place> {
    match (one.zone, other.zone) {
        (zone, same) if zone == same => Some(Place {
            pieces: one.pieces | other.pieces,
            zone,
        }),
        (Zone::Squares(some), Zone::Squares(more)) if one.pieces == other.pieces => Some(Place {
            pieces: one.pieces,
            zone: Zone::Squares(some | more),
        }),
        _ => None,
    }
}
