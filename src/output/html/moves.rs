//! The positions of a game as the page has them: what each move changes, so that the page needs no rules of chess.
//!
//! The text has for each position but the first, in the order of their ids:
//!
//! - `(ID)`, the position before, if that is not the one with the id before;
//! - two letters for the squares from where and to where a piece went (`A` is a1, `_` is h8); twice the same for none;
//! - `[...]`, pairs of a letter for a square and what stands on it now (`.` is nothing), if more has changed than that the piece left
//!   and arrived;
//! - `{...}`, the fields of its FEN for castling and en passant, or the whole FEN, if the page would expect another: the same
//!   castling rights, no en passant square, counters that go on.

use std::fmt::Write as _;

use shakmaty::Role;

use crate::board::{Board, Square};
use crate::game::{Position, write_board};
use crate::output::GameFacts;

/// The letters for the squares, from a1 and b1 to h8.
const SQUARES: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The FEN with which most games begin.
const USUAL_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The FEN of the first position, if it is not the usual one.
pub(super) fn start(game: &dyn GameFacts) -> Option<String> {
    let first = game.positions().first()?;
    Some(fen(game, first)).filter(|fen| fen != USUAL_START)
}

/// The moves that lead to all other positions; not all of them, if nobody wants the game any more.
pub(super) fn moves(game: &dyn GameFacts) -> String {
    let mut text = String::new();
    let mut fens: Vec<String> = Vec::new();
    for position in game.positions().iter().take_while(|_| !game.is_given_up()) {
        let fen = fen(game, position);
        if let Some(before) = before(game, position) {
            if before.id + 1 != position.id {
                // Writing to a string cannot fail.
                let _ = write!(text, "({})", before.id);
            }
            write_changes(before, position, &mut text);
            let expected = fens
                .get(before.id as usize)
                .and_then(|fen| expected(fen, before, position));
            write_surprise(expected.as_deref(), &fen, &mut text);
        }
        fens.push(fen);
    }
    text
}

fn fen(game: &dyn GameFacts, position: &Position) -> String {
    let mut fen = Vec::new();
    game.write_fen(position, &mut fen);
    String::from_utf8_lossy(&fen).into_owned()
}

/// The position before, unless this is the first one.
fn before<'g>(game: &'g dyn GameFacts, position: &Position) -> Option<&'g Position> {
    let parent = game.positions().get(position.parent as usize)?;
    (position.id != 0).then_some(parent)
}

fn letter(square: Square) -> char {
    char::from(SQUARES[usize::from(square)])
}

/// What stands on a square: the letter of FEN, or `.` for nothing.
fn piece(board: &Board, square: Square) -> char {
    board.piece_at(square).map_or('.', shakmaty::Piece::char)
}

/// Writes from where to where the piece went and what else has changed.
fn write_changes(before: &Position, after: &Position, text: &mut String) {
    let (from, to) = (after.arrival.from, after.arrival.to);
    text.extend([letter(from), letter(to)]);
    let expected = |square| match square {
        square if from == to => piece(&before.board, square),
        square if square == to => piece(&before.board, from),
        square if square == from => '.',
        square => piece(&before.board, square),
    };
    let mut changes = Square::ALL
        .into_iter()
        .map(|square| (square, piece(&after.board, square)))
        .filter(|(square, piece)| *piece != expected(*square))
        .peekable();
    if changes.peek().is_some() {
        text.push('[');
        text.extend(changes.flat_map(|(square, piece)| [letter(square), piece]));
        text.push(']');
    }
}

/// The FEN that the page expects after a move, given the one before.
fn expected(fen: &str, before: &Position, after: &Position) -> Option<String> {
    let fields: Vec<&str> = fen.split(' ').collect();
    let &[_, turn, castling, _, clock, number] = &*fields else {
        return None;
    };
    let (clock, number): (u32, u32) = (clock.parse().ok()?, number.parse().ok()?);
    let (from, to) = (after.arrival.from, after.arrival.to);
    let is_pawn = before
        .board
        .piece_at(from)
        .is_some_and(|piece| piece.role == Role::Pawn);
    let is_progress = from != to && (is_pawn || before.board.occupied().contains(to));
    let clock = if is_progress { 0 } else { clock.checked_add(1)? };
    let (turn, number) = match turn {
        "w" => ("b", number),
        _ => ("w", number.checked_add(1)?),
    };
    let mut fen = String::new();
    write_board(&mut fen, &after.board);
    // Writing to a string cannot fail.
    let _ = write!(fen, " {turn} {castling} - {clock} {number}");
    Some(fen)
}

/// Writes of a FEN what differs from the expected one.
fn write_surprise(expected: Option<&str>, fen: &str, text: &mut String) {
    if expected == Some(fen) {
        return;
    }
    let of_position: Vec<&str> = fen.split(' ').collect();
    let fields: Vec<&str> = expected.unwrap_or_default().split(' ').collect();
    let surprise = match (&*fields, &*of_position) {
        ([a, b, _, _, c, d], [e, f, castling, passed, g, h]) if [a, b, c, d] == [e, f, g, h] => {
            &format!("{castling} {passed}")
        }
        _ => fen,
    };
    // Writing to a string cannot fail.
    let _ = write!(text, "{{{surprise}}}");
}
