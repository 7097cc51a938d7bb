//! Decides where lines begin: where the author began one, and where the style requires one.

use std::cmp::Reverse;

use super::super::token::{Sign, Token, TokenKind};
use super::items::{Break, Form, Items};
use super::outline::Shape;

/// Returns the line ends before each item.
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
    before_operators(items, &mut breaks);
    joined(items, shape, &mut breaks);
    breaks
}

/// Begins a new line after a line comment, and after a block comment of several lines.
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

/// Keeps the header on one line unless it contains a comment, and adds a blank line after it.
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
        inside.for_each(|at| set(items, breaks, at, Break::None));
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

/// Sets a break, but does not remove line ends that have a meaning.
fn set(items: &Items<'_>, breaks: &mut [Break], at: usize, to: Break) {
    breaks[at] = if items.items[at].fixed { breaks[at].max(to) } else { to };
}

/// Keeps the contents of brackets on their line, or gives them lines of their own.
fn bracket(items: &Items<'_>, shape: &Shape, open: usize, breaks: &mut [Break]) {
    if is_unfolded(items, open, breaks) && !items.is_sign(open, Sign::OpenBracket) {
        unfold(items, shape, open, breaks);
    }
}

/// Begins lines after an opening bracket, before its partner, and with each statement between them.
pub(super) fn unfold(items: &Items<'_>, shape: &Shape, open: usize, breaks: &mut [Break]) {
    let Some(close) = items.partners[open] else { return };
    let comment_trails = items.items[open + 1].form == Form::LineComment && breaks[open + 1] == Break::None;
    if !comment_trails {
        set(items, breaks, open + 1, Break::Line);
    }
    set(items, breaks, close, Break::Line);
    statements(items, shape, Some(open), breaks);
}

/// Begins lines with the statements of a block, or of the body. Small statements may stay together on a line.
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
            let small = is_small(&items.tokens[token..=last]);
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

/// Returns whether a filter is small: `Kg1`, `wtm`, `not Pc2`, `R == 1`.
fn is_small(tokens: &[&Token]) -> bool {
    let kind = |token: &&Token| match &token.kind {
        TokenKind::Designator(_) | TokenKind::Name(_) | TokenKind::Word(_) => true,
        TokenKind::Sign(sign) => matches!(sign, Sign::Dot | Sign::EmptySet),
        _ => false,
    };
    match tokens {
        [one] => kind(one),
        [not, one] => not.kind == TokenKind::Word("not") && kind(one),
        [one, sign, number] => {
            let compares = matches!(
                sign.kind,
                TokenKind::Sign(
                    Sign::Equal | Sign::NotEqual | Sign::Less | Sign::LessEqual | Sign::Greater | Sign::GreaterEqual
                )
            );
            compares && kind(one) && matches!(number.kind, TokenKind::Integer(_))
        }
        _ => false,
    }
}

/// Moves `and` and `or` from the end of a line to the beginning of the next.
fn before_operators(items: &Items<'_>, breaks: &mut [Break]) {
    for at in 2..breaks.len() {
        let after_word = items.is_word(at - 1, &["and", "or"]) && items.token(at).is_some();
        if after_word && breaks[at] == Break::Line && !items.items[at].fixed {
            breaks[at] = Break::None;
            breaks[at - 1] = breaks[at - 1].max(Break::Line);
        }
    }
}

/// Removes line ends between parts that belong together: before the brace of a body with several lines, and between such a block and the
/// `or` or `else` after it.
fn joined(items: &Items<'_>, shape: &Shape, breaks: &mut [Break]) {
    for at in 1..breaks.len() {
        let (Form::Token(token), Form::Token(_), Break::Line) =
            (items.items[at].form, items.items[at - 1].form, breaks[at])
        else {
            continue;
        };
        let follows = items.is_word(at, &["and", "or", "else", "then"])
            && items.is_sign(at - 1, Sign::CloseBrace)
            && is_unfolded(items, at - 1, breaks);
        if follows
            || items.is_sign(at, Sign::OpenBrace) && is_unfolded(items, at, breaks) && is_body(items, shape, token)
        {
            set(items, breaks, at, Break::None);
        }
    }
}

/// Returns whether a pair of brackets, named by one of them, has lines of its own.
pub(super) fn is_unfolded(items: &Items<'_>, bracket: usize, breaks: &[Break]) -> bool {
    let is_broken = |partner: usize| {
        let inside = bracket.min(partner) + 1..=bracket.max(partner);
        breaks[inside].iter().any(|before| *before != Break::None)
    };
    items.partners[bracket].is_some_and(is_broken)
}

/// Returns whether the block that begins with a token is everything that follows a word, or the whole body of something.
fn is_body(items: &Items<'_>, shape: &Shape, token: usize) -> bool {
    if shape.statements[token].is_some() || shape.constituents[token] {
        return false;
    }
    let Some(Form::Token(close)) = items.partners[items.places[token]].map(|close| items.items[close].form) else {
        return false;
    };
    let after_word = token > 0 && matches!(items.tokens[token - 1].kind, TokenKind::Word(_));
    let is_operand = matches!(
        token.checked_sub(1).map(|before| &items.tokens[before].kind),
        Some(TokenKind::Word("and" | "or" | "not"))
    );
    let is_filter = shape
        .filters
        .binary_search_by_key(&(token, Reverse(close)), |&(first, last)| (first, Reverse(last)));
    is_operand || is_filter.is_ok() && (after_word || !is_list_item(items, token))
}

/// Returns whether a token is directly after an opening parenthesis, or after another item in parentheses.
fn is_list_item(items: &Items<'_>, token: usize) -> bool {
    let before = items.places[..token].iter().rev();
    let open = before
        .copied()
        .find(|&place| items.partners[place].is_some_and(|close| close > items.places[token]));
    open.is_some_and(|open| items.is_sign(open, Sign::OpenParen))
}
