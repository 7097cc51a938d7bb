//! The eight directions of the compass rose and sets of them.
//!
//! North is towards rank 8, east towards file h, for both colours. Source: chessprogramming wiki, "Direction" and "General
//! Setwise Operations" (one step only).

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign};

use shakmaty::Bitboard;

/// One of the eight directions in which sliders move.
///
/// The order is clockwise from north, so that a turn is an addition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    /// Towards rank 8: `up`.
    North,
    /// Parallel to a1-h8, upwards: `northeast`.
    NorthEast,
    /// Towards file h: `right`.
    East,
    /// Parallel to a8-h1, downwards: `southeast`.
    SouthEast,
    /// Towards rank 1: `down`.
    South,
    /// Parallel to a1-h8, downwards: `southwest`.
    SouthWest,
    /// Towards file a: `left`.
    West,
    /// Parallel to a8-h1, upwards: `northwest`.
    NorthWest,
}

/// (files, ranks) of one step, by direction.
const DELTAS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

/// For each direction: the squares where a step can end, which are those with a neighbour on the side where the step comes from.
static LANDINGS: [u64; 8] = landings();

const fn landings() -> [u64; 8] {
    let mut landings = [0; 8];
    let mut direction = 0;
    while direction < 8 {
        let (files, ranks) = DELTAS[direction];
        let mut square = 0;
        while square < 64 {
            if let Some(end) = offset(square, files, ranks) {
                landings[direction] |= 1 << end;
            }
            square += 1;
        }
        direction += 1;
    }
    landings
}

/// Returns the index of the square this many files to the east and ranks to the north, if it is on the board.
pub(super) const fn offset(square: usize, files: i32, ranks: i32) -> Option<usize> {
    let file = (square & 7) as i32 + files;
    let rank = (square >> 3) as i32 + ranks;
    if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
        Some((8 * rank + file) as usize)
    } else {
        None
    }
}

impl Direction {
    /// All directions, clockwise from north.
    pub const ALL: [Direction; 8] = [
        Direction::North,
        Direction::NorthEast,
        Direction::East,
        Direction::SouthEast,
        Direction::South,
        Direction::SouthWest,
        Direction::West,
        Direction::NorthWest,
    ];

    /// Returns the index in [`Direction::ALL`], 0 to 7.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the changes of the file and of the rank in one step.
    ///
    /// ```
    /// use skewer::board::Direction;
    ///
    /// assert_eq!(Direction::SouthEast.delta(), (1, -1));
    /// ```
    #[inline]
    pub const fn delta(self) -> (i32, i32) {
        DELTAS[self.index()]
    }

    /// Returns the change of the square's index in one step: +8 to the north, +1 to the east.
    ///
    /// ```
    /// use skewer::board::Direction;
    ///
    /// assert_eq!(Direction::NorthWest.step(), 7);
    /// ```
    #[inline]
    pub const fn step(self) -> i32 {
        let (files, ranks) = self.delta();
        8 * ranks + files
    }

    /// Returns whether the indices of squares grow along a ray: north-west, north, north-east and east.
    ///
    /// This decides at which end a bit scan finds the first piece on a ray.
    #[inline]
    pub const fn is_positive(self) -> bool {
        self.step() > 0
    }

    /// Returns whether the direction is along a rank or file.
    #[inline]
    pub const fn is_orthogonal(self) -> bool {
        self.index().is_multiple_of(2)
    }

    /// Returns whether the direction is along a diagonal or antidiagonal.
    #[inline]
    pub const fn is_diagonal(self) -> bool {
        !self.is_orthogonal()
    }

    /// Returns the direction turned counterclockwise by `times` times 45 degrees.
    ///
    /// ```
    /// use skewer::board::Direction;
    ///
    /// assert_eq!(Direction::North.rotate45(1), Direction::NorthWest);
    /// assert_eq!(Direction::NorthWest.rotate45(7), Direction::North);
    /// ```
    #[inline]
    pub const fn rotate45(self, times: u32) -> Direction {
        Direction::ALL[(self.index() + 8 - (times % 8) as usize) % 8]
    }

    /// Returns the opposite direction.
    ///
    /// ```
    /// use skewer::board::Direction;
    ///
    /// assert_eq!(Direction::NorthEast.opposite(), Direction::SouthWest);
    /// ```
    #[inline]
    pub const fn opposite(self) -> Direction {
        self.rotate45(4)
    }

    /// Returns the squares where a step in this direction can end: the mask that removes squares that wrapped around the board.
    ///
    /// ```
    /// use skewer::board::Direction;
    ///
    /// let landings = Direction::NorthEast.landings();
    /// assert_eq!(format!("{landings:?}"), "\
    /// . 1 1 1 1 1 1 1
    /// . 1 1 1 1 1 1 1
    /// . 1 1 1 1 1 1 1
    /// . 1 1 1 1 1 1 1
    /// . 1 1 1 1 1 1 1
    /// . 1 1 1 1 1 1 1
    /// . 1 1 1 1 1 1 1
    /// . . . . . . . .
    /// ");
    /// ```
    #[inline]
    pub fn landings(self) -> Bitboard {
        Bitboard(LANDINGS[self.index()])
    }

    /// Returns the left rotation of a bitboard that moves every square one step. Squares that wrap have to be masked.
    #[inline]
    pub(super) const fn rotation(self) -> u32 {
        self.step().rem_euclid(64) as u32
    }

    /// Moves a set this many steps, ignoring the edges: squares that leave on one side may come in on the other, one row further.
    #[inline(always)]
    pub(super) const fn carry(self, set: u64, steps: u32) -> u64 {
        let places = self.step().unsigned_abs() * steps;
        if self.is_positive() {
            set << places
        } else {
            set >> places
        }
    }

    /// Moves all squares of a set one step. Squares moved off the board are lost.
    ///
    /// ```
    /// use skewer::board::{Bitboard, Direction, Square};
    ///
    /// let set = Bitboard::from_iter([Square::A1, Square::E4, Square::H4]);
    /// let shifted = Direction::NorthEast.shift(set);
    /// assert_eq!(format!("{shifted:?}"), "\
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . 1 . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// . 1 . . . . . .
    /// . . . . . . . .
    /// ");
    /// ```
    #[inline]
    pub fn shift(self, set: Bitboard) -> Bitboard {
        Bitboard(set.0.rotate_left(self.rotation())) & self.landings()
    }

    /// Moves all squares of a set `steps` steps, backwards if negative. Squares moved off the board are lost.
    ///
    /// ```
    /// use skewer::board::{Bitboard, Direction, Square};
    ///
    /// let set = Bitboard::from_iter([Square::A1, Square::E4, Square::H7]);
    /// assert_eq!(Direction::North.shift_by(set, 3), Bitboard::from_iter([Square::A4, Square::E7]));
    /// assert_eq!(Direction::North.shift_by(set, -1), Bitboard::from_iter([Square::E3, Square::H6]));
    /// assert_eq!(Direction::North.shift_by(set, 0), set);
    /// ```
    #[inline]
    pub fn shift_by(self, set: Bitboard, steps: i32) -> Bitboard {
        let direction = if steps < 0 { self.opposite() } else { self };
        // Eight steps leave any board.
        (0..steps.unsigned_abs().min(8)).fold(set, |set, _| direction.shift(set))
    }
}

/// A set of directions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct DirectionSet(u8);

impl DirectionSet {
    /// No direction.
    pub const EMPTY: DirectionSet = DirectionSet(0);
    /// All eight directions: `anydirection`.
    pub const ALL: DirectionSet = DirectionSet(0xff);
    /// North, east, south, west: the rook's.
    pub const ORTHOGONAL: DirectionSet = DirectionSet(0b0101_0101);
    /// The four directions between them: the bishop's.
    pub const DIAGONAL: DirectionSet = DirectionSet(0b1010_1010);
    /// North and south.
    pub const VERTICAL: DirectionSet = DirectionSet(0b0001_0001);
    /// East and west.
    pub const HORIZONTAL: DirectionSet = DirectionSet(0b0100_0100);
    /// North-east and south-west, parallel to a1-h8.
    pub const MAIN_DIAGONAL: DirectionSet = DirectionSet(0b0010_0010);
    /// North-west and south-east, parallel to a8-h1.
    pub const OFF_DIAGONAL: DirectionSet = DirectionSet(0b1000_1000);

    /// Returns whether the set contains a direction.
    #[inline]
    pub const fn contains(self, direction: Direction) -> bool {
        self.0 & (1 << direction.index()) != 0
    }

    /// Returns whether the sets have a direction in common.
    #[inline]
    pub const fn intersects(self, other: DirectionSet) -> bool {
        self.0 & other.0 != 0
    }

    /// Adds a direction. Returns `false` if it was already in the set.
    ///
    /// ```
    /// use skewer::board::{Direction, DirectionSet};
    ///
    /// let mut directions = DirectionSet::VERTICAL;
    /// assert!(directions.insert(Direction::East));
    /// assert!(!directions.insert(Direction::North));
    /// assert!(directions.iter().eq([Direction::North, Direction::East, Direction::South]));
    /// ```
    #[inline]
    pub const fn insert(&mut self, direction: Direction) -> bool {
        let is_new = !self.contains(direction);
        self.0 |= 1 << direction.index();
        is_new
    }

    /// Returns whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the number of directions.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns the opposite directions.
    ///
    /// ```
    /// use skewer::board::{Direction, DirectionSet};
    ///
    /// let up = DirectionSet::from(Direction::North) | Direction::NorthEast.into();
    /// let down = DirectionSet::from(Direction::South) | Direction::SouthWest.into();
    /// assert_eq!(up.opposites(), down);
    /// ```
    #[inline]
    pub const fn opposites(self) -> DirectionSet {
        self.rotate45(4)
    }

    /// Returns all directions turned counterclockwise by `times` times 45 degrees.
    ///
    /// ```
    /// use skewer::board::DirectionSet;
    ///
    /// assert_eq!(DirectionSet::DIAGONAL.rotate45(1), DirectionSet::ORTHOGONAL);
    /// assert_eq!(DirectionSet::VERTICAL.rotate45(1), DirectionSet::OFF_DIAGONAL);
    /// ```
    #[inline]
    pub const fn rotate45(self, times: u32) -> DirectionSet {
        DirectionSet(self.0.rotate_right(times % 8))
    }

    /// Returns the directions of the set, clockwise from north.
    #[inline]
    pub fn iter(self) -> Directions {
        Directions(self.0)
    }
}

impl From<Direction> for DirectionSet {
    #[inline]
    fn from(direction: Direction) -> DirectionSet {
        DirectionSet(1 << direction.index())
    }
}

impl FromIterator<Direction> for DirectionSet {
    fn from_iter<I: IntoIterator<Item = Direction>>(directions: I) -> DirectionSet {
        directions
            .into_iter()
            .fold(DirectionSet::EMPTY, |set, direction| set | direction.into())
    }
}

impl BitOr for DirectionSet {
    type Output = DirectionSet;

    #[inline]
    fn bitor(self, other: DirectionSet) -> DirectionSet {
        DirectionSet(self.0 | other.0)
    }
}

impl BitOrAssign for DirectionSet {
    #[inline]
    fn bitor_assign(&mut self, other: DirectionSet) {
        self.0 |= other.0;
    }
}

impl BitAnd for DirectionSet {
    type Output = DirectionSet;

    #[inline]
    fn bitand(self, other: DirectionSet) -> DirectionSet {
        DirectionSet(self.0 & other.0)
    }
}

impl IntoIterator for DirectionSet {
    type Item = Direction;
    type IntoIter = Directions;

    #[inline]
    fn into_iter(self) -> Directions {
        self.iter()
    }
}

impl fmt::Debug for DirectionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// An iterator over the directions of a set.
#[derive(Clone, Debug)]
pub struct Directions(u8);

impl Iterator for Directions {
    type Item = Direction;

    #[inline]
    fn next(&mut self) -> Option<Direction> {
        let direction = Direction::ALL.get(self.0.trailing_zeros() as usize).copied();
        self.0 &= self.0.wrapping_sub(1);
        direction
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.count_ones() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Directions {}
