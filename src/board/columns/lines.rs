//! Squares in a direction from the squares of columns, or in line with them.

use shakmaty::Bitboard;

use super::{Column, Lanes};
use crate::board::directions::Direction;
use crate::board::fill::{lines_through, reach_by_shifts};

/// An array of the copies of a function for each direction, by index.
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

/// Returns the squares seen from a set in a direction, like [`reach`](crate::board::fill::reach).
pub fn reach(set: &Column, empty: &Column, direction: Direction) -> Column {
    const TOWARDS: [fn(&Column, &Column) -> Column; 8] = towards!(reach_towards);
    TOWARDS[direction.index()](set, empty)
}

/// Each direction has a loop of its own, so that the distances of the shifts are constants.
fn reach_towards<const DIRECTION: usize>(set: &Column, empty: &Column) -> Column {
    Column::in_vectors(|lane| reach_by_shifts(set.lane(lane), empty.lane(lane), Direction::ALL[DIRECTION]))
}

/// Returns all squares in a direction from a square of a set, like [`beyond`](crate::board::fill::beyond).
pub fn beyond(set: &Column, direction: Direction) -> Column {
    const TOWARDS: [fn(&Column) -> Column; 8] = towards!(beyond_towards);
    TOWARDS[direction.index()](set)
}

/// Each direction has a loop of its own, so that compilers know which squares a fill can enter after each step.
fn beyond_towards<const DIRECTION: usize>(set: &Column) -> Column {
    Column::in_vectors(|lane| reach_by_shifts(set.lane(lane), Bitboard::FULL, Direction::ALL[DIRECTION]))
}

/// Returns each set moved one square in a direction, like [`Direction::shift`]. Squares moved off the board are lost.
pub fn shifted(set: &Column, direction: Direction) -> Column {
    const TOWARDS: [fn(&Column) -> Column; 8] = towards!(shifted_towards);
    TOWARDS[direction.index()](set)
}

/// Each direction has a loop of its own, so that the distance of the shift is a constant.
fn shifted_towards<const DIRECTION: usize>(set: &Column) -> Column {
    Column::from_lanes(|lane| Direction::ALL[DIRECTION].shift(set.lane(lane)))
}

/// Returns the lanes in which a square of `set` is on a line with a square of `other`, whether or not there are pieces between them. A
/// square in both sets may count as two. The sets are computed for each lane, and should use neither branches nor tables.
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
