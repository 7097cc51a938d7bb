//! Turns moves in coordinates, as engines give them, into SAN, which readers take directly. The file or rank of origin is written without checking
//! whether another piece can go there.

/// A board with the pieces on its squares, a1 first. The moves need not be legal; their reader decides that.
pub(super) struct Mailbox([Option<u8>; 64]);

/// A move in coordinates.
#[derive(Clone, Copy)]
struct Coordinates {
    from: usize,
    to: usize,
    promotion: Option<u8>,
}

impl Coordinates {
    fn of(word: &[u8]) -> Option<Coordinates> {
        let square = |file: u8, rank: u8| {
            let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
            (file < 8 && rank < 8).then_some(usize::from(rank) * 8 + usize::from(file))
        };
        let (squares, promotion) = match word {
            [squares @ .., promotion @ (b'q' | b'r' | b'b' | b'n')] if squares.len() == 4 => {
                (squares, Some(*promotion))
            }
            _ => (word, None),
        };
        let [from_file, from_rank, to_file, to_rank] = squares else {
            return None;
        };
        Some(Coordinates {
            from: square(*from_file, *from_rank)?,
            to: square(*to_file, *to_rank)?,
            promotion,
        })
    }
}

impl Mailbox {
    /// Creates the board of a FEN, as far as it is valid.
    pub(super) fn of_fen(fen: &[u8]) -> Mailbox {
        let mut squares = [None; 64];
        let (mut rank, mut file) = (7, 0);
        for byte in fen.iter().take_while(|byte| !byte.is_ascii_whitespace()) {
            match byte {
                b'/' if rank > 0 => (rank, file) = (rank - 1, 0),
                b'1'..=b'8' => file += usize::from(byte - b'0'),
                _ if file < 8 => {
                    squares[rank * 8 + file] = Some(*byte);
                    file += 1;
                }
                _ => break,
            }
        }
        Mailbox(squares)
    }

    /// Writes moves, separated by spaces, and plays them. From the first word that is not a move in coordinates on, the text stays unchanged.
    pub(super) fn write_moves(&mut self, moves: &[u8], out: &mut Vec<u8>) {
        let mut rest = moves.trim_ascii();
        while !rest.is_empty() {
            let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(length);
            let played = Coordinates::of(word).and_then(|coordinates| self.play(coordinates, out));
            if played.is_none() {
                out.extend_from_slice(rest);
            }
            out.push(b' ');
            rest = played.map_or(&[], |()| behind.trim_ascii_start());
        }
    }

    /// Plays a move and writes it in SAN. Returns `None` if there is no piece to move.
    fn play(&mut self, Coordinates { from, to, promotion }: Coordinates, out: &mut Vec<u8>) -> Option<()> {
        let piece = self.0[from]?;
        let (kind, taken) = (piece.to_ascii_uppercase(), self.0[to]);
        if kind == b'K' && self.castle(piece, from, to, out) {
            return Some(());
        }
        let is_oblique = from % 8 != to % 8;
        match kind {
            b'P' if is_oblique => push_file(from, out),
            b'P' => {}
            b'K' => out.push(kind),
            _ => {
                out.push(kind);
                self.push_origin(piece, from, out);
            }
        }
        if taken.is_some() || (kind == b'P' && is_oblique) {
            out.push(b'x');
        }
        push_square(to, out);
        if let Some(promotion) = promotion {
            out.extend_from_slice(&[b'=', promotion.to_ascii_uppercase()]);
        }
        if kind == b'P' && is_oblique && taken.is_none() {
            // En passant: the captured pawn is beside the capturing one.
            self.0[from / 8 * 8 + to % 8] = None;
        }
        self.0[from] = None;
        let is_white = piece.is_ascii_uppercase();
        let promoted = promotion.map(|promotion| {
            if is_white {
                promotion.to_ascii_uppercase()
            } else {
                promotion
            }
        });
        self.0[to] = Some(promoted.unwrap_or(piece));
        Some(())
    }

    /// Writes the origin of a piece: its file if no other piece of its kind is on it, otherwise its rank, or both.
    fn push_origin(&self, piece: u8, from: usize, out: &mut Vec<u8>) {
        let is_alone = |is_in_line: &dyn Fn(usize) -> bool| {
            let squares = (0..64).filter(|square| *square != from && is_in_line(*square));
            squares.into_iter().all(|square| self.0[square] != Some(piece))
        };
        if is_alone(&|square| square % 8 == from % 8) {
            push_file(from, out);
        } else if is_alone(&|square| square / 8 == from / 8) {
            push_rank(from, out);
        } else {
            push_square(from, out);
        }
    }

    /// Castles if the king takes his own rook, as engines write it for Chess960, or goes two squares from the e-file. Returns whether he does.
    fn castle(&mut self, king: u8, from: usize, to: usize, out: &mut Vec<u8>) -> bool {
        let rook = if king == b'K' { b'R' } else { b'r' };
        let first = from / 8 * 8;
        let is_kingside = to > from;
        let corner = if is_kingside { first + 7 } else { first };
        let rook_from = if self.0[to] == Some(rook) {
            to
        } else if from % 8 == 4 && from.abs_diff(to) == 2 && self.0[corner] == Some(rook) {
            corner
        } else {
            return false;
        };
        if to / 8 != from / 8 {
            return false;
        }
        let (king_to, rook_to, san): (_, _, &[u8]) = match is_kingside {
            true => (first + 6, first + 5, b"O-O"),
            false => (first + 2, first + 3, b"O-O-O"),
        };
        (self.0[from], self.0[rook_from]) = (None, None);
        (self.0[king_to], self.0[rook_to]) = (Some(king), Some(rook));
        out.extend_from_slice(san);
        true
    }
}

fn push_file(square: usize, out: &mut Vec<u8>) {
    out.push(b"abcdefgh"[square % 8]);
}

fn push_rank(square: usize, out: &mut Vec<u8>) {
    out.push(b"12345678"[square / 8]);
}

fn push_square(square: usize, out: &mut Vec<u8>) {
    push_file(square, out);
    push_rank(square, out);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn san(fen: &str, moves: &str) -> String {
        let mut out = Vec::new();
        Mailbox::of_fen(fen.as_bytes()).write_moves(moves.as_bytes(), &mut out);
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
        assert_eq!(san("PPPPPPPPPPPPP/8", "a8a1"), "a1");
    }
}
