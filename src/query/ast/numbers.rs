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
    /// `pieceid x`: the identity of the piece that a piece variable is bound to, even if it is captured.
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
    /// `eval`: centipawns from this side's point of view. It is White's, unless colours are exchanged.
    Evaluation(Color),
    /// `evaldepth`, `clock`, `elapsed`
    Measure(Measure),
    /// `timecontrol base`, `timecontrol increment`
    TimeControl(TimePart),
    /// `wdl`, `dtz`: what the tablebases have for the position.
    Endgame {
        /// Which of them.
        metric: Metric,
        /// Positions with more men are in no table.
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
    /// `similarposition "…"`: where a game has this position, the lowest number of such games so far; games are sorted by it.
    Similar(SortId),
    /// `countmoves L--R(T)`
    CountMoves(Dash, Cond),
    /// `countmoves legal --`
    CountLegal(Box<LegalDash>),
    /// `countmoves legal --(T)`: how many pairs of squares the moves have.
    CountLookahead(Box<Lookahead>),
    /// `move … legal count`
    CountMoveLegal(Box<Move>),
    /// `sort "title" n`
    Sort(SortId, Num),
    /// `sort "title" S`
    SortSet(SortId, Set),
    /// `path …`: its length, or the greatest value of its `max`.
    Path(Box<Path>),
    /// `line …`: how many positions it has.
    Line(Box<Line>),
    /// `pathcount`
    PathCount {
        /// The moves so far of the path in which it stands; otherwise those of the last path that matched.
        inside: bool,
    },
    /// `pathcountunfocused`: how many moves the path has skipped.
    PathCountUnfocused,
    /// A number under a transform: the greatest of its versions.
    Versions(Versions<Num>),
    /// A transform with a range: how many versions match.
    CountVersions(Versions<Cond>, Range),
    /// A form that passes the value of a part on.
    Flow(Flow<Num>),
}

impl NumExpr {
    /// What is counted, if it is something of all legal moves.
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

/// The counts with which a `find` matches.
#[derive(Clone, Debug)]
pub(crate) enum FindCount {
    /// `all`: at least one.
    All,
    /// A written range.
    Within(Range),
}

/// The operators of arithmetic: 32 bits, wrapping; division truncates, and by zero has no value.
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
    /// The result, if there is one.
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
    /// 1 to 8, of a single square.
    Rank,
    /// 1 to 8, of a single square.
    File,
    /// The material value, added up.
    Power,
    /// 0 empty, 1 pawn to 6 king, of a single square.
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
    /// Half moves since something was captured or a pawn moved.
    HalfmoveClock,
}

/// Numbers that commands in comments give for the current position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Measure {
    /// `evaldepth`: how deep the engine has looked.
    EvalDepth,
    /// `clock`: tenths of a second that are left to the side that has moved.
    Clock,
    /// `elapsed`: tenths of a second that the move has taken.
    Elapsed,
}

/// The parts of a time control, in seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TimePart {
    /// `base`: what a side has at the start.
    Base,
    /// `increment`: what each move adds.
    Increment,
}
