//! Cuts a list or table of positions into blocks of rows.

use std::io;
use std::mem;
use std::sync::Arc;

use super::PositionKind;
use super::block::{Fault, Layout, PositionBlock, RowPlace};
use super::rows::{Lines, Stream};
use super::table::{self, Cells, NextRow, RowLength};
use crate::game::WarningKind;
use crate::pgn::split::{BATCH, BATCH_GAMES, BlockHead, RowSource};

/// Cuts one source into blocks of rows.
pub(crate) struct PositionReader {
    lines: Lines,
    layout: Layout,
    /// Finds the ends of the rows of a table.
    cells: Option<Cells>,
    source: RowSource,
    /// The number of the last row.
    number: u64,
    /// The complaints about the columns that are not reported yet.
    complaints: Vec<String>,
    /// Why the rest of the source cannot be read.
    error: Option<io::Error>,
}

impl PositionReader {
    /// Creates a reader for a source. Its first row gets the number after `last_number`.
    ///
    /// # Errors
    /// Returns an error if the source is a table without positions, or its header cannot be read.
    pub(crate) fn new(
        kind: PositionKind,
        stream: Stream,
        source: RowSource,
        last_number: u64,
    ) -> io::Result<PositionReader> {
        let mut reader = PositionReader {
            lines: Lines::new(stream),
            layout: Layout::List,
            cells: None,
            source,
            number: last_number,
            complaints: Vec::new(),
            error: None,
        };
        match kind {
            PositionKind::List => {}
            PositionKind::Json => reader.layout = Layout::Json,
            // An empty table is like a list without lines.
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

    /// Returns the next rows, or at least warnings, if there are any.
    ///
    /// # Errors
    /// Returns an error if the source cannot be read further. The rows before it come first, then the error, once.
    pub(crate) fn read_block(&mut self) -> io::Result<Option<PositionBlock>> {
        let complaints = mem::take(&mut self.complaints).into_iter();
        let mut block = PositionBlock {
            head: BlockHead {
                first: self.number.saturating_add(1),
                warnings: complaints
                    .map(|message| self.source.warning(WarningKind::BadColumn, 1, 0, message))
                    .collect(),
                source: self.source.clone(),
                ..BlockHead::default()
            },
            layout: self.layout.clone(),
            ..PositionBlock::default()
        };
        while self.error.is_none() && block.bytes.len() < BATCH && block.rows.len() < BATCH_GAMES {
            match self.source.watch.check().and_then(|()| self.next_row(&mut block)) {
                Ok(true) => self.number = self.number.saturating_add(1),
                Ok(false) => break,
                Err(error) => self.error = Some(error),
            }
        }
        let head = &mut block.head;
        head.games = block.rows.len();
        (head.bytes, head.source_bytes) = (block.bytes.len(), block.bytes.len() as u64);
        if head.games > 0 || !head.warnings.is_empty() {
            return Ok(Some(block));
        }
        self.error.take().map_or(Ok(None), Err)
    }

    /// Adds the next row to a block. Returns whether there is one.
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
