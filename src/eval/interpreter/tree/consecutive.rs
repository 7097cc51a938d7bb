//! `consecutivemoves`: the longest sequence of equal moves in two branches of a game (chapter 5, 10).

use crate::eval::context::Context;
use crate::eval::state::consecutive::CommonMoves;
use crate::game::Position;
use crate::query::ast::echo::{ConsecutiveMoves, EchoName};

/// Roughly the bytes that a comment on a move takes in addition to the name.
const COMMENT_BYTES: usize = 64;

/// Returns the length of the longest sequence shared by the branches to both positions, if it is in the range.
pub(crate) fn length<'a>(filter: &'a ConsecutiveMoves, context: &mut Context<'a>, at: &'a Position) -> Option<i32> {
    let first = position(&filter.first, context, at)?;
    let second = position(&filter.second, context, at)?;
    let place = filter.place as usize;
    if context.memos.runs[place].moves.is_empty() {
        let bytes = context.game.positions.len() * (size_of::<u32>() + 2 * size_of::<CommonMoves>());
        if !context.has_room(bytes, filter.first.span, at) {
            return None;
        }
        context.memos.note(bytes);
    }
    let common = context.memos.runs[place].common_moves(context.game, first, second)?;
    let length = i32::try_from(common.length).unwrap_or(i32::MAX);
    if let Some(range) = filter.range {
        context.within(length, range, at)?;
    }
    if context.automatic_comments(filter.quiet) {
        let longest = &mut context.memos.runs[place].longest;
        if longest.is_none_or(|old| common.length > old.length) {
            *longest = Some(common);
            context.commented_consecutive[place] = Some(filter);
            let names = filter.first.name.len() + filter.second.name.len() + 2 * COMMENT_BYTES;
            context.kept += common.length as usize * names;
            context.has_room(0, filter.first.span, at);
        }
    }
    Some(length)
}

/// Returns the comments on the longest sequences. Called at the end of the game.
pub(crate) fn comments(context: &Context<'_>) -> Vec<(u32, Vec<u8>)> {
    let mut comments = Vec::new();
    for (filter, memo) in context.commented_consecutive.iter().zip(&context.memos.runs) {
        let (Some(filter), Some(longest)) = (filter, memo.longest) else {
            continue;
        };
        for (name, end) in [(&filter.first, longest.first), (&filter.second, longest.second)] {
            let name = String::from_utf8_lossy(&name.name);
            let back = context
                .position(end)
                .into_iter()
                .flat_map(|end| context.game.path_back(end));
            let mut run_of_moves: Vec<u32> = back.take(longest.length as usize).map(|position| position.id).collect();
            run_of_moves.reverse();
            let numbered = run_of_moves.into_iter().zip(1..);
            comments.extend(numbered.map(|(id, number)| (id, format!("{name}-move[{number}]").into_bytes())));
        }
    }
    comments
}

fn position<'a>(name: &EchoName, context: &mut Context<'a>, at: &Position) -> Option<&'a Position> {
    let id = context.bound(context.variables.positions[name.variable.index()], name.span, at)?;
    context.position(id)
}
