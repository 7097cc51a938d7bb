//! Extracts what must hold where a set has squares, and which pieces may be on them.

use super::extractor::{Extractor, Requirement, both, nothing};
use super::played_moves::becomes;
use crate::board::Contents;
use crate::query::algebra::{BoardCond, Lines, Pieces};
use crate::query::ast::SetExpr;
use crate::query::ast::node::{Flow, Set};
use crate::query::ast::sets::{Line, squares_of_color};
use crate::query::ast::variables::Variable;
use crate::query::prefilter::condition::{Prefilter, all, either};
use crate::query::prefilter::geometry;

impl<'q> Extractor<'q, '_> {
    /// Returns what holds where a set has from `least` to `most` squares.
    pub(super) fn counted(&self, set: &'q SetExpr, least: i64, most: i64) -> Requirement {
        let prefilter = self.set(set)?;
        let least = u32::try_from(least.max(0)).unwrap_or(u32::MAX);
        let mut prefilters = Vec::new();
        if let SetExpr::Designator(designator) = set {
            let most = u32::try_from(most).unwrap_or(u32::MAX);
            prefilters.push(Prefilter::of_board(BoardCond::count(designator.into(), least, most)));
        } else if least > 0 {
            prefilters.push(prefilter);
            prefilters.extend(self.cover(set).map(|pieces| pieces.standing(least)));
            if let SetExpr::Attackers { attackers, targets } = set {
                prefilters.extend(self.reach(attackers, targets, least));
            }
        }
        Some(all(prefilters))
    }

    /// Returns the pieces that may be on the squares of a set, if that is known.
    pub(super) fn cover(&self, set: &'q SetExpr) -> Option<Pieces> {
        match set {
            SetExpr::Designator(designator) => Some(designator.into()),
            SetExpr::Variable(variable) => self.cover_of(Variable::Set(*variable)),
            SetExpr::Piece(variable) => self.cover_of(Variable::Piece(*variable)),
            SetExpr::Each(each) => self.cover(&each.domain.kind),
            SetExpr::PromotedPieces => {
                let promoted = Contents::QUEENS | Contents::ROOKS | Contents::BISHOPS | Contents::KNIGHTS;
                Some(promoted.into())
            }
            SetExpr::FusedLoop(fused) => self.cover(&fused.domain.kind),
            SetExpr::Constant(squares) => Some(Pieces {
                contents: Contents::ANY,
                squares: *squares,
            }),
            SetExpr::Pawns(_) => Some(Contents::PAWNS.into()),
            SetExpr::Intersection(..) => {
                let covers = operands(set).into_iter().filter_map(|set| self.cover(set));
                covers.reduce(Pieces::and)
            }
            SetExpr::SquareColor { light, set } => Some(self.cover(&set.kind)?.on(squares_of_color(*light))),
            SetExpr::Attackers { attackers, .. } => self.cover(&attackers.kind),
            SetExpr::Attacked { targets, .. } => self.cover(&targets.kind),
            SetExpr::Union(left, right) => Some(self.cover(&left.kind)?.or(self.cover(&right.kind)?)),
            SetExpr::Versions(versions) => {
                let covers = versions.copies.iter().map(|copy| self.cover(&copy.kind));
                covers.reduce(|left, right| Some(left?.or(right?))).flatten()
            }
            SetExpr::Flow(Flow::Group(set) | Flow::Fixed(set) | Flow::Block { value: set, .. }) => {
                self.cover(&set.kind)
            }
            _ => None,
        }
    }

    /// Returns what holds of the pieces on a set that is not empty.
    fn covered(&self, set: &'q SetExpr) -> Prefilter {
        self.cover(set).map_or(Prefilter::Open, |pieces| pieces.standing(1))
    }

    /// Returns what holds where a set is not empty.
    pub(super) fn set(&self, set: &'q SetExpr) -> Requirement {
        match set {
            SetExpr::Designator(designator) => Some(Pieces::from(designator).standing(1)),
            SetExpr::Variable(variable) if self.bindings().has(*variable) => Some(Prefilter::Open),
            SetExpr::FusedLoop(fused) => {
                let domain = self.set(&fused.domain.kind)?;
                let variable = Variable::Set(fused.variable);
                let kept = self.with(variable, &fused.domain, |extractor| extractor.set(&fused.kept.kind));
                // The loop has no effect, even if nothing is known about the squares that it keeps.
                Some(all(vec![domain, kept.unwrap_or(Prefilter::Open)]))
            }
            SetExpr::Each(each) if each.effects.is_empty() || self.purity.set(set) => {
                self.looped(each.variable, &each.domain, &each.body)
            }
            SetExpr::PromotedPieces => {
                let promotion = becomes(|_| true);
                Some(all(vec![promotion, self.covered(set)]))
            }
            SetExpr::Constant(_) | SetExpr::Pawns(_) | SetExpr::From | SetExpr::To => Some(Prefilter::Open),
            SetExpr::Complement(set) => self.set(&set.kind).map(nothing),
            SetExpr::Intersection(..) => {
                let sets = operands(set).into_iter().map(|set| self.set(set));
                let mut prefilters = sets.collect::<Option<Vec<Prefilter>>>()?;
                prefilters.push(self.covered(set));
                Some(all(prefilters))
            }
            SetExpr::Attackers {
                attackers: from,
                targets: to,
            }
            | SetExpr::Attacked {
                attackers: from,
                targets: to,
            } => {
                let prefilter = both(self.set(&from.kind), self.set(&to.kind))?;
                let reach = self.reach(from, to, 1).unwrap_or(Prefilter::Open);
                Some(all(vec![prefilter, reach]))
            }
            SetExpr::Union(left, right) => Some(either(vec![self.set(&left.kind)?, self.set(&right.kind)?])),
            SetExpr::Line(line) => {
                let sets = line.sets.iter().map(|set| self.set(&set.kind));
                let mut prefilters = sets.collect::<Option<Vec<Prefilter>>>()?;
                prefilters.extend(self.line(line));
                Some(all(prefilters))
            }
            SetExpr::Intersections([left, right]) => both(self.set(&left.set.kind), self.set(&right.set.kind)),
            SetExpr::Pin(pin) => {
                let sets = [&pin.from, &pin.through, &pin.to].into_iter().flatten();
                let mut prefilters = sets
                    .map(|set| self.set(&set.kind))
                    .collect::<Option<Vec<Prefilter>>>()?;
                if let (Some(from), Some(to)) = (&pin.from, &pin.to) {
                    prefilters.extend(self.sliding(from, to));
                }
                Some(all(prefilters))
            }
            SetExpr::Move(fitting) => both(self.pure(|purity| purity.set(set)), Some(self.move_of(fitting))),
            SetExpr::Legal(legal) => both(
                self.pure(|purity| purity.set(set)),
                Some(self.movers(legal.left.as_ref())),
            ),
            SetExpr::Lookahead(moves) => both(self.pure(|purity| purity.set(set)), Some(self.tried(moves))),
            SetExpr::Direction { set: moved, .. } => both(self.set(&moved.kind), self.pure(|purity| purity.set(set))),
            SetExpr::SquareColor { set: colored, .. } => both(self.set(&colored.kind), Some(self.covered(set))),
            SetExpr::Versions(versions) => self.one_of(&versions.copies, |extractor, copy| extractor.set(&copy.kind)),
            SetExpr::Flow(form) => self.flow(form, |extractor, value| extractor.set(&value.kind)),
            _ => self.pure(|purity| purity.set(set)),
        }
    }

    /// Returns what holds where at least this many pieces attack others.
    fn reach(&self, from: &'q Set, to: &'q Set, least: u32) -> Requirement {
        Some(geometry::reach(self.cover(&from.kind)?, self.cover(&to.kind)?, least))
    }

    /// Returns what holds where sliders attack something through other pieces.
    fn sliding(&self, from: &'q Set, to: &'q Set) -> Requirement {
        let from = self.cover(&from.kind).filter(|pieces| pieces.are_sliders())?;
        Some(geometry::in_line(from, self.cover(&to.kind)?, Lines::of_sliders(from)))
    }

    /// Returns what holds where sets are on one ray.
    fn line(&self, line: &'q Line) -> Requirement {
        let [first, .., last] = &line.sets[..] else {
            return None;
        };
        let mut first = self.cover(&first.kind)?;
        let mut lines = Lines::of_directions(line.directions);
        if line.slider_first {
            let sliding = Lines::of_sliders(first);
            lines.straight &= sliding.straight;
            lines.diagonal &= sliding.diagonal;
            first.contents = first.contents & lines.sliders();
        }
        Some(geometry::in_line(first, self.cover(&last.kind)?, lines))
    }
}

/// Returns the sets of a chain of `&`, so that each is read once, however long the chain is.
fn operands(set: &SetExpr) -> Vec<&SetExpr> {
    let mut found = Vec::new();
    let mut left = vec![set];
    while let Some(set) = left.pop() {
        match set {
            SetExpr::Intersection(first, second) => left.extend([&second.kind, &first.kind]),
            _ => found.push(set),
        }
    }
    found
}
