//! Where kings and pawns have been in the main lines of a row group, so that most games without the squares of a query need not be replayed.
//!
//! For each of four kinds of pieces and each square there is a bitmap of the games in which such a piece has been there. A query asks for few
//! squares, so the bitmaps of each rank are packed separately with zstd. They follow the board filter of a row group: the white king, the black king,
//! white pawns and black pawns, each from the first rank to the eighth. Before them are the lengths of these 32 parts, in two little-endian bytes
//! each. The key `skewer.ranks` of the file's metadata has for each row group the number of bytes and their CRC-32.

use std::sync::OnceLock;
use std::{array, io};

use bytes::Bytes;
use zstd::bulk::Compressor;

use super::hexadecimal::{self, Digits};
use super::unpack;
use crate::board::columns::Lanes;
use crate::board::{Bitboard, Color, Contents, Rank, Role, Square};
use crate::chess::Position;
use crate::query::algebra::Pieces;
use crate::query::ast::versions::Formation;

/// The kinds of pieces, in their order.
const KINDS: [(Color, Role); 4] = [
    (Color::White, Role::King),
    (Color::Black, Role::King),
    (Color::White, Role::Pawn),
    (Color::Black, Role::Pawn),
];
/// The ranks of a board, and the squares of a rank.
const EIGHT: usize = 8;
/// The parts of a row group, one for each rank of a kind.
const PARTS: usize = KINDS.len() * EIGHT;
/// The bytes of the length of a part.
const LENGTH: usize = 2;
/// The digits of a length and of a checksum.
const DIGITS: usize = 8;
/// The compression level of zstd.
const LEVEL: i32 = 3;

/// Returns the indices of the kinds that are among these contents.
fn kinds_in(contents: Contents) -> impl Iterator<Item = usize> {
    let is_asked = move |kind: &usize| {
        let (color, role) = KINDS[*kind];
        contents.intersects(Contents::of(color, role))
    };
    (0..KINDS.len()).filter(is_asked)
}

/// The squares where kings and pawns have been in one main line, or in several, by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct VisitedSquares([Bitboard; KINDS.len()]);

/// Nothing is known, so every square is possible.
impl Default for VisitedSquares {
    fn default() -> VisitedSquares {
        VisitedSquares([Bitboard::FULL; KINDS.len()])
    }
}

impl VisitedSquares {
    /// Returns the squares for these positions.
    pub(super) fn of(positions: &[Position]) -> VisitedSquares {
        let mut ever = [Bitboard::EMPTY; KINDS.len()];
        for position in positions {
            let board = &position.board;
            for (ever, (color, role)) in ever.iter_mut().zip(KINDS) {
                *ever |= *board.colors.get(color) & *board.roles.get(role);
            }
        }
        VisitedSquares(ever)
    }
}

/// The packed squares of all games of a row group, or nothing if they are unknown.
#[derive(Clone, Default)]
pub(super) struct PackedSquares {
    pub(super) bytes: Bytes,
}

impl PackedSquares {
    /// Packs the squares of games.
    ///
    /// # Errors
    /// Returns an error if packing fails.
    pub(super) fn of(games: &[VisitedSquares]) -> io::Result<PackedSquares> {
        let mut zstd = Compressor::new(LEVEL)?;
        let (mut lengths, mut parts) = (Vec::new(), Vec::new());
        for part in 0..PARTS {
            let squares = Bitboard::from(Rank::new((part % EIGHT) as u32));
            let of_games = |square: Square| games.iter().map(move |ever| ever.0[part / EIGHT].contains(square));
            let bitmaps: Vec<u8> = squares
                .into_iter()
                .flat_map(|square| bitmap(of_games(square)))
                .collect();
            let packed = zstd.compress(&bitmaps)?;
            lengths.extend(u16::try_from(packed.len()).map_err(io::Error::other)?.to_le_bytes());
            parts.extend(packed);
        }
        lengths.append(&mut parts);
        Ok(PackedSquares { bytes: lengths.into() })
    }

    /// Returns the bitmaps of a part, one after another, for this many games, or `None` if they are damaged.
    fn unpack(&self, part: usize, games: usize) -> Option<Vec<u8>> {
        let (lengths, parts) = self.bytes.split_at_checked(PARTS * LENGTH)?;
        let (lengths, _) = lengths.as_chunks::<LENGTH>();
        let length = |part: &[u8; LENGTH]| usize::from(u16::from_le_bytes(*part));
        let start: usize = lengths.get(..part)?.iter().map(length).sum();
        let packed = parts.get(start..start + length(lengths.get(part)?))?;
        let bytes = EIGHT * games.div_ceil(8);
        unpack::unpacked(packed, bytes)
    }

    /// Returns the number of bytes and their checksum as hexadecimal digits.
    pub(super) fn to_text(&self) -> String {
        format!(
            "{:0DIGITS$x}{:0DIGITS$x}",
            self.bytes.len(),
            crc32fast::hash(&self.bytes)
        )
    }
}

/// Returns a bit for each game, starting with the lowest.
fn bitmap(games: impl Iterator<Item = bool>) -> Vec<u8> {
    let games: Vec<bool> = games.collect();
    let of_eight = |games: &[bool]| games.iter().rev().fold(0, |byte, game| byte << 1 | u8::from(*game));
    games.chunks(8).map(of_eight).collect()
}

/// The squares of the games of a row group. Each part is unpacked when it is needed.
pub(super) struct GroupSquares {
    packed: PackedSquares,
    games: usize,
    parts: [OnceLock<Option<Vec<u8>>>; PARTS],
}

impl GroupSquares {
    /// Creates them from what is packed for this many games.
    pub(super) fn new(packed: PackedSquares, games: usize) -> GroupSquares {
        GroupSquares {
            packed,
            games,
            parts: array::from_fn(|_| OnceLock::new()),
        }
    }

    /// Returns the bitmap of the games in which a piece of a kind has been on a square.
    fn bitmap(&self, kind: usize, square: Square) -> Option<&[u8]> {
        let (part, place) = (EIGHT * kind + usize::from(square.rank()), usize::from(square.file()));
        let bitmaps = self
            .parts
            .get(part)?
            .get_or_init(|| self.packed.unpack(part, self.games));
        let bytes = self.games.div_ceil(8);
        bitmaps.as_ref()?.get(place * bytes..(place + 1) * bytes)
    }
}

/// The squares of the games of a row group from a certain game on, each of which has a lane.
#[derive(Clone, Copy, Default)]
pub(super) struct GamesFrom<'a> {
    /// The squares, or `None` if they are unknown.
    pub(super) squares: Option<&'a GroupSquares>,
    pub(super) first: usize,
}

impl GamesFrom<'_> {
    /// Returns the lanes in which a piece of a kind, by its index in [`KINDS`], may have been on a square.
    fn lanes(&self, kind: usize, square: Square) -> Lanes {
        let Some(bitmap) = self.squares.and_then(|squares| squares.bitmap(kind, square)) else {
            return Lanes::MAX;
        };
        let behind = bitmap.get(self.first / 8..).unwrap_or_default();
        let bits = match behind {
            [a, b, c, ..] => u32::from_le_bytes([*a, *b, *c, 0]),
            [a, b] => u32::from_le_bytes([*a, *b, 0, 0]),
            [a] => u32::from(*a),
            [] => 0,
        };
        (bits >> (self.first % 8)) as Lanes
    }

    /// Returns the lanes in which a square may have had these contents.
    fn may_have(&self, contents: Contents, square: Square) -> Lanes {
        if !contents.is_within(Contents::KINGS | Contents::PAWNS) {
            return Lanes::MAX;
        }
        kinds_in(contents).fold(0, |lanes, kind| lanes | self.lanes(kind, square))
    }

    /// Returns the lanes in which at least `least` of these squares may have had such contents.
    pub(super) fn may_stand(&self, pieces: Pieces, least: u32) -> Lanes {
        // The lanes in which at least 0, 1, 2 … squares have had them.
        let mut by_count = [0; Square::ALL.len() + 1];
        by_count[0] = Lanes::MAX;
        let Some(most) = by_count.get_mut(..=least as usize) else {
            return 0;
        };
        for square in pieces.squares {
            let there = self.may_have(pieces.contents, square);
            for count in (1..most.len()).rev() {
                most[count] |= most[count - 1] & there;
            }
        }
        most.last().copied().unwrap_or_default()
    }

    /// Returns the lanes in which pieces may have stood as in a formation: all of them in their places relative to one anchor square.
    pub(super) fn may_show(&self, formation: &Formation, contents: &[Contents]) -> Lanes {
        let asked = contents.iter().fold(Contents(0), |asked, contents| asked | *contents);
        let mut kinds = [[0; Square::ALL.len()]; KINDS.len()];
        for kind in kinds_in(asked) {
            kinds[kind] = Square::ALL.map(|square| self.lanes(kind, square));
        }
        let mut shown = [Lanes::MAX; Square::ALL.len()];
        for (contents, offset) in contents.iter().zip(&formation.offsets) {
            if !contents.is_within(Contents::KINGS | Contents::PAWNS) {
                continue;
            }
            let on = |square: usize| kinds_in(*contents).fold(0, |lanes, kind| lanes | kinds[kind][square]);
            for anchor in formation.anchors {
                let square = usize::from(anchor).checked_add_signed((*offset).into());
                shown[usize::from(anchor)] &= square.filter(|square| *square < Square::ALL.len()).map_or(0, on);
            }
        }
        formation
            .anchors
            .into_iter()
            .fold(0, |lanes, anchor| lanes | shown[usize::from(anchor)])
    }
}

/// Reads the numbers of bytes of this many row groups, and their checksums.
pub(super) fn lengths_from_text(text: &str, groups: usize) -> io::Result<Vec<(usize, u32)>> {
    let length_and_sum = |digits: &mut Digits<'_>| Some((digits.number(DIGITS)?, digits.number(DIGITS)?));
    hexadecimal::of_groups(text, 2 * DIGITS, groups, length_and_sum, "squares")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::columns::{Column, LANES};

    fn random_games(random: &mut fastrand::Rng, count: usize) -> Vec<VisitedSquares> {
        let mut squares = |_| Bitboard(random.u64(..) & random.u64(..));
        (0..count)
            .map(|_| VisitedSquares(array::from_fn(&mut squares)))
            .collect()
    }

    #[test]
    fn what_is_packed_is_unpacked() {
        let mut random = fastrand::Rng::with_seed(5);
        for count in [1, 300] {
            let games = random_games(&mut random, count);
            let packed = PackedSquares::of(&games).unwrap();
            let squares = GroupSquares::new(packed.clone(), count);
            for first in [0, 3, 16, 290, 299, 400] {
                let from = GamesFrom {
                    squares: Some(&squares),
                    first,
                };
                for (kind, square) in (0..KINDS.len()).flat_map(|kind| Square::ALL.map(|square| (kind, square))) {
                    let of_game = |lane: usize| {
                        games
                            .get(first + lane)
                            .is_some_and(|ever| ever.0[kind].contains(square))
                    };
                    assert_eq!(from.lanes(kind, square), Column::lanes_where(of_game));
                }
            }
            let text = packed.to_text();
            let sum = crc32fast::hash(&packed.bytes);
            assert_eq!(lengths_from_text(&text, 1).unwrap(), [(packed.bytes.len(), sum)]);
            assert!(lengths_from_text(&text, 2).is_err() && lengths_from_text(&text[1..], 1).is_err());
        }
    }

    #[test]
    fn what_cannot_be_unpacked_is_not_known() {
        let packed = PackedSquares::of(&random_games(&mut fastrand::Rng::with_seed(6), 20)).unwrap();
        for (bytes, games) in [
            (0, 20),
            (40, 20),
            (packed.bytes.len() - 1, 20),
            (packed.bytes.len(), 30),
        ] {
            let bytes = packed.bytes.slice(..bytes);
            let squares = GroupSquares::new(PackedSquares { bytes }, games);
            let from = GamesFrom {
                squares: Some(&squares),
                first: 0,
            };
            assert_eq!(from.lanes(KINDS.len() - 1, Square::H8), Lanes::MAX);
        }
    }

    #[test]
    fn so_many_squares_are_counted_in_each_game() {
        let games = random_games(&mut fastrand::Rng::with_seed(8), LANES);
        let squares = GroupSquares::new(PackedSquares::of(&games).unwrap(), LANES);
        let from = GamesFrom {
            squares: Some(&squares),
            first: 0,
        };
        let pieces = Pieces {
            contents: Contents::PAWNS,
            squares: Bitboard(0xff_8100),
        };
        for least in (0..=11).chain([64, 65, u32::MAX]) {
            let count = |lane: usize| (pieces.squares & (games[lane].0[2] | games[lane].0[3])).count();
            let expected = Column::lanes_where(|lane| count(lane) >= least as usize);
            assert_eq!(from.may_stand(pieces, least), expected, "{least}");
        }
    }
}
