//! Explanations: facts about how a query is evaluated.

use crate::query::ast::Effect;
use crate::query::prefilter::{GamePrefilter, Prefilter};
use crate::syntax::token::Span;

/// An explanation of how a query is evaluated.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// The filters that are evaluated before the moves of a game are read, in order.
    pub once_per_game: Vec<Part>,
    /// A condition that a position must meet for the body to be tried there.
    #[cfg_attr(
        not(any(feature = "cli", feature = "service")),
        allow(dead_code, reason = "a plan shows it")
    )]
    pub(crate) prefilter: Prefilter,
    /// Whether the whole body is evaluated at many positions at once, so that it is never tried.
    pub decided_side_by_side: bool,
    /// The filters of the body, in the order of evaluation. Each is evaluated if those before it match.
    pub each_position: Vec<Part>,
    /// What is read of a game.
    pub reading: Reading,
    /// The reasons why games must be evaluated one after the other. Empty if threads share them.
    pub serial: Vec<SerialCause>,
}

/// A part of a query that is worth explaining.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Part {
    /// Its text.
    pub span: Span,
    /// How it is evaluated.
    pub form: Form,
    /// What keeps it from being skipped, shortened or remembered.
    pub hindrance: Option<Hindrance>,
    /// Whether it could be evaluated once per game.
    pub in_game: InGame,
    /// The estimated cost of one evaluation; the unit is a look at the squares of one kind of piece. The model is in
    /// `query/ast/facts/cost.rs`.
    pub cost: f64,
    /// The parts inside that are worth explaining.
    pub parts: Vec<Part>,
}

/// How the value of a filter that is evaluated at each position changes within a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InGame {
    /// It depends on the position, or the filter has an effect.
    Varies,
    /// It is the same at all positions.
    Same,
}

/// How a part is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// As it is written.
    Plain,
    /// One test for this many designators.
    Placement(usize),
    /// A loop that is evaluated for all its squares at once.
    Together,
    /// The squares of a loop, narrowed to those that its tests can keep.
    Narrowed,
    /// A loop over its squares, one by one.
    Rounds,
    /// `loop`, `while`: repeats until a filter fails.
    Repeats,
    /// The copies that a transform made.
    Versions {
        /// The number of copies.
        copies: usize,
        /// How the copies that can match are found.
        shortcut: Shortcut,
    },
    /// `find`: the value of its filter at each position of a game is remembered.
    Remembered(Reach),
    /// `find`: positions are looked up by this many values.
    LookedUp(Reach, usize),
    /// `find`: every position is tried each time.
    Tried,
    /// `echo` as a join.
    Joined(Join),
    /// `echo`: all pairs are tried.
    AllPairs,
    /// `consecutivemoves`
    Runs,
    /// `path`, `line`: how the ways through it are searched.
    Sequence {
        /// How often states are entered.
        search: PathStrategy,
        /// Whether only its existence is asked for: then the first match ends the search if the output has no comments.
        any: bool,
    },
    /// `mate`
    Mate,
    /// `stalemate`
    Stalemate,
    /// The legal moves of the position are generated.
    LegalMoves,
    /// The legal moves are generated, and each of them that fits is tried.
    TriedMoves,
    /// Only moves that can give check are generated.
    CheckingMoves,
    /// It names a set for the rest of its block, and nobody can tell whether it is evaluated.
    Name,
    /// It assigns a variable for the rest of its block, and nobody can tell whether it is evaluated.
    Local,
    /// It has an effect.
    SideEffect(SideEffect),
}

impl Form {
    /// Returns whether the parts of the expression are evaluated separately, not only by this form.
    pub(super) fn evaluates_parts(self) -> bool {
        !matches!(
            self,
            Form::Versions {
                shortcut: Shortcut::Formation { complete: true } | Shortcut::Pieces { complete: true },
                ..
            }
        )
    }
}

/// How the copies of a transform that can match are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shortcut {
    /// All first test the same formation at different places. It is looked up everywhere at once.
    Formation {
        /// Whether nothing else is tested.
        complete: bool,
    },
    /// All first test the same pieces on different squares. The pieces are looked up once.
    Pieces {
        /// Whether nothing else is tested.
        complete: bool,
    },
    /// They are evaluated one after the other.
    None,
}

/// When remembered values and joins are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Always.
    Always,
    /// If the output has no comments.
    WithoutComments,
}

/// The plan of an `echo`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Join {
    /// When it is used.
    pub reach: Reach,
    /// The number of filters that depend only on the source.
    pub of_source: usize,
    /// The number of filters that depend only on the target.
    pub of_target: usize,
    /// The number of filters that depend on both.
    pub of_pair: usize,
    /// The number of values by which targets are looked up.
    pub equations: usize,
    /// The number of conditions on the place of the target.
    pub spans: usize,
}

/// How the ways through a `path` or `line` are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PathStrategy {
    /// A sequence of moves matches in at most one way.
    OneWay,
    /// Each state is entered once at a position.
    Memoised(Reach),
    /// All ways are tried.
    AllWays,
}

/// What a filter does besides giving a value.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SideEffect {
    Assigns,
    ChangesDictionary,
    WritesMessage,
    WritesComment,
    RemovesComment,
    SetsTag,
    KeepsValue,
    WritesFile,
    MayEndRun,
    Sorts,
}

/// The reason why a part has no faster form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hindrance {
    /// An effect inside, and its text.
    SideEffect(SideEffect, Span),
    /// Comments of its own, or a part that reads what changes while a game is evaluated.
    Effect,
    /// Its value depends on more than the current position: variables, a path, a line.
    State,
    /// The body of a loop cannot be evaluated for all squares at once.
    Body,
}

/// What is read of a game besides its tags and the moves of the main line.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reading {
    /// The range of game numbers, if it is limited.
    pub games: Option<(i32, i32)>,
    /// Whether the results of games are limited.
    pub results: bool,
    /// Whether moves of games that are not evaluated are also read, because a game without matching positions matches.
    pub without_matches: bool,
    /// A condition that a game must meet for its moves to be read from a database, which knows the facts of games.
    #[cfg_attr(
        not(any(feature = "cli", feature = "service")),
        allow(dead_code, reason = "a plan shows it")
    )]
    pub(crate) game_prefilter: GamePrefilter,
    /// Whether moves of variations are read.
    pub variations: bool,
    /// Whether comments and annotation symbols are read.
    pub notes: bool,
    /// Whether evaluations, clocks and judgements are read.
    pub commands: bool,
    /// Whether pieces are followed through the game.
    pub identities: bool,
    /// The filter for which the games of the input are counted before the search.
    pub last_game_number: Option<Span>,
    /// The number of sort keys. If there are any, matching games are kept until the end.
    pub sort_keys: usize,
}

/// The reason why games have to be evaluated one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SerialCause {
    /// A variable that lives through the run.
    Variable(String),
    /// A dictionary that lives through the run.
    Dictionary(String),
    /// A file is read or written.
    File(Span),
}

/// Returns when a filter with this effect may be evaluated more or less often than it is written. `None` if never.
pub(super) fn reach(effect: Effect) -> Option<Reach> {
    match effect {
        Effect::None => Some(Reach::Always),
        Effect::Comments => Some(Reach::WithoutComments),
        Effect::Assigns | Effect::Any => None,
    }
}

pub(super) fn search(ambiguous: bool, effect: Effect) -> PathStrategy {
    match reach(effect) {
        _ if !ambiguous => PathStrategy::OneWay,
        Some(reach) => PathStrategy::Memoised(reach),
        None => PathStrategy::AllWays,
    }
}
