//! Loops over squares and men (chapter 3, 8 and 9), and those that repeat until something fails.

use crate::board::Bitboard;
use crate::game::Position;
use crate::query::variables::{PieceVar, SetVar};
use crate::query::{Cond, Set};
use crate::syntax::token::Span;

use super::Eval;
use super::run::Run;

/// The squares of a domain where the body matches; with `first` it ends at the first of them.
pub(super) fn squares<'a>(
    variable: SetVar,
    domain: &'a Set,
    body: &'a Cond,
    first: bool,
    span: Span,
    run: &mut Run<'a>,
    at: &'a Position,
) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    for square in domain.eval(run, at) {
        if run.variables.sets[variable.index()].is_some() {
            already_bound(run, span, at);
            break;
        }
        let mark = run.comments.mark();
        run.variables.sets[variable.index()] = Some(square.into());
        let matches = body.eval(run, at);
        run.variables.sets[variable.index()] = None;
        if matches {
            found |= Bitboard::from(square);
            if first {
                break;
            }
        } else {
            run.comments.cut(mark);
        }
    }
    found
}

/// The same over men: squares of the domain without a man are left out.
pub(super) fn pieces<'a>(
    variable: PieceVar,
    domain: &'a Set,
    body: &'a Cond,
    first: bool,
    span: Span,
    run: &mut Run<'a>,
    at: &'a Position,
) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    for square in domain.eval(run, at) {
        let Some(man) = run.identities.man(at.id, square) else {
            continue;
        };
        if run.variables.pieces[variable.index()].is_some() {
            already_bound(run, span, at);
            break;
        }
        let mark = run.comments.mark();
        run.variables.pieces[variable.index()] = Some(man);
        let matches = body.eval(run, at);
        run.variables.pieces[variable.index()] = None;
        if matches {
            found |= Bitboard::from(square);
            if first {
                break;
            }
        } else {
            run.comments.cut(mark);
        }
    }
    found
}

/// Whether the body matches for every square of the domain.
pub(super) fn all_squares<'a>(
    variable: SetVar,
    domain: &'a Set,
    body: &'a Cond,
    span: Span,
    run: &mut Run<'a>,
    at: &'a Position,
) -> bool {
    let mark = run.comments.mark();
    for square in domain.eval(run, at) {
        if run.variables.sets[variable.index()].is_some() {
            already_bound(run, span, at);
            return false;
        }
        run.variables.sets[variable.index()] = Some(square.into());
        let matches = body.eval(run, at);
        run.variables.sets[variable.index()] = None;
        if !matches {
            run.comments.cut(mark);
            return false;
        }
    }
    true
}

/// Whether the body matches for every man on the domain.
pub(super) fn all_pieces<'a>(
    variable: PieceVar,
    domain: &'a Set,
    body: &'a Cond,
    span: Span,
    run: &mut Run<'a>,
    at: &'a Position,
) -> bool {
    let mark = run.comments.mark();
    for square in domain.eval(run, at) {
        let Some(man) = run.identities.man(at.id, square) else {
            continue;
        };
        if run.variables.pieces[variable.index()].is_some() {
            already_bound(run, span, at);
            return false;
        }
        run.variables.pieces[variable.index()] = Some(man);
        let matches = body.eval(run, at);
        run.variables.pieces[variable.index()] = None;
        if !matches {
            run.comments.cut(mark);
            return false;
        }
    }
    true
}

/// `loop f`: whether f matched at least once before it failed.
pub(super) fn until_failure<'a>(body: &'a Cond, span: Span, run: &mut Run<'a>, at: &'a Position) -> bool {
    let mut matched = false;
    while body.eval(run, at) {
        matched = true;
        if is_endless(span, run, at) {
            return false;
        }
    }
    matched
}

/// `while (t) f`
pub(super) fn as_long_as<'a>(test: &'a Cond, body: &'a Cond, span: Span, run: &mut Run<'a>, at: &'a Position) -> bool {
    while test.eval(run, at) {
        body.eval(run, at);
        if is_endless(span, run, at) {
            return false;
        }
    }
    true
}

/// Counts a round of a loop. Ends the run when there are too many at one position.
pub(super) fn is_endless(span: Span, run: &mut Run<'_>, at: &Position) -> bool {
    run.rounds += 1;
    if run.rounds > run.max_rounds {
        run.stop(
            span,
            "a loop does not end",
            &format!(
                "more than {} rounds at one position; `--max-rounds` allows more",
                run.max_rounds
            ),
            at,
        );
    }
    run.stop.is_some()
}

pub(super) fn already_bound(run: &mut Run<'_>, span: Span, at: &Position) {
    run.stop(
        span,
        "the variable of a loop has a value already",
        "it must be unbound when each round begins",
        at,
    );
}
