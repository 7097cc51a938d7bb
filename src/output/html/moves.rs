//! The positions of a game in the page, as the changes of each move, so that the page needs no rules of chess.
//!
//! The text has for each position except the first, in the order of their ids:
//!
//! - `(ID)`, the id of the parent, if it is not the preceding id;
//! - two letters for the squares from which and to which a piece moved (`A` is a1, `_` is h8), the same letter twice if none moved;
//! - `[...]`, pairs of a letter for a square and its new content (`.` is empty), if more changed than the squares of the move;
//! - `{...}`, the fields of its FEN for castling and en passant, or the whole FEN, if the page would expect others: it expects the same
//!   castling rights, no en passant square, and counters that go on.

use std::fmt::Write as _;
use std::rc::Rc;

use crate::board::{Bitboard, Board, Square};
use crate::chess::{MoveKind, Position};
use crate::game::write_board;
use crate::output::facts::GameFacts;
use crate::output::text::written;

/// The letters for the squares, from a1 and b1 to h8.
const SQUARES: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The FEN with which most games begin.
const USUAL_START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Returns the FEN of the first position, if it is not the usual one.
pub(super) fn start(game: &dyn GameFacts) -> Option<String> {
    let first = game.positions().first()?;
    Some(fen(game, first)).filter(|fen| fen != USUAL_START)
}

/// Returns the moves that lead to all other positions, or to some of them if nobody wants the game any more.
pub(super) fn moves(game: &dyn GameFacts) -> String {
    let mut text = String::new();
    let mut known: Vec<Option<Fields>> = Vec::new();
    for position in game.positions().iter().take_while(|_| !game.is_given_up()) {
        let Some(before) = before(game, position) else {
            known.push(Fields::of(&fen(game, position)));
            continue;
        };
        if before.id + 1 != position.id {
            // Writing to a string cannot fail.
            let _ = write!(text, "({})", before.id);
        }
        let changed = before.board.differing(&position.board);
        write_changes(before, position, changed, &mut text);
        let fields = known.get(before.id as usize).and_then(Option::as_ref);
        let expected = fields.and_then(|fields| fields.after(before, position));
        known.push(match expected {
            Some(fields) if fields.are_certain(before, position, changed) => Some(fields),
            expected => {
                let fen = fen(game, position);
                let expected = expected.map(|fields| fields.fen(&position.board));
                write_surprise(expected.as_deref(), &fen, &mut text);
                Fields::of(&fen)
            }
        });
    }
    text
}

fn fen(game: &dyn GameFacts, position: &Position) -> String {
    written(|out| game.write_fen(position, out))
}

/// Returns the position before, or `None` for the first one.
fn before<'g>(game: &'g dyn GameFacts, position: &Position) -> Option<&'g Position> {
    let parent = game.positions().get(position.parent as usize)?;
    (position.id != 0).then_some(parent)
}

fn letter(square: Square) -> char {
    char::from(SQUARES[usize::from(square)])
}

/// Returns the content of a square: the letter of the piece in FEN, or `.` if it is empty.
fn piece(board: &Board, square: Square) -> char {
    board.piece_at(square).map_or('.', shakmaty::Piece::char)
}

/// Writes the squares of the move, and what else has changed.
fn write_changes(before: &Position, after: &Position, changed: Bitboard, text: &mut String) {
    let (from, to) = (after.arrival.from, after.arrival.to);
    text.extend([letter(from), letter(to)]);
    let expected = |square| match square {
        square if from == to => piece(&before.board, square),
        square if square == to => piece(&before.board, from),
        square if square == from => '.',
        square => piece(&before.board, square),
    };
    let mut changes = (changed | from | to)
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

/// The fields of a FEN other than the board and the en passant square.
struct Fields {
    is_black: bool,
    castling: Rc<str>,
    clock: u32,
    number: u32,
}

impl Fields {
    /// Returns the fields of a FEN, or `None` if it has more than the six usual fields, or more on the board than pieces.
    fn of(fen: &str) -> Option<Fields> {
        let fields: Vec<&str> = fen.split(' ').collect();
        let &[board, turn, castling, _, clock, number] = &*fields else {
            return None;
        };
        (!board.contains(['[', '~'])).then_some(())?;
        Some(Fields {
            is_black: turn == "b",
            castling: castling.into(),
            clock: clock.parse().ok()?,
            number: number.parse().ok()?,
        })
    }

    /// Returns the fields that the page expects after a move.
    fn after(&self, before: &Position, after: &Position) -> Option<Fields> {
        let (from, to) = (after.arrival.from, after.arrival.to);
        let is_progress =
            from != to && (before.board.roles.pawn.contains(from) || before.board.occupied().contains(to));
        Some(Fields {
            is_black: !self.is_black,
            castling: Rc::clone(&self.castling),
            clock: if is_progress { 0 } else { self.clock.checked_add(1)? },
            number: self.number.checked_add(u32::from(self.is_black))?,
        })
    }

    /// Returns whether the FEN certainly has these fields: the move cannot have changed castling rights or allowed en passant.
    fn are_certain(&self, before: &Position, after: &Position, changed: Bitboard) -> bool {
        let arrival = &after.arrival;
        let roles = &before.board.roles;
        let is_double_step = roles.pawn.contains(arrival.from) && arrival.from.distance(arrival.to) > 1;
        arrival.kind == MoveKind::Normal
            && arrival.promotion.is_none()
            && !is_double_step
            && (&*self.castling == "-" || changed.is_disjoint(roles.king | roles.rook))
    }

    /// Returns the FEN with these fields, without en passant.
    fn fen(&self, board: &Board) -> String {
        let mut fen = String::new();
        write_board(&mut fen, board);
        let turn = if self.is_black { 'b' } else { 'w' };
        // Writing to a string cannot fail.
        let _ = write!(fen, " {turn} {} - {} {}", self.castling, self.clock, self.number);
        fen
    }
}

/// Writes the fields of a FEN that differ from the expected one.
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
