//! Bounds of numbers and sets that are known without a position.

use crate::query::ast::node::{Flow, Num, Set};
use crate::query::ast::numbers::{Fact, FindCount, SetNumber};
use crate::query::ast::{Comparison, NumExpr, SetExpr};
use crate::syntax::token::Designator;
use crate::tablebase::Metric;

/// The possible values of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Interval {
    pub(crate) least: i64,
    pub(crate) most: i64,
    /// Whether it has a value at every position.
    pub(crate) always: bool,
}

impl Interval {
    const fn new(least: i64, most: i64, always: bool) -> Interval {
        Interval { least, most, always }
    }

    /// The interval of a number about which nothing is known.
    pub(crate) const ANY: Interval = Interval::new(i64::MIN, i64::MAX, false);

    /// Returns the numbers for which a comparison with `limit` holds.
    pub(crate) fn satisfying(comparison: Comparison, limit: i64) -> Interval {
        let (least, most) = comparison.range(limit);
        Interval::new(least, most, false)
    }

    pub(crate) fn and(self, other: Interval) -> Interval {
        Interval::new(self.least.max(other.least), self.most.min(other.most), self.always)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.least > self.most
    }
}

/// Returns whether a comparison holds for all numbers of two intervals or for none. `None` if it depends on the numbers.
pub(crate) fn decided(comparison: Comparison, left: Interval, right: Interval) -> Option<bool> {
    let below = left.most < right.least;
    let not_above = left.most <= right.least;
    let above = left.least > right.most;
    let not_below = left.least >= right.most;
    let same = left.least == left.most && right.least == right.most && left.least == right.least;
    let (holds, fails) = match comparison {
        Comparison::Equal => (same, below || above),
        Comparison::Less => (below, not_below),
        Comparison::LessEqual => (not_above, above),
        Comparison::Greater => (above, not_above),
        Comparison::GreaterEqual => (not_below, below),
    };
    match (holds && left.always && right.always, fails) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }
}

/// Returns the possible values of a number.
pub(crate) fn interval(number: &NumExpr) -> Interval {
    const MOST: i64 = i32::MAX as i64;
    match number {
        NumExpr::Literal(value) => Interval::new((*value).into(), (*value).into(), true),
        NumExpr::Negate(number) => match interval(&number.kind) {
            known if known.least > -MOST && known.most <= MOST => {
                Interval::new(-known.most, -known.least, known.always)
            }
            _ => Interval::ANY,
        },
        NumExpr::Count(set) => Interval::new(0, most_squares(&set.kind), is_plain(&set.kind)),
        NumExpr::Fact(Fact::Ply | Fact::MoveNumber | Fact::PositionId | Fact::Depth | Fact::HalfmoveClock) => {
            Interval::new(0, MOST, true)
        }
        NumExpr::Fact(Fact::GameNumber) => Interval::new(1, MOST, true),
        NumExpr::Fact(Fact::LastGameNumber) => Interval::new(1, MOST, false),
        NumExpr::Evaluation(_) => Interval::new(-100_000, 100_000, false),
        NumExpr::Measure(_) | NumExpr::TimeControl(_) => Interval::new(0, MOST, false),
        NumExpr::Endgame {
            metric: Metric::Wdl, ..
        } => Interval::new(-2, 2, false),
        NumExpr::Fact(Fact::SideToMove) => Interval::new(-1, 1, true),
        NumExpr::OfSet(SetNumber::Rank | SetNumber::File, _) => Interval::new(1, 8, false),
        NumExpr::OfSet(SetNumber::Type, _) => Interval::new(0, 6, false),
        NumExpr::OfSet(SetNumber::ColorType, _) => Interval::new(-6, 6, false),
        NumExpr::Length(_) => Interval::new(0, MOST, false),
        NumExpr::Find(_, FindCount::All) => Interval::new(1, MOST, false),
        // The value of a comparison is its left side.
        NumExpr::Compare(_, left, _) => Interval {
            always: false,
            ..interval(&left.kind)
        },
        NumExpr::Flow(Flow::Group(number) | Flow::Fixed(number)) => interval(&number.kind),
        _ => Interval::ANY,
    }
}

/// Returns the value of a number that always has the same value.
pub(crate) fn fixed(number: &Num) -> Option<i64> {
    let known = interval(&number.kind);
    (known.always && known.least == known.most).then_some(known.least)
}

/// Facts about a set that are known without a position.
struct Known {
    /// The maximum number of squares.
    most: i64,
    /// The designator that is equivalent to the set, if it is a designator or an intersection of designators.
    designator: Option<Designator>,
}

impl Known {
    fn of(set: &SetExpr) -> Known {
        let unnamed = |most| Known { most, designator: None };
        match set {
            SetExpr::Constant(squares) => unnamed(squares.count() as i64),
            SetExpr::Designator(designator) => Known::of_designator(*designator),
            SetExpr::Intersection(left, right) => {
                let (left, right) = (Known::of(&left.kind), Known::of(&right.kind));
                let most = left.most.min(right.most);
                match left.designator.zip(right.designator) {
                    None => unnamed(most),
                    Some((mut both, other)) => {
                        both.contents.0 &= other.contents.0;
                        both.squares &= other.squares;
                        let both = Known::of_designator(both);
                        Known {
                            // The common squares only matter if there are none; otherwise the bound of the operands stays.
                            most: if both.most == 0 { 0 } else { most },
                            ..both
                        }
                    }
                }
            }
            SetExpr::Union(left, right) => {
                let (left, right) = (Known::of(&left.kind), Known::of(&right.kind));
                unnamed((left.most + right.most).min(64))
            }
            SetExpr::Flow(Flow::Group(set) | Flow::Fixed(set)) => Known::of(&set.kind),
            _ => unnamed(64),
        }
    }

    fn of_designator(designator: Designator) -> Known {
        Known {
            most: match designator.contents.0 {
                0 => 0,
                _ => designator.squares.count() as i64,
            },
            designator: Some(designator),
        }
    }
}

/// Returns the maximum number of squares of a set.
fn most_squares(set: &SetExpr) -> i64 {
    Known::of(set).most
}

/// Returns whether a set is empty at every position.
pub(crate) fn is_empty(set: &SetExpr) -> bool {
    most_squares(set) == 0
}

/// Returns the designator that is equivalent to a set, if it is a designator or an intersection of designators.
pub(crate) fn designator(set: &SetExpr) -> Option<Designator> {
    Known::of(set).designator
}

/// Returns whether evaluating a set only looks at the board.
pub(crate) fn is_plain(set: &SetExpr) -> bool {
    let both = |left: &Set, right: &Set| is_plain(&left.kind) && is_plain(&right.kind);
    match set {
        SetExpr::Designator(_) | SetExpr::Constant(_) | SetExpr::Pawns(_) => true,
        SetExpr::Complement(set) => is_plain(&set.kind),
        SetExpr::Intersection(left, right) | SetExpr::Union(left, right) => both(left, right),
        SetExpr::Attackers { attackers, targets } | SetExpr::Attacked { attackers, targets } => {
            both(attackers, targets)
        }
        SetExpr::Flow(Flow::Group(set) | Flow::Fixed(set)) => is_plain(&set.kind),
        _ => false,
    }
}
