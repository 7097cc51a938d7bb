//! Weakens a condition to a necessary one that can be tested on stretches of successive positions.
//!
//! Of a stretch we know what stands on each square at any of its positions, and whether it is empty at any. A condition that more pieces and
//! more empty squares can only make true is tested on it unchanged. Other conditions are weakened, as far as anything is left of them.

use super::expression::{CondColumn, SetColumn};
use crate::board::{Bitboard, Contents};

/// All squares.
const EVERYWHERE: SetColumn = SetColumn::Squares(Bitboard::FULL);

impl CondColumn {
    /// Weakens the condition to what is known of a [stretch](crate::board::stretches). Returns `None` if nothing is left.
    pub(crate) fn of_stretch(&self) -> Option<CondColumn> {
        // What is the same on all boards rules out nothing.
        let some = |set: SetColumn| Some(set).filter(|set| !set.parts().is_empty());
        match self {
            CondColumn::Any(set) | CondColumn::Count(set, 1, _) => some(set.of_stretch()).map(CondColumn::Any),
            CondColumn::Count(set, least @ 2.., _) => {
                some(set.of_stretch()).map(|cover| CondColumn::Count(cover, *least, u32::MAX))
            }
            CondColumn::Subset(squares @ SetColumn::Squares(_), set) => {
                some(set.of_stretch()).map(|cover| CondColumn::Subset(squares.clone(), cover))
            }
            CondColumn::Figure(contents, _) if !contents.iter().any(|kinds| kinds.intersects(Contents::EMPTY)) => {
                Some(self.clone())
            }
            CondColumn::InLine(from, to, _) if !(from.contents | to.contents).intersects(Contents::EMPTY) => {
                Some(self.clone())
            }
            CondColumn::All(conditions) => all(conditions).map(CondColumn::All),
            CondColumn::OneOf(conditions) => {
                let covers = conditions.iter().map(CondColumn::of_stretch);
                covers.collect::<Option<Vec<CondColumn>>>().map(CondColumn::OneOf)
            }
            CondColumn::Count(_, 0, _)
            | CondColumn::Same(..)
            | CondColumn::Subset(..)
            | CondColumn::InLine(..)
            | CondColumn::Figure(..)
            | CondColumn::Not(_)
            | CondColumn::Compare(..)
            | CondColumn::ToMove(_)
            | CondColumn::Check => None,
        }
    }
}

/// What is to be asked where all of several conditions may hold.
fn all(conditions: &[CondColumn]) -> Option<Vec<CondColumn>> {
    let mut covers: Vec<CondColumn> = conditions.iter().filter_map(CondColumn::of_stretch).collect();
    covers.sort_by_key(CondColumn::work);
    covers.dedup();
    (!covers.is_empty()).then_some(covers)
}

impl SetColumn {
    /// A set that has all squares that may be in this one at some position of a stretch.
    fn of_stretch(&self) -> SetColumn {
        let boxed = |set: &SetColumn| Box::new(set.of_stretch());
        match self {
            SetColumn::Pieces(contents, squares) if contents.intersects(Contents::EMPTY) => {
                SetColumn::Squares(*squares)
            }
            SetColumn::Pieces(..) | SetColumn::Squares(_) | SetColumn::Domain(_) => self.clone(),
            SetColumn::Complement(others) => match **others {
                SetColumn::Squares(squares) => SetColumn::Squares(!squares),
                _ => EVERYWHERE,
            },
            SetColumn::Intersection(left, right) => SetColumn::intersection(left.of_stretch(), right.of_stretch()),
            SetColumn::Union(sets) => SetColumn::Union(sets.iter().map(SetColumn::of_stretch).collect()),
            SetColumn::Attackers(of, with, movers) => SetColumn::Attackers(boxed(of), boxed(with), *movers),
            SetColumn::Attacked(of, with, movers) => SetColumn::Attacked(boxed(of), boxed(with), *movers),
            SetColumn::Line {
                directions,
                slider_first,
                value_first,
                sets,
            } => SetColumn::Line {
                directions: *directions,
                slider_first: *slider_first,
                value_first: *value_first,
                sets: sets.iter().map(SetColumn::of_stretch).collect(),
            },
            SetColumn::Beyond(directions, set) => match set.of_stretch() {
                EVERYWHERE => EVERYWHERE,
                set => SetColumn::Beyond(*directions, Box::new(set)),
            },
            SetColumn::Steps(directions, steps, set) => match set.of_stretch() {
                EVERYWHERE => EVERYWHERE,
                set => SetColumn::Steps(*directions, steps.clone(), Box::new(set)),
            },
            SetColumn::Where(conditions, set) => match all(conditions) {
                None => set.of_stretch(),
                Some(covers) => SetColumn::Where(covers, boxed(set)),
            },
            SetColumn::Pawns(_) => SetColumn::Pieces(Contents::PAWNS, Bitboard::FULL),
            SetColumn::Kept { domain, kept } => SetColumn::Kept {
                domain: boxed(domain),
                kept: boxed(kept),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn less_is_asked_of_stretches() {
        let pieces = |contents| SetColumn::Pieces(contents, Bitboard::FULL);
        let not = |set| SetColumn::Complement(Box::new(set));
        let both = |left, right| CondColumn::Any(SetColumn::intersection(left, right));
        let (pawns, rooks) = (pieces(Contents::PAWNS), pieces(Contents::ORTHOGONAL_SLIDERS));
        for (condition, of_stretch) in [
            (CondColumn::Check, None),
            // A stretch shows no square that never has a pawn.
            (CondColumn::Any(not(pawns.clone())), None),
            (both(rooks.clone(), not(pawns)), Some(CondColumn::Any(rooks.clone()))),
            (CondColumn::Any(rooks.clone()), Some(CondColumn::Any(rooks))),
        ] {
            assert_eq!(condition.of_stretch(), of_stretch, "{condition:?}");
        }
    }
}
