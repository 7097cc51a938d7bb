//! What the tags of a game say about its variant, its start position and its result.

use shakmaty::variant::VariantPosition;

use super::repeated_tags::repeated_tag;
use super::variant_tags;
use crate::chess::{Start, Variant, is_no_position, variant_start, variant_start_of_fen};
use crate::game::{Date, Game, Rules, Tags, Warning, WarningKind, shown};
use crate::pgn::canonical::{Batch, GameText, tag_lines, tags};
use crate::pgn::lexer::Terminator;

/// The text of a game of which the tags have been read.
pub(crate) struct GameSetup<'b> {
    batch: &'b Batch,
    text: &'b GameText,
}

impl<'b> GameSetup<'b> {
    /// That of a game of a batch.
    pub(crate) fn new(batch: &'b Batch, text: &'b GameText) -> GameSetup<'b> {
        GameSetup { batch, text }
    }

    /// Sets the result: that at the end of the text, or that of the tag.
    pub(crate) fn set_result(&self, game: &mut Game) {
        let terminator = Terminator::at_end(self.bytes().trim_ascii_end());
        game.result = terminator.map_or_else(|| game.tags.result(), Terminator::outcome);
    }

    /// Finds out what is played from which start position.
    ///
    /// # Errors
    /// Why that cannot be known.
    pub(crate) fn set_start(&self, game: &mut Game) -> Result<(), Warning> {
        let rules = self.batch.rules;
        if rules == Rules::Full {
            let variant = variant_tags::variant_of(&game.tags);
            game.variant = variant.map_err(|reason| self.warning(reason.kind, reason.tag, reason.message))?;
            if let Some(usual) = variant_start(game.variant) {
                return self.set_variant_start(game, usual);
            }
        }
        let Some(fen) = game.tags.raw(b"FEN") else {
            return Ok(());
        };
        let start = match rules {
            Rules::Full if is_no_position(fen) => return Ok(()),
            Rules::Full => Start::from_fen(fen),
            Rules::Cql => Start::from_fen_of_cql(fen),
        };
        match (start, rules) {
            (Ok(start), _) => {
                if start.is_chess960() {
                    game.variant = Variant::Chess960;
                }
                game.start = Some(start);
            }
            (Err(error), Rules::Full) => {
                let wrong = shown(fen.get(error.range).unwrap_or_default());
                let place = if wrong.is_empty() {
                    wrong
                } else {
                    format!(" (`{wrong}`)")
                };
                let message = format!(
                    "the FEN tag is no position: {}{place}: the game is left out",
                    error.fault
                );
                return Err(self.warning(WarningKind::BadStart, b"FEN", message));
            }
            (Err(_), Rules::Cql) => {
                let message = "invalid FEN tag; the standard start position is used".to_owned();
                game.warnings.push(self.warning(WarningKind::BadStart, b"FEN", message));
            }
        }
        Ok(())
    }

    /// Takes the start position of a variant with rules of its own: its usual one, unless the FEN tag sets up another.
    fn set_variant_start(&self, game: &mut Game, usual: VariantPosition) -> Result<(), Warning> {
        let fen = game.tags.raw(b"FEN").filter(|fen| !is_no_position(fen));
        match fen.map(|fen| variant_start_of_fen(&usual, fen)) {
            None => game.by_variant.push(usual),
            Some(Ok((position, start))) => {
                game.by_variant.push(position);
                game.start = Some(start);
            }
            Some(Err(fault)) => {
                let message = format!(
                    "the FEN tag is no position of {}: {fault}: the game is left out",
                    game.variant
                );
                return Err(self.warning(WarningKind::BadStart, b"FEN", message));
            }
        }
        Ok(())
    }

    /// Warns of a tag that says another result than the end of the moves.
    pub(crate) fn compare_results(&self, game: &mut Game) {
        let Some(tag) = game.tags.raw(b"Result") else {
            return;
        };
        if self.batch.rules == Rules::Cql || matches!(tag, b"" | b"?") || game.tags.result() == game.result {
            return;
        }
        let message = format!(
            "the Result tag says `{}`, the end of the moves {}, which counts",
            shown(tag),
            game.result
        );
        game.warnings
            .push(self.warning(WarningKind::TwoResults, b"Result", message));
    }

    /// Warns of a date that tells no certain year, unless another tag does.
    #[cold]
    pub(crate) fn warn_of_date(&self, game: &mut Game) {
        let mut dates = Tags::default();
        let named = tags(self.bytes()).filter(|(name, _)| matches!(*name, b"Date" | b"UTCDate"));
        named.for_each(|(name, value)| dates.push(name, value));
        let date = dates.raw(b"Date").unwrap_or_default();
        if dates.year().is_none() && Date::is_unclear(date) {
            let message = format!(
                "the Date tag `{}` tells no certain year, so the game has none",
                shown(date)
            );
            game.warnings.push(self.warning(WarningKind::BadTag, b"Date", message));
        }
    }

    /// Warns of a tag that is there again with another value.
    #[cold]
    pub(crate) fn compare_tags(&self, game: &mut Game) {
        if self.batch.rules == Rules::Full
            && let Some(name) = repeated_tag(self.bytes())
        {
            let message = format!("the tag `{}` has different values; the last one counts", shown(name));
            game.warnings.push(self.warning(WarningKind::BadTag, name, message));
        }
    }

    /// The text, with its tags.
    fn bytes(&self) -> &'b [u8] {
        self.batch.text.get(self.text.range.clone()).unwrap_or_default()
    }

    /// A warning about a tag.
    fn warning(&self, kind: WarningKind, tag: &[u8], message: String) -> Warning {
        self.batch.warning(self.text, kind, self.line_of_tag(tag), message)
    }

    /// The line of the file on which a tag stands: the last one of this name, which counts.
    fn line_of_tag(&self, name: &[u8]) -> u64 {
        let beginning = [b"[", name, b" "].concat();
        let mut at = self.text.range.start;
        let mut place = (at, 0);
        for (above, line) in tag_lines(self.bytes()).enumerate() {
            if line.starts_with(&beginning) {
                place = (at, above);
            }
            at += line.len();
        }
        self.batch.line_of(self.text, place.0, place.1)
    }
}
