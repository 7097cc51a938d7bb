//! Filters that match or not.

use std::sync::Arc;

use crate::board::Color;
use crate::game::Variant;
use crate::pattern::Pattern;
use crate::syntax::token::Designator;
use shakmaty::{CastlingSide, KnownOutcome};

use super::assignments::Assignment;
use super::dictionaries::{DictionaryAction, DictionaryId};
use super::echo::Echo;
use super::hhdb::StudyCond;
use super::node::{Cond, Filter, Flow, Num, Pos, Set, Str};
use super::sets::Together;
use super::transform::{Child, Versions};
use super::variables::{PieceVar, SetVar};
use super::{Loop, Move, TextItem};

/// A filter that matches or not.
#[derive(Clone, Debug)]
pub enum CondExpr {
    /// `true`, `false`, and what always or never matches.
    Constant(bool),
    /// A set where a match is asked: it is not empty.
    NonEmpty(Set),
    /// A number where a match is asked: it has a value.
    HasNumber(Num),
    /// A string where a match is asked: it has a value.
    HasString(Str),
    /// A position where a match is asked: it has a value.
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
    /// `equal (f g)`
    Equal(Filter, Filter),
    /// `check`
    Check,
    /// `mate`
    Mate,
    /// `stalemate`
    Stalemate,
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
    /// `echo (S T) f`: some target matches.
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
    /// `ancestor (p q)`, `descendant (q p)`: q is evaluated first.
    Ancestor {
        /// p
        ancestor: Pos,
        /// q
        descendant: Pos,
    },
    /// `move …`
    Move(Box<Move>),
    /// `result 1-0`
    Result(KnownOutcome),
    /// `hhdb U1`, `hhdb cooked` and the like
    Study(StudyCond),
    /// `fen "…"`: 64 designators from a1 to h8; those that anything fits are left out. Also several designators in a row.
    Placement(Vec<Designator>),
    /// `originalcomment "$1"`: the move that led here carries this symbol.
    Symbol(u8),
    /// `x = f` and everything else that changes a variable
    Assign(Assignment),
    /// `isbound x`, `isunbound x`
    IsBound {
        /// The place of x among the names that are asked for.
        name: u32,
        /// `isbound`
        bound: bool,
    },
    /// `D[k] = f`, `unbind D`, `x ∊ D f` and the like
    Dictionary(DictionaryId, Box<DictionaryAction>),
    /// `∀ x ∊ S f`
    AllSquares(Loop<SetVar>),
    /// `∀ ◭x ∊ S f`
    AllPieces(Loop<PieceVar>),
    /// A loop of one of these kinds that can be answered for all its squares at once.
    AllTogether(Box<Together>),
    /// `loop f`
    Loop(Cond),
    /// `while (t) f`
    While {
        /// t
        test: Cond,
        /// f
        body: Cond,
    },
    /// `while (s ~~ "re") f`: f once for each match.
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
        /// Without the place in front.
        quiet: bool,
        /// What is printed.
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
    /// A condition under a transform: some version matches.
    Versions(Versions<Cond>),
    /// A form that passes the result of a part on.
    Flow(Flow<Cond>),
}

impl CondExpr {
    /// Shows the parts to `visit`, in the order in which transforms compare copies.
    pub fn children(&mut self, visit: &mut dyn FnMut(Child<'_>)) {
        match self {
            CondExpr::Constant(_)
            | CondExpr::Check
            | CondExpr::Mate
            | CondExpr::Stalemate
            | CondExpr::Initial
            | CondExpr::Terminal
            | CondExpr::Mainline
            | CondExpr::Variation
            | CondExpr::Primary
            | CondExpr::Secondary
            | CondExpr::VirtualMainline
            | CondExpr::Similar
            | CondExpr::Castled(_)
            | CondExpr::EnPassant
            | CondExpr::NullMove
            | CondExpr::Symbol(_)
            | CondExpr::Variant(_)
            | CondExpr::Study(_)
            | CondExpr::IsBound { .. }
            | CondExpr::Abort
            | CondExpr::RemoveComment => {}
            CondExpr::ToMove(color) => visit(Child::Color(color)),
            CondExpr::Result(result) => visit(Child::Result(result)),
            CondExpr::Placement(designators) => designators.iter_mut().for_each(|d| visit(Child::Designator(d))),
            CondExpr::NonEmpty(set) => visit(Child::Set(set)),
            CondExpr::HasNumber(number) => visit(Child::Number(number)),
            CondExpr::HasString(string) | CondExpr::SetTag(_, string) => visit(Child::String(string)),
            CondExpr::HasPosition(position) => visit(Child::Position(position)),
            CondExpr::Assign(assignment) => assignment.children(visit),
            CondExpr::Not(filter) | CondExpr::Loop(filter) | CondExpr::Assert(filter) => {
                visit(Child::Condition(filter));
            }
            CondExpr::And(left, right)
            | CondExpr::Or(left, right)
            | CondExpr::While {
                test: left,
                body: right,
            } => {
                visit(Child::Condition(left));
                visit(Child::Condition(right));
            }
            CondExpr::SameSet(left, right) | CondExpr::Subset(left, right) => {
                visit(Child::Set(left));
                visit(Child::Set(right));
            }
            CondExpr::Substring(first, second)
            | CondExpr::WriteFile {
                name: first,
                content: second,
            } => {
                visit(Child::String(first));
                visit(Child::String(second));
            }
            CondExpr::Dictionary(_, action) => action.children(visit),
            CondExpr::WhileMatch { target, body, .. } => {
                visit(Child::String(target));
                visit(Child::Condition(body));
            }
            CondExpr::Equal(left, right) => {
                left.child(visit);
                right.child(visit);
            }
            CondExpr::Ancestor { ancestor, descendant } => {
                visit(Child::Position(ancestor));
                visit(Child::Position(descendant));
            }
            CondExpr::AllSquares(squares) => squares.children(visit),
            CondExpr::AllPieces(pieces) => pieces.children(visit),
            CondExpr::AllTogether(together) => together.children(visit),
            CondExpr::Move(parameters) => parameters.children(visit),
            CondExpr::Message { items, .. } | CondExpr::Comment(items) => {
                items.iter_mut().for_each(|item| item.children(visit));
            }
            CondExpr::Echo(echo) => echo.children(visit),
            CondExpr::Versions(versions) => visit(Child::ConditionVersions(versions)),
            CondExpr::Flow(flow) => flow.children(visit),
        }
    }
}
