//! Finds equations and ranges of positions that are implied by a relation between two positions.

use crate::board::Bitboard;
use crate::query::ast::echo::{Operand, PositionSpan};
use crate::query::ast::node::{Filter, Flow, Num, Pos, Set};
use crate::query::ast::variables::{PosVar, Variable};
use crate::query::ast::{Comparison, CondExpr, NumExpr, PosExpr, PositionComparison, SetExpr, StrExpr};

/// The variables of an `echo`.
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) source: PosVar,
    pub(crate) target: PosVar,
}

impl Pair {
    /// Returns the variable of the target.
    pub(crate) fn name(self) -> Option<Variable> {
        Some(Variable::Position(self.target))
    }
}

/// Returns the operands of a condition that holds only if both have the same value.
pub(crate) fn equated(condition: &CondExpr) -> Option<(Operand, Operand)> {
    let sides = |left, right| Some((Operand::Value(left), Operand::Value(right)));
    match condition {
        CondExpr::SameSet(left, right) => match (common(left), common(right)) {
            (Some(boards), None) if is_full(right) => Some(boards),
            (None, Some(boards)) if is_full(left) => Some(boards),
            _ => sides(Filter::Set(left.clone()), Filter::Set(right.clone())),
        },
        CondExpr::HasNumber(number) => equated_numbers(&number.kind),
        CondExpr::HasString(string) => match &string.kind {
            StrExpr::Compare(Comparison::Equal, left, right) => {
                sides(Filter::String(left.clone()), Filter::String(right.clone()))
            }
            _ => None,
        },
        CondExpr::HasPosition(position) => match &position.kind {
            PosExpr::Compare(PositionComparison::Order(Comparison::Equal), left, right) => {
                sides(Filter::Position(left.clone()), Filter::Position(right.clone()))
            }
            _ => None,
        },
        _ => None,
    }
}

/// Returns the operands of a number that has a value only if both are equal.
pub(crate) fn equated_numbers(number: &NumExpr) -> Option<(Operand, Operand)> {
    let counted = |number: &Num| match &number.kind {
        NumExpr::Count(set) => common(set),
        _ => None,
    };
    let NumExpr::Compare(comparison, left, right) = number else {
        return None;
    };
    match (comparison, &left.kind, &right.kind) {
        (Comparison::Equal | Comparison::GreaterEqual, _, NumExpr::Literal(64)) if counted(left).is_some() => {
            counted(left)
        }
        (Comparison::Equal | Comparison::LessEqual, NumExpr::Literal(64), _) if counted(right).is_some() => {
            counted(right)
        }
        (Comparison::Equal, ..) => Some((
            Operand::Value(Filter::Number(left.clone())),
            Operand::Value(Filter::Number(right.clone())),
        )),
        _ => None,
    }
}

/// Returns the positions P and Q of a set `P & Q`.
fn common(set: &Set) -> Option<(Operand, Operand)> {
    match &set.kind {
        SetExpr::Common(left, right) => Some((Operand::Board(left.clone()), Operand::Board(right.clone()))),
        SetExpr::Flow(Flow::Group(inner)) => common(inner),
        _ => None,
    }
}

/// Returns whether a set is the constant set of all squares.
fn is_full(set: &Set) -> bool {
    match &set.kind {
        SetExpr::Constant(squares) => *squares == Bitboard::FULL,
        SetExpr::Designator(designator) => !designator.has_contents && designator.squares == Bitboard::FULL,
        _ => false,
    }
}

/// Returns where the target must be for a condition to hold.
pub(crate) fn span(condition: &CondExpr, pair: Pair) -> Option<PositionSpan> {
    use PositionSpan::{After, Before, Descendants, DescendantsOrSame, NotAfter, NotBefore};
    let is_source = |position: &Pos| matches!(position.kind, PosExpr::Variable(variable) if variable == pair.source);
    let is_target = |position: &Pos| match position.kind {
        PosExpr::Current => true,
        PosExpr::Variable(variable) => variable == pair.target,
        _ => false,
    };
    let (comparison, left, right) = match condition {
        CondExpr::HasPosition(position) => match &position.kind {
            PosExpr::Compare(comparison, left, right) => (*comparison, left, right),
            _ => return None,
        },
        CondExpr::Ancestor { ancestor, descendant } => (PositionComparison::Ancestor, ancestor, descendant),
        _ => return None,
    };
    if is_source(left) && is_target(right) {
        Some(match comparison {
            PositionComparison::Order(Comparison::Less) => After,
            PositionComparison::Order(Comparison::LessEqual) => NotBefore,
            PositionComparison::Order(Comparison::Greater) | PositionComparison::Descendant => Before,
            PositionComparison::Order(Comparison::GreaterEqual) => NotAfter,
            PositionComparison::Order(Comparison::Equal) => return None,
            PositionComparison::Ancestor => Descendants,
            PositionComparison::AncestorOrSame => DescendantsOrSame,
        })
    } else if is_target(left) && is_source(right) {
        Some(match comparison {
            PositionComparison::Order(Comparison::Less) | PositionComparison::Ancestor => Before,
            PositionComparison::Order(Comparison::LessEqual) | PositionComparison::AncestorOrSame => NotAfter,
            PositionComparison::Order(Comparison::Greater) => After,
            PositionComparison::Order(Comparison::GreaterEqual) => NotBefore,
            PositionComparison::Order(Comparison::Equal) => return None,
            PositionComparison::Descendant => Descendants,
        })
    } else {
        None
    }
}
