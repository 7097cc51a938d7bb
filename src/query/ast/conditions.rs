//! Filters that match or do not match.

use std::sync::Arc;

use crate::board::Color;
use crate::chess::Variant;
use crate::game::Judgement;
use crate::pattern::Pattern;
use crate::syntax::token::Designator;
use shakmaty::{CastlingSide, KnownOutcome};

use crate::query::ast::assignments::Assignment;
use crate::query::ast::dictionaries::DictionaryAction;
use crate::query::ast::echo::Echo;
use crate::query::ast::hhdb::StudyCond;
use crate::query::ast::node::{Cond, Filter, Flow, Num, Pos, Set, Str};
use crate::query::ast::sets::FusedLoop;
use crate::query::ast::variables::DictionaryId;
use crate::query::ast::versions::Versions;
use crate::query::ast::{ColumnId, Lookahead, Loop, Move, TextItem};

/// A filter that matches or does not match.
#[derive(Clone, Debug)]
pub(crate) enum CondExpr {
    /// `true`, `false`, and conditions known to match always or never.
    Constant(bool),
    /// A set as a condition: it matches if it is not empty.
    NonEmpty(Set),
    /// A number as a condition: it matches if it has a value.
    HasNumber(Num),
    /// A string as a condition: it matches if it has a value.
    HasString(Str),
    /// A position as a condition: it matches if it has a value.
    HasPosition(Pos),
    /// `not f`
    Not(Cond),
    /// `f and g`
    And(Cond, Cond),
    /// `f or g`
    Or(Cond, Cond),
    /// `S == T`
    SameSet(Set, Set),
    /// `S in T`
    Subset(Set, Set),
    /// `s in t`
    Substring(Str, Str),
    /// `s in t` regardless of case; the text is in lower case. It is for the texts of options and has no word of the language.
    SubstringInAnyCase(Vec<u8>, Str),
    /// `equal (f g)`
    Equal(Filter, Filter),
    /// `check`
    Check,
    /// `mate`
    Mate,
    /// `stalemate`
    Stalemate,
    /// `legalposition`
    LegalPosition,
    /// `wtm`, `btm`
    ToMove(Color),
    /// `initial`
    Initial,
    /// `terminal`
    Terminal,
    /// `mainline`
    Mainline,
    /// `variation`
    Variation,
    /// `primary`
    Primary,
    /// `secondary`
    Secondary,
    /// `virtualmainline`
    VirtualMainline,
    /// `echo (S T) f`: at least one target matches.
    Echo(Box<Echo>),
    /// `similarposition nosort "…"`
    Similar,
    /// `variant "atomic"`
    Variant(Variant),
    /// `castle`, `o-o`, `o-o-o`: the move that led here.
    Castled(Option<CastlingSide>),
    /// `enpassant`: the move that led here.
    EnPassant,
    /// `nullmove`: the move that led here.
    NullMove,
    /// `ancestor (p q)`, `descendant (q p)`; q is evaluated first.
    Ancestor {
        /// p
        ancestor: Pos,
        /// q
        descendant: Pos,
    },
    /// `move …`
    Move(Box<Move>),
    /// `move legal from L all : T`: the target holds after every move that fits.
    AllLookahead(Box<Lookahead>),
    /// `result 1-0`
    Result(KnownOutcome),
    /// `hhdb U1`, `hhdb cooked` and the like
    Study(StudyCond),
    /// `fen "…"`: 64 designators from a1 to h8, without those that fit any content. Also several designators in a row.
    Placement(Vec<Designator>),
    /// `nag 1`, `originalcomment "$1"`: the move that led here carries this symbol.
    Symbol(u8),
    /// `blunder`, `mistake`, `inaccuracy`: the move that led here has this judgement.
    Judged(Judgement),
    /// `x = f` and everything else that changes a variable
    Assign(Assignment),
    /// `isbound x`, `isunbound x`
    IsBound {
        /// The index of x among the bound names of the query.
        name: u32,
        /// Whether it is `isbound`, not `isunbound`.
        bound: bool,
    },
    /// `D[k] = f`, `unbind D`, `x ∊ D f` and the like
    Dictionary(DictionaryId, Box<DictionaryAction>),
    /// `∀ x ∊ S f`, `∀ ◭x ∊ S f`
    All(Loop),
    /// Such a loop that is evaluated for all its squares at once.
    AllFused(Box<FusedLoop>),
    /// `loop f`
    Loop(Cond),
    /// `while (t) f`
    While {
        /// t
        test: Cond,
        /// f
        body: Cond,
    },
    /// `while (s ~~ "re") f`: f is evaluated once for each match.
    WhileMatch {
        /// s
        target: Str,
        /// re
        pattern: Arc<Pattern>,
        /// f
        body: Cond,
    },
    /// `assert f`
    Assert(Cond),
    /// `cql_abort`
    Abort,
    /// `message (…)`
    Message {
        /// Whether the place in front is left out.
        quiet: bool,
        /// The printed items.
        items: Vec<TextItem>,
    },
    /// `comment (…)`, `/// …`
    Comment(Vec<TextItem>),
    /// `settag ("NAME" s)`
    SetTag(Vec<u8>, Str),
    /// `writefile (s t)`
    WriteFile {
        /// s
        name: Str,
        /// t
        content: Str,
    },
    /// `removecomment`
    RemoveComment,
    /// Keeps a value that an option asks for at each match. It has no word of the language.
    Column(ColumnId, Filter),
    /// A condition under a transform: it matches if one of its versions does.
    Versions(Versions<Cond>),
    /// A form that passes the result of a part on.
    Flow(Flow<Cond>),
}

impl CondExpr {
    /// Returns the conditions of a chain of `and` between two conditions, in their order.
    pub(crate) fn conjuncts(sides: [&Cond; 2]) -> Vec<&Cond> {
        links(sides, |kind| match kind {
            CondExpr::And(left, right) => Some([left, right]),
            _ => None,
        })
    }

    /// Returns the conditions of a chain of `or` between two conditions, in their order.
    pub(crate) fn alternatives(sides: [&Cond; 2]) -> Vec<&Cond> {
        links(sides, |kind| match kind {
            CondExpr::Or(left, right) => Some([left, right]),
            _ => None,
        })
    }
}

/// Returns the conditions that must all hold for a condition to hold, in the order of evaluation.
pub(crate) fn required(condition: &Cond) -> Vec<&Cond> {
    let mut found = Vec::new();
    let mut left = vec![condition];
    while let Some(condition) = left.pop() {
        match &condition.kind {
            CondExpr::Flow(Flow::Group(inner)) => left.push(inner),
            CondExpr::Flow(Flow::Block { tests, value }) => left.extend([value].into_iter().chain(tests.iter().rev())),
            CondExpr::And(first, second) => left.extend([second, first]),
            _ => found.push(condition),
        }
    }
    found
}

/// Returns the links of a chain. It does not recurse: a chain may have twenty thousand links.
fn links<'c>([first, second]: [&'c Cond; 2], sides: impl Fn(&'c CondExpr) -> Option<[&'c Cond; 2]>) -> Vec<&'c Cond> {
    let mut found = Vec::new();
    let mut left = vec![second, first];
    while let Some(condition) = left.pop() {
        match sides(&condition.kind) {
            Some([first, second]) => left.extend([second, first]),
            None => found.push(condition),
        }
    }
    found
}
