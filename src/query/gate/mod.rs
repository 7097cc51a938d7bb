//! What a position must have for the body of a query to match there, as far as that can be seen at a glance.
//!
//! [`Gate::of`] looks at the body from its front and takes only what has no effect: where a position does not fulfil the gate,
//! the body would have failed before anything else was evaluated, so it need not be tried and nobody can tell. What must hold
//! at a position must hold somewhere in a game: [`bounds`](super::bounds) is made of the same facts.

mod read;

use shakmaty::{CastlingSide, Color, Role};

use super::Cond;
use super::columns::{self, CondColumn};
use crate::board::columns::{Movers, Parts};
use crate::board::{Bitboard, Contents, DirectionSet};
use crate::syntax::token::{Designator, Span};

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
    /// Some position of the game is like this.
    Elsewhere(Box<Gate>),
    /// This part of the query holds, no less than that.
    Holds(Held),
}

/// A part of the query that is asked of many positions at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Held {
    /// The condition.
    pub condition: CondColumn,
    /// About how many instructions it takes for each position.
    pub work: u32,
    /// Its place in the query.
    pub span: Span,
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

impl Gate {
    /// What the positions have in common where a body matches or does anything but fail.
    pub fn of(body: &Cond) -> Gate {
        let mut gates = Vec::new();
        read::prefix(body, &mut gates);
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

    /// What has to be known of the boards to ask it of many positions at once; nothing if it asks for other things.
    pub fn parts(&self) -> Parts {
        match self {
            Gate::All(gates) | Gate::Either(gates) => gates.iter().map(Gate::parts).collect(),
            Gate::Ahead(_, gate) => gate.parts(),
            Gate::Count(men, ..) => columns::parts_of(men.contents),
            Gate::InLine(from, to, _) => columns::parts_of(from.contents) | columns::parts_of(to.contents),
            Gate::Reach(..) => Parts::ALL,
            Gate::Holds(held) => held.condition.parts(),
            Gate::Open
            | Gate::ToMove(_)
            | Gate::Initial
            | Gate::Terminal
            | Gate::Plies(_)
            | Gate::Capture(_)
            | Gate::Event(_)
            | Gate::Elsewhere(_) => Parts::default(),
        }
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

    /// Whether it asks for men that are in line with others or could attack them, which are few if the others are.
    fn leaves_few(&self) -> bool {
        match self {
            Gate::InLine(..) | Gate::Reach(..) => true,
            Gate::All(gates) => gates.iter().any(Gate::leaves_few),
            _ => false,
        }
    }

    /// The same without the question who could attack whom, which is hardly quicker to ask than who does.
    fn without_reach(self) -> Gate {
        match self {
            Gate::Reach(..) => Gate::Open,
            Gate::All(gates) => all(gates.into_iter().map(Gate::without_reach).collect()),
            other => other,
        }
    }

    /// About how many instructions it takes to ask a position.
    pub fn cost(&self) -> u32 {
        match self {
            Gate::Open | Gate::Elsewhere(_) => 0,
            Gate::ToMove(_) | Gate::Initial | Gate::Terminal | Gate::Plies(_) => 8,
            Gate::Event(Event::Check | Event::Mate) => 45,
            Gate::Event(_) => 8,
            Gate::Capture(_) => 10,
            Gate::Count(men, ..) => 3 + men.cost(),
            Gate::InLine(from, to, lines) => {
                3 + from.cost() + to.cost() + 6 * u32::from(lines.straight) + 11 * u32::from(lines.diagonal)
            }
            Gate::Reach(from, to, _) => 30 + from.cost() + to.cost(),
            Gate::All(gates) | Gate::Either(gates) => gates.iter().map(Gate::cost).sum::<u32>() + 1,
            // Little is left when the questions about the position itself have been asked.
            Gate::Ahead(_, gate) => gate.cost() + 50,
            Gate::Holds(held) => held.work,
        }
    }
}

/// How many moves a glance goes ahead.
const MOST_AHEAD: usize = 4;

/// What takes no more instructions than this for a position is as quick to ask as any part of it.
const QUICK: u32 = 50;

/// How many choices are tried at a glance, such as the copies of a transform.
const MOST_CHOICES: usize = 4;

impl Men {
    /// Whether at least so many of them are on most boards: of kings, of rooks, of pawns, and of several kinds of men.
    fn are_many(self, least: u32) -> bool {
        let several_kinds = self.contents.0.count_ones() > 1;
        let seldom_there = Contents::QUEENS | Contents::BISHOPS | Contents::KNIGHTS;
        self.squares == Bitboard::FULL && (several_kinds || least <= 1 && !self.contents.intersects(seldom_there))
    }

    /// How they move.
    pub fn movers(self) -> Movers {
        columns::movers(self.contents)
    }

    /// About how many instructions it takes to find them.
    fn cost(self) -> u32 {
        match self.contents.only_kind() {
            Some(_) => 1,
            None => 3,
        }
    }

    /// Whether only sliders are among them.
    fn are_sliders(self) -> bool {
        columns::are_sliders(self.contents)
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

fn all(gates: Vec<Gate>) -> Gate {
    let mut all = Vec::new();
    for gate in gates {
        match gate {
            Gate::Open => {}
            // A long chain is not copied for each of its links.
            Gate::All(gates) if all.is_empty() => all = gates,
            Gate::All(gates) => all.extend(gates),
            other => all.push(other),
        }
    }
    match all.len() {
        0 => Gate::Open,
        1 => all.remove(0),
        _ => Gate::All(all),
    }
}

fn either(gates: Vec<Gate>) -> Gate {
    if gates.iter().any(Gate::is_open) {
        Gate::Open
    } else {
        Gate::Either(gates)
    }
}

impl Lines {
    fn of_sliders(men: Men) -> Lines {
        let Movers { straight, diagonal, .. } = men.movers();
        Lines { straight, diagonal }
    }

    fn of_directions(directions: DirectionSet) -> Lines {
        Lines {
            straight: directions.iter().any(|direction| direction.is_orthogonal()),
            diagonal: directions.iter().any(|direction| direction.is_diagonal()),
        }
    }
}
