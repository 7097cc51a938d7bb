//! The numbers of pieces of each kind on a board.

use shakmaty::{ByColor, Color, Role};
use smallvec::SmallVec;

use super::{Board, Contents};

/// Numbers of pieces, four bits a kind: from the lowest, white pawns, knights, bishops, rooks and queens, then the same in black, then
/// all white pieces and all black pieces including kings, each minus one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct PieceCounts(pub(crate) u64);

/// The kinds of pieces that are counted. Kings are not.
const ROLES: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
/// The number of counts in [`PieceCounts`].
const NUMBERS: usize = 12;
/// The index of the number of all white pieces. The number of all black pieces follows.
const TOTALS: usize = 10;

impl PieceCounts {
    /// Counts the pieces of a board. More than fifteen of a kind count as fifteen.
    pub(crate) fn of(board: &Board) -> PieceCounts {
        let mut counts = PieceCounts::default();
        for (index, color) in Color::ALL.into_iter().enumerate() {
            for (place, role) in ROLES.into_iter().enumerate() {
                counts.add(index * ROLES.len() + place, board.pieces(color, role).count());
            }
            counts.add(TOTALS + index, board.colors.get(color).count().saturating_sub(1));
        }
        counts
    }

    /// Stores a number at an index where there is none yet.
    fn add(&mut self, place: usize, number: usize) {
        self.0 |= (number.min(15) as u64) << (4 * place);
    }

    /// Returns the least of each number.
    pub(crate) fn least(self, other: PieceCounts) -> PieceCounts {
        self.joined(other, u64::min)
    }

    /// Returns the greatest of each number.
    pub(crate) fn most(self, other: PieceCounts) -> PieceCounts {
        self.joined(other, u64::max)
    }

    fn joined(self, other: PieceCounts, choose: impl Fn(u64, u64) -> u64) -> PieceCounts {
        let masks = (0..u64::BITS / 4).map(|place| 15 << (4 * place));
        PieceCounts(masks.map(|mask| choose(self.0 & mask, other.0 & mask)).sum())
    }

    /// Returns how many of these pieces there are. An empty square in `contents` is ignored. Gives the same result as [`numbers_of`], in a faster
    /// form for each game.
    pub(crate) fn of_contents(self, contents: Contents) -> u32 {
        let of_color = |all: Contents, place: usize, shift: u32, total: usize| {
            if contents.0 & all.0 == all.0 {
                return (1, 15 << (4 * total));
            }
            let roles = usize::from(contents.0 >> shift) % ROLE_MASKS.len();
            (roles as u32 & 1, ROLE_MASKS[roles] << (4 * place))
        };
        let (white_kings, white) = of_color(Contents::WHITE, 0, 0, TOTALS);
        let (black_kings, black) = of_color(Contents::BLACK, ROLES.len(), 7, TOTALS + 1);
        let numbers = self.0 & (white | black);
        // Adds the numbers in pairs, one pair a byte, then all of them in the highest byte.
        let pairs = (numbers & PAIRS) + (numbers >> 4 & PAIRS);
        let sum = pairs.wrapping_mul(u64::MAX / 255) >> 56;
        white_kings + black_kings + sum as u32
    }
}

/// The lower four bits of each byte.
const PAIRS: u64 = 0x0f0f_0f0f_0f0f_0f0f;

/// By the roles of White, from the king and the queen down to the pawn: the bits of their numbers in [`PieceCounts`].
static ROLE_MASKS: [u64; 64] = {
    let mut masks = [0; 64];
    let mut roles = 0;
    while roles < masks.len() {
        let mut place = 0;
        while place < ROLES.len() {
            if roles >> (ROLES.len() - place) & 1 == 1 {
                masks[roles] |= 15 << (4 * place);
            }
            place += 1;
        }
        roles += 1;
    }
    masks
};

/// Returns how the number of certain pieces is made up: the kings among them, which are always there, and the indices in [`PieceCounts`] of the
/// numbers to add. An empty square in `contents` is ignored.
pub(crate) fn numbers_of(contents: Contents) -> (u32, SmallVec<[usize; NUMBERS]>) {
    let colors = ByColor {
        white: (Contents::WHITE, 0, 0),
        black: (Contents::BLACK, ROLES.len(), 7),
    };
    let (mut kings, mut places) = (0, SmallVec::new());
    for color in [Color::White, Color::Black] {
        let (all, place, shift) = *colors.get(color);
        if contents.0 & all.0 == all.0 {
            kings += 1;
            places.push(TOTALS + place / ROLES.len());
            continue;
        }
        let roles = contents.0 >> shift;
        kings += u32::from(roles & 1);
        // The bits of contents go from the king and the queen down to the pawn.
        let pieces = (0..ROLES.len()).filter(|index| roles >> (ROLES.len() - index) & 1 == 1);
        places.extend(pieces.map(|index| place + index));
    }
    (kings, places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_added_up_as_their_places_say() {
        let counts = PieceCounts(0xe123_4567_89ab_cdef);
        for contents in (0..1 << 14).map(Contents) {
            let (kings, places) = numbers_of(contents);
            let sum: u64 = places.iter().map(|place| counts.0 >> (4 * place) & 15).sum();
            assert_eq!(
                u64::from(counts.of_contents(contents)),
                u64::from(kings) + sum,
                "{contents:?}"
            );
        }
    }
}
