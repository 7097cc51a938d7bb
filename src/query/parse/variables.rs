//! Creates variables.

use super::builder::{Builder, Built};
use super::names::{Name, in_use};
use crate::query::ast::Type;
use crate::query::ast::variables::{NumVar, PieceVar, PosVar, SetVar, StrVar, Variable};
use crate::syntax::token::Span;

impl Builder {
    /// Creates a variable of this type, or returns `None` for conditions.
    pub(super) fn new_variable(&mut self, kind: Type, name: &str) -> Option<Variable> {
        let counts = &mut self.symbols.counts;
        let variable = match kind {
            Type::Set => Variable::Set(SetVar(take(&mut counts.sets))),
            Type::Number => Variable::Number(NumVar(take(&mut counts.numbers))),
            Type::String => Variable::String(StrVar(take(&mut counts.strings))),
            Type::Position => Variable::Position(PosVar(take(&mut counts.positions))),
            Type::Condition => return None,
        };
        self.symbols.names.declare(name, Name::Variable(variable));
        Some(variable)
    }

    /// Returns the piece variable of this name. Declares it if it is new.
    pub(super) fn piece_variable(&mut self, name: &str, span: Span) -> Built<PieceVar> {
        match self.symbols.names.get(name) {
            None => {
                let variable = PieceVar(take(&mut self.symbols.counts.pieces));
                self.symbols
                    .names
                    .declare(name, Name::Variable(Variable::Piece(variable)));
                Ok(variable)
            }
            Some(Name::Variable(Variable::Piece(variable))) => Ok(variable),
            Some(other) => Err(in_use(name, span, other, "a piece variable")),
        }
    }

    /// Returns the set variable of this name. Declares it if it is new.
    pub(super) fn set_variable(&mut self, name: &str, span: Span) -> Built<SetVar> {
        match self.symbols.names.get(name) {
            None => {
                let variable = SetVar(take(&mut self.symbols.counts.sets));
                self.symbols
                    .names
                    .declare(name, Name::Variable(Variable::Set(variable)));
                Ok(variable)
            }
            Some(Name::Variable(Variable::Set(variable))) => Ok(variable),
            Some(other) => Err(in_use(name, span, other, "a set variable")),
        }
    }
}

fn take(count: &mut u32) -> u32 {
    *count += 1;
    *count - 1
}
