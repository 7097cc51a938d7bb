//! Reads a query as a setup, as far as a board can show it.
//!
//! It reads the typed query before it is simplified, in which operators, functions and themes are already resolved. A filter that a board
//! cannot show is left out as a whole, with all its parts.

use crate::board::{Bitboard, Contents, DirectionSet, Role};
use crate::query::{
    Bound, Cond, CondExpr, Fact, Flow, Header, Line, Num, NumExpr, Options, Range, Set, SetExpr, Versions, typed,
};
use crate::syntax::token::{Designator, Span};
use crate::syntax::{Diagnostic, Source};

use super::transforms::{canonical, is_shift};
use super::{Arrow, ArrowKind, Fault, Place, Setup, Zone};

/// The part of a query that a board can show.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Shown {
    /// The setup. If it does not hold, the query does not match.
    pub setup: Setup,
    /// Whether it is the whole query. Otherwise the query requires more.
    pub whole: bool,
    /// The filters in the setup, in the order of the text. With transforms, the filters inside them.
    pub(super) filters: Vec<Span>,
    /// The transformed filter and the filter inside it, if there are transforms.
    pub(super) transformed: Option<(Span, Span)>,
}

impl Setup {
    /// Returns the part of a query that a board can show. If there are filters with transforms and others, it is one of the two kinds: the
    /// one with more requirements.
    ///
    /// # Errors
    /// Returns the same errors as [`compile`](crate::query::compile).
    pub fn of_query(source: &Source, options: &Options) -> Result<Shown, Diagnostic> {
        let query = typed(source, options)?;
        let mut reader = Reader::default();
        let whole = reader.add(&query.body);
        let mut shown = Shown {
            setup: reader.setup,
            whole,
            filters: reader.filters,
            transformed: None,
        };
        if !whole {
            let mut parts = Vec::new();
            flatten(&query.body, &mut parts);
            for mut other in parts.iter().filter_map(|part| transformed(part)) {
                other.whole &= parts.len() == 1;
                if other.whole || other.setup.size() > shown.setup.size() {
                    shown = other;
                }
            }
        }
        shown.whole &= query.header == Header::default() && query.narrowing.is_empty() && query.selection.is_empty();
        Ok(shown)
    }
}

/// Collects the conditions that must all hold, each with its own text.
fn flatten<'c>(condition: &'c Cond, parts: &mut Vec<&'c Cond>) {
    match conjuncts(condition).filter(|parts| !is_one_in_the_text(condition, parts)) {
        Some(conditions) => conditions.into_iter().for_each(|part| flatten(part, parts)),
        None => parts.push(condition),
    }
}

/// Returns the parts of a condition that holds if all of them hold.
fn conjuncts(condition: &Cond) -> Option<Vec<&Cond>> {
    match &condition.kind {
        CondExpr::And(left, right) => Some(CondExpr::conjuncts([left, right])),
        CondExpr::Flow(Flow::Block { tests, value }) => Some(tests.iter().chain([value]).collect()),
        CondExpr::Flow(Flow::Group(inner)) => Some(vec![inner]),
        _ => None,
    }
}

/// Returns whether a condition with several parts is one filter in the text, as a theme is.
fn is_one_in_the_text(condition: &Cond, parts: &[&Cond]) -> bool {
    parts.len() > 1 && parts.iter().any(|part| part.span == condition.span)
}

/// Returns the part of a condition under transforms that a board can show.
fn transformed(condition: &Cond) -> Option<Shown> {
    let CondExpr::Versions(Versions {
        groups, copies, listed, ..
    }) = &condition.kind
    else {
        return None;
    };
    let transforms = canonical(groups).filter(|_| !groups.is_empty())?;
    let original = copies.get(*listed.first()?)?;
    let mut reader = Reader {
        is_shifted: groups.iter().any(|group| is_shift(*group)),
        ..Reader::default()
    };
    let whole = reader.add(original);
    Some(Shown {
        setup: Setup {
            transforms,
            ..reader.setup
        },
        whole,
        filters: reader.filters,
        transformed: Some((condition.span, original.span)),
    })
}

/// The state of reading a setup.
#[derive(Default)]
struct Reader {
    setup: Setup,
    /// The filters in the setup.
    filters: Vec<Span>,
    /// Whether it is shifted over the board. A copy is left out if one of its designators has no squares left, so it matters whether
    /// something is one designator or two.
    is_shifted: bool,
}

impl Reader {
    /// Adds the part of a condition that a board can show. Returns whether that is all of it.
    fn add(&mut self, condition: &Cond) -> bool {
        let before = (self.setup.clone(), self.filters.len());
        let whole = match conjuncts(condition) {
            Some(parts) => {
                let mut all = true;
                for part in &parts {
                    all &= self.add(part);
                }
                if !all && is_one_in_the_text(condition, &parts) {
                    self.setup = before.0;
                    self.filters.truncate(before.1);
                    return false;
                }
                all
            }
            None => match self.says(condition) {
                Some(()) => true,
                None => {
                    self.setup = before.0;
                    false
                }
            },
        };
        if whole {
            self.filters.truncate(before.1);
            self.filters.push(condition.span);
        }
        whole
    }

    /// Adds a condition without parts. Returns `None` if a board cannot show it; something may still have been added.
    fn says(&mut self, condition: &Cond) -> Option<()> {
        match &condition.kind {
            CondExpr::Constant(true) => Some(()),
            CondExpr::NonEmpty(set) => match (self.places(set), self.arrow(set)) {
                (Some(places), _) => self.either(&places),
                (None, Some(arrow)) => self.setup.require_arrow(arrow).ok(),
                (None, None) => None,
            },
            CondExpr::HasNumber(number) => self.require(&self.limits(number)?).ok(),
            CondExpr::ToMove(side) => self.setup.require_side(*side).ok(),
            CondExpr::Placement(designators) => designators.iter().try_for_each(|designator| {
                let place = on(designator);
                self.setup.require(place, 1, None).ok()
            }),
            CondExpr::Or(left, right) => {
                let alternatives = CondExpr::alternatives([left, right]).into_iter();
                let places = alternatives.map(|alternative| match &alternative.kind {
                    CondExpr::NonEmpty(set) => self.places(set),
                    _ => None,
                });
                let places: Vec<Vec<Place>> = places.collect::<Option<_>>()?;
                self.either(&places.concat())
            }
            CondExpr::Not(denied) => self.denies(denied),
            CondExpr::Subset(set, squares) => self.only_on(self.place(set)?, self.squares(squares)?),
            CondExpr::SameSet(left, right) => {
                let (set, squares) = match self.squares(right) {
                    Some(squares) => (left, squares),
                    None => (right, self.squares(left)?),
                };
                let place = self.place(set)?;
                let all = Place {
                    zone: Zone::Squares(squares),
                    ..place
                };
                let in_zone = matches!(place.zone, Zone::Squares(zone) if squares.is_subset(zone));
                in_zone.then_some(())?;
                self.setup.require(all, squares.count() as u32, None).ok()?;
                self.only_on(place, squares)
            }
            _ => None,
        }
    }

    /// Requires that the pieces of a place are on no other squares of it.
    fn only_on(&mut self, place: Place, squares: Bitboard) -> Option<()> {
        match place.zone {
            Zone::Squares(zone) if zone.is_subset(squares) => Some(()),
            Zone::Squares(zone) => {
                let others = Place {
                    zone: Zone::Squares(zone & !squares),
                    ..place
                };
                self.setup.require(others, 0, Some(0)).ok()
            }
            _ => None,
        }
    }

    /// Returns the squares that a set names, whatever is on them. Shifted squares cannot be used to name others.
    fn squares(&self, set: &Set) -> Option<Bitboard> {
        match self.place(set)? {
            Place {
                pieces: Contents::ANY,
                zone: Zone::Squares(squares),
            } if !self.is_shifted => Some(squares),
            _ => None,
        }
    }

    /// Adds that a condition does not hold.
    fn denies(&mut self, condition: &Cond) -> Option<()> {
        match &condition.kind {
            CondExpr::Constant(false) => Some(()),
            CondExpr::NonEmpty(set) => self
                .places(set)?
                .into_iter()
                .try_for_each(|place| self.setup.require(place, 0, Some(0)).ok()),
            CondExpr::HasNumber(number) => {
                let Limits { of, least, most } = self.limits(number)?;
                let (least, most) = match (least, most) {
                    (0, Some(most)) => (most.checked_add(1)?, None),
                    (least, None) => (0, Some(least.checked_sub(1)?)),
                    _ => return None,
                };
                self.require(&Limits { of, least, most }).ok()
            }
            CondExpr::ToMove(side) => self.setup.require_side(!*side).ok(),
            CondExpr::Not(said) => self.says(said),
            CondExpr::Or(left, right) => {
                let mut alternatives = CondExpr::alternatives([left, right]).into_iter();
                alternatives.try_for_each(|alternative| self.denies(alternative))
            }
            CondExpr::Flow(Flow::Group(inner)) => self.denies(inner),
            _ => None,
        }
    }

    fn require(&mut self, Limits { of, least, most }: &Limits) -> Result<(), Fault> {
        match of {
            Limited::Pieces(place) => self.setup.require(*place, *least, *most),
            Limited::Move => self.setup.require_moves(*least, *most),
        }
    }

    /// Requires that at least one of these places has such a piece.
    fn either(&mut self, places: &[Place]) -> Option<()> {
        let one = |place: &Place| Setup::default().require_either(&[*place]).is_ok();
        let is_joined = places.len() > 1 && super::place::merged(places).len() < places.len();
        if self.is_shifted && is_joined || !places.iter().all(one) {
            return None;
        }
        self.setup.require_either(places).ok()
    }

    /// Returns the places that make up a set.
    fn places(&self, set: &Set) -> Option<Vec<Place>> {
        match &set.kind {
            SetExpr::Union(left, right) => Some([self.places(left)?, self.places(right)?].concat()),
            SetExpr::Flow(Flow::Group(inner)) => self.places(inner),
            _ => self.place(set).map(|place| vec![place]),
        }
    }

    /// Returns the place that is equivalent to a set.
    fn place(&self, set: &Set) -> Option<Place> {
        match &set.kind {
            SetExpr::Designator(designator) => Some(on(designator)),
            SetExpr::Constant(Bitboard::FULL) => Some(Place {
                pieces: Contents::ANY,
                zone: Zone::BOARD,
            }),
            SetExpr::Flow(Flow::Group(inner)) => self.place(inner),
            SetExpr::SquareColor { light, set } => {
                let Place { pieces, zone } = self.place(set)?;
                let zone = (zone == Zone::BOARD).then_some(if *light { Zone::Light } else { Zone::Dark })?;
                Some(Place { pieces, zone })
            }
            SetExpr::Union(..) if !self.is_shifted => match *super::place::merged(&self.places(set)?) {
                [alone] => Some(alone),
                _ => None,
            },
            SetExpr::Complement(inner) => match (self.squares(inner), self.place(inner)?) {
                (Some(squares), _) if squares != Bitboard::FULL => Some(Place {
                    pieces: Contents::ANY,
                    zone: Zone::Squares(!squares),
                }),
                (
                    None,
                    Place {
                        pieces,
                        zone: Zone::BOARD,
                    },
                ) => Some(Place {
                    pieces: pieces.complement(),
                    zone: Zone::BOARD,
                }),
                _ => None,
            },
            SetExpr::Intersection(left, right) => self.common(left, right),
            _ => None,
        }
    }

    /// Returns the intersection of two sets.
    fn common(&self, left: &Set, right: &Set) -> Option<Place> {
        if let Some((pieces, king)) = [(left, right), (right, left)]
            .into_iter()
            .find_map(|(pieces, beside)| Some((pieces, king_beside(beside)?)))
        {
            let Place { pieces, zone } = self.place(pieces)?;
            return (zone == Zone::BOARD).then_some(Place { pieces, zone: king });
        }
        let (left, right) = (self.place(left)?, self.place(right)?);
        let pieces = left.pieces & right.pieces;
        let zone = match (left.zone, right.zone) {
            (zone, Zone::BOARD) | (Zone::BOARD, zone) => zone,
            (Zone::Squares(left), Zone::Squares(right)) if !self.is_shifted => Zone::Squares(left & right),
            _ => return None,
        };
        Some(Place { pieces, zone })
    }

    /// Returns the arrow in the pieces of a set.
    fn arrow(&self, set: &Set) -> Option<Arrow> {
        match &set.kind {
            SetExpr::Attackers { attackers, targets } | SetExpr::Attacked { attackers, targets } => Some(Arrow {
                kind: ArrowKind::Attacks,
                from: self.place(attackers)?,
                through: Vec::new(),
                to: self.place(targets)?,
            }),
            SetExpr::Line(Line {
                directions,
                slider_first,
                sets,
                ..
            }) if *directions == DirectionSet::ALL => {
                let places: Vec<Place> = sets.iter().map(|set| self.place(set)).collect::<Option<_>>()?;
                let [from, through @ .., to] = &*places else {
                    return None;
                };
                Some(Arrow {
                    kind: if *slider_first { ArrowKind::Xray } else { ArrowKind::Ray },
                    from: *from,
                    through: through.to_vec(),
                    to: *to,
                })
            }
            SetExpr::Flow(Flow::Group(inner)) => self.arrow(inner),
            _ => None,
        }
    }

    /// Returns the limits that a number is compared with.
    fn limits(&self, number: &Num) -> Option<Limits> {
        let NumExpr::Compare(comparison, left, right) = &number.kind else {
            return None;
        };
        let (of, (least, most)) = match (&left.kind, &right.kind) {
            (_, NumExpr::Literal(limit)) => (self.limited(left)?, comparison.range((*limit).into())),
            // The value of a comparison is its left side, so the outer comparison is with the left side of the inner one: a limit or what
            // is limited.
            (NumExpr::Literal(limit), NumExpr::Compare(_, first, _)) => {
                let inner = self.limits(right).filter(|_| self.limited(first).is_some())?;
                let (least, most) = comparison.mirrored().range((*limit).into());
                let least = i64::from(inner.least).max(least);
                (
                    inner.of,
                    (least, inner.most.map_or(most, |inner| most.min(inner.into()))),
                )
            }
            (NumExpr::Literal(limit), _) => (self.limited(right)?, comparison.mirrored().range((*limit).into())),
            _ => return None,
        };
        let greatest = match of {
            Limited::Pieces(_) => 64,
            Limited::Move => u32::MAX.into(),
        };
        Some(Limits {
            of,
            least: u32::try_from(least.max(0)).ok()?,
            // A limit beyond the possible numbers means that there is none.
            most: (most <= greatest).then(|| u32::try_from(most)).transpose().ok()?,
        })
    }

    /// Returns what a number counts, if a board can show limits of it.
    fn limited(&self, number: &Num) -> Option<Limited> {
        match &number.kind {
            NumExpr::Count(set) => Some(Limited::Pieces(self.place(set)?)),
            NumExpr::Fact(Fact::MoveNumber) => Some(Limited::Move),
            _ => None,
        }
    }
}

/// A number from `least` to `most`.
struct Limits {
    of: Limited,
    least: u32,
    most: Option<u32>,
}

enum Limited {
    /// The number of pieces at a place.
    Pieces(Place),
    /// The number of the move.
    Move,
}

/// Returns the place of a designator.
fn on(designator: &Designator) -> Place {
    Place {
        pieces: designator.contents,
        zone: Zone::Squares(designator.squares),
    }
}

/// Returns the squares next to a king, if a set is `anydirection 1 k`.
fn king_beside(set: &Set) -> Option<Zone> {
    let SetExpr::Direction { directions, range, set } = &set.kind else {
        return None;
    };
    let one_step = Some(Range::Within(Bound::Number(1), Bound::Number(1)));
    let SetExpr::Designator(king) = &set.kind else {
        return None;
    };
    let (color, role) = king.contents.only_kind()?;
    let is_beside = *directions == DirectionSet::ALL && *range == one_step;
    (is_beside && role == Role::King && king.squares == Bitboard::FULL).then_some(Zone::Near(color))
}
