//! Games of a database as PGN.

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex};

use super::columns::{Int32Column, Int64Column, Tag, Texts};
use super::facts::Events;
use super::layout::{Column, TAGS, tag_column};
use super::record::{other_tags, write_tags};
use super::rows::Rows;
use super::tag_order::TagOrder;
use crate::game::Rules;
use crate::limits::{InterruptHandle, locked};
use crate::pgn::Batch;

/// The capacity for the tags of nearly any game.
const USUAL_TAG_BYTES: usize = 1 << 10;

/// Columns that have read the text of earlier games and can continue from there, which is cheapest. There are as many as threads have wanted text
/// at the same time.
#[derive(Default)]
pub(super) struct TextReaders(Mutex<Vec<TextColumns>>);

/// The text of the games of a block. The text of each game is put together when it is needed.
#[derive(Default)]
pub(super) struct BlockText {
    readers: Arc<TextReaders>,
    /// The columns that read it, once text is needed.
    columns: Mutex<Option<TextColumns>>,
}

impl BlockText {
    /// Starts another block whose text these read.
    pub(super) fn begin(&mut self, readers: &Arc<TextReaders>) {
        self.rest();
        self.readers = Arc::clone(readers);
    }

    /// Releases the columns to other blocks until text is needed again.
    pub(super) fn rest(&self) {
        if let Some(columns) = locked(&self.columns).take() {
            locked(&self.readers.0).push(columns);
        }
    }

    /// Returns a batch with one game of the block as canonical PGN, by its index. The game was read by `rules` before. A row of a table that lacks
    /// the necessary columns has no text at all.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read or put together.
    pub(super) fn game(
        &self,
        rows: &Rows,
        index: usize,
        number: u64,
        rules: Rules,
        watch: &InterruptHandle,
    ) -> io::Result<Batch> {
        let mut reading = locked(&self.columns);
        let columns = self.columns(&mut reading);
        let mut batch = Batch {
            rules,
            watch: watch.clone(),
            ..Batch::default()
        };
        let line = columns.write(rows, index, &mut batch.text)?;
        batch.push_game(0, 0, number, line);
        Ok(batch)
    }

    /// Returns the tags of a game of the block as canonical PGN, if the game is known to have only moves besides.
    ///
    /// # Errors
    /// Returns an error if they cannot be read or put together.
    pub(super) fn tags_beside_moves(&self, rows: &Rows, index: usize) -> io::Result<Option<Vec<u8>>> {
        if rows.are_in_memory() {
            return Ok(None);
        }
        let mut reading = locked(&self.columns);
        let columns = self.columns(&mut reading);
        let (heads, place) = columns.heads.reach(rows, index)?;
        let mut tags = Vec::with_capacity(USUAL_TAG_BYTES);
        let is_known = heads.tell_all_but_moves(place);
        if is_known {
            heads.write(place, &mut columns.order, &mut tags)?;
        }
        Ok(is_known.then_some(tags))
    }

    /// Returns the columns that read the text from now on.
    fn columns<'a>(&self, reading: &'a mut Option<TextColumns>) -> &'a mut TextColumns {
        reading.get_or_insert_with(|| {
            let mut columns = locked(&self.readers.0).pop().unwrap_or_default();
            columns.heads.games = 0..0;
            columns.bodies.games = 0..0;
            columns
        })
    }
}

/// The columns with the text of games.
#[derive(Default)]
struct TextColumns {
    heads: Window<Heads>,
    bodies: Window<Bodies>,
    /// The tags of the last game.
    order: TagOrder,
}

impl TextColumns {
    /// Writes a game as canonical PGN, or nothing if it is in memory and lacks columns. Returns the line of the source on which it begins, or 0 if
    /// that is unknown.
    fn write(&mut self, rows: &Rows, index: usize, out: &mut Vec<u8>) -> io::Result<u64> {
        let (bodies, place) = self.bodies.reach(rows, index)?;
        let line = bodies.lines.get(place).and_then(|line| u64::try_from(line).ok());
        let line = line.unwrap_or(0);
        if let Some(pgn) = bodies.pgn.get(place) {
            out.extend_from_slice(pgn);
            return Ok(line);
        }
        let heads = self.heads.reach(rows, index);
        if rows.are_in_memory() && (heads.is_err() || bodies.lacks_movetext) {
            return Ok(line);
        }
        let (heads, head) = heads?;
        heads.write(head, &mut self.order, out)?;
        if !out.is_empty() {
            out.push(b'\n');
        }
        out.extend_from_slice(bodies.movetext.get(place).unwrap_or_default());
        Ok(line)
    }
}

/// Two games are close if their distance is at most this, or at most the number of games that were read before.
const CLOSE: usize = 4;
/// The most games that are read at once.
const MOST_AT_ONCE: usize = 64;

/// Columns of which a range of games has been read, by their indices in the block.
#[derive(Default)]
struct Window<C> {
    columns: C,
    games: Range<usize>,
}

impl<C: ReadColumns> Window<C> {
    /// Reads up to a game of a block, unless it has been read already. Returns its index in the columns. For games that are wanted close after each
    /// other, more and more are read at once, otherwise only the one that is wanted.
    fn reach(&mut self, rows: &Rows, index: usize) -> io::Result<(&C, usize)> {
        if !self.games.contains(&index) {
            let read = self.games.len();
            let is_close = (self.games.end..=self.games.end + read.max(CLOSE)).contains(&index);
            let count = if is_close { (2 * read).min(MOST_AT_ONCE) } else { 1 };
            let games = index..rows.len().min(index + count.max(1));
            self.games = 0..0;
            self.columns.read(&rows.part(games.clone()))?;
            self.games = games;
        }
        Ok((&self.columns, index - self.games.start))
    }
}

/// Columns that are read together.
trait ReadColumns {
    fn read(&mut self, rows: &Rows) -> io::Result<()>;
}

/// The columns with the tags of games.
struct Heads {
    events: Int32Column,
    tags: Vec<Tag>,
    others: Texts,
    order: Texts,
}

impl Default for Heads {
    fn default() -> Heads {
        Heads {
            events: Int32Column::default(),
            tags: (0..TAGS.len()).map(Tag::new).collect(),
            others: Texts::default(),
            order: Texts::default(),
        }
    }
}

impl ReadColumns for Heads {
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
}

impl Heads {
    /// Returns whether the game at this index is known to have only tags and moves.
    fn tell_all_but_moves(&self, place: usize) -> bool {
        self.events.events(place).has(Events::MOVES_ALONE)
    }

    /// Writes the tags of the game at this index as canonical PGN.
    fn write(&self, place: usize, order: &mut TagOrder, out: &mut Vec<u8>) -> io::Result<()> {
        let tag = |column: usize| match self.tags.get(column)? {
            Tag::Text(texts) => texts.get(place).map(Cow::Borrowed),
            Tag::Number(numbers) => Some(Cow::Owned(numbers.get(place)?.to_string().into_bytes())),
        };
        order.set(self.order.get(place).unwrap_or_default(), tag_column);
        write_tags(order.names(), &other_tags(self.others.get(place))?, tag, out)
    }
}

/// The columns with everything of a game except its tags, or with all of it.
#[derive(Default)]
struct Bodies {
    movetext: Texts,
    /// Whether the games are in memory without movetext.
    lacks_movetext: bool,
    pgn: Texts,
    lines: Int64Column,
}

impl ReadColumns for Bodies {
    fn read(&mut self, rows: &Rows) -> io::Result<()> {
        self.pgn.read(rows, Column::Pgn.index())?;
        self.lines.read(rows, Column::SourceLine.index())?;
        self.movetext.clear();
        self.lacks_movetext = false;
        // A whole text has the movetext, too, which takes long to unpack.
        if (0..rows.len()).all(|index| self.pgn.get(index).is_some()) {
            return Ok(());
        }
        let movetext = self.movetext.read(rows, Column::Movetext.index());
        self.lacks_movetext = rows.are_in_memory() && movetext.is_err();
        match self.lacks_movetext {
            true => Ok(()),
            false => movetext,
        }
    }
}
