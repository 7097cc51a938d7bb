//! The notation of the tables: what a slip looks like, and what is written instead.

use std::sync::LazyLock;

use super::super::designator::{is_designator_word, is_piece_letter};
use super::super::source::Source;
use super::super::table::Table;
use super::super::token::Span;
use super::super::tree::{Node, Rule};

/// A token of a text that may be wrong in any way.
#[derive(Clone, Copy)]
pub(super) struct LooseToken<'s> {
    pub(super) text: &'s str,
    pub(super) span: Span,
    pub(super) rule: Rule,
}

/// The tokens of a text.
pub(super) fn tokens(source: &Source) -> Vec<LooseToken<'_>> {
    let token = |leaf: Node<'_>| LooseToken {
        text: source.slice(leaf.span()),
        span: leaf.span(),
        rule: leaf.rule(),
    };
    source.tree().tokens().map(token).collect()
}

/// Where a pattern matches: the places of its elements, and how many tokens it takes.
pub(super) struct Found {
    pub(super) elements: Vec<Span>,
    pub(super) span: Span,
}

/// Whether a pattern matches the tokens from the first on.
pub(super) fn found(pattern: &str, tokens: &[LooseToken<'_>]) -> Option<Found> {
    let pattern: Vec<&str> = pattern.split(' ').collect();
    let mut elements = Vec::with_capacity(pattern.len());
    taken(&pattern, tokens, &mut elements).then(|| {
        let whole = elements.iter().copied().reduce(Span::to).unwrap_or_default();
        Found { elements, span: whole }
    })
}

/// Takes one of some words from the front.
pub(super) fn take<'s>(rest: &mut &[LooseToken<'s>], words: &[&str]) -> Option<&'s str> {
    let (first, behind) = rest.split_first()?;
    let found = words.iter().any(|word| word.eq_ignore_ascii_case(first.text));
    found.then(|| {
        *rest = behind;
        first.text
    })
}

/// Whether the elements match from here on; their places.
fn taken(pattern: &[&str], tokens: &[LooseToken<'_>], elements: &mut Vec<Span>) -> bool {
    let Some((element, rest)) = pattern.split_first() else {
        return true;
    };
    let lengths = match *element {
        "MANY" => 1..=MOST_TOKENS.min(tokens.len()),
        _ => match length(element, tokens) {
            Some(length) => length..=length,
            None => return false,
        },
    };
    for length in lengths {
        let (Some(first), Some(last)) = (tokens.first(), tokens.get(length - 1)) else {
            return false;
        };
        if *element == "MANY" && !is_balanced(&tokens[..length]) {
            continue;
        }
        elements.push(first.span.to(last.span));
        if taken(rest, &tokens[length..], elements) {
            return true;
        }
        elements.pop();
    }
    false
}

/// `MANY` takes at most this many tokens.
const MOST_TOKENS: usize = 24;

/// How many tokens an element takes at the start of some.
fn length(element: &str, tokens: &[LooseToken<'_>]) -> Option<usize> {
    let first = tokens.first()?;
    let text = first.text;
    let fits = match element {
        "STRING" => first.rule == Rule::string,
        "NUMBER" => first.rule == Rule::integer,
        "RANK" => matches!(text, "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8"),
        "FILE" => matches!(text, "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h"),
        "RESULT" => first.rule == Rule::result,
        "REPEAT" => first.rule == Rule::repetition && !text.contains(','),
        "BOUNDS" => first.rule == Rule::repetition && text.contains(','),
        "NAME" => first.rule == Rule::name,
        "PROPER" => first.rule == Rule::name && is_proper(text),
        "PIECES" => is_pieces(first),
        "PIECE" => text.chars().count() == 1 && text.chars().all(is_piece_letter),
        "SQUARE" => matches!(text.as_bytes(), [b'a'..=b'h', b'1'..=b'8']),
        "DOTS" => return dots(tokens),
        "WORD" => matches!(first.rule, Rule::name | Rule::reserved) || is_word(text),
        "TERM" => return term(tokens),
        "GROUP" => {
            return matches!(text, "(" | "{").then(|| bracketed(tokens)).flatten();
        }
        _ => match family(element) {
            Some(family) => family.split(' ').any(|word| word.eq_ignore_ascii_case(text)),
            None => element.eq_ignore_ascii_case(text),
        },
    };
    fits.then_some(1)
}

/// A designator, or what would be one if no bracket touched it.
fn is_pieces(token: &LooseToken<'_>) -> bool {
    token.rule == Rule::designator || token.rule == Rule::name && is_designator_word(token.text)
}

/// The words or signs that an element in capitals stands for.
fn family(element: &str) -> Option<&'static str> {
    static FAMILIES: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("families.txt")));
    let is_in_capitals = element.starts_with(|first: char| first.is_ascii_uppercase());
    let row = FAMILIES.rows.iter().find(|row| is_in_capitals && row.key == element)?;
    row.values.first().copied()
}

fn is_word(text: &str) -> bool {
    text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Whether a name may be that of a player: `Morphy`.
fn is_proper(text: &str) -> bool {
    let mut letters = text.chars();
    let is_capital = letters.next().is_some_and(|first| first.is_ascii_uppercase());
    text.len() > 3 && is_capital && letters.all(|letter| letter.is_ascii_lowercase())
}

/// `..` or `...`
fn dots(tokens: &[LooseToken<'_>]) -> Option<usize> {
    let dots = tokens.iter().take_while(|token| token.text == ".").count();
    (2..=3).contains(&dots).then_some(dots)
}

/// A filter that shows in the tokens alone: one word, designator, text or number, or what stands between brackets.
fn term(tokens: &[LooseToken<'_>]) -> Option<usize> {
    let first = tokens.first()?;
    match first.text {
        "(" | "{" => bracketed(tokens),
        "#" | "~" => term(&tokens[1..]).map(|length| length + 1),
        "." | "[]" => Some(1),
        text => {
            let is_value = matches!(first.rule, Rule::designator | Rule::string | Rule::integer | Rule::name);
            let joins = ["and", "or", "in", "then", "else", "not", "if", "attacks", "attackedby"];
            (is_value || is_word(text) && !joins.contains(&text)).then_some(1)
        }
    }
}

/// How many tokens there are from an opening bracket to the one that closes it.
fn bracketed(tokens: &[LooseToken<'_>]) -> Option<usize> {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate() {
        match token.text {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

fn is_balanced(tokens: &[LooseToken<'_>]) -> bool {
    let mut depth = 0_i32;
    tokens.iter().all(|token| {
        match token.text {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => depth -= 1,
            _ => {}
        }
        depth >= 0
    }) && depth == 0
}

/// What a template says, with the texts of the elements for `$1`, `$2` …, and those without their quotes or brackets for `%1` ….
pub(super) fn filled(template: &str, source: &Source, elements: &[Span]) -> String {
    let mut filled = String::with_capacity(template.len());
    let mut letters = template.chars().peekable();
    while let Some(letter) = letters.next() {
        let element = match letters.peek().and_then(|next| next.to_digit(10)) {
            Some(number) if matches!(letter, '$' | '%') => elements.get(number as usize - 1),
            _ => None,
        };
        match element {
            Some(span) => {
                letters.next();
                let text = source.slice(*span);
                filled.push_str(match letter {
                    '%' => text.trim_matches(['"', '{', '}', '(', ')', '[', ']']).trim(),
                    _ => text,
                });
            }
            None => filled.push(letter),
        }
    }
    filled
}
