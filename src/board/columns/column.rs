//! A set of squares for each of several positions.

use std::ops::{BitAnd, BitOr, Not};

use shakmaty::Bitboard;

use super::{LANES, Lanes};
use crate::board::processor::for_this_processor;
#[cfg(all(feature = "simd", target_arch = "x86_64"))]
use crate::board::processor::{avx2, without_avx2};

/// A set of squares for each of [`LANES`] positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(align(32))]
pub struct Column(pub(super) [u64; LANES]);

impl Column {
    /// The same squares in every lane.
    #[inline]
    pub const fn same(squares: Bitboard) -> Column {
        Column([squares.0; LANES])
    }

    /// All squares in some lanes, none in the others.
    #[inline]
    pub fn full(lanes: Lanes) -> Column {
        Column::from_lanes(|lane| filled_if(lanes >> lane & 1 != 0))
    }

    /// The squares that `squares` gives for each lane.
    #[inline(always)]
    pub fn from_lanes(squares: impl Fn(usize) -> Bitboard) -> Column {
        let mut lanes = [0; LANES];
        for (lane, set) in lanes.iter_mut().enumerate() {
            *set = squares(lane).0;
        }
        Column(lanes)
    }

    /// The same for what takes more than a few instructions a lane: in the widest vectors that the processor has, whatever the program was
    /// built for. All that `squares` calls should be inlined.
    #[inline(always)]
    pub fn in_vectors(squares: impl Fn(usize) -> Bitboard) -> Column {
        for_this_processor!(Column::from_lanes(squares))
    }

    /// Fills the first lanes with the squares of items, if they are wanted.
    #[inline(always)]
    pub(super) fn fill_if<T>(&mut self, are_wanted: bool, items: &[T], squares: impl Fn(&T) -> Bitboard) {
        if !are_wanted {
            return;
        }
        match <&[T; LANES]>::try_from(items) {
            // By number, so that compilers see that the lanes are sixteen and nothing else is to be looked at; each is written before the
            // next is read, so that none has to be kept meanwhile.
            Ok(items) => {
                for (lane, set) in self.0.iter_mut().enumerate() {
                    *set = squares(&items[lane]).0;
                }
            }
            Err(_) => self.fill_some(items, squares),
        }
    }

    /// The same for the few blocks that are not full, apart so that it is no burden on the others.
    #[inline(never)]
    fn fill_some<T>(&mut self, items: &[T], squares: impl Fn(&T) -> Bitboard) {
        for (lane, item) in self.0.iter_mut().zip(items) {
            *lane = squares(item).0;
        }
    }

    /// The squares in a lane; none if there is no such lane.
    #[inline(always)]
    pub fn lane(&self, lane: usize) -> Bitboard {
        self.0.get(lane).map_or(Bitboard::EMPTY, |set| Bitboard(*set))
    }

    /// Whether no lane has a square.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, set| all | set) == 0
    }

    /// The squares that some of the first lanes have, of which there are this many.
    #[inline(always)]
    pub(crate) fn joined(&self, lanes: usize) -> Bitboard {
        let lanes = self.0.get(..lanes).unwrap_or(&self.0);
        Bitboard(lanes.iter().fold(0, |all, set| all | set))
    }

    /// The squares that some of the first half of the lanes have, and those of the second.
    #[inline(always)]
    pub(crate) fn halves(&self) -> [u64; 2] {
        const HALF: usize = LANES / 2;
        // Half of a half at once, as compilers make vectors of that.
        let of_half = |first: usize| {
            let mut some = [0; HALF / 2];
            for (lane, set) in some.iter_mut().enumerate() {
                *set = self.0[first + lane] | self.0[first + HALF / 2 + lane];
            }
            some.into_iter().fold(0, |all, set| all | set)
        };
        [of_half(0), of_half(HALF)]
    }

    /// Puts squares into a pair of neighbouring lanes.
    #[inline(always)]
    pub(crate) fn put_pair(&mut self, pair: usize, squares: [u64; 2]) {
        let (pairs, _) = self.0.as_chunks_mut();
        if let Some(lanes) = pairs.get_mut(pair) {
            *lanes = squares;
        }
    }

    /// In which lanes there is a square.
    #[inline(never)]
    pub fn any(&self) -> Lanes {
        Column::lanes_where(|lane| self.lane(lane).any())
    }

    /// In which lanes there are `least` to `most` squares.
    #[inline(never)]
    pub fn count_within(&self, least: u32, most: u32) -> Lanes {
        let others = |lane: usize| self.0[lane] & self.0[lane].wrapping_sub(1);
        // To tell none, one and several from each other takes no counting.
        match (least, most) {
            (0, 0) => return !self.any(),
            (1, u32::MAX) => return self.any(),
            (1, 1) => return Column::lanes_where(|lane| (self.0[lane] != 0) & (others(lane) == 0)),
            (2, u32::MAX) => return Column::lanes_where(|lane| others(lane) != 0),
            _ => {}
        }
        let (least, most) = (i64::from(least), i64::from(most));
        Column::lanes_where(|lane| {
            let count = i64::from(self.lane(lane).0.count_ones());
            (least <= count) & (count <= most)
        })
    }

    /// In which lanes two columns are the same.
    #[inline(never)]
    pub fn equals(&self, other: &Column) -> Lanes {
        Column::lanes_where(|lane| self.lane(lane) == other.lane(lane))
    }

    /// In which lanes all squares are in another column, too.
    #[inline(never)]
    pub fn is_within(&self, other: &Column) -> Lanes {
        Column::lanes_where(|lane| (self.lane(lane) & !other.lane(lane)).is_empty())
    }

    /// Takes the squares of one column in the lanes that are full, and those of another with ranks reversed in the lanes that are empty.
    #[inline(always)]
    pub(super) fn fill_as_seen(&mut self, in_full: &Column, in_empty: &Column, full: &Column) {
        for (lane, set) in self.0.iter_mut().enumerate() {
            *set = in_full.0[lane] & full.0[lane] | in_empty.0[lane].swap_bytes() & !full.0[lane];
        }
    }

    /// In which lanes something holds. It should be without branches and tables.
    #[inline(always)]
    pub fn lanes_where(holds: impl Fn(usize) -> bool) -> Lanes {
        #[cfg(all(feature = "simd", target_arch = "x86_64"))]
        return match avx2() {
            Some(avx2) => fearless_simd::Simd::vectorize(
                avx2,
                #[inline(always)]
                || Column::from_lanes(|lane| filled_if(holds(lane))).filled_lanes(avx2),
            ),
            None => without_avx2(|| Column::marked_lanes(holds)),
        };
        #[cfg(not(all(feature = "simd", target_arch = "x86_64")))]
        Column::marked_lanes(holds)
    }

    /// The same by instructions that any processor has.
    #[inline(always)]
    fn marked_lanes(holds: impl Fn(usize) -> bool) -> Lanes {
        let marks = Column::from_lanes(|lane| {
            if holds(lane) {
                Bitboard(MARKS[lane])
            } else {
                Bitboard::EMPTY
            }
        });
        marks.union() as Lanes
    }

    /// Each set moved by so many places towards h8, or towards a1 if that is negative, without regard to the edges.
    #[inline]
    pub fn moved(&self, places: i8) -> Column {
        let distance = u32::from(places.unsigned_abs()) % u64::BITS;
        if places >= 0 {
            Column::from_lanes(|lane| Bitboard(self.lane(lane).0 << distance))
        } else {
            Column::from_lanes(|lane| Bitboard(self.lane(lane).0 >> distance))
        }
    }

    /// In which lanes there is a square, by vector instructions for just that.
    #[cfg(all(feature = "simd", target_arch = "x86_64"))]
    #[inline(always)]
    fn filled_lanes(&self, avx2: fearless_simd::Avx2) -> Lanes {
        use fearless_simd::{Simd, SimdBase, u64x4};

        let (quarters, _) = self.0.as_chunks::<{ LANES / 4 }>();
        let none = u64x4::splat(avx2, 0);
        let empty = |quarter| avx2.to_bitmask_mask64x4(u64x4::from_slice(avx2, quarter).simd_eq(none)) as Lanes;
        let lanes = quarters.iter().enumerate();
        !lanes.fold(0, |lanes, (index, quarter)| {
            lanes | empty(quarter) << (LANES / 4 * index)
        })
    }

    /// The squares that some lane has.
    // Not inlined: apart from what makes the lanes, both are a few vector instructions.
    #[inline(never)]
    fn union(&self) -> u64 {
        self.0.iter().fold(0, |all, set| all | set)
    }
}

/// What stands for each lane among the lowest bits of a union. There is a second bit, as compilers do without vectors where a condition decides
/// about a single one.
const MARKS: [u64; LANES] = {
    let mut marks = [0; LANES];
    let mut lane = 0;
    while lane < LANES {
        marks[lane] = 1 << lane | 1 << (LANES + lane);
        lane += 1;
    }
    marks
};

#[inline(always)]
fn filled_if(condition: bool) -> Bitboard {
    if condition { Bitboard::FULL } else { Bitboard::EMPTY }
}

impl BitAnd for Column {
    type Output = Column;

    #[inline(always)]
    fn bitand(self, other: Column) -> Column {
        Column::from_lanes(|lane| self.lane(lane) & other.lane(lane))
    }
}

impl BitOr for Column {
    type Output = Column;

    #[inline(always)]
    fn bitor(self, other: Column) -> Column {
        Column::from_lanes(|lane| self.lane(lane) | other.lane(lane))
    }
}

impl Not for Column {
    type Output = Column;

    #[inline(always)]
    fn not(self) -> Column {
        Column::from_lanes(|lane| !self.lane(lane))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_told_alike_by_all_ways() {
        fastrand::seed(23);
        for _ in 0..1000 {
            let holding = fastrand::u16(..) & fastrand::u16(..);
            let holds = |lane: usize| holding >> lane & 1 == 1;
            assert_eq!(Column::lanes_where(holds), holding);
            assert_eq!(Column::marked_lanes(holds), holding);
            let some = Column::from_lanes(|lane| {
                let squares = Bitboard(fastrand::u64(1..));
                if holds(lane) { squares } else { Bitboard::EMPTY }
            });
            assert_eq!(some.any(), holding);
            assert_eq!(some.is_within(&Column::default()), !holding);
            assert_eq!(some.equals(&Column::default()), !holding);
            let counts: Vec<u32> = (0..LANES).map(|lane| some.lane(lane).count() as u32).collect();
            let (least, most) = (fastrand::u32(..40), fastrand::u32(..40));
            let expected = Column::marked_lanes(|lane| (least..=most).contains(&counts[lane]));
            assert_eq!(some.count_within(least, most), expected);
        }
    }
}
