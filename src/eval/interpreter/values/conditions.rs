//! Conditions: logic, assignments, facts about the position and about the move that led to it.

use shakmaty::Outcome;

use crate::board::Board;
use crate::board::legality::could_stand;
use crate::chess::{MoveKind, Position};
use crate::game::has_any_case;
use crate::moves::{is_mate, is_stalemate};
use crate::query::ast::numbers::SetNumber;
use crate::query::{BoundName, CondExpr, Filter, Node, NumExpr, StrExpr};
use crate::syntax::token::Designator;

use crate::eval::context::Context;
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::control::{flow, loops, transforms};
use crate::eval::interpreter::imagine::lookahead;
use crate::eval::interpreter::paths::{line, path};
use crate::eval::interpreter::text::{columns, files, hhdb, patterns};
use crate::eval::interpreter::tree::{echo, similar};
use crate::eval::interpreter::values::{numbers, sets};
use crate::eval::interpreter::variables::{assignments, dictionaries};
use crate::eval::interpreter::{moves, text};
use crate::eval::lineage;
use crate::eval::report::MatchValue;

/// Returns whether a condition matches at a position.
pub(crate) fn eval<'a>(node: &'a Node<CondExpr>, context: &mut Context<'a>, at: &'a Position) -> bool {
    match &node.kind {
        CondExpr::Constant(matches) => *matches,
        CondExpr::NonEmpty(set) => sets::any(set, context, at),
        CondExpr::HasNumber(number) => match &number.kind {
            // Handling the most frequent forms here saves a call.
            NumExpr::Compare(comparison, left, right) => match (left.kind.counted_of_all_legal(), &right.kind) {
                (Some(counted), NumExpr::Literal(limit)) => {
                    moves::has_so_many(counted, (*comparison, *limit), context.game, context.branch, at)
                }
                _ => numbers::compare(*comparison, left, right, context, at).is_some(),
            },
            NumExpr::Path(path) => path::number(path, context, at).is_some(),
            NumExpr::Line(line) => line::number(line, context, at).is_some(),
            // These always have a value. As in the reference, the set is not evaluated if its value is not needed.
            NumExpr::Count(_) | NumExpr::OfSet(SetNumber::Power, _) => true,
            _ => number.eval(context, at).is_some(),
        },
        CondExpr::HasString(string) => match &string.kind {
            StrExpr::Match {
                target,
                pattern,
                kept: false,
            } => patterns::is_matched(target, pattern, string.span, context, at),
            _ => string.eval(context, at).is_some(),
        },
        CondExpr::HasPosition(position) => position.eval(context, at).is_some(),
        CondExpr::Not(filter) => {
            let mark = context.comments.mark();
            let matches = filter.eval(context, at);
            context.comments.cut(mark);
            !matches
        }
        CondExpr::And(left, right) => undone(context, |context| {
            let holds = left.eval(context, at);
            if !holds {
                context.aside(|context| {
                    right.eval(context, at);
                });
            }
            holds && right.eval(context, at)
        }),
        CondExpr::Or(left, right) => undone(context, |context| left.eval(context, at) || right.eval(context, at)),
        CondExpr::SameSet(left, right) => undone(context, |context| left.eval(context, at) == right.eval(context, at)),
        CondExpr::Subset(left, right) => {
            let left = left.eval(context, at);
            left.is_subset(right.eval(context, at))
        }
        CondExpr::Substring(part, whole) => match part.eval(context, at) {
            Some(part) => context
                .holding(part.len(), (node.span, at), |context| whole.eval(context, at))
                .is_some_and(|whole| memchr::memmem::find(&whole, &part).is_some()),
            None => false,
        },
        CondExpr::SubstringInAnyCase(part, whole) => {
            whole.eval(context, at).is_some_and(|whole| has_any_case(&whole, part))
        }
        CondExpr::Equal(left, right) => {
            let left = value(left, context, at);
            let right = context.holding(left.bytes(), (node.span, at), |context| Some(value(right, context, at)));
            right.is_some_and(|right| left == right)
        }
        CondExpr::Check => context.game.is_check(at),
        CondExpr::Mate => is_mate(context.game, at),
        CondExpr::Stalemate => is_stalemate(context.game, at),
        CondExpr::LegalPosition => could_stand(&at.board, at.turn),
        CondExpr::ToMove(color) => at.turn == *color,
        CondExpr::Initial => at.id == 0,
        CondExpr::Terminal => at.last == at.id,
        CondExpr::Mainline => at.depth == 0,
        CondExpr::Variation => at.depth > 0,
        CondExpr::Primary => at.id != 0 && at.choice == 0,
        CondExpr::Secondary => at.choice > 0,
        CondExpr::VirtualMainline => lineage::is_virtual_mainline(context.game, at),
        CondExpr::Echo(echo) => echo::any(echo, context, at),
        CondExpr::Similar => similar::lowest_game(context, at).is_some(),
        CondExpr::Castled(side) => match at.arrival.kind {
            MoveKind::Castle(castled) => side.is_none_or(|side| side == castled),
            _ => false,
        },
        CondExpr::EnPassant => at.arrival.kind == MoveKind::EnPassant,
        CondExpr::NullMove => at.arrival.kind == MoveKind::Null,
        CondExpr::Ancestor { ancestor, descendant } => match descendant.eval(context, at) {
            Some(descendant) => ancestor
                .eval(context, at)
                .is_some_and(|ancestor| lineage::is_ancestor(ancestor, descendant)),
            None => false,
        },
        CondExpr::Move(parameters) => moves::any_move(parameters, context, at),
        CondExpr::AllLookahead(moves) => lookahead::all(moves, node.span, context, at),
        CondExpr::Variant(variant) => context.game.variant == *variant,
        CondExpr::Result(result) => context.game.result == Outcome::Known(*result),
        CondExpr::Placement(designators) => placed(designators, &at.board),
        CondExpr::Study(filter) => hhdb::matches(*filter, context, at),
        CondExpr::Symbol(symbol) => {
            let mut symbols = context.game.commands.symbols(at.id);
            symbols.any(|number| number == u32::from(*symbol))
        }
        CondExpr::Judged(judgement) => context.game.is_judged(at, *judgement),
        CondExpr::IsBound { name, bound } => {
            let has_value = match context.query.bound_names[*name as usize] {
                BoundName::Variable(variable) => context.variables.is_bound(variable),
                BoundName::Always => true,
                BoundName::Never => false,
            };
            has_value == *bound
        }
        CondExpr::Assert(test) => {
            let holds = test.eval(context, at);
            if !holds {
                context.stop(node.span, "an assertion does not hold", "asserted here", at);
            }
            holds
        }
        CondExpr::Abort => {
            context.stop(node.span, "`cql_abort` ends the run", "evaluated here", at);
            false
        }
        CondExpr::All(each) => loops::all(each, node.span, context, at),
        CondExpr::AllFused(fused) => {
            let (domain, kept) = loops::fused(fused, context, at);
            domain == kept
        }
        CondExpr::Loop(body) => loops::until_failure(body, node.span, context, at),
        CondExpr::While { test, body } => loops::as_long_as(test, body, node.span, context, at),
        CondExpr::WhileMatch { target, pattern, body } => patterns::each(target, pattern, body, node.span, context, at),
        CondExpr::Dictionary(dictionary, action) => dictionaries::act(*dictionary, action, node.span, context, at),
        CondExpr::WriteFile { name, content } => files::write(name, content, node.span, context, at),
        CondExpr::Message { quiet, items } => text::message(*quiet, items, node.span, context, at),
        CondExpr::Comment(items) => text::comment(items, node.span, context, at),
        CondExpr::Column(column, filter) => {
            columns::keep(*column, filter, node.span, context, at);
            true
        }
        CondExpr::SetTag(name, value) => match value.eval(context, at) {
            Some(value) => context.set_tag(name, value.into_owned(), node.span, at),
            None => false,
        },
        CondExpr::RemoveComment => {
            if !context.query.annotations.no_remove_comment {
                context.remove_comment(at.id);
            }
            true
        }
        CondExpr::Versions(versions) => transforms::any(versions, context, at),
        CondExpr::Flow(form) => flow::eval(form, context, at),
        CondExpr::Assign(assignment) => assignments::assign(assignment, node.span, context, at).is_some(),
    }
}

/// Evaluates a part that drops its comments when it fails.
#[inline]
fn undone<'a>(context: &mut Context<'a>, evaluate: impl FnOnce(&mut Context<'a>) -> bool) -> bool {
    context.undone(|context| evaluate(context).then_some(())).is_some()
}

/// Returns whether every designator of a placement matches the board.
pub(crate) fn placed(designators: &[Designator], board: &Board) -> bool {
    designators
        .iter()
        .all(|designator| sets::designated(designator, board).any())
}

/// Returns the value of any filter, for comparison with any other. A missing value equals that of a condition that fails.
fn value<'a>(filter: &'a Filter, context: &mut Context<'a>, at: &'a Position) -> MatchValue {
    match columns::value(filter, context, at) {
        MatchValue::Unknown => MatchValue::Truth(false),
        known => known,
    }
}
