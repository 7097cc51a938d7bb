//! What a prefilter consists of.

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
    /// Any position fulfils it.
    Open,
    /// All of these.
    All(Vec<Prefilter>),
    /// One of these.
    Either(Vec<Prefilter>),
    /// This side is to move.
    ToMove(Color),
    /// No move comes before.
    Initial,
    /// No move follows.
    Terminal,
    /// The least and the most plies that come before.
    Plies(u32, u32),
    /// A move from here takes something; one of some of these pieces, if they are given.
    Capture(Option<Pieces>),
    /// A piece with some of these contents, which no piece gains or loses, makes the next move, and such pieces make this many from here to
    /// the end, if there are no variations.
    Moves(Contents, u32),
    /// A legal move may give check, or mate.
    Gives {
        /// Which of them.
        given: CheckOrMate,
        /// The move is one of the other side, after a null move.
        after_pass: bool,
    },
    /// The position is like this, or was reached like this.
    Event(Event),
    /// The position is like this that comes this many moves later, if no variation begins in between.
    Ahead(usize, Box<Prefilter>),
    /// Some position of the game is like this.
    Elsewhere(Box<Prefilter>),
    /// This holds of the board.
    Holds(BoardTest),
    /// This part of the query holds at this many positions of the game.
    Often(BoardTest, u32),
}

/// A condition of the board that is tested on many positions at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct BoardTest {
    /// The condition.
    pub condition: BoardCond,
    /// The estimated number of instructions per position.
    pub work: u32,
    /// A necessary condition on stretches and its cost per stretch, if it may rule something out.
    pub cover: Option<(BoardCond, u32)>,
    /// Where the part of the query stands that it is made of. It has no place if it is cheap and follows from one.
    pub span: Option<Span>,
    /// It is equivalent to the part, not only implied by it.
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

    /// A condition that the part implies.
    pub(super) fn necessary(condition: BoardCond, span: Span) -> BoardTest {
        BoardTest {
            is_exact: false,
            ..BoardTest::new(condition, Some(span))
        }
    }
}

/// Something that a position is, or how it was reached.
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
    /// The position has a clock, or the time that the move has taken.
    Clock,
    /// The move has an annotation symbol.
    Symbol,
}

impl Event {
    /// Whether commands in comments or annotation symbols say it. Older databases do not tell which games have such.
    #[cfg(feature = "database")]
    pub(crate) fn is_of_commands(self) -> bool {
        matches!(self, Event::Evaluation | Event::Clock | Event::Symbol)
    }
}

impl Prefilter {
    /// What holds where a cheap condition does that follows from a part of the query.
    pub(super) fn of_board(condition: BoardCond) -> Prefilter {
        match condition.parts().is_empty() {
            true => Prefilter::Open,
            false => Prefilter::Holds(BoardTest::new(condition, None)),
        }
    }

    /// Of which pieces it asks nothing but how many there are, and the limits.
    pub(super) fn counted(&self) -> Option<(Pieces, u32, u32)> {
        match self {
            Prefilter::Holds(held) => held.condition.counted(),
            _ => None,
        }
    }

    /// Whether it lets every position pass.
    pub(crate) fn is_open(&self) -> bool {
        *self == Prefilter::Open
    }

    /// What has to be known of the boards to ask it of many positions at once; nothing if it asks for other things.
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

    /// What it asks beside parts of the query as they stand.
    pub(crate) fn beside_what_holds(&self) -> Prefilter {
        let each = |prefilters: &[Prefilter]| prefilters.iter().map(Prefilter::beside_what_holds).collect();
        match self {
            Prefilter::All(prefilters) => all(each(prefilters)),
            Prefilter::Either(prefilters) => either(each(prefilters)),
            Prefilter::Holds(held) if held.span.is_some() => Prefilter::Open,
            other => other.clone(),
        }
    }

    /// What it says of a position when it holds after a null move there.
    pub(super) fn before_pass(self) -> Prefilter {
        match self {
            Prefilter::All(prefilters) => all(prefilters.into_iter().map(Prefilter::before_pass).collect()),
            Prefilter::Either(prefilters) => either(prefilters.into_iter().map(Prefilter::before_pass).collect()),
            Prefilter::ToMove(color) => Prefilter::ToMove(!color),
            Prefilter::Gives { given, after_pass } => Prefilter::Gives {
                given,
                after_pass: !after_pass,
            },
            // What follows from a part asks for pieces alone, whichever side is to move.
            Prefilter::Holds(held) if held.span.is_none() => Prefilter::Holds(held),
            _ => Prefilter::Open,
        }
    }

    /// The same, asked once for both sides, of boards as the side to move sees them. It is what holds where one of two copies does, each of
    /// which is the other with colours exchanged and ranks mirrored.
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

    /// What has to hold together.
    fn conjuncts(&self) -> &[Prefilter] {
        match self {
            Prefilter::All(prefilters) => prefilters,
            other => slice::from_ref(other),
        }
    }

    /// About how many instructions it takes to ask a position.
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
            // Little is left when the questions about the position itself have been asked.
            Prefilter::Ahead(_, prefilter) => prefilter.cost() + 50,
            Prefilter::Holds(held) | Prefilter::Often(held, _) => held.work,
        }
    }
}

/// How many choices are tried at a glance, such as the copies of a transform.
pub(super) const MOST_CHOICES: usize = 4;

/// About how many instructions it takes to see whether a side may give check.
const CHECKING: u32 = 150;

/// About how many more it takes to see whether that may be mate.
const TAKING_FLIGHTS: u32 = 50;

impl Pieces {
    /// All of them.
    pub(crate) const ALL: Pieces = Pieces {
        contents: Contents::PIECES,
        squares: Bitboard::FULL,
    };

    /// What holds where at least this many of them stand.
    pub(super) fn standing(self, least: u32) -> Prefilter {
        let is_known = self.contents == Contents::ANY && least as usize <= self.squares.count();
        if is_known {
            Prefilter::Open
        } else {
            Prefilter::of_board(BoardCond::count(self, least, u32::MAX))
        }
    }

    /// Those that are among others, too.
    pub(super) fn and(self, others: Pieces) -> Pieces {
        Pieces {
            contents: self.contents & others.contents,
            squares: self.squares & others.squares,
        }
    }

    /// All of them and of others, and perhaps some more: what the ones are where the others are.
    pub(super) fn or(self, others: Pieces) -> Pieces {
        Pieces {
            contents: self.contents | others.contents,
            squares: self.squares | others.squares,
        }
    }

    /// Those that are on some squares.
    pub(super) fn on(self, squares: Bitboard) -> Pieces {
        Pieces {
            squares: self.squares & squares,
            ..self
        }
    }

    /// Whether all of them are among others.
    pub(super) fn are_among(self, others: Pieces) -> bool {
        self.contents.is_within(others.contents) && self.squares.is_subset(others.squares)
    }

    /// How they move.
    pub(super) fn movers(self) -> Movers {
        algebra::movers(self.contents)
    }

    /// Whether only sliders are among them.
    pub(super) fn are_sliders(self) -> bool {
        algebra::are_sliders(self.contents)
    }
}

/// What all of some prefilters say.
pub(super) fn all(prefilters: Vec<Prefilter>) -> Prefilter {
    let mut all = Vec::new();
    for prefilter in prefilters {
        match prefilter {
            Prefilter::Open => {}
            // A long chain is not copied for each of its links.
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

/// What holds here if something holds at another position.
pub(super) fn elsewhere(prefilter: Prefilter) -> Prefilter {
    match prefilter {
        Prefilter::Open => Prefilter::Open,
        prefilter => Prefilter::Elsewhere(Box::new(prefilter)),
    }
}

/// What one of some prefilters says.
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

    /// The pieces that move along them.
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
