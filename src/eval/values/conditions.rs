//! Conditions: logic, assignments, facts about the position and the move that led to it.

use shakmaty::Outcome;

use crate::board::{Bitboard, Board};
use crate::game::{MoveKind, Position, moves_freely};
use crate::query::numbers::SetNumber;
use crate::query::{BoundName, CondExpr, Filter, Node, NumExpr};
use crate::syntax::token::Designator;

use crate::eval::context::Run;
use crate::eval::control::{flow, loops, transforms};
use crate::eval::paths::{line, path};
use crate::eval::text::{files, hhdb, patterns};
use crate::eval::tree::{echo, similar};
use crate::eval::values::strings::Text;
use crate::eval::values::{numbers, positions, sets};
use crate::eval::variables::{assignments, dictionaries};
use crate::eval::{Eval, moves, text};

/// Whether a condition matches at a position.
pub(crate) fn eval<'a>(node: &'a Node<CondExpr>, run: &mut Run<'a>, at: &'a Position) -> bool {
    match &node.kind {
        CondExpr::Constant(matches) => *matches,
        CondExpr::NonEmpty(set) => sets::any(set, run, at),
        CondExpr::HasNumber(number) => match &number.kind {
            // The most frequent are spared a call.
            NumExpr::Compare(comparison, left, right) => numbers::compare(*comparison, left, right, run, at).is_some(),
            NumExpr::Path(path) => path::number(path, run, at).is_some(),
            NumExpr::Line(line) => line::number(line, run, at).is_some(),
            // These always have a value. As in the reference, the set is not evaluated where nobody asks for it.
            NumExpr::Count(_) | NumExpr::OfSet(SetNumber::Power, _) => true,
            _ => number.eval(run, at).is_some(),
        },
        CondExpr::HasString(string) => string.eval(run, at).is_some(),
        CondExpr::HasPosition(position) => position.eval(run, at).is_some(),
        CondExpr::Not(filter) => {
            let mark = run.comments.mark();
            let matches = filter.eval(run, at);
            run.comments.cut(mark);
            !matches
        }
        CondExpr::And(left, right) => undone(run, |run| left.eval(run, at) && right.eval(run, at)),
        CondExpr::Or(left, right) => undone(run, |run| left.eval(run, at) || right.eval(run, at)),
        CondExpr::SameSet(left, right) => undone(run, |run| left.eval(run, at) == right.eval(run, at)),
        CondExpr::Subset(left, right) => {
            let left = left.eval(run, at);
            left.is_subset(right.eval(run, at))
        }
        CondExpr::Substring(part, whole) => match part.eval(run, at) {
            Some(part) => run
                .holding(part.len(), (node.span, at), |run| whole.eval(run, at))
                .is_some_and(|whole| memchr::memmem::find(&whole, &part).is_some()),
            None => false,
        },
        CondExpr::Equal(left, right) => {
            let left = value(left, run, at);
            let right = run.holding(left.bytes(), (node.span, at), |run| Some(value(right, run, at)));
            right.is_some_and(|right| left == right)
        }
        CondExpr::Check => run.game.is_check(at),
        CondExpr::Mate => run.game.is_check(at) && !run.legal_moves(at).any() && !run.game.is_variant_end(at),
        CondExpr::Stalemate => {
            at.last == at.id
                && !run.game.is_check(at)
                && !moves_freely(run.game, at)
                && !run.legal_moves(at).any()
                && !run.game.is_variant_end(at)
        }
        CondExpr::ToMove(color) => at.turn == *color,
        CondExpr::Initial => at.id == 0,
        CondExpr::Terminal => at.last == at.id,
        CondExpr::Mainline => at.depth == 0,
        CondExpr::Variation => at.depth > 0,
        CondExpr::Primary => at.id != 0 && at.choice == 0,
        CondExpr::Secondary => at.choice > 0,
        CondExpr::VirtualMainline => positions::is_virtual_mainline(run.game, at),
        CondExpr::Echo(echo) => echo::any(echo, run, at),
        CondExpr::Similar => similar::lowest_game(run, at).is_some(),
        CondExpr::Castled(side) => match at.arrival.kind {
            MoveKind::Castle(castled) => side.is_none_or(|side| side == castled),
            _ => false,
        },
        CondExpr::EnPassant => at.arrival.kind == MoveKind::EnPassant,
        CondExpr::NullMove => at.arrival.kind == MoveKind::Null,
        CondExpr::Ancestor { ancestor, descendant } => match descendant.eval(run, at) {
            Some(descendant) => ancestor
                .eval(run, at)
                .is_some_and(|ancestor| positions::is_ancestor(ancestor, descendant)),
            None => false,
        },
        CondExpr::Move(parameters) => moves::any_move(parameters, run, at),
        CondExpr::Variant(variant) => run.game.variant == *variant,
        CondExpr::Result(result) => run.game.result == Outcome::Known(*result),
        CondExpr::Placement(designators) => placed(designators, &at.board),
        CondExpr::Study(filter) => hhdb::matches(*filter, run, at),
        CondExpr::Symbol(symbol) => run.game.notes.nags(at.id).any(|nag| nag == u32::from(*symbol)),
        CondExpr::IsBound { name, bound } => {
            let has_value = match run.query.bound_names[*name as usize] {
                BoundName::Variable(variable) => run.variables.is_bound(variable),
                BoundName::Always => true,
                BoundName::Never => false,
            };
            has_value == *bound
        }
        CondExpr::Assert(test) => {
            let holds = test.eval(run, at);
            if !holds {
                run.stop(node.span, "an assertion does not hold", "asserted here", at);
            }
            holds
        }
        CondExpr::Abort => {
            run.stop(node.span, "`cql_abort` ends the run", "evaluated here", at);
            false
        }
        CondExpr::AllSquares(squares) => loops::all(squares, node.span, run, at),
        CondExpr::AllPieces(pieces) => loops::all(pieces, node.span, run, at),
        CondExpr::AllTogether(together) => {
            let (domain, kept) = loops::together(together, run, at);
            domain == kept
        }
        CondExpr::Loop(body) => loops::until_failure(body, node.span, run, at),
        CondExpr::While { test, body } => loops::as_long_as(test, body, node.span, run, at),
        CondExpr::WhileMatch { target, pattern, body } => patterns::each(target, pattern, body, node.span, run, at),
        CondExpr::Dictionary(dictionary, action) => dictionaries::act(*dictionary, action, node.span, run, at),
        CondExpr::WriteFile { name, content } => files::write(name, content, node.span, run, at),
        CondExpr::Message { quiet, items } => text::message(*quiet, items, node.span, run, at),
        CondExpr::Comment(items) => text::comment(items, node.span, run, at),
        CondExpr::SetTag(name, value) => match value.eval(run, at) {
            Some(value) => run.set_tag(name, value.into_owned(), node.span, at),
            None => false,
        },
        CondExpr::RemoveComment => {
            if !run.query.annotations.no_remove_comment {
                run.remove_comment(at.id);
            }
            true
        }
        CondExpr::Versions(versions) => transforms::any(versions, run, at),
        CondExpr::Flow(form) => flow::eval(form, run, at),
        CondExpr::Assign(assignment) => assignments::assign(assignment, node.span, run, at).is_some(),
    }
}

/// Evaluates something that drops its comments when it fails.
fn undone<'a>(run: &mut Run<'a>, evaluate: impl FnOnce(&mut Run<'a>) -> bool) -> bool {
    let mark = run.comments.mark();
    let matches = evaluate(run);
    if !matches {
        run.comments.cut(mark);
    }
    matches
}

/// Whether every designator of a placement fits the board.
fn placed(designators: &[Designator], board: &Board) -> bool {
    designators
        .iter()
        .all(|designator| sets::designated(designator, board).any())
}

/// The value of any filter, to compare with any other: of what has none it is that of a condition that fails.
#[derive(PartialEq)]
enum Value<'a> {
    Set(Bitboard),
    Number(i32),
    String(Text<'a>),
    Position(u32),
    Condition(bool),
}

impl Value<'_> {
    /// How many bytes it has beside those of the type.
    fn bytes(&self) -> usize {
        match self {
            Value::String(string) => string.len(),
            _ => 0,
        }
    }
}

fn value<'a>(filter: &'a Filter, run: &mut Run<'a>, at: &'a Position) -> Value<'a> {
    let found = match filter {
        Filter::Set(set) => Some(Value::Set(set.eval(run, at))),
        Filter::Number(number) => number.eval(run, at).map(Value::Number),
        Filter::String(string) => string.eval(run, at).map(Value::String),
        Filter::Position(position) => position.eval(run, at).map(|position| Value::Position(position.id)),
        Filter::Condition(condition) => Some(Value::Condition(condition.eval(run, at))),
    };
    found.unwrap_or(Value::Condition(false))
}
