//! Tells the answer about a query at a position in sentences.

use super::answer::Part;
use super::edits::Edit;
use super::tree::{Round, Shown};
use super::words::{Words, counted, listed};
use crate::board::Bitboard;
use crate::eval::report::MatchValue;
use crate::query::instrument::PartForm;
use crate::syntax::token::Span;

/// The most failing filters, and the most removals, that are listed.
const TOLD: usize = 6;

/// Collects the sentences of an answer.
pub(super) struct SentenceBuilder<'w> {
    words: &'w Words<'w>,
    pub(super) sentences: Vec<String>,
    /// Squares that the sentences refer to.
    pub(super) marks: Bitboard,
}

impl<'w> SentenceBuilder<'w> {
    /// Creates it without sentences.
    pub(super) fn new(words: &'w Words<'w>) -> SentenceBuilder<'w> {
        SentenceBuilder {
            words,
            sentences: Vec::new(),
            marks: Bitboard::EMPTY,
        }
    }

    fn say(&mut self, sentence: impl Into<String>) {
        self.sentences.push(sentence.into());
    }

    /// Says whether the position matches, and what decides that.
    pub(super) fn verdict(&mut self, matches: bool, header: &[Part], body: Option<&Shown>) {
        self.say(match matches {
            true => "The position matches.",
            false => "The position does not match.",
        });
        for part in header.iter().filter(|part| part.blamed) {
            let sentence = part.sentence.as_deref().unwrap_or_default();
            self.say(format!("The header asks for `{}`, and {sentence}.", part.text));
        }
        let Some(body) = body else { return };
        self.copies(body);
        if body.is_blamed {
            self.culprits(body);
        } else if matches {
            self.decided(body);
        } else if header.iter().all(|part| !part.blamed) {
            self.say("All filters match; what keeps the game from matching is an option of the search.");
        }
    }

    /// Says which copies of transforms are shown.
    fn copies(&mut self, shown: &Shown) {
        if let Some(sentence) = self.words.copy(shown) {
            self.say(sentence);
        }
        for part in shown.parts.iter().filter(|part| part.event.is_some()) {
            self.copies(part);
        }
    }

    /// Says which filters fail.
    fn culprits(&mut self, body: &Shown) {
        let culprits = body.culprits(self.words.tree);
        let mut is_first = true;
        for culprit in culprits.iter().take(TOLD) {
            let part = culprit.part;
            let text = self.words.quoted(self.words.tree.parts[part.part].span);
            let place = self
                .place_of(body, part)
                .map(|place| format!(" ({place})"))
                .unwrap_or_default();
            let reason = self
                .words
                .reason(part)
                .map(|reason| format!(": {reason}"))
                .unwrap_or_default();
            let verb = if is_first { "fails first" } else { "fails, too" };
            let verb = if culprits.len() == 1 { "fails" } else { verb };
            self.say(format!("{text} {verb}{place}{reason}."));
            if is_first {
                self.mark(part);
            }
            is_first = false;
        }
        if culprits.len() > TOLD {
            self.say(format!("{} more fail.", counted(culprits.len() - TOLD, "filter")));
        }
    }

    /// Returns the round in which a part is shown, if a part around it is evaluated in rounds.
    fn place_of(&self, around: &Shown, part: &Shown) -> Option<String> {
        let mut found = None;
        let mut way = around;
        loop {
            if let Some(rounds) = way.rounds {
                found = self.words.round(rounds.round).map(|place| match rounds.round {
                    Round::Square(_) => format!("for {place}"),
                    Round::Position(0) => format!("in {place}"),
                    Round::Position(_) => format!("after {place}"),
                    Round::Move(..) => format!("if {place} is played"),
                    Round::Try => place,
                });
            }
            if std::ptr::eq(way, part) {
                return found;
            }
            way = way.parts.iter().find(|inside| holds(inside, part))?;
        }
    }

    /// Says what a match depends on.
    fn decided(&mut self, body: &Shown) {
        let tree = self.words.tree;
        let filters = match tree.parts[body.part].form {
            PartForm::Conjunction => body.parts.as_slice(),
            _ => std::slice::from_ref(body),
        };
        for filter in filters.iter().take(2 * TOLD) {
            if let Some(reason) = self.words.reason(filter) {
                let text = self.words.quoted(tree.parts[filter.part].span);
                self.say(format!("{text} matches: {reason}."));
            }
            self.mark(filter);
        }
    }

    /// Marks the squares that a part refers to, unless there are too many.
    fn mark(&mut self, part: &Shown) {
        let values = std::iter::once(part).chain(&part.parts);
        for shown in values {
            if let MatchValue::Squares(squares) = self.words.value(shown)
                && squares.count() <= 8
            {
                self.marks |= *squares;
            }
        }
    }

    /// Says which filters are each the only cause of the failure.
    pub(super) fn removals(&mut self, removals: &[(Span, bool)]) {
        let alone = removals.iter().filter(|(_, matches)| *matches).take(TOLD);
        let alone: Vec<String> = alone.map(|(span, _)| self.words.quoted(*span)).collect();
        match alone.as_slice() {
            [] if removals.len() > 1 => self.say("No filter that fails is to blame alone."),
            [] => {}
            [only] => self.say(format!("Without {only} it would match.")),
            several => self.say(format!("It would match without one of these: {}.", listed(several))),
        }
    }

    pub(super) fn nearest(&mut self, edits: &[Edit], sentence: &str) {
        // A removal has already been told.
        let is_removal = matches!(edits, [Edit { insert: None, .. }]);
        if !is_removal {
            self.say(sentence);
        }
    }
}

/// Returns whether a part is another, or contains it.
fn holds(around: &Shown, part: &Shown) -> bool {
    std::ptr::eq(around, part) || around.parts.iter().any(|inside| holds(inside, part))
}
