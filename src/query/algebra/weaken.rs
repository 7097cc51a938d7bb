//! Weakens a condition to a necessary one that can be tested on stretches of successive positions.
//!
//! For each square of a stretch, the pieces that it has at any of the positions are known, and whether it is empty at any. A condition that
//! more pieces and more empty squares can only make true is tested unchanged. Other conditions are weakened if that leaves anything.

use super::expression::{BoardCond, BoardSet};
use crate::board::{Bitboard, Contents};

/// All squares.
const EVERYWHERE: BoardSet = BoardSet::Squares(Bitboard::FULL);

impl BoardCond {
    /// Weakens the condition to one that can be tested on a [stretch](crate::board::stretches). Returns `None` if nothing is left of it.
    pub(crate) fn of_stretch(&self) -> Option<BoardCond> {
        // A set that is the same on all boards rules nothing out.
        let some = |set: BoardSet| Some(set).filter(|set| !set.parts().is_empty());
        match self {
            BoardCond::Any(set) | BoardCond::Count(set, 1, _) => some(set.of_stretch()).map(BoardCond::Any),
            BoardCond::Count(set, least @ 2.., _) => {
                some(set.of_stretch()).map(|cover| BoardCond::Count(cover, *least, u32::MAX))
            }
            BoardCond::Subset(squares @ BoardSet::Squares(_), set) => {
                some(set.of_stretch()).map(|cover| BoardCond::Subset(squares.clone(), cover))
            }
            BoardCond::Formation(contents, _) if !contents.iter().any(|kinds| kinds.intersects(Contents::EMPTY)) => {
                Some(self.clone())
            }
            BoardCond::InLine(from, to, _) if !(from.contents | to.contents).intersects(Contents::EMPTY) => {
                Some(self.clone())
            }
            BoardCond::All(conditions) => all(conditions).map(BoardCond::All),
            BoardCond::OneOf(conditions) => {
                let covers = conditions.iter().map(BoardCond::of_stretch);
                covers.collect::<Option<Vec<BoardCond>>>().map(BoardCond::OneOf)
            }
            BoardCond::Count(_, 0, _)
            | BoardCond::Same(..)
            | BoardCond::Subset(..)
            | BoardCond::InLine(..)
            | BoardCond::Formation(..)
            | BoardCond::Not(_)
            | BoardCond::Compare(..)
            | BoardCond::ToMove(_)
            | BoardCond::Check
            | BoardCond::AsSeen(_) => None,
        }
    }
}

/// Weakens conditions that must all hold. Returns `None` if nothing is left of them.
fn all(conditions: &[BoardCond]) -> Option<Vec<BoardCond>> {
    let mut covers: Vec<BoardCond> = conditions.iter().filter_map(BoardCond::of_stretch).collect();
    covers.sort_by_key(BoardCond::work);
    covers.dedup();
    (!covers.is_empty()).then_some(covers)
}

impl BoardSet {
    /// Returns a set with all squares that this set may have at any position of a stretch.
    fn of_stretch(&self) -> BoardSet {
        let boxed = |set: &BoardSet| Box::new(set.of_stretch());
        match self {
            BoardSet::Pieces(contents, squares) if contents.intersects(Contents::EMPTY) => BoardSet::Squares(*squares),
            BoardSet::Pieces(..) | BoardSet::Squares(_) | BoardSet::Domain(_) => self.clone(),
            BoardSet::Complement(others) => match **others {
                BoardSet::Squares(squares) => BoardSet::Squares(!squares),
                _ => EVERYWHERE,
            },
            BoardSet::Intersection(left, right) => BoardSet::intersection(left.of_stretch(), right.of_stretch()),
            BoardSet::Union(sets) => BoardSet::Union(sets.iter().map(BoardSet::of_stretch).collect()),
            BoardSet::Attackers(of, with, movers) => BoardSet::Attackers(boxed(of), boxed(with), *movers),
            BoardSet::Attacked(of, with, movers) => BoardSet::Attacked(boxed(of), boxed(with), *movers),
            BoardSet::Line {
                directions,
                slider_first,
                value_first,
                sets,
            } => BoardSet::Line {
                directions: *directions,
                slider_first: *slider_first,
                value_first: *value_first,
                sets: sets.iter().map(BoardSet::of_stretch).collect(),
            },
            BoardSet::Beyond(directions, set) => match set.of_stretch() {
                EVERYWHERE => EVERYWHERE,
                set => BoardSet::Beyond(*directions, Box::new(set)),
            },
            BoardSet::Steps(directions, steps, set) => match set.of_stretch() {
                EVERYWHERE => EVERYWHERE,
                set => BoardSet::Steps(*directions, steps.clone(), Box::new(set)),
            },
            BoardSet::Where(conditions, set) => match all(conditions) {
                None => set.of_stretch(),
                Some(covers) => BoardSet::Where(covers, boxed(set)),
            },
            BoardSet::Pawns(_) => BoardSet::Pieces(Contents::PAWNS, Bitboard::FULL),
            BoardSet::Kept { domain, kept } => BoardSet::Kept {
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
        let pieces = |contents| BoardSet::Pieces(contents, Bitboard::FULL);
        let not = |set| BoardSet::Complement(Box::new(set));
        let both = |left, right| BoardCond::Any(BoardSet::intersection(left, right));
        let (pawns, rooks) = (pieces(Contents::PAWNS), pieces(Contents::ORTHOGONAL_SLIDERS));
        for (condition, of_stretch) in [
            (BoardCond::Check, None),
            // A stretch does not show a square that never has a pawn.
            (BoardCond::Any(not(pawns.clone())), None),
            (both(rooks.clone(), not(pawns)), Some(BoardCond::Any(rooks.clone()))),
            (BoardCond::Any(rooks.clone()), Some(BoardCond::Any(rooks))),
        ] {
            assert_eq!(condition.of_stretch(), of_stretch, "{condition:?}");
        }
    }
}
