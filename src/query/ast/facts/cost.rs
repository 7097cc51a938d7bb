//! What evaluating a filter once costs. It is an estimate by which tests are ordered and parts of queries are compared.
//!
//! The unit is a look at the squares of one kind of piece. The proportions of attacks, rays, pawn structure and check are those of
//! measured times; the others are guesses. A filter costs what its form costs and what its parts cost. Every part counts as if it were reached, and:
//!
//! * a loop over squares costs its body once for each square that its domain mostly has;
//! * copies of a transform cost what they cost one by one; where their pieces are compared first, the pieces once and a copy in
//!   [`COPIES_LEFT`];
//! * what is remembered position by position is evaluated once at a position; otherwise `find` tries half of the
//!   [`POSITIONS`] of a game;
//! * `echo` asks the source once and the target once a game at each position; pairs with all positions of a game, or
//!   with [`FEW`] if values are looked up;
//! * `path` and `line` take their steps once, [`LENGTH`] times if some repeat without a fixed number, and [`WAYS`] times as
//!   often if all ways are tried.

use crate::board::Contents;
use crate::query::ast::echo::{Echo, JoinSide};
use crate::query::ast::moves::Lookahead;
use crate::query::ast::node::{Expression, Node, Set};
use crate::query::ast::program::{Program, Step};
use crate::query::ast::sets::SetExpr;
use crate::query::ast::versions::Versions;
use crate::query::ast::{Effect, Find};
use crate::syntax::token::Designator;

/// The positions of a game.
const POSITIONS: f64 = 80.0;
/// One in this many copies has to be evaluated after its pieces have been compared.
const COPIES_LEFT: f64 = 16.0;
/// A small number of rounds, ways or positions.
const FEW: f64 = 2.0;
/// The moves of a sequence that may be of any length.
const LENGTH: f64 = 10.0;
/// The ways through a sequence of moves that fits in many.
const WAYS: f64 = 16.0;
/// The rounds of `loop` and `while`.
pub(super) const ROUNDS: f64 = 8.0;

/// The side to move, or the place in the game: less than any look at the board.
pub(super) const AT_HAND: f64 = 0.5;
/// Attacks of pieces on pieces, and where lines cross.
pub(super) const ATTACKS: f64 = 12.0;
/// Rays between sets.
pub(super) const RAY: f64 = 20.0;
/// Pins.
pub(super) const PINS: f64 = 24.0;
/// Pawn structure.
pub(super) const PAWNS: f64 = 8.0;
/// Check, and a mate where there is check now and then.
pub(super) const CHECK: f64 = 8.0;
/// The value of material.
pub(super) const POWER: f64 = 10.0;
/// The played move or moves.
pub(super) const PLAYED_MOVES: f64 = 4.0;
/// All legal moves.
pub(super) const LEGAL_MOVES: f64 = 120.0;
/// Moves that are tried, of which there are about this many.
pub(super) const TRIALS: f64 = 30.0;
/// The moves that can give check.
const CHECKING_MOVES: f64 = 24.0;
/// A tag.
pub(super) const TAG: f64 = 2.0;
/// A look into tablebases, mostly one for each capture.
pub(super) const TABLEBASE: f64 = 80.0;
/// A search for a regular expression.
pub(super) const PATTERN: f64 = 20.0;
/// Putting a text together.
pub(super) const TEXT: f64 = 20.0;

/// A designator: one kind of piece, or several.
pub(super) fn of_designator(designator: Designator) -> f64 {
    if designator.contents.0.is_power_of_two() {
        1.0
    } else {
        3.0
    }
}

/// How many squares a set mostly has at most, which is how often a loop over it goes round.
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

/// How many pieces of some kinds there are at the start of a game, which is about as many as there ever are.
fn pieces(contents: Contents) -> u64 {
    const NUMBERS: [u64; 6] = [1, 1, 2, 2, 2, 8];
    let number = |bit: usize| match bit {
        0..=5 => NUMBERS[bit],
        7..=12 => NUMBERS[bit - 7],
        _ => 0,
    };
    (0..13).filter(|bit| contents.0 >> bit & 1 != 0).map(number).sum()
}

/// The copies of a transform.
pub(super) fn of_copies<E: Expression>(versions: &Versions<Box<Node<E>>>) -> f64 {
    let all: f64 = versions.copies.iter().map(|copy| copy.facts.cost).sum();
    match &versions.guard {
        Some(guard) if versions.pure => {
            let pieces = guard.contents.len() as f64;
            let compared = match guard.figure {
                Some(_) => pieces,
                None => pieces + versions.copies.len() as f64 / FEW,
            };
            compared + if guard.complete { 0.0 } else { all / COPIES_LEFT }
        }
        _ => all,
    }
}

/// A `find`.
pub(super) fn of_find(find: &Find) -> f64 {
    let times = if find.memo.is_some() && find.effect.may_be_repeated() {
        1.0
    } else if find.lookup.is_some() && find.effect_if_bound.may_be_repeated() {
        FEW
    } else {
        POSITIONS / FEW
    };
    1.0 + times * find.body.facts.cost
}

/// An `echo`.
pub(super) fn of_echo(echo: &Echo) -> f64 {
    let repeats = echo.effect.may_be_repeated();
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

/// How often the steps of a program are taken.
pub(super) fn rounds_of<S: Step>(program: &Program<S>, effect: Effect) -> f64 {
    let length = if program.has_rounds() { LENGTH } else { 1.0 };
    let tries_all = program.is_ambiguous() && !effect.may_be_repeated();
    if tries_all { WAYS * length } else { length }
}

/// Moves that are tried, without the first look at their target.
pub(super) fn of_lookahead(moves: &Lookahead) -> f64 {
    match moves.required {
        Some(_) => CHECKING_MOVES,
        None => of_all_moves(moves),
    }
}

/// Playing all moves that fit, and asking their target again after each of them, without the first look at it.
pub(super) fn of_all_moves(moves: &Lookahead) -> f64 {
    let target = moves.target.as_ref();
    LEGAL_MOVES + target.map_or(0.0, |target| TRIALS * (1.0 + target.facts.cost))
}
