//! What lies in a direction from the squares of columns, or in line with them.

use shakmaty::Bitboard;

use super::{Column, Lanes};
use crate::board::directions::Direction;
use crate::board::fill::{lines_through, reach_by_shifts};

/// The copies of a function for each direction, by their indices.
macro_rules! towards {
    ($function:ident) => {
        [
            $function::<0>,
            $function::<1>,
            $function::<2>,
            $function::<3>,
            $function::<4>,
            $function::<5>,
            $function::<6>,
            $function::<7>,
        ]
    };
}

/// The squares that are seen from a set in a direction, as [`reach`](crate::board::fill::reach).
pub fn reach(set: &Column, empty: &Column, direction: Direction) -> Column {
    const TOWARDS: [fn(&Column, &Column) -> Column; 8] = towards!(reach_towards);
    TOWARDS[direction.index()](set, empty)
}

/// A loop of its own for each direction, so that the distances of the shifts are known.
fn reach_towards<const DIRECTION: usize>(set: &Column, empty: &Column) -> Column {
    Column::in_vectors(|lane| reach_by_shifts(set.lane(lane), empty.lane(lane), Direction::ALL[DIRECTION]))
}

/// All squares that lie in a direction from some square of a set, as [`beyond`](crate::board::fill::beyond).
pub fn beyond(set: &Column, direction: Direction) -> Column {
    const TOWARDS: [fn(&Column) -> Column; 8] = towards!(beyond_towards);
    TOWARDS[direction.index()](set)
}

/// A loop of its own for each direction, so that compilers know which squares a fill may enter after each step.
fn beyond_towards<const DIRECTION: usize>(set: &Column) -> Column {
    Column::in_vectors(|lane| reach_by_shifts(set.lane(lane), Bitboard::FULL, Direction::ALL[DIRECTION]))
}

/// Each set moved one square in a direction, as [`Direction::shift`]; what leaves the board is lost.
pub fn shifted(set: &Column, direction: Direction) -> Column {
    const TOWARDS: [fn(&Column) -> Column; 8] = towards!(shifted_towards);
    TOWARDS[direction.index()](set)
}

/// A loop of its own for each direction, so that the distance of the shift is known.
fn shifted_towards<const DIRECTION: usize>(set: &Column) -> Column {
    Column::from_lanes(|lane| Direction::ALL[DIRECTION].shift(set.lane(lane)))
}

/// Where a square of a set is on a line of some kinds with one of another set, whatever stands between. A square that both sets have may
/// count as two. The sets are given for each lane, without branches and tables.
#[inline(always)]
pub fn are_in_line(
    set: impl Fn(usize) -> Bitboard,
    other: impl Fn(usize) -> Bitboard,
    straight: bool,
    diagonal: bool,
) -> Lanes {
    match (straight, diagonal) {
        (false, false) => 0,
        (true, false) => Column::lanes_where(|lane| (set(lane) & lines_through(other(lane), true, false)).any()),
        (false, true) => Column::lanes_where(|lane| (set(lane) & lines_through(other(lane), false, true)).any()),
        (true, true) => Column::lanes_where(|lane| (set(lane) & lines_through(other(lane), true, true)).any()),
    }
}
