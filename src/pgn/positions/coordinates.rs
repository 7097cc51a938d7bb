//! Turns moves in coordinates, as engines give them, into SAN, which readers take directly. The file or rank of origin is written without checking
//! whether another piece can go there. The moves need not be legal; their reader decides that.

use shakmaty::uci::UciMove;
use shakmaty::{Bitboard, Board, CastlingSide, Color, File, Piece, Role, Square};

/// Writes the moves from the position of a FEN, separated by spaces. From the first word that is not a move in coordinates on, the text stays
/// unchanged.
pub(super) fn write_moves(fen: &[u8], moves: &[u8], out: &mut Vec<u8>) {
    let board = fen.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    let mut board = Board::from_ascii_board_fen(board).unwrap_or_else(|_| Board::empty());
    let mut rest = moves.trim_ascii();
    while !rest.is_empty() {
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(length);
        let played = play(&mut board, word, out);
        if played.is_none() {
            out.extend_from_slice(rest);
        }
        out.push(b' ');
        rest = played.map_or(&[], |()| behind.trim_ascii_start());
    }
}

/// Plays a move and writes it in SAN. Returns `None` if the word is not one, or there is no piece to move.
fn play(board: &mut Board, word: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let Ok(UciMove::Normal { from, to, promotion }) = UciMove::from_ascii(word) else {
        return None;
    };
    if matches!(promotion, Some(Role::Pawn | Role::King)) || word.iter().any(u8::is_ascii_uppercase) {
        return None;
    }
    let piece = board.piece_at(from)?;
    if piece.role == Role::King && castle(board, piece.color, from, to, out) {
        return Some(());
    }
    let is_taking = board.occupied().contains(to);
    let is_oblique_pawn = piece.role == Role::Pawn && from.file() != to.file();
    match piece.role {
        Role::Pawn if is_oblique_pawn => push(from.file().char(), out),
        Role::Pawn => {}
        Role::King => out.push(b'K'),
        role => {
            push(role.upper_char(), out);
            push_origin(board, piece, from, out);
        }
    }
    if is_taking || is_oblique_pawn {
        out.push(b'x');
    }
    push_square(to, out);
    if let Some(promotion) = promotion {
        out.push(b'=');
        push(promotion.upper_char(), out);
    }
    if is_oblique_pawn && !is_taking {
        // En passant: the captured pawn is beside the capturing one.
        board.discard_piece_at(Square::from_coords(to.file(), from.rank()));
    }
    board.discard_piece_at(from);
    let role = promotion.unwrap_or(piece.role);
    board.set_piece_at(to, Piece { role, ..piece });
    Some(())
}

/// Writes the origin of a piece: its file if no other piece of its kind is on it, otherwise its rank, or both.
fn push_origin(board: &Board, piece: Piece, from: Square, out: &mut Vec<u8>) {
    let others = board.by_piece(piece) & !Bitboard::from(from);
    if !others.intersects(Bitboard::from(from.file())) {
        push(from.file().char(), out);
    } else if !others.intersects(Bitboard::from(from.rank())) {
        push(from.rank().char(), out);
    } else {
        push_square(from, out);
    }
}

/// Castles if the king takes his own rook, as engines write it for Chess960, or goes two squares from the e-file. Returns whether he does.
fn castle(board: &mut Board, color: Color, from: Square, to: Square, out: &mut Vec<u8>) -> bool {
    let side = CastlingSide::from_king_side(to > from);
    let rank = from.rank();
    let corner = Square::from_coords(if side.is_king_side() { File::H } else { File::A }, rank);
    let is_rook = |square| board.piece_at(square) == Some(color.rook());
    let rook = if is_rook(to) {
        to
    } else if from.file() == File::E && from.distance(to) == 2 && is_rook(corner) {
        corner
    } else {
        return false;
    };
    if to.rank() != rank {
        return false;
    }
    board.discard_piece_at(from);
    board.discard_piece_at(rook);
    board.set_piece_at(Square::from_coords(side.king_to_file(), rank), color.king());
    board.set_piece_at(Square::from_coords(side.rook_to_file(), rank), color.rook());
    out.extend_from_slice(if side.is_king_side() { b"O-O" } else { b"O-O-O" });
    true
}

fn push(character: char, out: &mut Vec<u8>) {
    out.push(character as u8);
}

fn push_square(square: Square, out: &mut Vec<u8>) {
    push(square.file().char(), out);
    push(square.rank().char(), out);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn san(fen: &str, moves: &str) -> String {
        let mut out = Vec::new();
        write_moves(fen.as_bytes(), moves.as_bytes(), &mut out);
        String::from_utf8(out).unwrap().trim_end().to_owned()
    }

    #[test]
    fn moves_are_written_in_san() {
        let fen = "r3k2r/1P1p4/8/4P3/8/2n5/3P4/R3K2R b KQkq - 0 1";
        assert_eq!(
            san(fen, "d7d5 e5d6 c3b1 b7a8n e8g8 e1c1"),
            "d5 exd6 Ncb1 bxa8=N O-O O-O-O"
        );
        // The pawn on d5 is captured, and the rooks are where castling has put them.
        assert_eq!(san(fen, "d7d5 e5d6 e8g8 h1d1 f8d8 d1d5"), "d5 exd6 O-O Rhd1 Rfd8 Rdd5");
        assert_eq!(san(fen, "c3a2 a1a2"), "Nca2 Raxa2");
    }

    #[test]
    fn a_piece_is_told_from_others_of_its_kind() {
        let fen = "4k3/8/8/8/2Q4Q/8/8/4K2Q w - - 0 1";
        assert_eq!(san(fen, "c4e4"), "Qce4");
        assert_eq!(san(fen, "h1e4"), "Q1e4");
        assert_eq!(san(fen, "h4e4"), "Qh4e4");
    }

    #[test]
    fn a_king_that_takes_his_rook_castles() {
        let fen = "1r2k1r1/8/8/8/8/8/6P1/1R2K1R1 w KQkq - 0 1";
        assert_eq!(san(fen, "e1g1 e8b8 f1f8 d8d2"), "O-O O-O-O Rff8 Rdd2");
        assert_eq!(san(fen, "e1d2 g8g2"), "Kd2 Rgxg2");
    }

    #[test]
    fn what_is_no_move_in_coordinates_stays() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        assert_eq!(san(fen, "e1f1 Kd7 f1g1 e9e4"), "Kf1 Kd7 f1g1 e9e4");
        assert_eq!(san(fen, "a1a2 e1f1"), "a1a2 e1f1");
        assert_eq!(san("no board", "e2e4 1-0"), "e2e4 1-0");
    }
}
