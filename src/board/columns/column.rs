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
    /// Returns the same squares in every lane.
    #[inline]
    pub const fn same(squares: Bitboard) -> Column {
        Column([squares.0; LANES])
    }

    /// Returns all squares in the given lanes, and no squares in the others.
    #[inline]
    pub fn full(lanes: Lanes) -> Column {
        Column::from_lanes(|lane| filled_if(lanes >> lane & 1 != 0))
    }

    /// Returns the squares that `squares` returns for each lane.
    #[inline(always)]
    pub fn from_lanes(squares: impl Fn(usize) -> Bitboard) -> Column {
        let mut lanes = [0; LANES];
        for (lane, set) in lanes.iter_mut().enumerate() {
            *set = squares(lane).0;
        }
        Column(lanes)
    }

    /// Returns the same for functions that take more than a few instructions a lane. Uses the widest vectors that the processor has,
    /// whatever the program was built for. All functions that `squares` calls should be inlined.
    #[inline(always)]
    pub fn in_vectors(squares: impl Fn(usize) -> Bitboard) -> Column {
        for_this_processor!(Column::from_lanes(squares))
    }

    /// Fills the first lanes with the squares of the items, if `are_wanted`.
    #[inline(always)]
    pub(super) fn fill_if<T>(&mut self, are_wanted: bool, items: &[T], squares: impl Fn(&T) -> Bitboard) {
        if !are_wanted {
            return;
        }
        match <&[T; LANES]>::try_from(items) {
            // By index, so that compilers see that there are exactly sixteen lanes. Each is written before the
            // next is read, so that none has to be kept in between.
            Ok(items) => {
                for (lane, set) in self.0.iter_mut().enumerate() {
                    *set = squares(&items[lane]).0;
                }
            }
            Err(_) => self.fill_some(items, squares),
        }
    }

    /// Does the same for the few blocks that are not full. It is a separate function, so that it does not slow down the others.
    #[inline(never)]
    fn fill_some<T>(&mut self, items: &[T], squares: impl Fn(&T) -> Bitboard) {
        for (lane, item) in self.0.iter_mut().zip(items) {
            *lane = squares(item).0;
        }
    }

    /// Returns the squares in a lane; no squares if the lane does not exist.
    #[inline(always)]
    pub fn lane(&self, lane: usize) -> Bitboard {
        self.0.get(lane).map_or(Bitboard::EMPTY, |set| Bitboard(*set))
    }

    /// Returns whether no lane has a square.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.0.iter().fold(0, |all, set| all | set) == 0
    }

    /// Returns the union of the first `lanes` lanes.
    #[inline(always)]
    pub(crate) fn joined(&self, lanes: usize) -> Bitboard {
        let lanes = self.0.get(..lanes).unwrap_or(&self.0);
        Bitboard(lanes.iter().fold(0, |all, set| all | set))
    }

    /// Returns the union of the first half of the lanes, and that of the second half.
    #[inline(always)]
    pub(crate) fn halves(&self) -> [u64; 2] {
        const HALF: usize = LANES / 2;
        // Two quarters at once, since compilers turn that into vectors.
        let of_half = |first: usize| {
            let mut some = [0; HALF / 2];
            for (lane, set) in some.iter_mut().enumerate() {
                *set = self.0[first + lane] | self.0[first + HALF / 2 + lane];
            }
            some.into_iter().fold(0, |all, set| all | set)
        };
        [of_half(0), of_half(HALF)]
    }

    /// Stores squares in a pair of neighbouring lanes.
    #[inline(always)]
    pub(crate) fn put_pair(&mut self, pair: usize, squares: [u64; 2]) {
        let (pairs, _) = self.0.as_chunks_mut();
        if let Some(lanes) = pairs.get_mut(pair) {
            *lanes = squares;
        }
    }

    /// Returns the lanes that have a square.
    #[inline(never)]
    pub fn any(&self) -> Lanes {
        Column::lanes_where(|lane| self.lane(lane).any())
    }

    /// Returns the lanes that have `least` to `most` squares.
    #[inline(never)]
    pub fn count_within(&self, least: u32, most: u32) -> Lanes {
        let others = |lane: usize| self.0[lane] & self.0[lane].wrapping_sub(1);
        // Telling apart none, one and several needs no counting.
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

    /// Returns the lanes in which two columns are equal.
    #[inline(never)]
    pub fn equals(&self, other: &Column) -> Lanes {
        Column::lanes_where(|lane| self.lane(lane) == other.lane(lane))
    }

    /// Returns the lanes in which all squares are also in another column.
    #[inline(never)]
    pub fn is_within(&self, other: &Column) -> Lanes {
        Column::lanes_where(|lane| (self.lane(lane) & !other.lane(lane)).is_empty())
    }

    /// Takes the squares of `in_full` in the lanes that are full, and those of `in_empty` with ranks reversed in the lanes that are empty.
    #[inline(always)]
    pub(super) fn fill_as_seen(&mut self, in_full: &Column, in_empty: &Column, full: &Column) {
        for (lane, set) in self.0.iter_mut().enumerate() {
            *set = in_full.0[lane] & full.0[lane] | in_empty.0[lane].swap_bytes() & !full.0[lane];
        }
    }

    /// Returns the lanes in which `holds` is true. The function should use neither branches nor tables.
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

    /// Returns the same with instructions that any processor has.
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

    /// Moves each set this many squares towards h8, or towards a1 if negative. Edges are ignored.
    #[inline]
    pub fn moved(&self, places: i8) -> Column {
        let distance = u32::from(places.unsigned_abs()) % u64::BITS;
        if places >= 0 {
            Column::from_lanes(|lane| Bitboard(self.lane(lane).0 << distance))
        } else {
            Column::from_lanes(|lane| Bitboard(self.lane(lane).0 >> distance))
        }
    }

    /// Returns the lanes that have a square, using vector instructions made for that.
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

    /// Returns the union of all lanes.
    // Not inlined: apart from the computation of the lanes, both callers are a few vector instructions.
    #[inline(never)]
    fn union(&self) -> u64 {
        self.0.iter().fold(0, |all, set| all | set)
    }
}

/// The mark of each lane among the lowest bits of a union. It has a second bit, since compilers do not use vectors if a condition decides
/// about a single bit.
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
