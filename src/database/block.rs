//! Successive games of a row group, on their way to a reader.

use std::ops::Range;
use std::sync::Arc;
use std::{io, mem};

use super::columns::{TagTexts, Texts};
use super::error::is_damage;
use super::file::ParquetFile;
use super::layout::{Column, REST_KEY};
use super::pushdown::GroupFilter;
use super::rows::{RowGroup, Rows};
use super::text::{BlockText, TextReaders};
use super::warnings;
use crate::game::{GameTable, Rules, Warning, WarningKind};
use crate::limits::InterruptHandle;
use crate::pgn::{Batch, BlockHead, RowSource, Scope};
use crate::terminal::in_a_line;

/// The games of a database, cut into blocks.
pub struct Blocks {
    /// The file, or `None` if the games are rows in memory.
    file: Option<Arc<ParquetFile>>,
    source: RowSource,
    /// The current row group and the number of its games that have been handed out.
    group: Option<(Arc<RowGroup>, usize)>,
    /// The indices of the row groups after it.
    next: Range<usize>,
    /// The bytes of earlier row groups, and those that blocks have counted.
    bytes_before: u64,
    bytes_counted: u64,
    /// The number of games before those of the database.
    before: u64,
    last_number: u64,
    finished: bool,
    /// The warning about the file, if it has not been given yet.
    notice: Option<Warning>,
    sources: TagTexts,
    warnings: Texts,
    texts: Arc<TextReaders>,
    /// The filter that says which row groups are skipped.
    filter: Option<Arc<GroupFilter>>,
}

impl Blocks {
    /// Creates the blocks of these row groups of a database. Games are numbered from `last_number + 1`, including those before the row groups.
    ///
    /// # Errors
    /// Returns an error if the games were read by unknown rules.
    pub(super) fn new(
        file: ParquetFile,
        groups: Range<usize>,
        source: RowSource,
        last_number: u64,
    ) -> io::Result<Blocks> {
        let behind = file.games_before(groups.start);
        let rules = file.rules()?;
        Ok(Blocks {
            notice: file.lacks_checksum().then(|| old(&source.name)),
            file: Some(Arc::new(file)),
            next: groups,
            before: last_number,
            last_number: last_number.saturating_add(behind),
            ..Blocks::empty(RowSource { rules, ..source })
        })
    }

    /// Creates the blocks of a database table in memory. Games are numbered from `last_number + 1`.
    pub(super) fn of_table(table: GameTable, source: RowSource, last_number: u64) -> Blocks {
        Blocks {
            group: Some((Arc::new(RowGroup::Table(table)), 0)),
            before: last_number,
            last_number,
            ..Blocks::empty(RowSource {
                rules: Rules::default(),
                ..source
            })
        }
    }

    fn empty(source: RowSource) -> Blocks {
        Blocks {
            notice: None,
            file: None,
            source,
            group: None,
            next: 0..0,
            bytes_before: 0,
            bytes_counted: 0,
            before: 0,
            last_number: 0,
            finished: false,
            sources: TagTexts::default(),
            warnings: Texts::default(),
            texts: Arc::default(),
            filter: None,
        }
    }

    /// Skips row groups that the filter does not want. Their games are numbered but not read.
    #[must_use]
    pub(crate) fn passing_over(self, filter: Option<Arc<GroupFilter>>) -> Blocks {
        Blocks { filter, ..self }
    }

    /// Refills a block with the next games, or with the warnings after the last game. Returns `false` if there are none. If the file is damaged so
    /// that the origin of the games is unknown, the block [says so](Block::damage).
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn next_block(&mut self, block: &mut Block) -> io::Result<bool> {
        block.clear();
        block.head.source.clone_from(&self.source);
        block.head.first = self.last_number.saturating_add(1);
        block.say(self.notice.take());
        let is_filled = self.fill(block)?;
        let bytes = self.bytes_read();
        block.head.source_bytes = bytes.saturating_sub(self.bytes_counted);
        self.bytes_counted = bytes;
        Ok(is_filled)
    }

    fn fill(&mut self, block: &mut Block) -> io::Result<bool> {
        if let Some((rows, is_left_alone)) = self.next_unwanted() {
            (block.is_passed_over, block.is_left_alone) = (true, is_left_alone);
            self.hand_out(rows, block);
            return Ok(true);
        }
        let Some(rows) = self.next_rows() else {
            return self.last_block(block);
        };
        if self.wants(&rows) {
            block.first_row = block.head.first.saturating_sub(self.before);
            block.damage = match self.learn_of_origin(&rows, block) {
                Err(error) if is_damage(&error) => Some(error),
                learnt => learnt.map(|()| None)?,
            };
            block.text.begin(&self.texts);
        } else {
            block.is_passed_over = true;
        }
        self.hand_out(rows, block);
        Ok(true)
    }

    /// Fills a block with games.
    fn hand_out(&mut self, rows: Rows, block: &mut Block) {
        block.head.games = rows.len();
        self.last_number = self.last_number.saturating_add(rows.len() as u64);
        block.rows = Some(rows);
    }

    /// Returns whether any of these games, the next ones of the current row group, are wanted.
    fn wants(&self, rows: &Rows) -> bool {
        let (Some(file), Some(filter)) = (&self.file, &self.filter) else {
            return true;
        };
        let numbers = self.last_number.saturating_add(1)..=self.last_number.saturating_add(rows.len() as u64);
        !filter.tells_parts(file) || filter.wants_some(file, self.next.start.saturating_sub(1), rows.games(), &numbers)
    }

    /// Sets the origin of the games of a block and the warnings about them.
    fn learn_of_origin(&mut self, rows: &Rows, block: &mut Block) -> io::Result<()> {
        if let Some(source) = rows.group().sole_text(Column::Source.index()) {
            block.add_source(0, source);
        } else {
            self.sources.read(rows, Column::Source.index())?;
            block.set_sources(&self.sources, rows.len());
        }
        self.warnings.read(rows, Column::Warnings.index())?;
        block.set_warnings(&self.warnings, rows.len(), self.before)
    }

    /// Returns whether any game has variations.
    pub(super) fn have_variations(mut self) -> io::Result<bool> {
        let mut variations = Texts::default();
        while let Some(rows) = self.next_rows() {
            variations.read(&rows, Column::Variations.index())?;
            if (0..rows.len()).any(|index| variations.get(index).is_some()) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns whether `is_known` returns true for the files of all games.
    pub(super) fn come_from(mut self, is_known: impl Fn(&str) -> bool) -> io::Result<bool> {
        let is_known = |source: &[u8]| std::str::from_utf8(source).is_ok_and(&is_known);
        while let Some(rows) = self.next_rows() {
            if let Some(source) = rows.group().sole_text(Column::Source.index()) {
                if !is_known(source) {
                    return Ok(false);
                }
                continue;
            }
            self.sources.read(&rows, Column::Source.index())?;
            if !(0..rows.len()).all(|index| self.sources.get(index).is_some_and(is_known)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns all games of the next row group if it is not wanted, and whether this is because of the narrowing of the search.
    fn next_unwanted(&mut self) -> Option<(Rows, bool)> {
        let (file, filter) = (self.file.as_ref()?, self.filter.as_ref()?);
        if let Some((group, cut)) = &self.group {
            if *cut < group.games() {
                return None;
            }
            self.bytes_before = self.bytes_before.saturating_add(group.bytes_of(*cut));
            self.group = None;
        }
        let index = self.next.clone().next()?;
        let games = file.group_games(index) as u64;
        let numbers = self.last_number.saturating_add(1)..=self.last_number.saturating_add(games);
        if filter.wants(file, index, &numbers) {
            return None;
        }
        let is_left_alone = filter.leaves_alone(file, index, &numbers);
        self.next.start = index + 1;
        let group = Arc::new(RowGroup::new(file, index));
        let games = group.games();
        self.bytes_before = self.bytes_before.saturating_add(group.bytes_of(games));
        Some((Rows::new(&group, 0..games), is_left_alone))
    }

    /// Returns the next games of the current row group, or the first games of the next one that has any.
    fn next_rows(&mut self) -> Option<Rows> {
        loop {
            if let Some((group, cut)) = &mut self.group {
                let end = group.games().min(*cut + group.partition_games());
                if *cut < end {
                    let rows = Rows::new(group, *cut..end);
                    *cut = end;
                    return Some(rows);
                }
                self.bytes_before = self.bytes_before.saturating_add(group.bytes_of(*cut));
                self.group = None;
            }
            let file = self.file.as_ref()?;
            self.group = Some((Arc::new(RowGroup::new(file, self.next.next()?)), 0));
        }
    }

    /// Fills a block with the warnings after the last game, once.
    fn last_block(&mut self, block: &mut Block) -> io::Result<bool> {
        if mem::replace(&mut self.finished, true) {
            return Ok(false);
        }
        let Some(file) = &self.file else { return Ok(false) };
        let rest = file.metadata_value(REST_KEY).filter(|_| self.next.end == file.groups());
        if let Some(rest) = rest {
            let rest = warnings::from_text(rest.as_bytes())?;
            let rest = rest.iter().map(|warning| warning.warning(self.before));
            block.say(rest);
        }
        Ok(!block.head.warnings.is_empty())
    }

    /// Returns roughly how many bytes of the file come before the next block.
    fn bytes_read(&self) -> u64 {
        let cut = self.group.as_ref().map_or(0, |(group, cut)| group.bytes_of(*cut));
        self.bytes_before.saturating_add(cut)
    }
}

/// Returns the warning about a database whose footer has no checksum.
pub(super) fn old(name: &Arc<str>) -> Warning {
    let message = format!(
        "this database was made by an older skewer, so damage at its end may go unnoticed; `skewer index --append -o {}` renews it",
        in_a_line(name)
    );
    Warning::new(WarningKind::OldDatabase, name, 0, 0, message)
}

/// Successive games of a database.
#[derive(Default)]
pub struct Block {
    head: BlockHead,
    /// The rows of the games, if there are any that can be read.
    rows: Option<Rows>,
    /// The row of the first game in the file or table, from 1.
    first_row: u64,
    /// Why none of the games can be read.
    damage: Option<io::Error>,
    /// Whether nothing can be found in the games and nothing has to be reported about them.
    is_passed_over: bool,
    /// Whether this is because they are outside the narrowing of the search.
    is_left_alone: bool,
    /// The PGN files of the games, each with the index of its first game.
    sources: Vec<(usize, Arc<str>)>,
    /// For each warning, the number of the game at which it is due.
    dues: Vec<u64>,
    /// Warnings about moves, with the index of the game.
    in_moves: Vec<(usize, Warning)>,
    /// Makes the text of the games.
    text: BlockText,
}

impl Block {
    /// Creates a block of games that cannot be read. The first one is in this row of the file.
    pub(super) fn damaged(head: BlockHead, row: u64, damage: io::Error) -> Block {
        Block {
            first_row: row,
            damage: Some(damage),
            sources: vec![(0, Arc::clone(&head.source.name))],
            head,
            ..Block::default()
        }
    }

    fn clear(&mut self) {
        self.head.games = 0;
        self.head.warnings.clear();
        self.rows = None;
        self.damage = None;
        (self.is_passed_over, self.is_left_alone) = (false, false);
        self.sources.clear();
        self.dues.clear();
        self.in_moves.clear();
        self.text.rest();
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.head.games
    }

    /// Returns whether there are no games.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether nothing can be found in the games, so that none of them need be read.
    pub(crate) fn is_passed_over(&self) -> bool {
        self.is_passed_over
    }

    /// Returns whether this is because they are outside the narrowing of the search.
    pub(crate) fn is_left_alone(&self) -> bool {
        self.is_left_alone
    }

    /// Returns the row of the first game in its file or table, from 0.
    pub(super) fn first_row(&self) -> u64 {
        self.first_row.saturating_sub(1)
    }

    /// Returns the number of the game with this index.
    pub fn number(&self, index: usize) -> u64 {
        self.head.number(index)
    }

    /// Returns the name of the file or table in messages.
    pub(crate) fn name(&self) -> &str {
        &self.head.source.name
    }

    /// Returns roughly how many bytes of the file the block covers.
    pub(crate) fn source_bytes(&self) -> u64 {
        self.head.source_bytes
    }

    /// Returns the warnings about the text of the games, except for those about moves.
    pub fn warnings(&self) -> &[Warning] {
        &self.head.warnings
    }

    /// Returns for each of these warnings the number of the game at which it is due.
    pub(crate) fn dues(&self) -> &[u64] {
        &self.dues
    }

    /// Returns the warnings about the part of a game's moves that is in scope.
    pub fn warnings_in_moves(&self, index: usize, scope: Scope) -> impl Iterator<Item = &Warning> {
        let is_of_scope = move |warning: &&Warning| scope.commands || warning.kind != WarningKind::UnclearClock;
        self.all_in_moves(index).filter(is_of_scope)
    }

    fn all_in_moves(&self, index: usize) -> impl Iterator<Item = &Warning> {
        let start = self.in_moves.partition_point(|(game, _)| *game < index);
        let of_game = self.in_moves[start..]
            .iter()
            .take_while(move |(game, _)| *game == index);
        of_game.map(|(_, warning)| warning)
    }

    /// Returns whether there are warnings about the moves of a game.
    pub(super) fn has_warnings_in_moves(&self, index: usize) -> bool {
        !self.in_moves.is_empty() && self.all_in_moves(index).next().is_some()
    }

    /// Returns the PGN file of the game with this number.
    pub fn source_of(&self, number: u64) -> &str {
        let index = usize::try_from(number.saturating_sub(self.head.first)).unwrap_or(usize::MAX);
        let after = self.sources.partition_point(|(first, _)| *first <= index);
        let source = after.checked_sub(1).and_then(|place| self.sources.get(place));
        source.map_or("", |(_, source)| source)
    }

    /// Returns why none of the games can be read, or `None` if they can.
    pub(crate) fn damage(&self) -> Option<&io::Error> {
        self.damage.as_ref()
    }

    /// Returns whether the games come from a file.
    pub(crate) fn is_of_file(&self) -> bool {
        self.rows.as_ref().is_some_and(|rows| !rows.are_in_memory())
    }

    /// Returns the warning about `games` games from `index` on that cannot be read while the others are searched. Returns `None` if the error is not
    /// about these games alone.
    pub(crate) fn complaint(&self, index: usize, games: usize, error: &io::Error) -> Option<Warning> {
        let row = self.first_row.saturating_add(index as u64);
        let message = match games {
            1 => format!("the row cannot be read: {error}"),
            games => format!(
                "the rows up to {} cannot be read: {error}",
                row.saturating_add(games as u64 - 1)
            ),
        };
        let source = &self.head.source;
        is_damage(error).then(|| source.warning(WarningKind::BadRow, row, self.number(index), message))
    }

    /// Returns the rules by which the games were read.
    pub(super) fn rules(&self) -> Rules {
        self.head.source.rules
    }

    /// Returns the watch that tells whether the games are still wanted.
    pub(super) fn watch(&self) -> &InterruptHandle {
        &self.head.source.watch
    }

    /// Returns the rows of the games, if there are any.
    pub(super) fn rows(&self) -> Option<&Rows> {
        self.rows.as_ref()
    }

    fn set_sources(&mut self, sources: &TagTexts, games: usize) {
        for index in 0..games {
            let source = sources.get(index).unwrap_or_default();
            let is_known = self.sources.last().is_some_and(|(_, last)| last.as_bytes() == source);
            if !is_known {
                self.add_source(index, source);
            }
        }
    }

    /// Sets the file of the games from an index on.
    fn add_source(&mut self, index: usize, source: &[u8]) {
        self.sources.push((index, String::from_utf8_lossy(source).into()));
    }

    fn set_warnings(&mut self, texts: &Texts, games: usize, before: u64) -> io::Result<()> {
        for index in 0..games {
            let Some(text) = texts.get(index) else { continue };
            for kept in warnings::from_text(text)? {
                let warning = kept.warning(before);
                if kept.in_moves {
                    self.in_moves.push((index, warning));
                } else {
                    // Text before the first game of a PGN file is stored with that game.
                    let due = if warning.game == 0 {
                        self.number(index)
                    } else {
                        warning.game
                    };
                    self.dues.push(due);
                    self.head.warnings.push(warning);
                }
            }
        }
        Ok(())
    }

    /// Adds warnings that belong to no row.
    fn say(&mut self, warnings: impl IntoIterator<Item = Warning>) {
        for warning in warnings {
            self.dues.push(warning.game);
            self.head.warnings.push(warning);
        }
    }

    /// Returns a batch with one of the games as canonical PGN.
    ///
    /// # Errors
    /// Returns an error if the game cannot be read.
    pub fn text_of(&self, index: usize) -> io::Result<Batch> {
        let Some(rows) = self.rows() else {
            return Ok(Batch::default());
        };
        self.text
            .game(rows, index, self.number(index), self.rules(), self.watch())
    }

    /// Returns the tags of a game as canonical PGN, if the game is known to have only moves besides.
    ///
    /// # Errors
    /// Returns an error if the tags cannot be read.
    pub(crate) fn tags_beside_moves(&self, index: usize) -> io::Result<Option<Vec<u8>>> {
        let Some(rows) = self.rows() else {
            return Ok(None);
        };
        self.text.tags_beside_moves(rows, index)
    }

    /// Ends reading text of the games on this thread, perhaps only for a while. Another thread can then continue with the columns.
    pub(crate) fn rest(&self) {
        self.text.rest();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Writer;
    use crate::database::storage::Storage;
    use crate::pgn::{Batches, Source};

    /// Returns the bytes of a database of PGN files, each with a name and a text.
    fn database(files: &[(&str, &str)]) -> Vec<u8> {
        let mut writer = Writer::new(Vec::new()).unwrap();
        let mut last_number = 0;
        for (name, pgn) in files {
            let mut batches = Batches::after(last_number, [Source::of_bytes(*name, *pgn)]);
            while let Some(batch) = batches.next_batch(Batch::default()) {
                let batch = batch.unwrap();
                last_number += batch.games.len() as u64;
                writer.add(&batch, &mut |_| {}).unwrap();
            }
        }
        writer.finish().unwrap()
    }

    /// Returns the blocks of a database whose games are numbered from `last_number + 1`.
    fn blocks(database: Vec<u8>, last_number: u64) -> Blocks {
        let file = ParquetFile::open(Storage::Memory(database.into())).unwrap();
        let groups = 0..file.groups();
        Blocks::new(file, groups, RowSource::default(), last_number).unwrap()
    }

    /// Returns the lengths of the blocks of a database of this many games with this movetext.
    fn lengths(games: usize, movetext: &str) -> Vec<usize> {
        let pgn = format!("[White \"A\"]\n\n{movetext} *\n\n").repeat(games);
        let file = database(&[("games.pgn", &pgn)]);
        let size = file.len() as u64;
        let mut blocks = blocks(file, 10);
        let (mut block, mut lengths, mut next, mut bytes) = (Block::default(), Vec::new(), 11, 0);
        while blocks.next_block(&mut block).unwrap() {
            assert_eq!(
                (block.number(0), block.text_of(0).unwrap().games[0].number),
                (next, next)
            );
            assert!(block.source_bytes() > 0, "the bytes that were read grow");
            next += block.len() as u64;
            bytes += block.source_bytes();
            lengths.push(block.len());
        }
        assert!(bytes <= size, "{bytes} of {size} bytes");
        lengths
    }

    #[test]
    fn the_text_of_a_game_is_its_own_in_any_order() {
        let pgn = |game: usize| format!("[White \"W{game}\"]\n\n1. e4 {{in {game}}} *");
        let all: Vec<String> = (0..150).map(|game| pgn(game) + "\n\n").collect();
        let mut blocks = blocks(database(&[("games.pgn", &all.concat())]), 0);
        let mut block = Block::default();
        while blocks.next_block(&mut block).unwrap() {
            let first = usize::try_from(block.number(0)).unwrap() - 1;
            let order = [3, 4, 5, 6, 7, 8, 5, 5, 20, 9, 10, 0, 1, 2, 21, 20, 19];
            let behind = 0..block.len();
            for index in order.into_iter().chain(behind) {
                let text = block.text_of(index).unwrap().text;
                let text = String::from_utf8(text).unwrap();
                let game = first + index;
                assert!(
                    text.contains(&format!("\"W{game}\"")) && text.contains(&format!("{{in {game}}}")),
                    "game {game}: {text}"
                );
            }
        }
    }

    #[test]
    fn a_game_knows_its_file_beside_those_of_others() {
        // The statistics of a column only have the beginnings of long names.
        let long = "a/folder/with/a/name/that/is/rather/long/";
        let (one, two) = (format!("{long}1.pgn"), format!("{long}2.pgn"));
        let game = "[White \"A\"]\n\n1. e4 *\n\n";
        for names in [vec!["a.pgn"], vec!["a.pgn", "b.pgn"], vec![&one], vec![&one, &two]] {
            let files: Vec<_> = names.iter().map(|name| (*name, game)).collect();
            let mut blocks = blocks(database(&files), 0);
            let mut block = Block::default();
            assert!(blocks.next_block(&mut block).unwrap());
            let sources: Vec<_> = (1..=names.len() as u64).map(|number| block.source_of(number)).collect();
            assert_eq!(sources, names);
        }
    }

    #[test]
    fn small_files_have_parts_for_threads_too() {
        assert_eq!(lengths(1, "1. e4"), [1]);
        assert_eq!(lengths(150, "1. e4"), [64, 64, 22]);
        assert_eq!(lengths(2_100, "1. e4"), [[256; 8].as_slice(), &[52]].concat());
    }

    #[test]
    fn long_texts_make_small_parts() {
        let text = format!("1. e4 {{{}}}", "x".repeat(1 << 20));
        assert_eq!(lengths(9, &text), [3, 3, 3], "almost four fit");
    }
}
