//! The comments that a matching path writes (chapter 7, 9).

use crate::board::Square;
use crate::chess::{MoveKind, Position};
use crate::game::Game;
use crate::query::CommentLevel;
use crate::query::ast::paths::Path;

use crate::eval::context::Context;
use crate::eval::format::display;
use crate::eval::interpreter::paths::sequence::Sequence;
use crate::eval::interpreter::text::write_position;
use crate::eval::state::focus::Pieces;
use crate::eval::state::steps::steps;

/// Writes the comments on one sequence: title, tracks of the pieces, numbers of the moves, end and start.
pub(crate) fn write<'a>(
    path: &Path,
    context: &mut Context<'a>,
    start: &'a Position,
    pieces: Option<Pieces>,
    sequence: &Sequence<'a>,
) {
    if !context.comments.are_wanted() || context.query.header.comments == CommentLevel::Silent {
        return;
    }
    if let Some(title) = &path.title {
        context.comments.add(start.id, title.clone());
    }
    if path.piece_path || path.verbose {
        let way = way(context.game, start, sequence.last);
        if path.piece_path
            && let Some(pieces) = pieces
        {
            context
                .comments
                .add(start.id, tracks(context.game, start, pieces, &way));
        }
        if path.verbose {
            number_moves(path, context, pieces, &way, sequence);
        }
    }
    if context.automatic_comments(path.quiet) {
        let value = path.max.is_some().then_some(sequence.value);
        write_ends("path", context, start, sequence.last, sequence.count, value);
    }
}

/// Marks the end of a further sequence that is as good as the best.
pub(crate) fn write_alternative(context: &mut Context<'_>, sequence: &Sequence<'_>) {
    if context.automatic_comments(false) {
        context.comments.add(sequence.last.id, b"alternative".to_vec());
    }
}

/// Writes `End path of length n that starts at P` and `Start path that ends at Q`, or the same for a line.
pub(crate) fn write_ends<'a>(
    what: &str,
    context: &mut Context<'a>,
    start: &'a Position,
    last: &'a Position,
    length: i32,
    max: Option<i32>,
) {
    let mut end = format!("End {what} of length {length} that starts at ").into_bytes();
    write_position(start, context, &mut end);
    if let Some(max) = max {
        display(format_args!(" Max value: {max}"), &mut end);
    }
    context.comments.add(last.id, end);
    let mut begin = format!("Start {what} that ends at ").into_bytes();
    write_position(last, context, &mut begin);
    context.comments.add(start.id, begin);
}

/// Returns the positions after `first` up to and including `last`, which comes later in the same line.
pub(crate) fn way<'a>(game: &'a Game, first: &Position, last: &'a Position) -> Vec<&'a Position> {
    let back = game.path_back(last);
    let mut way: Vec<_> = back.take_while(|position| position.id > first.id).collect();
    way.reverse();
    way
}

/// Writes `move i of n` after each move that counts.
fn number_moves(
    path: &Path,
    context: &mut Context<'_>,
    pieces: Option<Pieces>,
    way: &[&Position],
    sequence: &Sequence<'_>,
) {
    let mut pieces = pieces;
    let mut number = 0;
    for after in way {
        let counts = match pieces {
            None => true,
            Some(before) => {
                let moved = before.after_move(context.game, after);
                pieces = Some(moved.unwrap_or_else(|| before.after_other_move(after)));
                moved.is_some()
            }
        };
        if !counts {
            continue;
        }
        number += 1;
        let mut text = match &path.title {
            Some(title) => [title.as_slice(), b": "].concat(),
            None => Vec::new(),
        };
        display(format_args!("move {number} of {}", sequence.count), &mut text);
        if !context.has_room(text.len(), path.span, after) {
            return;
        }
        context.comments.add(after.id, text);
    }
}

/// Returns `Focus path: Rh1-h8-h1`: the squares visited by each piece in focus that moved, in the order of the pieces' first squares. Empty if
/// none moved.
fn tracks(game: &Game, start: &Position, pieces: Pieces, way: &[&Position]) -> Vec<u8> {
    let mut text = Vec::new();
    for square in pieces.squares {
        let Some(piece) = start.board.piece_at(square) else {
            continue;
        };
        let mut track = Vec::new();
        display(format_args!("{}{square}", piece.char()), &mut track);
        if follow(game, square, way, &mut track) {
            text.extend_from_slice(if text.is_empty() { b"Focus path: " } else { b" " });
            text.extend(track);
        }
    }
    text
}

/// Appends the squares that a piece visits. Returns whether it moves or is captured.
fn follow(game: &Game, from: Square, way: &[&Position], track: &mut Vec<u8>) -> bool {
    let mut square = from;
    let mut moved = false;
    for after in way {
        if after.arrival.kind == MoveKind::Null {
            continue;
        }
        if let Some((_, to)) = steps(game, after).all().find(|(from, _)| *from == square) {
            square = to;
            moved = true;
            display(format_args!("-{square}"), track);
        } else if after.arrival.captured == Some(square) {
            display(format_args!("(x{square})"), track);
            return true;
        }
    }
    moved
}
