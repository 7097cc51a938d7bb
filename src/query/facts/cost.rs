//! What tests cost that may be reordered: those that only look at the board, and can neither write anything nor end the run.
//!
//! A look at the squares of one kind of piece counts 1. Only the order of the costs matters: it is that of measured times, in which one
//! line costs as much as many looks at pieces. `explain::cost` is another model for another question: it estimates every filter, loops and
//! whole games included, in numbers that people compare, and must not change because two tests are better evaluated the other way round.

use crate::query::ast::node::{Cond, Flow, Num, Set};
use crate::query::ast::numbers::{Fact, SetNumber};
use crate::query::ast::{CondExpr, NumExpr, SetExpr};

/// Whether a condition only looks at the board.
pub(crate) fn is_cheap(condition: &Cond) -> bool {
    of_condition(condition).is_some()
}

/// Returns the cost of a condition that only looks at the board.
pub(crate) fn of_condition(condition: &Cond) -> Option<u32> {
    Some(match &condition.kind {
        CondExpr::Constant(_) | CondExpr::ToMove(_) | CondExpr::Initial | CondExpr::Terminal => 0,
        CondExpr::NonEmpty(set) => of_set(set)?,
        CondExpr::Placement(designators) => designators.len() as u32,
        CondExpr::HasNumber(number) => of_number(number)?,
        CondExpr::Not(condition) => of_condition(condition)?,
        CondExpr::And(first, second) | CondExpr::Or(first, second) => {
            of_condition(first)?.saturating_add(of_condition(second)?)
        }
        CondExpr::Check | CondExpr::Mate | CondExpr::Stalemate | CondExpr::LegalPosition => 8,
        CondExpr::Flow(Flow::Group(condition)) => of_condition(condition)?,
        _ => return None,
    })
}

fn of_number(number: &Num) -> Option<u32> {
    Some(match &number.kind {
        NumExpr::Literal(_) | NumExpr::Fact(Fact::Ply | Fact::MoveNumber | Fact::PositionId | Fact::SideToMove) => 0,
        NumExpr::Count(set) => of_set(set)?.saturating_add(1),
        NumExpr::OfSet(SetNumber::Power, set) => of_set(set)?.saturating_add(10),
        NumExpr::Arithmetic(_, left, right) | NumExpr::Compare(_, left, right) => {
            of_number(left)?.saturating_add(of_number(right)?)
        }
        NumExpr::Flow(Flow::Group(number)) => of_number(number)?,
        _ => return None,
    })
}

fn of_set(set: &Set) -> Option<u32> {
    Some(match &set.kind {
        SetExpr::Constant(_) => 0,
        SetExpr::Designator(designator) if designator.contents.0.is_power_of_two() => 1,
        SetExpr::Designator(_) => 3,
        SetExpr::Complement(set) | SetExpr::SquareColor { set, .. } => of_set(set)?,
        SetExpr::Intersection(left, right) | SetExpr::Union(left, right) => {
            of_set(left)?.saturating_add(of_set(right)?)
        }
        SetExpr::Attackers { attackers, targets } | SetExpr::Attacked { attackers, targets } => {
            of_set(attackers)?.saturating_add(of_set(targets)?).saturating_add(12)
        }
        SetExpr::Line(line) => {
            let sets = line.sets.iter().map(of_set).sum::<Option<u32>>()?;
            sets.saturating_add(20)
        }
        SetExpr::Intersections([left, right]) => of_set(&left.set)?
            .saturating_add(of_set(&right.set)?)
            .saturating_add(12),
        SetExpr::Pawns(_) => 8,
        SetExpr::Flow(Flow::Group(set)) => of_set(set)?,
        _ => return None,
    })
}
