//! Whole searches over games made by hand.

mod limits;
mod several;
mod typed;

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::Arc;

use shakmaty::Color;

use super::games::{Batch, Games, ReadGames, VisitGames};
use super::*;
use crate::eval::report::{CalledOff, Compiled, Evaluate, Extras, GameReport, SortValue};
use crate::game::{Rules, Warning, WarningKind};
use crate::limits::Memory;
use crate::output::tests::FakeGame;
use crate::output::{FormatName, GameFacts, TagName, Totals};
use crate::query::SortKey;
use crate::syntax::Diagnostic;
use crate::syntax::token::Span;

/// A query whose answers are functions of the number of the game: every third game matches, at as many positions as its
/// number has last digit, and the sort key is that digit, none for 0.
#[derive(Default)]
struct Thirds {
    numbers: Option<(i32, i32)>,
    memory: Arc<Memory>,
    keys: Vec<SortKey>,
    serial: bool,
    stop_at: Option<u64>,
    /// The run is interrupted while this game is evaluated.
    interrupt: Option<(u64, Arc<Interrupt>)>,
    /// The number of the last game, if it asks for that.
    expects_last_game: Option<u64>,
    /// It is known from the tags of these games that they do not match.
    unwanted: Vec<u64>,
}

struct ThirdsEvaluator {
    stop_at: Option<u64>,
    interrupt: Option<(u64, Arc<Interrupt>)>,
    unwanted: Vec<u64>,
    keys: usize,
    report: GameReport,
}

impl Compiled for Thirds {
    type Game = Read;
    type Prepared = ();
    type Evaluator<'q> = ThirdsEvaluator;

    fn needs_last_game(&self) -> bool {
        self.expects_last_game.is_some()
    }

    fn prepare(&self, last_game: Option<u64>, _: &Arc<Interrupt>) -> Result<(), Stop> {
        assert_eq!(last_game, self.expects_last_game, "the number of the last game");
        Ok(())
    }

    fn evaluator(&self, (): &(), _: Extras) -> ThirdsEvaluator {
        ThirdsEvaluator {
            stop_at: self.stop_at,
            interrupt: self.interrupt.clone(),
            unwanted: self.unwanted.clone(),
            keys: self.keys.len(),
            report: GameReport::default(),
        }
    }

    fn sort_keys(&self) -> &[SortKey] {
        &self.keys
    }

    fn is_serial(&self) -> bool {
        self.serial
    }

    fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    fn span(&self) -> Span {
        Span::default()
    }

    fn game_numbers(&self) -> Option<(i32, i32)> {
        self.numbers
    }
}

impl Evaluate<Read> for ThirdsEvaluator {
    fn wants(&mut self, (game, _): &Read, _: &CalledOff<'_>) -> Result<bool, Stop> {
        Ok(!self.unwanted.contains(&game.number()))
    }

    fn evaluate(&mut self, (game, _): &Read, _: &CalledOff<'_>) -> Result<&GameReport, Stop> {
        let number = game.number();
        if self.stop_at == Some(number) {
            return Err(Stop {
                diagnostic: Diagnostic::new(Span::default(), format!("game {number}: enough of it")),
            });
        }
        if let Some((_, interrupt)) = self.interrupt.as_ref().filter(|(at, _)| *at == number) {
            interrupt.raise();
        }
        let digit = number % 10;
        let value = (digit > 0).then_some(SortValue::Number(digit as i32));
        self.report = GameReport {
            matched: number.is_multiple_of(3),
            positions: if number.is_multiple_of(3) {
                (0..digit as u32).collect()
            } else {
                Vec::new()
            },
            keys: vec![value; self.keys],
            messages: if number.is_multiple_of(4) {
                format!("Game: {number}\n").into_bytes()
            } else {
                Vec::new()
            },
            ..GameReport::default()
        };
        Ok(&self.report)
    }
}

#[derive(Default)]
struct FakeBatch {
    first: u64,
    length: usize,
    warnings: Vec<Warning>,
}

impl Batch for FakeBatch {
    fn len(&self) -> usize {
        self.length
    }

    fn number(&self, index: usize) -> u64 {
        self.first + index as u64
    }

    fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

/// Games 1 to `count` in batches of five, with a warning for every seventh; then perhaps the disk fails.
struct Numbers<'a> {
    count: u64,
    fails: bool,
    /// The number of the last game that was read.
    read: &'a mut u64,
}

impl Games for Numbers<'_> {
    type Batch = FakeBatch;

    fn next(&mut self, batch: &mut FakeBatch) -> Result<bool, RunError> {
        let left = self.count - *self.read;
        if left == 0 && self.fails {
            return Err(RunError::Input {
                name: "games.pgn".to_owned(),
                error: io::Error::other("the disk is gone"),
            });
        }
        batch.first = *self.read + 1;
        batch.length = left.min(5) as usize;
        *self.read += batch.length as u64;
        let warned = (batch.first..=*self.read).filter(|number| number.is_multiple_of(7));
        batch.warnings.clear();
        batch.warnings.extend(warned.map(|game| warning(game, "odd")));
        Ok(left > 0)
    }

    fn bytes_read(&self) -> u64 {
        *self.read
    }

    fn last_number(&self, last_wanted: u64) -> Result<Option<u64>, RunError> {
        Ok(Some(self.count.min(last_wanted)))
    }
}

fn warning(game: u64, message: &str) -> Warning {
    Warning {
        kind: WarningKind::NoResult,
        source: "games.pgn".into(),
        line: 10 * game,
        game,
        message: message.to_owned(),
    }
}

/// A game, and what was wrong with its text.
type Read = (FakeGame, Vec<Warning>);

/// Reads games of ten positions; they have one more when they are read as a whole.
struct FakeReader;

impl ReadGames for FakeReader {
    type Batch = FakeBatch;
    type Game = Read;

    fn read(&mut self, batch: &FakeBatch, visitor: &mut dyn VisitGames<Read>) -> Result<(), RunError> {
        for index in 0..batch.len() {
            let number = batch.number(index);
            let warnings = if number.is_multiple_of(11) {
                vec![warning(number, "bad move")]
            } else {
                Vec::new()
            };
            let game = (FakeGame::new(number, Color::White, 9), warnings);
            let wanted = visitor.wants(&game);
            if visitor.visit(index, &game, wanted).is_break() {
                break;
            }
        }
        Ok(())
    }

    fn read_whole(batch: &FakeBatch, index: usize) -> Result<Read, RunError> {
        Ok((FakeGame::new(batch.number(index), Color::White, 10), Vec::new()))
    }

    fn warnings((_, warnings): &Read) -> &[Warning] {
        warnings
    }

    fn facts<'a>(_batch: &'a FakeBatch, (game, _): &'a Read) -> impl GameFacts + 'a {
        game
    }
}

impl GameFacts for &FakeGame {
    fn source(&self) -> &str {
        (**self).source()
    }
    fn number(&self) -> u64 {
        (**self).number()
    }
    fn tag(&self, name: TagName) -> Option<std::borrow::Cow<'_, [u8]>> {
        (**self).tag(name)
    }
    fn rating(&self, player: Color) -> Option<u16> {
        (**self).rating(player)
    }
    fn positions(&self) -> &[crate::game::Position] {
        (**self).positions()
    }
    fn write_fen(&self, position: &crate::game::Position, out: &mut Vec<u8>) {
        (**self).write_fen(position, out);
    }
    fn write_move(&self, position: &crate::game::Position, out: &mut Vec<u8>) {
        (**self).write_move(position, out);
    }
    fn write_san(&self, position: &crate::game::Position, out: &mut Vec<u8>) {
        (**self).write_san(position, out);
    }
    fn write_uci(&self, position: &crate::game::Position, out: &mut Vec<u8>) {
        (**self).write_uci(position, out);
    }
    fn each_tag(&self, visit: &mut dyn FnMut(&[u8], &[u8])) {
        (**self).each_tag(visit);
    }
    fn write_pgn(&self, report: &GameReport, out: &mut Vec<u8>) {
        (**self).write_pgn(report, out);
    }
}

/// What a search did.
#[derive(PartialEq, Eq, Debug)]
struct Outcome {
    out: String,
    log: String,
    result: Result<Totals, String>,
}

struct Search {
    query: Thirds,
    format: FormatName,
    limit: Option<u64>,
    quiet: bool,
    games: u64,
    fails: bool,
}

impl Search {
    fn new(format: FormatName) -> Search {
        Search {
            query: Thirds::default(),
            format,
            limit: None,
            quiet: false,
            games: 100,
            fails: false,
        }
    }

    /// The outcome, and the number of the last game that was read.
    fn on(&self, threads: usize) -> (Outcome, u64) {
        let (mut out, mut log, mut read) = (Vec::new(), Vec::new(), 0);
        let result = self.write_to(threads, &mut out, &mut log, &mut read);
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            Outcome {
                out: text(out),
                log: text(log),
                result: result.map_err(|error| error.to_string()),
            },
            read,
        )
    }

    fn write_to(
        &self,
        threads: usize,
        out: &mut dyn Write,
        log: &mut dyn Write,
        read: &mut u64,
    ) -> Result<Totals, Error> {
        let options = Options {
            interrupt: match &self.query.interrupt {
                Some((_, interrupt)) => Arc::clone(interrupt),
                None => Arc::default(),
            },
            threads: NonZeroUsize::new(threads).unwrap(),
            limit: self.limit,
            rules: Rules::default(),
            quiet: self.quiet,
        };
        let games = Numbers {
            count: self.games,
            fails: self.fails,
            read,
        };
        let reader = || FakeReader;
        let search = super::run::Search::new(&self.query, TextSink::new(self.format, out));
        run::run(search, games, reader, &options, &mut Log::new(log))
    }

    /// The outcome, which has to be the same on 1, 2 and 7 threads.
    fn outcome(&self) -> Outcome {
        let (outcome, _) = self.on(1);
        for threads in [2, 7] {
            assert_eq!(self.on(threads).0, outcome, "{threads} threads");
        }
        outcome
    }
}

fn sort_key(ascending: bool) -> SortKey {
    SortKey {
        title: b"digit".to_vec(),
        ascending,
        quiet: false,
        text: false,
    }
}

/// The numbers of the games in fake PGN output.
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
        assert!(interrupt.was_heeded());
        let mut found = games(&outcome.out);
        let totals = outcome.result.expect("an interrupted search is no failure");
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
fn a_search_that_nobody_interrupts_heeds_nothing() {
    let interrupt = Interrupt::default();
    assert!(!interrupt.was_heeded());
    assert!(!interrupt.raise(), "the first time");
    assert!(interrupt.raise(), "not the first time");
    assert!(!interrupt.was_heeded());
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
