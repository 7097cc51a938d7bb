//! The first pass: converts each leaf of the tree to a token (sections 1.1 and 1.2).

use std::mem;

use shakmaty::KnownOutcome;

use super::{
    designator::designator,
    diagnostic::Diagnostic,
    signs,
    slips::characters,
    source::{Excerpt, Source},
    token::{Sign, Token, TokenKind},
    tree::{Node, Rule},
    words::reserved_word,
};

/// The largest count in a repetition, and the upper bound of an open one.
const REPETITION_LIMIT: u32 = 100_000;

/// A token and its leaf.
pub(super) struct Lexeme {
    /// The index of its leaf in the tree.
    pub(super) leaf: u32,
    /// Whether a line ends between the token and the one before, maybe in a comment.
    pub(super) begins_line: bool,
    pub(super) token: Token,
}

/// Returns the tokens of a text, including an end token.
pub(super) fn lex(source: &Source) -> Result<Vec<Lexeme>, Diagnostic> {
    lexemes(source).collect()
}

/// Returns whether more brackets open than close.
pub(super) fn has_open_brackets(lexemes: &[Lexeme]) -> bool {
    let count = |is_one: fn(Sign) -> bool| {
        let is_counted = |lexeme: &&Lexeme| matches!(lexeme.token.kind, TokenKind::Sign(sign) if is_one(sign));
        lexemes.iter().filter(is_counted).count()
    };
    count(Sign::is_opening) > count(Sign::is_closing)
}

/// Returns the tokens of a text, including an end token, and the errors of the parts that are not tokens.
pub(super) fn scan(source: &Source) -> (Vec<Token>, Vec<Diagnostic>) {
    let (mut tokens, mut errors) = (Vec::new(), Vec::new());
    for lexeme in lexemes(source) {
        match lexeme {
            Ok(lexeme) => tokens.push(lexeme.token),
            Err(error) => errors.push(error),
        }
    }
    (tokens, errors)
}

/// Returns the leaves of the text in order, each as a token or as an error.
fn lexemes(source: &Source) -> impl Iterator<Item = Result<Lexeme, Diagnostic>> {
    // Whether there is white space or a comment before the next token, and whether a line ends in it.
    let (mut spaced, mut begins_line) = (false, false);
    source.tree().leaves().filter_map(move |leaf| match leaf.rule() {
        Rule::byte_order_mark | Rule::unclosed => None,
        Rule::gap => {
            spaced = true;
            begins_line |= source.slice(leaf.span()).contains('\n');
            None
        }
        _ => {
            let span = leaf.span();
            let (spaced, begins_line) = (mem::take(&mut spaced), mem::take(&mut begins_line));
            let lexeme = |kind| Lexeme {
                leaf: leaf.index(),
                begins_line,
                token: Token { kind, span, spaced },
            };
            Some(kind(source, leaf).map(lexeme))
        }
    })
}

fn kind(source: &Source, leaf: Node<'_>) -> Result<TokenKind, Diagnostic> {
    let excerpt = source.excerpt(leaf.span());
    Ok(match leaf.rule() {
        Rule::piece_mark => TokenKind::PieceMark,
        Rule::message_mark | Rule::second_message => TokenKind::LineMessage,
        Rule::result => TokenKind::Result(excerpt.text.parse().unwrap_or(KnownOutcome::Draw)),
        Rule::integer => TokenKind::Integer(integer(excerpt)?),
        Rule::repetition => repetition(excerpt)?,
        Rule::escape => TokenKind::String(escape(excerpt.text)),
        Rule::group => group(excerpt)?,
        Rule::designator => TokenKind::Designator(designator(source, leaf)?),
        Rule::dash => TokenKind::Dash {
            capture: matches!(excerpt.text, "[x]" | "×"),
            left_tied: false,
            right_tied: false,
        },
        Rule::file => file(source, leaf)?,
        Rule::string => TokenKind::String(quoted(excerpt.bytes()).to_vec()),
        Rule::EOI => TokenKind::End,
        _ if leaf.is_error() && leaf.rule() != Rule::stray => return Err(characters::refuse(leaf.rule(), excerpt)),
        // Signs and words. The grammar has separate rules for those that are part of a form.
        _ => sign_or_word(excerpt.text),
    })
}

fn integer(excerpt: Excerpt<'_>) -> Result<i32, Diagnostic> {
    excerpt.text.parse().map_err(|_| {
        Diagnostic::new(excerpt.span, "the number is too large")
            .label(format!("more than {}", i32::MAX))
            .hint("numbers have 32 bits")
    })
}

fn repetition(excerpt: Excerpt<'_>) -> Result<TokenKind, Diagnostic> {
    let counts = excerpt.text.trim_start_matches('{').trim_end_matches('}');
    let (least, most) = counts.split_once(',').unwrap_or((counts, counts));
    if least.is_empty() && most.is_empty() {
        return Err(Diagnostic::new(excerpt.span, "a repetition without a count")
            .hint("any number of times is `{*}` or `*`, at least once `{+}` or `+`")
            .change(excerpt.span, "{*}")
            .change(excerpt.span, "{+}"));
    }
    let (least, most) = (
        repetition_bound(excerpt, least, 0)?,
        repetition_bound(excerpt, most, REPETITION_LIMIT)?,
    );
    if least > most {
        return Err(
            Diagnostic::new(excerpt.span, "the bounds of the repetition run backwards")
                .label(format!("at least {least}, at most {most}"))
                .hint(format!("the smaller count comes first: `{{{most},{least}}}`"))
                .change(excerpt.span, format!("{{{most},{least}}}")),
        );
    }
    Ok(TokenKind::Repetition(least, most))
}

fn repetition_bound(excerpt: Excerpt<'_>, text: &str, if_missing: u32) -> Result<u32, Diagnostic> {
    if text.is_empty() {
        return Ok(if_missing);
    }
    let count = text.parse().ok().filter(|&count| count <= REPETITION_LIMIT);
    count.ok_or_else(|| {
        let least = excerpt
            .text
            .trim_start_matches('{')
            .split([',', '}'])
            .next()
            .unwrap_or("");
        let error = Diagnostic::new(excerpt.span, "the count of the repetition is too large")
            .label(format!("more than {REPETITION_LIMIT}"))
            .hint("a repetition without an upper bound is written `{n,}`");
        match least.parse::<u32>() {
            Ok(least) if least <= REPETITION_LIMIT => error.change(excerpt.span, format!("{{{least},}}")),
            _ => error,
        }
    })
}

fn escape(text: &str) -> Vec<u8> {
    let byte = match text {
        r"\n" => b'\n',
        r"\r" => b'\r',
        r"\t" => b'\t',
        r"\\" => b'\\',
        _ => b'"',
    };
    vec![byte]
}

fn group(excerpt: Excerpt<'_>) -> Result<TokenKind, Diagnostic> {
    let digits = excerpt.text.trim_start_matches(['\\', '-']);
    let number = digits
        .parse()
        .map_err(|_| Diagnostic::new(excerpt.span, "the number of the group is too large"))?;
    Ok(if excerpt.text.starts_with(r"\-") {
        TokenKind::GroupIndex(number)
    } else {
        TokenKind::Group(number)
    })
}

fn sign_or_word(text: &str) -> TokenKind {
    let sign = signs::sign(text).map(TokenKind::Sign);
    let word = || signs::unicode_word(text).or_else(|| reserved_word(text));
    sign.or_else(|| word().map(TokenKind::Word))
        .unwrap_or_else(|| TokenKind::Name(text.to_owned()))
}

fn file(source: &Source, leaf: Node<'_>) -> Result<TokenKind, Diagnostic> {
    let input = source.slice(leaf.span()).starts_with("input");
    let mut name = TokenKind::Word(if input { "input" } else { "output" });
    for part in leaf.children() {
        let excerpt = source.excerpt(part.span());
        let bytes = match part.rule() {
            Rule::quoted_name => quoted(excerpt.bytes()),
            Rule::bare_name => excerpt.bytes(),
            _ => continue,
        };
        let text = std::str::from_utf8(bytes)
            .map_err(|_| Diagnostic::new(excerpt.span, "the file name is not valid UTF-8"))?;
        name = TokenKind::File {
            input,
            name: text.to_owned(),
        };
    }
    Ok(name)
}

/// Returns the bytes between the quotes.
fn quoted(literal: &[u8]) -> &[u8] {
    literal
        .strip_prefix(b"\"")
        .and_then(|rest| rest.strip_suffix(b"\""))
        .unwrap_or(literal)
}
