//! Blank lines: they end paths, and mean nothing where no path is open (chapter 7, 2.4).

use std::collections::HashMap;

use crate::syntax::token::{Sign, Token, TokenKind};

use super::Builder;

/// Which blank line ends which path.
#[derive(Debug)]
pub(super) struct BlankLines {
    /// The blank line after each `path` that has one, by the places of both among the tokens.
    ends: HashMap<usize, usize>,
    /// The blank lines that end the paths being read.
    awaited: Vec<usize>,
}

impl BlankLines {
    /// The blank lines of some tokens, whose brackets are balanced.
    pub(super) fn of(tokens: &[Token]) -> BlankLines {
        let mut ends = HashMap::new();
        // The paths that are open, `None` for a bracket or a message comment.
        let mut open = Vec::new();
        for (place, token) in tokens.iter().enumerate() {
            match &token.kind {
                TokenKind::Word("path") => open.push(Some(place)),
                TokenKind::Sign(Sign::OpenParen | Sign::OpenBrace | Sign::OpenBracket) | TokenKind::LineMessage => {
                    open.push(None);
                }
                TokenKind::Sign(Sign::CloseParen | Sign::CloseBrace | Sign::CloseBracket)
                | TokenKind::LineMessageEnd => {
                    while open.pop_if(|path| path.is_some()).is_some() {}
                    open.pop();
                }
                TokenKind::PathEnd => {
                    if let Some(path) = open.pop_if(|path| path.is_some()).flatten() {
                        ends.insert(path, place);
                    }
                }
                _ => {}
            }
        }
        BlankLines {
            ends,
            awaited: Vec::new(),
        }
    }
}

impl Builder {
    /// Moves to the next token that is not a blank line without meaning.
    pub(super) fn advance(&mut self, tokens: usize) {
        self.at += tokens;
        self.skip_blank_lines();
    }

    fn skip_blank_lines(&mut self) {
        while self.tokens.get(self.at).map(|token| &token.kind) == Some(&TokenKind::PathEnd)
            && !self.blank_lines.awaited.contains(&self.at)
        {
            self.at += 1;
        }
    }

    /// Reads what stands between the word `path` at `first` and the blank line that ends the path, which is skipped.
    pub(super) fn up_to_blank_line<T>(&mut self, first: usize, read: impl FnOnce(&mut Builder) -> T) -> T {
        let end = self.blank_lines.ends.get(&first).copied();
        let outer = self.blank_lines.awaited.len();
        self.blank_lines.awaited.extend(end);
        let result = read(self);
        self.blank_lines.awaited.truncate(outer);
        self.skip_blank_lines();
        result
    }
}
