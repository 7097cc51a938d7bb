//! The typed query: tokens become expressions with one enum per value type, so that an ill-typed query cannot exist.
//!
//! ```text
//!  tokens ──► build (names, types, operators, functions) ──► Query { header, body: Cond }
//!                       └─ transform (copies of expressions)
//! ```

pub(crate) mod assignments;
pub(crate) mod bare;
mod builder;
pub(crate) mod columns;
pub(crate) mod conditions;
pub mod declarations;
pub(crate) mod dictionaries;
pub(crate) mod echo;
mod elements;
pub mod explain;
mod header;
pub(crate) mod hhdb;
pub mod lint;
mod locals;
pub(crate) mod moves;
pub(crate) mod node;
pub(crate) mod numbers;
mod options;
mod order;
pub(crate) mod paths;
pub(crate) mod plan;
pub(crate) mod positions;
pub(crate) mod prefilter;
pub mod prelude;
pub(crate) mod program;
pub(crate) mod sets;
pub mod similar;
mod simplify;
pub(crate) mod strings;
pub(crate) mod tags;
pub(crate) mod transform;
pub(crate) mod variables;
pub(crate) mod versions;
pub(crate) mod visit;
#[cfg(feature = "database")]
mod whole;

use std::mem;
use std::sync::Arc;

use crate::board::columns::Parts;
use crate::syntax::Diagnostic;
use crate::syntax::token::Span;
use crate::tablebase::Tablebase;

pub(crate) use assignments::Assignment;
pub use builder::{
    Analysis, analyze, compile, compiles, hhdb_words, is_hhdb_award_word, is_hhdb_text_word, outline, undeclared_names,
};
pub(crate) use conditions::CondExpr;
pub use header::{CommentLevel, Header, has_header};
pub(crate) use moves::{Dash, Imagined, LegalDash, Move, Tried};
pub(crate) use node::{Cond, Filter, Flow, Node, Num, Pos, Set, Str, Type};
pub(crate) use numbers::NumExpr;
pub use options::{Annotations, HeaderOptions, Options, Vocabulary};
pub(crate) use positions::PosExpr;
pub(crate) use sets::SetExpr;
pub(crate) use strings::StrExpr;
#[cfg(feature = "database")]
pub use whole::Obstacle;

use columns::{CondColumn, Verdict};
use dictionaries::Dictionary;
use echo::Equation;
use locals::Locals;
use plan::MemoCounts;
use prefilter::{GamePrefilter, Prefilter};
use similar::Similar;
use variables::{DictionaryId, NumVar, PersistentVariable, Variable, VariableCounts};
use visit::Child;

/// A query, checked and ready to be evaluated.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Query {
    /// What stands in `cql( … )`.
    pub header: Header,
    /// What a game has to fulfil to match at all, asked before its moves are read.
    pub(crate) narrowing: Vec<Cond>,
    /// Only the first matching position of a game counts.
    pub(crate) first_of_game: bool,
    /// What a game has to fulfil for its positions to be evaluated: filters that say the same at all of them. They are asked
    /// before its moves are read; of a game that fails one, no position matches.
    pub(crate) selection: Vec<Cond>,
    /// The filters of the body as one condition.
    pub(crate) body: Cond,
    /// What a position must have for the body to be tried there.
    pub(crate) prefilter: Prefilter,
    /// What a game must have for the body to match or do anything but fail at any of its positions.
    pub(crate) game_prefilter: GamePrefilter,
    /// All of the body, if that can be asked of many positions at once, so that none of them has to be tried.
    pub(crate) verdict: Option<Verdict>,
    /// The variables that only name a set.
    pub(crate) locals: Locals,
    /// For each memo of a `find` what the `find` looks for, if that can be asked of many positions at once.
    pub(crate) find_columns: Vec<Option<CondColumn>>,
    /// How many variables there are.
    pub(crate) variables: VariableCounts,
    /// The variables that live through the run, in the order of their creation.
    pub(crate) persistent: Vec<PersistentVariable>,
    /// The dictionaries.
    pub(crate) dictionaries: Vec<Dictionary>,
    /// The first `readfile` or `writefile` of the text. A search has to be allowed to run such a query.
    pub file_access: Option<Span>,
    /// What the names are that `isbound` asks for.
    pub(crate) bound_names: Vec<BoundName>,
    /// The keys by which matching games are sorted, the most significant first.
    pub(crate) sort_keys: Vec<SortKey>,
    /// What the evaluation needs beside the positions.
    pub(crate) needs: Needs,
    /// The tablebases that it asks, if they are known.
    pub(crate) tablebase: Option<Arc<Tablebase>>,
    /// How games are annotated.
    pub(crate) annotations: Annotations,
    /// How many relations are remembered position by position.
    pub(crate) memos: MemoCounts,
    /// How many `consecutivemoves` keep the longest run of a game.
    pub(crate) runs: u32,
    /// The file that `similarposition` compares with.
    pub similar: Option<Similar>,
}

impl Query {
    /// What of the boards has to stand side by side for the prefilter, the verdict and what is looked for.
    pub(crate) fn parts_side_by_side(&self) -> Parts {
        let verdict = self.verdict.iter().map(|verdict| &verdict.condition);
        let conditions = verdict.chain(self.find_columns.iter().flatten());
        self.prefilter.parts() | conditions.map(CondColumn::parts).collect()
    }

    /// Whether games have to be evaluated one after the other, because something lives through the run or files are used.
    pub fn is_serial(&self) -> bool {
        !self.persistent.is_empty()
            || self.dictionaries.iter().any(|dictionary| !dictionary.local)
            || self.file_access.is_some()
    }

    /// An error at the first place where the query asks tablebases, if there are none.
    pub(crate) fn lacks_tablebase(&self) -> Option<Diagnostic> {
        let place = self.needs.tablebase.filter(|_| self.tablebase.is_none())?;
        let error =
            Diagnostic::new(place, "the query needs endgame tablebases").label("no folder with tablebases is given");
        Some(if cfg!(feature = "tablebase") {
            error.hint("`--tablebase DIR` names a folder that has them, `.rtbw` and `.rtbz` files, as does the variable SKEWER_TABLEBASE")
        } else {
            error.hint("this program was built without `tablebase`")
        })
    }

    /// How deeply its filters nest.
    pub(crate) fn depth(&self) -> usize {
        fn depth(child: Child<'_>) -> usize {
            let mut below = 0;
            child.parts(&mut |part| below = below.max(depth(part)));
            below + 1
        }
        let filters = self.selection.iter().chain([&self.body]);
        filters.map(|filter| depth(Child::Condition(filter))).max().unwrap_or(0)
    }

    /// Takes the filters out, which nest as deeply as queries may, so that they can be dropped where the stack is deep enough. What is
    /// left matches anything.
    pub(crate) fn take_filters(&mut self) -> impl Send + use<> {
        let anything = Box::new(Node {
            kind: CondExpr::Constant(true),
            span: self.body.span,
        });
        (
            mem::take(&mut self.selection),
            mem::replace(&mut self.body, anything),
            mem::replace(&mut self.prefilter, Prefilter::Open),
            mem::replace(&mut self.game_prefilter, GamePrefilter::None),
            self.verdict.take(),
        )
    }
}

/// A name that `isbound` asks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BoundName {
    /// It may have a value.
    Variable(Variable),
    /// It is a dictionary.
    Always,
    /// Nothing declares it, or it is a function.
    Never,
}

/// What a query needs to know of a game beside its positions; what it does not need is not computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// Original comments and annotation symbols.
    pub notes: bool,
    /// Evaluations, clocks and judgements.
    pub commands: bool,
    /// Which piece stands where through the whole game.
    pub identities: bool,
    /// How many games the input has: the place in the query that asks.
    pub last_game_number: Option<Span>,
    /// Endgame tablebases: the place in the query that asks.
    pub tablebase: Option<Span>,
}

/// A key by which matching games are sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SortKey {
    /// The title, under which the value is shown.
    pub title: Vec<u8>,
    /// The smallest value is the best.
    pub ascending: bool,
    /// Title and value are not shown.
    pub quiet: bool,
    /// The values are strings, otherwise numbers.
    pub text: bool,
}

/// The place of a key among the [`SortKey`]s of a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct SortId(pub u32);

/// A comparison that a value can hold or not; `!=` is the negation of `==`.
#[allow(missing_docs)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Comparison {
    Equal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

impl Comparison {
    /// Whether the comparison holds.
    #[inline]
    pub(crate) fn holds<T: Ord>(self, left: T, right: T) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::Less => left < right,
            Comparison::LessEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterEqual => left >= right,
        }
    }

    /// The least and the greatest number for which the comparison with a limit holds.
    pub(crate) fn range(self, limit: i64) -> (i64, i64) {
        match self {
            Comparison::Equal => (limit, limit),
            Comparison::Less => (i64::MIN, limit.saturating_sub(1)),
            Comparison::LessEqual => (i64::MIN, limit),
            Comparison::Greater => (limit.saturating_add(1), i64::MAX),
            Comparison::GreaterEqual => (limit, i64::MAX),
        }
    }
}

/// A comparison of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PositionComparison {
    /// `==`, `<` …: by positionid.
    Order(Comparison),
    /// `[<]`: the left is a proper ancestor.
    Ancestor,
    /// `[<=]`: the left is an ancestor or the same.
    AncestorOrSame,
    /// `[>]`, and `[>=]` as the reference has it: the left is a proper descendant.
    Descendant,
}

/// A bound of a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Bound {
    /// A written number.
    Number(i32),
    /// A variable, read at each evaluation.
    Variable(NumVar, Span),
}

/// A range of numbers, written as one or two bounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Range {
    /// `count`: any number.
    Any,
    /// From the first to the second, both included.
    Within(Bound, Bound),
}

/// `x ∊ S f`: a loop over the squares of a set or the pieces on it.
#[derive(Clone, Debug)]
pub(crate) struct Loop<V> {
    /// x
    pub variable: V,
    /// S
    pub domain: Set,
    /// f
    pub body: Cond,
    /// What evaluating f does. If that is nothing, the loop may stop early when only a match is asked.
    pub effect: Effect,
}

/// What evaluating a filter does beside giving a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Effect {
    /// Nothing: how often it is evaluated cannot be told.
    None,
    /// It writes comments; nothing where nobody asks for them.
    Comments,
    /// It gives variables values and reads them. Only of loops this is told from more.
    Assigns,
    /// More than that: it changes something, may end the run, or reads what changes while a game is evaluated.
    Any,
}

/// `find f`
#[derive(Clone, Debug)]
pub(crate) struct Find {
    /// f
    pub body: Cond,
    /// `<--`: the way back to the initial position instead of the subtree.
    pub backward: bool,
    /// Without automatic comments.
    pub quiet: bool,
    /// What evaluating f does.
    pub effect: Effect,
    /// The same where all variables that f reads have values.
    pub effect_if_bound: Effect,
    /// The place among the memos of a game, if f depends on nothing but the position.
    pub memo: Option<u32>,
    /// How the positions are found at which f can match, if it equates values of theirs with others.
    pub lookup: Option<Lookup>,
}

/// By what the positions of a `find` are looked up. Its filter decides in the end.
#[derive(Clone, Debug)]
pub(crate) struct Lookup {
    /// The place among the memos of a game.
    pub memo: u32,
    /// What must be equal: values of the position, and values that depend on variables and the game.
    pub equations: Vec<Equation>,
    /// The variables that the filter reads.
    pub variables: Vec<Variable>,
}

/// An item of `message`, `comment`, `str`.
#[derive(Clone, Debug)]
pub(crate) enum TextItem {
    /// A filter: its value.
    Filter(Filter),
    /// A variable by itself, which may be unbound.
    Variable(Variable, String),
    /// A dictionary by itself: its entries.
    Dictionary(DictionaryId),
}
