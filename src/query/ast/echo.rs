//! `echo` and `consecutivemoves`: relations between a position and all others of its game (chapter 5, 9 and 10).

use crate::query::ast::node::{Cond, Filter, Num, Pos};
use crate::query::ast::variables::PosVar;
use crate::query::ast::{CondExpr, Effect, Flow, NumExpr, Range};
use crate::syntax::token::Span;

/// `echo (S T) f`
///
/// What f asks for is kept as a conjunction, so that [`plan`](crate::query::optimize::memoize) can say which parts of it hold for a source or
/// for a target whatever the other is.
#[derive(Clone, Debug)]
pub(crate) struct Echo {
    /// S: the position where the `echo` is evaluated.
    pub source: EchoName,
    /// T: every other position in turn, the current one of f.
    pub target: EchoName,
    /// Without automatic comments.
    pub quiet: bool,
    /// `in all`: the source is a target, too.
    pub with_itself: bool,
    /// Inside a `sort`: only the comments of the best target stay.
    pub sorted: bool,
    /// The filters of f of which all must match, in order.
    pub tests: Vec<EchoTest>,
    /// The last filter of f if it is a number, the greatest of which is the value.
    pub value: Option<Num>,
    /// What evaluating f does.
    pub effect: Effect,
    /// How targets can be found without trying all.
    pub plan: EchoPlan,
}

/// One of the names of an `echo`.
#[derive(Clone, Debug)]
pub(crate) struct EchoName {
    /// The variable of this name.
    pub variable: PosVar,
    /// How comments call it.
    pub name: Vec<u8>,
    /// Where it stands.
    pub span: Span,
}

/// A part of what an `echo` asks for.
#[derive(Clone, Debug)]
pub(crate) struct EchoTest {
    /// The filter.
    pub condition: Cond,
    /// What it depends on.
    pub subject: JoinSide,
}

/// The positions that a part of an `echo` depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum JoinSide {
    /// The source alone: evaluated once for it.
    Source,
    /// The target alone: evaluated once a game for each position.
    Target,
    /// Both, or more than that: evaluated for each pair.
    #[default]
    Pair,
}

/// Necessary conditions for a pair, by which the targets of a source are looked up. The tests decide in the end.
#[derive(Clone, Debug, Default)]
pub(crate) struct EchoPlan {
    /// The place among the memos of a game.
    pub memo: u32,
    /// What must be equal.
    pub equations: Vec<Equation>,
    /// Where the target must lie, seen from the source.
    pub spans: Vec<PositionSpan>,
}

/// A value of the target that must equal one of the source.
#[derive(Clone, Debug)]
pub(crate) struct Equation {
    /// Depends on the target alone.
    pub target: Operand,
    /// Depends on the source alone.
    pub source: Operand,
}

/// One side of an [`Equation`].
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    /// The value of a filter.
    Value(Filter),
    /// All pieces on the board of a position.
    Board(Pos),
}

/// Positions by their relation to the source.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PositionSpan {
    Before,
    NotAfter,
    After,
    NotBefore,
    Descendants,
    DescendantsOrSame,
}

/// `consecutivemoves (X Y)`
#[derive(Clone, Debug)]
pub(crate) struct ConsecutiveMoves {
    /// X and its name.
    pub first: EchoName,
    /// Y and its name.
    pub second: EchoName,
    /// Without comments.
    pub quiet: bool,
    /// The lengths asked for; at least 1 when not written.
    pub range: Option<Range>,
    /// The place among the longest runs that a game keeps.
    pub place: u32,
}

/// Takes a condition apart into filters of which all must match, in the order of evaluation.
pub(crate) fn conjuncts(condition: Cond, tests: &mut Vec<EchoTest>) {
    match condition.kind {
        CondExpr::Flow(Flow::Group(inner)) => conjuncts(inner, tests),
        CondExpr::Flow(Flow::Block { tests: first, value }) => {
            first.into_iter().for_each(|condition| conjuncts(condition, tests));
            conjuncts(value, tests);
        }
        CondExpr::And(left, right) => {
            conjuncts(left, tests);
            conjuncts(right, tests);
        }
        _ => tests.push(EchoTest {
            condition,
            subject: JoinSide::default(),
        }),
    }
}

/// Takes a number apart into filters of which all must match and the number that is then the value.
pub(crate) fn tested_number(number: Num, tests: &mut Vec<EchoTest>) -> Num {
    match number.kind {
        NumExpr::Flow(Flow::Group(inner)) => tested_number(inner, tests),
        NumExpr::Flow(Flow::Block { tests: first, value }) => {
            first.into_iter().for_each(|condition| conjuncts(condition, tests));
            tested_number(value, tests)
        }
        _ => number,
    }
}
