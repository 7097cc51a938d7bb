//! Games, batches and queries made by hand.

use std::cell::Cell;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::sync::Arc;

use shakmaty::Color;

use super::super::games::{Batch, Games, Reach, ReadGames, VisitGames};
use super::super::*;
use crate::chess::{Arrival, Position};
use crate::eval::report::{CalledOff, Compiled, Evaluate, Extras, GameReport, Relevance, SortValue, Stop};
use crate::game::{Date, Rules, Warning, WarningKind};
use crate::limits::{Interrupt, Memory};
use crate::output::tests::FakeGame;
use crate::output::{FormatName, GameFacts, Totals};
use crate::query::SortKey;
use crate::syntax::Diagnostic;
use crate::syntax::token::Span;

/// A query whose answers are functions of the number of the game. Every third game matches, at as many positions as the last digit of its
/// number, and this digit is the sort key, except for 0.
#[derive(Default)]
pub(super) struct Thirds {
    pub(super) numbers: Option<(i32, i32)>,
    pub(super) memory: Arc<Memory>,
    pub(super) keys: Vec<SortKey>,
    pub(super) serial: bool,
    pub(super) stop_at: Option<u64>,
    /// The run is interrupted while this game is evaluated.
    pub(super) interrupt: Option<(u64, Arc<Interrupt>)>,
    /// The expected number of the last game, if the query asks for it.
    pub(super) expects_last_game: Option<u64>,
    /// The games whose tags show that they do not match.
    pub(super) unwanted: Vec<u64>,
}

pub(super) struct ThirdsEvaluator {
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
    type Batch = ();

    fn wants(&mut self, (game, _): &Read, _: &CalledOff<'_>) -> Result<Relevance, Stop> {
        Ok(match self.unwanted.contains(&game.number()) {
            true => Relevance::Unwanted,
            false => Relevance::Wanted,
        })
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
pub(super) struct FakeBatch {
    pub(super) first: u64,
    pub(super) length: usize,
    pub(super) warnings: Vec<Warning>,
    /// The next game that a reader can reach, as it reads whole games in order.
    pub(super) next_whole: Cell<usize>,
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

/// Games 1 to `count` in batches of five, with a warning for every seventh. After them the disk may fail.
pub(super) struct Numbers<'a> {
    pub(super) count: u64,
    pub(super) fails: bool,
    /// The number of the last game that was read.
    pub(super) read: &'a mut u64,
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

pub(super) fn warning(game: u64, message: &str) -> Warning {
    Warning {
        kind: WarningKind::NoResult,
        source: "games.pgn".into(),
        line: 10 * game,
        game,
        message: message.to_owned(),
    }
}

/// A game and the warnings about its text.
type Read = (FakeGame, Vec<Warning>);

/// Reads games of ten positions, which have one more when they are read as a whole.
pub(super) struct FakeReader;

impl ReadGames for FakeReader {
    type Batch = FakeBatch;
    type Game = Read;

    fn read(&mut self, batch: &FakeBatch, visitor: &mut dyn VisitGames<Read>) -> Result<(), RunError> {
        batch.next_whole.set(0);
        for index in 0..batch.len() {
            let number = batch.number(index);
            let warnings = if number.is_multiple_of(11) {
                vec![warning(number, "bad move")]
            } else {
                Vec::new()
            };
            let mut game = (FakeGame::new(number, Color::White, 9), warnings);
            let reach = if visitor.wants(&game) {
                Reach::Moves
            } else {
                Reach::Head
            };
            let flow = visitor.visit(index, &mut game, reach, &mut |_, _| Ok(Reach::Moves));
            if flow.expect("all have positions").is_break() {
                break;
            }
        }
        visitor
            .finish(&mut |_, _| Ok(Reach::Moves))
            .expect("all have positions");
        Ok(())
    }

    fn read_whole(batch: &FakeBatch, index: usize, _spare: Option<Read>) -> Result<Read, RunError> {
        let next = batch.next_whole.replace(index + 1);
        assert!(
            next <= index,
            "a reader cannot go back from game {next} to game {index}"
        );
        Ok((FakeGame::new(batch.number(index), Color::White, 10), Vec::new()))
    }

    fn is_large((game, _): &Read) -> bool {
        game.number().is_multiple_of(5)
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
    fn tag(&self, name: &[u8]) -> Option<std::borrow::Cow<'_, [u8]>> {
        (**self).tag(name)
    }
    fn value(&self, name: &[u8]) -> Option<std::borrow::Cow<'_, [u8]>> {
        (**self).value(name)
    }
    fn outcome(&self) -> shakmaty::Outcome {
        (**self).outcome()
    }
    fn rating(&self, player: Color) -> Option<u16> {
        (**self).rating(player)
    }

    fn date(&self) -> Date {
        Date::default()
    }
    fn positions(&self) -> &[Position] {
        (**self).positions()
    }
    fn write_fen(&self, position: &Position, out: &mut Vec<u8>) {
        (**self).write_fen(position, out);
    }
    fn write_move(&self, position: &Position, out: &mut Vec<u8>) {
        (**self).write_move(position, out);
    }
    fn write_san(&self, position: &Position, out: &mut Vec<u8>) {
        (**self).write_san(position, out);
    }
    fn write_tried(&self, position: &Position, tried: &Arrival, out: &mut Vec<u8>) {
        (**self).write_tried(position, tried, out);
    }

    fn write_tried_san(&self, position: &Position, tried: &Arrival, out: &mut Vec<u8>) {
        (**self).write_tried_san(position, tried, out);
    }
    fn write_uci(&self, position: &Position, out: &mut Vec<u8>) {
        (**self).write_uci(position, out);
    }
    fn each_tag(&self, visit: &mut dyn FnMut(&[u8], &[u8])) {
        (**self).each_tag(visit);
    }
    fn write_pgn(&self, report: &GameReport, out: &mut Vec<u8>) {
        (**self).write_pgn(report, out);
    }

    fn write_continuation(&self, position: &Position, plies: Option<u32>, report: &GameReport, out: &mut Vec<u8>) {
        (**self).write_continuation(position, plies, report, out);
    }
}

/// What a search did.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Outcome {
    pub(super) out: String,
    pub(super) log: String,
    pub(super) result: Result<Totals, String>,
}

pub(super) struct Search {
    pub(super) query: Thirds,
    pub(super) format: FormatName,
    pub(super) limit: Option<u64>,
    pub(super) quiet: bool,
    pub(super) games: u64,
    pub(super) fails: bool,
}

impl Search {
    pub(super) fn new(format: FormatName) -> Search {
        Search {
            query: Thirds::default(),
            format,
            limit: None,
            quiet: false,
            games: 100,
            fails: false,
        }
    }

    /// Returns the outcome and the number of the last game that was read.
    pub(super) fn on(&self, threads: usize) -> (Outcome, u64) {
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

    pub(super) fn write_to(
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
        let search = super::run::Search {
            query: &self.query,
            name: None,
            games: None,
            sink: TextSink::new(self.format, out),
        };
        run::run(search, games, reader, &options, &mut Log::new(log))
    }

    /// Returns the outcome, which must be the same on 1, 2 and 7 threads.
    pub(super) fn outcome(&self) -> Outcome {
        let (outcome, _) = self.on(1);
        for threads in [2, 7] {
            assert_eq!(self.on(threads).0, outcome, "{threads} threads");
        }
        outcome
    }
}
