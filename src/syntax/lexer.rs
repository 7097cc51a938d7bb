//! The first pass: each leaf of the tree becomes a token (sections 1.1 and 1.2).

use shakmaty::{Color, KnownOutcome};

use super::{
    characters,
    designator::designator,
    diagnostic::Diagnostic,
    signs,
    source::Source,
    token::{Span, Token, TokenKind},
    tree::{Node, Rule},
    words::reserved_word,
};

/// The greatest count in a repetition, and what an open one stands for.
const REPETITION_LIMIT: u32 = 100_000;

/// A token and the white space and comments before it.
pub(super) struct Lexeme {
    /// The place of its leaf in the tree.
    pub(super) leaf: u32,
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
    fn new(source: &'a Source, node: Node<'_>) -> Piece<'a> {
        Piece {
            source,
            text: source.slice(node.span()),
            span: node.span(),
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

/// The tokens of a text, an end token included.
pub(super) fn lex(source: &Source) -> Result<Vec<Lexeme>, Diagnostic> {
    pieces(source).collect()
}

/// The tokens of a text, an end token included, without what is none; the errors say what that was.
pub(super) fn scan(source: &Source) -> (Vec<Token>, Vec<Diagnostic>) {
    let (mut tokens, mut errors) = (Vec::new(), Vec::new());
    for piece in pieces(source) {
        match piece {
            Ok(lexeme) => tokens.push(lexeme.token),
            Err(error) => errors.push(error),
        }
    }
    (tokens, errors)
}

/// The pieces of the text in order, each as a token or as the reason why it is none.
fn pieces(source: &Source) -> impl Iterator<Item = Result<Lexeme, Diagnostic>> {
    let mut white_space: Option<WhiteSpace> = None;
    source.tree().leaves().filter_map(move |leaf| match leaf.rule() {
        Rule::byte_order_mark | Rule::unclosed => None,
        Rule::gap => {
            white_space.get_or_insert_default().pass(source, leaf);
            None
        }
        _ => {
            let span = leaf.span();
            let spaced = white_space.is_some();
            let gap = white_space.take().unwrap_or_default().gap;
            let lexeme = |kind| Lexeme {
                leaf: leaf.index(),
                token: Token { kind, span, spaced },
                gap,
            };
            Some(kind(source, leaf).map(lexeme))
        }
    })
}

/// White space and comments between two tokens.
#[derive(Default)]
struct WhiteSpace {
    gap: Gap,
    at_line_start: bool,
}

impl WhiteSpace {
    /// Goes on with a gap. One that a message comment ends is in two parts.
    fn pass(&mut self, source: &Source, gap: Node<'_>) {
        let Span { start, .. } = gap.span();
        let first = || source.slice(gap.span()).find('\n').map(|at| start as usize + at);
        self.gap.line_end = self.gap.line_end.or_else(|| first().map(|at| Span::new(at, at + 1)));
        for part in gap.children() {
            let line_end = part.rule() == Rule::line_end;
            if line_end && self.at_line_start {
                self.gap.blank_line.get_or_insert(part.span());
            }
            self.at_line_start = line_end;
        }
    }
}

fn kind(source: &Source, leaf: Node<'_>) -> Result<TokenKind, Diagnostic> {
    let piece = Piece::new(source, leaf);
    Ok(match leaf.rule() {
        Rule::piece_mark => TokenKind::PieceMark,
        Rule::message_mark | Rule::second_message => TokenKind::LineMessage,
        Rule::result => TokenKind::Result(result(piece.text)),
        Rule::integer => TokenKind::Integer(integer(piece)?),
        Rule::repetition => repetition(piece)?,
        Rule::escape => TokenKind::String(escape(piece.text)),
        Rule::group => group(piece)?,
        Rule::designator => TokenKind::Designator(designator(source, leaf)?),
        Rule::dash => TokenKind::Dash {
            capture: matches!(piece.text, "[x]" | "×"),
            left_tied: false,
            right_tied: false,
        },
        Rule::file => file(source, leaf)?,
        Rule::string => TokenKind::String(quoted(piece.bytes()).to_vec()),
        Rule::EOI => TokenKind::End,
        _ if leaf.is_error() && leaf.rule() != Rule::stray => return Err(characters::refuse(leaf.rule(), piece)),
        // Signs and words, of which the grammar has rules for those that are part of a form.
        _ => sign_or_word(piece.text),
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
            .hint("any number of times is `{*}` or `*`, at least once `{+}` or `+`")
            .change(piece.span, "{*}")
            .change(piece.span, "{+}"));
    }
    let (least, most) = (
        repetition_bound(piece, least, 0)?,
        repetition_bound(piece, most, REPETITION_LIMIT)?,
    );
    if least > most {
        return Err(
            Diagnostic::new(piece.span, "the bounds of the repetition run backwards")
                .label(format!("at least {least}, at most {most}"))
                .hint(format!("the smaller count stands first: `{{{most},{least}}}`"))
                .change(piece.span, format!("{{{most},{least}}}")),
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
        let piece = Piece::new(source, part);
        let bytes = match part.rule() {
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
