//! Batches of games that are rows of a table, each with a text of its own.

use std::sync::Arc;

use super::append_game;
use super::row_source::RowSource;
use crate::game::WarningKind;
use crate::pgn::canonical::Batch;
use crate::pgn::lexer::Text;
use crate::pgn::repair::{Defect, LONGEST_GAME, LanguageDetector};

/// Makes a batch of games, each of which is a row with a text of its own.
pub struct RowBatcher {
    batch: Batch,
    detector: LanguageDetector,
}

impl RowBatcher {
    /// Creates an empty batch for a source. Games that are no longer wanted are left out.
    pub(super) fn new(source: &RowSource) -> RowBatcher {
        RowBatcher {
            batch: Batch {
                source: Arc::clone(&source.name),
                rules: source.rules,
                of_rows: true,
                watch: source.watch.clone(),
                ..Batch::default()
            },
            detector: LanguageDetector::new(source.rules, source.language, source.watch.clone()),
        }
    }

    /// Adds a game, which begins with a tag pair, and the warnings about its text. Whatever follows the game there is left out.
    pub(crate) fn add(&mut self, text: &[u8], number: u64, row: u64) {
        let cut = text.len() > LONGEST_GAME;
        let text = Text {
            bytes: text.get(..LONGEST_GAME).unwrap_or(text),
            complete: true,
        };
        // A complete text needs no more, unless it is given up.
        let Ok(appended) = append_game(text, number, row, &mut self.detector, &mut self.batch) else {
            return;
        };
        let defects = match appended.is_rewritten {
            true => self.detector.rewriter().defects(),
            false => &[],
        };
        let defects = defects.iter().map(|(_, defect)| *defect);
        for Defect(kind, message) in defects.chain(cut.then_some(Defect::TOO_LONG)) {
            self.batch.warn(kind, row, number, message);
        }
        if !text.from(appended.len).trim_ascii().is_empty() {
            let message = "text after the game is ignored";
            self.batch.warn(WarningKind::StrayText, row, number, message);
        }
    }

    /// Warns about a row.
    pub(crate) fn warn(&mut self, kind: WarningKind, row: u64, number: u64, message: &str) {
        self.batch.warn(kind, row, number, message);
    }

    /// Returns the batch.
    pub(super) fn finish(self) -> Batch {
        self.batch
    }
}
