//! The places of the pages of moves, so that a search can read only those with the games that it wants.
//!
//! The key `skewer.pages` of the file's metadata has a word for each row group: the number of games in a page of the column `movedata`, a colon, and
//! the length and the CRC-32 of each page, eight hexadecimal digits each. The word is `-` if pages differ in their numbers of games.

use std::fmt::Write as _;
use std::io;
use std::ops::Range;
use std::sync::OnceLock;

use super::error::damaged;
use super::{hexadecimal, pages};

/// The digits of a length and of a checksum.
const DIGITS: usize = 8;
/// The word of a row group whose pages are not recorded.
const UNKNOWN: &str = "-";

/// The pages of the moves, by row group.
#[derive(Default)]
pub(super) struct MovePages(Vec<(String, OnceLock<Option<GroupPages>>)>);

/// The pages of the moves of a row group.
pub(super) struct GroupPages {
    /// The number of games in each page. The last one may have fewer.
    games: usize,
    pages: Vec<Page>,
}

/// A page, including its header.
struct Page {
    /// Its start in the column.
    start: u64,
    length: u32,
    sum: u32,
}

/// Returns the word of a row group whose column of moves has these bytes.
pub(super) fn word_of(column: &[u8]) -> String {
    GroupPages::of_column(column).map_or_else(|| UNKNOWN.to_owned(), |group| group.to_word())
}

impl MovePages {
    /// Reads the words of this many row groups.
    ///
    /// # Errors
    /// Returns an error if the number of words differs.
    pub(super) fn from_text(text: &str, groups: usize) -> io::Result<MovePages> {
        let words = text.split(' ').filter(|word| !word.is_empty());
        let words: Vec<_> = words.map(|word| (word.to_owned(), OnceLock::new())).collect();
        match words.len() == groups {
            true => Ok(MovePages(words)),
            false => Err(damaged("impossible places of moves")),
        }
    }

    /// Returns the pages of a row group with this many games and this many bytes of moves, or `None` if they are unknown.
    pub(super) fn get(&self, group: usize, games: usize, bytes: u64) -> Option<&GroupPages> {
        let (word, pages) = self.0.get(group)?;
        let pages = pages.get_or_init(|| GroupPages::from_word(word).filter(|pages| pages.fit(games, bytes)));
        pages.as_ref()
    }
}

impl GroupPages {
    /// Returns the pages of a column, if all but the last have as many games as the first.
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

    /// Returns the indices of the games in the page of `game`, in a row group of `games` games.
    pub(super) fn games_beside(&self, game: usize, games: usize) -> Range<usize> {
        let start = game - game % self.games;
        start..games.min(start + self.games)
    }

    /// Returns the bytes of the page with a game, as a range of the column.
    pub(super) fn bytes(&self, game: usize) -> Option<Range<u64>> {
        let page = self.pages.get(game / self.games)?;
        Some(page.start..page.start + u64::from(page.length))
    }

    /// Returns whether these are the bytes that were written for the page with a game.
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
        let games = games.parse().ok().filter(|games| *games > 0)?;
        let mut pages = hexadecimal::entries(digits, 2 * DIGITS, |digits| {
            Some(Page {
                start: 0,
                length: digits.number(DIGITS)?,
                sum: digits.number(DIGITS)?,
            })
        })?;
        let mut start: u64 = 0;
        for page in &mut pages {
            page.start = start;
            start += u64::from(page.length);
        }
        Some(GroupPages { games, pages })
    }

    /// Returns whether these can be the pages of this many games and bytes.
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
