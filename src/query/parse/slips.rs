//! Finds out what was probably meant in a text that does not compile: of the changes that the tables of [`slips`](crate::syntax::slips)
//! propose, those that make the error go away.

use crate::syntax::slips::{Candidate, candidates};
use crate::syntax::{Diagnostic, Source, apply, parse};

use super::builder::{Builder, Built, TypedQuery};
use super::options::Options;
use crate::syntax::token::Span;

/// The maximum length of texts for which changes are tried.
const LONGEST: usize = 20_000;

/// The maximum number of changes that are tried.
const MOST_TRIALS: usize = 24;

/// Parses a text without looking for slips.
pub(super) fn typed(source: &Source, options: &Options) -> Built<TypedQuery> {
    Builder::new(parse(source)?, source, options).query(source, options)
}

/// Returns the error with the form that was probably meant, if one is known; otherwise the error itself.
pub(super) fn advised(source: &Source, options: &Options, error: Diagnostic) -> Diagnostic {
    let length = source.text().len();
    // Options follow the text.
    if length > LONGEST || error.span.start as usize > length {
        return error;
    }
    let mut accepted: Vec<Candidate> = Vec::new();
    for candidate in candidates(source, error.span).into_iter().take(MOST_TRIALS) {
        let is_alternative = accepted.first().is_none_or(|first| candidate.is_alternative_to(first));
        let is_too_bold = candidate.is_bold && !error.fixes.is_empty();
        if is_alternative && !is_too_bold && helps(source, options, &error, &candidate) {
            accepted.push(candidate);
        }
    }
    match accepted.first() {
        Some(first) => proposed(source, error, first, &accepted),
        None => error,
    }
}

/// Returns whether the changed text compiles, or at least up to a place after the change.
fn helps(source: &Source, options: &Options, error: &Diagnostic, candidate: &Candidate) -> bool {
    let changed = Source::new(source.name(), apply(source.text(), &candidate.edits));
    let Err(next) = typed(&changed, options) else {
        return true;
    };
    let is_behind = |(span, _): &(Span, String)| span.start <= error.span.start;
    let grown = |edits: &[(Span, String)]| -> i64 {
        let growth = |(span, text): &(Span, String)| text.len() as i64 - span.range().len() as i64;
        edits.iter().map(growth).sum()
    };
    let last = candidate
        .edits
        .iter()
        .map(|(span, _)| span.end)
        .max()
        .unwrap_or_default();
    let end = i64::from(last.max(candidate.span.end)) + grown(&candidate.edits);
    let text_end = changed.text().trim_end().len();
    // The same error again does not count as a later one.
    let in_front: Vec<_> = candidate
        .edits
        .iter()
        .filter(|(span, _)| span.end <= error.span.start)
        .cloned()
        .collect();
    let is_same =
        next.message == error.message && i64::from(next.span.start) == i64::from(error.span.start) + grown(&in_front);
    !is_same
        && candidate.edits.iter().any(is_behind)
        && i64::from(next.span.start) >= end
        && (next.span.start as usize) < text_end
}

/// Returns the error with the proposals instead of its own advice.
fn proposed(source: &Source, error: Diagnostic, first: &Candidate, all: &[Candidate]) -> Diagnostic {
    let error = match first.message {
        Some(message) => Diagnostic::new(first.span, message),
        None => Diagnostic {
            hints: Box::default(),
            fixes: Box::default(),
            ..error
        },
    };
    let written: Vec<String> = all.iter().filter_map(|candidate| candidate.shown(source)).collect();
    let error = error.hint(first.says);
    let error = match written.as_slice() {
        [] => error,
        [one] if first.says.contains(&**one) => error,
        several => error.hint(format!("write {}", several.join(" or "))),
    };
    all.iter()
        .fold(error, |error, candidate| match candidate.edits.as_slice() {
            [(span, text)] if candidate.title.is_none() => error.change(*span, text.clone()),
            edits => error.fix(candidate.title.unwrap_or("Write it so"), edits.iter().cloned()),
        })
}
