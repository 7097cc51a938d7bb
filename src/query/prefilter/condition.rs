//! The conditions of which a prefilter consists.

use std::slice;

use shakmaty::{CastlingSide, Color, Role};

use crate::board::columns::{Movers, Parts};
use crate::board::{Bitboard, Contents, DirectionSet};
use crate::moves::CheckOrMate;
use crate::query::algebra::{self, BoardCond, Lines, MIRRORING, Pieces};
use crate::syntax::token::Span;

/// A condition on a position and the move that led there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Prefilter {
    /// Any position passes.
    Open,
    /// All of these hold.
    All(Vec<Prefilter>),
    /// One of these holds.
    Either(Vec<Prefilter>),
    /// This side is to move.
    ToMove(Color),
    /// The position is initial.
    Initial,
    /// The position is terminal.
    Terminal,
    /// The least and the most plies before the position.
    Plies(u32, u32),
    /// A move played from here captures something: with one of these pieces, if they are given.
    Capture(Option<Pieces>),
    /// A piece with one of these contents makes the next move, and such pieces make at least this many moves from here to the end, unless
    /// there are variations. No piece gains or loses these contents.
    Moves(Contents, u32),
    /// A legal move may give check or mate.
    Gives {
        /// Check or mate.
        given: CheckOrMate,
        /// Whether the other side moves, after a null move.
        after_pass: bool,
    },
    /// The position is like this, or was reached like this.
    Event(Event),
    /// The position this many moves later passes, if no variation begins in between.
    Ahead(usize, Box<Prefilter>),
    /// A position of the game passes.
    Elsewhere(Box<Prefilter>),
    /// The board passes the test.
    Holds(BoardTest),
    /// A part of the query holds at this many positions of the game.
    Often(BoardTest, u32),
}

/// A condition on the board that is tested on many positions at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BoardTest {
    /// The condition.
    pub condition: BoardCond,
    /// The estimated number of instructions per position.
    pub work: u32,
    /// A necessary condition on stretches and its cost per stretch, if it may rule anything out.
    pub cover: Option<(BoardCond, u32)>,
    /// The text of the part of the query that it is made from. `None` for a cheap condition that only follows from a part.
    pub span: Option<Span>,
    /// Whether it is equivalent to the part, not only implied by it.
    pub is_exact: bool,
}

impl BoardTest {
    pub(super) fn new(condition: BoardCond, span: Option<Span>) -> BoardTest {
        let cover = condition.of_stretch();
        BoardTest {
            work: condition.work(),
            cover: cover.map(|cover| (cover.clone(), cover.work())),
            is_exact: true,
            condition,
            span,
        }
    }

    /// Creates a test that the part implies.
    pub(super) fn necessary(condition: BoardCond, span: Span) -> BoardTest {
        BoardTest {
            is_exact: false,
            ..BoardTest::new(condition, Some(span))
        }
    }
}

/// Something that happens at a position, or a way in which it was reached.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Event {
    Check,
    Mate,
    Stalemate,
    Castling(CastlingSide),
    EnPassant,
    NullMove,
    Promotion(Role),
    /// The position has an evaluation.
    Evaluation,
    /// The position has a clock time, or the time spent on the move.
    Clock,
    /// The move has an annotation symbol.
    Symbol,
}

impl Event {
    /// Returns whether it depends on commands in comments or on annotation symbols. Older databases do not know which games have them.
    pub(crate) fn is_of_commands(self) -> bool {
        matches!(self, Event::Evaluation | Event::Clock | Event::Symbol)
    }
}

impl Prefilter {
    /// Returns a prefilter with a cheap condition that follows from a part of the query, unless it is the same on all boards.
    pub(super) fn of_board(condition: BoardCond) -> Prefilter {
        match condition.parts().is_empty() {
            true => Prefilter::Open,
            false => Prefilter::Holds(BoardTest::new(condition, None)),
        }
    }

    /// Returns the pieces and the limits if it only counts pieces.
    pub(super) fn counted(&self) -> Option<(Pieces, u32, u32)> {
        match self {
            Prefilter::Holds(held) => held.condition.counted(),
            _ => None,
        }
    }

    /// Returns whether every position passes.
    pub(crate) fn is_open(&self) -> bool {
        *self == Prefilter::Open
    }

    /// Returns the parts of boards that it needs side by side. Empty if it does not look at the board.
    pub(crate) fn parts(&self) -> Parts {
        match self {
            Prefilter::All(prefilters) | Prefilter::Either(prefilters) => {
                prefilters.iter().map(Prefilter::parts).collect()
            }
            Prefilter::Ahead(_, prefilter) => prefilter.parts(),
            Prefilter::Gives { .. } => Parts::ALL,
            Prefilter::Holds(held) | Prefilter::Often(held, _) => held.condition.parts(),
            Prefilter::Open
            | Prefilter::ToMove(_)
            | Prefilter::Initial
            | Prefilter::Terminal
            | Prefilter::Plies(..)
            | Prefilter::Capture(_)
            | Prefilter::Moves(..)
            | Prefilter::Event(_)
            | Prefilter::Elsewhere(_) => Parts::default(),
        }
    }

    /// Returns the prefilter without its exact tests of parts of the query.
    pub(crate) fn beside_what_holds(&self) -> Prefilter {
        let each = |prefilters: &[Prefilter]| prefilters.iter().map(Prefilter::beside_what_holds).collect();
        match self {
            Prefilter::All(prefilters) => all(each(prefilters)),
            Prefilter::Either(prefilters) => either(each(prefilters)),
            Prefilter::Holds(held) if held.span.is_some() => Prefilter::Open,
            other => other.clone(),
        }
    }

    /// Returns what holds before a null move if this prefilter holds after it.
    pub(super) fn before_pass(self) -> Prefilter {
        match self {
            Prefilter::All(prefilters) => all(prefilters.into_iter().map(Prefilter::before_pass).collect()),
            Prefilter::Either(prefilters) => either(prefilters.into_iter().map(Prefilter::before_pass).collect()),
            Prefilter::ToMove(color) => Prefilter::ToMove(!color),
            Prefilter::Gives { given, after_pass } => Prefilter::Gives {
                given,
                after_pass: !after_pass,
            },
            // A condition without a part only looks at pieces, whichever side is to move.
            Prefilter::Holds(held) if held.span.is_none() => Prefilter::Holds(held),
            _ => Prefilter::Open,
        }
    }

    /// Tests both of two copies at once, on boards as the side to move sees them. Each copy must be the other with colours exchanged and
    /// ranks mirrored. Returns the prefilter unchanged if this is not possible or not worthwhile.
    pub(super) fn asked_as_seen(self, span: Span) -> Prefilter {
        let Prefilter::Either(copies) = &self else {
            return self;
        };
        let of_side = |color: Color| {
            let mut copies = copies.iter().map(Prefilter::conjuncts);
            copies.find(|parts| parts.contains(&Prefilter::ToMove(color)))
        };
        let (Some(of_white), Some(of_black)) = (of_side(Color::White), of_side(Color::Black)) else {
            return self;
        };
        let [of_white, of_black] = [of_white, of_black].map(|parts| {
            let (mut conditions, mut others) = (Vec::new(), Vec::new());
            for part in parts {
                match part {
                    Prefilter::Holds(test) => conditions.push(test.condition.clone()),
                    other => others.push(other.clone()),
                }
            }
            conditions.sort_by_key(BoardCond::work);
            (BoardCond::All(conditions), all(others))
        });
        let cover = BoardCond::OneOf(vec![of_white.0.clone(), of_black.0]).of_stretch();
        let test = BoardTest {
            cover: cover.map(|cover| (cover.clone(), cover.work())),
            ..BoardTest::necessary(BoardCond::AsSeen(Box::new(of_white.0)), span)
        };
        if test.work < 3 * MIRRORING {
            return self;
        }
        let beside = either(vec![of_white.1, of_black.1]);
        all(vec![beside, Prefilter::Holds(test), elsewhere(self)])
    }

    /// Returns the prefilters that must all hold.
    fn conjuncts(&self) -> &[Prefilter] {
        match self {
            Prefilter::All(prefilters) => prefilters,
            other => slice::from_ref(other),
        }
    }

    /// Returns the approximate number of instructions per position.
    pub(crate) fn cost(&self) -> u32 {
        match self {
            Prefilter::Open => 0,
            Prefilter::Elsewhere(prefilter) => prefilter.cost(),
            Prefilter::ToMove(_) | Prefilter::Initial | Prefilter::Terminal | Prefilter::Plies(..) => 8,
            Prefilter::Event(Event::Check | Event::Mate) => 45,
            Prefilter::Event(_) => 8,
            Prefilter::Gives { given, .. } => match given {
                CheckOrMate::Check => CHECKING,
                CheckOrMate::Mate => CHECKING + TAKING_FLIGHTS,
            },
            Prefilter::Capture(_) | Prefilter::Moves(..) => 10,
            Prefilter::All(prefilters) | Prefilter::Either(prefilters) => {
                prefilters.iter().map(Prefilter::cost).sum::<u32>() + 1
            }
            // Few positions are left after the tests of the position itself.
            Prefilter::Ahead(_, prefilter) => prefilter.cost() + 50,
            Prefilter::Holds(held) | Prefilter::Often(held, _) => held.work,
        }
    }
}

/// The maximum number of alternatives, such as copies of a transform, that are tested at a glance.
pub(super) const MOST_CHOICES: usize = 4;

/// The approximate number of instructions to find out whether a side may give check.
const CHECKING: u32 = 150;

/// The approximate number of further instructions to find out whether that may be mate.
const TAKING_FLIGHTS: u32 = 50;

impl Pieces {
    /// All pieces on all squares.
    pub(crate) const ALL: Pieces = Pieces {
        contents: Contents::PIECES,
        squares: Bitboard::FULL,
    };

    /// Returns a prefilter that requires at least this many of the pieces.
    pub(super) fn standing(self, least: u32) -> Prefilter {
        let is_known = self.contents == Contents::ANY && least as usize <= self.squares.count();
        if is_known {
            Prefilter::Open
        } else {
            Prefilter::of_board(BoardCond::count(self, least, u32::MAX))
        }
    }

    /// Returns the pieces that are also among `others`.
    pub(super) fn and(self, others: Pieces) -> Pieces {
        Pieces {
            contents: self.contents & others.contents,
            squares: self.squares & others.squares,
        }
    }

    /// Returns pieces that include both, and perhaps more: all contents of both on all squares of both.
    pub(super) fn or(self, others: Pieces) -> Pieces {
        Pieces {
            contents: self.contents | others.contents,
            squares: self.squares | others.squares,
        }
    }

    /// Returns the pieces that are on certain squares.
    pub(super) fn on(self, squares: Bitboard) -> Pieces {
        Pieces {
            squares: self.squares & squares,
            ..self
        }
    }

    /// Returns whether all of them are among `others`.
    pub(super) fn are_among(self, others: Pieces) -> bool {
        self.contents.is_within(others.contents) && self.squares.is_subset(others.squares)
    }

    /// Returns how they move.
    pub(super) fn movers(self) -> Movers {
        algebra::movers(self.contents)
    }

    /// Returns whether all of them are sliders.
    pub(super) fn are_sliders(self) -> bool {
        algebra::are_sliders(self.contents)
    }
}

/// Returns a prefilter that holds if all of these hold.
pub(super) fn all(prefilters: Vec<Prefilter>) -> Prefilter {
    let mut all = Vec::new();
    for prefilter in prefilters {
        match prefilter {
            Prefilter::Open => {}
            // This avoids copying a long chain for each of its links.
            Prefilter::All(prefilters) if all.is_empty() => all = prefilters,
            Prefilter::All(prefilters) => all.extend(prefilters),
            other => all.push(other),
        }
    }
    match all.len() {
        0 => Prefilter::Open,
        1 => all.remove(0),
        _ => Prefilter::All(all),
    }
}

/// Returns a prefilter that holds here if `prefilter` holds at another position.
pub(super) fn elsewhere(prefilter: Prefilter) -> Prefilter {
    match prefilter {
        Prefilter::Open => Prefilter::Open,
        prefilter => Prefilter::Elsewhere(Box::new(prefilter)),
    }
}

/// Returns a prefilter that holds if any of these holds.
pub(super) fn either(prefilters: Vec<Prefilter>) -> Prefilter {
    let is_either_side = || {
        Color::ALL
            .into_iter()
            .all(|color| prefilters.contains(&Prefilter::ToMove(color)))
    };
    if prefilters.iter().any(Prefilter::is_open) || is_either_side() {
        Prefilter::Open
    } else {
        Prefilter::Either(prefilters)
    }
}

impl Lines {
    pub(super) fn of_sliders(pieces: Pieces) -> Lines {
        let Movers { straight, diagonal, .. } = pieces.movers();
        Lines { straight, diagonal }
    }

    /// Returns the pieces that move along these lines.
    pub(super) fn sliders(self) -> Contents {
        let of = |is_asked: bool, sliders: Contents| if is_asked { sliders } else { Contents(0) };
        of(self.straight, Contents::ORTHOGONAL_SLIDERS) | of(self.diagonal, Contents::DIAGONAL_SLIDERS)
    }

    pub(super) fn of_directions(directions: DirectionSet) -> Lines {
        Lines {
            straight: directions.iter().any(|direction| direction.is_orthogonal()),
            diagonal: directions.iter().any(|direction| direction.is_diagonal()),
        }
    }
}
