//! Loops over squares and pieces.

use crate::syntax::token::{Sign, Span, TokenKind};
use crate::syntax::tree::Rule;
use crate::syntax::{Diagnostic, Form};

use super::builder::{Builder, Built};
use super::operators::Level;
use crate::query::ast::facts::Effects;
use crate::query::ast::node::{Cond, Filter};
use crate::query::ast::variables::Variable;
use crate::query::ast::{CondExpr, Loop, SetExpr};

impl Builder {
    /// Reads `square all x in S f`, `piece all x in S f`, `∀x∊S f`, `∀◭x∊S f`. The form is next.
    pub(super) fn loop_of(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        let all = form.has(Rule::ALL) || form.has(Rule::all);
        if let Some(name) = form.part(Rule::name) {
            self.cursor.at = name.first;
        }
        let (name, name_span) = self.new_name("of the loop variable")?;
        if let Some(last) = form.part(Rule::IN).or_else(|| form.part(Rule::element)) {
            self.cursor.go_behind(last);
        }
        if form.rule == Rule::loop_over
            && !all
            && let Some((dictionary, end)) = self.lone_dictionary()?
        {
            self.cursor.at = end;
            return self.key_loop(&name, name_span, dictionary, first);
        }
        let domain = self.typed_operand(Level::Dash, "to loop over")?;
        let variable = if form.rule == Rule::piece_loop {
            Variable::Piece(self.piece_variable(&name, name_span)?)
        } else {
            Variable::Set(self.set_variable(&name, name_span)?)
        };
        if self.is_persistent(variable) {
            return Err(Diagnostic::new(
                name_span,
                format!("the persistent variable `{name}` cannot be a loop variable"),
            )
            .label("a loop gives it one square after another and unbinds it")
            .hint("choose another name"));
        }
        let body = self.loop_body(&name, name_span, variable)?;
        let each = Loop {
            variable,
            domain,
            effects: self.effects(&body.facts.clone().binds(variable), Effects::empty()),
            body,
        };
        let span = self.cursor.span_from(first);
        Ok(if all {
            Filter::new(CondExpr::All(each), span)
        } else {
            Filter::new(SetExpr::Each(each), span)
        })
    }

    /// Returns an error for the word of a loop without a name and `in`. The word is read.
    pub(super) fn no_loop(&mut self, word: &str) -> Diagnostic {
        let keyword = self.cursor.tokens[self.cursor.at - 1].span;
        self.cursor.take_word("all");
        if let Err(error) = self.new_name(&format!("of a variable after `{word}`")) {
            return error;
        }
        let error = self.unexpected("expected `in`");
        if self.cursor.at_sign(Sign::Element) {
            error
                .hint(format!("`∊` makes a loop without the word `{word}`"))
                .fix(format!("Leave out `{word}`"), [(keyword, "")])
        } else {
            error
        }
    }

    /// Returns an error for the sign of a loop without a name and `∊`. The sign is next.
    pub(super) fn no_symbol_loop(&mut self) -> Diagnostic {
        self.cursor.take_sign(Sign::ForAll);
        if self.cursor.token().kind == TokenKind::PieceMark {
            self.cursor.next();
        }
        if let Err(error) = self.new_name("of the loop variable") {
            return error;
        }
        let error = self.unexpected("expected `∊` or `[element]`");
        if self.cursor.at_word("in") {
            error.hint("`in` goes with the words `square` and `piece`")
        } else {
            error
        }
    }

    /// Reads the body of a loop over squares, pieces or keys. The variable has a value in it.
    pub(super) fn loop_body(&mut self, name: &str, span: Span, variable: Variable) -> Built<Cond> {
        if self.symbols.looping.contains(&variable) {
            return Err(
                Diagnostic::new(span, format!("the loop variable `{name}` is already in use"))
                    .label("a loop around this one uses it")
                    .hint("choose another name"),
            );
        }
        self.symbols.looping.push(variable);
        let body = self.condition_expected("as the body of the loop");
        self.symbols.looping.pop();
        body
    }
}
