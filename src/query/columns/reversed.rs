//! Conditions with ranks and colours reversed, as they are for the other side.

use super::expression::{CondColumn, NumColumn, SetColumn};
use crate::board::Symmetry;

/// What reverses the ranks.
pub(crate) const REVERSAL: Symmetry = Symmetry::ReflectH;

impl CondColumn {
    /// What holds on a board with ranks and colours reversed where this holds on the board itself; nothing where that is not said here.
    pub(crate) fn reversed(&self) -> Option<CondColumn> {
        let each = |conditions: &[CondColumn]| conditions.iter().map(CondColumn::reversed).collect::<Option<Vec<_>>>();
        Some(match self {
            CondColumn::Any(set) => CondColumn::Any(set.reversed()?),
            CondColumn::Count(set, least, most) => CondColumn::Count(set.reversed()?, *least, *most),
            CondColumn::Same(left, right) => CondColumn::Same(left.reversed()?, right.reversed()?),
            CondColumn::Subset(left, right) => CondColumn::Subset(left.reversed()?, right.reversed()?),
            CondColumn::Not(condition) => CondColumn::Not(Box::new(condition.reversed()?)),
            CondColumn::All(conditions) => CondColumn::All(each(conditions)?),
            CondColumn::OneOf(conditions) => CondColumn::OneOf(each(conditions)?),
            // Its places are counted along the ranks.
            CondColumn::Figure(..) => return None,
            CondColumn::Compare(comparison, left, right) => {
                CondColumn::Compare(*comparison, left.reversed()?, right.reversed()?)
            }
            CondColumn::ToMove(color) => CondColumn::ToMove(!*color),
            CondColumn::Check => CondColumn::Check,
        })
    }
}

impl NumColumn {
    fn reversed(&self) -> Option<NumColumn> {
        Some(match self {
            NumColumn::Literal(number) => NumColumn::Literal(*number),
            NumColumn::Count(set) => NumColumn::Count(set.reversed()?),
            NumColumn::Power(set) => NumColumn::Power(set.reversed()?),
            NumColumn::Arithmetic(operator, left, right) => {
                NumColumn::Arithmetic(*operator, Box::new(left.reversed()?), Box::new(right.reversed()?))
            }
        })
    }
}

impl SetColumn {
    fn reversed(&self) -> Option<SetColumn> {
        let boxed = |set: &SetColumn| set.reversed().map(Box::new);
        let each = |sets: &[SetColumn]| sets.iter().map(SetColumn::reversed).collect::<Option<Vec<_>>>();
        Some(match self {
            SetColumn::Pieces(contents, squares) => SetColumn::Pieces(contents.color_swapped(), REVERSAL.set(*squares)),
            SetColumn::Squares(squares) => SetColumn::Squares(REVERSAL.set(*squares)),
            SetColumn::Domain(index) => SetColumn::Domain(*index),
            SetColumn::Complement(set) => SetColumn::Complement(boxed(set)?),
            SetColumn::Intersection(left, right) => SetColumn::Intersection(boxed(left)?, boxed(right)?),
            SetColumn::Union(sets) => SetColumn::Union(each(sets)?),
            SetColumn::Attackers(of, with, movers) => SetColumn::Attackers(boxed(of)?, boxed(with)?, *movers),
            SetColumn::Attacked(of, with, movers) => SetColumn::Attacked(boxed(of)?, boxed(with)?, *movers),
            SetColumn::Line {
                directions,
                slider_first,
                value_first,
                sets,
            } => SetColumn::Line {
                directions: REVERSAL.directions(*directions),
                slider_first: *slider_first,
                value_first: *value_first,
                sets: each(sets)?,
            },
            SetColumn::Beyond(directions, set) => SetColumn::Beyond(REVERSAL.directions(*directions), boxed(set)?),
            SetColumn::Steps(directions, steps, set) => {
                SetColumn::Steps(REVERSAL.directions(*directions), steps.clone(), boxed(set)?)
            }
            SetColumn::Where(conditions, set) => {
                let conditions = conditions.iter().map(CondColumn::reversed).collect::<Option<_>>();
                SetColumn::Where(conditions?, boxed(set)?)
            }
            SetColumn::Pawns(structure) => SetColumn::Pawns(*structure),
            SetColumn::Kept { domain, kept } => SetColumn::Kept {
                domain: boxed(domain)?,
                kept: boxed(kept)?,
            },
        })
    }
}
