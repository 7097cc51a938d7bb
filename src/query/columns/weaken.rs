//! Weakens a condition to a necessary one that can be tested when only part of a position is known.
//!
//! Of a stretch of successive positions we know what stands on each square at any of them, and whether it is empty at any. A condition that
//! more pieces and more empty squares can only make true is tested on it unchanged. Of a pawn structure we know where the pawns stand, so
//! conditions about pawns alone are tested unchanged. Other conditions are weakened, as far as anything is left of them.

use super::expression::{CondColumn, NumColumn, SetColumn};
use crate::board::{Bitboard, Contents};

/// All squares.
const EVERYWHERE: SetColumn = SetColumn::Squares(Bitboard::FULL);

/// A condition on pawns alone that another condition implies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OfPawns {
    /// The condition on pawns.
    pub condition: CondColumn,
    /// About how many instructions it takes for each structure.
    pub work: u32,
    /// It is equivalent to the other condition.
    pub is_all: bool,
}

impl OfPawns {
    /// Weakens a condition to pawns. Returns `None` if nothing is left.
    pub(crate) fn of(condition: &CondColumn) -> Option<OfPawns> {
        Knowledge::Pawns.weaken(condition).map(|cover| OfPawns {
            work: cover.work(),
            is_all: Knowledge::Pawns.says(condition),
            condition: cover,
        })
    }
}

impl CondColumn {
    /// Weakens the condition to what is known of a stretch. Returns `None` if nothing is left.
    pub(crate) fn of_stretch(&self) -> Option<CondColumn> {
        Knowledge::Stretches.weaken(self)
    }

    /// Whether it depends on pawns alone.
    pub(crate) fn is_of_pawns(&self) -> bool {
        Knowledge::Pawns.says(self)
    }
}

/// What is known of the boards.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Knowledge {
    /// What stands on a square at any position of a [stretch](crate::board::stretches), and where it is empty at any.
    Stretches,
    /// The pawns of a [structure](crate::board::structures).
    Pawns,
}

impl Knowledge {
    /// Weakens a condition. Returns `None` if nothing is left.
    fn weaken(self, condition: &CondColumn) -> Option<CondColumn> {
        Weakening::new(self).condition(condition)
    }

    /// Whether the knowledge decides a condition.
    fn says(self, condition: &CondColumn) -> bool {
        Weakening::new(self).says(condition)
    }
}

/// Weakens the parts of a condition.
struct Weakening {
    known: Knowledge,
    /// The domains of the loops around, the outermost first.
    domains: Vec<Domain>,
}

/// What a variable of a loop stands for.
struct Domain {
    /// What stands there at most.
    contents: Contents,
    /// Its cover has no other squares than itself.
    is_known: bool,
}

impl Weakening {
    fn new(known: Knowledge) -> Weakening {
        Weakening {
            known,
            domains: Vec::new(),
        }
    }

    /// Whether all that a condition asks is known.
    fn says(&mut self, condition: &CondColumn) -> bool {
        match condition {
            CondColumn::Any(set) | CondColumn::Count(set, ..) => self.knows(set),
            CondColumn::Same(left, right) | CondColumn::Subset(left, right) => self.knows(left) && self.knows(right),
            CondColumn::Not(condition) => self.says(condition),
            CondColumn::All(conditions) | CondColumn::OneOf(conditions) => {
                conditions.iter().all(|condition| self.says(condition))
            }
            CondColumn::Figure(contents, _) => contents.iter().all(|contents| self.shows(*contents)),
            CondColumn::Compare(_, left, right) => self.counts(left) && self.counts(right),
            CondColumn::ToMove(_) | CondColumn::Check => false,
        }
    }

    /// Whether all that a number depends on is known.
    fn counts(&mut self, number: &NumColumn) -> bool {
        match number {
            NumColumn::Literal(_) => true,
            NumColumn::Count(set) => self.knows(set),
            // That squares are known does not tell what stands on them.
            NumColumn::Power(set) => self.knows(set) && self.shows(self.contents(set)),
            NumColumn::Arithmetic(_, left, right) => self.counts(left) && self.counts(right),
        }
    }

    /// Whether it is known exactly where there are certain contents.
    fn shows(&self, contents: Contents) -> bool {
        self.known == Knowledge::Pawns && contents.is_within(Contents::PAWNS)
    }

    /// Whether the squares of a set are known exactly.
    fn knows(&mut self, set: &SetColumn) -> bool {
        match set {
            SetColumn::Pieces(contents, _) => self.shows(*contents),
            SetColumn::Squares(_) => true,
            SetColumn::Pawns(_) => self.known == Knowledge::Pawns,
            SetColumn::Domain(index) => self.domains.get(*index).is_some_and(|domain| domain.is_known),
            SetColumn::Complement(set) | SetColumn::Beyond(_, set) | SetColumn::Steps(_, _, set) => self.knows(set),
            SetColumn::Intersection(left, right) => self.knows(left) && self.knows(right),
            SetColumn::Union(sets) => sets.iter().all(|set| self.knows(set)),
            SetColumn::Attackers(attackers, others, _) | SetColumn::Attacked(others, attackers, _) => {
                self.shows(self.contents(attackers)) && self.knows(attackers) && self.knows(others)
            }
            SetColumn::Line { .. } => false,
            SetColumn::Where(conditions, set) => {
                conditions.iter().all(|condition| self.says(condition)) && self.knows(set)
            }
            SetColumn::Kept { domain, kept } => {
                self.knows(domain) && self.inside(domain, true, |covers| covers.knows(kept))
            }
        }
    }

    /// Whether the attacks of certain pieces show in what is known: all of them and perhaps others.
    fn shows_attacks_of(&self, attackers: &SetColumn) -> bool {
        self.known == Knowledge::Stretches || self.shows(self.contents(attackers))
    }

    /// What stands on the squares of a set at most.
    fn contents(&self, set: &SetColumn) -> Contents {
        let domains: Vec<Contents> = self.domains.iter().map(|domain| domain.contents).collect();
        set.contents(&domains)
    }

    /// Does something with what is inside of a loop, of whose domain the cover `is_known` to have no other squares than itself.
    fn inside<T>(&mut self, domain: &SetColumn, is_known: bool, act: impl FnOnce(&mut Weakening) -> T) -> T {
        let contents = self.contents(domain);
        self.domains.push(Domain { contents, is_known });
        let acted = act(self);
        self.domains.pop();
        acted
    }

    /// Weakens a condition. Returns `None` if nothing is left.
    fn condition(&mut self, condition: &CondColumn) -> Option<CondColumn> {
        if self.says(condition) {
            return (!condition.parts().is_empty()).then(|| condition.clone());
        }
        // What is the same on all boards rules out nothing.
        let some = |set: SetColumn| Some(set).filter(|set| !set.parts().is_empty());
        match condition {
            CondColumn::Any(set) | CondColumn::Count(set, 1, _) => some(self.set(set)).map(CondColumn::Any),
            CondColumn::Count(set, least @ 2.., _) => {
                some(self.set(set)).map(|cover| CondColumn::Count(cover, *least, u32::MAX))
            }
            CondColumn::Subset(left, right) if self.knows(left) => {
                some(self.set(right)).map(|cover| CondColumn::Subset(left.clone(), cover))
            }
            CondColumn::Figure(contents, _)
                if self.known == Knowledge::Stretches
                    && !contents.iter().any(|kinds| kinds.intersects(Contents::EMPTY)) =>
            {
                Some(condition.clone())
            }
            CondColumn::All(conditions) => self.all(conditions).map(CondColumn::All),
            CondColumn::OneOf(conditions) => {
                let covers = conditions.iter().map(|condition| self.condition(condition));
                covers.collect::<Option<Vec<CondColumn>>>().map(CondColumn::OneOf)
            }
            CondColumn::Count(_, 0, _)
            | CondColumn::Same(..)
            | CondColumn::Subset(..)
            | CondColumn::Figure(..)
            | CondColumn::Not(_)
            | CondColumn::Compare(..)
            | CondColumn::ToMove(_)
            | CondColumn::Check => None,
        }
    }

    /// What is to be asked where all of several conditions may hold.
    fn all(&mut self, conditions: &[CondColumn]) -> Option<Vec<CondColumn>> {
        let covers = conditions.iter().filter_map(|condition| self.condition(condition));
        let mut covers: Vec<CondColumn> = covers.collect();
        covers.sort_by_key(CondColumn::work);
        covers.dedup();
        (!covers.is_empty()).then_some(covers)
    }

    fn boxed(&mut self, set: &SetColumn) -> Box<SetColumn> {
        Box::new(self.set(set))
    }

    /// A set that has all squares that may be in this one.
    fn set(&mut self, set: &SetColumn) -> SetColumn {
        let of_stretches = self.known == Knowledge::Stretches;
        match set {
            SetColumn::Pieces(contents, squares) => {
                let is_shown = of_stretches && !contents.intersects(Contents::EMPTY) || self.shows(*contents);
                match is_shown {
                    true => set.clone(),
                    false => SetColumn::Squares(*squares),
                }
            }
            SetColumn::Squares(_) | SetColumn::Domain(_) => set.clone(),
            SetColumn::Complement(others) => match &**others {
                SetColumn::Squares(squares) => SetColumn::Squares(!*squares),
                others if self.knows(others) => set.clone(),
                _ => EVERYWHERE,
            },
            SetColumn::Intersection(left, right) => SetColumn::intersection(self.set(left), self.set(right)),
            SetColumn::Union(sets) => SetColumn::Union(sets.iter().map(|set| self.set(set)).collect()),
            SetColumn::Attackers(of, with, movers) if self.shows_attacks_of(of) => {
                SetColumn::Attackers(self.boxed(of), self.boxed(with), *movers)
            }
            SetColumn::Attacked(of, with, movers) if self.shows_attacks_of(with) => {
                SetColumn::Attacked(self.boxed(of), self.boxed(with), *movers)
            }
            SetColumn::Attackers(of, ..) | SetColumn::Attacked(of, ..) => self.set(of),
            SetColumn::Line {
                directions,
                slider_first,
                value_first,
                sets,
            } if of_stretches => SetColumn::Line {
                directions: *directions,
                slider_first: *slider_first,
                value_first: *value_first,
                sets: sets.iter().map(|set| self.set(set)).collect(),
            },
            SetColumn::Line { value_first, sets, .. } => {
                let value = if *value_first { sets.first() } else { sets.last() };
                value.map_or(EVERYWHERE, |set| self.set(set))
            }
            SetColumn::Beyond(directions, set) => match self.set(set) {
                EVERYWHERE => EVERYWHERE,
                set => SetColumn::Beyond(*directions, Box::new(set)),
            },
            SetColumn::Steps(directions, steps, set) => match self.set(set) {
                EVERYWHERE => EVERYWHERE,
                set => SetColumn::Steps(*directions, steps.clone(), Box::new(set)),
            },
            SetColumn::Where(conditions, set) => match self.all(conditions) {
                None => self.set(set),
                Some(covers) => SetColumn::Where(covers, self.boxed(set)),
            },
            SetColumn::Pawns(_) if of_stretches => SetColumn::Pieces(Contents::PAWNS, Bitboard::FULL),
            SetColumn::Pawns(_) => set.clone(),
            SetColumn::Kept { domain, kept } => {
                let is_known = self.knows(domain);
                SetColumn::Kept {
                    domain: self.boxed(domain),
                    kept: self.inside(domain, is_known, |covers| covers.boxed(kept)),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn covers_of_loops_inside_of_each_other_are_made_at_once() {
        let pawns = SetColumn::Pieces(Contents::PAWNS, Bitboard::FULL);
        let loops = (0..300).fold(pawns, |domain, _| SetColumn::Kept {
            domain: Box::new(domain),
            kept: Box::new(SetColumn::Domain(0)),
        });
        let condition = CondColumn::Any(loops);
        assert!(OfPawns::of(&condition).is_some_and(|pawns| pawns.is_all));
        assert_eq!(
            condition.of_stretch(),
            Some(condition),
            "more pawns can only make it hold"
        );
    }

    #[test]
    fn less_is_asked_where_less_is_known() {
        let pieces = |contents| SetColumn::Pieces(contents, Bitboard::FULL);
        let not = |set| SetColumn::Complement(Box::new(set));
        let both = |left, right| CondColumn::Any(SetColumn::intersection(left, right));
        let (pawns, rooks) = (pieces(Contents::PAWNS), pieces(Contents::ORTHOGONAL_SLIDERS));
        for (condition, of_stretches, of_pawns) in [
            (CondColumn::Check, None, None),
            // A stretch shows no square that never has a pawn; a structure does.
            (
                CondColumn::Any(not(pawns.clone())),
                None,
                Some(CondColumn::Any(not(pawns.clone()))),
            ),
            (
                both(rooks.clone(), not(pawns.clone())),
                Some(CondColumn::Any(rooks.clone())),
                Some(CondColumn::Any(not(pawns.clone()))),
            ),
            (CondColumn::Any(rooks.clone()), Some(CondColumn::Any(rooks)), None),
        ] {
            assert_eq!(Knowledge::Stretches.weaken(&condition), of_stretches, "{condition:?}");
            assert_eq!(Knowledge::Pawns.weaken(&condition), of_pawns, "{condition:?}");
        }
    }
}
