//! The first pass: the grammar cuts the text, each piece becomes a token (sections 1.1 and 1.2).

use pest::{Parser, iterators::Pair};
use shakmaty::{Color, KnownOutcome};

use super::{
    characters,
    designator::designator,
    diagnostic::Diagnostic,
    signs,
    source::Source,
    token::{Span, Token, TokenKind},
    words::reserved_word,
};

pub(super) use grammar::Rule;

mod grammar {
    /// The parser that pest derives from the grammar.
    #[derive(pest_derive::Parser)]
    #[grammar = "../grammar/cql.pest"]
    pub(super) struct CqlGrammar;
}

/// The greatest count in a repetition, and what an open one stands for.
const REPETITION_LIMIT: u32 = 100_000;

/// A token and the white space and comments before it.
pub(super) struct Lexeme {
    pub(super) gap: Gap,
    pub(super) token: Token,
}

/// What the line structure of white space and comments is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Gap {
    /// The first line end, also inside a comment.
    pub(super) line_end: Option<Span>,
    /// The line end that completes the first blank line (1.2.1).
    pub(super) blank_line: Option<Span>,
}

/// A piece of the text that the grammar recognised, and the source for the bytes that the text does not show.
#[derive(Clone, Copy)]
pub(super) struct Piece<'a> {
    pub(super) source: &'a Source,
    pub(super) text: &'a str,
    pub(super) span: Span,
}

impl<'a> Piece<'a> {
    fn new(source: &'a Source, pair: &Pair<'a, Rule>) -> Piece<'a> {
        Piece {
            source,
            text: pair.as_str(),
            span: span(pair),
        }
    }

    /// The text that follows the piece.
    pub(super) fn rest(&self) -> &'a str {
        self.source.text().get(self.span.end as usize..).unwrap_or("")
    }

    fn bytes(&self) -> &'a [u8] {
        self.source.bytes().get(self.span.range()).unwrap_or(&[])
    }
}

/// Cuts the text into tokens, an end token included.
pub(super) fn lex(source: &Source) -> Result<Vec<Lexeme>, Diagnostic> {
    let mut lexemes = Vec::new();
    for_each_piece(source, |piece| piece.map(|lexeme| lexemes.push(lexeme)))?;
    Ok(lexemes)
}

/// Cuts the text into tokens, an end token included, and leaves out what is none; the errors say what that was.
pub(super) fn scan(source: &Source) -> (Vec<Token>, Vec<Diagnostic>) {
    let (mut tokens, mut errors) = (Vec::new(), Vec::new());
    let scanned = for_each_piece(source, |piece| {
        match piece {
            Ok(lexeme) => tokens.push(lexeme.token),
            Err(error) => errors.push(error),
        }
        Ok(())
    });
    errors.extend(scanned.err());
    (tokens, errors)
}

/// Shows the pieces of the text in order, each as a token or as the reason why it is none.
fn for_each_piece(
    source: &Source,
    mut visit: impl FnMut(Result<Lexeme, Diagnostic>) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    let query = grammar::CqlGrammar::parse(Rule::query, source.text())
        .map_err(|error| unrecognised(&error))?
        .flat_map(Pair::into_inner);
    let mut gap = None;
    for pair in query {
        if pair.as_rule() == Rule::gap {
            gap = Some(gap_lines(pair));
            continue;
        }
        let span = span(&pair);
        let spaced = gap.is_some();
        let gap = gap.take().unwrap_or_default();
        visit(kind(source, pair).map(|kind| Lexeme {
            token: Token { kind, span, spaced },
            gap,
        }))?;
    }
    Ok(())
}

/// The comments that go to the end of their line, `//` or `;` included; those of broken queries, too, up to where the grammar
/// loses its way. The line end is not part of them.
pub(super) fn line_comments(source: &Source) -> Vec<Span> {
    let Ok(query) = grammar::CqlGrammar::parse(Rule::query, source.text()) else {
        return Vec::new();
    };
    let gaps = query
        .flat_map(Pair::into_inner)
        .filter(|pair| pair.as_rule() == Rule::gap);
    gaps.flat_map(Pair::into_inner)
        .filter(|part| part.as_rule() == Rule::comment && !part.as_str().starts_with("/*"))
        .map(|comment| span(&comment))
        .collect()
}

/// The grammar fits every text; should it not fit one, this says where it stopped.
fn unrecognised(error: &pest::error::Error<Rule>) -> Diagnostic {
    let (start, end) = match error.location {
        pest::error::InputLocation::Pos(at) => (at, at),
        pest::error::InputLocation::Span(range) => range,
    };
    Diagnostic::new(Span::new(start, end), "this is not a query")
}

pub(super) fn span(pair: &Pair<'_, Rule>) -> Span {
    let span = pair.as_span();
    Span::new(span.start(), span.end())
}

fn gap_lines(pair: Pair<'_, Rule>) -> Gap {
    let start = pair.as_span().start();
    let mut gap = Gap {
        line_end: pair.as_str().find('\n').map(|at| Span::new(start + at, start + at + 1)),
        blank_line: None,
    };
    let mut at_line_start = false;
    for part in pair.into_inner() {
        let line_end = part.as_rule() == Rule::line_end;
        if line_end && at_line_start {
            gap.blank_line = Some(span(&part));
            break;
        }
        at_line_start = line_end;
    }
    gap
}

fn kind(source: &Source, pair: Pair<'_, Rule>) -> Result<TokenKind, Diagnostic> {
    let piece = Piece::new(source, &pair);
    Ok(match pair.as_rule() {
        Rule::piece_mark => TokenKind::PieceMark,
        Rule::line_message => TokenKind::LineMessage,
        Rule::result => TokenKind::Result(result(piece.text)),
        Rule::integer => TokenKind::Integer(integer(piece)?),
        Rule::repetition => repetition(piece)?,
        Rule::escape => TokenKind::String(escape(piece.text)),
        Rule::group => group(piece)?,
        Rule::designator => TokenKind::Designator(designator(pair)?),
        Rule::dash => TokenKind::Dash {
            capture: matches!(piece.text, "[x]" | "×"),
            left_tied: false,
            right_tied: false,
        },
        Rule::sign | Rule::unicode => sign_or_word(piece)?,
        Rule::file => file(source, pair)?,
        Rule::string => TokenKind::String(quoted(piece.bytes()).to_vec()),
        Rule::castling | Rule::reserved | Rule::name => word(piece.text),
        Rule::EOI => TokenKind::End,
        rule => return Err(characters::refuse(rule, piece)),
    })
}

fn result(text: &str) -> KnownOutcome {
    match text {
        "1-0" => KnownOutcome::Decisive { winner: Color::White },
        "0-1" => KnownOutcome::Decisive { winner: Color::Black },
        _ => KnownOutcome::Draw,
    }
}

fn integer(piece: Piece<'_>) -> Result<i32, Diagnostic> {
    piece.text.parse().map_err(|_| {
        Diagnostic::new(piece.span, "the number is too large")
            .label(format!("more than {}", i32::MAX))
            .hint("numbers have 32 bits")
    })
}

fn repetition(piece: Piece<'_>) -> Result<TokenKind, Diagnostic> {
    let counts = piece.text.trim_start_matches('{').trim_end_matches('}');
    let (least, most) = counts.split_once(',').unwrap_or((counts, counts));
    if least.is_empty() && most.is_empty() {
        return Err(Diagnostic::new(piece.span, "a repetition without a count")
            .hint("any number of times is `{*}` or `*`, at least once `{+}` or `+`"));
    }
    let (least, most) = (
        repetition_bound(piece, least, 0)?,
        repetition_bound(piece, most, REPETITION_LIMIT)?,
    );
    if least > most {
        return Err(
            Diagnostic::new(piece.span, "the bounds of the repetition run backwards")
                .label(format!("at least {least}, at most {most}"))
                .hint(format!("the smaller count stands first: `{{{most},{least}}}`")),
        );
    }
    Ok(TokenKind::Repetition(least, most))
}

fn repetition_bound(piece: Piece<'_>, text: &str, if_missing: u32) -> Result<u32, Diagnostic> {
    if text.is_empty() {
        return Ok(if_missing);
    }
    let count = text.parse().ok().filter(|&count| count <= REPETITION_LIMIT);
    count.ok_or_else(|| {
        Diagnostic::new(piece.span, "the count of the repetition is too large")
            .label(format!("more than {REPETITION_LIMIT}"))
            .hint("a repetition without an upper bound is written `{n,}`")
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

fn group(piece: Piece<'_>) -> Result<TokenKind, Diagnostic> {
    let digits = piece.text.trim_start_matches(['\\', '-']);
    let number = digits
        .parse()
        .map_err(|_| Diagnostic::new(piece.span, "the number of the group is too large"))?;
    Ok(if piece.text.starts_with(r"\-") {
        TokenKind::GroupIndex(number)
    } else {
        TokenKind::Group(number)
    })
}

fn sign_or_word(piece: Piece<'_>) -> Result<TokenKind, Diagnostic> {
    let sign = signs::sign(piece.text).map(TokenKind::Sign);
    let word = || signs::unicode_word(piece.text).map(TokenKind::Word);
    sign.or_else(word)
        .ok_or_else(|| characters::refuse(Rule::unknown, piece))
}

fn word(text: &str) -> TokenKind {
    match reserved_word(text) {
        Some(word) => TokenKind::Word(word),
        None => TokenKind::Name(text.to_owned()),
    }
}

fn file(source: &Source, pair: Pair<'_, Rule>) -> Result<TokenKind, Diagnostic> {
    let input = pair.as_str().starts_with("input");
    let mut name = TokenKind::Word(if input { "input" } else { "output" });
    for part in pair.into_inner() {
        let piece = Piece::new(source, &part);
        let bytes = match part.as_rule() {
            Rule::quoted_name => quoted(piece.bytes()),
            Rule::bare_name => piece.bytes(),
            _ => continue,
        };
        let text =
            std::str::from_utf8(bytes).map_err(|_| Diagnostic::new(piece.span, "the file name is not valid UTF-8"))?;
        name = TokenKind::File {
            input,
            name: text.to_owned(),
        };
    }
    Ok(name)
}

/// The bytes between the quotes.
fn quoted(literal: &[u8]) -> &[u8] {
    literal
        .strip_prefix(b"\"")
        .and_then(|rest| rest.strip_suffix(b"\""))
        .unwrap_or(literal)
}
