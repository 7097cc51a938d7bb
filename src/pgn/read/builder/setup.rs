//! The variant, start position and result of a game, from its tags.

use std::ops::ControlFlow;

use shakmaty::variant::VariantPosition;

use super::Builder;
use crate::chess::{Variant, is_no_position, variant_start, variant_start_of_fen};
use crate::game::{Date, HIGHEST_RATING, Rules, Tags, WarningKind, has_high_rating, is_rating_tag, shown};
use crate::pgn::canonical::{tag_lines, tags};
use crate::pgn::lexer::terminator;
use crate::pgn::read::repeated_tags::repeated_tag;
use crate::pgn::read::scope::Reading;
use crate::pgn::read::variant_tags::{BadSetup, variant_of};

impl<'a> Builder<'a> {
    /// Reads the tags and finds out whether the moves are wanted.
    pub(crate) fn begin_moves(&mut self) -> ControlFlow<()> {
        let terminator = terminator(self.bytes().trim_ascii_end());
        self.game.result = terminator.unwrap_or_else(|| self.game.tags.result());
        if self.scratch.names.may_repeat() {
            self.compare_tags();
        }
        if self.has_unclear_date && self.batch.rules == Rules::Full {
            self.warn_of_date();
        }
        if self.has_high_rating && self.batch.rules == Rules::Full {
            self.warn_of_rating();
        }
        if let Err(BadSetup { kind, tag, message }) = self.set_start() {
            if !self.batch.has_told_of_row(self.text.number) {
                self.warn_of_tag(kind, tag, message);
            }
            self.outcome = Reading::Unreadable;
            return ControlFlow::Break(());
        }
        self.careful |= self.game.has_own_rules();
        if !(self.is_wanted)(self.game) {
            return ControlFlow::Break(());
        }
        self.outcome = Reading::Read;
        self.compare_results();
        let initial = self.game.initial_position();
        self.game.positions.push(initial);
        ControlFlow::Continue(())
    }

    /// Finds out the variant and the start position.
    fn set_start(&mut self) -> Result<(), BadSetup> {
        let rules = self.batch.rules;
        if rules == Rules::Full {
            self.game.variant = variant_of(&self.game.tags)?;
            if let Some(usual) = variant_start(self.game.variant) {
                return self.set_variant_start(usual);
            }
        }
        let Some(fen) = self.game.tags.raw(b"FEN") else {
            return Ok(());
        };
        if rules == Rules::Full && is_no_position(fen) {
            return Ok(());
        }
        match (rules.start(fen), rules) {
            (Ok(start), _) => {
                if start.is_chess960() {
                    self.game.variant = Variant::Chess960;
                }
                self.game.start = Some(start);
            }
            (Err(error), Rules::Full) => {
                let wrong = shown(fen.get(error.range).unwrap_or_default());
                let place = if wrong.is_empty() {
                    wrong
                } else {
                    format!(" (`{wrong}`)")
                };
                return Err(BadSetup::of_fen(&format!("not a position: {}{place}", error.fault)));
            }
            (Err(_), Rules::Cql) => {
                let message = "invalid FEN tag; the standard start position is used".to_owned();
                self.warn_of_tag(WarningKind::BadStart, b"FEN", message);
            }
        }
        Ok(())
    }

    /// Sets the start position of a variant with rules of its own: its usual one, unless the FEN tag gives another.
    fn set_variant_start(&mut self, usual: VariantPosition) -> Result<(), BadSetup> {
        let variant = self.game.variant;
        let fen = self.game.tags.raw(b"FEN").filter(|fen| !is_no_position(fen));
        match fen.map(|fen| variant_start_of_fen(&usual, fen)) {
            None => self.game.by_variant.push(usual),
            Some(Ok((position, start))) => {
                self.game.by_variant.push(position);
                self.game.start = Some(start);
            }
            Some(Err(fault)) => return Err(BadSetup::of_fen(&format!("not a position of {variant}: {fault}"))),
        }
        Ok(())
    }

    /// Warns about a Result tag that differs from the end of the moves.
    fn compare_results(&mut self) {
        let Some(tag) = self.game.tags.raw(b"Result") else {
            return;
        };
        let result = self.game.result;
        if self.batch.rules == Rules::Cql || matches!(tag, b"" | b"?") || self.game.tags.result() == result {
            return;
        }
        let message = format!(
            "the Result tag says `{}`, the end of the moves {result}, which counts",
            shown(tag)
        );
        self.warn_of_tag(WarningKind::TwoResults, b"Result", message);
    }

    /// Warns about a date that gives no certain year, unless another tag does.
    #[cold]
    fn warn_of_date(&mut self) {
        let mut dates = Tags::default();
        let named = tags(self.bytes()).filter(|(name, _)| matches!(*name, b"Date" | b"UTCDate"));
        named.for_each(|(name, value)| dates.push(name, value));
        let date = dates.raw(b"Date").unwrap_or_default();
        if dates.year().is_none() && Date::is_unclear(date) {
            let message = format!(
                "the Date tag `{}` tells no certain year, so the game has none",
                shown(date)
            );
            self.warn_of_tag(WarningKind::BadTag, b"Date", message);
        }
    }

    /// Warns about an impossible rating.
    #[cold]
    fn warn_of_rating(&mut self) {
        let Some((name, value)) = tags(self.bytes()).find(|(name, value)| has_high_rating(name, value)) else {
            return;
        };
        let message = format!(
            "the {} tag `{}` is above {HIGHEST_RATING}, the highest rating, and counts as that",
            shown(name),
            shown(value)
        );
        self.warn_of_tag(WarningKind::BadTag, name, message);
    }

    /// Warns about a tag that is repeated with another value.
    #[cold]
    fn compare_tags(&mut self) {
        if self.batch.rules == Rules::Full
            && let Some(name) = repeated_tag(self.bytes())
        {
            let counts = match is_rating_tag(name) {
                true => "`elo` takes the first one, `tag` the last one",
                false => "the last one counts",
            };
            let message = format!("the tag `{}` has different values; {counts}", shown(name));
            self.warn_of_tag(WarningKind::BadTag, name, message);
        }
    }

    /// Returns the text of the game, with its tags.
    fn bytes(&self) -> &'a [u8] {
        self.batch.text.get(self.text.range.clone()).unwrap_or_default()
    }

    /// Warns about a tag, on the line of the last tag with this name, which is the one that counts.
    fn warn_of_tag(&mut self, kind: WarningKind, name: &[u8], message: String) {
        let beginning = [b"[", name, b" "].concat();
        let mut at = self.text.range.start;
        let mut place = (at, 0);
        for (above, line) in tag_lines(self.bytes()).enumerate() {
            if line.starts_with(&beginning) {
                place = (at, above);
            }
            at += line.len();
        }
        let line = self.batch.line_of(self.text, place.0, place.1);
        self.warn(kind, line, message);
    }
}
