//! The squares to which the side to move could move, even if that left its king in check.

use shakmaty::CastlingSide;

use super::expression::{BoardCond, BoardSet, movers};
use crate::board::{Color, Contents, Direction, DirectionSet};

/// Returns the squares of `to` where moves from `from` may arrive. Every legal or pseudolegal move arrives at one of them, including
/// castling in Chess960.
pub(super) fn arrivals(from: &BoardSet, to: &BoardSet) -> BoardSet {
    let of_colors = Color::ALL.into_iter().filter_map(|color| {
        let ways = ways(from, to, color);
        let to_move = vec![BoardCond::ToMove(color)];
        (!ways.is_empty()).then(|| BoardSet::Where(to_move, Box::new(BoardSet::Union(ways))))
    });
    BoardSet::Union(of_colors.collect())
}

/// Returns the squares for one colour, by kind of move.
fn ways(from: &BoardSet, to: &BoardSet, color: Color) -> Vec<BoardSet> {
    let (own, other) = (Contents::of_color(color), Contents::of_color(!color));
    let Some(from) = from.with(own, &[]) else {
        return Vec::new();
    };
    let contents = from.contents(&[]);
    let attacked = to.with(other | Contents::EMPTY, &[]).map(|to| {
        let from = Box::new(from.clone());
        BoardSet::Attacked(Box::new(to), from, movers(contents))
    });
    let ahead = color.fold_wb(Direction::North, Direction::South);
    let pushed = from
        .with(Contents::PAWNS, &[])
        .zip(to.with(Contents::EMPTY, &[]))
        .map(|(pawns, to)| {
            let steps = BoardSet::Steps(DirectionSet::from(ahead), 1..=2, Box::new(pawns));
            BoardSet::intersection(to, steps)
        });
    // A king that castles may end on the square of its rook, or stay where it is.
    let castling = Contents::EMPTY | own & (Contents::ROOKS | Contents::KINGS);
    let castled = to.with(castling, &[]).filter(|_| contents.intersects(Contents::KINGS));
    let goals = CastlingSide::ALL.into_iter().map(|side| side.king_to(color)).collect();
    let castled = castled.map(|to| BoardSet::intersection(to, BoardSet::Squares(goals)));
    [attacked, pushed, castled].into_iter().flatten().collect()
}
