//! Estimates the cost of evaluating a filter once, by which tests are ordered and parts of queries are compared.
//!
//! The unit is a look at the squares of one kind of piece. The proportions of attacks, rays, pawn structure and check were measured; the
//! others are guesses. The cost of a filter is the cost of its form plus the costs of its parts, which count as if each were reached:
//!
//! * a loop over squares costs its body once for each square that its domain usually has;
//! * copies of a transform cost the sum of their costs; if their pieces are compared first, they cost the pieces once and a copy in
//!   [`COPIES_LEFT`];
//! * a filter that is remembered position by position is evaluated once at a position; otherwise `find` tries half of the [`POSITIONS`] of
//!   a game;
//! * `echo` evaluates the source once, the target once per game at each position, and pairs with all positions of a game, or with [`FEW`]
//!   if values are looked up;
//! * `path` and `line` take their steps once, [`LENGTH`] times if some repeat without a fixed number, and [`WAYS`] times as often if all
//!   ways are tried.

use super::Effects;
use crate::board::Contents;
use crate::query::ast::Find;
use crate::query::ast::echo::{Echo, JoinSide};
use crate::query::ast::moves::Lookahead;
use crate::query::ast::node::{Expression, Node, Set};
use crate::query::ast::program::{Program, Step};
use crate::query::ast::sets::SetExpr;
use crate::query::ast::versions::Versions;
use crate::syntax::token::Designator;

/// The number of positions of a game.
const POSITIONS: f64 = 80.0;
/// One in this many copies has to be evaluated after its pieces have been compared.
const COPIES_LEFT: f64 = 16.0;
/// A small number of rounds, ways or positions.
const FEW: f64 = 2.0;
/// The number of moves of a sequence that may have any length.
const LENGTH: f64 = 10.0;
/// The number of ways to match an ambiguous sequence of moves.
const WAYS: f64 = 16.0;
/// The number of rounds of `loop` and `while`.
pub(super) const ROUNDS: f64 = 8.0;

/// The side to move, or the place in the game: cheaper than any look at the board.
pub(super) const AT_HAND: f64 = 0.5;
/// Attacks of pieces on pieces, and intersections of lines.
pub(super) const ATTACKS: f64 = 12.0;
/// Rays between sets.
pub(super) const RAY: f64 = 20.0;
/// Pins.
pub(super) const PINS: f64 = 24.0;
/// Pawn structure.
pub(super) const PAWNS: f64 = 8.0;
/// Check, and mate, which is only searched for where there is check.
pub(super) const CHECK: f64 = 8.0;
/// The value of material.
pub(super) const POWER: f64 = 10.0;
/// Moves that were played.
pub(super) const PLAYED_MOVES: f64 = 4.0;
/// All legal moves.
pub(super) const LEGAL_MOVES: f64 = 120.0;
/// The number of moves that are tried.
pub(super) const TRIALS: f64 = 30.0;
/// The moves that can give check.
const CHECKING_MOVES: f64 = 24.0;
/// A tag.
pub(super) const TAG: f64 = 2.0;
/// A probe of tablebases, which usually needs another one for each capture.
pub(super) const TABLEBASE: f64 = 80.0;
/// A search for a regular expression.
pub(super) const PATTERN: f64 = 20.0;
/// Building a text.
pub(super) const TEXT: f64 = 20.0;

/// Returns the cost of a designator: one kind of piece, or several.
pub(super) fn of_designator(designator: Designator) -> f64 {
    if designator.contents.0.is_power_of_two() {
        1.0
    } else {
        3.0
    }
}

/// Returns how many squares a set usually has at most, which is how many rounds a loop over it has.
pub(crate) fn squares(set: &Set) -> u64 {
    match &set.kind {
        SetExpr::Designator(designator) => {
            let pieces = match designator.contents {
                contents if contents.intersects(Contents::EMPTY) => 64,
                contents => pieces(contents),
            };
            pieces.min(designator.squares.count() as u64)
        }
        SetExpr::Constant(constant) => constant.count() as u64,
        SetExpr::FusedLoop(fused) => squares(&fused.domain),
        SetExpr::Intersection(left, right) => squares(left).min(squares(right)),
        SetExpr::Attackers { attackers, .. } => squares(attackers),
        SetExpr::Attacked { targets, .. } => squares(targets),
        SetExpr::Variable(_) | SetExpr::Union(..) => 16,
        SetExpr::Piece(_) | SetExpr::From | SetExpr::To => 1,
        _ => 32,
    }
}

/// Returns how many pieces of some kinds there are at the start of a game, which is about the maximum.
fn pieces(contents: Contents) -> u64 {
    const NUMBERS: [u64; 6] = [1, 1, 2, 2, 2, 8];
    let number = |bit: usize| match bit {
        0..=5 => NUMBERS[bit],
        7..=12 => NUMBERS[bit - 7],
        _ => 0,
    };
    (0..13).filter(|bit| contents.0 >> bit & 1 != 0).map(number).sum()
}

/// Returns the cost of the copies of a transform.
pub(super) fn of_copies<E: Expression>(versions: &Versions<Box<Node<E>>>) -> f64 {
    let all: f64 = versions.copies.iter().map(|copy| copy.facts.cost).sum();
    match &versions.guard {
        Some(guard) if versions.pure => {
            let pieces = guard.contents.len() as f64;
            let compared = match guard.formation {
                Some(_) => pieces,
                None => pieces + versions.copies.len() as f64 / FEW,
            };
            compared + if guard.complete { 0.0 } else { all / COPIES_LEFT }
        }
        _ => all,
    }
}

/// Returns the cost of a `find`.
pub(super) fn of_find(find: &Find) -> f64 {
    let times = if find.memo.is_some() && find.effects.may_be_repeated() {
        1.0
    } else if find.lookup.is_some() && find.effects_if_bound.may_be_repeated() {
        FEW
    } else {
        POSITIONS / FEW
    };
    1.0 + times * find.body.facts.cost
}

/// Returns the cost of an `echo`.
pub(super) fn of_echo(echo: &Echo) -> f64 {
    let repeats = echo.effects.may_be_repeated();
    let pairs = if repeats && !echo.plan.equations.is_empty() {
        FEW
    } else {
        POSITIONS
    };
    let tests = echo.tests.iter().map(|test| match test.subject {
        JoinSide::Source | JoinSide::Target if repeats => test.condition.facts.cost,
        _ => pairs * test.condition.facts.cost,
    });
    let value = echo.value.as_ref().map_or(0.0, |value| pairs * value.facts.cost);
    pairs + tests.sum::<f64>() + value
}

/// Returns how often the steps of a program are taken.
pub(super) fn rounds_of<S: Step>(program: &Program<S>, effects: Effects) -> f64 {
    let length = if program.has_rounds() { LENGTH } else { 1.0 };
    let tries_all = program.is_ambiguous() && !effects.may_be_repeated();
    if tries_all { WAYS * length } else { length }
}

/// Returns the cost of trying moves, without the first evaluation of their target.
pub(super) fn of_lookahead(moves: &Lookahead) -> f64 {
    match moves.required {
        Some(_) => CHECKING_MOVES,
        None => of_all_moves(moves),
    }
}

/// Returns the cost of playing all moves that fit and evaluating their target after each of them, without its first evaluation.
pub(super) fn of_all_moves(moves: &Lookahead) -> f64 {
    let target = moves.target.as_ref();
    LEGAL_MOVES + target.map_or(0.0, |target| TRIALS * (1.0 + target.facts.cost))
}
