//! A text as tokens and comments.

use super::super::{
    source::Source,
    token::{Sign, Token, TokenKind},
};
use super::ends_paths;
use super::outline::is_written;
use super::spelling::{Spelling, spelled};

/// How many lines apart an item is from the one before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Break {
    /// On the same line.
    None,
    /// On the next line.
    Line,
    /// After a blank line.
    Blank,
}

/// A comment or a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// The number of the token among those that are written.
    Token(usize),
    /// `// …`, `; …`
    LineComment,
    /// `/* … */`
    BlockComment,
}

/// What is written between white space.
pub(super) struct Item {
    pub(super) form: Form,
    /// How it is written.
    pub(super) text: Vec<u8>,
    /// How many columns it takes.
    pub(super) width: usize,
    /// The line ends before it.
    pub(super) before: Break,
    /// The line ends before it mean something: they end a path or a message comment.
    pub(super) fixed: bool,
}

/// All items of a text.
pub(super) struct Items<'a> {
    pub(super) items: Vec<Item>,
    /// The tokens that are written.
    pub(super) tokens: Vec<&'a Token>,
    /// For each of them, its place among the items.
    pub(super) places: Vec<usize>,
    /// For each item that is a bracket, the item that is its partner.
    pub(super) partners: Vec<Option<usize>>,
    /// `\n` or `\r\n`, as the first line of the text ends.
    pub(super) line_end: &'static [u8],
}

impl<'a> Items<'a> {
    /// Cuts a text, of which these are the tokens, into items.
    pub(super) fn new(source: &Source, tokens: &'a [Token], spelling: Spelling) -> Items<'a> {
        let mut reader = Reader {
            source,
            items: Vec::with_capacity(tokens.len()),
            end: source.mark_len(),
        };
        let (mut written, mut places) = (Vec::new(), Vec::new());
        let mut fixed = false;
        for (index, token) in tokens.iter().enumerate() {
            if is_written(&token.kind) || token.kind == TokenKind::End {
                reader.gap(token.span.start as usize, fixed);
            } else {
                let next = tokens[index..].iter().find(|token| token.kind != TokenKind::PathEnd);
                let closed = next.is_some_and(|next| ends_paths(&next.kind));
                fixed |= token.kind == TokenKind::LineMessageEnd || !closed;
                continue;
            }
            fixed = false;
            if token.kind == TokenKind::End {
                break;
            }
            let text = spelled(source, token, spelling);
            reader
                .items
                .last_mut()
                .expect("the gap has left a place")
                .set(Form::Token(written.len()), text);
            places.push(reader.items.len() - 1);
            written.push(token);
            reader.end = token.span.end as usize;
        }
        // The place that was made for the end of the text.
        reader.items.pop();
        let partners = partners(&reader.items, &written);
        Items {
            items: reader.items,
            tokens: written,
            places,
            partners,
            line_end: line_end(source.bytes()),
        }
    }

    /// The token that an item is.
    pub(super) fn token(&self, item: usize) -> Option<&'a Token> {
        match self.items.get(item)?.form {
            Form::Token(token) => Some(self.tokens[token]),
            Form::LineComment | Form::BlockComment => None,
        }
    }

    /// Whether an item is this sign.
    pub(super) fn is_sign(&self, item: usize, sign: Sign) -> bool {
        self.token(item)
            .is_some_and(|token| token.kind == TokenKind::Sign(sign))
    }

    /// Whether an item is one of these words.
    pub(super) fn is_word(&self, item: usize, words: &[&str]) -> bool {
        matches!(self.token(item).map(|token| &token.kind), Some(TokenKind::Word(word)) if words.contains(word))
    }
}

impl Item {
    fn set(&mut self, form: Form, text: Vec<u8>) {
        self.width = text
            .utf8_chunks()
            .map(|chunk| chunk.valid().chars().count() + chunk.invalid().len())
            .sum();
        self.form = form;
        self.text = text;
    }
}

struct Reader<'a> {
    source: &'a Source,
    items: Vec<Item>,
    /// Where the last item ends.
    end: usize,
}

impl Reader<'_> {
    /// Reads the comments up to the next token and makes a place for it.
    fn gap(&mut self, token: usize, fixed: bool) {
        let source = self.source;
        let mut line_ends = 0;
        while let Some(&byte) = source.bytes().get(self.end).filter(|_| self.end < token) {
            let rest = &source.bytes()[self.end..token];
            match byte {
                b'/' | b';' => {
                    let form = if rest.starts_with(b"/*") {
                        Form::BlockComment
                    } else {
                        Form::LineComment
                    };
                    let length = comment_length(rest, form);
                    let comment = if form == Form::LineComment {
                        rest[..length].trim_ascii_end()
                    } else {
                        &rest[..length]
                    };
                    self.place(line_ends, fixed);
                    self.items.last_mut().expect("just placed").set(form, comment.to_vec());
                    self.end += length;
                    line_ends = 0;
                }
                _ => {
                    line_ends += usize::from(byte == b'\n');
                    self.end += 1;
                }
            }
        }
        self.place(line_ends, fixed);
    }

    fn place(&mut self, line_ends: usize, fixed: bool) {
        let before = match line_ends {
            _ if self.items.is_empty() => Break::None,
            0 => Break::None,
            1 => Break::Line,
            _ => Break::Blank,
        };
        self.items.push(Item {
            form: Form::LineComment,
            text: Vec::new(),
            width: 0,
            before,
            fixed,
        });
    }
}

fn comment_length(text: &[u8], form: Form) -> usize {
    let length = if form == Form::BlockComment {
        memchr::memmem::find(&text[2..], b"*/").map(|end| end + 4)
    } else {
        memchr::memchr(b'\n', text)
    };
    length.unwrap_or(text.len())
}

fn partners(items: &[Item], tokens: &[&Token]) -> Vec<Option<usize>> {
    let mut partners = vec![None; items.len()];
    let mut open = Vec::new();
    for (place, item) in items.iter().enumerate() {
        let Form::Token(token) = item.form else { continue };
        match tokens[token].kind {
            TokenKind::Sign(Sign::OpenParen | Sign::OpenBrace | Sign::OpenBracket) => open.push(place),
            TokenKind::Sign(Sign::CloseParen | Sign::CloseBrace | Sign::CloseBracket) => {
                if let Some(opener) = open.pop() {
                    partners[opener] = Some(place);
                    partners[place] = Some(opener);
                }
            }
            _ => {}
        }
    }
    partners
}

fn line_end(text: &[u8]) -> &'static [u8] {
    match memchr::memchr(b'\n', text) {
        Some(end) if end > 0 && text[end - 1] == b'\r' => b"\r\n",
        _ => b"\n",
    }
}
