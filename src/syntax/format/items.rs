//! Splits a text into tokens and comments.

use std::collections::HashSet;
use std::iter::Peekable;
use std::str::Utf8Chunk;

use super::super::{
    source::Source,
    token::{Sign, Token, TokenKind},
    tree::{Node, Rule},
};
use super::outline::is_written;
use super::spelling::{Spelling, spelled};

/// The line ends between an item and the one before.
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
    /// A token, as an index into those that are written.
    Token(usize),
    /// `// …`, `; …`
    LineComment,
    /// `/* … */`
    BlockComment,
}

/// A token or comment.
pub(super) struct Item {
    pub(super) form: Form,
    /// Its spelling.
    pub(super) text: Vec<u8>,
    /// Its width in columns.
    pub(super) width: usize,
    /// The line ends before it.
    pub(super) before: Break,
    /// Whether these line ends have a meaning: they end a path or a message comment.
    pub(super) fixed: bool,
}

/// All items of a text.
pub(super) struct Items<'a> {
    pub(super) items: Vec<Item>,
    /// The tokens that are written.
    pub(super) tokens: Vec<&'a Token>,
    /// For each written token, the index of its item.
    pub(super) places: Vec<usize>,
    /// For each item that is a bracket, its partner.
    pub(super) partners: Vec<Option<usize>>,
    /// For each token that is an opening parenthesis directly after the first word of a form, that form.
    pub(super) owners: Vec<Option<Rule>>,
    /// For each token that is an opening parenthesis, whether it only groups, because a whole filter may follow the word before it.
    pub(super) groups: Vec<bool>,
    /// The names of the functions that the text defines.
    pub(super) functions: HashSet<String>,
    /// `\n` or `\r\n`, like the first line end of the text.
    pub(super) line_end: &'static [u8],
}

impl<'a> Items<'a> {
    /// Splits a text with these tokens into items.
    pub(super) fn new(source: &Source, tokens: &'a [Token], spelling: Spelling) -> Items<'a> {
        let is_between_tokens = |gap: &Node<'_>| gap.parent().is_none_or(|around| around.rule() != Rule::file);
        let gaps = source.tree().all(Rule::gap).filter(is_between_tokens);
        let mut reader = Reader {
            source,
            items: Vec::with_capacity(tokens.len()),
            gaps: gaps.peekable(),
        };
        let (mut written, mut places) = (Vec::new(), Vec::new());
        let mut fixed = false;
        for (index, token) in tokens.iter().enumerate() {
            if !is_written(&token.kind) && token.kind != TokenKind::End {
                let next = tokens[index..].iter().find(|token| token.kind != TokenKind::PathEnd);
                let closed = next.is_some_and(|next| ends_paths(&next.kind));
                fixed |= token.kind == TokenKind::LineMessageEnd || !closed;
                continue;
            }
            let before = reader.gap(token.span.start as usize, fixed);
            if token.kind == TokenKind::End {
                break;
            }
            places.push(reader.items.len());
            reader.push(
                Form::Token(written.len()),
                spelled(source, token, spelling),
                before,
                fixed,
            );
            written.push(token);
            fixed = false;
        }
        let mut items = Items {
            partners: vec![None; reader.items.len()],
            owners: vec![None; written.len()],
            groups: vec![false; written.len()],
            items: reader.items,
            tokens: written,
            places,
            functions: functions(source),
            line_end: line_end(source.bytes()),
        };
        items.find_brackets(source);
        items
    }

    /// Finds the partners of brackets, and what parentheses belong to.
    fn find_brackets(&mut self, source: &Source) {
        let Items {
            tokens,
            places,
            partners,
            owners,
            groups,
            ..
        } = self;
        let token_of = |bracket: Node<'_>| {
            tokens
                .binary_search_by_key(&bracket.span().start, |token| token.span.start)
                .ok()
        };
        for open in source.tree().nodes() {
            let Some((open, close)) = open
                .closing()
                .and_then(|close| Some((token_of(open)?, token_of(close)?)))
            else {
                continue;
            };
            partners[places[open]] = Some(places[close]);
            partners[places[close]] = Some(places[open]);
        }
        for open in source.tree().all(Rule::open_paren) {
            let list = open
                .parent()
                .filter(|list| matches!(list.rule(), Rule::parens | Rule::positions));
            let list = list.unwrap_or(open);
            let follows_word = |form: &Node<'_>| list.previous() == form.children().next();
            if let (Some(token), Some(before)) = (token_of(open), list.previous()) {
                groups[token] = takes_filter(before.rule());
            }
            if let (Some(token), Some(form)) = (token_of(open), list.parent().filter(follows_word)) {
                owners[token] = Some(form.rule());
            }
        }
    }

    /// Returns the token of an item, or `None` for a comment.
    pub(super) fn token(&self, item: usize) -> Option<&'a Token> {
        match self.items.get(item)?.form {
            Form::Token(token) => Some(self.tokens[token]),
            Form::LineComment | Form::BlockComment => None,
        }
    }

    /// Returns whether an item is this sign.
    pub(super) fn is_sign(&self, item: usize, sign: Sign) -> bool {
        self.token(item)
            .is_some_and(|token| token.kind == TokenKind::Sign(sign))
    }

    /// Returns whether an item is one of these words.
    pub(super) fn is_word(&self, item: usize, words: &[&str]) -> bool {
        matches!(self.token(item).map(|token| &token.kind), Some(TokenKind::Word(word)) if words.contains(word))
    }
}

struct Reader<'a, G: Iterator<Item = Node<'a>>> {
    source: &'a Source,
    items: Vec<Item>,
    /// The gaps that have not been read yet.
    gaps: Peekable<G>,
}

impl<'a, G: Iterator<Item = Node<'a>>> Reader<'a, G> {
    /// Reads the comments up to the next token. Returns the line ends before it.
    fn gap(&mut self, token: usize, fixed: bool) -> Break {
        let mut line_ends = 0;
        while let Some(gap) = self.gaps.next_if(|gap| (gap.span().start as usize) < token) {
            for part in gap.children() {
                if matches!(part.rule(), Rule::line_end | Rule::blank_line) {
                    line_ends += 1;
                    continue;
                }
                let comment = &self.source.bytes()[part.span().range()];
                let (form, comment) = if comment.starts_with(b"/*") {
                    (Form::BlockComment, comment)
                } else {
                    (Form::LineComment, comment.trim_ascii_end())
                };
                self.push(form, comment.to_vec(), self.break_of(line_ends), fixed);
                line_ends = 0;
            }
        }
        self.break_of(line_ends)
    }

    fn break_of(&self, line_ends: usize) -> Break {
        match line_ends {
            _ if self.items.is_empty() => Break::None,
            0 => Break::None,
            1 => Break::Line,
            _ => Break::Blank,
        }
    }

    fn push(&mut self, form: Form, text: Vec<u8>, before: Break, fixed: bool) {
        let width = |chunk: Utf8Chunk<'_>| chunk.valid().chars().count() + chunk.invalid().len();
        self.items.push(Item {
            form,
            width: text.utf8_chunks().map(width).sum(),
            text,
            before,
            fixed,
        });
    }
}

/// Returns whether a whole filter follows a word or the head of a form.
fn takes_filter(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::joining
            | Rule::prefix
            | Rule::square_loop
            | Rule::piece_loop
            | Rule::key_loop
            | Rule::transform
            | Rule::find
            | Rule::echo
            | Rule::sort
            | Rule::path
            | Rule::line
    )
}

fn functions(source: &Source) -> HashSet<String> {
    let functions = source.tree().all(Rule::function);
    let names = functions.filter_map(|function| function.child(Rule::name));
    names.map(|name| source.slice(name.span()).to_owned()).collect()
}

fn line_end(text: &[u8]) -> &'static [u8] {
    match memchr::memchr(b'\n', text) {
        Some(end) if end > 0 && text[end - 1] == b'\r' => b"\r\n",
        _ => b"\n",
    }
}

/// Returns whether a token ends the paths inside the brackets that it closes, with or without a blank line.
pub(super) fn ends_paths(kind: &TokenKind) -> bool {
    *kind == TokenKind::End || matches!(kind, TokenKind::Sign(sign) if sign.is_closing())
}
