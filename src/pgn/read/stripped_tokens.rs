//! The tokens of stripped movetext: moves in SAN, and the parentheses around variations.
//!
//! The splitter makes stripped movetext and has checked that it contains only words that all readers of PGN read alike (`pgn::canonical`). So a move
//! is read from eight bytes at once, without a branch on its length: hardly anything takes as much time in a search as the text of moves.
//! Castling and promotions are left to [`San`].

use shakmaty::san::San;
use shakmaty::{File, Rank, Role, Square};

/// A token that matters for the course of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StrippedToken {
    /// A move.
    Move(San),
    /// The start of a variation.
    Open,
    /// The end of a variation.
    Close,
}

/// The tokens of the stripped movetext of a game, in order. Numbers, annotation symbols and the terminator are skipped.
pub(crate) struct StrippedTokens<'t> {
    text: &'t [u8],
    at: usize,
}

impl<'t> StrippedTokens<'t> {
    pub(crate) fn of(text: &'t [u8]) -> StrippedTokens<'t> {
        StrippedTokens { text, at: 0 }
    }
}

impl Iterator for StrippedTokens<'_> {
    type Item = StrippedToken;

    #[inline(always)]
    fn next(&mut self) -> Option<StrippedToken> {
        loop {
            let rest = self.text.get(self.at..)?;
            let (word, length) = match rest.first()? {
                b'A'..=b'Z' | b'a'..=b'z' => {
                    let common = rest.first_chunk().and_then(common_move);
                    let (san, length) = common.or_else(|| rare_move(rest))?;
                    (StrippedToken::Move(san), length)
                }
                b'(' => (StrippedToken::Open, 1),
                b')' => (StrippedToken::Close, 1),
                _ => {
                    self.at += 1;
                    continue;
                }
            };
            self.at += length;
            return Some(word);
        }
    }
}

/// Reads the move at the start of a text. Returns it with its length.
#[inline(never)]
fn rare_move(text: &[u8]) -> Option<(San, usize)> {
    San::from_ascii_prefix(text).ok()
}

/// Reads the move at the start of these bytes. Returns it with its length, including a space after it. Returns `None` for castling and promotions.
#[inline(always)]
fn common_move(bytes: &[u8; 8]) -> Option<(San, usize)> {
    let word = u64::from_le_bytes(*bytes);
    let length = bits_of_squares(word);
    let [first, behind] = [0, length].map(|place| (word >> place) as u8);
    let piece = u32::from(!first >> 5 & 1) * 8;
    // Only the first letter of castling counts.
    if !(16..=32).contains(&length.wrapping_sub(piece)) || behind == b'=' {
        return None;
    }
    let origin = match length - piece {
        16 => b'x',
        _ => (word >> piece) as u8,
    };
    // Both bytes count from 1.
    let to = (word >> (length - 16)) as u32 - 0x0101;
    let san = San::Normal {
        role: ROLES[usize::from(first)],
        file: FILES[usize::from(origin)],
        rank: RANKS[usize::from(origin)],
        capture: (word << 24 >> length) as u8 == b'x',
        to: Square::new(to & 7 | to >> 5 & 56),
        promotion: None,
    };
    Some((san, length as usize / 8 + usize::from(behind == b' ')))
}

/// Returns how many bits belong to letters and digits from 1 to 8, before the first byte that is neither.
#[inline(always)]
fn bits_of_squares(word: u64) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let letters = word >> 6;
    // The sum is between 0x38 and 0x3f for those digits, and for no other byte.
    let sums = (word & (ONES * 0x7f)) + ONES * 7;
    let digits = (sums >> 3) & (sums >> 4) & (sums >> 5) & !(sums >> 6);
    (!(letters | digits) & ONES).trailing_zeros()
}

/// The role of the piece that moves, by the first byte of the move.
static ROLES: [Role; 256] = {
    let mut roles = [Role::Pawn; 256];
    roles[b'N' as usize] = Role::Knight;
    roles[b'B' as usize] = Role::Bishop;
    roles[b'R' as usize] = Role::Rook;
    roles[b'Q' as usize] = Role::Queen;
    roles[b'K' as usize] = Role::King;
    roles
};

/// The files by their letters.
static FILES: [Option<File>; 256] = {
    let mut files = [None; 256];
    let mut file = 0;
    while file < 8 {
        files[b'a' as usize + file] = Some(File::ALL[file]);
        file += 1;
    }
    files
};

/// The ranks by their digits.
static RANKS: [Option<Rank>; 256] = {
    let mut ranks = [None; 256];
    let mut rank = 0;
    while rank < 8 {
        ranks[b'1' as usize + rank] = Some(Rank::ALL[rank]);
        rank += 1;
    }
    ranks
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::canonical::is_plain_movetext;

    /// Returns the only word of a text, with a terminator after it, if it is a move.
    fn only_move(word: &str) -> Option<San> {
        let text = format!("{word} 1-0\n\n");
        let mut words = StrippedTokens::of(text.as_bytes());
        let first = words.next();
        assert_eq!(words.next(), None, "{word}");
        match first? {
            StrippedToken::Move(san) => Some(san),
            StrippedToken::Open | StrippedToken::Close => None,
        }
    }

    /// Calls `each` with all words of these letters, up to this length.
    fn for_each_word(letters: &str, longest: usize, each: &mut impl FnMut(&str)) {
        let mut words = vec![String::new()];
        for _ in 0..longest {
            let longer = |word: &String| {
                letters
                    .chars()
                    .map(|letter| format!("{word}{letter}"))
                    .collect::<Vec<_>>()
            };
            words = words.iter().flat_map(longer).collect();
            words.iter().for_each(|word| each(word));
        }
    }

    #[test]
    fn every_plain_word_is_the_move_that_shakmaty_reads() {
        let mut moves = 0;
        let mut compare = |word: &str| {
            if is_plain_movetext(word.as_bytes()) && word.contains(|letter: char| letter.is_ascii_alphabetic()) {
                moves += 1;
                let san = San::from_ascii_prefix(word.as_bytes()).expect("a move").0;
                assert_eq!(only_move(word), Some(san), "{word}");
            }
        };
        for_each_word("NQOah18x-=+", 6, &mut compare);
        // All squares and pieces.
        for piece in ["", "N", "B", "R", "Q", "K"] {
            for from in [
                "", "a", "b", "c", "d", "e", "f", "g", "h", "1", "2", "3", "4", "5", "6", "7", "8",
            ] {
                for takes in ["", "x"] {
                    for to in Square::ALL {
                        for behind in ["", "=Q", "=N", "+", "#", "!", "?!", "=R+"] {
                            compare(&format!("{piece}{from}{takes}{to}{behind}"));
                        }
                    }
                }
            }
        }
        assert!(moves > 50_000, "{moves}");
    }

    #[test]
    fn what_is_no_move_and_no_variation_is_passed_over() {
        let text = b"12 e4!?$14 ?! (d4 d5(Nf6)) 7.. O-O-O+ exd8=Q# N1xf3 Kf8 1/2-1/2\n\n";
        let words: Vec<String> = StrippedTokens::of(text)
            .map(|word| match word {
                StrippedToken::Move(san) => san.to_string(),
                StrippedToken::Open => "(".to_owned(),
                StrippedToken::Close => ")".to_owned(),
            })
            .collect();
        let expected = [
            "e4", "(", "d4", "d5", "(", "Nf6", ")", ")", "O-O-O", "exd8=Q", "N1xf3", "Kf8",
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn a_text_may_end_anywhere() {
        let text = b"Nbxd2 exd8=Q O-O-O";
        for end in 0..=text.len() {
            assert!(StrippedTokens::of(&text[..end]).count() <= 3);
        }
    }
}
