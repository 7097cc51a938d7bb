//! Successive games of a database of another program, which become PGN where they are needed.
//!
//! When a database is cut into blocks, only the kinds of its records are read. The worker that gets a block reads the games.

use std::path::Path;
use std::sync::Arc;
use std::{io, mem, vec};

use super::split::{BATCH, BATCH_GAMES, BlockHead, RowBatcher, RowBlock, RowSource};
use crate::foreign::{self, Damage, Database, GameText, Head};
use crate::game::WarningKind;

/// Cuts a database of another program into blocks of games.
pub(super) struct ForeignReader {
    database: Arc<dyn Database>,
    source: RowSource,
    /// The kinds of the next records.
    heads: vec::IntoIter<Head>,
    /// The number of the next record.
    next: u32,
    /// The number of the last game.
    number: u64,
    /// The number of records left out that are not reported yet.
    deleted: u64,
    complaints: Vec<String>,
}

/// Successive games of a database of another program.
pub(super) struct ForeignBlock {
    head: BlockHead,
    database: Arc<dyn Database>,
    records: Vec<u32>,
}

impl ForeignReader {
    /// Opens a database. Its first game gets the number after `last_number`.
    ///
    /// # Errors
    /// Returns an error if one of its files is missing, cannot be read, or does not belong to such a database.
    pub(super) fn open(path: &Path, source: RowSource, last_number: u64) -> io::Result<ForeignReader> {
        let database = foreign::open(path)?;
        Ok(ForeignReader {
            complaints: database.complaints().to_vec(),
            database,
            source,
            heads: Vec::new().into_iter(),
            next: 0,
            number: last_number,
            deleted: 0,
        })
    }

    /// Returns the next games, or at least warnings, if there are any.
    ///
    /// # Errors
    /// Returns an error if the database cannot be read further.
    pub(super) fn read_block(&mut self) -> io::Result<Option<ForeignBlock>> {
        let mut records = Vec::new();
        let mut head = BlockHead {
            source: self.source.clone(),
            first: self.number.saturating_add(1),
            ..BlockHead::default()
        };
        for message in mem::take(&mut self.complaints) {
            head.warnings
                .push(head.source.warning(WarningKind::BadGame, 0, 0, message));
        }
        while head.bytes < BATCH && records.len() < BATCH_GAMES {
            self.source.watch.check()?;
            let Some(next) = self.next_head()? else { break };
            head.source_bytes += self.database.record_bytes() as u64;
            match next {
                Head::Game { bytes } => {
                    records.push(self.next - 1);
                    head.bytes += bytes;
                    self.number = self.number.saturating_add(1);
                }
                Head::Deleted => self.deleted += 1,
                Head::NoGame => {}
            }
        }
        let is_end = self.next >= self.database.records();
        if is_end && self.deleted > 0 {
            let message = match mem::take(&mut self.deleted) {
                1 => "a game that is marked as deleted is left out".to_owned(),
                games => format!("{games} games that are marked as deleted are left out"),
            };
            head.warnings
                .push(head.source.warning(WarningKind::DeletedGames, 0, 0, message));
        }
        head.games = records.len();
        let is_something = head.games > 0 || !head.warnings.is_empty();
        Ok(is_something.then(|| ForeignBlock {
            head,
            database: Arc::clone(&self.database),
            records,
        }))
    }

    /// Returns the kind of the next record, if there is one.
    fn next_head(&mut self) -> io::Result<Option<Head>> {
        if self.heads.as_slice().is_empty() {
            let end = self
                .next
                .saturating_add(BATCH_GAMES as u32)
                .min(self.database.records());
            self.heads = self.database.heads(self.next..end)?.into_iter();
        }
        let head = self.heads.next();
        self.next += u32::from(head.is_some());
        Ok(head)
    }
}

/// The lines are the numbers of the games in the database, from 1.
impl RowBlock for ForeignBlock {
    fn head(&self) -> &BlockHead {
        &self.head
    }

    fn write(&self, games: &mut RowBatcher) {
        let mut text = GameText::default();
        for (index, record) in self.records.iter().enumerate() {
            if self.head.source.watch.is_over() {
                break;
            }
            let (number, row) = (self.head.number(index), u64::from(*record) + 1);
            match self.database.write_game(*record, &mut text) {
                Ok(()) => {
                    for (kind, complaint) in text.complaints() {
                        games.warn(*kind, row, number, complaint);
                    }
                    games.add(text.text(), number, row);
                }
                Err(Damage(why)) => {
                    let message = format!("the game is left out: {why}");
                    games.warn(WarningKind::BadGame, row, number, &message);
                    // A game that readers cannot read either.
                    games.add(b"[FEN \"?\"]\n\n*\n\n", number, row);
                }
            }
        }
    }
}
