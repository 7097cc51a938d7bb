//! The notation of the tables: patterns for slips, and templates for their replacements.

use std::sync::LazyLock;

use super::super::designator::{is_designator_word, is_piece_letter};
use super::super::source::Source;
use super::super::table::Table;
use super::super::token::Span;
use super::super::tree::{Node, Rule};

/// A token of a text that may contain any error.
#[derive(Clone, Copy)]
pub(super) struct LooseToken<'s> {
    pub(super) text: &'s str,
    pub(super) span: Span,
    pub(super) rule: Rule,
}

/// Returns the tokens of a text.
pub(super) fn tokens(source: &Source) -> Vec<LooseToken<'_>> {
    let token = |leaf: Node<'_>| LooseToken {
        text: source.slice(leaf.span()),
        span: leaf.span(),
        rule: leaf.rule(),
    };
    source.tree().tokens().map(token).collect()
}

/// The match of a pattern: the places of its elements, and the place of the whole.
pub(super) struct Found {
    pub(super) elements: Vec<Span>,
    pub(super) span: Span,
}

/// Matches the elements of a pattern against the beginning of the tokens.
pub(super) fn found(pattern: &[&str], tokens: &[LooseToken<'_>]) -> Option<Found> {
    let mut elements = Vec::new();
    taken(pattern, tokens, &mut elements).then(|| {
        let whole = elements.iter().copied().reduce(Span::to).unwrap_or_default();
        Found { elements, span: whole }
    })
}

/// Takes one of these words off the front, whatever its case, and returns it.
pub(super) fn take<'s>(rest: &mut &[LooseToken<'s>], words: &[&str]) -> Option<&'s str> {
    let (first, behind) = rest.split_first()?;
    let found = words.iter().any(|word| word.eq_ignore_ascii_case(first.text));
    found.then(|| {
        *rest = behind;
        first.text
    })
}

/// Returns whether the elements match here, and adds their places to `elements`.
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

/// The largest number of tokens that `MANY` takes.
const MOST_TOKENS: usize = 24;

/// Returns how many tokens an element takes at the beginning, or `None` if it does not match.
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

/// Returns whether a token is a designator, or would be one if no bracket touched it.
fn is_pieces(token: &LooseToken<'_>) -> bool {
    token.rule == Rule::designator || token.rule == Rule::name && is_designator_word(token.text)
}

/// Returns the words or signs that an element in capitals stands for.
fn family(element: &str) -> Option<&'static str> {
    static FAMILIES: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("families.txt")));
    if !element.starts_with(|first: char| first.is_ascii_uppercase()) {
        return None;
    }
    let row = FAMILIES.rows.iter().find(|row| row.key == element)?;
    row.values.first().copied()
}

fn is_word(text: &str) -> bool {
    text.len() > 1 && text.bytes().all(|byte| byte.is_ascii_alphabetic())
}

/// Returns whether a name may be a surname: `Morphy`.
fn is_proper(text: &str) -> bool {
    let mut letters = text.chars();
    let is_capital = letters.next().is_some_and(|first| first.is_ascii_uppercase());
    text.len() > 3 && is_capital && letters.all(|letter| letter.is_ascii_lowercase())
}

/// Returns the length of `..` or `...`.
fn dots(tokens: &[LooseToken<'_>]) -> Option<usize> {
    let dots = tokens.iter().take_while(|token| token.text == ".").count();
    (2..=3).contains(&dots).then_some(dots)
}

/// Returns the length of a filter that can be recognised by its tokens: a word, a designator, a string, a number, or text in brackets.
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

/// Returns the number of tokens from an opening bracket to its partner.
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

/// Fills a template. `$1`, `$2` … become the texts of the elements; `%1` … become these texts without their quotes or brackets.
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
