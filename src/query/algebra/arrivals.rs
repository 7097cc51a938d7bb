//! Squares to which the side to move could go, whether or not that would leave its king in check.

use shakmaty::CastlingSide;

use super::expression::{BoardCond, BoardSet, movers};
use crate::board::{Color, Contents, Direction, DirectionSet};

/// The squares of a set at which moves from another may arrive. Each move that is legal or pseudolegal arrives at one, castling of Chess960
/// included.
pub(super) fn arrivals(from: &BoardSet, to: &BoardSet) -> BoardSet {
    let of_colors = Color::ALL.into_iter().filter_map(|color| {
        let ways = ways(from, to, color);
        let to_move = vec![BoardCond::ToMove(color)];
        (!ways.is_empty()).then(|| BoardSet::Where(to_move, Box::new(BoardSet::Union(ways))))
    });
    BoardSet::Union(of_colors.collect())
}

/// Those of the moves of one colour: by the kinds of moves.
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
    // A king may go where its rook stands, or stay.
    let castling = Contents::EMPTY | own & (Contents::ROOKS | Contents::KINGS);
    let castled = to.with(castling, &[]).filter(|_| contents.intersects(Contents::KINGS));
    let goals = CastlingSide::ALL.into_iter().map(|side| side.king_to(color)).collect();
    let castled = castled.map(|to| BoardSet::intersection(to, BoardSet::Squares(goals)));
    [attacked, pushed, castled].into_iter().flatten().collect()
}
