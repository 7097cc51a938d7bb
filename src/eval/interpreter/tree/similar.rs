//! `similarposition`: finds the positions of another file that the current one resembles (chapter 5, 12).

use crate::eval::context::Context;
use crate::eval::state::similar_positions::Occurrence;
use crate::game::Position;

/// Returns the lowest number of a game with a similar position. Every hit makes a comment.
pub(crate) fn lowest_game(context: &mut Context<'_>, at: &Position) -> Option<i32> {
    let (positions, similar) = (context.prepared.similar.as_ref()?, context.query.similar.as_ref()?);
    let hits = positions.hits(at, similar.transformed);
    if context.comments.are_wanted() {
        let side = at.turn.fold_wb("wtm", "btm");
        for (place, change) in &hits {
            let mut text = b"see ".to_vec();
            text.extend_from_slice(&similar.name);
            let Occurrence { game, move_number } = place;
            let rest = format!(" game: {game} at move: {move_number} {side} {}", change.name());
            text.extend_from_slice(rest.as_bytes());
            context.comments.add(at.id, text);
        }
    }
    let (first, _) = hits.first()?;
    Some(i32::try_from(first.game).unwrap_or(i32::MAX))
}
