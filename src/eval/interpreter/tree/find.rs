//! `find`: searches the subtree below a position, or the way back to the initial position (chapter 5, 8).
//!
//! A body that depends only on the position is evaluated once for each position of a game. Its answers are kept, and
//! every `find` reads the next match, the number of matches or the nearest match on the way back from them. If a body equates
//! values of the position with others, such as those of variables, positions are looked up by these values.

use crate::chess::Position;
use crate::query::Find;
use crate::query::ast::numbers::FindCount;
use crate::query::ast::variables::Variable;

use crate::eval::context::Context;
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::tree::lookup;
use crate::eval::state::index::Index;
use crate::eval::state::memo::{FindMemo, Nearest};

/// Returns the first position where the body matches.
pub(crate) fn first<'a>(find: &'a Find, context: &mut Context<'a>, at: &'a Position) -> Option<&'a Position> {
    let game = context.game;
    let found = match (memo(find, context), find.backward) {
        (Some(memo), false) => next_match(find, memo, context, at.id, at.last).and_then(|id| context.position(id)),
        (Some(memo), true) => nearest_match(find, memo, context, at),
        (None, backward) => match (looked_up(find, context, at), backward) {
            (Some(candidates), _) => candidates
                .into_iter()
                .find(|candidate| matches(find, context, candidate)),
            (None, false) => subtree(context, at)
                .iter()
                .find(|candidate| matches(find, context, candidate)),
            (None, true) => game.path_back(at).find(|candidate| matches(find, context, candidate)),
        },
    };
    if let Some(found) = found
        && context.automatic_comments(find.quiet)
    {
        context.comments.add(found.id, b"Found".to_vec());
    }
    found
}

/// Returns how many positions match, if that number is in the range.
pub(crate) fn count<'a>(find: &'a Find, count: &FindCount, context: &mut Context<'a>, at: &'a Position) -> Option<i32> {
    let game = context.game;
    let mut found = Vec::new();
    let commented = context.automatic_comments(find.quiet);
    let mut total = 0;
    let mut note = |id: u32| {
        total += 1;
        if commented {
            found.push(id);
        }
    };
    match (memo(find, context), find.backward) {
        (Some(memo), false) => {
            answer_all(find, memo, context, at);
            let matches = &context.memos.finds[memo].matches;
            if commented {
                matches.holding(at.id, at.last).for_each(note);
            } else {
                total = matches.count_holding(at.id, at.last) as i32;
            }
        }
        (Some(memo), true) => {
            let mut start = Some(at);
            while let Some(match_) = start.and_then(|start| nearest_match(find, memo, context, start)) {
                note(match_.id);
                start = game.parent(match_);
            }
        }
        (None, backward) => {
            let candidates = looked_up(find, context, at);
            let below = subtree(context, at);
            let try_at = |candidate: &'a Position| {
                if matches(find, context, candidate) {
                    note(candidate.id);
                }
            };
            match (candidates, backward) {
                (Some(candidates), _) => candidates.into_iter().for_each(try_at),
                (None, false) => below.iter().for_each(try_at),
                (None, true) => game.path_back(at).for_each(try_at),
            }
        }
    }
    let total = match count {
        FindCount::All => (total > 0).then_some(total),
        FindCount::Within(range) => context.within(total, *range, at),
    }?;
    for (index, id) in found.into_iter().enumerate() {
        let text = format!("Found {} of {total}", index + 1).into_bytes();
        if !context.has_room(text.len(), find.body.span, at) {
            return None;
        }
        context.comments.add(id, text);
    }
    Some(total)
}

fn matches<'a>(find: &'a Find, context: &mut Context<'a>, candidate: &'a Position) -> bool {
    !context.is_over(find.body.span, candidate) && context.elsewhere(|context| find.body.eval(context, candidate))
}

/// Returns the positions of the search at which the body can match, in the order of the search; `None` if they cannot be looked up.
fn looked_up<'a>(find: &'a Find, context: &mut Context<'a>, at: &'a Position) -> Option<Vec<&'a Position>> {
    let lookup = find.lookup.as_ref()?;
    let bound = |variable: &Variable| context.variables.is_bound(*variable);
    if !context.is_pure(find.effects_if_bound) || !lookup.variables.iter().all(bound) || context.branch.is_some() {
        return None;
    }
    let sources = lookup.equations.iter().map(|equation| &equation.source);
    let Some(key) = context.elsewhere(|context| lookup::key(sources, context, at)) else {
        return Some(Vec::new());
    };
    let place = lookup.memo as usize;
    if context.memos.lookups[place].is_none() {
        let bytes = context.game.positions.len() * Index::BYTES;
        if !context.has_room(bytes, find.body.span, at) {
            return Some(Vec::new());
        }
        context.memos.note(bytes);
        let index = context.elsewhere(|context| lookup::indexed(&lookup.equations, None, find.body.span, context));
        context.memos.lookups[place] = Some(index);
    }
    let index = context.memos.lookups[place].as_ref()?;
    let position = |id| context.position(id);
    Some(if find.backward {
        let before = index.with(key, 0..at.id + 1).rev().filter_map(position);
        before.filter(|candidate| at.id <= candidate.last).collect()
    } else {
        index.with(key, at.id..at.last + 1).filter_map(position).collect()
    })
}

/// Returns a position and all its descendants.
fn subtree<'a>(context: &Context<'a>, at: &Position) -> &'a [Position] {
    let game = context.game;
    game.positions
        .get(at.id as usize..=at.last as usize)
        .unwrap_or_default()
}

/// Returns the index of the memo, made large enough for the game; `None` if it cannot be used.
fn memo(find: &Find, context: &mut Context<'_>) -> Option<usize> {
    let place = find.memo? as usize;
    if !context.is_pure(find.effects) {
        return None;
    }
    let positions = context.game.positions.len();
    if context.memos.finds[place].matches.is_empty() {
        let bytes = positions * (1 + if find.backward { size_of::<Option<Nearest>>() } else { 0 });
        let at = context.position(0)?;
        if !context.has_room(bytes, find.body.span, at) {
            return None;
        }
        context.memos.note(bytes);
    }
    let FindMemo { matches, nearest } = &mut context.memos.finds[place];
    matches.resize(positions);
    if find.backward {
        nearest.resize(positions, None);
    }
    Some(place)
}

/// Returns whether the body matches at a position. Uses the memo if it knows the answer.
fn answer<'a>(find: &'a Find, memo: usize, context: &mut Context<'a>, candidate: &'a Position) -> bool {
    if let Some(known) = context.memos.finds[memo].matches.get(candidate.id) {
        return known;
    }
    let matches = matches(find, context, candidate);
    context.memos.finds[memo].matches.set(candidate.id, matches);
    matches
}

/// Evaluates the body at each position of a subtree where the answer is not known.
fn answer_all<'a>(find: &'a Find, memo: usize, context: &mut Context<'a>, at: &'a Position) {
    let game = context.game;
    let Some(first) = context.memos.finds[memo].matches.next_unknown(at.id, at.last) else {
        return;
    };
    let unknown = game.positions.get(first as usize..=at.last as usize);
    for candidate in unknown.unwrap_or_default() {
        answer(find, memo, context, candidate);
    }
}

/// Returns the first position of a range where the body matches.
fn next_match<'a>(find: &'a Find, memo: usize, context: &mut Context<'a>, first: u32, last: u32) -> Option<u32> {
    let mut from = first;
    loop {
        let id = context.memos.finds[memo].matches.next_possible(from, last)?;
        if answer(find, memo, context, context.position(id)?) {
            return Some(id);
        }
        from = id + 1;
    }
}

/// Returns the nearest position on the way back where the body matches. Notes the answer for every position passed.
fn nearest_match<'a>(find: &'a Find, memo: usize, context: &mut Context<'a>, at: &'a Position) -> Option<&'a Position> {
    let game = context.game;
    let mut passed = Vec::new();
    let mut nearest = Nearest::Nowhere;
    for candidate in game.path_back(at) {
        let known = context.memos.finds[memo].nearest[candidate.id as usize];
        if let Some(known) = known {
            nearest = known;
            break;
        }
        passed.push(candidate.id);
        if answer(find, memo, context, candidate) {
            nearest = Nearest::At(candidate.id);
            break;
        }
    }
    for id in passed {
        context.memos.finds[memo].nearest[id as usize] = Some(nearest);
    }
    match nearest {
        Nearest::At(id) => context.position(id),
        Nearest::Nowhere => None,
    }
}
