//! The precedence of operators, and the signs of comparisons.

use crate::query::ast::{Comparison, PositionComparison};
use crate::syntax::token::Sign;

/// The precedence of an operator, loosest first (1.5.1 of the language reference).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Level {
    Or,
    And,
    In,
    Relation,
    Sum,
    Product,
    Dash,
    Arrow,
    Union,
    Intersection,
    Attack,
    String,
    Imbue,
}

impl Level {
    /// Returns the next tighter level, for the right operand of an operator that groups from the left.
    pub(super) fn tighter(self) -> Level {
        use Level::*;
        match self {
            Or => And,
            And => In,
            In => Relation,
            Relation => Sum,
            Sum => Product,
            Product => Dash,
            Dash => Arrow,
            Arrow => Union,
            Union => Intersection,
            Intersection => Attack,
            Attack => String,
            String | Imbue => Imbue,
        }
    }
}

/// A comparison sign.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    Compare(Comparison),
    NotEqual,
    /// `[<]` and the like
    Ancestry(PositionComparison),
}

impl Relation {
    pub(super) fn of(sign: Sign) -> Option<Relation> {
        Some(match sign {
            Sign::Equal => Relation::Compare(Comparison::Equal),
            Sign::NotEqual => Relation::NotEqual,
            Sign::Less => Relation::Compare(Comparison::Less),
            Sign::LessEqual => Relation::Compare(Comparison::LessEqual),
            Sign::Greater => Relation::Compare(Comparison::Greater),
            Sign::GreaterEqual => Relation::Compare(Comparison::GreaterEqual),
            Sign::Ancestor => Relation::Ancestry(PositionComparison::Ancestor),
            Sign::AncestorOrSame => Relation::Ancestry(PositionComparison::AncestorOrSame),
            Sign::Descendant | Sign::DescendantOrSame => Relation::Ancestry(PositionComparison::Descendant),
            _ => return None,
        })
    }

    /// Returns the comparison that has a value. `!=` is the negation of it.
    pub(super) fn comparison(self) -> Comparison {
        match self {
            Relation::Compare(comparison) => comparison,
            Relation::NotEqual | Relation::Ancestry(_) => Comparison::Equal,
        }
    }
}
