//! The games of a batch as rows of a database, which any thread can make.

use std::io;
use std::sync::Arc;

use super::group::room_for;
use super::merge::{Group, GroupRows};
use super::packing::Packing;
use super::record::Record;
use crate::chess::Variant;
use crate::game::{Game, Rules, Warning, WarningKind};
use crate::limits::InterruptHandle;
use crate::pgn::{Batch, GameReader, Reading, Scope};

/// The bytes of moves above which a game is long. A long game is always read from its text, because the positions of its variations and the columns
/// that describe them would take too much memory.
const LONG: usize = 1 << 20;

/// The games of a batch on their way to a database. Making them is most of the work. [`Writer::put`](super::Writer::put) numbers and keeps them,
/// batch by batch in order.
pub struct RowBatch {
    pub(super) rules: Rules,
    /// The PGN file of the games.
    pub(super) source: Arc<str>,
    pub(super) games: Vec<NewRow>,
    /// The texts and bytes of their rows.
    pub(super) values: Vec<u8>,
    /// The warnings about the text after the last game.
    pub(super) rest: Vec<Warning>,
}

/// A game of a batch.
pub(super) struct NewRow {
    /// Its number in the input.
    pub(super) number: u64,
    /// The warnings about the text before it and about its tags.
    pub(super) warnings: Vec<Warning>,
    /// The warnings about the game itself.
    pub(super) in_game: Vec<Warning>,
    /// Its row, unless the game is not wanted.
    pub(super) record: Option<Record>,
}

/// Makes rows from batches. The buffers are reused for the next batch.
#[derive(Default)]
pub struct RowMaker {
    variant: Option<Variant>,
    watch: InterruptHandle,
    game: Game,
    /// The row groups that wait to be packed.
    packing: Option<Packing>,
}

impl RowMaker {
    /// Creates a maker that takes only games of a variant, if one is given, and gives up when they are no longer wanted.
    pub fn new(variant: Option<Variant>, watch: InterruptHandle) -> RowMaker {
        RowMaker {
            variant,
            watch,
            game: Game::default(),
            packing: None,
        }
    }

    /// Creates another one that also packs row groups that wait.
    pub(super) fn helping(&self, packing: &Packing) -> RowMaker {
        RowMaker {
            packing: Some(packing.clone()),
            ..self.another()
        }
    }

    /// Packs row groups of the database that wait for it.
    pub(crate) fn help(&self) {
        if let Some(packing) = &self.packing {
            while packing.help() {}
        }
    }

    /// Reads a row group of another database, as an alternative to the games of a batch.
    ///
    /// # Errors
    /// Returns an error if it cannot be read or is no longer wanted.
    pub(crate) fn rows(&self, group: &Group) -> io::Result<GroupRows> {
        self.watch.check()?;
        group.read(self.variant)
    }

    /// Creates another one that does the same.
    pub(crate) fn another(&self) -> RowMaker {
        RowMaker {
            packing: self.packing.as_ref().map(Packing::another),
            ..RowMaker::new(self.variant, self.watch.clone())
        }
    }

    /// Returns the rows of a batch.
    ///
    /// # Errors
    /// Returns an error if they are no longer wanted.
    pub fn entries(&mut self, batch: &Batch) -> io::Result<RowBatch> {
        // Comments are not collected, as a row has the whole movetext.
        let scope = Scope {
            variations: true,
            notes: false,
            commands: true,
        };
        let lean = Scope::default();
        let mut reader = GameReader::new(batch);
        let mut left = batch.warnings.as_slice();
        let mut games = Vec::with_capacity(batch.games.len());
        let mut values = Vec::with_capacity(room_for(batch.text.len() / 4 * 5));
        for text in &batch.games {
            let is_wanted = |game: &Game| self.variant.is_none_or(|variant| is_of(game, variant));
            let is_long = text.range.len() > LONG && batch.words_of(text) > LONG;
            let is_added = match reader.read(if is_long { lean } else { scope }, &mut self.game, is_wanted) {
                Reading::Read => true,
                Reading::Skipped | Reading::GivenUp => false,
                Reading::Unreadable => is_wanted(&self.game),
                Reading::End => break,
            };
            self.watch.check()?;
            let count = left.iter().take_while(|warning| warning.game <= text.number).count();
            let (of_game, later) = left.split_at(count);
            left = later;
            games.push(NewRow {
                number: text.number,
                warnings: of_game.to_vec(),
                in_game: self.game.warnings.clone(),
                record: is_added.then(|| Record::of(batch, text, &self.game, is_long, &mut values)),
            });
            if text.range.len() > LONG {
                self.game = Game::default();
            }
            // The record of a game that was given up is incomplete.
            self.watch.check()?;
        }
        Ok(RowBatch {
            rules: batch.rules,
            source: Arc::clone(&batch.source),
            games,
            values,
            rest: left.to_vec(),
        })
    }
}

/// Returns whether a game is of a variant. A game of an unknown variant is of none.
fn is_of(game: &Game, variant: Variant) -> bool {
    let is_unknown = |warning: &Warning| warning.kind == WarningKind::UnknownVariant;
    game.variant == variant && !game.warnings.iter().any(is_unknown)
}
