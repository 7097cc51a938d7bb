//! Writes the games of all inputs into a database: several threads make rows, one writes them in order.

use std::io::Write;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::error::{Error, RunError};
use super::games::{Batch as _, Games as _};
use super::in_flight::{Collecting, InFlight, USUAL_BATCH};
use super::inputs::{InputBatch, InputGames, failed, undamaged};
use super::pipeline::Pipeline;
use crate::database::{GroupRows, RowBatch, RowMaker, Writer};
use crate::game::Warning;
use crate::limits::Interrupt;
use crate::pgn::{Batch, GameText, Source};

/// The most threads that help. Others would only take memory while they wait for the thread that reads and the one that collects.
const MOST_THREADS: usize = 32;

/// A game with more bytes of moves than this is large: its positions may take fifty times as much.
const LARGE_MOVES: usize = 1 << 16;

/// A batch is not used again if its last game made its text grow beyond this, because there are many batches.
const GROWN: usize = 600 << 10;

/// The progress of indexing.
pub(crate) struct Indexed<'w> {
    /// The warnings about the games that were added last.
    pub(crate) warnings: &'w [Warning],
    /// The bytes of the inputs that have been read.
    pub(crate) bytes: u64,
    /// The number of games in the database.
    pub(crate) games: u64,
}

/// A batch and what is made from it.
#[derive(Default)]
struct Slot {
    batch: InputBatch,
    /// The error that prevents its rows.
    error: Option<Error>,
    /// The bytes of its text.
    length: usize,
    /// The bytes of the inputs up to here.
    bytes: u64,
    made: Option<IndexedBatch>,
}

/// What is made from a batch.
enum IndexedBatch {
    /// Rows of games.
    RowBatch(RowBatch),
    /// Rows of another database, and the warnings about it.
    Rows(GroupRows, Vec<Warning>),
}

impl Slot {
    /// Returns whether the batch contains a large game. The thread that collects makes the rows of such a batch: allocators keep some memory that
    /// each thread has freed, so few threads should take large pieces.
    fn is_large(&self) -> bool {
        let has_large = |text: &Batch| {
            let is_large = |game: &GameText| game.range.len() > LARGE_MOVES && text.words_of(game) > LARGE_MOVES;
            text.games.iter().any(is_large)
        };
        self.length > USUAL_BATCH || matches!(&self.batch, InputBatch::Part(part) if has_large(part.text()))
    }

    /// Makes rows for the database from the batch.
    fn make(&mut self, maker: &mut RowMaker) {
        if self.error.is_some() {
            return;
        }
        let made = match &self.batch {
            InputBatch::Part(part) => maker
                .entries(part.text())
                .map(|rows| Some(IndexedBatch::RowBatch(rows)))
                .map_err(Error::Output),
            // A search can leave damaged games out, but a database must not.
            InputBatch::Block(block) => undamaged(block).map(|()| None).map_err(Error::from),
            InputBatch::Group(name, group) => maker
                .rows(group)
                .map(|rows| Some(IndexedBatch::Rows(rows, group.notices().to_vec())))
                .map_err(|error| Error::from(failed(name, error))),
        };
        match made {
            Ok(made) => self.made = made,
            Err(error) => self.error = Some(error),
        }
    }

    /// Adds the rows to the database and returns the warnings about them.
    fn add_to<W: Write + Send>(&mut self, writer: &mut Writer<W>) -> Result<Vec<Warning>, Error> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let mut warnings = Vec::new();
        let added = match self.made.take() {
            Some(IndexedBatch::RowBatch(entries)) => writer.put(entries, &mut |warning| warnings.push(warning.clone())),
            Some(IndexedBatch::Rows(rows, of_rows)) => {
                warnings = of_rows;
                writer.add_rows(rows)
            }
            None => Ok(()),
        };
        added.map(|()| warnings).map_err(Error::Output)
    }
}

/// Adds all games of the inputs to a database. Its bytes are the same for any number of threads. With one thread, everything happens on the
/// calling thread. Returns `None` if it was interrupted.
///
/// # Errors
/// Returns an error if an input cannot be read, the output cannot be written, or a thread cannot be started.
pub(crate) fn index<W: Write + Send>(
    sources: impl IntoIterator<Item = Source>,
    writer: Writer<W>,
    threads: NonZeroUsize,
    interrupt: &Arc<Interrupt>,
    observe: &mut dyn FnMut(Indexed<'_>),
) -> Result<Option<Writer<W>>, Error> {
    let mut games = InputGames::new(sources)
        .until(interrupt)
        .after(writer.games())
        .by_groups();
    let in_flight = InFlight::default();
    let mut result = Ok(());
    let mut has_failed = false;
    let threads = threads.get().min(MOST_THREADS);
    let mut writer = writer.packed_by(threads);
    let maker = writer.maker();
    let mut maker_of_large = maker.another();
    let pipeline = Pipeline {
        fill: |slot: &mut Slot| {
            if has_failed || !in_flight.wait() {
                return false;
            }
            match games.next(&mut slot.batch) {
                Ok(false) => return false,
                Ok(true) => slot.length = slot.batch.bytes(),
                Err(error) => {
                    has_failed = true;
                    slot.error = Some(Error::from(error));
                    slot.length = 0;
                }
            }
            slot.bytes = games.bytes_read();
            in_flight.add(slot.length);
            true
        },
        make_worker: || {
            let mut maker = maker.another();
            move |slot: &mut Slot| {
                maker.help();
                if !slot.is_large() {
                    slot.make(&mut maker);
                }
            }
        },
        collect: {
            let collecting = Collecting(&in_flight);
            let (writer, result) = (&mut writer, &mut result);
            move |slot: &mut Slot| {
                if slot.is_large() {
                    if let Err(error) = writer.write_waiting() {
                        slot.error.get_or_insert(Error::Output(error));
                    }
                    slot.make(&mut maker_of_large);
                    slot.batch = InputBatch::default();
                    maker_of_large = maker_of_large.another();
                }
                let warnings = match slot.add_to(writer) {
                    Ok(warnings) => warnings,
                    Err(error) => {
                        *result = Err(error);
                        return ControlFlow::Break(());
                    }
                };
                if matches!(&slot.batch, InputBatch::Part(part) if part.text().text.len() > GROWN) {
                    slot.batch = InputBatch::default();
                }
                collecting.remove(slot.length);
                observe(Indexed {
                    warnings: &warnings,
                    bytes: slot.bytes,
                    games: writer.games(),
                });
                match interrupt.is_raised() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            }
        },
    };
    match threads {
        1 => pipeline.run_here(),
        threads => pipeline.run_on(threads).map_err(RunError::Thread)?,
    }
    if interrupt.is_raised() {
        return Ok(None);
    }
    result.map(|()| Some(writer))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a database of these games that this many threads made.
    fn indexed(games: &str, threads: usize) -> Vec<u8> {
        let source = Source::of_bytes("games", games.as_bytes());
        let writer = Writer::new(Vec::new()).unwrap();
        let threads = NonZeroUsize::new(threads).unwrap();
        let mut last = 0;
        let observe = &mut |indexed: Indexed<'_>| last = indexed.games;
        let writer = index([source], writer, threads, &Arc::default(), observe).unwrap();
        let written = writer.unwrap().finish().unwrap();
        assert_eq!(last, games.matches("[White ").count() as u64);
        written
    }

    #[test]
    fn large_games_stay_in_their_place_with_any_number_of_threads() {
        let words = |count: usize| -> String { (0..count).map(|number| format!("{number} ")).collect() };
        let game = |number: usize| {
            // Some fill a batch, some are larger.
            let comment = words([9, 9, 80_000, 9, 200_000, 9, 9, 200_000, 200_000, 80_000, 80_000, 9][number]);
            format!("[White \"{number}\"]\n\n1. e4 {{{comment}}} e5 *\n\n")
        };
        let games: String = (0..12).map(game).collect();
        let expected = indexed(&games, 1);
        for threads in [2, 40] {
            assert!(indexed(&games, threads) == expected, "{threads} threads");
        }
        let database = Source::of_bytes("database", expected);
        let mut read = InputGames::new([database]);
        let (mut batch, mut count) = (InputBatch::default(), 0);
        while read.next(&mut batch).unwrap() {
            count += batch.len();
        }
        assert_eq!(count, 12);
    }
}
