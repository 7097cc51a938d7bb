//! The versions that a transform made of a filter (chapter 4, 6.3 and 6.6).
//!
//! Every version is evaluated once in order, unless it has no side effects and the result is known.

use smallvec::SmallVec;

use crate::board::Bitboard;
use crate::game::Position;
use crate::query::transform::{Guard, Versions};
use crate::query::{Cond, Num, Range, Set};

use super::run::Run;
use super::{Eval, sets};

/// The union of the values of all versions.
pub(super) fn union<'a>(versions: &'a Versions<Set>, run: &mut Run<'a>, at: &'a Position) -> Bitboard {
    versions
        .copies
        .iter()
        .fold(Bitboard::EMPTY, |found, copy| found | copy.eval(run, at))
}

/// Whether some version matches.
pub(super) fn any<'a>(versions: &'a Versions<Cond>, run: &mut Run<'a>, at: &'a Position) -> bool {
    if versions.pure {
        return match &versions.guard {
            None => versions.copies.iter().any(|copy| copy.eval(run, at)),
            Some(guard) => any_guarded(guard, &versions.copies, run, at),
        };
    }
    let mark = run.comments.mark();
    let found = matching(versions, run, at) > 0;
    if !found {
        run.comments.cut(mark);
    }
    found
}

/// Whether some version matches: those are passed over for which one of the first designators is empty.
fn any_guarded<'a>(guard: &Guard, copies: &'a [Cond], run: &mut Run<'a>, at: &'a Position) -> bool {
    let men: SmallVec<[Bitboard; 8]> = guard
        .contents
        .iter()
        .map(|contents| sets::with_contents(*contents, &at.board))
        .collect();
    let mut pairs = guard.squares.chunks_exact(men.len()).zip(copies);
    pairs.any(|(squares, copy)| {
        squares.iter().zip(&men).all(|(squares, men)| squares.intersects(*men))
            && (guard.complete || copy.eval(run, at))
    })
}

/// How many versions match, if that number is asked for.
pub(super) fn count<'a>(
    versions: &'a Versions<Cond>,
    range: Range,
    run: &mut Run<'a>,
    at: &'a Position,
) -> Option<i32> {
    let mark = run.comments.mark();
    let found = matching(versions, run, at);
    let found = run.within(found, range, at);
    if found.is_none() {
        run.comments.cut(mark);
    }
    found
}

/// Evaluates all versions; the comments of those that match are kept.
fn matching<'a>(versions: &'a Versions<Cond>, run: &mut Run<'a>, at: &'a Position) -> i32 {
    let mut found = 0;
    for copy in &versions.copies {
        let mark = run.comments.mark();
        if copy.eval(run, at) {
            found += 1;
        } else {
            run.comments.cut(mark);
        }
    }
    found
}

/// The greatest value of the versions; the comments of those that have it are kept.
pub(super) fn greatest<'a>(versions: &'a Versions<Num>, run: &mut Run<'a>, at: &'a Position) -> Option<i32> {
    super::numbers::extreme(&versions.copies, |new, old| new > old, run, at)
}
