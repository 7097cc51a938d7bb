//! What a position must have for the body of a query to match there, as far as that can be seen at a glance.
//!
//! [`Gate::of`] looks at the body from its front and takes only what has no effect: where a position does not fulfil the gate,
//! the body would have failed before anything else was evaluated, so it need not be tried and nobody can tell. What must hold
//! at a position must hold somewhere in a game: [`bounds`](super::bounds) is made of the same facts.

use shakmaty::{CastlingSide, Color, Role};

use super::moves::Promotion;
use super::node::{Flow, Set};
use super::numbers::Fact;
use super::paths::{self, Focus, Item, PathStep};
use super::sets::{Line, Together};
use super::variables::SetVar;
use super::{Comparison, Cond, CondExpr, Dash, Effect, Node, NumExpr, SetExpr};
use crate::board::{Bitboard, DirectionSet};
use crate::syntax::token::{Contents, Designator};

/// A condition on a position and the move that led there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Gate {
    /// Any position fulfils it.
    Open,
    /// All of these.
    All(Vec<Gate>),
    /// One of these.
    Either(Vec<Gate>),
    /// This side is to move.
    ToMove(Color),
    /// No move comes before.
    Initial,
    /// No move follows.
    Terminal,
    /// So many plies come before.
    Plies(u32),
    /// So many squares are as a designator says.
    Count(Men, u32, u32),
    /// Some of the first men are in line with some of the second, whatever is between them.
    InLine(Men, Men, Lines),
    /// So many of the first men would attack one of the second if nothing were between them.
    Reach(Men, Men, u32),
    /// A move from here takes something; one of some of these men, if they are given.
    Capture(Option<Men>),
    /// The position is like this, or was reached like this.
    Event(Event),
    /// The position is like this that comes so many moves later, if no variation begins in between.
    Ahead(usize, Box<Gate>),
    /// Another position of the game is like this.
    Elsewhere(Box<Gate>),
}

/// Squares with certain contents, which may be the empty one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Men {
    /// What stands there.
    pub contents: Contents,
    /// Where that may be.
    pub squares: Bitboard,
}

/// Kinds of lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lines {
    /// Ranks and files.
    pub straight: bool,
    /// Diagonals of both directions.
    pub diagonal: bool,
}

/// Something that a position is, or how it was reached.
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

/// What pieces of a query say of the position; nothing for those that are not known to be without effects.
type Known = Option<Gate>;

impl Gate {
    /// What the positions have in common where a body matches or does anything but fail.
    pub fn of(body: &Cond) -> Gate {
        let mut gates = Vec::new();
        Reader::default().prefix(&body.kind, &mut gates);
        all(gates)
    }

    /// The part of it that is worth asking before the body is tried: what is quick to find out and often fails.
    pub fn at_a_glance(self) -> Gate {
        match self {
            Gate::All(gates) => {
                let mut gates: Vec<Gate> = gates.into_iter().map(Gate::at_a_glance).collect();
                gates.sort_by_key(Gate::cost);
                gates.dedup();
                let asked = gates.clone();
                gates.retain(|gate| !asked.iter().any(|other| other.implies(gate)));
                all(gates)
            }
            Gate::Either(gates) if gates.len() <= MOST_CHOICES => {
                either(gates.into_iter().map(Gate::at_a_glance).collect())
            }
            Gate::Ahead(moves, gate) => match gate.at_a_glance() {
                Gate::Open => Gate::Open,
                gate => Gate::Ahead(moves, Box::new(gate)),
            },
            Gate::Either(_) | Gate::Elsewhere(_) => Gate::Open,
            Gate::Count(men, least, most) if most == u32::MAX && men.are_many(least) => Gate::Open,
            other => other,
        }
    }

    /// Whether it lets every position pass.
    pub fn is_open(&self) -> bool {
        *self == Gate::Open
    }

    /// Whether what it asks makes another question superfluous: men that could attack others are on the board.
    fn implies(&self, other: &Gate) -> bool {
        match (self, other) {
            (Gate::InLine(from, to, _) | Gate::Reach(from, to, 1), Gate::Count(men, 1, u32::MAX)) => {
                from == men || to == men
            }
            (Gate::Reach(from, to, more), Gate::Reach(others, aims, least)) => {
                (from, to) == (others, aims) && more > least
            }
            (Gate::Reach(from, _, reaching), Gate::Count(men, least, u32::MAX)) => from == men && reaching >= least,
            _ => false,
        }
    }

    /// How long it takes to ask, roughly.
    fn cost(&self) -> u32 {
        match self {
            Gate::Open | Gate::ToMove(_) | Gate::Initial | Gate::Terminal | Gate::Plies(_) => 0,
            Gate::Event(Event::Castling(_) | Event::EnPassant | Event::NullMove | Event::Promotion(_)) => 0,
            Gate::Event(Event::Mate | Event::Stalemate) => 0,
            Gate::Capture(_) => 1,
            Gate::Count(men, ..) => men.cost(),
            Gate::InLine(from, to, _) | Gate::Reach(from, to, _) => 2 + from.cost() + 2 * to.cost(),
            Gate::Event(Event::Check) => 6,
            Gate::All(gates) | Gate::Either(gates) => gates.iter().map(Gate::cost).sum::<u32>() + 1,
            // Little is left when the questions about the position itself have been asked.
            Gate::Ahead(_, gate) => gate.cost() + 10,
            Gate::Elsewhere(gate) => gate.cost(),
        }
    }
}

/// How many moves a glance goes ahead.
const MOST_AHEAD: usize = 4;

/// How many choices are tried at a glance, such as the copies of a transform.
const MOST_CHOICES: usize = 4;

impl Men {
    /// Whether at least so many of them are on most boards: of kings, of pawns, and of several kinds of men.
    fn are_many(self, least: u32) -> bool {
        const PIECES: u16 = 0x001e | 0x001e << 7;
        let kinds = self.contents.0;
        self.squares == Bitboard::FULL && (kinds.count_ones() > 1 || least <= 1 && kinds & PIECES == 0)
    }

    /// How long it takes to find them; kings are few, and soon looked at.
    fn cost(self) -> u32 {
        const KINGS: u16 = 1 | 1 << 7;
        match self.contents.0 {
            kinds if kinds & !KINGS == 0 => 1,
            kinds if kinds.is_power_of_two() => 2,
            _ => 3,
        }
    }

    /// Whether only sliders are among them.
    fn are_sliders(self) -> bool {
        self.contents.0 & !(STRAIGHT | DIAGONAL) == 0
    }
}

impl From<&Designator> for Men {
    fn from(designator: &Designator) -> Men {
        Men {
            contents: designator.contents,
            squares: designator.squares,
        }
    }
}

/// Queens and rooks.
const STRAIGHT: u16 = 0x0006 | 0x0006 << 7;
/// Queens and bishops.
const DIAGONAL: u16 = 0x000a | 0x000a << 7;

fn all(gates: Vec<Gate>) -> Gate {
    let parts = |gate| match gate {
        Gate::Open => Vec::new(),
        Gate::All(gates) => gates,
        other => vec![other],
    };
    let mut gates: Vec<Gate> = gates.into_iter().flat_map(parts).collect();
    match gates.len() {
        0 => Gate::Open,
        1 => gates.remove(0),
        _ => Gate::All(gates),
    }
}

fn either(gates: Vec<Gate>) -> Gate {
    if gates.iter().any(Gate::is_open) {
        Gate::Open
    } else {
        Gate::Either(gates)
    }
}

fn both(left: Known, right: Known) -> Known {
    Some(all(vec![left?, right?]))
}

fn event(event: Event) -> Known {
    Some(Gate::Event(event))
}

/// What holds here if something holds at another position.
fn elsewhere(gate: Gate) -> Gate {
    if gate.is_open() {
        Gate::Open
    } else {
        Gate::Elsewhere(Box::new(gate))
    }
}

/// Leaves out what is known, where nothing follows from it.
fn nothing(_: Gate) -> Gate {
    Gate::Open
}

/// Reads off expressions what holds where they match.
#[derive(Default)]
struct Reader<'q> {
    /// The loop that is being read, of which the variable stands for all squares of the domain.
    together: Option<&'q Together>,
}

impl<'q> Reader<'q> {
    /// Collects what holds where a condition matches, up to the first part that is not known to be without effects; whether
    /// there was none.
    fn prefix(&self, condition: &'q CondExpr, gates: &mut Vec<Gate>) -> bool {
        match condition {
            CondExpr::Flow(Flow::Block { tests, value }) => {
                tests.iter().all(|test| self.prefix(&test.kind, gates)) && self.prefix(&value.kind, gates)
            }
            CondExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) => self.prefix(&value.kind, gates),
            CondExpr::And(left, right) => self.prefix(&left.kind, gates) && self.prefix(&right.kind, gates),
            other => match self.condition(other) {
                Some(gate) => {
                    gates.push(gate);
                    true
                }
                None => false,
            },
        }
    }

    /// What holds where a condition matches.
    fn condition(&self, condition: &'q CondExpr) -> Known {
        match condition {
            CondExpr::Constant(true) => Some(Gate::Open),
            CondExpr::Constant(false) => Some(Gate::Either(Vec::new())),
            CondExpr::ToMove(color) => Some(Gate::ToMove(*color)),
            CondExpr::Initial => Some(Gate::Initial),
            CondExpr::Terminal => Some(Gate::Terminal),
            CondExpr::NonEmpty(set) => self.set(&set.kind),
            CondExpr::Placement(designators) => Some(all(designators.iter().map(standing).collect())),
            CondExpr::AllTogether(together) => self.set(&together.domain.kind).map(nothing),
            CondExpr::HasNumber(number) => self.number(&number.kind),
            CondExpr::Not(condition) => self.condition(&condition.kind).map(nothing),
            CondExpr::And(left, right) => both(self.condition(&left.kind), self.condition(&right.kind)),
            CondExpr::Or(left, right) => Some(either(vec![self.condition(&left.kind)?, self.condition(&right.kind)?])),
            CondExpr::SameSet(left, right) | CondExpr::Subset(left, right) => {
                both(self.set(&left.kind), self.set(&right.kind)).map(nothing)
            }
            CondExpr::Check => event(Event::Check),
            CondExpr::Mate => event(Event::Mate),
            CondExpr::Stalemate => event(Event::Stalemate),
            CondExpr::Castled(Some(side)) => event(Event::Castling(*side)),
            CondExpr::Castled(None) => Some(Gate::Either(
                CastlingSide::ALL
                    .map(|side| Gate::Event(Event::Castling(side)))
                    .to_vec(),
            )),
            CondExpr::EnPassant => event(Event::EnPassant),
            CondExpr::NullMove => event(Event::NullMove),
            CondExpr::Versions(versions) => self.one_of(&versions.copies, Self::condition),
            CondExpr::Flow(form) => self.flow(form, Self::condition),
            _ => None,
        }
    }

    /// What holds where one of some copies does.
    fn one_of<K>(&self, copies: &'q [Box<Node<K>>], read: impl Fn(&Self, &'q K) -> Known) -> Known {
        let gates = copies.iter().map(|copy| read(self, &copy.kind));
        gates.collect::<Option<Vec<Gate>>>().map(either)
    }

    /// What holds where a form has the value that its part has.
    fn flow<K>(&self, form: &'q Flow<Box<Node<K>>>, read: impl Fn(&Self, &'q K) -> Known) -> Known {
        match form {
            Flow::Group(value) | Flow::Fixed(value) => read(self, &value.kind),
            Flow::Block { tests, value } => {
                let tests = tests.iter().map(|test| self.condition(&test.kind));
                let gates = tests.chain([read(self, &value.kind)]);
                gates.collect::<Option<Vec<Gate>>>().map(all)
            }
            Flow::Dash(dash, value) => {
                let moved = both(self.dash(dash), read(self, &value.kind).map(elsewhere))?;
                Some(all(vec![self.capture(dash).unwrap_or(Gate::Open), moved]))
            }
            Flow::Previous(dash, value) => both(self.dash(dash), read(self, &value.kind).map(elsewhere)),
            _ => None,
        }
    }

    /// What holds where a number has a value.
    fn number(&self, number: &'q NumExpr) -> Known {
        match number {
            NumExpr::Literal(_) | NumExpr::Fact(Fact::Ply | Fact::MoveNumber | Fact::PositionId | Fact::SideToMove) => {
                Some(Gate::Open)
            }
            NumExpr::Compare(comparison, left, right) => self.compared(*comparison, &left.kind, &right.kind),
            NumExpr::Count(set) => self.set(&set.kind).map(nothing),
            NumExpr::Line(line) if line.effect == Effect::None => Some(self.items(line)),
            NumExpr::Path(path) if path.effect == Effect::None => match path.program.first_step() {
                Some(PathStep::Test(filter)) => self.condition(&filter.kind).or(Some(Gate::Open)),
                Some(PathStep::Move(dash, _)) => match &path.focus {
                    None => self.capture(dash).or(Some(Gate::Open)),
                    Some(Focus::Men { set, .. }) => self.set(&set.kind).or(Some(Gate::Open)),
                    Some(Focus::SideToMove) => Some(Gate::Open),
                },
                None => Some(Gate::Open),
            },
            NumExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) => self.number(&value.kind),
            _ => None,
        }
    }

    /// What holds where a line begins: its items are evaluated one after the other, the first one here.
    fn items(&self, line: &'q paths::Line) -> Gate {
        let item = |item: &'q Item| match item.fixes_next {
            true => Gate::Open,
            false => self.condition(&item.filter.kind).unwrap_or(Gate::Open),
        };
        let Some(first) = line.program.first_step().map(item) else {
            return Gate::Open;
        };
        if line.backward || line.single_color || line.primary == Some(false) {
            return first;
        }
        let later = line.program.leading_steps().map(item).enumerate().skip(1);
        let ahead = later
            .take(MOST_AHEAD)
            .filter(|(_, gate)| !gate.is_open())
            .map(|(moves, gate)| Gate::Ahead(moves, Box::new(gate)));
        all([first].into_iter().chain(ahead).collect())
    }

    /// What holds where two numbers compare as asked.
    fn compared(&self, comparison: Comparison, left: &'q NumExpr, right: &'q NumExpr) -> Known {
        let gate = self.number(left)?;
        self.number(right)?;
        if let NumExpr::Line(_) | NumExpr::Path(_) = left {
            return Some(gate);
        }
        let (NumExpr::Count(_) | NumExpr::Fact(_), NumExpr::Literal(limit)) = (left, right) else {
            return Some(Gate::Open);
        };
        let (least, most) = comparison.range(i64::from(*limit));
        if most < 0 && !matches!(left, NumExpr::Fact(Fact::SideToMove)) {
            return Some(Gate::Either(Vec::new()));
        }
        match left {
            NumExpr::Count(set) => self.counted(&set.kind, least, most),
            NumExpr::Fact(Fact::Ply) => Some(u32::try_from(least).map_or(Gate::Open, Gate::Plies)),
            _ => Some(Gate::Open),
        }
    }

    /// What holds where a set has from `least` to `most` squares.
    fn counted(&self, set: &'q SetExpr, least: i64, most: i64) -> Known {
        let gate = self.set(set)?;
        let least = u32::try_from(least.max(0)).unwrap_or(u32::MAX);
        let mut gates = Vec::new();
        if let SetExpr::Designator(designator) = set {
            let most = u32::try_from(most).unwrap_or(u32::MAX);
            gates.push(Gate::Count(designator.into(), least, most));
        } else if least > 0 {
            gates.push(gate);
            gates.extend(self.cover(set).map(|men| Gate::Count(men, least, u32::MAX)));
            if let SetExpr::Attackers { attackers, targets } = set {
                gates.extend(self.reach(attackers, targets, least));
            }
        }
        Some(all(gates))
    }

    /// Men on whose squares all squares of a set are.
    fn cover(&self, set: &'q SetExpr) -> Option<Men> {
        match set {
            SetExpr::Designator(designator) => Some(designator.into()),
            SetExpr::Variable(variable) => self.cover(&self.domain(*variable)?.kind),
            SetExpr::Together(together) => self.cover(&together.domain.kind),
            SetExpr::Intersection(left, right) => self.cover(&left.kind).or_else(|| self.cover(&right.kind)),
            SetExpr::Attackers { attackers, .. } => self.cover(&attackers.kind),
            SetExpr::Attacked { targets, .. } => self.cover(&targets.kind),
            SetExpr::Flow(Flow::Group(set)) => self.cover(&set.kind),
            _ => None,
        }
    }

    /// The squares that the variable of the loop that is being read stands for.
    fn domain(&self, variable: SetVar) -> Option<&'q Set> {
        let together = self.together.filter(|together| together.variable == variable)?;
        Some(&together.domain)
    }

    /// What holds where a set has a square.
    fn set(&self, set: &'q SetExpr) -> Known {
        match set {
            SetExpr::Designator(designator) => Some(standing(designator)),
            SetExpr::Variable(variable) => self.domain(*variable).map(|_| Gate::Open),
            SetExpr::Together(together) => {
                let domain = self.set(&together.domain.kind)?;
                let inside = Reader {
                    together: Some(together),
                };
                // What is kept of the domain has no effect, even if nothing is known of it.
                let kept = inside.set(&together.kept.kind).unwrap_or(Gate::Open);
                Some(all(vec![domain, kept]))
            }
            SetExpr::Constant(_) | SetExpr::Pawns(_) | SetExpr::From | SetExpr::To => Some(Gate::Open),
            SetExpr::Complement(set) => self.set(&set.kind).map(nothing),
            SetExpr::Intersection(left, right) => both(self.set(&left.kind), self.set(&right.kind)),
            SetExpr::Attackers {
                attackers: from,
                targets: to,
            }
            | SetExpr::Attacked {
                attackers: from,
                targets: to,
            } => {
                let gate = both(self.set(&from.kind), self.set(&to.kind))?;
                let reach = self.reach(from, to, 1).unwrap_or(Gate::Open);
                Some(all(vec![gate, reach]))
            }
            SetExpr::Union(left, right) => Some(either(vec![self.set(&left.kind)?, self.set(&right.kind)?])),
            SetExpr::Line(line) => {
                let sets = line.sets.iter().map(|set| self.set(&set.kind));
                let mut gates = sets.collect::<Option<Vec<Gate>>>()?;
                gates.extend(self.line(line));
                Some(all(gates))
            }
            SetExpr::Intersections([left, right]) => both(self.set(&left.set.kind), self.set(&right.set.kind)),
            SetExpr::Pin(pin) => {
                let sets = [&pin.from, &pin.through, &pin.to].into_iter().flatten();
                let mut gates = sets.map(|set| self.set(&set.kind)).collect::<Option<Vec<Gate>>>()?;
                if let (Some(from), Some(to)) = (&pin.from, &pin.to) {
                    gates.extend(self.sliding(from, to));
                }
                Some(all(gates))
            }
            SetExpr::Direction { range: None, set, .. } | SetExpr::SquareColor { set, .. } => self.set(&set.kind),
            SetExpr::Versions(versions) => self.one_of(&versions.copies, Self::set),
            SetExpr::Flow(Flow::Group(value) | Flow::Fixed(value)) => self.set(&value.kind),
            _ => None,
        }
    }

    /// What holds where so many men attack others.
    fn reach(&self, from: &'q Set, to: &'q Set, least: u32) -> Known {
        Some(Gate::Reach(self.cover(&from.kind)?, self.cover(&to.kind)?, least))
    }

    /// What holds where sliders attack something through others.
    fn sliding(&self, from: &'q Set, to: &'q Set) -> Known {
        let from = self.cover(&from.kind).filter(|men| men.are_sliders())?;
        Some(Gate::InLine(from, self.cover(&to.kind)?, Lines::of_sliders(from)))
    }

    /// What holds where sets are on one ray.
    fn line(&self, line: &'q Line) -> Known {
        let [first, .., last] = &line.sets[..] else {
            return None;
        };
        let first = self.cover(&first.kind)?;
        let mut lines = Lines::of_directions(line.directions);
        if line.slider_first {
            let sliding = Lines::of_sliders(first);
            lines.straight &= sliding.straight;
            lines.diagonal &= sliding.diagonal;
        }
        Some(Gate::InLine(first, self.cover(&last.kind)?, lines))
    }

    /// What holds where the next move fits, if it must be a capture.
    fn capture(&self, dash: &'q Dash) -> Known {
        let men = dash.left.as_ref().and_then(|left| self.cover(&left.kind));
        dash.capture.then_some(Gate::Capture(men))
    }

    /// What holds where a move fits.
    fn dash(&self, dash: &'q Dash) -> Known {
        let mut men = [&dash.left, &dash.right].into_iter().flatten();
        men.try_for_each(|set| self.set(&set.kind).map(|_| ()))?;
        match &dash.promotion {
            None => Some(Gate::Open),
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
}

impl Lines {
    fn of_sliders(men: Men) -> Lines {
        Lines {
            straight: men.contents.0 & STRAIGHT != 0,
            diagonal: men.contents.0 & DIAGONAL != 0,
        }
    }

    fn of_directions(directions: DirectionSet) -> Lines {
        Lines {
            straight: directions.iter().any(|direction| direction.is_orthogonal()),
            diagonal: directions.iter().any(|direction| direction.is_diagonal()),
        }
    }
}

/// What holds where a designator is not empty.
fn standing(designator: &Designator) -> Gate {
    Gate::Count(designator.into(), 1, u32::MAX)
}

fn becomes(roles: &[Role]) -> Gate {
    let becomes = |role: &Role| elsewhere(Gate::Event(Event::Promotion(*role)));
    Gate::Either(roles.iter().map(becomes).collect())
}
