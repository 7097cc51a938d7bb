//! The index: an entry of fixed size for each game, with what Scid shows in its lists.

use std::io;

use super::super::file::{PositionedFile, damaged};

/// A version of the format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Version {
    /// The format of Scid 4 and its relatives: `.si4`. Numbers are big-endian.
    Four,
    /// The format of Scid 5: `.si5`. Numbers are little-endian.
    Five,
}

/// The bytes at the start of an index of version 4: the mark, the version, the kind of database, the number of games, the game that is shown first, a
/// description, and the meaning of six flags.
const HEADER: u64 = 182;
const MARK: [u8; 8] = *b"Scid.si\0";
const VERSION: u32 = 400;
const ENTRY_4: usize = 47;
const ENTRY_5: usize = 56;

/// The layout of the entries.
pub(super) struct Layout {
    version: Version,
    /// The number of games.
    pub(super) games: u32,
}

impl Layout {
    /// Returns the layout of an index, and a complaint if something is wrong with it.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or is not an index.
    pub(super) fn of(index: &PositionedFile, version: Version) -> io::Result<(Layout, Option<String>)> {
        let length = index.length();
        let (stated, entries) = match version {
            Version::Four => {
                let mut header = Vec::new();
                index
                    .read(0, HEADER as usize, &mut header)
                    .map_err(|_| damaged("it is too short for an index of Scid"))?;
                if !header.starts_with(&MARK) {
                    return Err(damaged(
                        "it is not an index of Scid, as such a file begins with `Scid.si`",
                    ));
                }
                let bytes = Bytes(&header);
                match bytes.high(8, 2) {
                    VERSION => {}
                    older @ ..VERSION => {
                        let message = format!(
                            "it is of an older version of Scid ({older}); open it in Scid 4, which converts it"
                        );
                        return Err(damaged(message));
                    }
                    newer => {
                        return Err(damaged(format!(
                            "it is of a version of Scid ({newer}) that is not known"
                        )));
                    }
                }
                (Some(bytes.high(14, 3)), length.saturating_sub(HEADER) / ENTRY_4 as u64)
            }
            Version::Five => (None, length / ENTRY_5 as u64),
        };
        let entries = u32::try_from(entries).map_err(|_| damaged("its index is too long"))?;
        let is_whole = version == Version::Four || length.is_multiple_of(ENTRY_5 as u64);
        let complaint = match stated {
            Some(stated) if stated > entries => Some(format!(
                "the index breaks off: it says that there are {stated} games and has {entries}"
            )),
            None if !is_whole => Some(format!("the index breaks off after {entries} games")),
            _ => None,
        };
        let games = stated.map_or(entries, |stated| stated.min(entries));
        Ok((Layout { version, games }, complaint))
    }

    /// Returns the start of the entry of a game and its length in bytes.
    pub(super) fn place(&self, game: u32) -> (u64, usize) {
        let (first, size) = match self.version {
            Version::Four => (HEADER, ENTRY_4),
            Version::Five => (0, ENTRY_5),
        };
        (first + u64::from(game) * size as u64, size)
    }

    /// Decodes the bytes of an entry.
    pub(super) fn entry(&self, bytes: &[u8]) -> Entry {
        match self.version {
            Version::Four => Entry::of_4(Bytes(bytes)),
            Version::Five => Entry::of_5(Bytes(bytes)),
        }
    }
}

/// Bytes that contain numbers. Missing bytes count as zero.
#[derive(Clone, Copy)]
struct Bytes<'b>(&'b [u8]);

impl Bytes<'_> {
    fn at(self, start: usize, count: usize) -> impl DoubleEndedIterator<Item = u32> {
        (start..start + count).map(move |place| self.0.get(place).copied().map_or(0, u32::from))
    }

    /// Returns a big-endian number of up to four bytes.
    fn high(self, start: usize, count: usize) -> u32 {
        self.at(start, count).fold(0, |number, byte| number << 8 | byte)
    }

    /// Returns the little-endian four-byte number with this index.
    fn word(self, index: usize) -> u32 {
        self.at(index * 4, 4).rev().fold(0, |number, byte| number << 8 | byte)
    }
}

/// The entry of a game in the index.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    /// The place of its bytes in the file of games.
    pub(super) offset: u64,
    pub(super) length: usize,
    pub(super) is_deleted: bool,
    pub(super) white: Player,
    pub(super) black: Player,
    /// The numbers of names.
    pub(super) event: u32,
    pub(super) site: u32,
    pub(super) round: u32,
    pub(super) date: Day,
    pub(super) event_date: Day,
    result: u32,
    opening: u32,
}

/// A player in an entry of the index.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Player {
    /// The number of the name.
    pub(super) name: u32,
    /// The rating, or 0 if there is none.
    pub(super) rating: u32,
    rating_kind: u32,
}

impl Player {
    fn new(name: u32, rating: u32, rating_kind: u32) -> Player {
        Player {
            name,
            rating,
            rating_kind,
        }
    }

    /// Returns the end of the name of the tag for the rating.
    pub(super) fn rating_kind(self) -> &'static str {
        const KINDS: [&str; 7] = ["Elo", "Rating", "Rapid", "ICCF", "USCF", "DWZ", "ECF"];
        KINDS.get(self.rating_kind as usize).unwrap_or(&"Rating")
    }
}

/// A date: five bits are the day, four the month, the others the year. Unknown parts are 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Day(pub(super) u32);

impl Day {
    /// Returns the date as in PGN.
    pub(super) fn shown(self) -> String {
        let part = |number: u32, digits: usize| match number {
            0 => "?".repeat(digits),
            number => format!("{number:0digits$}"),
        };
        let (year, month, day) = (self.0 >> 9, self.0 >> 5 & 0xf, self.0 & 0x1f);
        format!("{}.{}.{}", part(year, 4), part(month, 2), part(day, 2))
    }
}

impl Entry {
    fn of_4(bytes: Bytes<'_>) -> Entry {
        const DELETED: u32 = 1 << 3;
        // The high bits of the numbers of names are stored separately.
        let (players, others) = (bytes.high(9, 1), bytes.high(14, 1));
        let dates = bytes.high(25, 4);
        let rating = |place: usize| (bytes.high(place, 2) & 0xfff, bytes.high(place, 2) >> 12);
        let (white, black) = (rating(29), rating(31));
        let date = dates & 0xf_ffff;
        // The year of the event is relative to that of the game.
        let event_date = dates >> 20;
        let event_date = match event_date >> 9 {
            0 => 0,
            distance => ((date >> 9) + distance).saturating_sub(4) << 9 | event_date & 0x1ff,
        };
        Entry {
            offset: u64::from(bytes.high(0, 4)),
            length: (bytes.high(4, 2) | (bytes.high(6, 1) & 0x80) << 9) as usize,
            is_deleted: bytes.high(7, 2) & DELETED != 0,
            white: Player::new(players >> 4 << 16 | bytes.high(10, 2), white.0, white.1),
            black: Player::new((players & 0xf) << 16 | bytes.high(12, 2), black.0, black.1),
            event: others >> 5 << 16 | bytes.high(15, 2),
            site: (others >> 2 & 7) << 16 | bytes.high(17, 2),
            round: (others & 3) << 16 | bytes.high(19, 2),
            result: bytes.high(21, 2) >> 12,
            opening: bytes.high(23, 2),
            date: Day(date),
            event_date: Day(event_date),
        }
    }

    fn of_5(bytes: Bytes<'_>) -> Entry {
        const DELETED: u32 = 1 << 3;
        let name = |index: usize| bytes.word(index) & 0xfff_ffff;
        let (white, black, last) = (bytes.word(5), bytes.word(6), bytes.word(11));
        Entry {
            offset: u64::from(bytes.word(8) & 0x7fff) << 32 | u64::from(bytes.word(9)),
            length: (bytes.word(8) >> 15) as usize,
            is_deleted: bytes.word(7) & DELETED != 0,
            white: Player::new(name(0), white >> 20, last >> 21 & 7),
            black: Player::new(name(1), black >> 20, last >> 18 & 7),
            event: name(2),
            site: bytes.word(3),
            round: bytes.word(4) & 0x7fff_ffff,
            date: Day(white & 0xf_ffff),
            event_date: Day(black & 0xf_ffff),
            result: last >> 16 & 3,
            opening: last & 0xffff,
        }
    }

    /// Returns the result as in PGN.
    pub(super) fn result(&self) -> &'static str {
        match self.result {
            1 => "1-0",
            2 => "0-1",
            3 => "1/2-1/2",
            _ => "*",
        }
    }

    /// Returns the code of the opening, if it has one. It is a code of the Encyclopaedia, perhaps followed by a letter and a digit.
    pub(super) fn opening(&self) -> Option<String> {
        /// The numbers for a code: the plain code, and the code with one of 26 letters and perhaps one of four digits.
        const SPAN: u32 = 131;
        let code = self.opening.checked_sub(1)?;
        let (basic, extension) = (code / SPAN, code % SPAN);
        let letter = char::from(b"ABCDE".get((basic / 100) as usize).copied()?);
        let mut opening = format!("{letter}{:02}", basic % 100);
        if let Some(extension) = extension.checked_sub(1) {
            opening.push(char::from(b'a' + (extension / 5) as u8));
            if extension % 5 > 0 {
                opening.push_str(&(extension % 5).to_string());
            }
        }
        Some(opening)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_openings_are_written_as_in_pgn() {
        let day = |year: u32, month: u32, day: u32| Day(year << 9 | month << 5 | day).shown();
        assert_eq!(
            [day(1851, 6, 21), day(1851, 6, 0), day(0, 0, 0)],
            ["1851.06.21", "1851.06.??", "????.??.??"]
        );
        let opening = |opening| {
            Entry {
                opening,
                ..Entry::default()
            }
            .opening()
        };
        let code = |letter: u32, number: u32, extension: u32| opening(1 + (letter * 100 + number) * 131 + extension);
        assert_eq!(opening(0), None);
        let codes = [
            code(0, 0, 0),
            code(2, 65, 0),
            code(2, 65, 1),
            code(1, 90, 5 * 5 + 5),
            code(4, 99, 130),
        ];
        assert_eq!(codes.map(Option::unwrap), ["A00", "C65", "C65a", "B90f4", "E99z4"]);
        assert_eq!(opening(u32::from(u16::MAX)), None);
    }
}
