//! Reads moves that are not quite SAN: long algebraic notation, coordinates, castling with zeros.

use shakmaty::san::San;
use shakmaty::{CastlingSide, File, Rank, Role, Square};

use super::resolve::MoveText;

/// Reads a move in any of the spellings that PGN files have.
///
/// These are long algebraic and coordinate moves (`e2-e4`, `g1f3`), pawn captures by files (`ed`, `ed5`), promotions without a
/// sign (`a8Q`), a leading `P`, castling with zeros or small letters, and null moves (`--`, `Z0`, `null`). The characters
/// `x`, `:` and `-`, signs of check and `e.p.` are ignored. Returns `None` if the word is not a move.
pub(crate) fn read_move(word: &[u8]) -> Option<MoveText> {
    if matches!(word, b"--" | b"Z0" | b"null") {
        return Some(MoveText::San(San::Null));
    }
    let word = strip_signs(word);
    if let Some(put) = dropped(word) {
        return Some(MoveText::San(put));
    }
    if let Some(side) = castling(word) {
        return Some(MoveText::San(San::Castle(side)));
    }
    let (role, rest) = match word.split_first() {
        Some((b'P', rest)) => (Role::Pawn, rest),
        Some((letter @ (b'N' | b'B' | b'R' | b'Q' | b'K'), rest)) => (Role::from_char(char::from(*letter))?, rest),
        _ => (Role::Pawn, word),
    };
    let mut cursor = Cursor(rest);
    let first_file = cursor.file();
    let first_rank = cursor.rank();
    let second_file = cursor.file();
    let second_rank = cursor.rank();
    let promotion = cursor.promotion();
    if !cursor.at_end() {
        return None;
    }
    match (first_file, first_rank, second_file, second_rank) {
        (Some(from), None, Some(to), None) if role == Role::Pawn => Some(MoveText::PawnTakes { from, to, promotion }),
        (file, rank, Some(to_file), Some(to_rank)) => Some(normal(role, file, rank, to_file, to_rank, promotion)),
        (Some(to_file), Some(to_rank), None, None) => Some(normal(role, None, None, to_file, to_rank, promotion)),
        _ => None,
    }
}

/// Returns a move to a square.
fn normal(
    role: Role,
    file: Option<File>,
    rank: Option<Rank>,
    to_file: File,
    to_rank: Rank,
    promotion: Option<Role>,
) -> MoveText {
    let to = Square::from_coords(to_file, to_rank);
    MoveText::San(San::Normal {
        role,
        file,
        rank,
        capture: false,
        to,
        promotion,
    })
}

/// Returns the word without signs of check, glyphs and `e.p.` at its end.
fn strip_signs(mut word: &[u8]) -> &[u8] {
    loop {
        let shorter = [&b"+"[..], b"#", b"!", b"?", b"e.p.", b"ep", b"e.p"]
            .iter()
            .find_map(|sign| word.strip_suffix(*sign));
        match shorter {
            Some(shorter) => word = shorter,
            None => return word,
        }
    }
}

/// Reads a piece that is dropped on the board: `N@f3`, `P@e4`, `@e4`.
fn dropped(word: &[u8]) -> Option<San> {
    let at = word.iter().position(|byte| *byte == b'@')?;
    let (piece, square) = word.split_at(at);
    let role = match piece {
        [] => Role::Pawn,
        [letter @ b'A'..=b'Z'] => Role::from_char(char::from(*letter))?,
        _ => return None,
    };
    let to = Square::from_ascii(square.get(1..)?).ok()?;
    Some(San::Put { role, to })
}

/// Reads castling in any spelling.
fn castling(word: &[u8]) -> Option<CastlingSide> {
    match word {
        b"O-O" | b"o-o" | b"0-0" => Some(CastlingSide::KingSide),
        b"O-O-O" | b"o-o-o" | b"0-0-0" => Some(CastlingSide::QueenSide),
        _ => None,
    }
}

/// A position in a word. Meaningless signs are skipped.
struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    /// Takes the next meaningful byte if `read` accepts it.
    fn take<T>(&mut self, read: impl FnOnce(char) -> Option<T>) -> Option<T> {
        self.skip_signs();
        let (byte, rest) = self.0.split_first()?;
        let value = read(char::from(*byte))?;
        self.0 = rest;
        Some(value)
    }

    fn skip_signs(&mut self) {
        while let Some((b'x' | b':' | b'-', rest)) = self.0.split_first() {
            self.0 = rest;
        }
    }

    fn file(&mut self) -> Option<File> {
        self.take(File::from_char)
    }

    fn rank(&mut self) -> Option<Rank> {
        self.take(Rank::from_char)
    }

    /// Reads `=Q`, `Q`, `(Q)` or `/Q`.
    fn promotion(&mut self) -> Option<Role> {
        self.take(|sign| matches!(sign, '=' | '(' | '/').then_some(()));
        let role = self.take(|letter| match letter {
            'N' | 'B' | 'R' | 'Q' | 'K' => Role::from_char(letter),
            _ => None,
        });
        self.take(|sign| (sign == ')').then_some(()));
        role
    }

    fn at_end(&mut self) -> bool {
        self.skip_signs();
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(word: &str) -> Option<String> {
        read_move(word.as_bytes()).map(|text| match text {
            MoveText::San(san) => san.to_string(),
            MoveText::PawnTakes { from, to, promotion } => {
                format!(
                    "{}>{}{}",
                    from.char(),
                    to.char(),
                    promotion.map_or('.', |role| role.upper_char())
                )
            }
        })
    }

    #[test]
    fn spellings_of_moves_are_read() {
        for (word, meaning) in [
            ("e2-e4", "e2e4"),
            ("e2e4", "e2e4"),
            ("Ng1-f3", "Ng1f3"),
            ("Bf1:b5+", "Bf1b5"),
            ("N1xd2", "N1d2"),
            ("ed", "e>d."),
            ("exd", "e>d."),
            ("abQ", "a>bQ"),
            ("ed5", "ed5"),
            ("e:d6e.p.", "ed6"),
            ("exd6ep", "ed6"),
            ("Pf4", "f4"),
            ("a8Q", "a8=Q"),
            ("ba8=Q++", "ba8=Q"),
            ("a8(Q)", "a8=Q"),
            ("0-0", "O-O"),
            ("o-o-o#", "O-O-O"),
            ("null", "--"),
            ("Z0", "--"),
            ("N@f3+", "N@f3"),
            ("P@e4", "@e4"),
            ("--", "--"),
        ] {
            assert_eq!(shown(word).as_deref(), Some(meaning), "{word}");
        }
    }

    #[test]
    fn other_words_are_no_moves() {
        for word in [
            "", "Nf9", "xyz", "Qz4", "e", "e9", "Nbd", "00", "Kg1f3g5", "-", "N", "@", "N@", "N@z3", "e@e4",
        ] {
            assert_eq!(shown(word), None, "{word}");
        }
    }
}
