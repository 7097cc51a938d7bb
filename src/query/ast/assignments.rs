//! Assignments: the ways to change a variable.

use crate::query::ast::facts::Use;
use crate::query::ast::node::{Num, Pos, Set, Str};
use crate::query::ast::strings::StringSlice;
use crate::query::ast::variables::{NumVar, PieceVar, PosVar, SetVar, StrVar, Variable};

/// A condition that changes a variable. It fails if there is no value to assign.
#[derive(Clone, Debug)]
pub(crate) enum Assignment {
    /// `x = S`, also `x |= T`, which is `x = x|T`, and `x &= T`
    Set(SetVar, Set),
    /// `x =? S`
    NonEmptySet(SetVar, Set),
    /// `x = n`, also `x += m`, which is `x = x+m`, and the like
    Number(NumVar, Num),
    /// `x = s`
    String(StrVar, Str),
    /// `x += s`
    Append(StrVar, Str),
    /// `x[n] = s`, `x[n:m] = s`
    Splice {
        /// x
        variable: StrVar,
        /// The replaced part.
        part: StringSlice,
        /// s
        value: Str,
    },
    /// `x = p`
    Position(PosVar, Pos),
    /// `piece x = S`
    Piece(PieceVar, Set),
    /// `unbind x`
    Unbind(Variable),
}

impl Assignment {
    /// Returns the variable that it changes.
    pub(crate) fn variable(&self) -> Variable {
        match self {
            Assignment::Set(variable, _) | Assignment::NonEmptySet(variable, _) => Variable::Set(*variable),
            Assignment::Number(variable, _) => Variable::Number(*variable),
            Assignment::String(variable, _) | Assignment::Append(variable, _) | Assignment::Splice { variable, .. } => {
                Variable::String(*variable)
            }
            Assignment::Position(variable, _) => Variable::Position(*variable),
            Assignment::Piece(variable, _) => Variable::Piece(*variable),
            Assignment::Unbind(variable) => *variable,
        }
    }

    /// Returns the variable that has a value afterwards, whether or not it had one before. The new value does not depend on an old one.
    pub(crate) fn binds(&self) -> Option<Variable> {
        let value = match self {
            Assignment::Set(_, set) | Assignment::NonEmptySet(_, set) | Assignment::Piece(_, set) => &set.facts,
            Assignment::Number(_, number) => &number.facts,
            Assignment::String(_, string) => &string.facts,
            Assignment::Position(_, position) => &position.facts,
            Assignment::Append(..) | Assignment::Splice { .. } | Assignment::Unbind(_) => return None,
        };
        let variable = self.variable();
        let reads_it = value.variables(Use::READ).any(|read| read == variable);
        (!reads_it).then_some(variable)
    }
}
