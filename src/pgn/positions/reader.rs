//! Cutting a list or table of positions into batches of games.

use std::io;
use std::sync::Arc;

use super::rows::{Next, Rows, Stream};
use super::{PositionKind, PositionRow, epd, json, table};
use crate::game::{Rules, WarningKind};
use crate::limits::Watch;
use crate::pgn::canonical::Batch;
use crate::pgn::split::{BATCH, BATCH_GAMES, RowBatcher};

/// Reads the rows of one source, each as a game. Lines of its warnings are those of the source.
pub(crate) struct PositionReader {
    rows: Box<dyn Rows>,
    source: Arc<str>,
    /// The number of the last row.
    number: u64,
    rules: Rules,
    watch: Watch,
    /// Why the source cannot be read on.
    error: Option<io::Error>,
    row: PositionRow,
    text: Vec<u8>,
}

impl PositionReader {
    /// A reader for a source that messages call `source`. Its first row gets the number after `last_number`.
    ///
    /// # Errors
    /// When it is a table without positions, or its header cannot be read.
    pub(crate) fn new(
        kind: PositionKind,
        stream: Stream,
        source: Arc<str>,
        last_number: u64,
    ) -> io::Result<PositionReader> {
        Ok(PositionReader {
            rows: match kind {
                PositionKind::List => epd::rows(stream),
                PositionKind::Json => json::rows(stream),
                PositionKind::Table(delimiter) => table::rows(stream, delimiter)?,
            },
            source,
            number: last_number,
            rules: Rules::default(),
            watch: Watch::default(),
            error: None,
            row: PositionRow::default(),
            text: Vec::new(),
        })
    }

    /// The same reader, but reading fails as soon as nobody wants the games.
    #[must_use]
    pub(crate) fn until(self, watch: Watch) -> PositionReader {
        PositionReader { watch, ..self }
    }

    /// The number of the last row that has been read.
    pub(crate) fn last_number(&self) -> u64 {
        self.number
    }

    /// Replaces the content of a batch by the next games. Whether there were any, or warnings at least.
    ///
    /// # Errors
    /// When the source cannot be read on. The games before come first, then the error, once.
    pub(crate) fn read_batch(&mut self, batch: &mut Batch) -> io::Result<bool> {
        let mut games = RowBatcher::new(std::mem::take(batch), &self.source, self.rules, &self.watch);
        for complaint in self.rows.complaints() {
            games.warn(WarningKind::BadColumn, 1, 0, &complaint);
        }
        while self.error.is_none() && games.bytes() < BATCH && games.len() < BATCH_GAMES {
            match self.watch.check().and_then(|()| self.rows.next(&mut self.row)) {
                Ok(Next::End) => break,
                Ok(Next::Row(line)) => {
                    self.number += 1;
                    if let Some(complaint) = self.row.complaint() {
                        games.warn(WarningKind::BadColumn, line, self.number, complaint);
                    }
                    self.add(&mut games, line);
                }
                Ok(Next::Unreadable(line, why)) => {
                    self.number += 1;
                    games.warn(WarningKind::BadPosition, line, self.number, &why);
                    self.row.clear();
                    self.add(&mut games, line);
                }
                Err(error) => self.error = Some(error),
            }
        }
        *batch = games.finish();
        if !batch.is_empty() {
            return Ok(true);
        }
        self.error.take().map_or(Ok(false), Err)
    }

    /// Adds the row as a game.
    fn add(&mut self, games: &mut RowBatcher, line: u64) {
        self.text.clear();
        self.row.write(&mut self.text);
        games.add(&self.text, self.number, line);
    }
}
