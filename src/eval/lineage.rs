//! Ancestors and descendants among the positions of a game.

use crate::board::Color;
use crate::game::{Game, MoveKind, Position};

/// Returns whether `ancestor` comes before `descendant` on the way from the initial position.
pub(crate) fn is_ancestor(ancestor: &Position, descendant: &Position) -> bool {
    ancestor.id < descendant.id && descendant.id <= ancestor.last
}

/// Returns whether a position is on the main line, or would be if Black's alternatives belonged to it: no null move and no alternative of
/// White leads there.
pub(crate) fn is_virtual_mainline(game: &Game, position: &Position) -> bool {
    game.path_back(position).all(|position| match position.arrival.kind {
        MoveKind::None => true,
        MoveKind::Null => false,
        _ => position.choice == 0 || position.turn == Color::White,
    })
}

/// Returns the deepest position that is equal to or before both.
pub(crate) fn common_ancestor<'a>(left: &Position, right: &Position, game: &'a Game) -> Option<&'a Position> {
    game.path_back(left)
        .find(|position| position.id <= right.id && right.id <= position.last)
}
