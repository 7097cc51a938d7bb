//! The games of a query that sorts.

use std::cmp::Ordering;
use std::env;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::Arc;

use tempfile::SpooledTempFile;

use crate::eval::report::SortValue;
use crate::limits::{Memory, Share};
use crate::query::SortKey;

/// How much text of all games that wait in a run may be in memory; the rest is on the disk.
pub(super) const SPOOL_BYTES: usize = 32 << 20;

/// Games that wait until all are known. Only keys and places are in memory.
pub(super) struct Ranking {
    keys: Vec<SortKey>,
    spool: SpooledTempFile,
    written: u64,
    places: Vec<Place>,
    /// About how many bytes the places take.
    bytes: usize,
    share: Share,
}

struct Place {
    values: Box<[Option<SortValue>]>,
    start: u64,
    length: usize,
}

impl Ranking {
    /// Text beyond `spool_bytes` waits on the disk.
    pub(super) fn new(keys: &[SortKey], spool_bytes: usize, memory: &Arc<Memory>) -> Ranking {
        Ranking {
            keys: keys.to_vec(),
            spool: SpooledTempFile::new(spool_bytes),
            written: 0,
            places: Vec::new(),
            bytes: 0,
            share: Share::of(memory),
        }
    }

    /// How many values each game has.
    pub(super) fn width(&self) -> usize {
        self.keys.len()
    }

    /// The next game by number: its values, and how much of the text that is spooled next is its own.
    pub(super) fn add(&mut self, values: Box<[Option<SortValue>]>, length: usize) {
        let texts: usize = values.iter().flatten().map(SortValue::bytes).sum();
        self.bytes += size_of::<Place>() + size_of_val(&*values) + texts;
        let start = self.places.last().map_or(0, |last| last.start + last.length as u64);
        self.places.push(Place { values, start, length });
    }

    /// Whether there is memory for the places of all games that were added.
    pub(super) fn has_room(&mut self) -> bool {
        self.share.resize(self.bytes)
    }

    /// The text of the games that were added since the last call.
    pub(super) fn spool(&mut self, text: &[u8]) -> io::Result<()> {
        self.written += text.len() as u64;
        self.spool.write_all(text).map_err(unspooled)
    }

    /// Copies the games out, best first, at most `limit` of them.
    pub(super) fn write_to(mut self, out: &mut dyn Write, limit: Option<u64>) -> io::Result<()> {
        debug_assert_eq!(
            self.places.last().map_or(0, |last| last.start + last.length as u64),
            self.written
        );
        // The sort is stable: what is equal stays in the order of the input.
        self.places.sort_by(|a, b| compare(&self.keys, &a.values, &b.values));
        let limit = limit
            .and_then(|limit| usize::try_from(limit).ok())
            .unwrap_or(usize::MAX);
        let mut text = Vec::new();
        for place in self.places.iter().take(limit) {
            text.resize(place.length, 0);
            self.spool.seek(SeekFrom::Start(place.start))?;
            self.spool.read_exact(&mut text)?;
            out.write_all(&text)?;
        }
        Ok(())
    }
}

/// An error of what waits on the disk, with the folder where it waits.
pub(super) fn unspooled(error: io::Error) -> io::Error {
    let folder = env::temp_dir();
    let message = format!(
        "what waits for the end cannot be kept in the folder for temporary files, {} (TMPDIR): {error}",
        folder.display()
    );
    io::Error::new(error.kind(), message)
}

/// The order of two games: by the first key that tells them apart, better first.
fn compare(keys: &[SortKey], a: &[Option<SortValue>], b: &[Option<SortValue>]) -> Ordering {
    let orders = keys.iter().zip(a.iter().zip(b)).map(|(key, (a, b))| match (a, b) {
        (Some(a), Some(b)) if key.ascending => a.cmp(b),
        (Some(a), Some(b)) => b.cmp(a),
        // A game without a value comes last, also for `min`.
        _ => b.is_some().cmp(&a.is_some()),
    });
    orders.fold(Ordering::Equal, Ordering::then)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(ascending: bool) -> SortKey {
        SortKey {
            title: b"t".to_vec(),
            ascending,
            quiet: false,
            text: false,
        }
    }

    fn number(n: i32) -> Option<SortValue> {
        Some(SortValue::Number(n))
    }

    fn string(text: &str) -> Option<SortValue> {
        Some(SortValue::Text(text.as_bytes().to_vec()))
    }

    /// The names of the games in sorted order.
    fn sorted(keys: &[SortKey], games: &[(&str, Vec<Option<SortValue>>)], limit: Option<u64>) -> String {
        let mut ranking = Ranking::new(keys, SPOOL_BYTES, &Arc::default());
        for (name, values) in games {
            ranking.add(values.clone().into(), name.len());
            ranking.spool(name.as_bytes()).unwrap();
        }
        let mut out = Vec::new();
        ranking.write_to(&mut out, limit).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn larger_numbers_come_first_and_missing_ones_last() {
        let games = [
            ("a", vec![number(-1)]),
            ("b", vec![None]),
            ("c", vec![number(7)]),
            ("d", vec![number(0)]),
        ];
        assert_eq!(sorted(&[key(false)], &games, None), "cdab");
    }

    #[test]
    fn min_puts_smaller_first_and_missing_still_last() {
        let games = [("a", vec![number(3)]), ("b", vec![None]), ("c", vec![number(-7)])];
        assert_eq!(sorted(&[key(true)], &games, None), "cab");
    }

    #[test]
    fn strings_compare_by_bytes() {
        let games = [
            ("a", vec![string("Zed")]),
            ("b", vec![string("abel")]),
            ("c", vec![string("Abel")]),
        ];
        assert_eq!(sorted(&[key(true)], &games, None), "cab");
        assert_eq!(sorted(&[key(false)], &games, None), "bac");
    }

    #[test]
    fn a_later_key_decides_between_equals_then_the_order_of_the_input() {
        let games = [
            ("a", vec![number(1), string("x")]),
            ("b", vec![number(2), string("y")]),
            ("c", vec![number(2), string("x")]),
            ("d", vec![number(1), string("x")]),
        ];
        assert_eq!(sorted(&[key(false), key(true)], &games, None), "cbad");
    }

    #[test]
    fn a_limit_keeps_the_best() {
        let games = [
            ("one", vec![number(1)]),
            ("three", vec![number(3)]),
            ("two", vec![number(2)]),
        ];
        assert_eq!(sorted(&[key(false)], &games, Some(2)), "threetwo");
    }
}
