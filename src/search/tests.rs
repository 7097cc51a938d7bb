//! Whole searches over games made by hand.

mod fakes;
mod limits;
mod several;
mod typed;

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::Arc;

use super::*;
use crate::eval::report::{Extras, GameReport};
use crate::limits::{Interrupt, Memory};
use crate::output::{FormatName, GameFacts, Totals};
use crate::query::SortKey;
use fakes::{FakeReader, Numbers, Search, Thirds};

fn sort_key(ascending: bool) -> SortKey {
    SortKey {
        title: b"digit".to_vec(),
        ascending,
        quiet: false,
        text: false,
    }
}

/// Returns the numbers of the games in fake PGN output.
fn games(out: &str) -> Vec<u64> {
    out.lines()
        .filter_map(|line| line.split(' ').nth(1)?.parse().ok())
        .collect()
}

#[test]
fn games_come_in_the_order_of_the_input() {
    let outcome = Search::new(FormatName::Pgn).outcome();
    assert_eq!(games(&outcome.out), (1..=33).map(|third| 3 * third).collect::<Vec<_>>());
    // The last digits of 3, 6, … 99 run through 3 6 9 2 5 8 1 4 7 0, three times, then 3 6 9.
    assert_eq!(
        outcome.result,
        Ok(Totals {
            games: 100,
            matches: 33,
            positions: 3 * 45 + 18,
            ..Totals::default()
        })
    );
}

#[test]
fn an_interrupted_search_writes_what_it_has_found() {
    for (threads, sorted) in [(1, false), (1, true), (2, false), (7, false), (7, true)] {
        let interrupt = Arc::new(Interrupt::default());
        let mut search = Search::new(FormatName::Pgn);
        search.games = 10_000;
        search.query.interrupt = Some((38, Arc::clone(&interrupt)));
        if sorted {
            search.query.keys = vec![sort_key(true)];
        }
        let (outcome, _) = search.on(threads);
        assert!(interrupt.was_acknowledged());
        let mut found = games(&outcome.out);
        let totals = outcome.result.expect("an interrupted search is not a failure");
        assert_eq!(found.len() as u64, totals.matches);
        found.sort_unstable();
        let expected: Vec<_> = (1..=totals.games / 3).map(|third| 3 * third).collect();
        assert_eq!(
            found, expected,
            "the matches of the games from the first to the last that was looked at"
        );
        assert!(totals.games < 10_000, "{threads} threads");
        if threads == 1 {
            assert_eq!(totals.games, 38, "the game that was being evaluated is the last");
        }
    }
}

#[test]
fn a_search_that_nobody_interrupts_acknowledges_nothing() {
    let interrupt = Interrupt::default();
    assert!(!interrupt.was_acknowledged());
    assert!(!interrupt.raise(), "the first time");
    assert!(interrupt.raise(), "not the first time");
    assert!(!interrupt.was_acknowledged());
}

#[test]
fn games_that_are_not_wanted_count_but_are_not_evaluated() {
    let mut search = Search::new(FormatName::Count);
    search.query.unwanted = vec![3, 4, 33];
    let outcome = search.outcome();
    assert_eq!(
        outcome.result,
        Ok(Totals {
            games: 100,
            matches: 31,
            positions: 153 - 6,
            ..Totals::default()
        })
    );
    assert!(!outcome.log.contains("Game: 4\n"));
}

#[test]
fn pgn_has_whole_games() {
    assert!(
        Search::new(FormatName::Pgn)
            .outcome()
            .out
            .starts_with("game 3 of 11 positions")
    );
}

#[test]
fn log_lines_come_in_the_order_of_the_games() {
    let mut search = Search::new(FormatName::Count);
    search.games = 12;
    let expected = "Game: 4\nwarning: games.pgn:70: game 7: odd\nGame: 8\n\
        warning: games.pgn:110: game 11: bad move\nGame: 12\n";
    assert_eq!(search.outcome().log, expected);
    search.quiet = true;
    assert_eq!(search.outcome().log, "Game: 4\nGame: 8\nGame: 12\n");
}

#[test]
fn begin_and_end_of_a_format_are_written_once() {
    let mut search = Search::new(FormatName::Csv);
    search.query.numbers = Some((5, 4));
    assert_eq!(search.outcome().out.lines().count(), 1);
    assert_eq!(
        Search::new(FormatName::Count).outcome().out,
        "games: 33\npositions: 153\n"
    );
}

#[test]
fn a_limit_ends_output_log_and_reading() {
    let mut search = Search::new(FormatName::Pgn);
    search.limit = Some(3);
    let outcome = search.outcome();
    assert_eq!(games(&outcome.out), [3, 6, 9]);
    assert_eq!(outcome.log, "Game: 4\nwarning: games.pgn:70: game 7: odd\nGame: 8\n");
    assert_eq!(
        outcome.result,
        Ok(Totals {
            games: 9,
            matches: 3,
            positions: 18,
            ..Totals::default()
        })
    );
    assert_eq!(search.on(1).1, 10, "no batch after that of game 9 is read");
}

#[test]
fn only_the_wanted_numbers_are_looked_at_and_reading_ends_behind_them() {
    let mut search = Search::new(FormatName::Ids);
    search.query.numbers = Some((-3, 12));
    search.query.expects_last_game = Some(12);
    let outcome = search.outcome();
    assert_eq!(
        outcome.result,
        Ok(Totals {
            games: 12,
            matches: 4,
            positions: 20,
            ..Totals::default()
        })
    );
    for threads in [1, 7] {
        assert_eq!(search.on(threads).1, 15);
    }
    search.query.numbers = Some((14, 16));
    search.query.expects_last_game = Some(16);
    assert_eq!(search.outcome().out, "15:0\n15:1\n15:2\n15:3\n15:4\n");
    search.query.numbers = Some((16, 14));
    search.query.expects_last_game = None;
    assert_eq!(search.on(1).1, 0, "an empty range reads nothing");
}

#[test]
fn sorted_games_come_best_first_and_missing_values_last() {
    let mut search = Search::new(FormatName::Pgn);
    search.games = 33;
    search.query.keys = vec![sort_key(false)];
    assert_eq!(games(&search.outcome().out), [9, 18, 27, 6, 15, 24, 3, 33, 12, 21, 30]);
    search.query.keys = vec![sort_key(true)];
    assert_eq!(games(&search.outcome().out), [21, 12, 3, 33, 24, 15, 6, 27, 18, 9, 30]);
}

#[test]
fn a_limit_of_sorted_output_keeps_the_best_games() {
    let mut search = Search::new(FormatName::Pgn);
    search.query.keys = vec![sort_key(false)];
    search.limit = Some(4);
    let outcome = search.outcome();
    assert_eq!(games(&outcome.out), [9, 39, 69, 99]);
    assert_eq!(outcome.result.map(|totals| totals.games), Ok(100));
}

#[test]
fn ids_are_never_sorted() {
    let mut search = Search::new(FormatName::Ids);
    search.games = 9;
    let unsorted = search.outcome();
    search.query.keys = vec![sort_key(false)];
    assert_eq!(search.outcome(), unsorted);
}

#[test]
fn a_stop_is_reported_after_everything_before_it() {
    let mut search = Search::new(FormatName::Pgn);
    search.query.stop_at = Some(13);
    let outcome = search.outcome();
    assert_eq!(games(&outcome.out), [3, 6, 9, 12]);
    assert!(outcome.log.ends_with("Game: 12\n"), "{}", outcome.log);
    assert_eq!(outcome.result, Err("game 13: enough of it".to_owned()));
}

#[test]
fn a_limit_that_is_reached_before_a_stop_hides_it() {
    let mut search = Search::new(FormatName::Pgn);
    search.query.stop_at = Some(13);
    search.limit = Some(4);
    assert_eq!(search.outcome().result.map(|totals| totals.matches), Ok(4));
}

#[test]
fn an_unreadable_input_is_reported_after_everything_before_it() {
    let mut search = Search::new(FormatName::Pgn);
    search.games = 12;
    search.fails = true;
    let outcome = search.outcome();
    assert_eq!(games(&outcome.out), [3, 6, 9, 12]);
    assert_eq!(
        outcome.result,
        Err("cannot read games.pgn: the disk is gone".to_owned())
    );
}

#[test]
fn a_serial_query_gives_the_same() {
    let mut search = Search::new(FormatName::Ids);
    let parallel = search.outcome();
    search.query.serial = true;
    assert_eq!(search.outcome(), parallel);
}

/// A pipe whose reader closes it after `room` bytes.
struct Pipe {
    room: usize,
    kind: io::ErrorKind,
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.room = self.room.checked_sub(bytes.len()).ok_or(self.kind)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_pipe_ends_the_search_quietly() {
    let mut search = Search::new(FormatName::Pgn);
    search.games = u64::MAX;
    for threads in [1, 7] {
        let mut pipe = Pipe {
            room: 100,
            kind: io::ErrorKind::BrokenPipe,
        };
        let totals = search.write_to(threads, &mut pipe, &mut Vec::new(), &mut 0).unwrap();
        assert!(totals.matches > 0);
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let search = Search::new(FormatName::Pgn);
    let mut disk = Pipe {
        room: 100,
        kind: io::ErrorKind::StorageFull,
    };
    let error = search.write_to(7, &mut disk, &mut Vec::new(), &mut 0).unwrap_err();
    assert!(matches!(error, Error::Output(_)), "{error}");
}
