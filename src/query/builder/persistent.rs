//! `persistent`: variables that live through the whole run (chapter 8, 5.1).

use crate::syntax::Diagnostic;
use crate::syntax::token::{Span, TokenKind};

use super::super::node::{Filter, Type};
use super::super::variables::{PersistentVariable, Variable};
use super::climb::Level;
use super::names::{Name, in_use};
use super::{Builder, Built};

impl Builder {
    /// `persistent quiet? x = f` and the like: the word is read.
    pub(super) fn persistent(&mut self, first: usize) -> Built {
        self.effects += 1;
        let quiet = self.take_word("quiet");
        let (name, name_span) = self.new_name("of a variable after `persistent`")?;
        let sign = match self.token().kind {
            TokenKind::Sign(sign) if sign.is_assignment() => sign,
            _ => return Err(self.unexpected("expected an assignment")),
        };
        let sign_span = self.next().span;
        let value = self.operand(Level::Sum, "a value on the right of the assignment")?;
        self.persist(&name, name_span, quiet, &value)?;
        let kind = self.assign(sign, sign_span, &name, name_span, value)?;
        Ok(self.condition_node(kind, self.span_from(first)))
    }

    /// Sees to it that a name is that of a persistent variable; a new one has the type of a value.
    fn persist(&mut self, name: &str, span: Span, quiet: bool, value: &Filter) -> Built<()> {
        match self.names.get(name) {
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
            self.persistent.push(PersistentVariable {
                variable,
                name: name.to_owned(),
                quiet,
            });
        }
        Ok(())
    }

    pub(super) fn is_persistent(&self, variable: Variable) -> bool {
        self.persistent.iter().any(|persistent| persistent.variable == variable)
    }
}
