//! `find`: a search of the subtree below a position or of the way back to the initial position (chapter 5, 8).
//!
//! A body that depends on nothing but the position is evaluated once for each position of a game: its answers are kept, and
//! every `find` reads the next match, the number of matches or the nearest match on the way back off them.

use crate::game::Position;
use crate::query::Find;
use crate::query::numbers::FindCount;

use crate::eval::Eval;
use crate::eval::context::Run;
use crate::eval::context::memo::{FindMemo, Nearest};

/// The first position where the body matches.
pub(crate) fn first<'a>(find: &'a Find, run: &mut Run<'a>, at: &'a Position) -> Option<&'a Position> {
    let game = run.game;
    let found = match (memo(find, run), find.backward) {
        (Some(memo), false) => next_match(find, memo, run, at.id, at.last).and_then(|id| run.position(id)),
        (Some(memo), true) => nearest_match(find, memo, run, at),
        (None, false) => subtree(run, at).iter().find(|candidate| matches(find, run, candidate)),
        (None, true) => game.path_back(at).find(|candidate| matches(find, run, candidate)),
    };
    if let Some(found) = found
        && run.automatic_comments(find.quiet)
    {
        run.comments.add(found.id, b"Found".to_vec());
    }
    found
}

/// How many positions match, if that number is asked for.
pub(crate) fn count<'a>(find: &'a Find, count: &FindCount, run: &mut Run<'a>, at: &'a Position) -> Option<i32> {
    let game = run.game;
    let mut found = Vec::new();
    let commented = run.automatic_comments(find.quiet);
    let mut total = 0;
    let mut note = |id: u32| {
        total += 1;
        if commented {
            found.push(id);
        }
    };
    match (memo(find, run), find.backward) {
        (Some(memo), false) => {
            answer_all(find, memo, run, at);
            run.memos.finds[memo].matches.holding(at.id, at.last).for_each(note);
        }
        (Some(memo), true) => {
            let mut start = Some(at);
            while let Some(match_) = start.and_then(|start| nearest_match(find, memo, run, start)) {
                note(match_.id);
                start = game.parent(match_);
            }
        }
        (None, false) => {
            for candidate in subtree(run, at) {
                if matches(find, run, candidate) {
                    note(candidate.id);
                }
            }
        }
        (None, true) => {
            for candidate in game.path_back(at) {
                if matches(find, run, candidate) {
                    note(candidate.id);
                }
            }
        }
    }
    let total = match count {
        FindCount::All => (total > 0).then_some(total),
        FindCount::Within(range) => run.within(total, *range, at),
    }?;
    for (index, id) in found.into_iter().enumerate() {
        let text = format!("Found {} of {total}", index + 1).into_bytes();
        if !run.has_room(text.len(), find.body.span, at) {
            return None;
        }
        run.comments.add(id, text);
    }
    Some(total)
}

fn matches<'a>(find: &'a Find, run: &mut Run<'a>, candidate: &'a Position) -> bool {
    !run.is_over(find.body.span, candidate) && run.elsewhere(|run| find.body.eval(run, candidate))
}

/// A position and all its descendants.
fn subtree<'a>(run: &Run<'a>, at: &Position) -> &'a [Position] {
    let game = run.game;
    game.positions
        .get(at.id as usize..=at.last as usize)
        .unwrap_or_default()
}

/// The place of the memo that may be used, with room for the game.
fn memo(find: &Find, run: &mut Run<'_>) -> Option<usize> {
    let place = find.memo? as usize;
    if !run.is_pure(find.effect) {
        return None;
    }
    let positions = run.game.positions.len();
    if run.memos.finds[place].matches.is_empty() {
        let bytes = positions * (1 + if find.backward { size_of::<Option<Nearest>>() } else { 0 });
        let at = run.position(0)?;
        if !run.has_room(bytes, find.body.span, at) {
            return None;
        }
        run.memos.note(bytes);
    }
    let FindMemo { matches, nearest } = &mut run.memos.finds[place];
    matches.resize(positions);
    if find.backward {
        nearest.resize(positions, None);
    }
    Some(place)
}

/// Whether the body matches at a position, from the memo if it is known.
fn answer<'a>(find: &'a Find, memo: usize, run: &mut Run<'a>, candidate: &'a Position) -> bool {
    if let Some(known) = run.memos.finds[memo].matches.get(candidate.id) {
        return known;
    }
    let matches = matches(find, run, candidate);
    run.memos.finds[memo].matches.set(candidate.id, matches);
    matches
}

/// Evaluates the body in a subtree wherever it is not known.
fn answer_all<'a>(find: &'a Find, memo: usize, run: &mut Run<'a>, at: &'a Position) {
    let mut from = at.id;
    while let Some(id) = run.memos.finds[memo].matches.next_unknown(from, at.last) {
        if let Some(candidate) = run.position(id) {
            answer(find, memo, run, candidate);
        }
        from = id + 1;
    }
}

/// The first position of a range where the body matches.
fn next_match<'a>(find: &'a Find, memo: usize, run: &mut Run<'a>, first: u32, last: u32) -> Option<u32> {
    let mut from = first;
    loop {
        let id = run.memos.finds[memo].matches.next_possible(from, last)?;
        if answer(find, memo, run, run.position(id)?) {
            return Some(id);
        }
        from = id + 1;
    }
}

/// The nearest position on the way back where the body matches. Every position passed learns the answer.
fn nearest_match<'a>(find: &'a Find, memo: usize, run: &mut Run<'a>, at: &'a Position) -> Option<&'a Position> {
    let game = run.game;
    let mut passed = Vec::new();
    let mut nearest = Nearest::Nowhere;
    for candidate in game.path_back(at) {
        let known = run.memos.finds[memo].nearest[candidate.id as usize];
        if let Some(known) = known {
            nearest = known;
            break;
        }
        passed.push(candidate.id);
        if answer(find, memo, run, candidate) {
            nearest = Nearest::At(candidate.id);
            break;
        }
    }
    for id in passed {
        run.memos.finds[memo].nearest[id as usize] = Some(nearest);
    }
    match nearest {
        Nearest::At(id) => run.position(id),
        Nearest::Nowhere => None,
    }
}
