//! Where query, games and output meet.

use std::io::{self, Write};
use std::ops::{ControlFlow, RangeInclusive};

use super::collector::Collector;
use super::findings::Findings;
use super::interrupt::Interrupt;
use super::pipeline::{Cancelled, Pipeline};
use super::progress::Progress;
use super::ranking::Ranking;
use super::{Error, Options};
use crate::eval::report::{Compiled, Evaluate};
use crate::game::Warning;
use crate::output::{Format, GameFacts, Totals};

/// Some successive games of an input, not yet parsed.
pub trait Batch: Default + Send {
    /// How many games there are.
    fn len(&self) -> usize;
    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The number of a game; numbers grow over all inputs of a run.
    fn number(&self, index: usize) -> u64;
    /// What is wrong with the input, in the order of the games.
    fn warnings(&self) -> &[Warning];
}

/// The input of a search: all its games, cut into batches.
pub trait Games: Send {
    /// What they are cut into.
    type Batch: Batch;
    /// Refills a batch with the next games; `false` when there are none.
    ///
    /// # Errors
    /// When an input cannot be read.
    fn next(&mut self, batch: &mut Self::Batch) -> Result<bool, Error>;
    /// The number of the last game, at most the last that is wanted, without changing what [`next`](Games::next) gives; `None`
    /// when that would need an input that can be read twice.
    ///
    /// # Errors
    /// When an input cannot be read.
    fn last_number(&self, _last_wanted: u64) -> Result<Option<u64>, Error> {
        Ok(None)
    }
    /// How many bytes have been read, of the total that a progress bar was given.
    fn bytes_read(&self) -> u64;
}

/// Makes games of their text, on one thread.
pub trait ReadGames {
    /// Where the text is.
    type Batch: Batch;
    /// What becomes of it.
    type Game;
    /// Reads the games of a batch, with as much of each as the query needs, and shows them to `visitor` in order until it
    /// breaks.
    ///
    /// # Errors
    /// When the batch turns out to be damaged.
    fn read(&mut self, batch: &Self::Batch, visitor: &mut dyn VisitGames<Self::Game>) -> Result<(), Error>;
    /// Reads one game with all that is in it, variations and comments too. Positions of the main line have the same numbers.
    ///
    /// # Errors
    /// When the batch turns out to be damaged.
    fn read_whole(batch: &Self::Batch, index: usize) -> Result<Self::Game, Error>;
    /// What was wrong with the text of a game.
    fn warnings(game: &Self::Game) -> &[Warning];
    /// What the formats ask of a game.
    fn facts<'a>(batch: &'a Self::Batch, game: &'a Self::Game) -> impl GameFacts + 'a;
}

/// Sees the games of a batch.
pub trait VisitGames<Game> {
    /// Whether the moves of a game shall be read. It has its number, tags and result, but no positions.
    fn wants(&mut self, game: &Game) -> bool;
    /// The game with this index in the batch, if it was wanted.
    fn visit(&mut self, index: usize, game: Option<&Game>) -> ControlFlow<()>;
}

/// Evaluates a query on all games and writes what it finds.
///
/// `make_reader` is called once on each thread that evaluates. When whoever reads the output closes it, the search ends
/// without an error.
///
/// # Errors
/// When input, output or evaluation fail; see [`Error`].
pub fn run<Q, G, R>(
    query: &Q,
    games: G,
    make_reader: impl Fn() -> R + Sync,
    options: &Options,
    out: &mut dyn Write,
    progress: &mut Progress<'_>,
) -> Result<Totals, Error>
where
    Q: Compiled,
    G: Games,
    R: ReadGames<Batch = G::Batch, Game = Q::Game>,
{
    let keys = query.sort_keys();
    let format = options.format.format(keys);
    let ranking = (format.is_sorted() && !keys.is_empty()).then(|| Ranking::new(keys));
    let wanted = wanted_numbers(query.game_numbers());
    let last_game = if query.needs_last_game() {
        games.last_number(*wanted.end())?
    } else {
        None
    };
    let prepared = query.prepare(last_game).map_err(Error::Evaluation)?;
    let mut frame = Vec::new();
    format.begin(&mut frame);
    let mut ending = Ending::of(out.write_all(&frame));

    // What lives through a run must not see games beyond the last one that is written.
    let limit = options.limit.filter(|_| query.is_serial() && ranking.is_none());
    let mut closing = Vec::new();
    query.evaluator(&prepared, false).closing(&mut closing);
    let mut collector = Collector::new(out, ranking, options.limit);
    if ending.is_none() {
        let pipeline = Pipeline {
            fill: filler(games, *wanted.end()),
            make_worker: || {
                let mut examiner = Examiner {
                    reader: make_reader(),
                    evaluator: query.evaluator(&prepared, format.has_comments()),
                    format: format.as_ref(),
                    wanted: wanted.clone(),
                    quiet: options.quiet,
                    interrupt: &options.interrupt,
                    left: limit,
                };
                move |load: &mut Load<G::Batch>, cancelled: &Cancelled| examiner.examine(load, cancelled)
            },
            collect: |load: &mut Load<G::Batch>| {
                ending = collect(load, &mut collector, progress, &options.interrupt);
                std::mem::swap(&mut closing, &mut load.closing);
                match ending {
                    Some(_) => ControlFlow::Break(()),
                    None => ControlFlow::Continue(()),
                }
            },
        };
        match options.threads.get() {
            1 => pipeline.run_here(),
            _ if query.is_serial() => pipeline.run_on(1).map_err(Error::Thread)?,
            threads => pipeline.run_on(threads).map_err(Error::Thread)?,
        }
    }
    let totals = collector.totals();
    match ending {
        Some(Ending::Failed(error)) => return Err(error),
        Some(Ending::Closed) => return Ok(totals),
        Some(Ending::Enough | Ending::Interrupted) | None => {}
    }
    frame.clear();
    format.end(&totals, &mut frame);
    if let Some(Ending::Failed(error)) = Ending::of(collector.finish(&frame)) {
        return Err(error);
    }
    progress.close(&closing);
    Ok(totals)
}

/// Why a search ends before the end of the input.
enum Ending {
    /// Enough was found.
    Enough,
    /// Nobody reads the output any more.
    Closed,
    /// Whoever runs it wants it to end.
    Interrupted,
    Failed(Error),
}

impl Ending {
    /// Whether what came of writing ends the search.
    fn of<T>(written: io::Result<T>) -> Option<Ending> {
        match written {
            Ok(_) => None,
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Some(Ending::Closed),
            Err(error) => Some(Ending::Failed(Error::Output(error))),
        }
    }
}

/// What goes through the pipeline: games, and what came of them.
#[derive(Default)]
struct Load<B> {
    batch: B,
    findings: Findings,
    /// What is printed if the run ends after these games.
    closing: Vec<u8>,
    /// Why nothing comes after the findings.
    failure: Option<Error>,
    /// How much of the input was read when the batch was complete.
    bytes_read: u64,
    /// How many games were read when the batch was complete.
    games_read: u64,
}

/// The range of a header as numbers of games, which begin with 1: an empty range is 0 alone.
fn wanted_numbers(range: Option<(i32, i32)>) -> RangeInclusive<u64> {
    let number = |n| u64::try_from(n).unwrap_or(0);
    match range {
        None => 1..=u64::MAX,
        Some((first, last)) if first <= last => number(first)..=number(last),
        Some(_) => 0..=0,
    }
}

/// Cuts batches until the games end, the input fails, or the last wanted number is reached.
fn filler<G: Games>(mut games: G, last_wanted: u64) -> impl FnMut(&mut Load<G::Batch>) -> bool + Send {
    let mut reached = 0;
    let mut failed = false;
    move |load| {
        if failed || reached >= last_wanted {
            return false;
        }
        match games.next(&mut load.batch) {
            Ok(false) => return false,
            Ok(true) => {}
            Err(error) => {
                load.failure = Some(error);
                failed = true;
            }
        }
        load.bytes_read = games.bytes_read();
        if let Some(last) = load.batch.len().checked_sub(1) {
            reached = load.batch.number(last);
            // One more shows that the last wanted game is behind.
            load.games_read = reached.min(last_wanted.saturating_add(1));
        }
        true
    }
}

/// Reads, evaluates and formats games on one thread.
struct Examiner<'q, R, E> {
    reader: R,
    evaluator: E,
    format: &'q dyn Format,
    wanted: RangeInclusive<u64>,
    quiet: bool,
    interrupt: &'q Interrupt,
    /// How many more games may match before the rest is left alone.
    left: Option<u64>,
}

impl<R: ReadGames, E: Evaluate<R::Game>> Examiner<'_, R, E> {
    fn examine(&mut self, load: &mut Load<R::Batch>, cancelled: &Cancelled) {
        let Load {
            batch,
            findings,
            failure,
            closing,
            ..
        } = load;
        findings.clear();
        closing.clear();
        if failure.is_none() && self.left != Some(0) {
            *failure = self.examine_games(batch, findings, cancelled).err();
        }
        self.evaluator.closing(closing);
    }

    /// Examines the games of a batch; why the run has to end, if it has to.
    fn examine_games(&mut self, batch: &R::Batch, findings: &mut Findings, cancelled: &Cancelled) -> Result<(), Error> {
        let mut visit: Visit<'_, R, E> = Visit {
            batch,
            evaluator: &mut self.evaluator,
            format: self.format,
            wanted: &self.wanted,
            quiet: self.quiet,
            warnings: batch.warnings(),
            findings,
            failure: None,
            left: &mut self.left,
            cancelled,
            interrupt: self.interrupt,
        };
        self.reader.read(batch, &mut visit)?;
        visit.finish()
    }
}

/// The way through one batch.
struct Visit<'a, R: ReadGames, E> {
    batch: &'a R::Batch,
    evaluator: &'a mut E,
    format: &'a dyn Format,
    wanted: &'a RangeInclusive<u64>,
    quiet: bool,
    /// Those of the batch that are not written yet.
    warnings: &'a [Warning],
    findings: &'a mut Findings,
    /// Why the run has to end.
    failure: Option<Error>,
    left: &'a mut Option<u64>,
    cancelled: &'a Cancelled,
    interrupt: &'a Interrupt,
}

impl<R: ReadGames, E: Evaluate<R::Game>> VisitGames<R::Game> for Visit<'_, R, E> {
    fn wants(&mut self, game: &R::Game) -> bool {
        // A reader may ask for numbers that are not searched; they are no business of the query.
        self.wanted.contains(&R::facts(self.batch, game).number()) && self.evaluator.wants(game)
    }

    fn visit(&mut self, index: usize, game: Option<&R::Game>) -> ControlFlow<()> {
        if self.cancelled.get() || self.interrupt.is_raised() {
            return ControlFlow::Break(());
        }
        let number = self.batch.number(index);
        self.warn_up_to(number);
        if !self.wanted.contains(&number) {
            return ControlFlow::Continue(());
        }
        match game.map_or(Ok(Evaluated::default()), |game| self.evaluate(index, game)) {
            Ok(Evaluated {
                matched,
                positions,
                called_off,
            }) => {
                self.findings.end_game(matched, positions);
                if called_off {
                    return ControlFlow::Break(());
                }
                if let Some(left) = self.left.as_mut().filter(|_| matched) {
                    *left -= 1;
                    if *left == 0 {
                        return ControlFlow::Break(());
                    }
                }
            }
            Err(failure) => {
                self.failure = Some(failure);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    }
}

/// What came of a game.
#[derive(Default)]
struct Evaluated {
    matched: bool,
    /// How many match.
    positions: usize,
    /// Not all of it was looked at.
    called_off: bool,
}

impl<R: ReadGames, E: Evaluate<R::Game>> Visit<'_, R, E> {
    /// Evaluates and formats a game.
    fn evaluate(&mut self, index: usize, game: &R::Game) -> Result<Evaluated, Error> {
        let (cancelled, interrupt) = (self.cancelled, self.interrupt);
        let called_off = || cancelled.get() || interrupt.is_raised();
        let Findings {
            warnings,
            messages,
            keys,
            text,
            ..
        } = &mut *self.findings;
        write_warnings(R::warnings(game), self.quiet, warnings);
        let report = self.evaluator.evaluate(game, &called_off).map_err(Error::Evaluation)?;
        messages.extend_from_slice(&report.messages);
        if report.matched {
            keys.extend_from_slice(&report.keys);
        }
        if report.matched && self.format.has_comments() {
            let whole = R::read_whole(self.batch, index)?;
            self.format.game(&R::facts(self.batch, &whole), report, text);
        } else {
            self.format.game(&R::facts(self.batch, game), report, text);
        }
        Ok(Evaluated {
            matched: report.matched,
            positions: report.positions.len(),
            called_off: report.called_off,
        })
    }

    /// Writes what is left to say about the batch; why the run has to end, if it has to.
    fn finish(self) -> Result<(), Error> {
        if self.failure.is_none() && !self.interrupt.is_raised() {
            write_warnings(self.warnings, self.quiet, &mut self.findings.warnings);
        }
        self.failure.map_or(Ok(()), Err)
    }

    /// Writes the warnings about text before the end of a game.
    fn warn_up_to(&mut self, number: u64) {
        // Those about text before the first game of a file have no number, so the numbers do not always grow.
        let later = self.warnings.iter().position(|warning| warning.game > number);
        let split = later.unwrap_or(self.warnings.len());
        let (earlier, later) = self.warnings.split_at(split);
        self.warnings = later;
        write_warnings(earlier, self.quiet, &mut self.findings.warnings);
    }
}

fn write_warnings(warnings: &[Warning], quiet: bool, out: &mut Vec<u8>) {
    if !quiet {
        for warning in warnings {
            // Writing to a vector cannot fail.
            let _ = writeln!(out, "warning: {warning}");
        }
    }
}

/// Takes what came of a batch; whether and why it was the last.
fn collect<B>(
    load: &mut Load<B>,
    collector: &mut Collector<'_>,
    progress: &mut Progress<'_>,
    interrupt: &Interrupt,
) -> Option<Ending> {
    let taken = collector.take(&mut load.findings, progress);
    progress.advance(load.bytes_read, load.games_read, collector.totals());
    match taken {
        Ok(ControlFlow::Break(())) => Some(Ending::Enough),
        Ok(ControlFlow::Continue(())) => load.failure.take().map(Ending::Failed).or_else(|| {
            let interrupted = interrupt.is_raised();
            interrupted.then(|| {
                interrupt.heed();
                Ending::Interrupted
            })
        }),
        Err(error) => Ending::of(Err::<(), _>(error)),
    }
}
