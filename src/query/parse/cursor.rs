//! Reads tokens: what comes next.

use std::sync::Arc;

use crate::syntax::keywords;
use crate::syntax::token::{Sign, Span, Token, TokenKind, closing_bracket};
use crate::syntax::tree::Rule;
use crate::syntax::{Form, Forms, Parsed, Part};

/// A place in the tokens of a text.
pub(super) struct Cursor {
    pub(super) tokens: Arc<[Token]>,
    /// The forms of the grammar that the tokens make up.
    pub(super) forms: Forms,
    /// The index of the next token.
    pub(super) at: usize,
    /// The indices of the blank lines that end the enclosing paths.
    pub(super) path_ends: Vec<usize>,
}

impl Cursor {
    pub(super) fn new(text: Parsed) -> Cursor {
        Cursor {
            tokens: text.tokens,
            forms: text.forms,
            at: 0,
            path_ends: Vec::new(),
        }
    }

    /// Takes the next token.
    pub(super) fn next(&mut self) -> Token {
        let token = self.token().clone();
        if token.kind != TokenKind::End {
            self.advance(1);
        }
        token
    }

    pub(super) fn at_sign(&self, sign: Sign) -> bool {
        self.token().kind == TokenKind::Sign(sign)
    }

    pub(super) fn at_word(&self, word: &str) -> bool {
        matches!(self.token().kind, TokenKind::Word(found) if found == word)
    }

    /// Takes the sign if it is next. Returns whether it was.
    pub(super) fn take_sign(&mut self, sign: Sign) -> bool {
        let found = self.at_sign(sign);
        if found {
            self.advance(1);
        }
        found
    }

    /// Takes the word if it is next. Returns whether it was.
    pub(super) fn take_word(&mut self, word: &str) -> bool {
        let found = self.at_word(word);
        if found {
            self.advance(1);
        }
        found
    }

    /// Takes one of the words if it is next.
    pub(super) fn take_any_word(&mut self, words: &[&'static str]) -> Option<&'static str> {
        let TokenKind::Word(found) = self.token().kind else {
            return None;
        };
        words.contains(&found).then(|| {
            self.advance(1);
            found
        })
    }

    /// Takes a string literal if one is next.
    pub(super) fn take_string(&mut self) -> Option<Vec<u8>> {
        let TokenKind::String(bytes) = &self.token().kind else {
            return None;
        };
        let bytes = bytes.clone();
        self.advance(1);
        Some(bytes)
    }

    /// Skips this many tokens, and then blank lines that do not end a path.
    pub(super) fn advance(&mut self, tokens: usize) {
        self.at += tokens;
        while self.tokens.get(self.at).map(|token| &token.kind) == Some(&TokenKind::PathEnd)
            && !self.path_ends.contains(&self.at)
        {
            self.at += 1;
        }
    }

    /// Returns the form of the grammar that begins with the next token. `None` if a blank line inside it ends a path, because that ends
    /// every unfinished form in the path. `None` also for brackets, which may have any number of parts.
    pub(super) fn form(&self) -> Option<Form> {
        if self.at_sign(Sign::OpenParen) || self.at_sign(Sign::OpenBrace) {
            return None;
        }
        let form = self.forms.at(self.at)?;
        let is_cut = self.path_ends.iter().any(|end| (self.at..form.end()).contains(end));
        (!is_cut).then_some(form)
    }

    /// Takes the next token if the grammar has one of these rules for it.
    pub(super) fn take_rule(&mut self, rules: &[Rule]) -> Option<Rule> {
        let rule = self.forms.rule(self.at).filter(|rule| rules.contains(rule))?;
        self.advance(1);
        Some(rule)
    }

    /// Takes the next token if it is one of these parameters of a head. In the run in which a head continues, the grammar does not
    /// distinguish parameters that are also filters.
    pub(super) fn take_parameter(&mut self, parameters: &[Rule]) -> Option<(Rule, &'static str)> {
        let TokenKind::Word(word) = self.token().kind else {
            return None;
        };
        let rule = match (self.forms.rule(self.at)?, word) {
            (Rule::reserved, "primary") => Rule::PRIMARY,
            (Rule::reserved, "secondary") => Rule::SECONDARY,
            (Rule::reserved, "max") => Rule::MAX,
            (rule, _) => rule,
        };
        parameters.contains(&rule).then(|| {
            self.advance(1);
            (rule, word)
        })
    }

    /// Returns the text in a form.
    pub(super) fn text_of(&self, form: &Form) -> Option<(Vec<u8>, Part)> {
        let part = form
            .all()
            .iter()
            .find(|part| matches!(part.rule, Rule::string | Rule::escape))?;
        match &self.tokens[part.first].kind {
            TokenKind::String(bytes) => Some((bytes.clone(), *part)),
            _ => None,
        }
    }

    /// Moves after a form and returns the index of its first token.
    pub(super) fn read_whole(&mut self, form: &Form) -> usize {
        let first = self.at;
        self.at = form.end();
        self.advance(0);
        first
    }

    /// Moves after a part of a form.
    pub(super) fn go_behind(&mut self, part: Part) {
        self.at = part.end;
        self.advance(0);
    }

    /// Returns the word that is a part of a form.
    pub(super) fn word_of(&self, part: Part) -> &'static str {
        match self.tokens[part.first].kind {
            TokenKind::Word(word) => word,
            _ => "",
        }
    }

    /// Returns whether a filter can begin with the next token.
    pub(super) fn begins_filter(&self) -> bool {
        match &self.token().kind {
            TokenKind::End | TokenKind::PathEnd | TokenKind::LineMessageEnd => false,
            TokenKind::Repetition(..) | TokenKind::File { .. } | TokenKind::Result(_) => false,
            TokenKind::Sign(sign) => matches!(
                sign,
                Sign::ForAll
                    | Sign::Dot
                    | Sign::EmptySet
                    | Sign::Tilde
                    | Sign::OpenBrace
                    | Sign::OpenParen
                    | Sign::Hash
                    | Sign::Minus
            ),
            TokenKind::Word(word) => keywords::place(word) != Some(keywords::WordPosition::Between),
            _ => true,
        }
    }

    /// Returns the token that closes the bracket at a place, if one is opened there.
    pub(super) fn closing(&self, open: usize) -> Option<&Token> {
        self.tokens.get(closing_bracket(&self.tokens, open)?)
    }

    /// Returns the span from the token at `first` to the last token that was read.
    pub(super) fn span_from(&self, first: usize) -> Span {
        let last = self.at.saturating_sub(1).max(first);
        self.tokens[first].span.to(self.tokens[last].span)
    }

    pub(super) fn token(&self) -> &Token {
        self.peek(0)
    }

    pub(super) fn peek(&self, ahead: usize) -> &Token {
        let last = self.tokens.len() - 1;
        &self.tokens[(self.at + ahead).min(last)]
    }

    pub(super) fn is_end(&self) -> bool {
        self.token().kind == TokenKind::End
    }
}
