//! Sinks that take values, not text.

use std::ops::ControlFlow;

use super::*;
use crate::search::run::{Search, run};
use crate::search::sink::{Recorder, Sink, SinkBatch};

/// A game that matches: its number and how many of its positions match.
type Hit = (u64, usize);

/// Takes matching games until it has enough.
struct Hits<'h> {
    hits: &'h mut Vec<Hit>,
    enough: usize,
}

struct KeepHits;

impl Recorder for KeepHits {
    type Item = Hit;

    fn extras(&self) -> Extras {
        Extras::default()
    }

    fn record(&self, game: &dyn GameFacts, report: &GameReport, items: &mut Vec<Hit>) -> usize {
        if report.matched {
            items.push((game.number(), report.positions.len()));
        }
        0
    }
}

impl Sink for Hits<'_> {
    type Recorder = KeepHits;

    fn recorder(&self, _: &[SortKey]) -> KeepHits {
        KeepHits
    }

    fn take(&mut self, batch: SinkBatch<'_, Hit>) -> io::Result<ControlFlow<usize>> {
        for (count, hit) in batch.counted() {
            self.hits.push(hit);
            if self.hits.len() >= self.enough {
                return Ok(ControlFlow::Break(count));
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Returns what a sink that wants this many games takes of a hundred, and the totals by then.
fn taken(query: &Thirds, enough: usize, limit: Option<u64>, threads: usize) -> (Vec<Hit>, Totals) {
    let (mut hits, mut read, mut log) = (Vec::new(), 0, Vec::new());
    let games = Numbers {
        count: 100,
        fails: false,
        read: &mut read,
    };
    let options = Options {
        threads: NonZeroUsize::new(threads).unwrap(),
        limit,
        ..Options::quiet()
    };
    let sink = Hits {
        hits: &mut hits,
        enough,
    };
    let totals = run(
        Search {
            query,
            name: None,
            games: None,
            sink,
        },
        games,
        || FakeReader,
        &options,
        &mut Log::new(&mut log),
    );
    (hits, totals.expect("nothing fails"))
}

#[test]
fn a_sink_takes_values_in_order_until_it_has_enough() {
    let all: Vec<Hit> = (1..=33).map(|third| (3 * third, 3 * third as usize % 10)).collect();
    for threads in [1, 2, 7] {
        for serial in [false, true] {
            let query = Thirds {
                serial,
                ..Thirds::default()
            };
            assert_eq!(taken(&query, usize::MAX, None, threads).0, all);
            let (hits, totals) = taken(&query, 4, None, threads);
            assert_eq!(hits, all[..4], "{threads} threads");
            let looked_at = Totals {
                games: 12,
                matches: 4,
                positions: 3 + 6 + 9 + 2,
                ..Totals::default()
            };
            assert_eq!(totals, looked_at, "as far as the sink took games");
            assert_eq!(
                taken(&query, 9, Some(4), threads),
                (hits, totals),
                "the limit comes first"
            );
        }
    }
}

#[test]
fn values_are_not_ranked() {
    let query = Thirds {
        keys: vec![sort_key(true)],
        ..Thirds::default()
    };
    let (hits, totals) = taken(&query, usize::MAX, Some(2), 2);
    assert_eq!(hits, [(3, 3), (6, 6)], "the first ones, not the best");
    assert_eq!(totals.games, 6);
}
