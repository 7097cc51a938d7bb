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
        /// T, evaluated first
        attackers: Set,
        /// S
        targets: Set,
    },
    /// `S -> T -> U`, `S <- T <- U`, `ray (S T U)`, `xray (S T U)`: sets that lie on one ray in order.
    Line(Line),
    /// `pin from S through T to U`
    Pin(Pin),
    /// `up 1 3 S`
    Direction {
        /// Where to.
        directions: DirectionSet,
        /// How far; 1 to 7 when not written.
        range: Option<Range>,
        /// From where.
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
    /// `intersection (horizontal S diagonal T)`: the squares where a line through a square of one set crosses a line of another
    /// kind through a square of the other.
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
    Squares(Loop<SetVar>),
    /// `◭x ∊ S f`: the squares of the pieces on S for which f matches.
    Pieces(Loop<PieceVar>),
    /// A loop of one of these kinds that can be answered for all its squares at once.
    FusedLoop(Box<FusedLoop>),
    /// `without(x check)` for all squares of such a loop at once.
    Absence(Box<Absence>),
    /// Where the moves played from here begin, arrive, or what they take; of castling both pieces' squares. All squares in games with rules
    /// of their own.
    Played(MoveSquares),
    /// `from`: where the move that led here came from.
    From,
    /// `to`: where it arrived.
    To,
    /// `enpassantsquare`: the square of the pawn that it took in passing.
    EnPassantSquare,
    /// `promotedpieces`: pieces that pawns have become on the way to the position.
    PromotedPieces,
    /// `nevermoved`: pieces that no move has moved on the way to the position.
    NeverMoved,
    /// The rooks with which the sides may castle, now or later. It has no word of the language, nor has the next one.
    CastlingRooks,
    /// The square where a pawn may be taken in passing, but for the safety of the taker's king.
    TakeableEnPassant,
    /// `move from S …`, `move to S …`, `move capture S …`
    Move(Box<Move>),
    /// `legal --`: the squares where legal moves arrive.
    Legal(Box<LegalDash>),
    /// `legal L--R(T)`: where the moves arrive that fit and after which the target holds, each tried from here.
    Lookahead(Box<Lookahead>),
    /// A set under a transform: the union of its versions.
    Versions(Versions<Set>),
    /// A form that passes the value of a part on.
    Flow(Flow<Set>),
}

/// A loop whose body asks the same simple thing of every square: instead of going round, its variable stands for all squares
/// of the domain, and the value are those that the body keeps.
#[derive(Clone, Debug)]
pub(crate) struct FusedLoop {
    /// The variable; nothing else binds it.
    pub variable: SetVar,
    /// The squares that are asked about.
    pub domain: Set,
    /// Those of them that the body keeps; where they narrow a loop, those that one test keeps, at its place in the query.
    pub kept: Set,
}

/// The squares without whose pieces, each taken away alone, something holds or does not. All squares in games with rules of their own, in
/// which nothing can be imagined.
#[derive(Clone, Debug)]
pub(crate) struct Absence {
    /// The squares that are asked about.
    pub squares: Set,
    /// What is taken away beside each of them.
    pub also: Option<Set>,
    /// `check` or `legalposition`
    pub asked: Cond,
    /// It holds, otherwise it does not.
    pub holds: bool,
}

/// Sets that must lie on one ray, in order, with only empty squares between neighbours: see [`lines`](crate::board::lines).
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The directions of the ray from the first set.
    pub directions: DirectionSet,
    /// `directions` is written in the query, so that transforms turn it.
    pub written: bool,
    /// The piece on the first square is a slider that moves along the ray: `xray` and arrows, which go in all directions.
    pub slider_first: bool,
    /// The value is the squares of the first set (`->`), otherwise of the last.
    pub value_first: bool,
    /// The sets, in the order of the ray, which is the order of evaluation.
    pub sets: Vec<Set>,
}

/// The lines of some kinds through the squares of a set.
#[derive(Clone, Debug)]
pub(crate) struct LinesThrough {
    /// The directions of the kinds, each with its opposite.
    pub kinds: DirectionSet,
    /// `kinds` is written in the query, so that transforms turn it.
    pub written: bool,
    /// The set.
    pub set: Set,
}

/// `pin from S through T to U`
#[derive(Clone, Debug)]
pub(crate) struct Pin {
    /// The pinning sliders; all squares when not written.
    pub from: Option<Set>,
    /// The pinned pieces; all squares when not written.
    pub through: Option<Set>,
    /// What they are pinned to; the kings when not written.
    pub to: Option<Set>,
    /// The part whose squares are the value.
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

/// The pawn structure sets, of both colours at once.
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
    /// Stalemate instead of mate.
    pub stalemate: bool,
    /// How strict.
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

/// All light squares, or all dark ones.
pub(crate) fn squares_of_color(light: bool) -> Bitboard {
    if light {
        Bitboard::LIGHT_SQUARES
    } else {
        Bitboard::DARK_SQUARES
    }
}

/// Whether the steps of a direction are written as numbers, which are known to be in order.
pub(crate) fn has_written_bounds(range: Option<Range>) -> bool {
    matches!(range, None | Some(Range::Within(Bound::Number(_), Bound::Number(_))))
}
