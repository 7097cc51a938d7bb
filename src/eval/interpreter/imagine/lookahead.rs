//! `legal --(T)`: one-ply lookahead. Moves are generated one at a time. Each is played on a copy of the position, and T is evaluated there,
//! until the answer is known.

use shakmaty::ByRole;

use crate::board::{Bitboard, Role};
use crate::chess::{Arrival, Position};
use crate::game::Game;
use crate::moves::{MoveFilter, each_move};
use crate::query::ast::moves::MoveSquares;
use crate::query::{Lookahead, Set, Shortcuts};
use crate::syntax::token::Span;

use super::context_free::PositionView;
use super::knows_rules;
use crate::eval::context::Context;
use crate::eval::context::branch::{self, Branch};
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::moves::{becomes, promotion_letters};
use crate::eval::state::sides::Narrowed;

/// Returns where the moves after which the target holds begin or arrive, or what they capture.
pub(crate) fn squares<'a>(moves: &'a Lookahead, span: Span, context: &mut Context<'a>, at: &'a Position) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    each(moves, span, context, at, &mut |arrival, holds| {
        if holds {
            let squares: Bitboard = match moves.value {
                MoveSquares::From => arrival.from.into(),
                MoveSquares::To => arrival.to.into(),
                MoveSquares::Capture => arrival.captured.into_iter().collect(),
            };
            found |= squares;
        }
        false
    });
    found
}

/// Returns whether there is such a move.
pub(crate) fn any<'a>(moves: &'a Lookahead, span: Span, context: &mut Context<'a>, at: &'a Position) -> bool {
    let mut any = false;
    let may_end = context.has(Shortcuts::EARLY_END) && context.is_pure(moves.effects);
    each(moves, span, context, at, &mut |_, holds| {
        any |= holds;
        any && may_end
    });
    any
}

/// Returns whether the target holds after every move that fits.
pub(crate) fn all<'a>(moves: &'a Lookahead, span: Span, context: &mut Context<'a>, at: &'a Position) -> bool {
    let mut all = true;
    let may_end = context.has(Shortcuts::EARLY_END) && context.is_pure(moves.effects);
    after_those_generated(moves, span, context, at, &mut |_, holds| {
        all &= holds;
        !all && may_end
    });
    all
}

/// Returns how many pairs of squares such moves have. Counting stops when there are enough.
pub(crate) fn count<'a>(moves: &'a Lookahead, span: Span, context: &mut Context<'a>, at: &'a Position) -> i32 {
    let mut count = 0;
    let mut last = None;
    let enough = moves.enough.filter(|_| context.is_pure(moves.effects));
    each(moves, span, context, at, &mut |arrival, holds| {
        let pair = (arrival.from, arrival.to);
        if holds && last.replace(pair) != Some(pair) {
            count += 1;
        }
        enough.is_some_and(|enough| count >= enough)
    });
    i32::try_from(count).unwrap_or(i32::MAX)
}

/// Returns the value of a filter after the first fitting move that gives it one.
pub(crate) fn first<'a, E: Eval>(
    moves: &'a Lookahead,
    target: &'a E,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> E::Value<'a> {
    first_move(moves, target, span, context, at).map_or_else(E::missing, |(_, value)| value)
}

/// Returns the first fitting move that gives a filter a value, together with this value.
pub(crate) fn first_move<'a, E: Eval>(
    moves: &'a Lookahead,
    target: &'a E,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
) -> Option<(Arrival, E::Value<'a>)> {
    let mut first = None;
    if knows_rules(span, context, at) {
        let is_context_free = context.has(Shortcuts::CONTEXT_FREE) && target.is_context_free();
        after_each(
            moves,
            target,
            is_context_free,
            span,
            context,
            at,
            &mut |arrival, value| {
                let is_there = !E::is_missing(&value);
                first = is_there.then_some((arrival, value));
                is_there
            },
        );
    }
    first
}

/// Passes fitting moves in order to `found`, each with whether the target holds after it, until `found` returns `true`. Moves
/// after which it does not hold may be left out.
pub(crate) fn each<'a>(
    moves: &'a Lookahead,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
    found: &mut dyn FnMut(Arrival, bool) -> bool,
) {
    if moves.required.is_none() {
        return after_those_generated(moves, span, context, at, found);
    }
    if !knows_rules(span, context, at) {
        return;
    }
    let mut filter = filter(moves, context, at);
    filter.gives = moves.required;
    let branch = context.branch_at(at, true);
    let (game, outer) = (context.game, context.branch);
    generate(&filter, game, outer, at, &mut |role, arrival| {
        let Some(target) = moves.more() else {
            return found(arrival, true);
        };
        context.is_over(span, at)
            || found(
                arrival,
                context_free_after(role, arrival, target.as_ref(), &branch, game, at),
            )
    });
}

/// Passes all fitting moves in order to `found`, each with whether the target holds after it, until `found` returns `true`.
fn after_those_generated<'a>(
    moves: &'a Lookahead,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
    found: &mut dyn FnMut(Arrival, bool) -> bool,
) {
    if !knows_rules(span, context, at) {
        return;
    }
    match &moves.target {
        Some(target) => after_each(moves, target.as_ref(), moves.is_context_free, span, context, at, found),
        None => {
            let filter = filter(moves, context, at);
            generate(&filter, context.game, context.branch, at, &mut |_, arrival| {
                found(arrival, true)
            });
        }
    }
}

/// Passes the fitting moves in order to `found`, each with the value of `target` after it, until `found` returns `true`.
fn after_each<'a, E: Eval>(
    moves: &'a Lookahead,
    target: &'a E,
    is_context_free: bool,
    span: Span,
    context: &mut Context<'a>,
    at: &'a Position,
    found: &mut dyn FnMut(Arrival, E::Value<'a>) -> bool,
) {
    let filter = filter(moves, context, at);
    let branch = context.branch_at(at, true);
    let (game, outer) = (context.game, context.branch);
    if is_context_free {
        generate(&filter, game, outer, at, &mut |role, arrival| {
            context.is_over(span, at) || found(arrival, context_free_after(role, arrival, target, &branch, game, at))
        });
        return;
    }
    let positions = context.take_positions(at);
    let (mut tried, mut inner) = (0, None);
    generate(&filter, game, outer, at, &mut |role, arrival| {
        let inner = inner.get_or_insert_with(|| context.imagine(&branch));
        let Some(place) = positions.get(tried) else {
            return true;
        };
        let id = branch.first_id() + tried as u32;
        let after = place.get_or_init(|| game.after(at, role, arrival, id));
        tried += 1;
        if inner.is_over(span, after) {
            return true;
        }
        inner.narrowed = Some(narrowed(id, &arrival));
        let value = E::kept(target.eval(inner, after));
        inner.stop.is_some() || found(arrival, value)
    });
    if let Some(inner) = inner {
        context.wake(inner, at);
    }
    context.keep_positions(positions, tried);
}

/// Returns the value of a context-free filter after a move.
fn context_free_after<'a, E: Eval>(
    role: Role,
    arrival: Arrival,
    target: &E,
    branch: &Branch<'_>,
    game: &Game,
    at: &Position,
) -> E::Value<'a> {
    let after = game.after(at, role, arrival, branch.first_id());
    let scene = PositionView {
        game,
        branch,
        narrowed: Some(narrowed(after.id, &arrival)),
    };
    target.context_free(&scene, &after)
}

/// Returns the squares of `from` and `to` after a move. For castling this is only the king's step, as in the values of moves.
fn narrowed(position: u32, arrival: &Arrival) -> Narrowed {
    Narrowed {
        position,
        from: arrival.from.into(),
        to: arrival.to.into(),
    }
}

/// Passes the fitting moves with the moving piece to `found`: ordered by origin, then by arrival, then by promotion.
fn generate(
    filter: &MoveFilter,
    game: &Game,
    branch: Option<&Branch<'_>>,
    at: &Position,
    found: &mut dyn FnMut(Role, Arrival) -> bool,
) {
    each_move(game, at, filter, &|| branch::arrivals(branch, game, at), found);
}

/// Returns the filter for moves, evaluated at the position where they are tried.
fn filter<'a>(moves: &'a Lookahead, context: &mut Context<'a>, at: &'a Position) -> MoveFilter {
    context.elsewhere(|context| {
        let mut squares = |set: &'a Option<Set>| set.as_ref().map(|set| set.eval(context, at));
        let from = squares(&moves.from).unwrap_or(Bitboard::FULL);
        let to = squares(&moves.to).unwrap_or(Bitboard::FULL);
        let captured = squares(&moves.captured);
        let promotion = moves.promotion.as_ref().map(|promotion| {
            let letters = promotion_letters(promotion, context, at);
            ByRole::new_with(|role| becomes(promotion, letters.as_deref(), role))
        });
        MoveFilter {
            pseudo: moves.pseudo,
            respects_fen: true,
            special: moves.special,
            from,
            to,
            captured,
            promotion,
            gives: None,
        }
    })
}
