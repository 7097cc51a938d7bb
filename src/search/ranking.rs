//! The games of a query that sorts.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::sync::Arc;

use crate::eval::report::SortValue;
use crate::limits::{Interrupt, Memory, Share};
use crate::output::Spool;
use crate::query::SortKey;

/// The number of games that are sorted together, so that the end of a run does not start with a long wait.
const RUN: usize = 1 << 14;

/// Games that wait until all are known. Only their keys and places are in memory.
pub(super) struct Ranking {
    keys: Vec<SortKey>,
    spool: Spool,
    /// The end of the last game's text.
    end: u64,
    /// The places of the games, in sorted runs except for the last run.
    places: Vec<SortedGame>,
    /// Roughly how many bytes the places take.
    bytes: usize,
    share: Share,
}

struct SortedGame {
    values: Box<[Option<SortValue>]>,
    start: u64,
    length: usize,
}

impl Ranking {
    /// Creates a ranking by `keys`. The text of the games waits in the spool.
    pub(super) fn new(keys: &[SortKey], spool: Spool, memory: &Arc<Memory>) -> Ranking {
        Ranking {
            keys: keys.to_vec(),
            spool,
            end: 0,
            places: Vec::new(),
            bytes: 0,
            share: Share::of(memory),
        }
    }

    /// Returns the number of values of each game.
    pub(super) fn width(&self) -> usize {
        self.keys.len()
    }

    /// Adds the next game by number: its values, and the length of its part of the text that is spooled next.
    pub(super) fn add(&mut self, values: Box<[Option<SortValue>]>, length: usize) {
        let texts: usize = values.iter().flatten().map(SortValue::bytes).sum();
        self.bytes += size_of::<SortedGame>() + size_of_val(&*values) + texts;
        let start = self.end;
        self.end += length as u64;
        self.places.push(SortedGame { values, start, length });
        if self.places.len().is_multiple_of(RUN) {
            self.sort_last_run();
        }
    }

    /// Returns whether there is memory for the places of all games that were added.
    pub(super) fn has_room(&mut self) -> bool {
        self.share.resize(self.bytes)
    }

    /// Spools the text of the games that were added since the last call.
    pub(super) fn spool(&mut self, text: &[u8]) -> io::Result<()> {
        self.spool.write_all(text)
    }

    /// Sorts the games that were added last. The sort is stable: equal games stay in the order of the input.
    fn sort_last_run(&mut self) {
        let keys = &self.keys;
        if let Some(run) = self.places.chunks_mut(RUN).next_back() {
            run.sort_by(|a, b| compare(keys, &a.values, &b.values));
        }
    }

    /// Copies at most `limit` games to `out`, best first, and fewer if the deadline passes.
    pub(super) fn write_to(mut self, out: &mut dyn Write, limit: Option<u64>, interrupt: &Interrupt) -> io::Result<()> {
        debug_assert_eq!(self.end, self.spool.len());
        self.sort_last_run();
        let limit = limit
            .and_then(|limit| usize::try_from(limit).ok())
            .unwrap_or(usize::MAX);
        let mut text = Vec::new();
        for place in Merged::new(&self.keys, &self.places).take(limit) {
            if interrupt.cuts_off() {
                break;
            }
            text.resize(place.length, 0);
            self.spool.seek(SeekFrom::Start(place.start))?;
            self.spool.read_exact(&mut text)?;
            out.write_all(&text)?;
        }
        Ok(())
    }
}

/// The games of all runs, best first.
struct Merged<'r>(BinaryHeap<Head<'r>>);

/// The rest of a run that is not empty.
struct Head<'r> {
    keys: &'r [SortKey],
    first: &'r SortedGame,
    rest: &'r [SortedGame],
    number: usize,
}

impl<'r> Merged<'r> {
    fn new(keys: &'r [SortKey], places: &'r [SortedGame]) -> Merged<'r> {
        let head = |(number, run): (usize, &'r [SortedGame])| Head::new(keys, run, number);
        Merged(places.chunks(RUN).enumerate().filter_map(head).collect())
    }
}

impl<'r> Iterator for Merged<'r> {
    type Item = &'r SortedGame;

    fn next(&mut self) -> Option<&'r SortedGame> {
        let best = self.0.pop()?;
        self.0.extend(Head::new(best.keys, best.rest, best.number));
        Some(best.first)
    }
}

impl<'r> Head<'r> {
    fn new(keys: &'r [SortKey], run: &'r [SortedGame], number: usize) -> Option<Head<'r>> {
        let (first, rest) = run.split_first()?;
        Some(Head {
            keys,
            first,
            rest,
            number,
        })
    }
}

impl Ord for Head<'_> {
    /// Orders heads so that the greatest comes first in the output. Among equal ones this is the one of the earlier run.
    fn cmp(&self, other: &Self) -> Ordering {
        compare(self.keys, &other.first.values, &self.first.values).then(other.number.cmp(&self.number))
    }
}

impl PartialOrd for Head<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Head<'_> {}

/// Compares two games by the first key in which they differ. The better one is less.
fn compare(keys: &[SortKey], a: &[Option<SortValue>], b: &[Option<SortValue>]) -> Ordering {
    let orders = keys.iter().zip(a.iter().zip(b)).map(|(key, (a, b))| match (a, b) {
        (Some(a), Some(b)) if key.ascending => a.cmp(b),
        (Some(a), Some(b)) => b.cmp(a),
        // A game without a value comes last, even for `min`.
        _ => b.is_some().cmp(&a.is_some()),
    });
    orders.fold(Ordering::Equal, Ordering::then)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::search::spool;

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

    /// Returns the names of the games in sorted order.
    fn sorted(keys: &[SortKey], games: &[(&str, Vec<Option<SortValue>>)], limit: Option<u64>) -> String {
        let mut ranking = Ranking::new(keys, spool::space(1).spool(), &Arc::default());
        for (name, values) in games {
            ranking.add(values.clone().into(), name.len());
            ranking.spool(name.as_bytes()).unwrap();
        }
        let mut out = Vec::new();
        ranking.write_to(&mut out, limit, &Interrupt::default()).unwrap();
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
    fn many_games_are_sorted_like_few() {
        let key = [key(true), key(false)];
        let mut random = fastrand::Rng::with_seed(5);
        let games: Vec<(usize, Vec<_>)> = (0..3 * RUN + 100)
            .map(|index| (index, vec![number(random.i32(0..50)), number(random.i32(0..50))]))
            .collect();
        let mut ranking = Ranking::new(&key, spool::space(1).spool(), &Arc::default());
        for (index, values) in &games {
            let text = format!("{index} ");
            ranking.add(values.clone().into(), text.len());
            ranking.spool(text.as_bytes()).unwrap();
        }
        let mut expected = games;
        expected.sort_by(|a, b| compare(&key, &a.1, &b.1));
        let expected: String = expected.iter().map(|(index, _)| format!("{index} ")).collect();
        let mut out = Vec::new();
        ranking.write_to(&mut out, None, &Interrupt::default()).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn nothing_is_written_when_it_is_too_late() {
        let mut ranking = Ranking::new(&[key(true)], spool::space(1).spool(), &Arc::default());
        ranking.add([number(1)].into(), 1);
        ranking.spool(b"a").unwrap();
        let interrupt = Interrupt::after(Duration::ZERO);
        while !interrupt.is_overdue() {
            std::thread::yield_now();
        }
        let mut out = Vec::new();
        ranking.write_to(&mut out, None, &interrupt).unwrap();
        assert!(out.is_empty() && interrupt.has_cut());
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
