//! Forms of older versions of CQL that have a modern equivalent (1.9 of the language reference).

use super::{Lint, Warning, warning};
use crate::syntax::token::{Sign, Span, Token, TokenKind};
use crate::syntax::{Diagnostic, Source};

pub(super) fn check(source: &Source, tokens: &[Token], warnings: &mut Vec<Warning>) {
    for at in 0..tokens.len() {
        let found = word_at(tokens, at).and_then(|word| match word {
            "ray" => ray_attack(source, tokens, at),
            "attack" if !is_ray(tokens, at) => Some(old(tokens[at].span, "attack", "attacks")),
            "attacked" => attacked_by(tokens, at),
            "string" => key_loop(source, tokens, at),
            "result" => quoted_result(source, tokens, at),
            _ => None,
        });
        warnings.extend(found.map(|error| warning(Lint::Deprecated, error)));
    }
}

fn word_at(tokens: &[Token], at: usize) -> Option<&'static str> {
    match tokens.get(at)?.kind {
        TokenKind::Word(word) => Some(word),
        _ => None,
    }
}

fn is_ray(tokens: &[Token], at: usize) -> bool {
    at > 0 && word_at(tokens, at - 1) == Some("ray")
}

fn old(span: Span, form: &str, modern: &str) -> Diagnostic {
    Diagnostic::new(span, format!("`{form}` is an old form")).label(format!("write `{modern}`"))
}

/// `ray attack ( … )`
fn ray_attack(source: &Source, tokens: &[Token], at: usize) -> Option<Diagnostic> {
    let word = word_at(tokens, at + 1).filter(|word| matches!(*word, "attack" | "attacks"))?;
    let open = at + 2;
    let mut depth = 0;
    let close = (open..tokens.len()).find(|&at| {
        match tokens[at].kind {
            TokenKind::Sign(Sign::OpenParen) => depth += 1,
            TokenKind::Sign(Sign::CloseParen) => depth -= 1,
            _ => {}
        }
        depth == 0
    })?;
    let list = source.slice(tokens[open].span.to(tokens[close].span));
    let span = tokens[at].span.to(tokens[at + 1].span);
    let error = old(span, &format!("ray {word}"), "xray");
    let sets = &tokens[open + 1..close];
    let simple = sets
        .iter()
        .all(|token| matches!(token.kind, TokenKind::Designator(_) | TokenKind::Name(_)));
    Some(if list.contains('\n') {
        error
    } else if simple && sets.len() > 2 {
        let mut sets: Vec<&str> = sets.iter().map(|token| source.slice(token.span)).collect();
        sets.reverse();
        error.hint(format!("`xray {list}`, or with arrows `{}`", sets.join(" <- ")))
    } else {
        error.hint(format!("`xray {list}`"))
    })
}

/// `attacked by`
fn attacked_by(tokens: &[Token], at: usize) -> Option<Diagnostic> {
    let by = tokens.get(at + 1).filter(|token| token.kind == TokenKind::Word("by"))?;
    Some(old(tokens[at].span.to(by.span), "attacked by", "attackedby"))
}

/// `string x in D f`
fn key_loop(source: &Source, tokens: &[Token], at: usize) -> Option<Diagnostic> {
    let [name, word, dictionary, ..] = tokens.get(at + 1..)? else {
        return None;
    };
    let is_loop = matches!(name.kind, TokenKind::Name(_)) && word.kind == TokenKind::Word("in");
    let (name, named) = (source.slice(name.span), source.slice(dictionary.span));
    is_loop.then(|| {
        old(
            tokens[at].span.to(dictionary.span),
            "string … in",
            &format!("{name}[element]{named}"),
        )
    })
}

/// `result "1-0"`
fn quoted_result(source: &Source, tokens: &[Token], at: usize) -> Option<Diagnostic> {
    let quoted = tokens
        .get(at + 1)
        .filter(|token| matches!(token.kind, TokenKind::String(_)))?;
    let text = source.slice(quoted.span);
    Some(old(
        quoted.span,
        &format!("result {text}"),
        &format!("result {}", text.trim_matches('"')),
    ))
}
