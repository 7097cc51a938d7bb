//! Games of a database as PGN.

use std::io;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::columns::{Larges, Tag, Texts};
use super::layout::{Column, TAGS};
use super::record::write_tags;
use super::rows::Rows;
use crate::game::{Batch, GameText, Rules};
use crate::limits::Watch;

/// What has read the text of games before, for whoever wants the text of the next ones: it goes on where it is, which costs
/// least. There are as many as threads that have wanted text at the same time.
#[derive(Default)]
pub(super) struct TextReaders(Mutex<Vec<TextColumns>>);

impl TextReaders {
    /// The text of the games of another block.
    pub(super) fn begin(&self) -> BlockText {
        let mut columns = self.known().pop().unwrap_or_default();
        columns.window = 0..0;
        BlockText(Mutex::new(columns))
    }

    /// Takes back what nobody wants any more.
    pub(super) fn take_back(&self, text: BlockText) {
        let columns = text.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.known().push(columns);
    }

    fn known(&self) -> MutexGuard<'_, Vec<TextColumns>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The text of the games of a block, of which each is read and put together when somebody wants it.
pub(super) struct BlockText(Mutex<TextColumns>);

impl BlockText {
    /// A batch of one game of the block by its index, with its number, as canonical PGN; it was read by these rules before. A row of a
    /// table without the columns for that has no text at all.
    ///
    /// # Errors
    /// When it cannot be read or put together.
    pub(super) fn game(
        &self,
        rows: &Rows,
        index: usize,
        number: u64,
        rules: Rules,
        watch: &Watch,
    ) -> io::Result<Batch> {
        let mut columns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        columns.reach(rows, index)?;
        let index = index - columns.window.start;
        let mut batch = Batch {
            rules,
            watch: watch.clone(),
            ..Batch::default()
        };
        columns.write(index, &mut batch.text)?;
        let line = columns.lines.get(index).and_then(|line| u64::try_from(line).ok());
        let lines = batch.text.split(|byte| *byte == b'\n');
        batch.longest_tag_line = lines.map(<[u8]>::len).max().unwrap_or(0);
        batch.games.push(GameText {
            range: 0..batch.text.len(),
            bare: 0..0,
            number,
            line: line.unwrap_or(0),
        });
        batch.text.extend_from_slice(b"\n\n");
        Ok(batch)
    }
}

/// The columns that hold the text of games.
struct TextColumns {
    tags: Vec<Tag>,
    others: Texts,
    order: Texts,
    movetext: Texts,
    pgn: Texts,
    lines: Larges,
    /// The games that have been read, by their indices in the block.
    window: Range<usize>,
    /// They are those of a table that has not all of them, so that only `pgn` can be relied on.
    are_incomplete: bool,
}

impl Default for TextColumns {
    fn default() -> TextColumns {
        TextColumns {
            tags: (0..TAGS.len()).map(Tag::new).collect(),
            others: Texts::default(),
            order: Texts::default(),
            movetext: Texts::default(),
            pgn: Texts::default(),
            lines: Larges::default(),
            window: 0..0,
            are_incomplete: false,
        }
    }
}

impl TextColumns {
    /// Reads on to a game of a block, unless it has been read. Of games that are wanted one after the other, more and more are read at
    /// once; of others only the game that is wanted.
    fn reach(&mut self, rows: &Rows, index: usize) -> io::Result<()> {
        if self.window.contains(&index) {
            return Ok(());
        }
        let games = if index == self.window.end {
            2 * self.window.len()
        } else {
            1
        };
        let window = index..rows.len().min(index + games.max(1));
        self.window = 0..0;
        self.read(&rows.part(window.clone()))?;
        self.window = window;
        Ok(())
    }

    fn read(&mut self, rows: &Rows) -> io::Result<()> {
        self.pgn.read(rows, Column::Pgn.index())?;
        self.lines.read(rows, Column::SourceLine.index())?;
        let parts = self.read_parts(rows);
        self.are_incomplete = rows.are_in_memory() && parts.is_err();
        match self.are_incomplete {
            true => Ok(()),
            false => parts,
        }
    }

    /// Reads the columns that games are put together from.
    fn read_parts(&mut self, rows: &Rows) -> io::Result<()> {
        for (column, tag) in self.tags.iter_mut().enumerate() {
            tag.read(rows, column)?;
        }
        self.others.read(rows, Column::OtherTags.index())?;
        self.order.read(rows, Column::TagOrder.index())?;
        self.movetext.read(rows, Column::Movetext.index())
    }

    /// Writes a game as canonical PGN.
    fn write(&self, index: usize, out: &mut Vec<u8>) -> io::Result<()> {
        if let Some(pgn) = self.pgn.get(index) {
            out.extend_from_slice(pgn);
            return Ok(());
        }
        if self.are_incomplete {
            return Ok(());
        }
        let text = |texts: &Texts| texts.get(index).map(|text| String::from_utf8_lossy(text).into_owned());
        let tag = |column: usize| match self.tags.get(column)? {
            Tag::Text(texts) => texts.get(index).map(<[u8]>::to_vec),
            Tag::Number(numbers) => numbers.get(index).map(|number| number.to_string().into_bytes()),
        };
        let order = text(&self.order).unwrap_or_default();
        write_tags(&order, text(&self.others).as_deref(), tag, out)?;
        if !order.is_empty() {
            out.push(b'\n');
        }
        out.extend_from_slice(self.movetext.get(index).unwrap_or_default());
        Ok(())
    }
}
