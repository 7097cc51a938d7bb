//! Decides which neighbours on a line have a space between them.

use super::super::token::{Sign, Token, TokenKind};
use super::super::tree::Rule;
use super::items::{Form, Items};
use super::outline::Shape;

/// The spaces of a query.
pub(super) struct Spacing {
    /// For each written token, whether a space is before it in the middle of a line.
    blanks: Vec<bool>,
}

impl Spacing {
    pub(super) fn new(items: &Items<'_>, shape: &Shape) -> Spacing {
        let neighbours = Neighbours::new(items, shape);
        let blanks = (0..items.tokens.len())
            .map(|at| at > 0 && neighbours.blank(at))
            .collect();
        Spacing { blanks }
    }

    /// Returns whether a space is before an item in the middle of a line.
    pub(super) fn is_blank(&self, items: &Items<'_>, item: usize) -> bool {
        match (
            items.items[item].form,
            item.checked_sub(1).map(|before| items.items[before].form),
        ) {
            (_, None) => false,
            (Form::Token(at), Some(Form::Token(_))) => self.blanks[at],
            _ => true,
        }
    }
}

struct Neighbours<'a> {
    tokens: &'a [&'a Token],
    shape: &'a Shape,
    items: &'a Items<'a>,
    /// Tokens that touch the one before, in a sequence that contains a move.
    tight: Vec<bool>,
    /// Brackets of an index that is written with spaces.
    wide_index: Vec<bool>,
}

impl<'a> Neighbours<'a> {
    fn new(items: &'a Items<'a>, shape: &'a Shape) -> Neighbours<'a> {
        let tokens = &items.tokens;
        Neighbours {
            tokens,
            shape,
            items,
            tight: tight(tokens),
            wide_index: wide_indexes(items),
        }
    }

    fn sign(&self, at: usize) -> Option<Sign> {
        match self.tokens.get(at)?.kind {
            TokenKind::Sign(sign) => Some(sign),
            _ => None,
        }
    }

    /// Returns whether a space is before a token that is not the first.
    fn blank(&self, at: usize) -> bool {
        use Sign::*;
        let (before, token) = (self.tokens[at - 1], self.tokens[at]);
        match (self.sign(at - 1), self.sign(at)) {
            (Some(OpenBrace), _) => self.is_number_alone(at),
            (_, Some(CloseBrace)) => self.is_number_alone(at - 1),
            (Some(OpenParen), _) | (_, Some(CloseParen)) => false,
            (Some(OpenBracket), _) => self.wide_index[at - 1],
            (_, Some(CloseBracket)) => self.wide_index[at],
            (Some(Assign), _) if is_dash(token) && self.assigns(at - 1) => true,
            _ if is_dash(before) || is_dash(token) => token.spaced,
            _ if before.kind == TokenKind::PieceMark => false,
            (_, Some(OpenParen)) => self.blank_before_parenthesis(at),
            // Together they would be read as pieces on squares.
            (_, Some(OpenBracket)) => matches!(before.kind, TokenKind::Designator(_)),
            (Some(ForAll | Colon | Element | Hash), _) | (_, Some(Colon | Element)) => false,
            (Some(CloseParen), Some(Question | BraceStar | BracePlus | RepeatPlus | RepeatStar)) => false,
            (_, Some(Question | BraceStar | BracePlus | RepeatPlus | RepeatStar)) => token.spaced,
            _ if matches!(token.kind, TokenKind::Repetition(..)) => token.spaced,
            (Some(Tilde), Some(Tilde)) => true,
            (Some(Tilde), _) => false,
            (Some(Minus), next) => next == Some(Minus) || !self.is_sign_of_number(at - 1),
            (_, Some(Plus | Star)) if self.repeats(at) => false,
            (_, Some(Assign)) => self.assigns(at) || token.spaced,
            (Some(Assign), _) => self.assigns(at - 1) || token.spaced,
            (_, Some(Union | Intersect | Right | Left)) | (Some(Union | Intersect | Right | Left), _) => {
                !self.tight[at]
            }
            _ => true,
        }
    }

    /// Returns whether a number is alone in braces. Without spaces, `{5}` would be a repetition.
    fn is_number_alone(&self, at: usize) -> bool {
        let in_braces =
            at > 0 && self.sign(at - 1) == Some(Sign::OpenBrace) && self.sign(at + 1) == Some(Sign::CloseBrace);
        in_braces && matches!(self.tokens[at].kind, TokenKind::Integer(_))
    }

    fn blank_before_parenthesis(&self, at: usize) -> bool {
        let before = self.tokens[at - 1];
        match self.items.owners[at] {
            // Arguments that are written like a call.
            Some(
                Rule::header
                | Rule::between
                | Rule::extreme
                | Rule::equality
                | Rule::index_of
                | Rule::set_tag
                | Rule::write_file
                | Rule::relation
                | Rule::child
                | Rule::makesquare
                | Rule::message
                | Rule::consecutive_moves,
            ) => return false,
            Some(Rule::xray | Rule::ray | Rule::while_test | Rule::echo) => return true,
            _ => {}
        }
        match &before.kind {
            TokenKind::Word(_) if self.items.groups[at] => true,
            TokenKind::Name(name) if self.items.functions.contains(name) => false,
            TokenKind::Sign(Sign::Tilde | Sign::Hash | Sign::Colon | Sign::Element) => false,
            TokenKind::Sign(Sign::Minus) => !self.is_sign_of_number(at - 1),
            TokenKind::Sign(Sign::CloseParen | Sign::CloseBrace | Sign::CloseBracket | Sign::Dot | Sign::EmptySet) => {
                self.tokens[at].spaced
            }
            TokenKind::Sign(Sign::Assign) => self.assigns(at - 1) || self.tokens[at].spaced,
            TokenKind::Sign(_) => true,
            _ => self.tokens[at].spaced,
        }
    }

    /// Returns whether a minus is the sign of a number, not a subtraction.
    fn is_sign_of_number(&self, at: usize) -> bool {
        if self.shape.starts[at] {
            return true;
        }
        let Some(before) = at.checked_sub(1) else {
            return true;
        };
        match &self.tokens[before].kind {
            TokenKind::Sign(sign) => !matches!(
                sign,
                Sign::CloseParen | Sign::CloseBrace | Sign::CloseBracket | Sign::Dot | Sign::EmptySet
            ),
            TokenKind::Word(_) => self.tokens[at].spaced && self.tokens.get(at + 1).is_some_and(|next| !next.spaced),
            _ => false,
        }
    }

    /// Returns whether `=` is an assignment, not a promotion.
    fn assigns(&self, at: usize) -> bool {
        let named = at.checked_sub(1).is_some_and(|before| {
            matches!(
                self.tokens[before].kind,
                TokenKind::Name(_) | TokenKind::Sign(Sign::CloseBracket)
            )
        });
        let row = (0..at)
            .rev()
            .take_while(|&before| !self.tokens[before + 1].spaced || before + 1 == at);
        named && !row.into_iter().any(|before| is_dash(self.tokens[before]))
    }

    /// Returns whether `+` or `*` repeats an item of a line.
    fn repeats(&self, at: usize) -> bool {
        let ends = |sign| {
            matches!(
                sign,
                Sign::CloseBrace
                    | Sign::CloseParen
                    | Sign::LineForward
                    | Sign::LineBackward
                    | Sign::Plus
                    | Sign::Star
                    | Sign::Question
                    | Sign::BraceStar
                    | Sign::BracePlus
            )
        };
        self.tokens.get(at + 1).is_none() || self.sign(at + 1).is_some_and(ends)
    }
}

fn is_dash(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Dash { .. })
}

/// Marks the tokens that touch the one before, in sequences of touching tokens that contain a move. Text in brackets is a sequence of its
/// own.
fn tight(tokens: &[&Token]) -> Vec<bool> {
    let mut tight = vec![false; tokens.len()];
    // For each open bracket, the sequence that continues around it: its tokens, and whether it contains a move.
    let mut rows = vec![(Vec::new(), false)];
    let mut close = |(row, moves): (Vec<usize>, bool)| {
        for at in row.into_iter().filter(|_| moves) {
            tight[at] = true;
        }
    };
    for (at, token) in tokens.iter().enumerate() {
        if token.spaced
            && let Some(row) = rows.last_mut()
        {
            close(std::mem::take(row));
        }
        match token.kind {
            TokenKind::Sign(sign) if sign.is_opening() => {
                rows.push((Vec::new(), false));
                continue;
            }
            TokenKind::Sign(sign) if sign.is_closing() && rows.len() > 1 => {
                close(rows.pop().unwrap_or_default());
            }
            _ => {}
        }
        if let Some((row, moves)) = rows.last_mut() {
            *moves |= is_dash(token);
            if !token.spaced {
                row.push(at);
            }
        }
    }
    rows.into_iter().for_each(close);
    tight
}

/// Marks the brackets of indexes such as `[ x ]`, which would mean something else without spaces.
fn wide_indexes(items: &Items<'_>) -> Vec<bool> {
    let mut wide = vec![false; items.tokens.len()];
    for (open, &place) in items.places.iter().enumerate() {
        if !items.is_sign(place, Sign::OpenBracket) {
            continue;
        }
        let close = items.partners[place].map(|partner| items.items[partner].form);
        if let Some(Form::Token(close)) = close {
            let spaced = items.tokens[open + 1].spaced || items.tokens[close].spaced;
            let mut inside = items.tokens[open + 1..close].iter();
            let numbers =
                inside.all(|token| matches!(token.kind, TokenKind::Integer(_) | TokenKind::Sign(Sign::Colon)));
            (wide[open], wide[close]) = (spaced && !numbers, spaced && !numbers);
        }
    }
    wide
}
