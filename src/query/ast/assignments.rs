//! Assignments: the ways to change a variable.

use crate::query::ast::node::{Num, Pos, Set, Str};
use crate::query::ast::numbers::Arithmetic;
use crate::query::ast::strings::StringSlice;
use crate::query::ast::variables::{NumVar, PieceVar, PosVar, SetVar, StrVar, Variable};

/// A condition that changes a variable. It fails if there is no value to assign.
#[derive(Clone, Debug)]
pub(crate) enum Assignment {
    /// `x = S`
    Set(SetVar, Set),
    /// `x =? S`
    NonEmptySet(SetVar, Set),
    /// `x |= S`
    Unite(SetVar, Set),
    /// `x &= S`
    Intersect(SetVar, Set),
    /// `x = n`
    Number(NumVar, Num),
    /// `x += n` and the like
    Calculate(Arithmetic, NumVar, Num),
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
            Assignment::Set(variable, _)
            | Assignment::NonEmptySet(variable, _)
            | Assignment::Unite(variable, _)
            | Assignment::Intersect(variable, _) => Variable::Set(*variable),
            Assignment::Number(variable, _) | Assignment::Calculate(_, variable, _) => Variable::Number(*variable),
            Assignment::String(variable, _) | Assignment::Append(variable, _) | Assignment::Splice { variable, .. } => {
                Variable::String(*variable)
            }
            Assignment::Position(variable, _) => Variable::Position(*variable),
            Assignment::Piece(variable, _) => Variable::Piece(*variable),
            Assignment::Unbind(variable) => *variable,
        }
    }

    /// Returns the variable that has a value afterwards, whether or not it had one before.
    pub(crate) fn binds(&self) -> Option<Variable> {
        match self {
            Assignment::Set(variable, _) | Assignment::NonEmptySet(variable, _) => Some(Variable::Set(*variable)),
            Assignment::Number(variable, _) => Some(Variable::Number(*variable)),
            Assignment::String(variable, _) => Some(Variable::String(*variable)),
            Assignment::Position(variable, _) => Some(Variable::Position(*variable)),
            Assignment::Piece(variable, _) => Some(Variable::Piece(*variable)),
            Assignment::Unite(..)
            | Assignment::Intersect(..)
            | Assignment::Calculate(..)
            | Assignment::Append(..)
            | Assignment::Splice { .. }
            | Assignment::Unbind(_) => None,
        }
    }
}
