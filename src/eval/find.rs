//! `find`: a search of the subtree below a position or of the way back to the initial position (chapter 5, 8).

use crate::game::Position;
use crate::query::Find;
use crate::query::numbers::FindCount;

use super::Eval;
use super::run::Run;

/// The first position where the body matches.
pub(super) fn first<'a>(find: &'a Find, run: &mut Run<'a>, at: &'a Position) -> Option<&'a Position> {
    let game = run.game;
    let found = if find.backward {
        game.path_back(at).find(|candidate| matches(find, run, candidate))
    } else {
        subtree(run, at).iter().find(|candidate| matches(find, run, candidate))
    };
    if let Some(found) = found
        && run.automatic_comments(find.quiet)
    {
        run.comments.add(found.id, b"Found".to_vec());
    }
    found
}

/// How many positions match, if that number is asked for.
pub(super) fn count<'a>(find: &'a Find, count: &FindCount, run: &mut Run<'a>, at: &'a Position) -> Option<i32> {
    let game = run.game;
    let mut found = Vec::new();
    let commented = run.automatic_comments(find.quiet);
    let mut total = 0;
    let mut look = |candidate: &'a Position, run: &mut Run<'a>| {
        if matches(find, run, candidate) {
            total += 1;
            if commented {
                found.push(candidate.id);
            }
        }
    };
    if find.backward {
        game.path_back(at).for_each(|candidate| look(candidate, run));
    } else {
        subtree(run, at).iter().for_each(|candidate| look(candidate, run));
    }
    let total = match count {
        FindCount::All => (total > 0).then_some(total),
        FindCount::Within(range) => run.within(total, *range, at),
    }?;
    for (index, id) in found.into_iter().enumerate() {
        run.comments
            .add(id, format!("Found {} of {total}", index + 1).into_bytes());
    }
    Some(total)
}

fn matches<'a>(find: &'a Find, run: &mut Run<'a>, candidate: &'a Position) -> bool {
    run.stop.is_none() && run.elsewhere(|run| find.body.eval(run, candidate))
}

/// A position and all its descendants.
fn subtree<'a>(run: &Run<'a>, at: &Position) -> &'a [Position] {
    let game = run.game;
    game.positions
        .get(at.id as usize..=at.last as usize)
        .unwrap_or_default()
}
