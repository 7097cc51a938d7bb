//! The tokens of canonical movetext, each with its place.

use std::ops::Range;

use memchr::memchr;

use super::markers::{ODD_MOVE, ODD_NAG};
use crate::pgn::lexer::leading_number;

/// A token of canonical movetext.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token<'t> {
    /// A move in SAN, a null move, or the result of a game.
    Word,
    /// A move that is not in SAN, as it is written.
    OddMove(&'t [u8]),
    /// The number of a move and how many dots follow it directly.
    Number { value: u32, dots: usize },
    /// A dot after a space.
    Dot,
    /// The number of an annotation symbol of the standard, or an exclamation or question mark.
    Nag,
    /// The number of another annotation symbol.
    OddNag(&'t [u8]),
    /// The inside of a comment.
    Comment(&'t [u8]),
    /// The start of a variation.
    Open,
    /// The end of a variation.
    Close,
}

impl Token<'_> {
    /// Returns whether the token is a move, in text without a result.
    pub(crate) fn is_move(self) -> bool {
        matches!(self, Token::Word | Token::OddMove(_))
    }
}

/// The tokens of canonical movetext, in order.
pub(crate) struct Tokens<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> Tokens<'t> {
    pub(crate) fn of(text: &'t [u8]) -> Tokens<'t> {
        Tokens::from(text, 0)
    }

    /// Returns the tokens from a place at which a token may begin.
    pub(crate) fn from(text: &'t [u8], at: usize) -> Tokens<'t> {
        Tokens { text, at }
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = (Token<'t>, Range<usize>);

    // Inlined, because calls made the check of the numbers take 1.6 times as many instructions.
    #[inline(always)]
    fn next(&mut self) -> Option<(Token<'t>, Range<usize>)> {
        let rest = loop {
            let rest = self.text.get(self.at..)?;
            if !rest.first()?.is_ascii_whitespace() {
                break rest;
            }
            self.at += 1;
        };
        let (token, length) = match rest {
            [b'(', ..] => (Token::Open, 1),
            [b')', ..] => (Token::Close, 1),
            [b'{', ..] => in_braces(rest),
            [b'$', digits @ ..] => (Token::Nag, 1 + leading_number(digits).1),
            [b'!' | b'?', ..] => (Token::Nag, 1),
            [b'.', ..] => (Token::Dot, 1),
            [b'0'..=b'9', ..] => numbered(rest),
            _ => (Token::Word, word_length(rest)),
        };
        let start = self.at;
        self.at += length;
        Some((token, start..self.at))
    }
}

/// Returns the token that begins with digits at the start of the text, and its length.
#[inline(always)]
fn numbered(text: &[u8]) -> (Token<'_>, usize) {
    let (value, digits) = leading_number(text);
    let behind = text.get(digits..).unwrap_or_default();
    match behind.first() {
        // `1-0`, `1/2-1/2`.
        Some(b'-' | b'/') => (Token::Word, word_length(text)),
        _ => {
            let dots = behind.iter().take_while(|byte| **byte == b'.').count();
            (Token::Number { value, dots }, digits + dots)
        }
    }
}

/// Returns the length of the word at the start of the text.
#[inline(always)]
fn word_length(text: &[u8]) -> usize {
    let ends = |byte: &u8| ENDS_WORD[usize::from(*byte)];
    let behind = text.get(1..).unwrap_or_default();
    1 + behind.iter().position(ends).unwrap_or(behind.len())
}

/// Returns the token in the braces at the start of the text, and their length.
#[inline(always)]
fn in_braces(text: &[u8]) -> (Token<'_>, usize) {
    let end = memchr(b'}', text).unwrap_or(text.len());
    let inner = text.get(1..end).unwrap_or_default();
    let token = match inner {
        // The meanings of the move follow another mark.
        [ODD_MOVE, word @ ..] => Token::OddMove(word.split(|byte| *byte == ODD_MOVE).next().unwrap_or_default()),
        [ODD_NAG, number @ ..] => Token::OddNag(number),
        comment => Token::Comment(comment),
    };
    (token, (end + 1).min(text.len()))
}

/// For each byte, whether it ends a word.
static ENDS_WORD: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = 0;
    while byte < ends.len() {
        let end = byte as u8;
        ends[byte] = end.is_ascii_whitespace() || matches!(end, b'{' | b'}' | b'(' | b')' | b'$' | b'!' | b'?');
        byte += 1;
    }
    ends
};

/// Appends canonical movetext as it is written in a file: moves and symbols without their marks, and comments without white space at their ends.
pub(crate) fn push_written(movetext: &[u8], out: &mut Vec<u8>) {
    let mut end = 0;
    for (token, place) in Tokens::of(movetext) {
        out.extend_from_slice(movetext.get(end..place.start).unwrap_or_default());
        end = place.end;
        match token {
            Token::OddMove(word) => out.extend_from_slice(word),
            Token::OddNag(number) => out.extend_from_slice(&[b"$", number].concat()),
            Token::Comment(comment) => out.extend_from_slice(&[b"{", comment.trim_ascii(), b"}"].concat()),
            _ => out.extend_from_slice(movetext.get(place).unwrap_or_default()),
        }
    }
    out.extend_from_slice(movetext.get(end..).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_token_has_its_place() {
        let text = "1. e4! {a {b} 12... e5+$3 {\u{1}Sf3\u{1}Nf3}{\u{4}300} (1. ... -- O-O-O)  0-0 3.d4 {open";
        let shown: Vec<_> = Tokens::of(text.as_bytes())
            .map(|(token, place)| (token, &text[place]))
            .collect();
        let number = |value, dots| Token::Number { value, dots };
        let expected = [
            (number(1, 1), "1."),
            (Token::Word, "e4"),
            (Token::Nag, "!"),
            (Token::Comment(b"a {b"), "{a {b}"),
            (number(12, 3), "12..."),
            (Token::Word, "e5+"),
            (Token::Nag, "$3"),
            (Token::OddMove(b"Sf3"), "{\u{1}Sf3\u{1}Nf3}"),
            (Token::OddNag(b"300"), "{\u{4}300}"),
            (Token::Open, "("),
            (number(1, 1), "1."),
            (Token::Dot, "."),
            (Token::Dot, "."),
            (Token::Dot, "."),
            (Token::Word, "--"),
            (Token::Word, "O-O-O"),
            (Token::Close, ")"),
            (Token::Word, "0-0"),
            (number(3, 1), "3."),
            (Token::Word, "d4"),
            (Token::Comment(b"open"), "{open"),
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn marks_are_not_written() {
        let mut written = Vec::new();
        push_written(b"1. {\x01e2-e4\x01e2e4} {  a\nb } e5 {\x04300}\n $1", &mut written);
        assert_eq!(String::from_utf8_lossy(&written), "1. e2-e4 {a\nb} e5 $300\n $1");
    }
}
