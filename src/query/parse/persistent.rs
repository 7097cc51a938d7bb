//! `persistent`: variables that live through the whole run (chapter 8, 5.1).

use crate::syntax::token::{Span, TokenKind};
use crate::syntax::tree::Rule;
use crate::syntax::{Diagnostic, Form};

use super::builder::{Builder, Built};
use super::names::{Name, in_use};
use super::operators::Level;
use crate::query::ast::node::{Filter, Type};
use crate::query::ast::variables::{PersistentVariable, Variable};

impl Builder {
    /// Reads `persistent quiet? x = f` and the like. The form is next.
    pub(super) fn persistent(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        let Some(assignment) = form.part(Rule::assignment) else {
            return Err(self.no_persistent());
        };
        self.cursor.at = assignment.first;
        let (name, name_span) = self.new_name("of a variable after `persistent`")?;
        let TokenKind::Sign(sign) = self.cursor.token().kind else {
            return Err(self.unexpected("expected an assignment"));
        };
        let sign_span = self.cursor.next().span;
        let value = self.operand(Level::Sum, "a value on the right of the assignment")?;
        self.persist(&name, name_span, form.has(Rule::QUIET), &value)?;
        let kind = self.assign(sign, sign_span, &name, name_span, value)?;
        self.complete(kind, first)
    }

    /// Returns an error for `persistent` without an assignment. The word is read.
    pub(super) fn no_persistent(&mut self) -> Diagnostic {
        self.cursor.take_rule(&[Rule::QUIET]);
        match self.new_name("of a variable after `persistent`") {
            Ok(_) => self.unexpected("expected an assignment"),
            Err(error) => error,
        }
    }

    /// Makes sure that a name is a persistent variable. A new one gets the type of the value.
    fn persist(&mut self, name: &str, span: Span, quiet: bool, value: &Filter) -> Built<()> {
        match self.symbols.names.get(name) {
            Some(Name::Variable(variable)) if self.is_persistent(variable) => return Ok(()),
            Some(Name::Variable(_)) => {
                return Err(Diagnostic::new(span, format!("`{name}` is not persistent"))
                    .label("its first assignment has no `persistent`")
                    .hint("write `persistent` where the text first assigns to it"));
            }
            Some(other) => return Err(in_use(name, span, other, "a variable")),
            None => {}
        }
        let variable = match value.kind() {
            Type::Set | Type::Number | Type::String => self.new_variable(value.kind(), name),
            Type::Position => {
                return Err(Diagnostic::new(span, "a position cannot be persistent")
                    .label("positions end with their game")
                    .hint("numbers, strings and sets can be persistent"));
            }
            Type::Condition => None,
        };
        if let Some(variable) = variable {
            self.symbols.persistent.push(PersistentVariable {
                variable,
                name: name.to_owned(),
                quiet,
            });
        }
        Ok(())
    }

    pub(super) fn is_persistent(&self, variable: Variable) -> bool {
        self.symbols
            .persistent
            .iter()
            .any(|persistent| persistent.variable == variable)
    }
}
