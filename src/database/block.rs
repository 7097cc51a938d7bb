//! The games of a row group, on their way to a reader.

use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::columns::{Larges, Smalls, Texts};
use super::damaged;
use super::file::ParquetFile;
use super::layout::{Column, REST_KEY, TAGS, is_number};
use super::record::write_tags;
use super::warnings;
use crate::game::{Batch, GameText, Warning};

/// The games of a database, cut into blocks.
pub struct Blocks {
    file: Arc<ParquetFile>,
    next: usize,
    /// How many games come before those of the database.
    before: u64,
    last_number: u64,
    finished: bool,
}

impl Blocks {
    /// Opens a database. The numbers of its games follow `last_number`.
    ///
    /// # Errors
    /// When it cannot be read, or is none that this version reads.
    pub fn open(path: &Path, last_number: u64) -> io::Result<Blocks> {
        let file = ParquetFile::open_database(path)?;
        Ok(Blocks {
            file: Arc::new(file),
            next: 0,
            before: last_number,
            last_number,
            finished: false,
        })
    }

    /// The number of the last game that was handed out.
    pub fn last_number(&self) -> u64 {
        self.last_number
    }

    /// Refills a block with the next games, or with the warnings behind the last game; `false` when there are none.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn next_block(&mut self, block: &mut Block) -> io::Result<bool> {
        block.clear();
        if self.next >= self.file.metadata.num_row_groups() {
            if self.finished {
                return Ok(false);
            }
            self.finished = true;
            let Some(rest) = self.file.metadata_value(REST_KEY) else {
                return Ok(false);
            };
            let rest = warnings::from_text(rest.as_bytes())?;
            block.warnings = rest.iter().map(|warning| warning.warning(self.before)).collect();
            return Ok(true);
        }
        block.group = self.next;
        block.games = self.file.group_games(self.next);
        block.first = self.last_number.saturating_add(1);
        block.file = Some(Arc::clone(&self.file));
        block.read_sources(&self.file)?;
        block.read_warnings(&self.file, self.before)?;
        self.next += 1;
        self.last_number = self.last_number.saturating_add(block.games as u64);
        Ok(true)
    }

    /// Bytes of the file up to the next block.
    pub fn bytes_read(&self) -> u64 {
        let groups = self.file.metadata.row_groups().iter().take(self.next);
        let sizes = groups.map(|group| u64::try_from(group.compressed_size()).unwrap_or(0));
        sizes.fold(0, u64::saturating_add)
    }
}

/// Successive games of a database.
#[derive(Default)]
pub struct Block {
    /// The file; none if there are no games.
    file: Option<Arc<ParquetFile>>,
    group: usize,
    games: usize,
    /// The number of the first game.
    first: u64,
    /// The PGN files that the games come from: each one from the game of this index on.
    sources: Vec<(usize, Arc<str>)>,
    warnings: Vec<Warning>,
    /// Warnings about moves, by the index of the game.
    in_moves: Vec<(usize, Warning)>,
    /// The text of the games, if somebody has asked for it.
    text: OnceLock<Result<Batch, String>>,
}

impl Block {
    fn clear(&mut self) {
        self.file = None;
        self.games = 0;
        self.sources.clear();
        self.warnings.clear();
        self.in_moves.clear();
        self.text = OnceLock::new();
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.games
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.games == 0
    }

    /// The number of a game.
    pub fn number(&self, index: usize) -> u64 {
        self.first.saturating_add(index as u64)
    }

    /// What was wrong with the text of the games, moves apart.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// What was wrong with the moves of a game.
    pub fn warnings_in_moves(&self, index: usize) -> impl Iterator<Item = &Warning> {
        let start = self.in_moves.partition_point(|(game, _)| *game < index);
        let of_game = self.in_moves[start..]
            .iter()
            .take_while(move |(game, _)| *game == index);
        of_game.map(|(_, warning)| warning)
    }

    /// Whether something was wrong with the moves of a game.
    pub(super) fn has_warnings_in_moves(&self, index: usize) -> bool {
        !self.in_moves.is_empty() && self.warnings_in_moves(index).next().is_some()
    }

    /// The PGN file that the game with this number comes from.
    pub fn source_of(&self, number: u64) -> &str {
        let index = usize::try_from(number.saturating_sub(self.first)).unwrap_or(usize::MAX);
        let after = self.sources.partition_point(|(first, _)| *first <= index);
        let source = after.checked_sub(1).and_then(|place| self.sources.get(place));
        source.map_or("", |(_, source)| source)
    }

    /// The file and the row group of the games, if there are any.
    pub(super) fn place(&self) -> Option<(&ParquetFile, usize)> {
        Some((self.file.as_deref()?, self.group))
    }

    fn read_sources(&mut self, file: &ParquetFile) -> io::Result<()> {
        let mut texts = Texts::default();
        texts.read(file, self.group, Column::Source.index())?;
        for index in 0..self.games {
            let source = texts.get(index).unwrap_or_default();
            let is_known = self.sources.last().is_some_and(|(_, last)| last.as_bytes() == source);
            if !is_known {
                self.sources.push((index, String::from_utf8_lossy(source).into()));
            }
        }
        Ok(())
    }

    fn read_warnings(&mut self, file: &ParquetFile, before: u64) -> io::Result<()> {
        let mut texts = Texts::default();
        texts.read(file, self.group, Column::Warnings.index())?;
        for index in 0..self.games {
            let Some(text) = texts.get(index) else { continue };
            for kept in warnings::from_text(text)? {
                let warning = kept.warning(before);
                if kept.in_moves {
                    self.in_moves.push((index, warning));
                } else {
                    self.warnings.push(warning);
                }
            }
        }
        Ok(())
    }

    /// The games as canonical PGN.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn text(&self) -> io::Result<&Batch> {
        let text = self
            .text
            .get_or_init(|| self.read_text().map_err(|error| error.to_string()));
        text.as_ref().map_err(|message| damaged(message))
    }

    fn read_text(&self) -> io::Result<Batch> {
        let mut batch = Batch::default();
        let Some((file, group)) = self.place() else {
            return Ok(batch);
        };
        let columns = TextColumns::read(file, group)?;
        for index in 0..self.games {
            let start = batch.text.len();
            columns.write(index, &mut batch.text)?;
            let line = batch.text[start..].split(|byte| *byte == b'\n');
            let longest = line.map(<[u8]>::len).max().unwrap_or(0);
            batch.longest_tag_line = batch.longest_tag_line.max(longest);
            let line = columns.lines.get(index).and_then(|line| u64::try_from(line).ok());
            batch.games.push(GameText {
                range: start..batch.text.len(),
                number: self.number(index),
                line: line.unwrap_or(0),
            });
            batch.text.extend_from_slice(b"\n\n");
        }
        Ok(batch)
    }
}

/// The columns that hold the text of games.
#[derive(Default)]
struct TextColumns {
    tags: Vec<Tag>,
    others: Texts,
    order: Texts,
    movetext: Texts,
    pgn: Texts,
    lines: Larges,
}

/// The values of a tag.
pub(super) enum Tag {
    Text(Texts),
    Number(Smalls),
}

impl Tag {
    /// Without values, for the column of a tag.
    pub(super) fn new(column: usize) -> Tag {
        if is_number(column) {
            Tag::Number(Smalls::default())
        } else {
            Tag::Text(Texts::default())
        }
    }

    /// Forgets the values.
    pub(super) fn clear(&mut self) {
        match self {
            Tag::Text(texts) => texts.clear(),
            Tag::Number(numbers) => numbers.clear(),
        }
    }

    pub(super) fn read(&mut self, file: &ParquetFile, group: usize, column: usize) -> io::Result<()> {
        match self {
            Tag::Text(texts) => texts.read(file, group, column),
            Tag::Number(numbers) => numbers.read(file, group, column),
        }
    }
}

impl TextColumns {
    fn read(file: &ParquetFile, group: usize) -> io::Result<TextColumns> {
        let mut columns = TextColumns {
            tags: (0..TAGS.len()).map(Tag::new).collect(),
            ..TextColumns::default()
        };
        for (column, tag) in columns.tags.iter_mut().enumerate() {
            tag.read(file, group, column)?;
        }
        columns.others.read(file, group, Column::OtherTags.index())?;
        columns.order.read(file, group, Column::TagOrder.index())?;
        columns.movetext.read(file, group, Column::Movetext.index())?;
        columns.pgn.read(file, group, Column::Pgn.index())?;
        columns.lines.read(file, group, Column::SourceLine.index())?;
        Ok(columns)
    }

    /// Writes a game as canonical PGN.
    fn write(&self, index: usize, out: &mut Vec<u8>) -> io::Result<()> {
        if let Some(pgn) = self.pgn.get(index) {
            out.extend_from_slice(pgn);
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
