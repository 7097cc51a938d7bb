//! Finds out where in a query the cursor is, and what belongs there.

use std::sync::LazyLock;

use crate::query::prelude;
use crate::syntax::table::Table;
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::tree::Rule;

use super::document::Document;

/// The part of a query that the cursor is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum CursorContext {
    /// Before the header.
    Start,
    /// Inside `cql( )`.
    Header,
    /// After `hhdb`.
    Study,
    /// After a word that these may follow.
    Behind(Vec<&'static str>),
    /// Where a set is expected.
    Set,
    /// Among the filters.
    Body,
    /// In a comment or a string.
    Text,
}

/// The words that others may follow, with those followers. The heading says how many of them there may be.
static FOLLOWERS: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("followers.txt")));

/// Only one of these may follow.
const SIDES: [&str; 2] = ["white", "black"];

/// Words and signs that precede a set.
const BEFORE_SETS: &str = "attacks attackedby attack -> <- → ← & | ∩ ∪ ~ # power light dark up down left right northeast \
                           northwest southeast southwest vertical horizontal orthogonal diagonal maindiagonal offdiagonal \
                           anydirection rank file type colortype pieceid typename piecename makesquare";

/// Parameters of `move`, `pin` and `path` that precede a set.
const SET_PARAMETERS: [&str; 7] = [
    "from",
    "to",
    "through",
    "capture",
    "captures",
    "enpassantsquare",
    "focus",
];

/// Words with sets in their parentheses, besides the functions of the prelude.
const SET_CALLS: [&str; 4] = ["ray", "xray", "between", "intersection"];

/// Returns the context at an offset.
pub(super) fn cursor_context(document: &Document, offset: u32) -> CursorContext {
    let is_text = |token: &&Token| {
        matches!(token.kind, TokenKind::String(_)) && token.span.start < offset && offset < token.span.end
    };
    let tokens = document.tokens();
    if document.is_comment(offset) || tokens.iter().any(|token| is_text(&token)) {
        return CursorContext::Text;
    }
    let text = |token: &Token| document.source().slice(token.span);
    // The word that is being written does not count.
    let is_before = |token: &Token| {
        let ends_here = token.span.end == offset && token.kind != TokenKind::End;
        token.span.end < offset
            || ends_here && !text(token).ends_with(|last: char| last.is_alphanumeric() || last == '_')
    };
    let before = &tokens[..tokens.partition_point(is_before)];
    if before.is_empty() {
        return CursorContext::Start;
    }
    match header_end(document) {
        Some(end) if offset < end => return CursorContext::Header,
        _ => {}
    }
    let before: Vec<&str> = before.iter().map(text).collect();
    of_study(document, offset)
        .or_else(|| behind_word(&before))
        .or_else(|| of_set(&before))
        .unwrap_or(CursorContext::Body)
}

/// Returns where the header ends, if there is one: after its parenthesis, or nowhere if that is missing.
fn header_end(document: &Document) -> Option<u32> {
    let header = document.source().tree().all(Rule::header).next()?;
    let is_closed = header.child(Rule::close_paren).is_some();
    Some(if is_closed { header.span().end } else { u32::MAX })
}

/// Returns the context after `hhdb` and names that follow it.
fn of_study(document: &Document, offset: u32) -> Option<CursorContext> {
    let tokens = document.tokens();
    let before = &tokens[..tokens.partition_point(|token| token.span.end < offset)];
    let mut last = before.iter().rev();
    let last = last.find(|token| !matches!(token.kind, TokenKind::Name(_)))?;
    (last.kind == TokenKind::Word("hhdb")).then_some(CursorContext::Study)
}

/// Returns the context after a word that has followers, and after some of these.
fn behind_word(before: &[&str]) -> Option<CursorContext> {
    let mut used: Vec<&str> = Vec::new();
    let mut rest = before;
    while let Some((last, front)) = rest.split_last() {
        if let Some(row) = FOLLOWERS.rows.iter().find(|row| row.key == *last) {
            let belongs = |used: &&str| match *used {
                OPERAND => row.heading.ends_with("operands between them"),
                used => row.values.contains(&used),
            };
            if used.iter().all(belongs) && (used.is_empty() || row.heading.starts_with("several")) {
                if used.first().is_some_and(|last| SET_PARAMETERS.contains(last)) {
                    return Some(CursorContext::Set);
                }
                let has_side = SIDES.iter().any(|side| used.contains(side));
                let is_left = |one: &&str| !(used.contains(one) || has_side && SIDES.contains(one));
                return Some(CursorContext::Behind(
                    row.values.iter().copied().filter(is_left).collect(),
                ));
            }
        }
        let is_follower = FOLLOWERS.rows.iter().any(|row| row.values.contains(last));
        if is_follower {
            used.push(last);
            rest = front;
        } else {
            let length = operand(rest)?;
            used.push(OPERAND);
            rest = &rest[..rest.len() - length];
        }
    }
    None
}

/// The placeholder for an operand in the list of followers.
const OPERAND: &str = "S";

/// Returns the number of tokens of the last operand: a designator, a name, a number, a string, or brackets.
fn operand(before: &[&str]) -> Option<usize> {
    let last = before.last()?;
    if [")", "}"].contains(last) {
        let open = opened(&before[..before.len() - 1])?;
        return Some(before.len() - open);
    }
    let is_value = last.starts_with(|first: char| first.is_alphanumeric() || "_.[".contains(first));
    let is_word = crate::syntax::reserved_words().any(|word| word == *last);
    (is_value && !is_word).then_some(1)
}

/// Returns the index of the innermost bracket that is open at the end of the tokens.
fn opened(before: &[&str]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, text) in before.iter().enumerate().rev() {
        match *text {
            ")" | "}" => depth += 1,
            "(" | "{" if depth == 0 => return Some(at),
            "(" | "{" => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Returns the context in the parentheses of a word that takes sets, or after a word that takes a set.
fn of_set(before: &[&str]) -> Option<CursorContext> {
    let last = before.last()?;
    if BEFORE_SETS.split_whitespace().any(|word| word == *last) {
        return Some(CursorContext::Set);
    }
    let open = opened(before).filter(|open| before[*open] == "(")?;
    let front = &before[..open];
    // There may be directions before the parenthesis.
    let word = front
        .iter()
        .rev()
        .find(|word| !BEFORE_SETS.split_whitespace().any(|direction| direction == **word))?;
    let is_prelude = prelude::functions().iter().any(|function| function.name() == *word);
    (SET_CALLS.contains(word) || is_prelude).then_some(CursorContext::Set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_has_followers_and_is_below_how_many_of_them_there_may_be() {
        let headings = [
            "one of these",
            "several of these",
            "several of these, with operands between them",
        ];
        for row in &FOLLOWERS.rows {
            let is_whole = headings.contains(&row.heading) && !row.values.is_empty();
            assert!(is_whole, "followers.txt:{}", row.line);
        }
    }
}
