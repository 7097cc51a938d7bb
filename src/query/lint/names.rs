//! Names that nothing reads. Tokens are enough to know: a name has one meaning in the whole query, and what is only
//! assigned to is never read. Names that begin with `_` are meant to be unused.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use super::{Lint, Warning, warning};
use crate::syntax::Diagnostic;
use crate::syntax::token::{Sign, Span, Token, TokenKind};

/// What the text does with a name.
struct Uses {
    /// Where it stands first.
    first: Span,
    /// It is a variable of an assignment or of a loop.
    variable: bool,
    /// Its value is asked for somewhere, or lives longer than a game.
    read: bool,
}

pub(super) fn check(tokens: &[Token], warnings: &mut Vec<Warning>) {
    let functions = functions(tokens);
    let parameters = unused_functions_and_parameters(tokens, &functions, warnings);
    let mut names: HashMap<&str, Uses> = HashMap::new();
    for (at, token) in tokens.iter().enumerate() {
        let Some(name) = name(token).filter(|_| !parameters.contains(&at)) else {
            continue;
        };
        let uses = names.entry(name).or_insert(Uses {
            first: token.span,
            variable: false,
            read: false,
        });
        if is_written(tokens, at) {
            uses.variable = true;
        } else {
            uses.read = true;
        }
    }
    for asked in asked_by_text(tokens) {
        if let Some(uses) = names.get_mut(asked) {
            uses.read = true;
        }
    }
    let unused = names
        .into_iter()
        .filter(|(name, uses)| uses.variable && !uses.read && !name.starts_with('_'));
    warnings.extend(unused.map(|(name, uses)| {
        let message = format!("nothing reads the variable `{name}`");
        let error = Diagnostic::new(uses.first, message).hint(format!("`_{name}` says that this is meant"));
        warning(Lint::UnusedVariable, error)
    }));
}

fn name(token: &Token) -> Option<&str> {
    match &token.kind {
        TokenKind::Name(name) => Some(name),
        _ => None,
    }
}

/// Whether the name at a place does nothing but get a value that ends with its game. A persistent variable is shown at the end.
fn is_written(tokens: &[Token], at: usize) -> bool {
    let before = |distance: usize| at.checked_sub(distance).map(|before| &tokens[before].kind);
    let word = |distance: usize, words: &[&str]| matches!(before(distance), Some(TokenKind::Word(word)) if words.contains(word));
    if word(1, &["persistent"]) || word(1, &["quiet"]) && word(2, &["persistent"]) {
        return false;
    }
    // What a pawn becomes: `--x=Q`.
    let promotes = matches!(
        before(1),
        Some(TokenKind::Dash { .. } | TokenKind::Sign(Sign::Union | Sign::Intersect | Sign::Right | Sign::Left))
    );
    match tokens.get(at + 1).map(|after| &after.kind) {
        Some(TokenKind::Sign(sign)) if sign.is_assignment() => !promotes,
        Some(TokenKind::Sign(Sign::Element)) => true,
        Some(TokenKind::Word("in")) => word(1, &["square", "piece", "all", "string"]),
        _ => false,
    }
}

/// The names in quotes after `isbound` and `isunbound`.
fn asked_by_text(tokens: &[Token]) -> impl Iterator<Item = &str> {
    tokens
        .windows(2)
        .filter_map(|pair| match (&pair[0].kind, &pair[1].kind) {
            (TokenKind::Word("isbound" | "isunbound"), TokenKind::String(name)) => std::str::from_utf8(name).ok(),
            _ => None,
        })
}

/// A function as it is written.
struct Function<'a> {
    name: &'a str,
    /// The place of its name.
    at: usize,
    /// The places of its parameters.
    parameters: Range<usize>,
    /// The places of its body.
    body: Range<usize>,
}

fn functions(tokens: &[Token]) -> Vec<Function<'_>> {
    let starts = (0..tokens.len()).filter(|&at| tokens[at].kind == TokenKind::Word("function"));
    starts.filter_map(|at| function(tokens, at + 1)).collect()
}

/// The function whose name stands at a place.
fn function(tokens: &[Token], at: usize) -> Option<Function<'_>> {
    let name = name(tokens.get(at)?)?;
    let sign = |sign| move |token: &Token| token.kind == TokenKind::Sign(sign);
    let parameters = at + 2..at + tokens[at..].iter().position(sign(Sign::CloseParen))?;
    let open = parameters.end + 1;
    let body = match tokens.get(open)?.kind {
        TokenKind::Sign(Sign::OpenBrace) => open + 1..closing(tokens, open)?,
        _ => open..open + 1,
    };
    Some(Function {
        name,
        at,
        parameters,
        body,
    })
}

/// The brace that closes the one at a place.
fn closing(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0;
    (open..tokens.len()).find(|&at| {
        match tokens[at].kind {
            TokenKind::Sign(Sign::OpenBrace) => depth += 1,
            TokenKind::Sign(Sign::CloseBrace) => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// Warns of functions and parameters without use; the places of all names that are functions or parameters.
fn unused_functions_and_parameters(
    tokens: &[Token],
    functions: &[Function<'_>],
    warnings: &mut Vec<Warning>,
) -> HashSet<usize> {
    let mut places = HashSet::new();
    let named = places_by_name(tokens);
    let named = |word: &str| named.get(word).map_or(&[][..], Vec::as_slice);
    for function in functions {
        let everywhere = named(function.name);
        let called = everywhere
            .iter()
            .any(|at| *at != function.at && !function.body.contains(at));
        places.extend(everywhere);
        if !called && !function.name.starts_with('_') {
            let message = format!("nothing calls the function `{}`", function.name);
            let error =
                Diagnostic::new(tokens[function.at].span, message).hint("its body is not even checked for errors");
            warnings.push(warning(Lint::UnusedFunction, error));
        }
        for at in function.parameters.clone() {
            let Some(parameter) = name(&tokens[at]) else { continue };
            let uses = within(named(parameter), &function.body);
            if uses.is_empty() && called && !parameter.starts_with('_') {
                let message = format!("`{}` does not use its parameter `{parameter}`", function.name);
                let error =
                    Diagnostic::new(tokens[at].span, message).hint(format!("`_{parameter}` says that this is meant"));
                warnings.push(warning(Lint::UnusedParameter, error));
            }
            places.insert(at);
            places.extend(uses);
        }
    }
    places
}

/// The places of each name, in order.
fn places_by_name(tokens: &[Token]) -> HashMap<&str, Vec<usize>> {
    let mut places: HashMap<&str, Vec<usize>> = HashMap::new();
    for (at, token) in tokens.iter().enumerate() {
        if let Some(name) = name(token) {
            places.entry(name).or_default().push(at);
        }
    }
    places
}

/// Those of some places, which are in order, that are in a range.
fn within<'a>(places: &'a [usize], range: &Range<usize>) -> &'a [usize] {
    let first = places.partition_point(|&at| at < range.start);
    let end = places.partition_point(|&at| at < range.end);
    &places[first..end.max(first)]
}
