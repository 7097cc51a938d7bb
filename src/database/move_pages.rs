//! Where the pages of the moves are, so that a search can read those alone whose games it wants.
//!
//! The key `skewer.pages` of the file's metadata has a word for each row group: how many games a page of the column `movedata` has, a
//! colon, and the length and the CRC-32 of each page, eight hexadecimal digits each. The word is `-` where pages have several lengths.

use std::fmt::Write as _;
use std::io;
use std::ops::Range;

use super::error::damaged;
use super::pages;

/// Digits of a length and of a checksum.
const DIGITS: usize = 8;
/// The word of a row group without such pages.
const UNKNOWN: &str = "-";

/// The pages of the moves, by row group.
#[derive(Default)]
pub(super) struct MovePages(Vec<Option<GroupPages>>);

/// The pages of the moves of a row group.
struct GroupPages {
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

impl MovePages {
    /// Adds the pages of the next row group, of whose column of moves these are the bytes.
    pub(super) fn push(&mut self, column: &[u8]) {
        self.0.push(GroupPages::of_column(column));
    }

    /// What the metadata says of them.
    pub(super) fn to_text(&self) -> String {
        let words: Vec<String> = self
            .0
            .iter()
            .map(|group| group.as_ref().map_or_else(|| UNKNOWN.to_owned(), GroupPages::to_word))
            .collect();
        words.join(" ")
    }

    /// Reads what the metadata says of row groups with so many games each and so many bytes of moves.
    ///
    /// # Errors
    /// When it does not fit them.
    pub(super) fn from_text(text: &str, groups: impl ExactSizeIterator<Item = (usize, u64)>) -> io::Result<MovePages> {
        let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
        let wrong = || damaged("places of moves that cannot be right");
        if words.len() != groups.len() {
            return Err(wrong());
        }
        let of_groups = words.iter().zip(groups).map(|(word, (games, bytes))| match *word {
            UNKNOWN => Ok(None),
            word => {
                let group = GroupPages::from_word(word).filter(|group| group.fit(games, bytes));
                group.map(Some).ok_or_else(wrong)
            }
        });
        Ok(MovePages(of_groups.collect::<io::Result<_>>()?))
    }

    /// The games of the page with a game of a row group, both by their indices; `None` if pages are not known.
    pub(super) fn games_beside(&self, group: usize, game: usize, games: usize) -> Option<Range<usize>> {
        let of_page = self.0.get(group)?.as_ref()?.games;
        let start = game - game % of_page;
        Some(start..games.min(start + of_page))
    }

    /// The bytes of the page with a game of a row group, as a range of the column.
    pub(super) fn bytes(&self, group: usize, game: usize) -> Option<Range<u64>> {
        let page = self.page(group, game)?;
        Some(page.start..page.start + u64::from(page.length))
    }

    /// Whether the page with a game of a row group has the bytes that were written.
    pub(super) fn fit(&self, group: usize, game: usize, bytes: &[u8]) -> bool {
        self.page(group, game)
            .is_some_and(|page| page.sum == crc32fast::hash(bytes))
    }

    fn page(&self, group: usize, game: usize) -> Option<&Page> {
        let group = self.0.get(group)?.as_ref()?;
        group.pages.get(game / group.games)
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

    /// Whether they can be the pages of so many games and bytes.
    fn fit(&self, games: usize, bytes: u64) -> bool {
        let length: u64 = self.pages.iter().map(|page| u64::from(page.length)).sum();
        length == bytes && self.pages.len() == games.div_ceil(self.games)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a text says of row groups with so many games and bytes.
    fn read(text: &str, groups: &[(usize, u64)]) -> Option<MovePages> {
        MovePages::from_text(text, groups.iter().copied()).ok()
    }

    #[test]
    fn pages_of_games_are_found_again() {
        let text = "16:000000640000000a000000c80000000b -";
        let pages = read(text, &[(20, 300), (5, 7)]).unwrap();
        assert_eq!(pages.to_text(), text);
        assert_eq!(pages.games_beside(0, 3, 20), Some(0..16));
        assert_eq!(pages.games_beside(0, 17, 20), Some(16..20));
        assert_eq!(pages.bytes(0, 17), Some(100..300));
        assert_eq!(
            (pages.bytes(0, 32), pages.bytes(1, 0), pages.bytes(2, 0)),
            (None, None, None)
        );
        assert!(!pages.fit(0, 17, b"other bytes"));
    }

    #[test]
    fn what_cannot_be_right_is_refused() {
        let one = "16:000000640000000a";
        assert!(read(one, &[(16, 100)]).is_some());
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
            assert!(read(text, &[(games, bytes)]).is_none(), "{text}");
        }
    }
}
