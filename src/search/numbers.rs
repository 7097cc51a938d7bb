//! A sink that keeps numbers.

use std::io;
use std::ops::ControlFlow;

use super::sink::{Recorder, Sink, SinkBatch};
use crate::eval::report::{Extras, GameReport};
use crate::output::GameFacts;
use crate::query::SortKey;

/// Appends the numbers to keep for a game.
pub(super) type RecordNumbers = fn(&dyn GameFacts, &GameReport, &mut Vec<u32>);

/// Keeps numbers of games or of their positions.
pub(super) struct Numbers<'n, Kept> {
    pub(super) kept: &'n mut Kept,
    pub(super) record: RecordNumbers,
}

impl Recorder for RecordNumbers {
    type Item = u32;

    fn extras(&self) -> Extras {
        Extras::IDS_ALONE
    }

    fn record(&self, game: &dyn GameFacts, report: &GameReport, numbers: &mut Vec<u32>) -> usize {
        self(game, report, numbers);
        0
    }
}

impl<Kept: Extend<u32>> Sink for Numbers<'_, Kept> {
    type Recorder = RecordNumbers;

    fn recorder(&self, _keys: &[SortKey]) -> RecordNumbers {
        self.record
    }

    fn take(&mut self, batch: SinkBatch<'_, u32>) -> io::Result<ControlFlow<usize>> {
        self.kept.extend(batch.items.drain(..));
        Ok(ControlFlow::Continue(()))
    }
}
