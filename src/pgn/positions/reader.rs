//! Cutting a list or table of positions into blocks of rows.

use std::io;
use std::sync::{Arc, OnceLock};

use super::PositionKind;
use super::block::{Fault, Layout, PositionBlock, RowPlace};
use super::rows::{Lines, Stream};
use super::table::{self, Cells, NextRow, RowLength};
use crate::game::{Warning, WarningKind};
use crate::limits::Watch;
use crate::pgn::split::{BATCH, BATCH_GAMES};

/// Cuts one source into blocks of rows.
pub(crate) struct PositionReader {
    lines: Lines,
    layout: Layout,
    /// Finds where rows of a table end.
    cells: Option<Cells>,
    source: Arc<str>,
    /// The number of the last row.
    number: u64,
    watch: Watch,
    /// What there is to say about the columns, until it has been said.
    complaints: Vec<String>,
    /// Why the source cannot be read on.
    error: Option<io::Error>,
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
        let mut reader = PositionReader {
            lines: Lines::new(stream),
            layout: Layout::List,
            cells: None,
            source,
            number: last_number,
            watch: Watch::default(),
            complaints: Vec::new(),
            error: None,
        };
        match kind {
            PositionKind::List => {}
            PositionKind::Json => reader.layout = Layout::Json,
            // An empty one is like a list without lines.
            PositionKind::Table(delimiter) => {
                if let Some((header, complaints)) = table::header(&mut reader.lines, delimiter)? {
                    reader.layout = Layout::Table(Arc::new(header));
                    reader.cells = Some(Cells::new(delimiter));
                    reader.complaints = complaints;
                }
            }
        }
        Ok(reader)
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

    /// Replaces the content of a block by the next rows. Whether there were any, or warnings at least.
    ///
    /// # Errors
    /// When the source cannot be read on. The rows before come first, then the error, once.
    pub(crate) fn read_block(&mut self, block: &mut PositionBlock) -> io::Result<bool> {
        block.source = Arc::clone(&self.source);
        block.layout = self.layout.clone();
        block.watch.clone_from(&self.watch);
        block.first = self.number.saturating_add(1);
        block.text = OnceLock::new();
        block.bytes.clear();
        block.rows.clear();
        block.warnings.clear();
        block.warnings.extend(self.complaints.drain(..).map(|message| Warning {
            kind: WarningKind::BadColumn,
            source: Arc::clone(&self.source),
            line: 1,
            game: 0,
            message,
        }));
        while self.error.is_none() && block.bytes.len() < BATCH && block.rows.len() < BATCH_GAMES {
            match self.watch.check().and_then(|()| self.next_row(block)) {
                Ok(true) => self.number = self.number.saturating_add(1),
                Ok(false) => break,
                Err(error) => self.error = Some(error),
            }
        }
        if !block.rows.is_empty() || !block.warnings.is_empty() {
            return Ok(true);
        }
        self.error.take().map_or(Ok(false), Err)
    }

    /// Adds the next row to a block; whether there is one.
    fn next_row(&mut self, block: &mut PositionBlock) -> io::Result<bool> {
        let next = match &mut self.cells {
            Some(cells) => cells.next_row(&mut self.lines)?,
            None => next_line(&mut self.lines)?,
        };
        let line = self.lines.number;
        let fault = match next {
            NextRow::End => return Ok(false),
            NextRow::TooLong => {
                self.lines.skip_line()?;
                Some(Fault::TooLong)
            }
            NextRow::Row(RowLength { length, lines, is_open }) => {
                let row = self.lines.text().get(..length).unwrap_or_default();
                block.bytes.extend_from_slice(row);
                self.lines.consume(length, lines);
                is_open.then_some(Fault::OpenQuote)
            }
        };
        block.rows.push(RowPlace {
            end: block.bytes.len(),
            line,
            fault,
        });
        Ok(true)
    }
}

/// Goes to the next line that is not blank.
fn next_line(lines: &mut Lines) -> io::Result<NextRow> {
    loop {
        let Some(length) = lines.line_length()? else {
            return Ok(NextRow::TooLong);
        };
        let line = lines.text().get(..length).unwrap_or_default();
        if line.is_empty() {
            return Ok(NextRow::End);
        }
        if line.iter().all(u8::is_ascii_whitespace) {
            lines.consume(length, 1);
            continue;
        }
        return Ok(NextRow::Row(RowLength {
            length,
            lines: 1,
            is_open: false,
        }));
    }
}
