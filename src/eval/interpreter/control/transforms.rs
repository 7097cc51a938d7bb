//! The versions that a transform made of a filter (chapter 4, 6.3 and 6.6).
//!
//! Each version is evaluated once, in order, unless it has no side effects and the result is known.

use smallvec::SmallVec;

use crate::board::{Bitboard, Board, Contents};
use crate::chess::Position;
use crate::query::ast::versions::{Formation, Guard, Versions};
use crate::query::{Cond, Num, Range, Set};

use crate::eval::context::Context;
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::values::numbers::extreme;

/// Returns the union of the values of all versions.
pub(crate) fn union<'a>(versions: &'a Versions<Set>, context: &mut Context<'a>, at: &'a Position) -> Bitboard {
    versions
        .copies
        .iter()
        .fold(Bitboard::EMPTY, |found, copy| found | copy.eval(context, at))
}

/// Returns whether a version matches.
pub(crate) fn any<'a>(versions: &'a Versions<Cond>, context: &mut Context<'a>, at: &'a Position) -> bool {
    if versions.pure {
        return match &versions.guard {
            None => versions.copies.iter().any(|copy| copy.eval(context, at)),
            Some(guard) => any_guarded(guard, &versions.copies, context, at),
        };
    }
    let found = context.undone(|context| Some(matching(versions, context, at)).filter(|found| *found > 0));
    found.is_some()
}

/// Returns whether a version matches. Skips versions in which one of the first designators is empty.
fn any_guarded<'a>(guard: &Guard, copies: &'a [Cond], context: &mut Context<'a>, at: &'a Position) -> bool {
    let mut pairs = guard.squares.chunks_exact(guard.contents.len()).zip(copies);
    if let Some(formation) = &guard.formation {
        let anchors = anchors(formation, &guard.contents, &at.board);
        let stands = |squares: &[Bitboard]| squares.first().is_some_and(|first| first.intersects(anchors));
        return anchors.any()
            && (guard.complete || pairs.any(|(squares, copy)| stands(squares) && copy.eval(context, at)));
    }
    let pieces: SmallVec<[Bitboard; 8]> = guard.contents.iter().map(|contents| contents.on(&at.board)).collect();
    pairs.any(|(squares, copy)| {
        squares
            .iter()
            .zip(&pieces)
            .all(|(squares, pieces)| squares.intersects(*pieces))
            && (guard.complete || copy.eval(context, at))
    })
}

/// Returns the squares where the first piece of a formation is. The pieces of each kind are shifted to the first piece's square and must meet there.
fn anchors(formation: &Formation, contents: &[Contents], board: &Board) -> Bitboard {
    let mut anchors = formation.anchors;
    for (contents, offset) in contents.iter().zip(&formation.offsets) {
        let pieces = contents.on(board).0;
        let moved = if *offset >= 0 {
            pieces >> offset
        } else {
            pieces << offset.unsigned_abs()
        };
        anchors &= Bitboard(moved);
        if anchors.is_empty() {
            break;
        }
    }
    anchors
}

/// Returns how many versions match, if that number is in the range.
pub(crate) fn count<'a>(
    versions: &'a Versions<Cond>,
    range: Range,
    context: &mut Context<'a>,
    at: &'a Position,
) -> Option<i32> {
    context.undone(|context| {
        let found = matching(versions, context, at);
        context.within(found, range, at)
    })
}

/// Evaluates all versions and returns how many match. A version that fails drops only the comments that its filters drop.
fn matching<'a>(versions: &'a Versions<Cond>, context: &mut Context<'a>, at: &'a Position) -> i32 {
    versions
        .copies
        .iter()
        .map(|copy| i32::from(copy.eval(context, at)))
        .sum()
}

/// Returns the greatest value of the versions. Comments of versions with smaller values are dropped.
pub(crate) fn greatest<'a>(versions: &'a Versions<Num>, context: &mut Context<'a>, at: &'a Position) -> Option<i32> {
    extreme(&versions.copies, |new, old| new > old, |_| 0, context, at)
}
