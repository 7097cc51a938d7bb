//! Conditions on the pieces of many positions at once.

use smallvec::SmallVec;

use crate::board::columns::{Boards, Column, Lanes, reach};
use crate::board::{Bitboard, Contents, pawns};
use crate::query::columns::{CondColumn, SetColumn};
use crate::query::sets::PawnSet;
use crate::query::versions::Figure;

/// Where a condition holds.
pub(crate) fn holding(condition: &CondColumn, boards: &Boards) -> Lanes {
    Columns {
        boards,
        domains: SmallVec::new(),
    }
    .condition(condition)
}

/// Those of some squares that have one of some contents.
pub(crate) fn standing(contents: Contents, squares: Bitboard, boards: &Boards) -> Column {
    let found = with_contents(contents, boards);
    if squares == Bitboard::FULL {
        found
    } else {
        found & Column::same(squares)
    }
}

/// The squares with one of some contents.
#[inline(always)]
fn with_contents(contents: Contents, boards: &Boards) -> Column {
    if let Some((color, role)) = contents.only_kind() {
        return boards.pieces(color, role);
    }
    several_kinds(contents, boards)
}

fn several_kinds(contents: Contents, boards: &Boards) -> Column {
    let white = of_kinds(contents & Contents::WHITE, &boards.colors.white, boards);
    let black = of_kinds(
        (contents & Contents::BLACK).color_swapped(),
        &boards.colors.black,
        boards,
    );
    let pieces = white | black;
    if contents.intersects(Contents::EMPTY) {
        pieces | !boards.occupied()
    } else {
        pieces
    }
}

/// The pieces of a colour that are of some kinds, which are named in white.
#[inline]
fn of_kinds(kinds: Contents, pieces: &Column, boards: &Boards) -> Column {
    match kinds {
        kinds if kinds.is_empty() => Column::default(),
        Contents::WHITE => *pieces,
        kinds => Column::from_lanes(|lane| pieces.lane(lane) & kinds.of_any_color(&boards.board(lane))),
    }
}

struct Columns<'b> {
    boards: &'b Boards,
    /// The domains of the loops around, the outermost first.
    domains: SmallVec<[Column; 1]>,
}

impl Columns<'_> {
    fn condition(&mut self, condition: &CondColumn) -> Lanes {
        match condition {
            CondColumn::Any(set) => self.set(set).any(),
            CondColumn::Count(set, least, most) => self.set(set).count_within(*least, *most),
            CondColumn::Same(left, right) => self.set(left).equals(&self.set(right)),
            CondColumn::Subset(left, right) => self.set(left).is_within(&self.set(right)),
            CondColumn::Not(condition) => !self.condition(condition),
            CondColumn::All(conditions) => {
                let mut lanes = Lanes::MAX;
                for condition in conditions {
                    lanes &= self.condition(condition);
                    if lanes == 0 {
                        break;
                    }
                }
                lanes
            }
            CondColumn::OneOf(conditions) => {
                let mut lanes = 0;
                for condition in conditions {
                    lanes |= self.condition(condition);
                    if lanes == Lanes::MAX {
                        break;
                    }
                }
                lanes
            }
            CondColumn::Figure(contents, figure) => self.anchors(contents, figure).any(),
        }
    }

    fn set(&mut self, set: &SetColumn) -> Column {
        match set {
            SetColumn::Pieces(contents, squares) => standing(*contents, *squares, self.boards),
            SetColumn::Squares(squares) => Column::same(*squares),
            SetColumn::Domain(index) => self.domains.get(*index).copied().unwrap_or_default(),
            SetColumn::Complement(set) => !self.set(set),
            SetColumn::Intersection(left, right) => self.set(left) & self.set(right),
            SetColumn::Union(sets) => sets.iter().fold(Column::default(), |all, set| all | self.set(set)),
            SetColumn::Attackers(attackers, targets, movers) => {
                let (attackers, targets) = (self.set(attackers), self.set(targets));
                self.boards.attackers_among(attackers, targets, *movers)
            }
            SetColumn::Attacked(targets, attackers, movers) => {
                let targets = self.set(targets);
                if targets.is_empty() {
                    return targets;
                }
                let attackers = self.set(attackers);
                targets & self.boards.attacked_by_set(attackers, *movers)
            }
            SetColumn::Line {
                directions,
                slider_first,
                value_first,
                sets,
            } => {
                let sets: SmallVec<[Column; 4]> = sets.iter().map(|set| self.set(set)).collect();
                if *value_first {
                    self.boards.seen_first(*directions, *slider_first, &sets)
                } else {
                    self.boards.seen_last(*directions, *slider_first, &sets)
                }
            }
            SetColumn::Beyond(directions, set) => {
                let set = self.set(set);
                let everywhere = Column::same(Bitboard::FULL);
                directions.iter().fold(Column::default(), |found, direction| {
                    found | reach(&set, &everywhere, direction)
                })
            }
            SetColumn::Pawns(PawnSet::Passed) => self.boards.map(pawns::passed),
            SetColumn::Pawns(PawnSet::Isolated) => self.boards.map(pawns::isolated),
            SetColumn::Pawns(PawnSet::Doubled) => self.boards.map(pawns::doubled),
            SetColumn::Pawns(PawnSet::Connected) => self.boards.map(pawns::connected),
            SetColumn::Kept { domain, kept } => {
                let domain = self.set(domain);
                self.domains.push(domain);
                let kept = self.set(kept);
                self.domains.pop();
                kept
            }
        }
    }

    /// Where the first piece of a figure stands.
    fn anchors(&self, contents: &[Contents], figure: &Figure) -> Column {
        let pieces = contents.iter().zip(&figure.offsets);
        pieces.fold(Column::same(figure.anchors), |anchors, (contents, offset)| {
            anchors & with_contents(*contents, self.boards).moved(offset.saturating_neg())
        })
    }
}
