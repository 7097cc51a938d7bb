//! Finds changes of the text of a query with which a position would match. Each is tried by a search with the changed query.

use std::collections::HashMap;

use crate::eval::report::MatchValue;
use crate::query::ast::Comparison;
use crate::query::instrument::{PartForm, Role};
use crate::query::{Options, Query, compile};
use crate::search::search_game;
use crate::syntax::Source;
use crate::syntax::token::Span;

use super::edits::{Edit, NOTHING, changed};
use super::subject::Subject;
use super::tree::{FailingPart, Shown};
use super::words::{Words, designator_of_content, listed, quoted};

/// The most changed queries that are tried, for fast and for slow queries.
const MOST_TRIALS: f64 = 120.0;
const FEW_TRIALS: f64 = 16.0;

/// The limit of the cost of all trials together, as estimated by the compiler, in looks at the squares of one kind of piece.
const COST: f64 = 2e9;

/// Changes, and the resulting query.
pub(super) struct Found {
    pub(super) edits: Vec<Edit>,
    pub(super) query: Vec<u8>,
}

/// Searches with changed queries.
pub(super) struct Trials<'t> {
    source: &'t Source,
    options: &'t Options,
    subject: &'t Subject<'t>,
    known: HashMap<Vec<u8>, Option<bool>>,
    left: usize,
}

impl<'t> Trials<'t> {
    /// Creates the trials of changes of a query.
    pub(super) fn new(query: &Query, source: &'t Source, options: &'t Options, subject: &'t Subject<'t>) -> Trials<'t> {
        let cost = query.body.facts.cost * subject.game.positions.len() as f64;
        Trials {
            source,
            options,
            subject,
            known: HashMap::new(),
            left: (COST / cost.max(1.0)).clamp(FEW_TRIALS, MOST_TRIALS) as usize,
        }
    }

    /// Returns whether no trial was left out.
    pub(super) fn are_complete(&self) -> bool {
        self.left > 0
    }

    /// Returns whether a part is in the text of the query, so that it can be changed.
    fn is_in_text(&self, span: Span) -> bool {
        span.end as usize <= self.source.bytes().len()
    }

    /// Returns whether the position matches a text; `None` if the text is not a query, or cannot be evaluated.
    fn matches(&mut self, text: Vec<u8>) -> Option<bool> {
        if let Some(known) = self.known.get(&text) {
            return *known;
        }
        self.left = self.left.checked_sub(1)?;
        let source = Source::new(self.source.name(), &*text);
        let query = compile(&source, self.options).ok();
        let found = query.and_then(|query| {
            let Subject {
                game,
                position,
                settings,
                interrupt,
            } = self.subject;
            let hit = search_game(&query, (*settings).clone(), interrupt, (*game).clone()).ok()?;
            Some(hit.matched && hit.positions.contains(position))
        });
        let found = found.filter(|_| !self.subject.interrupt.is_raised());
        self.known.insert(text, found);
        found
    }

    /// Returns whether the position matches the changed query.
    pub(super) fn hold(&mut self, edits: &[Edit]) -> Option<bool> {
        let text = changed(self.source, edits, NOTHING)?;
        self.matches(text)
    }

    /// Returns the changes with the resulting query. Removed filters leave no text behind if the query still matches.
    fn found(&mut self, edits: Vec<Edit>) -> Found {
        let spare = changed(self.source, &edits, "");
        if let Some(query) = spare
            && edits.iter().any(|edit| edit.insert.is_none())
            && self.matches(query.clone()) == Some(true)
        {
            return Found { edits, query };
        }
        let query = changed(self.source, &edits, NOTHING).unwrap_or_default();
        Found { edits, query }
    }

    /// Returns the smallest change found, in the filters that fail, with which the position matches.
    pub(super) fn nearest(&mut self, culprits: &[FailingPart<'_>], words: &Words<'_>) -> Option<Found> {
        let mut tests: Vec<(Span, Vec<Edit>)> = Vec::new();
        for culprit in culprits {
            let span = words.tree.parts[culprit.test.part].span;
            let edits = self.edits(culprit.part, words);
            match tests.iter_mut().find(|(known, _)| *known == span) {
                Some((_, known)) => known.extend(edits),
                None => tests.push((span, edits)),
            }
        }
        tests.retain(|(span, _)| self.is_in_text(*span));
        for edit in tests.iter().flat_map(|(_, edits)| edits) {
            if self.hold(std::slice::from_ref(edit)) == Some(true) {
                return Some(self.found(vec![edit.clone()]));
            }
        }
        let whole = words.tree.parts[0].span;
        let spans = tests.iter().map(|(span, _)| *span).filter(|span| *span != whole);
        let mut removals: Vec<Edit> = spans.map(Edit::removal).collect();
        removals.sort_by_key(|edit| edit.span.end - edit.span.start);
        for edit in &removals {
            if self.hold(std::slice::from_ref(edit)) == Some(true) {
                return Some(self.found(vec![edit.clone()]));
            }
        }
        let smallest = |(span, edits): &(Span, Vec<Edit>)| {
            let edit = edits.first().cloned();
            edit.or_else(|| Some(Edit::removal(*span)).filter(|_| *span != whole))
        };
        let all: Vec<Edit> = tests.iter().filter_map(smallest).collect();
        let together = [all, removals]
            .into_iter()
            .find(|edits| self.hold(edits) == Some(true))?;
        let least = self.minimized(together);
        Some(self.found(least))
    }

    /// Returns enough of the changes so that none of them can be left out.
    fn minimized(&mut self, edits: Vec<Edit>) -> Vec<Edit> {
        let mut needed = edits;
        let mut place = 0;
        while place < needed.len() {
            let mut fewer = needed.clone();
            fewer.remove(place);
            match self.hold(&fewer) {
                Some(true) => needed = fewer,
                _ => place += 1,
            }
        }
        needed
    }

    /// Returns small changes of a failing part with which it matches.
    fn edits(&self, part: &Shown, words: &Words<'_>) -> Vec<Edit> {
        let id = part.value.map_or(part.part, |(id, _)| id);
        let known = &words.tree.parts[id];
        let span = known.span;
        if !self.is_in_text(span) {
            return Vec::new();
        }
        let insert = match known.form {
            PartForm::Comparison {
                comparison,
                limit,
                number,
                is_left,
            } => {
                let operand = part
                    .parts
                    .iter()
                    .map(|part| words.value(part))
                    .find_map(|value| match value {
                        MatchValue::Number(number) => Some(*number),
                        _ => None,
                    });
                operand.and_then(|operand| {
                    let nearest = nearest_limit(comparison, operand, number, is_left)?;
                    let text = words.text(span);
                    let before = text.get(..limit.start.checked_sub(span.start)? as usize)?;
                    let behind = text.get(limit.end.checked_sub(span.start)? as usize..)?;
                    // Text of the prelude or a theme cannot be changed here.
                    let is_written = limit != span && span.contains(limit);
                    is_written.then(|| format!("{before}{nearest}{behind}"))
                })
            }
            PartForm::Designator(designator) => designator.squares.single_square().and_then(|square| {
                let event = &words.tree.events[part.event?];
                let position = words.game.positions.get(event.position? as usize)?;
                let piece = position.board.piece_at(square);
                let content = piece.map(|piece| (piece.color, piece.role.char()));
                designator_of_content(&designator, content)
            }),
            _ => match words.text(span) {
                "wtm" => Some("btm".to_owned()),
                "btm" => Some("wtm".to_owned()),
                _ => None,
            },
        };
        let insert = insert.into_iter();
        insert
            .map(|insert| Edit {
                span,
                insert: Some(insert),
            })
            .collect()
    }

    /// Returns the effect of removing each of the failing filters by itself.
    pub(super) fn removals(&mut self, shown: &Shown, words: &Words<'_>) -> Vec<(Span, bool)> {
        let mut spans = Vec::new();
        collect_tests(shown, words, &mut spans);
        let mut removals: Vec<(Span, bool)> = Vec::new();
        for span in spans {
            // Without any filter, everything matches.
            if span == words.tree.parts[0].span {
                continue;
            }
            if !self.is_in_text(span) || removals.iter().any(|(known, _)| *known == span) {
                continue;
            }
            if let Some(matches) = self.hold(&[Edit::removal(span)]) {
                removals.push((span, matches));
            }
        }
        removals
    }
}

/// Collects the failing filters that have to match, outer ones first.
fn collect_tests(shown: &Shown, words: &Words<'_>, spans: &mut Vec<Span>) {
    if !shown.is_blamed {
        return;
    }
    let part = &words.tree.parts[shown.part];
    if part.role == Role::Test && part.form != PartForm::Conjunction {
        spans.push(part.span);
    }
    for part in &shown.parts {
        collect_tests(part, words, spans);
    }
}

/// Returns the limit nearest to the written one with which a comparison holds.
fn nearest_limit(comparison: Comparison, operand: i32, written: i32, is_left: bool) -> Option<i32> {
    let holds = |limit: &i32| match is_left {
        true => comparison.holds(*limit, operand),
        false => comparison.holds(operand, *limit),
    };
    let near = [Some(operand), operand.checked_sub(1), operand.checked_add(1)];
    let fitting = near.into_iter().flatten().filter(holds);
    fitting.min_by_key(|limit| limit.abs_diff(written))
}

/// Returns the changes in words.
pub(super) fn sentence(edits: &[Edit], words: &Words<'_>) -> String {
    let of = |is_removal: bool| edits.iter().filter(move |edit| edit.insert.is_none() == is_removal);
    let replaced = of(false).map(|edit| {
        let insert = quoted(edit.insert.as_deref().unwrap_or_default());
        format!("{insert} in place of {}", words.quoted(edit.span))
    });
    let removed = of(true).map(|edit| words.quoted(edit.span));
    let (replaced, removed): (Vec<String>, Vec<String>) = (replaced.collect(), removed.collect());
    match (replaced.is_empty(), removed.is_empty()) {
        (_, true) => format!("With {} it would match.", listed(&replaced)),
        (true, false) => format!("Without {} it would match.", listed(&removed)),
        (false, false) => format!(
            "With {}, and without {}, it would match.",
            listed(&replaced),
            listed(&removed)
        ),
    }
}
