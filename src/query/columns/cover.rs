//! What must hold of a stretch of successive positions for a condition to hold at one of them.
//!
//! Of a stretch is known what stands on a square at any of its positions, and where it is empty at any. A question that more pieces and
//! more empty squares can only make true is asked of it as it stands; of others nothing is asked.

use super::{CondColumn, SetColumn};
use crate::board::{Bitboard, Contents};

/// All squares.
const EVERYWHERE: SetColumn = SetColumn::Squares(Bitboard::FULL);

/// What decides where a body matches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Verdict {
    /// The whole body.
    pub condition: CondColumn,
    /// About how many instructions it takes for each position.
    pub work: u32,
    /// What can be asked of stretches before, if that may rule something out; and what it takes for each of them.
    pub cover: Option<(CondColumn, u32)>,
}

impl From<CondColumn> for Verdict {
    fn from(condition: CondColumn) -> Verdict {
        let cover = condition.cover();
        Verdict {
            work: condition.work(),
            cover: cover.map(|cover| (cover.clone(), cover.work())),
            condition,
        }
    }
}

impl CondColumn {
    /// What is to be asked of [stretches](crate::board::stretches) in which a condition may hold; nothing if any may be.
    fn cover(&self) -> Option<CondColumn> {
        match self {
            CondColumn::Any(set) | CondColumn::Count(set, 1, _) => match set.cover() {
                EVERYWHERE => None,
                cover => Some(CondColumn::Any(cover)),
            },
            CondColumn::Count(set, least @ 2.., _) => match set.cover() {
                EVERYWHERE => None,
                cover => Some(CondColumn::Count(cover, *least, u32::MAX)),
            },
            CondColumn::Subset(SetColumn::Squares(squares), set) => match set.cover() {
                EVERYWHERE => None,
                cover => Some(CondColumn::Subset(SetColumn::Squares(*squares), cover)),
            },
            CondColumn::Figure(contents, _) if contents.iter().any(|kinds| kinds.intersects(Contents::EMPTY)) => None,
            CondColumn::Figure(..) => Some(self.clone()),
            CondColumn::All(conditions) => {
                let mut covers: Vec<CondColumn> = conditions.iter().filter_map(CondColumn::cover).collect();
                covers.sort_by_key(CondColumn::work);
                covers.dedup();
                (!covers.is_empty()).then_some(CondColumn::All(covers))
            }
            CondColumn::OneOf(conditions) => {
                let covers = conditions.iter().map(CondColumn::cover);
                covers.collect::<Option<Vec<CondColumn>>>().map(CondColumn::OneOf)
            }
            CondColumn::Count(_, 0, _)
            | CondColumn::Same(..)
            | CondColumn::Subset(..)
            | CondColumn::Not(_)
            | CondColumn::Compare(..)
            | CondColumn::ToMove(_)
            | CondColumn::Check => None,
        }
    }
}

impl SetColumn {
    /// A set that has on a stretch all squares that this one has at any of its positions.
    fn cover(&self) -> SetColumn {
        let boxed = |set: &SetColumn| Box::new(set.cover());
        match self {
            SetColumn::Pieces(contents, squares) if contents.intersects(Contents::EMPTY) => {
                SetColumn::Squares(*squares)
            }
            SetColumn::Pieces(..) | SetColumn::Squares(_) | SetColumn::Domain(_) => self.clone(),
            SetColumn::Complement(set) => match **set {
                SetColumn::Squares(squares) => SetColumn::Squares(!squares),
                _ => EVERYWHERE,
            },
            SetColumn::Intersection(left, right) => match (left.cover(), right.cover()) {
                (EVERYWHERE, cover) | (cover, EVERYWHERE) => cover,
                (left, right) => SetColumn::Intersection(Box::new(left), Box::new(right)),
            },
            SetColumn::Union(sets) => SetColumn::Union(sets.iter().map(SetColumn::cover).collect()),
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
                sets: sets.iter().map(SetColumn::cover).collect(),
            },
            SetColumn::Beyond(directions, set) => SetColumn::Beyond(*directions, boxed(set)),
            SetColumn::Steps(directions, steps, set) => SetColumn::Steps(*directions, steps.clone(), boxed(set)),
            SetColumn::Where(conditions, set) => {
                let covers: Vec<CondColumn> = conditions.iter().filter_map(CondColumn::cover).collect();
                match covers.is_empty() {
                    true => set.cover(),
                    false => SetColumn::Where(covers, boxed(set)),
                }
            }
            SetColumn::Pawns(_) => SetColumn::Pieces(Contents::PAWNS, Bitboard::FULL),
            SetColumn::Kept { domain, kept } => SetColumn::Kept {
                domain: boxed(domain),
                kept: boxed(kept),
            },
        }
    }
}
