//! Comparisons of values and of positions.

/// A comparison of two values. `!=` is the negation of `==`.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Comparison {
    Equal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Comparison {
    /// Returns whether `left` and `right` compare like this.
    #[inline]
    pub(crate) fn holds<T: Ord>(self, left: T, right: T) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::Less => left < right,
            Comparison::LessEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterEqual => left >= right,
        }
    }

    /// Returns the comparison with its sides exchanged.
    pub(crate) fn mirrored(self) -> Comparison {
        match self {
            Comparison::Equal => Comparison::Equal,
            Comparison::Less => Comparison::Greater,
            Comparison::LessEqual => Comparison::GreaterEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterEqual => Comparison::LessEqual,
        }
    }

    /// Returns the least and the greatest number for which the comparison with `limit` holds.
    pub(crate) fn range(self, limit: i64) -> (i64, i64) {
        match self {
            Comparison::Equal => (limit, limit),
            Comparison::Less => (i64::MIN, limit.saturating_sub(1)),
            Comparison::LessEqual => (i64::MIN, limit),
            Comparison::Greater => (limit.saturating_add(1), i64::MAX),
            Comparison::GreaterEqual => (limit, i64::MAX),
        }
    }
}

/// A comparison of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PositionComparison {
    /// `==`, `<` …: by positionid.
    Order(Comparison),
    /// `[<]`: the left is a proper ancestor.
    Ancestor,
    /// `[<=]`: the left is an ancestor or the same.
    AncestorOrSame,
    /// `[>]`, and also `[>=]`, as in the reference: the left is a proper descendant.
    Descendant,
}
