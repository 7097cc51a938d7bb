//! Several queries in one run.

use super::*;
use crate::search::run::{Group, Search, run_all};

/// The output of a query and its totals, or why it failed.
type GameResult = (String, Result<Totals, String>);

/// Returns the result of each of several searches in one run, and the log.
fn together(queries: &[Thirds], limit: Option<u64>, threads: usize) -> (Vec<GameResult>, String) {
    let mut outs = vec![Vec::new(); queries.len()];
    let mut log = Vec::new();
    let searches = queries.iter().zip(&mut outs).map(|(query, out)| {
        let sink = TextSink::new(FormatName::Pgn, out);
        Search {
            query,
            name: Some("q"),
            games: None,
            sink,
        }
    });
    let mut first: Vec<_> = searches.collect();
    // Two groups with readers of the same kind.
    let second = first.split_off(queries.len() / 2);
    let groups = [first, second].map(|searches| Group {
        make_reader: || FakeReader,
        searches,
    });
    let mut read = 0;
    let games = Numbers {
        count: 100,
        fails: false,
        read: &mut read,
    };
    let options = Options {
        threads: NonZeroUsize::new(threads).unwrap(),
        limit,
        quiet: false,
        ..Options::quiet()
    };
    let outcomes = run_all(groups.into(), games, &options, &mut Log::new(&mut log)).unwrap();
    let found = outs.into_iter().zip(outcomes).map(|(out, outcome)| {
        let outcome = outcome.map_err(|error| error.to_string());
        (String::from_utf8(out).unwrap(), outcome)
    });
    (found.collect(), String::from_utf8(log).unwrap())
}

/// Returns queries that differ in everything that decides how they are run.
fn different_queries() -> [Thirds; 6] {
    let new = Thirds::default;
    [
        new(),
        Thirds { serial: true, ..new() },
        Thirds {
            stop_at: Some(38),
            ..new()
        },
        Thirds {
            numbers: Some((7, 61)),
            ..new()
        },
        Thirds {
            keys: vec![sort_key(true)],
            ..new()
        },
        Thirds {
            serial: true,
            unwanted: (1..50).collect(),
            ..new()
        },
    ]
}

#[test]
fn each_of_several_queries_finds_what_it_finds_alone() {
    // With many queries in a group, games are examined together.
    for (copies, limit) in [(1, None), (1, Some(4)), (4, None), (4, Some(4))] {
        for threads in [1, 2, 7] {
            let queries = || (0..copies).flat_map(|_| different_queries()).collect::<Vec<_>>();
            let (found, log) = together(&queries(), limit, threads);
            for (query, found) in queries().into_iter().zip(found) {
                let mut search = super::Search::new(FormatName::Pgn);
                search.query = query;
                search.limit = limit;
                let (alone, _) = search.on(threads);
                let case = format!("{copies} copies, limit {limit:?}, {threads} threads");
                assert_eq!(found, (alone.out, alone.result), "{case}");
            }
            assert_eq!(log, together(&queries(), limit, 1).1, "{threads} threads");
            assert_eq!(log.matches("odd").count(), 100 / 7, "each warning once");
        }
    }
}

#[test]
fn games_are_read_whole_once_and_in_order() {
    // All read games as a whole, and the reader asserts the order. The queries match different games.
    let query = |unwanted: &[u64]| Thirds {
        unwanted: unwanted.to_vec(),
        ..Thirds::default()
    };
    let queries: Vec<Thirds> = [&[6][..], &[], &[9], &[]]
        .into_iter()
        .cycle()
        .map(query)
        .take(8)
        .collect();
    let (found, _) = together(&queries, None, 1);
    assert_eq!(games(&found[0].0)[..3], [3, 9, 12]);
    assert_eq!(games(&found[1].0)[..3], [3, 6, 9]);
}

#[test]
fn a_run_ends_when_no_query_wants_more() {
    let [query, serial, ..] = different_queries();
    let (found, _) = together(&[query, serial], Some(2), 1);
    for (out, outcome) in found {
        assert_eq!(games(&out), [3, 6]);
        assert_eq!(outcome.unwrap().games, 6);
    }
}
