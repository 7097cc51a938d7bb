//! Filters whose value is a set of squares.

use crate::board::{Bitboard, DirectionSet};
use crate::syntax::token::Designator;

use crate::query::ast::moves::MoveSquares;
use crate::query::ast::node::{Cond, Flow, Num, Pos, Set, Str};
use crate::query::ast::variables::{PieceVar, SetVar};
use crate::query::ast::versions::Versions;
use crate::query::ast::{Bound, LegalDash, Lookahead, Loop, Move, Range};

/// A filter whose value is a set of squares.
#[derive(Clone, Debug)]
pub(crate) enum SetExpr {
    /// `R`, `e4`, `[RQ]a-h1-4`
    Designator(Designator),
    /// `.`, `[]`: a set that no transform changes.
    Constant(Bitboard),
    /// `x`
    Variable(SetVar),
    /// `x`: the square of the piece that a piece variable is bound to.
    Piece(PieceVar),
    /// `~S`
    Complement(Set),
    /// `S & T`
    Intersection(Set, Set),
    /// `S | T`
    Union(Set, Set),
    /// `P & Q`: the squares with the same content in both positions.
    Common(Pos, Pos),
    /// `S -> T`, `S attacks T`: the squares of S whose piece attacks a square of T.
    Attackers {
        /// S
        attackers: Set,
        /// T
        targets: Set,
    },
    /// `S <- T`, `S attackedby T`: the squares of S that a piece on T attacks.
    Attacked {
        /// T, which is evaluated first
        attackers: Set,
        /// S
        targets: Set,
    },
    /// `S -> T -> U`, `S <- T <- U`, `ray (S T U)`, `xray (S T U)`: sets that are on one ray in order.
    Line(Line),
    /// `pin from S through T to U`
    Pin(Pin),
    /// `up 1 3 S`
    Direction {
        /// The directions.
        directions: DirectionSet,
        /// The number of steps; 1 to 7 if not given.
        range: Option<Range>,
        /// The squares from which it goes.
        set: Set,
    },
    /// `light S`, `dark S`
    SquareColor {
        /// `light`
        light: bool,
        /// S
        set: Set,
    },
    /// `between (S T)`
    Between(Set, Set),
    /// `intersection (horizontal S diagonal T)`: the squares where a line of one kind through a square of S crosses a line of the other
    /// kind through a square of T.
    Intersections([LinesThrough; 2]),
    /// `makesquare (file rank)`
    MakeSquare(Num, Num),
    /// `makesquare "e4"`
    NamedSquare(Str),
    /// `passedpawns` and the like
    Pawns(PawnSet),
    /// `modelmate` and the like: the pieces that take part
    Mate(MateTheme),
    /// `x ∊ S f`: the squares of S where f matches.
    ///
    /// `◭x ∊ S f`: the squares of the pieces on S for which f matches.
    Each(Loop),
    /// Such a loop that is evaluated for all its squares at once.
    FusedLoop(Box<FusedLoop>),
    /// `without(x check)` for all squares of such a loop at once.
    Absence(Box<Absence>),
    /// Where the moves played from here start or arrive, or what they capture; both squares of both pieces for castling. All squares in
    /// games with rules of their own.
    Played(MoveSquares),
    /// `from`: where the move that led here started.
    From,
    /// `to`: where the move that led here arrived.
    To,
    /// `enpassantsquare`: the square of the pawn that the move captured en passant.
    EnPassantSquare,
    /// `promotedpieces`: pieces that pawns were promoted to on the way to the position.
    PromotedPieces,
    /// `nevermoved`: pieces that have not moved on the way to the position.
    NeverMoved,
    /// The rooks with which the sides may castle, now or later. This and the next have no word of the language.
    CastlingRooks,
    /// The square where a pawn may be captured en passant, ignoring the safety of the capturing side's king.
    TakeableEnPassant,
    /// `move from S …`, `move to S …`, `move capture S …`
    Move(Box<Move>),
    /// `legal --`: the squares where legal moves arrive.
    Legal(Box<LegalDash>),
    /// `legal L--R(T)`: the squares where the moves arrive that fit and after which the target holds. Each move is tried.
    Lookahead(Box<Lookahead>),
    /// A set under a transform: the union of its versions.
    Versions(Versions<Set>),
    /// A form that passes the value of a part on.
    Flow(Flow<Set>),
}

/// A loop whose body is simple enough to be evaluated for all squares at once: the variable holds the whole domain, and the value is the
/// squares that the body keeps.
#[derive(Clone, Debug)]
pub(crate) struct FusedLoop {
    /// The variable. Nothing else binds it.
    pub variable: SetVar,
    /// The squares of the loop.
    pub domain: Set,
    /// The squares of the domain that the body keeps. If they only narrow a loop: the squares that one test keeps, at its place in the
    /// query.
    pub kept: Set,
}

/// Squares whose pieces are removed one at a time: the value is the squares where the position then passes a test, or fails it. All squares
/// in games with rules of their own, where nothing can be imagined.
#[derive(Clone, Debug)]
pub(crate) struct Absence {
    /// The squares whose pieces are removed.
    pub squares: Set,
    /// Squares whose pieces are removed in addition.
    pub also: Option<Set>,
    /// `check` or `legalposition`
    pub asked: Cond,
    /// Whether the test must hold, not fail.
    pub holds: bool,
}

/// Sets that must lie on one ray, in order, with only empty squares between neighbours: see [`lines`](crate::board::lines).
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The directions of the ray, from the first set.
    pub directions: DirectionSet,
    /// Whether the query names the directions, so that transforms turn them.
    pub written: bool,
    /// Whether the piece on the first square must be a slider that moves along the ray, as for `xray` and arrows, which go in all
    /// directions.
    pub slider_first: bool,
    /// Whether the value is the squares of the first set (`->`), not of the last.
    pub value_first: bool,
    /// The sets in the order of the ray, which is also the order of evaluation.
    pub sets: Vec<Set>,
}

/// The lines of certain kinds through the squares of a set.
#[derive(Clone, Debug)]
pub(crate) struct LinesThrough {
    /// The directions of these kinds, each with its opposite.
    pub kinds: DirectionSet,
    /// Whether the query names the kinds, so that transforms turn them.
    pub written: bool,
    /// The set.
    pub set: Set,
}

/// `pin from S through T to U`
#[derive(Clone, Debug)]
pub(crate) struct Pin {
    /// The pinning sliders; all squares if not given.
    pub from: Option<Set>,
    /// The pinned pieces; all squares if not given.
    pub through: Option<Set>,
    /// The pieces that they are pinned to; the kings if not given.
    pub to: Option<Set>,
    /// The part of the pin that is the value.
    pub value: PinPart,
}

/// A part of a pin.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PinPart {
    From,
    Through,
    To,
}

/// Sets that depend on the pawn structure, for both colours at once.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PawnSet {
    Passed,
    Isolated,
    Doubled,
    Connected,
}

/// The composition themes of mates and stalemates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MateTheme {
    /// Whether it is stalemate instead of mate.
    pub stalemate: bool,
    /// The economy that it requires.
    pub economy: Economy,
}

/// How economical a mate or stalemate is.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Economy {
    Pure,
    Model,
    Ideal,
}

/// Returns all light squares, or all dark squares.
pub(crate) fn squares_of_color(light: bool) -> Bitboard {
    if light {
        Bitboard::LIGHT_SQUARES
    } else {
        Bitboard::DARK_SQUARES
    }
}

/// Returns whether the steps of a direction are given as numbers, which are known to be in order.
pub(crate) fn has_written_bounds(range: Option<Range>) -> bool {
    matches!(range, None | Some(Range::Within(Bound::Number(_), Bound::Number(_))))
}
