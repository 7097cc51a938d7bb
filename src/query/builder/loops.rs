//! Loops over squares and men.

use crate::syntax::Diagnostic;
use crate::syntax::token::{Sign, Span, TokenKind};

use super::super::node::{Filter, Set, node};
use super::super::variables::Variable;
use super::super::{CondExpr, Loop, SetExpr};
use super::climb::Level;
use super::{Builder, Built};

/// The words of a loop up to its domain.
struct Head {
    all: bool,
    name: String,
    name_span: Span,
}

impl Builder {
    /// `square all? x in S f`: the word is read.
    pub(super) fn square_loop(&mut self, first: usize) -> Built {
        let head = self.keyword_head("square")?;
        self.over_squares(head, first)
    }

    /// `piece all? x in S f` or `piece x = S`: the word is read.
    pub(super) fn piece_loop_or_binding(&mut self, first: usize) -> Built {
        if matches!(self.token().kind, TokenKind::Name(_)) && self.peek(1).kind == TokenKind::Sign(Sign::Assign) {
            return self.piece_binding(first);
        }
        let head = self.keyword_head("piece")?;
        self.over_pieces(head, first)
    }

    /// `∀? ◭? x ∊ S f` and `◭x = S`: the first of these tokens is next.
    pub(super) fn symbol_loop(&mut self) -> Built {
        let first = self.at;
        let all = self.take_sign(Sign::ForAll);
        let pieces = self.token().kind == TokenKind::PieceMark;
        self.at += usize::from(pieces);
        if pieces && !all && self.peek(1).kind == TokenKind::Sign(Sign::Assign) {
            return self.piece_binding(first);
        }
        let (name, name_span) = self.new_name("of the loop variable")?;
        if !self.take_sign(Sign::Element) {
            let error = self.unexpected("expected `∊` or `[element]`");
            return Err(if self.at_word("in") {
                error.hint("`in` goes with the words `square` and `piece`")
            } else {
                error
            });
        }
        if !all
            && !pieces
            && let Some((dictionary, end)) = self.lone_dictionary()?
        {
            self.at = end;
            return self.key_loop(&name, name_span, dictionary, first);
        }
        let head = Head { all, name, name_span };
        if pieces {
            self.over_pieces(head, first)
        } else {
            self.over_squares(head, first)
        }
    }

    fn keyword_head(&mut self, word: &str) -> Built<Head> {
        let all = self.take_word("all");
        let (name, name_span) = self.new_name(&format!("of a variable after `{word}`"))?;
        if !self.take_word("in") {
            let error = self.unexpected("expected `in`");
            return Err(if self.at_sign(Sign::Element) {
                error.hint(format!("`∊` makes a loop without the word `{word}`"))
            } else {
                error
            });
        }
        Ok(Head { all, name, name_span })
    }

    fn over_squares(&mut self, head: Head, first: usize) -> Built {
        let domain = self.set_operand(Level::Dash, "to loop over")?;
        let variable = self.set_variable(&head.name, head.name_span)?;
        let squares = self.loop_over(&head, variable, Variable::Set(variable), domain)?;
        let span = self.span_from(first);
        Ok(if head.all {
            self.condition_node(CondExpr::AllSquares(squares), span)
        } else {
            Filter::Set(node(SetExpr::Squares(squares), span))
        })
    }

    fn over_pieces(&mut self, head: Head, first: usize) -> Built {
        let domain = self.set_operand(Level::Dash, "to loop over")?;
        let variable = self.piece_variable(&head.name, head.name_span)?;
        let pieces = self.loop_over(&head, variable, Variable::Piece(variable), domain)?;
        let span = self.span_from(first);
        Ok(if head.all {
            self.condition_node(CondExpr::AllPieces(pieces), span)
        } else {
            Filter::Set(node(SetExpr::Pieces(pieces), span))
        })
    }

    /// Reads the body, in which the variable has a value.
    fn loop_over<V>(&mut self, head: &Head, variable: V, in_use: Variable, domain: Set) -> Built<Loop<V>> {
        if self.looping.contains(&in_use) {
            return Err(Diagnostic::new(
                head.name_span,
                format!("the loop variable `{}` is already in use", head.name),
            )
            .label("a loop around this one uses it")
            .hint("choose another name"));
        }
        if self.is_persistent(in_use) {
            return Err(Diagnostic::new(
                head.name_span,
                format!("the persistent variable `{}` cannot be a loop variable", head.name),
            )
            .label("a loop gives it one square after another and unbinds it")
            .hint("choose another name"));
        }
        self.looping.push(in_use);
        let effects = self.effects;
        let body = self.condition_expected("as the body of the loop");
        self.looping.pop();
        let pure = self.effects == effects;
        Ok(Loop {
            variable,
            domain,
            body: body?,
            pure,
        })
    }
}
