//! What a game must have for a query to match any of its positions: facts that can be known without its moves.
//!
//! [`Bound::of`] looks at the body from its front and takes only what has no effect, so that a game that does not fulfil the
//! bound can be left out and nobody can tell: no position of it comes further than what was looked at.

use shakmaty::{CastlingSide, Role};

use super::moves::Promotion;
use super::node::Flow;
use super::numbers::Fact;
use super::{Comparison, CondExpr, Dash, NumExpr, Query, SetExpr};
use crate::board::Bitboard;
use crate::syntax::token::{Contents, Designator};

/// A condition on a whole game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Any game fulfils it.
    None,
    /// All of these.
    All(Vec<Bound>),
    /// One of these.
    Either(Vec<Bound>),
    /// Some position is like this, or was reached like this.
    Event(Event),
    /// Some position has at least so many of these men.
    AtLeast(Contents, u32),
    /// Some position has at most so many of these men.
    AtMost(Contents, u32),
    /// Some position has so many plies before it.
    Plies(u32),
}

/// Something that happens in a game.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    Check,
    Mate,
    Stalemate,
    Castling(CastlingSide),
    EnPassant,
    NullMove,
    Promotion(Role),
}

/// What pieces of a query say of the whole game; nothing for those that are not known to be without effects.
type Known = Option<Bound>;

impl Bound {
    /// What the games of a query have in common in which its body matches or does anything but fail.
    pub fn of(query: &Query) -> Bound {
        if query.header.matches(0) {
            return Bound::None;
        }
        let mut bounds = Vec::new();
        prefix(&query.body.kind, &mut bounds);
        all(bounds)
    }

    /// What the games have in common in which the body of any of some queries matches or does anything but fail.
    pub fn of_any(queries: &[&Query]) -> Bound {
        either(queries.iter().map(|query| Bound::of(query)).collect())
    }

    /// Whether it lets every game pass.
    pub fn is_none(&self) -> bool {
        *self == Bound::None
    }
}

/// Collects what holds where a condition matches, up to the first part that is not known to be without effects; whether there
/// was none.
fn prefix(condition: &CondExpr, bounds: &mut Vec<Bound>) -> bool {
    match condition {
        CondExpr::Flow(Flow::Block { tests, value }) => {
            tests.iter().all(|test| prefix(&test.kind, bounds)) && prefix(&value.kind, bounds)
        }
        CondExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) => prefix(&value.kind, bounds),
        CondExpr::And(left, right) => prefix(&left.kind, bounds) && prefix(&right.kind, bounds),
        other => match condition_bound(other) {
            Some(bound) => {
                bounds.push(bound);
                true
            }
            None => false,
        },
    }
}

fn all(bounds: Vec<Bound>) -> Bound {
    let mut bounds: Vec<Bound> = bounds.into_iter().filter(|bound| !bound.is_none()).collect();
    match bounds.len() {
        0 => Bound::None,
        1 => bounds.remove(0),
        _ => Bound::All(bounds),
    }
}

fn either(bounds: Vec<Bound>) -> Bound {
    if bounds.iter().any(Bound::is_none) {
        Bound::None
    } else {
        Bound::Either(bounds)
    }
}

fn both(left: Known, right: Known) -> Known {
    Some(all(vec![left?, right?]))
}

fn event(event: Event) -> Known {
    Some(Bound::Event(event))
}

/// What holds where a condition matches.
fn condition_bound(condition: &CondExpr) -> Known {
    match condition {
        CondExpr::Constant(true) | CondExpr::ToMove(_) | CondExpr::Initial | CondExpr::Terminal => Some(Bound::None),
        CondExpr::Constant(false) => Some(Bound::Either(Vec::new())),
        CondExpr::NonEmpty(set) => set_bound(&set.kind),
        CondExpr::Placement(designators) => Some(all(designators.iter().map(standing).collect())),
        CondExpr::AllTogether(together) => set_bound(&together.domain.kind).map(|_| Bound::None),
        CondExpr::HasNumber(number) => number_bound(&number.kind),
        CondExpr::Not(condition) => condition_bound(&condition.kind).map(|_| Bound::None),
        CondExpr::And(left, right) => both(condition_bound(&left.kind), condition_bound(&right.kind)),
        CondExpr::Or(left, right) => Some(either(vec![
            condition_bound(&left.kind)?,
            condition_bound(&right.kind)?,
        ])),
        CondExpr::SameSet(left, right) | CondExpr::Subset(left, right) => {
            both(set_bound(&left.kind), set_bound(&right.kind)).map(|_| Bound::None)
        }
        CondExpr::Check => event(Event::Check),
        CondExpr::Mate => event(Event::Mate),
        CondExpr::Stalemate => event(Event::Stalemate),
        CondExpr::Castled(Some(side)) => event(Event::Castling(*side)),
        CondExpr::Castled(None) => Some(Bound::Either(
            CastlingSide::ALL
                .map(|side| Bound::Event(Event::Castling(side)))
                .to_vec(),
        )),
        CondExpr::EnPassant => event(Event::EnPassant),
        CondExpr::NullMove => event(Event::NullMove),
        CondExpr::Versions(versions) => versions
            .copies
            .iter()
            .map(|copy| condition_bound(&copy.kind))
            .collect::<Option<Vec<Bound>>>()
            .map(either),
        CondExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) => condition_bound(&value.kind),
        CondExpr::Flow(Flow::Block { tests, value }) => {
            let tests = tests.iter().map(|test| condition_bound(&test.kind));
            let bounds = tests.chain([condition_bound(&value.kind)]);
            bounds.collect::<Option<Vec<Bound>>>().map(all)
        }
        CondExpr::Flow(Flow::Dash(dash, value) | Flow::Previous(dash, value)) => {
            both(dash_bound(dash), condition_bound(&value.kind))
        }
        _ => None,
    }
}

/// What holds where a number has a value.
fn number_bound(number: &NumExpr) -> Known {
    match number {
        NumExpr::Literal(_) | NumExpr::Fact(Fact::Ply | Fact::MoveNumber | Fact::PositionId | Fact::SideToMove) => {
            Some(Bound::None)
        }
        NumExpr::Compare(comparison, left, right) => compared(*comparison, &left.kind, &right.kind),
        NumExpr::Count(set) => set_bound(&set.kind).map(|_| Bound::None),
        NumExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) => number_bound(&value.kind),
        _ => None,
    }
}

/// What holds where two numbers compare as asked.
fn compared(comparison: Comparison, left: &NumExpr, right: &NumExpr) -> Known {
    number_bound(left)?;
    number_bound(right)?;
    let (NumExpr::Count(_) | NumExpr::Fact(_), NumExpr::Literal(limit)) = (left, right) else {
        return Some(Bound::None);
    };
    let limit = i64::from(*limit);
    let (least, most) = match comparison {
        Comparison::Equal => (limit, limit),
        Comparison::Less => (i64::MIN, limit - 1),
        Comparison::LessEqual => (i64::MIN, limit),
        Comparison::Greater => (limit + 1, i64::MAX),
        Comparison::GreaterEqual => (limit, i64::MAX),
    };
    if most < 0 && !matches!(left, NumExpr::Fact(Fact::SideToMove)) {
        return Some(Bound::Either(Vec::new()));
    }
    match left {
        NumExpr::Count(set) => counted(&set.kind, least, most),
        NumExpr::Fact(Fact::Ply) => Some(u32::try_from(least).map_or(Bound::None, Bound::Plies)),
        _ => Some(Bound::None),
    }
}

/// What holds where a set has from `least` to `most` squares.
fn counted(set: &SetExpr, least: i64, most: i64) -> Known {
    let bound = set_bound(set)?;
    let mut bounds = Vec::new();
    if least > 0 {
        bounds.push(bound);
        if let (Some(men), Ok(least)) = (men_of(set), u32::try_from(least)) {
            bounds.push(Bound::AtLeast(men, least));
        }
    }
    if let SetExpr::Designator(designator) = set
        && let (Some(men), Ok(most)) = (all_men(designator), u32::try_from(most))
    {
        bounds.push(Bound::AtMost(men, most));
    }
    Some(all(bounds))
}

/// The men on whose squares all squares of a set are, if there are such.
fn men_of(set: &SetExpr) -> Option<Contents> {
    match set {
        SetExpr::Designator(designator) => men_in(designator),
        SetExpr::Together(together) => men_of(&together.domain.kind),
        SetExpr::Intersection(left, right) => men_of(&left.kind).or_else(|| men_of(&right.kind)),
        SetExpr::Attackers { attackers, .. } => men_of(&attackers.kind),
        SetExpr::Attacked { targets, .. } => men_of(&targets.kind),
        _ => None,
    }
}

/// The men that a designator is about, unless it may be an empty square.
fn men_in(designator: &Designator) -> Option<Contents> {
    let men = designator.contents;
    (men.0 & Contents::EMPTY.0 == 0).then_some(men)
}

/// The men that a designator counts wherever they stand.
fn all_men(designator: &Designator) -> Option<Contents> {
    men_in(designator).filter(|_| designator.squares == Bitboard::FULL)
}

/// What holds where a designator is not empty.
fn standing(designator: &Designator) -> Bound {
    men_in(designator).map_or(Bound::None, |men| Bound::AtLeast(men, 1))
}

/// What holds where a set has a square.
fn set_bound(set: &SetExpr) -> Known {
    match set {
        SetExpr::Designator(designator) => Some(standing(designator)),
        // What is kept of the domain has no effect.
        SetExpr::Together(together) => set_bound(&together.domain.kind),
        SetExpr::Constant(_) | SetExpr::Pawns(_) | SetExpr::From | SetExpr::To => Some(Bound::None),
        SetExpr::Complement(set) => set_bound(&set.kind).map(|_| Bound::None),
        SetExpr::Intersection(left, right)
        | SetExpr::Attackers {
            attackers: left,
            targets: right,
        }
        | SetExpr::Attacked {
            attackers: left,
            targets: right,
        } => both(set_bound(&left.kind), set_bound(&right.kind)),
        SetExpr::Union(left, right) => Some(either(vec![set_bound(&left.kind)?, set_bound(&right.kind)?])),
        SetExpr::Line(line) => line
            .sets
            .iter()
            .map(|set| set_bound(&set.kind))
            .collect::<Option<Vec<Bound>>>()
            .map(all),
        SetExpr::Intersections([left, right]) => both(set_bound(&left.set.kind), set_bound(&right.set.kind)),
        SetExpr::Pin(pin) => [&pin.from, &pin.through, &pin.to]
            .into_iter()
            .flatten()
            .map(|set| set_bound(&set.kind))
            .collect::<Option<Vec<Bound>>>()
            .map(all),
        SetExpr::Direction { range: None, set, .. } | SetExpr::SquareColor { set, .. } => set_bound(&set.kind),
        SetExpr::Versions(versions) => versions
            .copies
            .iter()
            .map(|copy| set_bound(&copy.kind))
            .collect::<Option<Vec<Bound>>>()
            .map(either),
        SetExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) => set_bound(&value.kind),
        _ => None,
    }
}

/// What holds in a game in which a move fits.
fn dash_bound(dash: &Dash) -> Known {
    let men = [&dash.left, &dash.right].into_iter().flatten();
    men.map(|set| set_bound(&set.kind)).collect::<Option<Vec<Bound>>>()?;
    match &dash.promotion {
        None => Some(Bound::None),
        Some(Promotion::Any) => Some(becomes(&[Role::Queen, Role::Rook, Role::Bishop, Role::Knight])),
        Some(Promotion::To(men)) => {
            let roles = [
                (men.queen, Role::Queen),
                (men.rook, Role::Rook),
                (men.bishop, Role::Bishop),
                (men.knight, Role::Knight),
            ];
            let roles: Vec<Role> = roles
                .into_iter()
                .filter(|(may, _)| *may)
                .map(|(_, role)| role)
                .collect();
            Some(becomes(&roles))
        }
        Some(Promotion::Letters(_)) => None,
    }
}

fn becomes(roles: &[Role]) -> Bound {
    Bound::Either(roles.iter().map(|role| Bound::Event(Event::Promotion(*role))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{self, Options};
    use crate::syntax::Source;

    fn bound(filters: &str) -> Bound {
        let text = if filters.starts_with("cql(") {
            filters.to_owned()
        } else {
            format!("cql() {filters}")
        };
        let source = Source::new("q.cql", text);
        Bound::of(&query::compile(&source, &Options::default()).unwrap())
    }

    const WHITE_ROOK: Contents = Contents(0x0004);

    #[test]
    fn counts_of_men_bound_them() {
        assert_eq!(
            bound("R==9"),
            Bound::All(vec![
                Bound::AtLeast(WHITE_ROOK, 1),
                Bound::AtLeast(WHITE_ROOK, 9),
                Bound::AtMost(WHITE_ROOK, 9)
            ])
        );
        assert_eq!(bound("#R < 2"), Bound::AtMost(WHITE_ROOK, 1));
        assert_eq!(bound("#Ra-h7 < 2"), Bound::None, "men elsewhere do not count");
    }

    #[test]
    fn what_happens_bounds_the_game() {
        assert_eq!(bound("btm mate"), Bound::Event(Event::Mate));
        assert_eq!(
            bound("--=N"),
            Bound::Either(vec![Bound::Event(Event::Promotion(Role::Knight))])
        );
        assert_eq!(bound("not mate"), Bound::None);
        assert_eq!(bound("mate or K"), Bound::Event(Event::Mate).or_kings());
        assert_eq!(bound("ply >= 100"), Bound::Plies(100));
        assert_eq!(
            bound("Ra1 K"),
            Bound::All(vec![Bound::AtLeast(WHITE_ROOK, 1), Bound::AtLeast(Contents(1), 1)])
        );
        assert_eq!(bound("x∊Ra1 {x attacks k}"), Bound::AtLeast(WHITE_ROOK, 1));
    }

    impl Bound {
        /// This, or a white king on the board.
        fn or_kings(self) -> Bound {
            Bound::Either(vec![self, Bound::AtLeast(Contents(1), 1)])
        }
    }

    #[test]
    fn nothing_behind_an_effect_counts() {
        assert_eq!(bound("message(\"here\") mate"), Bound::None);
        assert_eq!(
            bound("stalemate message(\"here\") mate"),
            Bound::Event(Event::Stalemate)
        );
        assert_eq!(bound("x=1 mate"), Bound::None);
        assert_eq!(bound("not {message(\"here\") check} mate"), Bound::None);
        assert_eq!(
            bound("cql(matchcount 0 3) mate"),
            Bound::None,
            "games without a match are wanted"
        );
    }
}
