//! Games of a database as PGN.

use std::io;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::columns::{Larges, Smalls, Tag, Texts};
use super::facts::Events;
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
        columns.heads.window = 0..0;
        columns.bodies.window = 0..0;
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
        let mut columns = self.columns();
        let mut batch = Batch {
            rules,
            watch: watch.clone(),
            ..Batch::default()
        };
        columns.write(rows, index, &mut batch.text)?;
        let lines = batch.text.split(|byte| *byte == b'\n');
        batch.longest_tag_line = lines.map(<[u8]>::len).max().unwrap_or(0);
        batch.games.push(GameText {
            range: 0..batch.text.len(),
            bare: 0..0,
            number,
            line: columns.bodies.line(index),
        });
        batch.text.extend_from_slice(b"\n\n");
        Ok(batch)
    }

    /// The tags of a game of the block as canonical PGN, if it is known that there are only moves beside.
    ///
    /// # Errors
    /// When they cannot be read or put together.
    pub(super) fn tags_beside_moves(&self, rows: &Rows, index: usize) -> io::Result<Option<Vec<u8>>> {
        if rows.are_in_memory() {
            return Ok(None);
        }
        let heads = &mut self.columns().heads;
        heads.reach(rows, index)?;
        let mut tags = Vec::new();
        let is_known = heads.tell_all_but_moves(index);
        if is_known {
            heads.write(index, &mut tags)?;
        }
        Ok(is_known.then_some(tags))
    }

    fn columns(&self) -> MutexGuard<'_, TextColumns> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The columns that hold the text of games.
#[derive(Default)]
struct TextColumns {
    heads: Heads,
    bodies: Bodies,
}

impl TextColumns {
    /// Writes a game as canonical PGN; nothing of one in memory that lacks columns.
    fn write(&mut self, rows: &Rows, index: usize, out: &mut Vec<u8>) -> io::Result<()> {
        self.bodies.reach(rows, index)?;
        if let Some(pgn) = self.bodies.pgn(index) {
            out.extend_from_slice(pgn);
            return Ok(());
        }
        let heads = self.heads.reach(rows, index);
        if rows.are_in_memory() && (heads.is_err() || self.bodies.lacks_movetext) {
            return Ok(());
        }
        heads?;
        self.heads.write(index, out)?;
        if !out.is_empty() {
            out.push(b'\n');
        }
        out.extend_from_slice(self.bodies.movetext(index));
        Ok(())
    }
}

/// The games to read so that the one with this index is among them; none if it has been read. Of games that are wanted one after the
/// other, more and more are read at once; of others only the game that is wanted.
fn window_to_read(known: &Range<usize>, index: usize, games: usize) -> Option<Range<usize>> {
    let count = if index == known.end { 2 * known.len() } else { 1 };
    (!known.contains(&index)).then(|| index..games.min(index + count.max(1)))
}

/// The columns that hold the tags of games.
struct Heads {
    events: Smalls,
    tags: Vec<Tag>,
    others: Texts,
    order: Texts,
    /// The games that have been read, by their indices in the block.
    window: Range<usize>,
}

impl Default for Heads {
    fn default() -> Heads {
        Heads {
            events: Smalls::default(),
            tags: (0..TAGS.len()).map(Tag::new).collect(),
            others: Texts::default(),
            order: Texts::default(),
            window: 0..0,
        }
    }
}

impl Heads {
    /// Reads on to a game of a block, unless it has been read.
    fn reach(&mut self, rows: &Rows, index: usize) -> io::Result<()> {
        if let Some(window) = window_to_read(&self.window, index, rows.len()) {
            self.window = 0..0;
            self.read(&rows.part(window.clone()))?;
            self.window = window;
        }
        Ok(())
    }

    fn read(&mut self, rows: &Rows) -> io::Result<()> {
        if !rows.are_in_memory() {
            self.events.read(rows, Column::Events.index())?;
        }
        for (column, tag) in self.tags.iter_mut().enumerate() {
            tag.read(rows, column)?;
        }
        self.others.read(rows, Column::OtherTags.index())?;
        self.order.read(rows, Column::TagOrder.index())
    }

    /// Whether a game is known to have nothing else but moves.
    fn tell_all_but_moves(&self, index: usize) -> bool {
        let events = self.events.get(index - self.window.start).unwrap_or(0);
        Events(events.cast_unsigned()).has(Events::MOVES_ALONE)
    }

    /// Writes the tags of a game as canonical PGN.
    fn write(&self, index: usize, out: &mut Vec<u8>) -> io::Result<()> {
        let index = index - self.window.start;
        let text = |texts: &Texts| texts.get(index).map(|text| String::from_utf8_lossy(text).into_owned());
        let tag = |column: usize| match self.tags.get(column)? {
            Tag::Text(texts) => texts.get(index).map(<[u8]>::to_vec),
            Tag::Number(numbers) => numbers.get(index).map(|number| number.to_string().into_bytes()),
        };
        let order = text(&self.order).unwrap_or_default();
        write_tags(&order, text(&self.others).as_deref(), tag, out)
    }
}

/// The columns that hold all of a game but its tags, or all of it.
#[derive(Default)]
struct Bodies {
    movetext: Texts,
    /// The games are in memory, and there is no movetext.
    lacks_movetext: bool,
    pgn: Texts,
    lines: Larges,
    /// The games that have been read, by their indices in the block.
    window: Range<usize>,
}

impl Bodies {
    /// Reads on to a game of a block, unless it has been read.
    fn reach(&mut self, rows: &Rows, index: usize) -> io::Result<()> {
        if let Some(window) = window_to_read(&self.window, index, rows.len()) {
            self.window = 0..0;
            self.read(&rows.part(window.clone()))?;
            self.window = window;
        }
        Ok(())
    }

    fn read(&mut self, rows: &Rows) -> io::Result<()> {
        self.pgn.read(rows, Column::Pgn.index())?;
        self.lines.read(rows, Column::SourceLine.index())?;
        let movetext = self.movetext.read(rows, Column::Movetext.index());
        self.lacks_movetext = rows.are_in_memory() && movetext.is_err();
        match self.lacks_movetext {
            true => Ok(()),
            false => movetext,
        }
    }

    fn pgn(&self, index: usize) -> Option<&[u8]> {
        self.pgn.get(index - self.window.start)
    }

    fn movetext(&self, index: usize) -> &[u8] {
        self.movetext.get(index - self.window.start).unwrap_or_default()
    }

    /// The line of the source where a game begins; 0 if that is not known.
    fn line(&self, index: usize) -> u64 {
        let line = self.lines.get(index - self.window.start);
        line.and_then(|line| u64::try_from(line).ok()).unwrap_or(0)
    }
}
