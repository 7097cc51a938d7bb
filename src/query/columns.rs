//! Conditions that are asked of many positions at once.
//!
//! What depends on the pieces of one position alone, and needs neither variables nor other positions, is found for all positions
//! of a game by the same instructions: see [`Boards`](crate::board::columns::Boards). Here stands what such a condition
//! consists of, and how it is read off the query.

use crate::board::columns::{Movers, Parts};
use crate::board::{Bitboard, Color, Contents, DirectionSet, Role};
use crate::syntax::token::Designator;

use super::node::Flow;
use super::sets::{Line, PawnSet, Pin, PinPart, Together};
use super::variables::SetVar;
use super::versions::{Figure, Versions};
use super::{Comparison, Cond, CondExpr, NumExpr, Set, SetExpr};

/// A condition on the pieces of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum CondColumn {
    /// There is such a square.
    Any(SetColumn),
    /// There are so many of them, at least and at most.
    Count(SetColumn, u32, u32),
    /// Both sets are the same.
    Same(SetColumn, SetColumn),
    /// All squares of the first set are in the second.
    Subset(SetColumn, SetColumn),
    /// The condition does not hold.
    Not(Box<CondColumn>),
    /// All hold.
    All(Vec<CondColumn>),
    /// One holds.
    OneOf(Vec<CondColumn>),
    /// Pieces stand to each other like this somewhere: what they are, piece by piece.
    Figure(Vec<Contents>, Figure),
}

/// A set of squares that depends on the pieces of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SetColumn {
    /// Squares with certain contents.
    Pieces(Contents, Bitboard),
    /// The same squares everywhere.
    Squares(Bitboard),
    /// What the variable of a loop stands for, counted from the outermost loop: all of its domain.
    Domain(usize),
    /// All other squares.
    Complement(Box<SetColumn>),
    /// Squares in both sets.
    Intersection(Box<SetColumn>, Box<SetColumn>),
    /// Squares in one of some sets.
    Union(Vec<SetColumn>),
    /// Those of the first set whose pieces attack some square of the second; and how the pieces of the first can move.
    Attackers(Box<SetColumn>, Box<SetColumn>, Movers),
    /// Those of the first set that a piece on the second attacks; and how the pieces of the second can move.
    Attacked(Box<SetColumn>, Box<SetColumn>, Movers),
    /// Those of the first or of the last of some sets that lie on one ray.
    Line {
        /// The directions of the ray.
        directions: DirectionSet,
        /// The piece on the first square moves along the ray.
        slider_first: bool,
        /// The first set is meant.
        value_first: bool,
        /// The sets.
        sets: Vec<SetColumn>,
    },
    /// All squares in some directions.
    Beyond(DirectionSet, Box<SetColumn>),
    /// Pawns of a structure.
    Pawns(PawnSet),
    /// What a loop keeps of its domain.
    Kept {
        /// The domain.
        domain: Box<SetColumn>,
        /// What is kept.
        kept: Box<SetColumn>,
    },
}

/// So much is not asked of all positions: about as many instructions for each as a body takes that is evaluated there.
const MOST_WORK: u32 = 250;

impl CondColumn {
    /// What a condition is for many positions at once, if it can be asked so and that is worth it.
    pub(crate) fn of(condition: &CondExpr) -> Option<CondColumn> {
        let condition = Reader::default().condition(condition)?;
        (condition.work() <= MOST_WORK).then_some(condition)
    }

    /// About how many instructions a position takes.
    pub(crate) fn work(&self) -> u32 {
        match self {
            CondColumn::Any(set) => 2 + set.work(),
            CondColumn::Count(set, ..) => 6 + set.work(),
            CondColumn::Same(left, right) | CondColumn::Subset(left, right) => 3 + left.work() + right.work(),
            CondColumn::Not(condition) => condition.work(),
            CondColumn::All(conditions) | CondColumn::OneOf(conditions) => {
                conditions.iter().map(CondColumn::work).sum()
            }
            CondColumn::Figure(contents, _) => 2 + 2 * contents.len() as u32,
        }
    }

    /// What has to be known of the boards.
    pub(crate) fn parts(&self) -> Parts {
        match self {
            CondColumn::Any(set) | CondColumn::Count(set, ..) => set.parts(),
            CondColumn::Same(left, right) | CondColumn::Subset(left, right) => left.parts() | right.parts(),
            CondColumn::Not(condition) => condition.parts(),
            CondColumn::All(conditions) | CondColumn::OneOf(conditions) => {
                conditions.iter().map(CondColumn::parts).collect()
            }
            CondColumn::Figure(contents, _) => contents.iter().copied().map(parts_of).collect(),
        }
    }
}

impl SetColumn {
    /// What has to be known of the boards.
    fn parts(&self) -> Parts {
        let roles = |roles: &[Role]| roles.iter().copied().map(Parts::role).collect::<Parts>();
        let movers = |movers: &Movers| {
            let of = |is_asked: bool, kinds: &[Role]| if is_asked { roles(kinds) } else { Parts::default() };
            of(movers.leapers, &[Role::Pawn, Role::Knight, Role::King])
                | of(movers.diagonal, &[Role::Bishop, Role::Queen])
                | of(movers.straight, &[Role::Rook, Role::Queen])
                | Parts::COLORS
        };
        match self {
            SetColumn::Pieces(contents, _) => parts_of(*contents),
            SetColumn::Squares(_) | SetColumn::Domain(_) => Parts::default(),
            SetColumn::Complement(set) | SetColumn::Beyond(_, set) => set.parts(),
            SetColumn::Intersection(left, right) => left.parts() | right.parts(),
            SetColumn::Union(sets) => sets.iter().map(SetColumn::parts).collect(),
            SetColumn::Attackers(of, with, ways) | SetColumn::Attacked(of, with, ways) => {
                of.parts() | with.parts() | movers(ways)
            }
            SetColumn::Line { slider_first, sets, .. } => {
                let sets: Parts = sets.iter().map(SetColumn::parts).collect();
                let sliders = if *slider_first {
                    roles(&[Role::Queen, Role::Rook, Role::Bishop])
                } else {
                    Parts::default()
                };
                sets | sliders | Parts::COLORS
            }
            SetColumn::Pawns(_) => Parts::role(Role::Pawn) | Parts::COLORS,
            SetColumn::Kept { domain, kept } => domain.parts() | kept.parts(),
        }
    }

    /// What stands on the squares at most.
    fn contents(&self, domains: &[Contents]) -> Contents {
        match self {
            SetColumn::Pieces(contents, _) => *contents,
            SetColumn::Squares(_) | SetColumn::Complement(_) | SetColumn::Beyond(..) => Contents::ANY,
            SetColumn::Domain(index) => domains.get(*index).copied().unwrap_or(Contents::ANY),
            SetColumn::Intersection(left, right) => left.contents(domains) & right.contents(domains),
            SetColumn::Union(sets) => sets.iter().fold(Contents(0), |all, set| all | set.contents(domains)),
            SetColumn::Attackers(of, ..) | SetColumn::Attacked(of, ..) => of.contents(domains),
            SetColumn::Line { value_first, sets, .. } => {
                let value = if *value_first { sets.first() } else { sets.last() };
                value.map_or(Contents::ANY, |set| set.contents(domains))
            }
            SetColumn::Pawns(_) => Contents::PAWNS,
            SetColumn::Kept { domain, .. } => domain.contents(domains),
        }
    }

    /// Whether there are few such squares on most boards: those of a king or of another piece of one kind.
    pub(crate) fn are_few(&self) -> bool {
        match self {
            SetColumn::Pieces(contents, _) if contents.is_within(Contents::KINGS) => true,
            SetColumn::Pieces(contents, _) => contents.only_kind().is_some() && !contents.intersects(Contents::PAWNS),
            SetColumn::Intersection(left, right) => left.are_few() || right.are_few(),
            _ => false,
        }
    }

    /// About how many instructions a position takes.
    fn work(&self) -> u32 {
        let of_movers = |movers: &Movers| {
            let of = |is_asked: bool, work: u32| if is_asked { work } else { 0 };
            of(movers.leapers, 9) + of(movers.diagonal, 18) + of(movers.straight, 18)
        };
        match self {
            SetColumn::Squares(_) | SetColumn::Domain(_) => 0,
            SetColumn::Pieces(contents, _) => match contents.only_kind() {
                Some(_) => 1,
                None => 3,
            },
            SetColumn::Complement(set) => 1 + set.work(),
            SetColumn::Intersection(left, right) => 1 + left.work() + right.work(),
            SetColumn::Union(sets) => sets.iter().map(|set| 1 + set.work()).sum(),
            SetColumn::Attackers(of, with, movers) | SetColumn::Attacked(of, with, movers) => {
                of.work() + with.work() + of_movers(movers)
            }
            SetColumn::Line { directions, sets, .. } => {
                // Few lines get as far as a third set.
                let a_direction = 6 + 2 * (sets.len() as u32).saturating_sub(2);
                sets.iter().map(SetColumn::work).sum::<u32>() + a_direction * directions.len() as u32
            }
            SetColumn::Beyond(directions, set) => set.work() + 6 * directions.len() as u32,
            SetColumn::Pawns(_) => 15,
            SetColumn::Kept { domain, kept } => domain.work() + kept.work(),
        }
    }
}

/// What has to be known of boards to find the squares with certain contents.
pub(super) fn parts_of(contents: Contents) -> Parts {
    let all = [(Color::White, Contents::WHITE), (Color::Black, Contents::BLACK)];
    let of_colors = all.into_iter().map(|(color, all)| {
        let roles: Parts = contents.roles(color).map(Parts::role).collect();
        match contents & all {
            kinds if kinds.is_empty() => Parts::default(),
            kinds if kinds == all => Parts::color(color),
            _ => roles | Parts::color(color),
        }
    });
    let of_pieces: Parts = of_colors.collect();
    if contents.intersects(Contents::EMPTY) {
        of_pieces | Parts::COLORS
    } else {
        of_pieces
    }
}

/// The ways of pieces to move.
pub(super) fn movers(contents: Contents) -> Movers {
    Movers {
        leapers: contents.intersects(Contents::LEAPERS),
        diagonal: contents.intersects(Contents::DIAGONAL_SLIDERS),
        straight: contents.intersects(Contents::ORTHOGONAL_SLIDERS),
    }
}

/// Whether only sliders are among some pieces.
pub(super) fn are_sliders(contents: Contents) -> bool {
    contents.is_within(Contents::ORTHOGONAL_SLIDERS | Contents::DIAGONAL_SLIDERS)
}

/// Reads conditions off a query; nothing where one cannot be asked of many positions at once.
#[derive(Default)]
struct Reader {
    /// The variables of the loops around, the outermost first.
    variables: Vec<SetVar>,
    /// What stands on the squares of their domains at most.
    domains: Vec<Contents>,
}

impl Reader {
    fn condition(&mut self, condition: &CondExpr) -> Option<CondColumn> {
        match condition {
            CondExpr::NonEmpty(set) => match &set.kind {
                // Where something is pinned there is what it is pinned to.
                SetExpr::Pin(pin) => self.pin(pin, false).map(CondColumn::Any),
                set => self.set(set).map(CondColumn::Any),
            },
            CondExpr::Placement(designators) => {
                let standing = |designator: &Designator| CondColumn::Any(pieces(designator));
                Some(CondColumn::All(designators.iter().map(standing).collect()))
            }
            CondExpr::HasNumber(number) => self.comparison(&number.kind),
            CondExpr::Not(condition) => self
                .condition(&condition.kind)
                .map(|held| CondColumn::Not(Box::new(held))),
            CondExpr::And(left, right) => self.all([left, right]).map(CondColumn::All),
            CondExpr::Or(left, right) => self.all([left, right]).map(CondColumn::OneOf),
            CondExpr::SameSet(left, right) => Some(CondColumn::Same(self.set(&left.kind)?, self.set(&right.kind)?)),
            CondExpr::Subset(left, right) => Some(CondColumn::Subset(self.set(&left.kind)?, self.set(&right.kind)?)),
            CondExpr::AllTogether(together) => {
                let (domain, kept) = self.together(together)?;
                let kept = SetColumn::Kept {
                    domain: Box::new(domain.clone()),
                    kept: Box::new(kept),
                };
                Some(CondColumn::Same(domain, kept))
            }
            CondExpr::Versions(versions) => self.versions(versions),
            CondExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) => self.condition(&value.kind),
            CondExpr::Flow(Flow::Block { tests, value }) => self.all(tests.iter().chain([value])).map(CondColumn::All),
            _ => None,
        }
    }

    /// All of several conditions, unless that is too much.
    fn all<'q>(&mut self, conditions: impl IntoIterator<Item = &'q Cond>) -> Option<Vec<CondColumn>> {
        let mut found = Vec::new();
        let mut work = 0;
        for condition in conditions {
            let condition = self.condition(&condition.kind)?;
            work += condition.work();
            if work > MOST_WORK {
                return None;
            }
            found.push(condition);
        }
        Some(found)
    }

    /// The copies that a transform made; if they are the same figure in many places, the figure.
    fn versions(&mut self, versions: &Versions<Cond>) -> Option<CondColumn> {
        match &versions.guard {
            Some(guard)
                if guard.complete
                    && let Some(figure) = &guard.figure =>
            {
                Some(CondColumn::Figure(guard.contents.clone(), figure.clone()))
            }
            _ => self.all(&versions.copies).map(CondColumn::OneOf),
        }
    }

    /// A number of squares that is compared with a literal.
    fn comparison(&mut self, number: &NumExpr) -> Option<CondColumn> {
        match number {
            NumExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) => self.comparison(&value.kind),
            NumExpr::Compare(comparison, left, right) => {
                let (NumExpr::Count(set), NumExpr::Literal(limit)) = (&left.kind, &right.kind) else {
                    return None;
                };
                let set = self.set(&set.kind)?;
                Some(counted(set, *comparison, *limit))
            }
            _ => None,
        }
    }

    fn set(&mut self, set: &SetExpr) -> Option<SetColumn> {
        match set {
            SetExpr::Designator(designator) => Some(pieces(designator)),
            SetExpr::Constant(squares) => Some(SetColumn::Squares(*squares)),
            SetExpr::Variable(variable) => {
                let index = self.variables.iter().rposition(|looped| looped == variable)?;
                Some(SetColumn::Domain(index))
            }
            SetExpr::Complement(set) => Some(SetColumn::Complement(self.boxed(set)?)),
            SetExpr::Intersection(left, right) => Some(SetColumn::Intersection(self.boxed(left)?, self.boxed(right)?)),
            SetExpr::Union(left, right) => Some(SetColumn::Union(vec![self.set(&left.kind)?, self.set(&right.kind)?])),
            SetExpr::Attackers { attackers, targets } => {
                let (attackers, targets) = (self.boxed(attackers)?, self.boxed(targets)?);
                let movers = movers(attackers.contents(&self.domains));
                Some(SetColumn::Attackers(attackers, targets, movers))
            }
            SetExpr::Attacked { attackers, targets } => {
                let (attackers, targets) = (self.boxed(attackers)?, self.boxed(targets)?);
                let movers = movers(attackers.contents(&self.domains));
                Some(SetColumn::Attacked(targets, attackers, movers))
            }
            SetExpr::Line(line) => self.line(line),
            SetExpr::Pin(pin) => match pin.value {
                PinPart::From => self.pin(pin, true),
                PinPart::To => self.pin(pin, false),
                PinPart::Through => None,
            },
            SetExpr::Direction {
                directions,
                range: None,
                set,
            } => Some(SetColumn::Beyond(*directions, self.boxed(set)?)),
            SetExpr::SquareColor { light, set } => {
                let color = if *light {
                    Bitboard::LIGHT_SQUARES
                } else {
                    Bitboard::DARK_SQUARES
                };
                Some(SetColumn::Intersection(
                    Box::new(SetColumn::Squares(color)),
                    self.boxed(set)?,
                ))
            }
            SetExpr::Pawns(structure) => Some(SetColumn::Pawns(*structure)),
            SetExpr::Together(together) => {
                let (domain, kept) = self.together(together)?;
                Some(SetColumn::Kept {
                    domain: Box::new(domain),
                    kept: Box::new(kept),
                })
            }
            SetExpr::Versions(versions) if versions.copies.len() <= MOST_WORK as usize => {
                let copies = versions.copies.iter().map(|copy| self.set(&copy.kind));
                copies.collect::<Option<Vec<SetColumn>>>().map(SetColumn::Union)
            }
            SetExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) => self.set(&value.kind),
            _ => None,
        }
    }

    fn boxed(&mut self, set: &Set) -> Option<Box<SetColumn>> {
        self.set(&set.kind).map(Box::new)
    }

    /// Sets on one ray; directions in which no piece of the first set moves are left out.
    fn line(&mut self, line: &Line) -> Option<SetColumn> {
        let sets = line.sets.iter().map(|set| self.set(&set.kind));
        let sets = sets.collect::<Option<Vec<SetColumn>>>()?;
        if line.slider_first {
            return self.sliding(line.directions, line.value_first, sets);
        }
        Some(SetColumn::Line {
            directions: line.directions,
            slider_first: false,
            value_first: line.value_first,
            sets,
        })
    }

    /// Sets on one ray, along which the piece on the first square moves.
    fn sliding(&self, directions: DirectionSet, value_first: bool, sets: Vec<SetColumn>) -> Option<SetColumn> {
        let first = sets.first()?.contents(&self.domains);
        let ways = movers(first);
        let moving = |is_asked: bool, kind| if is_asked { kind } else { DirectionSet::EMPTY };
        let straight = moving(ways.straight, DirectionSet::ORTHOGONAL);
        let directions = directions & (straight | moving(ways.diagonal, DirectionSet::DIAGONAL));
        // Where all of them move along the ray, nobody need ask.
        let others = |kind, movers: Contents| directions.intersects(kind) && !first.is_within(movers);
        let slider_first = others(DirectionSet::ORTHOGONAL, Contents::ORTHOGONAL_SLIDERS)
            || others(DirectionSet::DIAGONAL, Contents::DIAGONAL_SLIDERS);
        Some(SetColumn::Line {
            directions,
            slider_first,
            value_first,
            sets,
        })
    }

    /// The sliders that pin something, or what it is pinned to: lines from sliders of one colour through a piece of the other to
    /// squares without pieces of theirs.
    fn pin(&mut self, pin: &Pin, value_first: bool) -> Option<SetColumn> {
        let from = self.part(pin.from.as_ref(), Contents::ANY)?;
        let through = self.part(pin.through.as_ref(), Contents::ANY)?;
        let to = self.part(pin.to.as_ref(), Contents::KINGS)?;
        // Those of a set that have one of some contents, if there may be any.
        let with = |set: &SetColumn, contents: Contents| {
            let found = set.contents(&self.domains);
            match found.is_within(contents) {
                true => Some(set.clone()),
                false if !found.intersects(contents) => None,
                false => Some(SetColumn::Intersection(
                    Box::new(set.clone()),
                    Box::new(SetColumn::Pieces(contents, Bitboard::FULL)),
                )),
            }
        };
        let mut lines = Vec::new();
        for (own, other) in [(Contents::WHITE, Contents::BLACK), (Contents::BLACK, Contents::WHITE)] {
            let sets = [
                with(&from, own),
                with(&through, other),
                with(&to, other | Contents::EMPTY),
            ];
            if let Some(sets) = sets.into_iter().collect() {
                lines.push(self.sliding(DirectionSet::ALL, value_first, sets)?);
            }
        }
        Some(SetColumn::Union(lines))
    }

    /// A part of a pin; all squares with these contents if it is not written.
    fn part(&mut self, set: Option<&Set>, usual: Contents) -> Option<SetColumn> {
        match set {
            Some(set) => self.set(&set.kind),
            None if usual == Contents::ANY => Some(SetColumn::Squares(Bitboard::FULL)),
            None => Some(SetColumn::Pieces(usual, Bitboard::FULL)),
        }
    }

    /// The domain of a loop, and what the loop keeps of it.
    fn together(&mut self, together: &Together) -> Option<(SetColumn, SetColumn)> {
        let domain = self.set(&together.domain.kind)?;
        self.domains.push(domain.contents(&self.domains));
        self.variables.push(together.variable);
        let kept = self.set(&together.kept.kind);
        self.variables.pop();
        self.domains.pop();
        Some((domain, kept?))
    }
}

/// The squares of a designator.
fn pieces(designator: &Designator) -> SetColumn {
    if designator.has_contents {
        SetColumn::Pieces(designator.contents, designator.squares)
    } else {
        SetColumn::Squares(designator.squares)
    }
}

/// A set with so many squares as compare with a limit as asked.
fn counted(set: SetColumn, comparison: Comparison, limit: i32) -> CondColumn {
    let (least, most) = comparison.range(i64::from(limit));
    let bound = |number: i64| u32::try_from(number.clamp(0, i64::from(u32::MAX))).unwrap_or(u32::MAX);
    match most < 0 {
        true => CondColumn::OneOf(Vec::new()),
        false => CondColumn::Count(set, bound(least), bound(most)),
    }
}
