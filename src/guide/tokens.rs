//! The words of the index for kinds of tokens, such as numbers.

use crate::syntax::token::TokenKind;

/// Returns the word of the index for a kind of token.
pub(super) fn kind_of_token(kind: &TokenKind) -> Option<&'static str> {
    Some(match kind {
        TokenKind::Designator(_) => "DESIGNATOR",
        TokenKind::Integer(_) => "NUMBER",
        TokenKind::String(_) => "STRING",
        TokenKind::Group(_) | TokenKind::GroupIndex(_) => "GROUP",
        TokenKind::Repetition(..) => "REPETITION",
        TokenKind::Result(_) => "RESULT",
        TokenKind::PieceMark => "PIECE-MARK",
        TokenKind::LineMessage => "///",
        TokenKind::Dash { capture: false, .. } => "--",
        TokenKind::Dash { capture: true, .. } => "[x]",
        TokenKind::Sign(sign) => sign.ascii(),
        TokenKind::Word(word) => word,
        TokenKind::File { input: true, .. } => "input",
        TokenKind::File { input: false, .. } => "output",
        TokenKind::Name(_) | TokenKind::LineMessageEnd | TokenKind::PathEnd | TokenKind::End => return None,
    })
}
