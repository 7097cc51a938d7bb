//! Successive games of a database of another program, which become PGN where they are needed.
//!
//! Whoever cuts a database into blocks only asks what its records are. Games are read where the block goes.

use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::canonical::Batch;
use super::notation::Language;
use super::split::{BATCH, BATCH_GAMES, RowBatcher};
use crate::foreign::{self, Damage, Database, GameText, Head};
use crate::game::{Rules, Warning, WarningKind};
use crate::limits::Watch;

/// Cuts a database of another program into blocks of games.
pub(super) struct ForeignReader {
    database: Arc<dyn Database>,
    source: Arc<str>,
    /// What the records are that come next, and the number of the first one.
    heads: Vec<Head>,
    place: usize,
    next: u32,
    /// The number of the last game.
    number: u64,
    /// Records that are left out, until it has been said.
    deleted: u64,
    rules: Rules,
    watch: Watch,
    complaints: Vec<String>,
}

/// Successive games of a database of another program.
#[derive(Default)]
pub(crate) struct ForeignBlock {
    database: Option<Arc<dyn Database>>,
    source: Arc<str>,
    records: Vec<u32>,
    /// About how many bytes they take.
    bytes: usize,
    /// How many bytes of the file that was named.
    source_bytes: usize,
    /// The number of the first game.
    first: u64,
    /// What there is to say about the database as a whole.
    warnings: Vec<Warning>,
    rules: Rules,
    watch: Watch,
    /// The games as text, once somebody has asked for it.
    text: OnceLock<Batch>,
}

impl ForeignReader {
    /// A reader for a database that messages call `source`. Its first game gets the number after `last_number`.
    ///
    /// # Errors
    /// When one of its files is missing, cannot be read, or is none of such a database.
    pub(super) fn open(
        path: &Path,
        source: Arc<str>,
        last_number: u64,
        rules: Rules,
        watch: Watch,
    ) -> io::Result<ForeignReader> {
        let database = foreign::open(path)?;
        Ok(ForeignReader {
            complaints: database.complaints().to_vec(),
            database,
            source,
            heads: Vec::new(),
            place: 0,
            next: 0,
            number: last_number,
            deleted: 0,
            rules,
            watch,
        })
    }

    /// The number of the last game that has been read.
    pub(super) fn last_number(&self) -> u64 {
        self.number
    }

    /// Replaces the content of a block by the next games. Whether there were any, or warnings at least.
    ///
    /// # Errors
    /// When the database cannot be read on.
    pub(super) fn read_block(&mut self, block: &mut ForeignBlock) -> io::Result<bool> {
        block.database = Some(Arc::clone(&self.database));
        block.source = Arc::clone(&self.source);
        block.rules = self.rules;
        block.watch.clone_from(&self.watch);
        block.first = self.number.saturating_add(1);
        block.text = OnceLock::new();
        block.records.clear();
        block.warnings.clear();
        (block.bytes, block.source_bytes) = (0, 0);
        for message in std::mem::take(&mut self.complaints) {
            block.warnings.push(self.warning(WarningKind::BadGame, message));
        }
        while block.bytes < BATCH && block.records.len() < BATCH_GAMES {
            self.watch.check()?;
            let Some(head) = self.next_head()? else { break };
            block.source_bytes += self.database.record_bytes();
            match head {
                Head::Game { bytes } => {
                    block.records.push(self.next - 1);
                    block.bytes += bytes;
                    self.number = self.number.saturating_add(1);
                }
                Head::Deleted => self.deleted += 1,
                #[cfg(feature = "chessbase")]
                Head::NoGame => {}
            }
        }
        let is_end = self.next >= self.database.records();
        if is_end && self.deleted > 0 {
            let message = match std::mem::take(&mut self.deleted) {
                1 => "a game that is marked as deleted is left out".to_owned(),
                games => format!("{games} games that are marked as deleted are left out"),
            };
            block.warnings.push(self.warning(WarningKind::DeletedGames, message));
        }
        Ok(!block.records.is_empty() || !block.warnings.is_empty())
    }

    /// What the next record is, if there is one.
    fn next_head(&mut self) -> io::Result<Option<Head>> {
        if self.place >= self.heads.len() {
            let end = self
                .next
                .saturating_add(BATCH_GAMES as u32)
                .min(self.database.records());
            self.database.heads(self.next..end, &mut self.heads)?;
            self.place = 0;
        }
        let head = self.heads.get(self.place).copied();
        if head.is_some() {
            self.place += 1;
            self.next += 1;
        }
        Ok(head)
    }

    fn warning(&self, kind: WarningKind, message: String) -> Warning {
        Warning {
            kind,
            source: Arc::clone(&self.source),
            line: 0,
            game: 0,
            message,
        }
    }
}

impl ForeignBlock {
    /// How many games there are.
    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    /// About how many bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// How many bytes of the file that was named.
    pub(crate) fn source_bytes(&self) -> usize {
        self.source_bytes
    }

    /// The number of a game.
    pub(crate) fn number(&self, index: usize) -> u64 {
        self.first.saturating_add(index as u64)
    }

    /// The source, as messages name it.
    pub(crate) fn source(&self) -> &Arc<str> {
        &self.source
    }

    /// The games as canonical PGN, made by the first who asks. Lines are the numbers that the games have in the database, from 1.
    pub(crate) fn text(&self) -> &Batch {
        self.text.get_or_init(|| self.read_text())
    }

    /// The same, for the only one who asks.
    pub(crate) fn take_text(&mut self) -> Batch {
        self.text.take().unwrap_or_else(|| self.read_text())
    }

    fn read_text(&self) -> Batch {
        let games = RowBatcher::new(Batch::default(), &self.source, self.rules, &self.watch);
        let mut games = games.in_language(Some(Language::ENGLISH));
        let mut text = GameText::default();
        for (index, record) in self.records.iter().enumerate() {
            if self.watch.is_over() {
                break;
            }
            let (number, row) = (self.number(index), u64::from(*record) + 1);
            let written = match &self.database {
                Some(database) => database.write_game(*record, &mut text),
                None => Err(Damage("its database is closed".to_owned())),
            };
            match written {
                Ok(()) => {
                    for (kind, complaint) in text.complaints() {
                        games.warn(*kind, row, number, complaint);
                    }
                    games.add(text.text(), number, row);
                }
                Err(Damage(why)) => {
                    games.warn(
                        WarningKind::BadGame,
                        row,
                        number,
                        &format!("the game is left out: {why}"),
                    );
                    // A game that cannot be read, either.
                    games.add(b"[FEN \"?\"]\n\n*\n\n", number, row);
                }
            }
        }
        let mut batch = games.finish();
        batch.warnings.splice(0..0, self.warnings.iter().cloned());
        batch
    }
}
