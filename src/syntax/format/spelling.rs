//! Spells tokens as they were written, in ASCII, or in Unicode.

use super::super::{
    designator::{ascii_letters, figurines},
    signs::{self, unicode_of_word},
    source::Source,
    token::{Token, TokenKind},
};

/// How signs are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "service", derive(serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "mcp", derive(schemars::JsonSchema))]
pub enum Spelling {
    /// As they are.
    #[default]
    AsWritten,
    /// Those of a keyboard: `attacks`, `->`.
    Ascii,
    /// One character each: `→`, `♖`.
    Unicode,
}

/// Returns the text of a token.
pub(super) fn spelled(source: &Source, token: &Token, spelling: Spelling) -> Vec<u8> {
    let written = &source.bytes()[token.span.range()];
    if let TokenKind::File { input, .. } = token.kind {
        return file(written, input);
    }
    let text = source.slice(token.span);
    let other = match spelling {
        Spelling::AsWritten => None,
        Spelling::Ascii => ascii(&token.kind, text),
        Spelling::Unicode => unicode(&token.kind, text),
    };
    other.map_or_else(|| written.to_vec(), String::into_bytes)
}

/// Returns `input` or `output` and the name with one space between them. A comment between them is kept.
fn file(written: &[u8], input: bool) -> Vec<u8> {
    let keyword: &[u8] = if input { b"input" } else { b"output" };
    let rest = written.strip_prefix(keyword).unwrap_or(written);
    [keyword, b" ", rest.trim_ascii_start()].concat()
}

fn ascii(kind: &TokenKind, text: &str) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    match kind {
        TokenKind::PieceMark => Some("[Aa]".to_owned()),
        TokenKind::Word(word) => Some((*word).to_owned()),
        TokenKind::Sign(sign) => Some(sign.ascii().to_owned()),
        TokenKind::Dash { capture, .. } => Some(if *capture { "[x]" } else { "--" }.to_owned()),
        TokenKind::Designator(_) => {
            let (pieces, squares) = split(text)?;
            let letters = ascii_letters(pieces)?;
            Some(match letters.len() {
                1 => format!("{letters}{squares}"),
                _ => format!("[{letters}]{squares}"),
            })
        }
        _ => None,
    }
}

fn unicode(kind: &TokenKind, text: &str) -> Option<String> {
    match kind {
        TokenKind::PieceMark => Some("◭".to_owned()),
        TokenKind::Word(word) => unicode_of_word(word).map(str::to_owned),
        TokenKind::Sign(sign) => signs::unicode(*sign).map(str::to_owned),
        TokenKind::Dash { capture, .. } => Some(if *capture { "×" } else { "――" }.to_owned()),
        TokenKind::Designator(designator) if designator.has_contents && text.is_ascii() => {
            let (pieces, squares) = split(text)?;
            Some(format!("{}{squares}", figurines(pieces)))
        }
        _ => None,
    }
}

/// Splits a designator into its pieces, without brackets, and its squares.
fn split(text: &str) -> Option<(&str, &str)> {
    if let Some(list) = text.strip_prefix('[') {
        return list.split_once(']');
    }
    let end = match text.find(|character: char| character.is_ascii()) {
        Some(0) => 1,
        Some(end) => end,
        None => text.len(),
    };
    text.split_at_checked(end)
}
