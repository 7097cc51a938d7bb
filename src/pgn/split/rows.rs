//! Batches of games that are rows of a table: each row has a text of its own.

use std::sync::Arc;

use super::append_game;
use crate::game::{Rules, WarningKind};
use crate::limits::Watch;
use crate::pgn::canonical::Batch;
use crate::pgn::lexer::Text;
use crate::pgn::notation::Language;
use crate::pgn::repair::{Defect, LONGEST_GAME, LanguageDetector};

/// Makes a batch of games each of which is a row with a text of its own.
pub struct RowBatcher {
    batch: Batch,
    detector: LanguageDetector,
}

impl RowBatcher {
    /// A batch without games in place of another one, of a source that messages call `source`, to be read by these rules. Games that
    /// nobody wants any more are left out.
    pub fn new(mut batch: Batch, source: &Arc<str>, rules: Rules, watch: &Watch) -> RowBatcher {
        batch.reset(source, rules);
        batch.of_rows = true;
        batch.watch.clone_from(watch);
        RowBatcher {
            batch,
            detector: LanguageDetector::new(rules).until(watch.clone()),
        }
    }

    /// The same batch, but the letters of the pieces are those of a language, if there is one.
    #[must_use]
    pub fn in_language(self, language: Option<Language>) -> RowBatcher {
        RowBatcher {
            detector: self.detector.in_language(language),
            ..self
        }
    }

    /// Adds a game, which begins with a tag pair, and what is wrong with its text, and what follows it there,
    /// which is left out.
    pub fn add(&mut self, text: &[u8], number: u64, row: u64) {
        let cut = text.len() > LONGEST_GAME;
        let text = Text {
            bytes: text.get(..LONGEST_GAME).unwrap_or(text),
            complete: true,
        };
        // A text that is complete needs no more, unless it is given up.
        let Ok(appended) = append_game(text, number, row, &mut self.detector, &mut self.batch) else {
            return;
        };
        let defects = match appended.is_rewritten {
            true => self.detector.rewriter().defects(),
            false => &[],
        };
        let defects = defects.iter().map(|(_, defect)| *defect);
        for (kind, message) in defects.chain(cut.then_some(Defect::TooLong)).map(Defect::warning) {
            self.batch.warn(kind, row, number, message);
        }
        if !text.from(appended.len).trim_ascii().is_empty() {
            let message = "text after the game is ignored";
            self.batch.warn(WarningKind::StrayText, row, number, message);
        }
    }

    /// Warns of a row.
    #[cfg(any(feature = "files", feature = "scid", feature = "chessbase"))]
    pub(crate) fn warn(&mut self, kind: WarningKind, row: u64, number: u64, message: &str) {
        self.batch.warn(kind, row, number, message);
    }

    /// The batch.
    pub fn finish(self) -> Batch {
        self.batch
    }
}
