//! Writes moves in standard algebraic notation.

use std::io::Write as _;

use shakmaty::{Bitboard, CastlingSide, Color, Role, Square};

use super::count::has_legal_move;
use super::variant_san::write_variant_san;
use crate::board::approaches::Approaches;
use crate::board::attacked::unobstructed;
use crate::chess::{MoveKind, Position, in_check, keeps_king_safe};
use crate::game::Game;

/// Appends the move that led from `before` to `after`.
///
/// If other pieces of the same kind could legally go there too, adds the file if one of them is on another file,
/// and the rank if one of them is on the same file. So both may appear where one would do.
pub(crate) fn write_san(out: &mut Vec<u8>, game: &Game, before: &Position, after: &Position) {
    let arrival = &after.arrival;
    if let (Some(before), Some(after)) = (game.by_variant(before), game.by_variant(after)) {
        return write_variant_san(out, before, arrival, after);
    }
    let mut word = InlineText::default();
    match arrival.kind {
        MoveKind::None | MoveKind::Drop => return,
        MoveKind::Null => {
            out.extend_from_slice(b"--");
            return;
        }
        MoveKind::Castle(CastlingSide::KingSide) => word.push_all(b"O-O"),
        MoveKind::Castle(CastlingSide::QueenSide) => word.push_all(b"O-O-O"),
        MoveKind::Normal | MoveKind::EnPassant => write_normal(&mut word, before, after),
    }
    if in_check(&after.board, after.turn) {
        word.push(if has_legal_move(game, after) { b'+' } else { b'#' });
    }
    word.add_to(out);
}

/// A short word that is built in a register and appended to a text at once, since there is one for every move.
#[derive(Default)]
pub(crate) struct InlineText {
    /// The bytes, the first one lowest.
    bytes: u64,
    length: u32,
}

impl InlineText {
    /// The most bytes of a word. A move has at most seven (`Qa1xb2+`, `exd8=Q+`).
    const MOST: u32 = u64::BITS / 8;

    /// Appends a byte, if there is room for it.
    #[inline(always)]
    pub(crate) fn push(&mut self, byte: u8) {
        self.push_if(true, byte);
    }

    /// Appends bytes.
    #[inline(always)]
    pub(crate) fn push_all(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.push(*byte));
    }

    /// Appends a byte if the condition holds, without a branch.
    #[inline(always)]
    fn push_if(&mut self, condition: bool, byte: u8) {
        if self.length < InlineText::MOST {
            self.bytes |= (u64::from(byte) * u64::from(condition)) << (8 * self.length);
            self.length += u32::from(condition);
        }
    }

    /// Appends the word to a text.
    #[inline(always)]
    pub(crate) fn add_to(&self, out: &mut Vec<u8>) {
        let end = out.len() + self.length as usize;
        out.extend_from_slice(&self.bytes.to_le_bytes());
        out.truncate(end);
    }
}

/// Returns the moves that lead to a position, including those of variations: `1. e4 e5 2. Nf3`. Empty for the initial position.
pub fn moves_to(game: &Game, position: &Position) -> String {
    let mut line: Vec<_> = game.path_back(position).collect();
    line.reverse();
    let mut text = Vec::new();
    for (index, pair) in line.windows(2).enumerate() {
        let &[before, after] = pair else { continue };
        let number = game.written_move_number(before);
        if index > 0 {
            text.push(b' ');
        }
        // Writing to a vector cannot fail.
        let _ = match before.turn {
            Color::White => write!(text, "{number}. "),
            Color::Black if index == 0 => write!(text, "{number}... "),
            Color::Black => Ok(()),
        };
        write_san(&mut text, game, before, after);
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Appends a move that is neither castling nor null, without the sign of check.
///
/// Which piece moves and whether it captures cannot be predicted, so there are few branches.
#[inline(always)]
fn write_normal(word: &mut InlineText, before: &Position, after: &Position) {
    let arrival = &after.arrival;
    let (from, to) = (arrival.from, arrival.to);
    let role = before.board.role_at(from).unwrap_or(Role::Pawn);
    let captures = arrival.captured.is_some();
    let is_pawn = role == Role::Pawn;
    word.push_if(!is_pawn, letter(role));
    // For pawns there are no approaches here, since they depend on the colour.
    let pieces = before.board.pieces(before.turn, role) & !Bitboard::from(from) & Approaches::of(to).by(role);
    if pieces.any() {
        let others = rivals(before, pieces, to, arrival.captured);
        let same_file = others & Bitboard::from(from.file());
        word.push_if(others != same_file, file(from));
        word.push_if(same_file.any(), rank(from));
    }
    word.push_if(is_pawn && captures, file(from));
    word.push_if(captures, b'x');
    word.push(file(to));
    word.push(rank(to));
    if let Some(role) = arrival.promotion {
        word.push(b'=');
        word.push(letter(role));
    }
}

fn letter(role: Role) -> u8 {
    b"?PNBRQK"[role as usize]
}

fn file(square: Square) -> u8 {
    b'a' + square.file() as u8
}

fn rank(square: Square) -> u8 {
    b'1' + square.rank() as u8
}

/// Returns those of `pieces`, which are of one kind and in line with `to`, that could legally go there.
fn rivals(before: &Position, pieces: Bitboard, to: Square, captured: Option<Square>) -> Bitboard {
    let legal = |rival: &Square| keeps_king_safe(&before.board, before.turn, *rival, to, captured);
    unobstructed(pieces, to, before.board.occupied())
        .into_iter()
        .filter(legal)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{GameReader, Scope, sample};

    /// Returns the moves of a game as written.
    fn written(pgn: &str) -> Vec<String> {
        let batch = sample::batch(pgn);
        let mut game = Game::default();
        GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true);
        let san = |after: &Position| {
            let mut out = Vec::new();
            write_san(&mut out, &game, game.parent(after)?, after);
            String::from_utf8(out).ok()
        };
        game.positions.iter().filter_map(san).collect()
    }

    #[test]
    fn both_coordinates_are_given_where_one_would_do() {
        let line = "[FEN \"7k/8/8/Q2Q4/8/8/8/K2Q4 w - - 0 1\"]\n\n1. Qd5d2 *\n";
        assert_eq!(written(line), ["Qd5d2"]);
    }

    #[test]
    fn the_way_to_a_position_goes_through_variations() {
        let batch =
            sample::batch("[FEN \"8/5pk1/8/8/8/8/P7/K7 b - - 4 37\"]\n\n37... f5 38. a4 (38. a3 f4) 38... Kg6 *\n");
        let mut game = Game::default();
        GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true);
        let lines: Vec<_> = game
            .positions
            .iter()
            .map(|position| moves_to(&game, position))
            .collect();
        let expected = [
            "",
            "37... f5",
            "37... f5 38. a4",
            "37... f5 38. a4 Kg6",
            "37... f5 38. a3",
            "37... f5 38. a3 f4",
        ];
        assert_eq!(lines, expected);
    }

    #[test]
    fn a_pinned_rival_is_none() {
        let line = "[FEN \"4r2k/8/8/8/8/8/4N3/4K1N1 w - - 0 1\"]\n\n1. Nf3 *\n";
        assert_eq!(written(line), ["Nf3"]);
    }

    #[test]
    fn check_and_mate_are_marked() {
        assert_eq!(written("1. f3 e5 2. g4 Qh4 *\n"), ["f3", "e5", "g4", "Qh4#"]);
        assert_eq!(written("1. e4 d5 2. Bb5 *\n"), ["e4", "d5", "Bb5+"]);
    }

    #[test]
    fn null_moves_are_written_as_dashes() {
        assert_eq!(written("1. e4 null 2. Nf3 Z0 *\n"), ["e4", "--", "Nf3", "--"]);
    }
}
