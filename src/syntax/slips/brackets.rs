//! Brackets of other kinds, and commas between arguments.

use super::super::token::Span;
use super::candidate::Candidate;
use super::text::Text;

const COMMAS: &str = "filters and arguments are separated by white space, not by commas";

/// Returns whether square brackets touch what is before them: `D[x]` is an entry of a dictionary or a part of a string.
pub(super) fn touch(text: &Text<'_>, brackets: Span) -> bool {
    let (before, inside) = text.source.text().split_at(brackets.start as usize);
    inside.starts_with('[') && before.ends_with(|last: char| !last.is_whitespace() && !"([{".contains(last))
}

/// Returns a correction of all commas within one pair of brackets.
pub(super) fn candidates(text: &Text<'_>) -> Vec<Candidate> {
    let at = text.at_error();
    let Some(first) = text.tokens.get(at).filter(|token| token.text == ",") else {
        return Vec::new();
    };
    let mut depth = 0_usize;
    let mut found = vec![first.span];
    for token in &text.tokens[at + 1..] {
        match token.text {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" if depth == 0 => break,
            ")" | "}" | "]" => depth -= 1,
            "," if depth == 0 => found.push(token.span),
            _ => {}
        }
    }
    let blank = |span: Span| {
        let rest = &text.source.text()[span.end as usize..];
        (span, if rest.starts_with([' ', '\n']) { "" } else { " " }.to_owned())
    };
    let mut candidate = Candidate::new(first.span, "", COMMAS);
    candidate.edits = found.into_iter().map(blank).collect();
    candidate.title = Some("Leave out the commas");
    vec![candidate]
}
