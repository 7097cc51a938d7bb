//! Where lines begin: where the author began one, and where the style wants one.

use super::super::token::{Sign, TokenKind};
use super::items::{Break, Form, Items};
use super::outline::Shape;

/// The line ends before each item.
pub(super) fn breaks(items: &Items<'_>, shape: &Shape) -> Vec<Break> {
    let mut breaks: Vec<Break> = items.items.iter().map(|item| item.before).collect();
    after_line_comments(items, &mut breaks);
    header(items, &mut breaks);
    for open in 0..items.items.len() {
        if items.partners[open].is_some_and(|close| close > open) {
            bracket(items, shape, open, &mut breaks);
        }
    }
    statements(items, shape, None, &mut breaks);
    joined(items, shape, &mut breaks);
    breaks
}

/// A comment that ends with its line ends the line, and one of several lines begins a new one after it.
fn after_line_comments(items: &Items<'_>, breaks: &mut [Break]) {
    for (before, next) in std::iter::zip(&items.items, breaks.iter_mut().skip(1)) {
        let ends_line = match before.form {
            Form::LineComment => true,
            Form::BlockComment => before.text.contains(&b'\n'),
            Form::Token(_) => false,
        };
        if ends_line {
            *next = (*next).max(Break::Line);
        }
    }
}

/// The header is one line where no comment is in it; a blank line follows it.
fn header(items: &Items<'_>, breaks: &mut [Break]) {
    let Some(&word) = items.places.first().filter(|&&place| items.is_word(place, &["cql"])) else {
        return;
    };
    let Some(close) = items.places.get(1).and_then(|&open| items.partners[open]) else {
        return;
    };
    let inside = word + 1..=close;
    if items.items[inside.clone()]
        .iter()
        .all(|item| matches!(item.form, Form::Token(_)))
    {
        breaks[inside].fill(Break::None);
    }
    let mut next = close + 1;
    let trails = |at: usize, breaks: &[Break]| {
        breaks.get(at) == Some(&Break::None) && !matches!(items.items[at].form, Form::Token(_))
    };
    while trails(next, breaks) {
        next += 1;
    }
    if let Some(before) = breaks.get_mut(next) {
        *before = Break::Blank;
    }
}

/// Sets a break, except that one which means something is not taken away.
fn set(items: &Items<'_>, breaks: &mut [Break], at: usize, to: Break) {
    breaks[at] = if items.items[at].fixed { breaks[at].max(to) } else { to };
}

/// What is in brackets stays on their line, or begins and ends on lines of its own.
fn bracket(items: &Items<'_>, shape: &Shape, open: usize, breaks: &mut [Break]) {
    let Some(close) = items.partners[open] else { return };
    let one_line = breaks[open + 1..=close].iter().all(|before| *before == Break::None);
    if !one_line && !items.is_sign(open, Sign::OpenBracket) {
        unfold(items, shape, open, breaks);
    }
}

/// Begins lines after an opening bracket, before the one that closes it, and with each statement between them.
pub(super) fn unfold(items: &Items<'_>, shape: &Shape, open: usize, breaks: &mut [Break]) {
    let Some(close) = items.partners[open] else { return };
    let comment_trails = items.items[open + 1].form == Form::LineComment && breaks[open + 1] == Break::None;
    if !comment_trails {
        set(items, breaks, open + 1, Break::Line);
    }
    set(items, breaks, close, Break::Line);
    statements(items, shape, Some(open), breaks);
}

/// Begins lines with the statements of a block, or with those of the body. Words, names and designators that stand on a
/// line together may stay there.
fn statements(items: &Items<'_>, shape: &Shape, block: Option<usize>, breaks: &mut [Break]) {
    let range = match block {
        Some(open) => open + 1..items.partners[open].unwrap_or(open),
        None => 0..items.items.len(),
    };
    let mut at = range.start;
    let mut small_before = false;
    while at < range.end {
        if let Form::Token(token) = items.items[at].form
            && let Some(last) = shape.statements[token]
        {
            let small = last == token;
            let comment_before = at > 0 && !matches!(items.items[at - 1].form, Form::Token(_));
            if breaks[at] == Break::None && at > 0 && !comment_before && !(small && small_before) {
                breaks[at] = Break::Line;
            }
            small_before = small;
            at = items.places[last] + 1;
        } else {
            at = items.partners[at].filter(|&close| close > at).unwrap_or(at) + 1;
        }
    }
}

/// Takes back line ends that separate what belongs together: before the brace of a body, and between a block and the
/// `or` or `else` after it.
fn joined(items: &Items<'_>, shape: &Shape, breaks: &mut [Break]) {
    for at in 1..breaks.len() {
        let before = items.token(at - 1).map(|token| &token.kind);
        let (Form::Token(token), Some(before), Break::Line) = (items.items[at].form, before, breaks[at]) else {
            continue;
        };
        let joins = match before {
            TokenKind::Sign(Sign::CloseBrace) => {
                items.is_word(at, &["and", "or", "else", "then"]) && is_open(items, at - 1, breaks)
            }
            TokenKind::Word(_) => items.is_sign(at, Sign::OpenBrace) && !is_element(shape, token),
            _ => items.is_sign(at, Sign::OpenBrace) && begins_body(shape, token),
        };
        if joins {
            set(items, breaks, at, Break::None);
        }
    }
}

/// Whether the block that a brace closes has lines of its own.
fn is_open(items: &Items<'_>, close: usize, breaks: &[Break]) -> bool {
    items.partners[close].is_some_and(|open| breaks[open + 1..=close].iter().any(|before| *before != Break::None))
}

/// Whether a token begins an element of a list.
fn is_element(shape: &Shape, token: usize) -> bool {
    shape.statements[token].is_some()
}

/// Whether a filter that is no element of a list begins with a token.
fn begins_body(shape: &Shape, token: usize) -> bool {
    shape.starts[token] && !is_element(shape, token)
}
