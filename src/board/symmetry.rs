//! The eight symmetries of the board, and shifts: what transforms do to squares, sets and directions.
//!
//! Source: chessprogramming wiki, "Flipping Mirroring and Rotating" and "Color Flipping".

use shakmaty::{Bitboard, Square};

use super::directions::{Direction, DirectionSet};

/// A symmetry of the board.
///
/// Named by what happens to the square of file x and rank y, both counted from 0. The number of a symmetry consists of three
/// bits: 4 exchanges x and y, then 1 mirrors x and 2 mirrors y.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Symmetry {
    /// (x, y).
    Identity,
    /// (7-x, y): left and right exchanged.
    ReflectV,
    /// (x, 7-y): up and down exchanged.
    ReflectH,
    /// (7-x, 7-y).
    Rotate180,
    /// (y, x): mirrored at the diagonal a1-h8.
    ReflectA1H8,
    /// (7-y, x): a1 goes to h1.
    Counterclockwise90,
    /// (y, 7-x): a1 goes to a8.
    Clockwise90,
    /// (7-y, 7-x): mirrored at the antidiagonal a8-h1.
    ReflectA8H1,
}

impl Symmetry {
    /// All symmetries by number.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::Identity,
        Symmetry::ReflectV,
        Symmetry::ReflectH,
        Symmetry::Rotate180,
        Symmetry::ReflectA1H8,
        Symmetry::Counterclockwise90,
        Symmetry::Clockwise90,
        Symmetry::ReflectA8H1,
    ];

    /// All symmetries in the order in which `flip` and `similarposition` try them (chapter 4, 6.2).
    pub const IN_ORDER_OF_FLIP: [Symmetry; 8] = [
        Symmetry::Identity,
        Symmetry::ReflectA1H8,
        Symmetry::ReflectH,
        Symmetry::Counterclockwise90,
        Symmetry::ReflectV,
        Symmetry::Clockwise90,
        Symmetry::Rotate180,
        Symmetry::ReflectA8H1,
    ];

    const MIRRORS_X: u8 = 1;
    const MIRRORS_Y: u8 = 2;
    const TRANSPOSES: u8 = 4;

    const fn from_bits(bits: u8) -> Symmetry {
        Symmetry::ALL[(bits & 7) as usize]
    }

    const fn has(self, bit: u8) -> bool {
        self as u8 & bit != 0
    }

    /// Returns the name that queries see in `currenttransform`. Empty for the identity.
    ///
    /// ```
    /// use skewer::board::Symmetry;
    ///
    /// assert_eq!(Symmetry::Counterclockwise90.name(), "counterclockwise90");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Symmetry::Identity => "",
            Symmetry::ReflectV => "reflect_v",
            Symmetry::ReflectH => "reflect_h",
            Symmetry::Rotate180 => "rotate180",
            Symmetry::ReflectA1H8 => "reflect_a1h8",
            Symmetry::Counterclockwise90 => "counterclockwise90",
            Symmetry::Clockwise90 => "clockwise90",
            Symmetry::ReflectA8H1 => "reflect_a8h1",
        }
    }

    /// Returns the image of a square.
    ///
    /// ```
    /// use skewer::board::{Square, Symmetry};
    ///
    /// assert_eq!(Symmetry::Clockwise90.square(Square::B1), Square::A7);
    /// assert_eq!(Symmetry::ReflectA8H1.square(Square::B1), Square::H7);
    /// ```
    #[inline]
    pub const fn square(self, square: Square) -> Square {
        match self {
            Symmetry::Identity => square,
            Symmetry::ReflectV => square.flip_horizontal(),
            Symmetry::ReflectH => square.flip_vertical(),
            Symmetry::Rotate180 => square.rotate_180(),
            Symmetry::ReflectA1H8 => square.flip_diagonal(),
            Symmetry::Counterclockwise90 => square.rotate_270(),
            Symmetry::Clockwise90 => square.rotate_90(),
            Symmetry::ReflectA8H1 => square.flip_anti_diagonal(),
        }
    }

    /// Returns the images of all squares of a set.
    ///
    /// ```
    /// use skewer::board::{Bitboard, Square, Symmetry};
    ///
    /// let set = Bitboard::from_iter([Square::A1, Square::B1, Square::C2]);
    /// let image = Symmetry::Counterclockwise90.set(set);
    /// assert_eq!(format!("{image:?}"), "\
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . . .
    /// . . . . . . 1 .
    /// . . . . . . . 1
    /// . . . . . . . 1
    /// ");
    /// ```
    #[inline]
    pub const fn set(self, set: Bitboard) -> Bitboard {
        match self {
            Symmetry::Identity => set,
            Symmetry::ReflectV => set.flip_horizontal(),
            Symmetry::ReflectH => set.flip_vertical(),
            Symmetry::Rotate180 => set.rotate_180(),
            Symmetry::ReflectA1H8 => set.flip_diagonal(),
            Symmetry::Counterclockwise90 => set.rotate_270(),
            Symmetry::Clockwise90 => set.rotate_90(),
            Symmetry::ReflectA8H1 => set.flip_anti_diagonal(),
        }
    }

    /// Returns the image of a direction: the direction from the image of a square to the image of its neighbour.
    ///
    /// ```
    /// use skewer::board::{Direction, Symmetry};
    ///
    /// assert_eq!(Symmetry::ReflectV.direction(Direction::NorthWest), Direction::NorthEast);
    /// assert_eq!(Symmetry::Counterclockwise90.direction(Direction::East), Direction::North);
    /// ```
    #[inline]
    pub const fn direction(self, direction: Direction) -> Direction {
        // Counted clockwise from north, mirrors count backwards from their own origin: transposing fixes the north-east,
        // which is 1 = 2 - 1, mirroring x fixes the north, and mirroring y fixes the east, which is 2 = 4 - 2.
        let mut turns = direction.index();
        if self.has(Self::TRANSPOSES) {
            turns = 10 - turns;
        }
        if self.has(Self::MIRRORS_X) {
            turns = 16 - turns;
        }
        if self.has(Self::MIRRORS_Y) {
            turns = 20 - turns;
        }
        Direction::ALL[turns % 8]
    }

    /// Returns the images of all directions of a set.
    ///
    /// ```
    /// use skewer::board::{DirectionSet, Symmetry};
    ///
    /// assert_eq!(Symmetry::ReflectA1H8.directions(DirectionSet::VERTICAL), DirectionSet::HORIZONTAL);
    /// assert_eq!(Symmetry::Rotate180.directions(DirectionSet::DIAGONAL), DirectionSet::DIAGONAL);
    /// ```
    pub fn directions(self, directions: DirectionSet) -> DirectionSet {
        directions.iter().map(|direction| self.direction(direction)).collect()
    }

    /// Returns this symmetry followed by another, as one.
    ///
    /// ```
    /// use skewer::board::Symmetry;
    ///
    /// assert_eq!(Symmetry::ReflectV.then(Symmetry::ReflectH), Symmetry::Rotate180);
    /// assert_eq!(Symmetry::ReflectV.then(Symmetry::ReflectA1H8), Symmetry::Clockwise90);
    /// ```
    pub const fn then(self, next: Symmetry) -> Symmetry {
        let own = self as u8;
        // A mirror before the exchange of x and y is the other mirror after it.
        let carried = if next.has(Self::TRANSPOSES) {
            (own & Self::MIRRORS_X) << 1 | (own & Self::MIRRORS_Y) >> 1 | own & Self::TRANSPOSES
        } else {
            own
        };
        Symmetry::from_bits(carried ^ next as u8)
    }

    /// Returns the symmetry that undoes this one.
    ///
    /// ```
    /// use skewer::board::Symmetry;
    ///
    /// assert_eq!(Symmetry::Clockwise90.inverse(), Symmetry::Counterclockwise90);
    /// assert_eq!(Symmetry::ReflectA8H1.inverse(), Symmetry::ReflectA8H1);
    /// ```
    pub const fn inverse(self) -> Symmetry {
        match self {
            Symmetry::Clockwise90 => Symmetry::Counterclockwise90,
            Symmetry::Counterclockwise90 => Symmetry::Clockwise90,
            // All others are half turns or mirrors.
            _ => self,
        }
    }

    /// Returns whether light squares become dark and dark ones light.
    ///
    /// ```
    /// use skewer::board::Symmetry;
    ///
    /// assert!(Symmetry::ReflectV.exchanges_square_colors());
    /// assert!(!Symmetry::Rotate180.exchanges_square_colors());
    /// ```
    pub const fn exchanges_square_colors(self) -> bool {
        self.has(Self::MIRRORS_X) != self.has(Self::MIRRORS_Y)
    }
}

/// Returns a set moved `dx` files to the east and `dy` ranks to the north. Complete lines stay complete.
///
/// The set moves vertically first, then horizontally, one step at a time. Squares moved off the board are lost, but a file that is
/// complete before a vertical step stays complete, and so does a rank before a horizontal one: they stand for
/// a condition on the other coordinate only. So the whole board does not move at all.
///
/// ```
/// use skewer::board::{Bitboard, Rank, Square, symmetry::shift_with_full_lines};
///
/// let set = Bitboard::from(Rank::Second) | Square::A4;
/// let shifted = shift_with_full_lines(set, -1, 2);
/// assert_eq!(format!("{shifted:?}"), "\
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// 1 1 1 1 1 1 1 1
/// . . . . . . . .
/// . . . . . . . .
/// . . . . . . . .
/// ");
/// ```
pub fn shift_with_full_lines(set: Bitboard, dx: i32, dy: i32) -> Bitboard {
    let vertical = if dy > 0 { Direction::North } else { Direction::South };
    let horizontal = if dx > 0 { Direction::East } else { Direction::West };
    // After eight steps, only complete lines are left, and further steps keep them.
    let moved = (0..dy.unsigned_abs().min(8)).fold(set, |set, _| vertical.shift(set) | full_files(set));
    (0..dx.unsigned_abs().min(8)).fold(moved, |set, _| horizontal.shift(set) | full_ranks(set))
}

/// Returns the complete files of a set.
fn full_files(set: Bitboard) -> Bitboard {
    const FIRST_RANK: u64 = 0xff;
    const FILE_A: u64 = 0x0101_0101_0101_0101;
    let halves = set.0 & set.0 >> 32;
    let quarters = halves & halves >> 16;
    // One bit a file, in the first rank, copied to all ranks.
    Bitboard((quarters & quarters >> 8 & FIRST_RANK).wrapping_mul(FILE_A))
}

/// Returns the complete ranks of a set.
fn full_ranks(set: Bitboard) -> Bitboard {
    full_files(set.flip_diagonal()).flip_diagonal()
}
