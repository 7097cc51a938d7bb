//! What is told of a query.

use crate::query::ast::Effect;
use crate::query::prefilter::{GamePrefilter, Prefilter};
use crate::syntax::token::Span;

/// What the evaluation of a query does.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Explanation {
    /// What is asked of a game before its moves are read, in order.
    pub once_per_game: Vec<Part>,
    /// What a position must have for the body to be tried there.
    #[cfg_attr(
        not(any(feature = "cli", feature = "service")),
        allow(dead_code, reason = "a plan shows it")
    )]
    pub(crate) prefilter: Prefilter,
    /// All of the body is asked of many positions at once and decided so; it is not tried.
    pub decided_side_by_side: bool,
    /// The filters of the body, in the order of evaluation; each is asked where those before it match.
    pub each_position: Vec<Part>,
    /// What is read of a game.
    pub reading: Reading,
    /// Why games have to be evaluated one after the other; empty if threads share them.
    pub serial: Vec<SerialCause>,
}

/// A part of a query that is worth a word.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Part {
    /// Its text.
    pub span: Span,
    /// How it is evaluated.
    pub form: Form,
    /// What keeps it from being skipped, shortened or remembered.
    pub hindrance: Option<Hindrance>,
    /// Whether it could be asked once per game.
    pub in_game: InGame,
    /// The estimated cost of one evaluation, in looks at the squares of one kind of piece. The model is in `query/ast/facts/cost.rs`.
    pub cost: f64,
    /// The parts inside that are worth a word.
    pub parts: Vec<Part>,
}

/// What a filter that is evaluated at each position says in the course of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InGame {
    /// It depends on the position, or has an effect.
    Varies,
    /// The same at all positions.
    Same,
    /// The same, and it was asked before the moves were read.
    Selected,
}

/// How a part is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// As it is written.
    Plain,
    /// One test for this many designators.
    Placement(usize),
    /// A loop that is answered for all its squares at once.
    Together,
    /// The squares of a loop: only those that its tests can keep.
    Narrowed,
    /// A loop that goes round square by square.
    Rounds,
    /// `loop`, `while`: round until something fails.
    Repeats,
    /// The copies that a transform made.
    Versions {
        /// How many there are.
        copies: usize,
        /// How they are told from each other.
        shortcut: Shortcut,
    },
    /// `find`: the answer at each position of a game is remembered.
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
        search: Ways,
        /// Only whether there is one is asked: the first ends the search where the output has no comments.
        any: bool,
    },
    /// `mate`
    Mate,
    /// `stalemate`
    Stalemate,
    /// The legal moves of the position are generated.
    LegalMoves,
    /// They are, and each of them that fits is tried.
    TriedMoves,
    /// Only moves that can give check are looked at.
    CheckingMoves,
    /// It names a set for the rest of its block, and nobody can tell whether it was evaluated.
    Name,
    /// It gives a variable a value for the rest of its block, and nobody can tell whether it was evaluated.
    Local,
    /// It has an effect.
    Deed(Deed),
}

impl Form {
    /// Whether the parts of the expression are evaluated by themselves, not only looked at by this form.
    pub(super) fn evaluates_parts(self) -> bool {
        !matches!(
            self,
            Form::Versions {
                shortcut: Shortcut::Figure { complete: true } | Shortcut::Pieces { complete: true },
                ..
            }
        )
    }
}

/// How copies are told from each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shortcut {
    /// All ask first for the same figure of pieces in another place, which is looked for everywhere at once.
    Figure {
        /// Nothing else is asked.
        complete: bool,
    },
    /// All ask first for the same pieces on other squares; the pieces are looked up once.
    Pieces {
        /// Nothing else is asked.
        complete: bool,
    },
    /// They are evaluated one after the other.
    None,
}

/// When something that is remembered or joined really is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Always.
    Always,
    /// Where the output has no comments.
    WithoutComments,
}

/// The plan of an `echo`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Join {
    /// When it is followed.
    pub reach: Reach,
    /// How many filters depend on the source alone.
    pub of_source: usize,
    /// How many depend on the target alone.
    pub of_target: usize,
    /// How many depend on both.
    pub of_pair: usize,
    /// How many values of the target are looked up.
    pub equations: usize,
    /// How many conditions say where the target lies.
    pub spans: usize,
}

/// How the ways through a `path` or `line` are searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ways {
    /// A sequence of moves fits in one way at most.
    OneWay,
    /// Each state is entered once at a position.
    Memoised(Reach),
    /// All ways are tried.
    AllWays,
}

/// What a filter does beside giving a value.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
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

/// What keeps a part from a faster form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hindrance {
    /// An effect inside, and where it stands.
    Deed(Deed, Span),
    /// Comments of its own, or something inside that reads what changes while a game is evaluated.
    Effect,
    /// Its value depends on more than the current position: variables, a path, a line.
    State,
    /// The body of a loop asks more of a square than can be answered for all squares at once.
    Body,
}

/// What is read of a game beside its tags and the moves of the main line.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Reading {
    /// Only games with certain numbers.
    pub games: Option<(i32, i32)>,
    /// Only games with certain results.
    pub results: bool,
    /// Moves of games that are not evaluated are read, too: no matching position is a match.
    pub without_matches: bool,
    /// What a game must have for its moves to be read from a database, which knows such facts.
    #[cfg_attr(
        not(any(feature = "cli", feature = "service")),
        allow(dead_code, reason = "a plan shows it")
    )]
    pub(crate) game_prefilter: GamePrefilter,
    /// Moves of variations.
    pub variations: bool,
    /// Comments and annotation symbols.
    pub notes: bool,
    /// Evaluations, clocks and judgements are read.
    pub commands: bool,
    /// Pieces are followed through the game.
    pub identities: bool,
    /// The games of the input are counted before the search.
    pub last_game_number: Option<Span>,
    /// Matching games are kept until the end, to be sorted by this many keys.
    pub sort_keys: usize,
}

/// Why games have to be evaluated one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SerialCause {
    /// A variable that lives through the run.
    Variable(String),
    /// A dictionary that does.
    Dictionary(String),
    /// A file is read or written.
    File(Span),
}

/// When something that has an effect may be evaluated more or less often than it is written.
pub(super) fn reach(effect: Effect) -> Option<Reach> {
    match effect {
        Effect::None => Some(Reach::Always),
        Effect::Comments => Some(Reach::WithoutComments),
        Effect::Assigns | Effect::Any => None,
    }
}

pub(super) fn search(ambiguous: bool, effect: Effect) -> Ways {
    match reach(effect) {
        _ if !ambiguous => Ways::OneWay,
        Some(reach) => Ways::Memoised(reach),
        None => Ways::AllWays,
    }
}
