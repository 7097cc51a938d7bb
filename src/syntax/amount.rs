//! Limits the size of a query before the grammar reads it, which takes some microseconds and hundreds of bytes per token.

use memchr::{memchr, memchr2, memmem};

use super::diagnostic::Diagnostic;
use super::source::Source;
use super::token::Span;

/// The largest number of words, numbers, strings and signs in a query.
const MOST_PIECES: usize = 500_000;

/// Refuses a text with more pieces than that.
pub(super) fn check(source: &Source) -> Result<(), Diagnostic> {
    match Pieces::of(source.text()).nth(MOST_PIECES) {
        None => Ok(()),
        Some(at) => Err(
            Diagnostic::new(Span::new(at, at), "the query has too many words and signs")
                .label(format!("there are {MOST_PIECES} before this place")),
        ),
    }
}

/// Iterates over the places where pieces begin. A piece is about a token: a token may be several pieces, but hardly ever less than one.
struct Pieces<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Pieces<'a> {
    fn of(text: &'a str) -> Pieces<'a> {
        Pieces {
            text: text.as_bytes(),
            at: 0,
        }
    }

    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn line_end(&self) -> usize {
        memchr(b'\n', self.rest()).unwrap_or(self.rest().len())
    }

    /// Returns the length of the white space or comment at this place.
    fn gap(&self) -> Option<usize> {
        match self.rest() {
            [byte, ..] if byte.is_ascii_whitespace() => Some(1),
            [b'/', b'*', comment @ ..] => {
                Some(memmem::find(comment, b"*/").map_or(self.rest().len(), |length| length + 4))
            }
            // `///` begins a message, `////` a comment.
            [b'/', b'/', b'/', byte, ..] if *byte != b'/' => None,
            [b'/', b'/', ..] | [b';', ..] => Some(self.line_end()),
            _ => None,
        }
    }

    /// Returns the length of the piece at this place.
    fn length(&self) -> usize {
        let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
        match self.rest() {
            [b'"', string @ ..] => memchr2(b'"', b'\n', string).map_or(self.rest().len(), |length| length + 2),
            [b'\\', ..] => 2,
            [b'/', b'/', b'/', ..] => 3,
            rest => {
                let word = rest.iter().take_while(|byte| is_word(byte)).count();
                // The bytes of a character belong together.
                let character = 1 + rest.iter().skip(1).take_while(|byte| *byte >> 6 == 0b10).count();
                word.max(character)
            }
        }
    }
}

impl Iterator for Pieces<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        while let Some(length) = self.gap() {
            self.at += length;
        }
        let start = self.at;
        self.at += if self.rest().is_empty() {
            return None;
        } else {
            self.length()
        };
        Some(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_signs_are_pieces() {
        let pieces = |text| Pieces::of(text).count();
        assert_eq!(pieces(""), 0);
        assert_eq!(
            pieces(" cql(input a.pgn)\n mate // not this\n; nor this\n/* nor \n this */ x=12"),
            11
        );
        assert_eq!(pieces("\"a string\" \\\" \"\" \"open\n a"), 5);
        assert_eq!(pieces("/// check\n//// comment\n♖ ≤"), 4);
        assert_eq!(pieces("/* open ((("), 0);
        assert_eq!(pieces("((("), 3);
    }

    #[test]
    fn tokens_are_hardly_fewer_than_pieces() {
        let query = include_str!("../query/parse/prelude.cql");
        let tokens = super::super::tokens(&Source::new("prelude", query)).unwrap().len();
        let pieces = Pieces::of(query).count();
        assert!(
            tokens <= pieces + tokens / 20 && pieces <= 2 * tokens,
            "{tokens} tokens, {pieces} pieces"
        );
    }

    #[test]
    fn too_many_are_refused_at_the_first_that_is_too_much() {
        let text = "( ".repeat(MOST_PIECES);
        assert_eq!(check(&Source::new("test", text.clone())), Ok(()));
        let error = check(&Source::new("test", text.clone() + "x")).unwrap_err();
        assert_eq!(error.span, Span::new(text.len(), text.len()));
    }
}
