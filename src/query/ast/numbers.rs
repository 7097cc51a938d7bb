//! Filters whose value, if they have one, is a number.

use crate::board::Color;
use crate::moves::Counted;
use crate::tablebase::Metric;

use crate::query::ast::echo::{ConsecutiveMoves, Echo};
use crate::query::ast::hhdb::StudyNumber;
use crate::query::ast::node::{Cond, Flow, Num, Pos, Set, Str};
use crate::query::ast::paths::{Line, Path};
use crate::query::ast::variables::{DictionaryId, NumVar, PieceVar};
use crate::query::ast::versions::Versions;
use crate::query::ast::{Comparison, Dash, Find, LegalDash, Lookahead, Move, Range, SetExpr, SortId};

/// A filter whose value, if it has one, is a 32-bit signed number.
#[derive(Clone, Debug)]
pub(crate) enum NumExpr {
    /// `5`
    Literal(i32),
    /// `x`
    Variable(NumVar),
    /// `-n`
    Negate(Num),
    /// `n + m` and the like
    Arithmetic(Arithmetic, Num, Num),
    /// `n < m` and the like: the left number if the comparison holds.
    Compare(Comparison, Num, Num),
    /// `abs n`
    Abs(Num),
    /// `sqrt n`
    Sqrt(Num),
    /// `max (n m …)`
    Max(Vec<Num>),
    /// `min (n m …)`
    Min(Vec<Num>),
    /// `#S`, also a set where a number is compared with it.
    Count(Set),
    /// `rank S` and other numbers of a set.
    OfSet(SetNumber, Set),
    /// `pieceid x`: the identity of the piece that a piece variable is bound to, even if the piece was captured.
    Identity(PieceVar),
    /// `#s`
    Length(Str),
    /// `#D`
    Entries(DictionaryId),
    /// `\-1`: where a group of the last match starts.
    GroupStart(u8),
    /// `int s`
    Parse(Str),
    /// `ascii s`
    Code(Str),
    /// `indexof (s t)`
    IndexOf(Str, Str),
    /// `ply` and other facts about the current position.
    Fact(Fact),
    /// `white`, `black` as numbers: 1 and -1.
    Color(Color),
    /// `elo white`
    Rating(Color),
    /// `elo`: the larger of the known ratings.
    BestRating,
    /// `year`
    Year,
    /// `hhdb egdiagram`, `hhdb prize` and the like
    Study(StudyNumber),
    /// `eval`: centipawns from the point of view of this side: White, unless colours are exchanged.
    Evaluation(Color),
    /// `evaldepth`, `clock`, `elapsed`
    Measure(Measure),
    /// `timecontrol base`, `timecontrol increment`
    TimeControl(TimePart),
    /// `wdl`, `dtz`: the value of the position in tablebases.
    Endgame {
        /// Which value.
        metric: Metric,
        /// The most men of a position in the tables.
        most_men: u32,
    },
    /// `distance (p q)`
    Distance(Pos, Pos),
    /// `find all f`, `find 2 5 f`: how many positions match.
    Find(Box<Find>, FindCount),
    /// `echo (S T) f` where f is a number: the greatest of its values.
    Echo(Box<Echo>),
    /// `consecutivemoves (X Y)`: the length of the longest common run.
    ConsecutiveMoves(Box<ConsecutiveMoves>),
    /// `similarposition "…"`: if a game has this position, the lowest number of such games so far. Games are sorted by it.
    Similar(SortId),
    /// `countmoves L--R(T)`
    CountMoves(Dash, Cond),
    /// `countmoves legal --`
    CountLegal(Box<LegalDash>),
    /// `countmoves legal --(T)`: the number of pairs of squares that the moves have.
    CountLookahead(Box<Lookahead>),
    /// `move … legal count`
    CountMoveLegal(Box<Move>),
    /// `sort "title" n`
    Sort(SortId, Num),
    /// `sort "title" S`
    SortSet(SortId, Set),
    /// `path …`: its length, or the greatest value of its `max`.
    Path(Box<Path>),
    /// `line …`: the number of its positions.
    Line(Box<Line>),
    /// `pathcount`
    PathCount {
        /// Whether it is inside a path and counts its moves so far; otherwise it counts the moves of the last path that matched.
        inside: bool,
    },
    /// `pathcountunfocused`: the number of moves that the path has skipped.
    PathCountUnfocused,
    /// A number under a transform: the greatest of its versions.
    Versions(Versions<Num>),
    /// A transform with a range: the number of versions that match.
    CountVersions(Versions<Cond>, Range),
    /// A form that passes the value of a part on.
    Flow(Flow<Num>),
}

impl NumExpr {
    /// Returns what is counted, if it counts all legal moves or their arrival squares.
    pub(crate) fn counted_of_all_legal(&self) -> Option<Counted> {
        let (legal, counted) = match self {
            NumExpr::CountLegal(legal) => (legal, Counted::Moves),
            NumExpr::Count(set) => match &set.kind {
                SetExpr::Legal(legal) => (legal, Counted::Arrivals),
                _ => return None,
            },
            _ => return None,
        };
        legal.is_every_legal_move().then_some(counted)
    }
}

/// The counts for which a `find` matches.
#[derive(Clone, Debug)]
pub(crate) enum FindCount {
    /// `all`: at least one.
    All,
    /// A range in the query.
    Within(Range),
}

/// The arithmetic operators. They work on 32 bits and wrap; division truncates, and has no value if the divisor is zero.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Arithmetic {
    /// Returns the result, if there is one.
    pub(crate) fn apply(self, left: i32, right: i32) -> Option<i32> {
        match self {
            Arithmetic::Add => Some(left.wrapping_add(right)),
            Arithmetic::Subtract => Some(left.wrapping_sub(right)),
            Arithmetic::Multiply => Some(left.wrapping_mul(right)),
            Arithmetic::Divide => (right != 0).then(|| left.wrapping_div(right)),
            Arithmetic::Remainder => (right != 0).then(|| left.wrapping_rem(right)),
        }
    }
}

/// Numbers of a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SetNumber {
    /// 1 to 8, for a single square.
    Rank,
    /// 1 to 8, for a single square.
    File,
    /// The sum of the material values.
    Power,
    /// 0 empty, 1 pawn to 6 king, for a single square.
    Type,
    /// The same, negative for a black piece.
    ColorType,
    /// The identity of the piece on a single square.
    PieceId,
}

/// Numbers of the current position or game.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Fact {
    Ply,
    MoveNumber,
    PositionId,
    Depth,
    GameNumber,
    LastGameNumber,
    /// 1 White, -1 Black
    SideToMove,
    /// Half moves since the last capture or pawn move.
    HalfmoveClock,
}

/// Numbers that commands in comments give for the current position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Measure {
    /// `evaldepth`: the search depth of the engine.
    EvalDepth,
    /// `clock`: the time left to the side that has moved, in tenths of a second.
    Clock,
    /// `elapsed`: the time spent on the move, in tenths of a second.
    Elapsed,
}

/// The parts of a time control, in seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TimePart {
    /// `base`: the time of a side at the start.
    Base,
    /// `increment`: the time that each move adds.
    Increment,
}
