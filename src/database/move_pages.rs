//! Where the pages of the moves are, so that a search can read those alone whose games it wants.
//!
//! The key `skewer.pages` of the file's metadata has a word for each row group: how many games a page of the column `movedata` has, a
//! colon, and the length and the CRC-32 of each page, eight hexadecimal digits each. The word is `-` where pages have several lengths.

use std::fmt::Write as _;
use std::io;
use std::ops::Range;
use std::sync::OnceLock;

use super::error::damaged;
use super::pages;

/// Digits of a length and of a checksum.
const DIGITS: usize = 8;
/// The word of a row group without such pages.
const UNKNOWN: &str = "-";

/// The pages of the moves, by row group.
#[derive(Default)]
pub(super) struct MovePages(Vec<(String, OnceLock<Option<GroupPages>>)>);

/// The pages of the moves of a row group.
pub(super) struct GroupPages {
    /// How many games each has, but the last, which may have fewer.
    games: usize,
    pages: Vec<Page>,
}

/// A page, its header included.
struct Page {
    /// Where it begins in its column.
    start: u64,
    length: u32,
    sum: u32,
}

/// The word of a row group of whose column of moves these are the bytes.
pub(super) fn word_of(column: &[u8]) -> String {
    GroupPages::of_column(column).map_or_else(|| UNKNOWN.to_owned(), |group| group.to_word())
}

impl MovePages {
    /// Reads what the metadata says of this many row groups.
    ///
    /// # Errors
    /// When it says something of more or fewer.
    pub(super) fn from_text(text: &str, groups: usize) -> io::Result<MovePages> {
        let words = text.split(' ').filter(|word| !word.is_empty());
        let words: Vec<_> = words.map(|word| (word.to_owned(), OnceLock::new())).collect();
        match words.len() == groups {
            true => Ok(MovePages(words)),
            false => Err(damaged("impossible places of moves")),
        }
    }

    /// The pages of a row group that has this many games and this many bytes of moves; `None` if they are not known.
    pub(super) fn get(&self, group: usize, games: usize, bytes: u64) -> Option<&GroupPages> {
        let (word, pages) = self.0.get(group)?;
        let pages = pages.get_or_init(|| GroupPages::from_word(word).filter(|pages| pages.fit(games, bytes)));
        pages.as_ref()
    }
}

impl GroupPages {
    /// The pages of a column, if all but the last have as many games as the first.
    fn of_column(column: &[u8]) -> Option<GroupPages> {
        let lengths = pages::lengths(column)?;
        let games = usize::try_from(lengths.first()?.1).ok().filter(|games| *games > 0)?;
        let (last, others) = lengths.split_last()?;
        if last.1 > games as u64 || others.iter().any(|(_, values)| *values != games as u64) {
            return None;
        }
        let mut start = 0;
        let pages = lengths.iter().map(|(length, _)| {
            let bytes = column.get(start..start + length)?;
            let page = Page {
                start: start as u64,
                length: u32::try_from(*length).ok()?,
                sum: crc32fast::hash(bytes),
            };
            start += length;
            Some(page)
        });
        Some(GroupPages {
            games,
            pages: pages.collect::<Option<_>>()?,
        })
    }

    /// The games of the page with a game, by their indices, of a row group with this many games.
    pub(super) fn games_beside(&self, game: usize, games: usize) -> Range<usize> {
        let start = game - game % self.games;
        start..games.min(start + self.games)
    }

    /// The bytes of the page with a game, as a range of the column.
    pub(super) fn bytes(&self, game: usize) -> Option<Range<u64>> {
        let page = self.pages.get(game / self.games)?;
        Some(page.start..page.start + u64::from(page.length))
    }

    /// Whether the page with a game has the bytes that were written.
    pub(super) fn have_written(&self, game: usize, bytes: &[u8]) -> bool {
        let page = self.pages.get(game / self.games);
        page.is_some_and(|page| page.sum == crc32fast::hash(bytes))
    }

    fn to_word(&self) -> String {
        let mut word = format!("{}:", self.games);
        for page in &self.pages {
            // Writing to a text cannot fail.
            let _ = write!(word, "{:0DIGITS$x}{:0DIGITS$x}", page.length, page.sum);
        }
        word
    }

    fn from_word(word: &str) -> Option<GroupPages> {
        let (games, digits) = word.split_once(':')?;
        let (numbers, rest) = digits.as_bytes().as_chunks::<{ 2 * DIGITS }>();
        let number = |digits: &[u8]| u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok();
        let mut start: u64 = 0;
        let pages = numbers.iter().map(|digits| {
            let (length, sum) = digits.split_at(DIGITS);
            let page = Page {
                start,
                length: number(length)?,
                sum: number(sum)?,
            };
            start += u64::from(page.length);
            Some(page)
        });
        let pages = pages.collect::<Option<_>>()?;
        let games = games.parse().ok().filter(|games| *games > 0)?;
        rest.is_empty().then_some(GroupPages { games, pages })
    }

    /// Whether they can be the pages of this many games and bytes.
    fn fit(&self, games: usize, bytes: u64) -> bool {
        let length: u64 = self.pages.iter().map(|page| u64::from(page.length)).sum();
        length == bytes && self.pages.len() == games.div_ceil(self.games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_games_are_found_again() {
        let word = "16:000000640000000a000000c80000000b";
        let pages = MovePages::from_text(&format!("{word} -"), 2).unwrap();
        let group = pages.get(0, 20, 300).unwrap();
        assert_eq!(group.to_word(), word);
        assert_eq!((group.games_beside(3, 20), group.games_beside(17, 20)), (0..16, 16..20));
        assert_eq!((group.bytes(17), group.bytes(32)), (Some(100..300), None));
        assert!(!group.have_written(17, b"other bytes"));
        assert!(pages.get(1, 5, 7).is_none() && pages.get(2, 5, 7).is_none());
    }

    #[test]
    fn what_cannot_be_right_is_refused() {
        let one = "16:000000640000000a";
        let read = |text: &str, games, bytes| {
            let pages = MovePages::from_text(text, 1).ok()?;
            pages.get(0, games, bytes).map(|_| ())
        };
        assert!(read(one, 16, 100).is_some());
        for (text, games, bytes) in [
            (one, 17, 100),
            (one, 16, 99),
            ("0:000000640000000a", 16, 100),
            ("16:000000640000000", 16, 100),
            ("16:0000006x0000000a", 16, 100),
            ("16", 16, 100),
            ("", 16, 100),
            ("- -", 16, 100),
        ] {
            assert!(read(text, games, bytes).is_none(), "{text}");
        }
    }
}
