//! `echo` and `consecutivemoves`: relations between a position and all other positions of its game (chapter 5, 9 and 10).

use crate::query::ast::facts::Effects;
use crate::query::ast::node::{Cond, Filter, Num, Pos};
use crate::query::ast::variables::PosVar;
use crate::query::ast::{Flow, NumExpr, Range, required};
use crate::syntax::token::Span;

/// `echo (S T) f`
///
/// f is kept as a conjunction, so that [`plan`](crate::query::optimize::memoize) can find the conjuncts that depend on the source or the
/// target only.
#[derive(Clone, Debug)]
pub(crate) struct Echo {
    /// S: the position where the `echo` is evaluated.
    pub source: EchoName,
    /// T: each other position in turn. f is evaluated there.
    pub target: EchoName,
    /// Whether automatic comments are left out.
    pub quiet: bool,
    /// `in all`: whether the source is also a target.
    pub with_itself: bool,
    /// Whether it is inside a `sort`: then only the comments of the best target are kept.
    pub sorted: bool,
    /// The filters of f that must all match, in order.
    pub tests: Vec<EchoTest>,
    /// The last filter of f if it is a number; the greatest is the value.
    pub value: Option<Num>,
    /// The effects of evaluating f.
    pub effects: Effects,
    /// How to find targets without trying all positions.
    pub plan: EchoPlan,
}

/// One of the names of an `echo`.
#[derive(Clone, Debug)]
pub(crate) struct EchoName {
    /// The variable of this name.
    pub variable: PosVar,
    /// The name in comments.
    pub name: Vec<u8>,
    /// The text of the name.
    pub span: Span,
}

/// A conjunct of the filter of an `echo`.
#[derive(Clone, Debug)]
pub(crate) struct EchoTest {
    /// The filter.
    pub condition: Cond,
    /// The positions that it depends on.
    pub subject: JoinSide,
}

/// The positions that a conjunct of an `echo` depends on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum JoinSide {
    /// Only the source: evaluated once for it.
    Source,
    /// Only the target: evaluated once for each position of a game.
    Target,
    /// Both, or other things as well: evaluated for each pair.
    #[default]
    Pair,
}

/// Necessary conditions for a pair, used to look up the targets of a source. The tests still decide.
#[derive(Clone, Debug, Default)]
pub(crate) struct EchoPlan {
    /// The index among the memos of a game.
    pub memo: u32,
    /// The values that must be equal.
    pub equations: Vec<Equation>,
    /// Where the target must be, as seen from the source.
    pub spans: Vec<PositionSpan>,
}

/// A value of the target that must equal a value of the source.
#[derive(Clone, Debug)]
pub(crate) struct Equation {
    /// The side that depends only on the target.
    pub target: Operand,
    /// The side that depends only on the source.
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

/// A set of positions, given by their relation to the source.
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
    /// Whether comments are left out.
    pub quiet: bool,
    /// The wanted lengths; at least 1 if not given.
    pub range: Option<Range>,
    /// The index among the longest runs that a game keeps.
    pub place: u32,
}

impl EchoTest {
    /// Returns the tests that must all match for a condition to match, in the order of evaluation.
    pub(crate) fn of(condition: &Cond) -> impl Iterator<Item = EchoTest> {
        required(condition).into_iter().map(|condition| EchoTest {
            condition: condition.clone(),
            subject: JoinSide::default(),
        })
    }
}

/// Splits a number into filters that must all match, which it appends to `tests`, and the number that is the value if they do.
pub(crate) fn tested_number(number: Num, tests: &mut Vec<EchoTest>) -> Num {
    match number.kind {
        NumExpr::Flow(Flow::Group(inner)) => tested_number(inner, tests),
        NumExpr::Flow(Flow::Block { tests: first, value }) => {
            tests.extend(first.iter().flat_map(EchoTest::of));
            tested_number(value, tests)
        }
        _ => number,
    }
}
