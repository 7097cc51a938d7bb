//! Numbers of pieces written like a repetition.

use super::super::token::Span;
use super::candidate::Candidate;
use super::pattern;
use super::text::{Text, advice};

/// Corrects `R{2,3}`, `R{2,}`, `R{,3}`: a set with bounds for its size.
pub(super) fn candidates(text: &Text<'_>) -> Vec<Candidate> {
    let found = text.starts().rev().find_map(|start| {
        let found = pattern::found(&["PIECES", "BOUNDS"], &text.tokens[start..])?;
        text.concerns(found.span).then_some(found)
    });
    let written = found.and_then(|found| {
        let [set, bounds]: [Span; 2] = found.elements.try_into().ok()?;
        let (least, most) = text.source.slice(bounds).trim_matches(['{', '}']).split_once(',')?;
        let set = text.source.slice(set);
        let comparison = match (least, most) {
            ("", most) => format!("#{set}<={most}"),
            (least, "") => format!("#{set}>={least}"),
            (least, most) => format!("{least}<=#{set}<={most}"),
        };
        Some(Candidate::new(found.span, comparison, advice("size-range")))
    });
    written.into_iter().collect()
}
