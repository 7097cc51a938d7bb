//! Where the kings and the pawns have been in the main lines of a row group, game by game, so that most games of which a query wants them elsewhere need
//! not be replayed.
//!
//! Behind the filter of boards of a row group stand four numbers of 64 bits for each game: the squares of the white king, of the black king, of white pawns and of black
//! pawns. First come the lowest bytes of the first number of all games, then the next bytes; most of these planes are alike or empty, and all are packed
//! with zstd. The key `skewer.squares` of the file's metadata has for each row group the number of packed bytes and their CRC-32.

use std::io;

use bytes::Bytes;

use super::error::damaged;
use super::hexadecimal;
use crate::board::{Bitboard, Color, Contents, Role};
use crate::chess::Position;

/// Numbers of a game, and bytes of each.
const NUMBERS: usize = 4;
const BYTES: usize = 8;
/// Digits of a length and of a checksum.
const DIGITS: usize = 8;
/// How much zstd tries.
const LEVEL: i32 = 3;

/// The squares where kings and pawns have been in a main line, or more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EverOn {
    /// White's, then Black's.
    pub(super) kings: [Bitboard; 2],
    pub(super) pawns: [Bitboard; 2],
}

/// Nothing is known.
impl Default for EverOn {
    fn default() -> EverOn {
        EverOn {
            kings: [Bitboard::FULL; 2],
            pawns: [Bitboard::FULL; 2],
        }
    }
}

impl EverOn {
    /// That of some positions.
    pub(super) fn of(positions: &[Position]) -> EverOn {
        let mut ever = EverOn::from_numbers([0; NUMBERS]);
        for position in positions {
            let board = &position.board;
            for (index, color) in [Color::White, Color::Black].into_iter().enumerate() {
                let own = *board.colors.get(color);
                ever.kings[index] |= own & board.roles.king;
                ever.pawns[index] |= own & board.roles.pawn;
            }
        }
        ever
    }

    /// The squares that may have had one of some contents.
    pub(super) fn on(&self, contents: Contents) -> Bitboard {
        Color::ALL.into_iter().fold(
            match contents.is_within(Contents::KINGS | Contents::PAWNS) {
                true => Bitboard::EMPTY,
                false => Bitboard::FULL,
            },
            |squares, color| {
                let of = |role, ever: [Bitboard; 2]| match contents.intersects(Contents::of(color, role)) {
                    true => ever[color.fold_wb(0, 1)],
                    false => Bitboard::EMPTY,
                };
                squares | of(Role::King, self.kings) | of(Role::Pawn, self.pawns)
            },
        )
    }

    fn from_numbers([white_king, black_king, white_pawns, black_pawns]: [u64; NUMBERS]) -> EverOn {
        EverOn {
            kings: [white_king, black_king].map(Bitboard),
            pawns: [white_pawns, black_pawns].map(Bitboard),
        }
    }

    fn to_numbers(self) -> [u64; NUMBERS] {
        let [[white_king, black_king], [white_pawns, black_pawns]] = [self.kings, self.pawns];
        [white_king, black_king, white_pawns, black_pawns].map(|squares| squares.0)
    }
}

/// What a row group says of all its games; empty if that is nothing.
#[derive(Clone, Default)]
pub(super) struct PackedSquares {
    pub(super) bytes: Bytes,
}

impl PackedSquares {
    /// Packs what is known of games.
    ///
    /// # Errors
    /// When it cannot be packed.
    pub(super) fn of(games: &[EverOn]) -> io::Result<PackedSquares> {
        let mut planes = Vec::with_capacity(games.len() * NUMBERS * BYTES);
        for number in 0..NUMBERS {
            for byte in 0..BYTES {
                planes.extend(games.iter().map(|ever| ever.to_numbers()[number].to_le_bytes()[byte]));
            }
        }
        let bytes = zstd::bulk::compress(&planes, LEVEL)?.into();
        Ok(PackedSquares { bytes })
    }

    /// What is known of so many games.
    ///
    /// # Errors
    /// When it is not what was packed.
    pub(super) fn unpack(&self, games: usize) -> io::Result<Vec<EverOn>> {
        let planes = zstd::bulk::decompress(&self.bytes, games * NUMBERS * BYTES)?;
        if planes.len() != games * NUMBERS * BYTES {
            return Err(damaged("squares of more or fewer games"));
        }
        let mut numbers = vec![[0_u64; NUMBERS]; games];
        for (place, plane) in planes.chunks_exact(games.max(1)).enumerate() {
            for (numbers, byte) in numbers.iter_mut().zip(plane) {
                numbers[place / BYTES] |= u64::from(*byte) << (8 * (place % BYTES));
            }
        }
        Ok(numbers.into_iter().map(EverOn::from_numbers).collect())
    }

    /// The number of bytes and their checksum, as hexadecimal digits.
    pub(super) fn to_text(&self) -> String {
        format!(
            "{:0DIGITS$x}{:0DIGITS$x}",
            self.bytes.len(),
            crc32fast::hash(&self.bytes)
        )
    }
}

/// Reads the numbers of bytes of so many row groups, and their checksums.
pub(super) fn lengths_from_text(text: &str, groups: usize) -> io::Result<Vec<(usize, u32)>> {
    let length_and_sum = |digits: &str| {
        let (length, sum) = digits.split_at_checked(DIGITS)?;
        Some((
            usize::from_str_radix(length, 16).ok()?,
            u32::from_str_radix(sum, 16).ok()?,
        ))
    };
    hexadecimal::of_groups(text, 2 * DIGITS, groups, length_and_sum, "squares")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut squares = || Bitboard(random.u64(..) & random.u64(..));
        for count in [1, 300] {
            let games: Vec<EverOn> = (0..count)
                .map(|_| EverOn {
                    kings: [squares(), squares()],
                    pawns: [squares(), squares()],
                })
                .collect();
            let packed = PackedSquares::of(&games).unwrap();
            assert_eq!(packed.unpack(count).unwrap(), games);
            assert!(packed.unpack(count + 1).is_err());
            let text = packed.to_text();
            let sum = crc32fast::hash(&packed.bytes);
            assert_eq!(lengths_from_text(&text, 1).unwrap(), [(packed.bytes.len(), sum)]);
            assert!(lengths_from_text(&text, 2).is_err() && lengths_from_text(&text[1..], 1).is_err());
        }
    }

    #[test]
    fn unknown_pieces_may_have_been_anywhere() {
        let white = Bitboard(1);
        let ever = EverOn {
            kings: [white, Bitboard(2)],
            ..EverOn::default()
        };
        assert_eq!(ever.on(Contents::of(Color::White, Role::King)), white);
        assert_eq!(ever.on(Contents::KINGS), Bitboard(3));
        assert_eq!(ever.on(Contents::KINGS | Contents::KNIGHTS), Bitboard::FULL);
    }
}
