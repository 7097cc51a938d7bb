//! Moves in the notation of the Universal Chess Interface.

use std::io::Write as _;

use shakmaty::uci::UciMove;

use crate::chess::{MoveKind, Position};
use crate::game::Game;

/// Appends the move that led to a position: `g1f3`, `e7e8q`, `N@f3` for a drop, `0000` for a null move; nothing for the initial
/// position. Castling is the king's move, `e1g1`. If a game of Chess960 has set up its own castling rights, the king captures the rook.
pub fn write_uci(out: &mut Vec<u8>, game: &Game, position: &Position) {
    let arrival = &position.arrival;
    let (from, to) = (arrival.from, arrival.to);
    let uci = match arrival.kind {
        MoveKind::None => return,
        MoveKind::Null => UciMove::Null,
        MoveKind::Drop => match position.board.piece_at(to) {
            Some(piece) => UciMove::Put { role: piece.role, to },
            None => return,
        },
        MoveKind::Castle(side) if game.start.as_ref().is_some_and(|start| start.is_chess960()) => UciMove::Normal {
            from,
            to: game.castlers(!position.turn, side).rook,
            promotion: None,
        },
        MoveKind::Normal | MoveKind::EnPassant | MoveKind::Castle(_) => UciMove::Normal {
            from,
            to,
            promotion: arrival.promotion,
        },
    };
    // Writing to a vector cannot fail.
    let _ = write!(out, "{uci}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{GameReader, Scope, sample};

    /// Returns the moves of a game, separated by spaces.
    fn moves(pgn: &str) -> String {
        let batch = sample::batch(pgn);
        let mut game = Game::default();
        GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true);
        let mut out = Vec::new();
        for position in &game.positions {
            write_uci(&mut out, &game, position);
            out.push(b' ');
        }
        String::from_utf8_lossy(&out).trim().to_owned()
    }

    #[test]
    fn a_move_is_its_squares() {
        let pgn = "1. e4 d5 2. e5 f5 3. exf6 Nc6 4. Nf3 Bf5 5. Bb5 Qd6 6. O-O O-O-O *\n";
        assert_eq!(
            moves(pgn),
            "e2e4 d7d5 e4e5 f7f5 e5f6 b8c6 g1f3 c8f5 f1b5 d8d6 e1g1 e8c8"
        );
    }

    #[test]
    fn null_moves_promotions_and_drops_have_their_own_form() {
        let promotion = "[FEN \"8/4P1k1/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. e8=N+ Kf8 2. -- *\n";
        assert_eq!(moves(promotion), "e7e8n g7f8 0000");
        let drop = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 *\n";
        assert_eq!(moves(drop), "e2e4 d7d5 e4d5 d8d5 P@e4");
    }

    #[test]
    fn the_king_takes_the_rook_in_chess960() {
        let pgn = "[Variant \"Chess960\"]\n[FEN \"1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1\"]\n\n1. O-O O-O-O *\n";
        assert_eq!(moves(pgn), "e1g1 e8b8");
    }
}
