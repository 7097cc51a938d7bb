//! Which parts of a query are pure: they leave no trace when the whole query fails, and cannot end the run.
//!
//! A pure part may be skipped at positions where a later part fails. Parts that are not known to be pure count as impure.

use crate::query::ast::hhdb::StudyCond;
use crate::query::ast::node::Flow;
use crate::query::ast::numbers::FindCount;
use crate::query::ast::paths::{Line, Path};
use crate::query::ast::sets::has_written_bounds;
use crate::query::ast::variables::Variable;
use crate::query::ast::visit::{Child, Children};
use crate::query::ast::{CondExpr, NumExpr, PosExpr, SetExpr, StrExpr, TextItem};
use crate::query::facts::bindings::Bindings;

/// What has to be known of a query to tell whether its parts are pure.
#[derive(Clone, Copy)]
pub(crate) struct Purity<'q> {
    /// How its variables get their values.
    pub(crate) bindings: &'q Bindings,
    /// Comments stay when the filter around them fails.
    pub(crate) keeps_comments: bool,
    /// The query reads the result of the last path.
    pub(crate) asks_for_last_path: bool,
}

impl Purity<'_> {
    /// Whether all parts of an expression are pure.
    fn within(self, whole: &impl Children) -> bool {
        self.all(|visit| whole.children(visit))
    }

    /// Whether all parts that are visited are pure.
    fn all(self, show: impl FnOnce(&mut dyn FnMut(Child<'_>))) -> bool {
        let mut are_pure = true;
        show(&mut |part| are_pure = are_pure && self.child(part));
        are_pure
    }

    fn child(self, child: Child<'_>) -> bool {
        match child {
            Child::Set(set) => self.set(&set.kind),
            Child::Number(number) => self.number(&number.kind),
            Child::String(string) => self.string(&string.kind),
            Child::Position(position) => self.position(&position.kind),
            Child::Condition(condition) => self.condition(&condition.kind),
            other => self.all(|visit| other.parts(visit)),
        }
    }

    pub(crate) fn condition(self, condition: &CondExpr) -> bool {
        let is_pure = match condition {
            CondExpr::Constant(_)
            | CondExpr::NonEmpty(_)
            | CondExpr::HasNumber(_)
            | CondExpr::HasString(_)
            | CondExpr::HasPosition(_)
            | CondExpr::Not(_)
            | CondExpr::And(..)
            | CondExpr::Or(..)
            | CondExpr::SameSet(..)
            | CondExpr::Subset(..)
            | CondExpr::Substring(..)
            | CondExpr::SubstringInAnyCase(..)
            | CondExpr::Equal(..)
            | CondExpr::Check
            | CondExpr::Mate
            | CondExpr::Stalemate
            | CondExpr::LegalPosition
            | CondExpr::ToMove(_)
            | CondExpr::Initial
            | CondExpr::Terminal
            | CondExpr::Mainline
            | CondExpr::Variation
            | CondExpr::Primary
            | CondExpr::Secondary
            | CondExpr::VirtualMainline
            | CondExpr::Variant(_)
            | CondExpr::Castled(_)
            | CondExpr::EnPassant
            | CondExpr::NullMove
            | CondExpr::Ancestor { .. }
            | CondExpr::AllLookahead(_)
            | CondExpr::Result(_)
            | CondExpr::Placement(_)
            | CondExpr::Symbol(_)
            | CondExpr::Judged(_)
            | CondExpr::AllFused(_)
            | CondExpr::Versions(_) => true,
            CondExpr::Move(parameters) => parameters.comment.is_none(),
            // Nothing is left of it behind its block.
            CondExpr::Assign(assignment) => self.bindings.has_value(assignment.variable()),
            CondExpr::AllSquares(squares) => self.bindings.is_of_loops(Variable::Set(squares.variable)),
            CondExpr::AllPieces(pieces) => self.bindings.is_of_loops(Variable::Piece(pieces.variable)),
            CondExpr::Comment(items) => self.text(items),
            CondExpr::Flow(flow) => is_pure_flow(flow),
            CondExpr::Study(study) => !matches!(study, StudyCond::SortByAward(..)),
            CondExpr::Echo(_)
            | CondExpr::Similar
            | CondExpr::IsBound { .. }
            | CondExpr::Dictionary(..)
            | CondExpr::Loop(_)
            | CondExpr::While { .. }
            | CondExpr::WhileMatch { .. }
            | CondExpr::Assert(_)
            | CondExpr::Abort
            | CondExpr::Message { .. }
            | CondExpr::SetTag(..)
            | CondExpr::WriteFile { .. }
            | CondExpr::RemoveComment => false,
        };
        is_pure && self.within(condition)
    }

    pub(crate) fn set(self, set: &SetExpr) -> bool {
        let is_pure = match set {
            SetExpr::Variable(variable) => self.bindings.has_value(Variable::Set(*variable)),
            SetExpr::Piece(variable) => self.bindings.has_value(Variable::Piece(*variable)),
            SetExpr::Direction { range, .. } => has_written_bounds(*range),
            SetExpr::Squares(squares) => self.bindings.is_of_loops(Variable::Set(squares.variable)),
            SetExpr::Pieces(pieces) => self.bindings.is_of_loops(Variable::Piece(pieces.variable)),
            SetExpr::Move(parameters) => parameters.comment.is_none(),
            SetExpr::Flow(flow) => is_pure_flow(flow),
            SetExpr::Designator(_)
            | SetExpr::Constant(_)
            | SetExpr::Complement(_)
            | SetExpr::Intersection(..)
            | SetExpr::Union(..)
            | SetExpr::Common(..)
            | SetExpr::Attackers { .. }
            | SetExpr::Attacked { .. }
            | SetExpr::Line(_)
            | SetExpr::Pin(_)
            | SetExpr::SquareColor { .. }
            | SetExpr::Between(..)
            | SetExpr::Intersections(_)
            | SetExpr::MakeSquare(..)
            | SetExpr::NamedSquare(_)
            | SetExpr::Pawns(_)
            | SetExpr::Mate(_)
            | SetExpr::FusedLoop(_)
            | SetExpr::Absence(_)
            | SetExpr::Played(_)
            | SetExpr::From
            | SetExpr::To
            | SetExpr::EnPassantSquare
            | SetExpr::PromotedPieces
            | SetExpr::Legal(_)
            | SetExpr::Lookahead(_)
            | SetExpr::Versions(_) => true,
        };
        is_pure && self.within(set)
    }

    pub(crate) fn number(self, number: &NumExpr) -> bool {
        let is_pure = match number {
            NumExpr::Variable(variable) => self.bindings.has_value(Variable::Number(*variable)),
            NumExpr::Identity(variable) => self.bindings.has_value(Variable::Piece(*variable)),
            NumExpr::Find(find, count) => {
                let range = match count {
                    FindCount::All => None,
                    FindCount::Within(range) => Some(*range),
                };
                self.drops_comments_unless(find.quiet) && has_written_bounds(range)
            }
            NumExpr::CountMoveLegal(parameters) => parameters.comment.is_none(),
            NumExpr::Path(path) => return self.path(path),
            NumExpr::Line(line) => return self.line(line),
            NumExpr::CountVersions(_, range) => has_written_bounds(Some(*range)),
            NumExpr::Flow(flow) => is_pure_flow(flow),
            NumExpr::Literal(_)
            | NumExpr::Negate(_)
            | NumExpr::Arithmetic(..)
            | NumExpr::Compare(..)
            | NumExpr::Abs(_)
            | NumExpr::Sqrt(_)
            | NumExpr::Max(_)
            | NumExpr::Min(_)
            | NumExpr::Count(_)
            | NumExpr::OfSet(..)
            | NumExpr::Length(_)
            | NumExpr::Parse(_)
            | NumExpr::Code(_)
            | NumExpr::IndexOf(..)
            | NumExpr::Fact(_)
            | NumExpr::Color(_)
            | NumExpr::Rating(_)
            | NumExpr::BestRating
            | NumExpr::Year
            | NumExpr::Study(_)
            | NumExpr::Evaluation(_)
            | NumExpr::Measure(_)
            | NumExpr::TimeControl(_)
            | NumExpr::Endgame { .. }
            | NumExpr::Distance(..)
            | NumExpr::CountMoves(..)
            | NumExpr::CountLegal(_)
            | NumExpr::CountLookahead(_)
            | NumExpr::Versions(_) => true,
            NumExpr::Entries(_)
            | NumExpr::GroupStart(_)
            | NumExpr::Echo(_)
            | NumExpr::ConsecutiveMoves(_)
            | NumExpr::Similar(_)
            | NumExpr::Sort(..)
            | NumExpr::SortSet(..)
            | NumExpr::PathCount { .. }
            | NumExpr::PathCountUnfocused => false,
        };
        is_pure && self.within(number)
    }

    fn string(self, string: &StrExpr) -> bool {
        let is_pure = match string {
            StrExpr::Variable(variable) => self.bindings.has_value(Variable::String(*variable)),
            // What is matched is remembered.
            StrExpr::Match { kept, .. } => !kept,
            StrExpr::Text(items) => self.text(items),
            StrExpr::Flow(flow) => is_pure_flow(flow),
            StrExpr::Literal(_)
            | StrExpr::Concat(..)
            | StrExpr::Compare(..)
            | StrExpr::Part(..)
            | StrExpr::Max(_)
            | StrExpr::Min(_)
            | StrExpr::Uppercase(_)
            | StrExpr::Lowercase(_)
            | StrExpr::Character(_)
            | StrExpr::PieceName { .. }
            | StrExpr::Player(_)
            | StrExpr::Players
            | StrExpr::GameTag(_)
            | StrExpr::Tag(_)
            | StrExpr::PlayerTag(_)
            | StrExpr::OriginalComment
            | StrExpr::Study(_)
            | StrExpr::Fen
            | StrExpr::CurrentFen
            | StrExpr::ZobristKey
            | StrExpr::Replace(..)
            | StrExpr::CurrentTransform(_) => true,
            StrExpr::Group(_) | StrExpr::ReadFile(_) | StrExpr::Sort(..) => false,
        };
        is_pure && self.within(string)
    }

    pub(crate) fn position(self, position: &PosExpr) -> bool {
        let is_pure = match position {
            PosExpr::Variable(variable) => self.bindings.has_value(Variable::Position(*variable)),
            PosExpr::Find(find) => self.drops_comments_unless(find.quiet),
            PosExpr::Path(path) => return self.path(path),
            PosExpr::Line(line) => return self.line(line),
            PosExpr::Flow(flow) => is_pure_flow(flow),
            PosExpr::Current
            | PosExpr::Parent
            | PosExpr::Child(_)
            | PosExpr::Numbered(_)
            | PosExpr::Initial
            | PosExpr::CommonAncestor(..)
            | PosExpr::Compare(..) => true,
            PosExpr::PathStart | PosExpr::PathLast => false,
        };
        is_pure && self.within(position)
    }

    /// Whether a path is: it leaves behind where the next one may not start, and what it has found itself.
    pub(crate) fn path(self, path: &Path) -> bool {
        let writes = !path.quiet || path.verbose || path.piece_path || path.title.is_some() || path.keep_all_best;
        !path.nest_ban && !self.asks_for_last_path && self.drops_comments_unless(!writes) && self.inside_path(path)
    }

    /// Whether a path is that does not match.
    pub(crate) fn inside_path(self, path: &Path) -> bool {
        has_written_bounds(path.range) && self.within(path)
    }

    /// Whether a line is.
    pub(crate) fn line(self, line: &Line) -> bool {
        !line.nest_ban && self.drops_comments_unless(line.quiet) && self.inside_line(line)
    }

    /// Whether a line is that does not match.
    pub(crate) fn inside_line(self, line: &Line) -> bool {
        has_written_bounds(line.range) && self.within(line)
    }

    /// Whether the text of some items is: the text of a position in a variation makes a comment.
    fn text(self, items: &[TextItem]) -> bool {
        let is_plain = |item: &TextItem| match item {
            TextItem::Filter(_) => true,
            TextItem::Variable(variable, _) => self.bindings.has_value(*variable),
            TextItem::Dictionary(_) => false,
        };
        !self.keeps_comments && items.iter().all(is_plain)
    }

    fn drops_comments_unless(self, quiet: bool) -> bool {
        quiet || !self.keeps_comments
    }
}

/// Whether a form is pure if its parts are.
fn is_pure_flow<N>(flow: &Flow<N>) -> bool {
    !matches!(flow, Flow::Entry { .. })
}
