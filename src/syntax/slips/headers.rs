//! Slips about headers: items of the header in other places, and headers in other brackets.

use super::super::keywords;
use super::super::tree::{Node, Rule};
use super::super::words::nearest;
use super::candidate::Candidate;
use super::text::Text;
use crate::syntax::token::Span;

const OF_HEADER: &str = "the header says what a query reads and writes: `cql(input games.pgn variations)`";

/// Returns corrections for items after the header, for filters in it, and for brackets other than `( )` after `cql`.
pub(super) fn candidates(text: &Text<'_>) -> Vec<Candidate> {
    let header = text.source.tree().all(Rule::header).next();
    match header {
        Some(header) => match in_body(text, header) {
            Some(moved) => vec![moved],
            None => misspelt(text, header)
                .into_iter()
                .chain(in_header(text, header))
                .collect(),
        },
        None => other_brackets(text).into_iter().collect(),
    }
}

/// Corrects `cql() variations mate`, `cql() input a.pgn mate`.
fn in_body(text: &Text<'_>, header: Node<'_>) -> Option<Candidate> {
    let close = header.child(Rule::close_paren)?.span();
    let at = text.at_error();
    let item = text.tokens.get(at).filter(|token| token.span.start >= close.end)?;
    let length = match item.text {
        "variations" | "silent" | "quiet" => 1,
        "matchstring" => 2,
        "matchcount" | "gamenumber" => {
            let is_number = |offset: usize| {
                text.tokens
                    .get(at + offset)
                    .is_some_and(|next| next.rule == Rule::integer)
            };
            1 + usize::from(is_number(1)) + usize::from(is_number(2))
        }
        _ if item.rule == Rule::file => 1,
        _ => return None,
    };
    let span = item.span.to(text.tokens.get(at + length - 1)?.span);
    let blank = if header
        .children_of(Rule::open_paren)
        .any(|open| open.span().end == close.start)
    {
        ""
    } else {
        " "
    };
    let moved = format!("{blank}{}", text.source.slice(span));
    Some(Candidate {
        edits: vec![(close.before(), moved), (span, String::new())],
        title: Some("Move it into the header"),
        ..Candidate::new(span, "", OF_HEADER).with_message("this belongs in the header")
    })
}

/// Corrects `cql(variation)`.
fn misspelt(text: &Text<'_>, header: Node<'_>) -> Option<Candidate> {
    let word = text.tokens.get(text.at_error())?;
    let meant = nearest(word.text, keywords::in_header())?;
    let is_inside = header.span().contains(word.span) && word.span != header.span();
    is_inside.then(|| Candidate::new(word.span, meant, OF_HEADER))
}

/// Corrects `cql(games.pgn)`, `cql(mate)`, `cql(input a.pgn mate)`.
fn in_header(text: &Text<'_>, header: Node<'_>) -> Option<Candidate> {
    let close = header.child(Rule::close_paren)?.span();
    let error = text.error;
    if error.start >= close.start || error.start <= header.span().start + 3 {
        return None;
    }
    // A filter in the header: the parentheses should end before it.
    let filters = Span {
        start: error.start,
        end: close.start,
    };
    let filters_text = text.source.slice(filters).trim().to_owned();
    if filters_text.ends_with(".pgn") && !filters_text.contains(char::is_whitespace) {
        let input = format!("input {filters_text}");
        return Some(Candidate::new(filters, input, OF_HEADER));
    }
    let before = text.source.text()[..error.start as usize].trim_end().len();
    let replaced = Span::new(before, close.end as usize);
    Some(Candidate {
        edits: vec![(replaced, format!(")\n{filters_text}"))],
        title: Some("Move it after the header"),
        ..Candidate::new(filters, "", "filters come after the header").with_message("a filter in the header")
    })
}

/// Corrects `cql{}`, `cql[]`, `CQL()`, `cql mate`, `cql: mate`.
fn other_brackets(text: &Text<'_>) -> Option<Candidate> {
    let [first, rest @ ..] = text.tokens.as_slice() else {
        return None;
    };
    if !first.text.eq_ignore_ascii_case("cql") {
        return None;
    }
    const SAYS: &str = "a query begins with `cql()`, in small letters, with what it reads between the parentheses";
    let texts: Vec<&str> = rest.iter().take(3).map(|token| token.text).collect();
    let length = match texts.as_slice() {
        ["{", "}", ..] | ["[", "]", ..] | ["(", ")", ..] => 2,
        ["[]" | ":" | ";", ..] => 1,
        _ => 0,
    };
    let span = rest
        .get(..length)?
        .last()
        .map_or(first.span, |last| first.span.to(last.span));
    Some(Candidate::new(span, "cql()", SAYS))
}
