//! Words of the movetext, and which of them are moves.

use super::text::{NeedMore, Text, is_space};

/// A word of the movetext.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Word<'a> {
    /// A move in SAN, or `--`, with the number of an annotation symbol glued to it, or 0.
    Move { san: &'a [u8], nag: u8 },
    /// A move in SAN with several check marks, of which `mark` remains.
    Check { san: &'a [u8], mark: u8 },
    /// Another word that begins like a move, so that it must be read as one.
    OddMove { text: &'a [u8], nag: u8 },
    /// Exclamation and question marks.
    Glyphs(&'a [u8]),
    /// The number of an annotation symbol.
    Nag(u8),
    /// A word without meaning: move numbers, dots, words that do not begin like a move.
    Unknown,
}

/// Returns the number at the start of the text and how many digits it has.
#[inline(always)]
pub(crate) fn leading_number(text: &[u8]) -> (u32, usize) {
    let (mut number, mut digits) = (0u32, 0);
    while let Some(digit @ b'0'..=b'9') = text.get(digits) {
        number = number.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
        digits += 1;
    }
    (number, digits)
}

/// Returns the number of an annotation symbol.
pub(crate) fn glyph(text: &[u8]) -> Option<u8> {
    Some(match text {
        b"!" => 1,
        b"?" => 2,
        b"!!" => 3,
        b"??" => 4,
        b"!?" => 5,
        b"?!" => 6,
        b"=" => 10,
        b"~" => 13,
        b"+=" | b"+/=" => 14,
        b"=+" | b"=/+" => 15,
        b"+/-" => 16,
        b"-/+" => 17,
        b"+-" => 18,
        b"-+" => 19,
        b"D" => 201,
        b"N" => 146,
        _ => return None,
    })
}

/// Returns the number of the annotation symbol for an evaluation.
pub(crate) fn evaluation_of(text: &[u8]) -> Option<u8> {
    glyph(text).filter(|number| (10..=19).contains(number))
}

/// Reads the word at this place and returns it with its end. A byte that can be in no word is a word without meaning.
pub(crate) fn read_word(text: Text<'_>, at: usize) -> Result<(Word<'_>, usize), NeedMore> {
    let nothing_at = |end| Ok((Word::Unknown, end));
    match text.byte(at)? {
        Some(b'!' | b'?') => {
            let end = text.skip(at, |byte| matches!(byte, b'!' | b'?'))?;
            Ok((Word::Glyphs(text.slice(at..end)), end))
        }
        Some(b'0'..=b'9') => {
            let after_digits = text.skip(at, |byte| byte.is_ascii_digit())?;
            match text.byte(after_digits)? {
                Some(byte) if byte.is_ascii_alphabetic() || !is_word(byte) => nothing_at(after_digits),
                None => nothing_at(after_digits),
                _ => {
                    let end = text.skip(at, is_word)?;
                    Ok((number_like(text.slice(at..end)), end))
                }
            }
        }
        Some(byte) if is_word(byte) => {
            let end = word_end(text, at)?;
            Ok((classify(text.slice(at..end)), end))
        }
        _ => nothing_at(at + 1),
    }
}

/// Returns whether the byte can be inside a word.
fn is_word(byte: u8) -> bool {
    !is_space(byte)
        && !matches!(
            byte,
            0 | b'{' | b'}' | b'(' | b')' | b'[' | b']' | b';' | b'$' | b'!' | b'?' | b'*' | b',' | b'.'
        )
}

/// Returns the end of the word at this place. A dot ends it, except in `e.p.`.
fn word_end(text: Text<'_>, at: usize) -> Result<usize, NeedMore> {
    let end = text.skip(at, is_word)?;
    let in_passing = end > at
        && text.before(end) == Some(b'e')
        && text.byte(end)? == Some(b'.')
        && text.byte(end + 1)? == Some(b'p');
    if !in_passing {
        return Ok(end);
    }
    let end = if text.byte(end + 2)? == Some(b'.') {
        end + 3
    } else {
        end + 2
    };
    text.skip(end, |byte| matches!(byte, b'+' | b'#'))
}

/// Classifies a word that begins with a digit: castling with zeros, or no meaning.
fn number_like(word: &[u8]) -> Word<'_> {
    let (squares, nag) = without_glyph(word);
    let castling = matches!(without_checks(squares), b"0-0" | b"0-0-0");
    if castling {
        Word::OddMove { text: squares, nag }
    } else {
        Word::Unknown
    }
}

fn classify(word: &[u8]) -> Word<'_> {
    if let Some(number) = glyph(word) {
        return Word::Nag(number);
    }
    let (squares, nag) = without_glyph(word);
    let bare = without_checks(squares);
    if is_san(bare) || bare == b"--" {
        let marks = &squares[bare.len()..];
        match marks {
            [mark, _, ..] if nag == 0 => Word::Check { san: bare, mark: *mark },
            [] | [_] => Word::Move { san: squares, nag },
            _ => Word::OddMove { text: squares, nag },
        }
    } else if begins_like_move(bare) {
        Word::OddMove { text: squares, nag }
    } else {
        Word::Unknown
    }
}

/// Splits off an evaluation glued to the end of a move: `Nf3+-`, `e4=`.
fn without_glyph(word: &[u8]) -> (&[u8], u8) {
    // Longest first, so that a check mark is not taken from `+/-`; `Nf3++-` is a check and `+-`.
    (1..=3)
        .rev()
        .filter_map(|length| word.split_at_checked(word.len().checked_sub(length)?))
        .find_map(|(squares, sign)| {
            let number = evaluation_of(sign)?;
            let after_square = squares.last().is_some_and(|byte| !matches!(byte, b'-' | b'/' | b'='));
            after_square.then_some((squares, number))
        })
        .unwrap_or((word, 0))
}

fn without_checks(word: &[u8]) -> &[u8] {
    let length = word
        .iter()
        .rposition(|byte| !matches!(byte, b'+' | b'#'))
        .map_or(0, |last| last + 1);
    word.get(..length).unwrap_or_default()
}

/// Returns whether a word that is not SAN still has to be read as a move.
fn begins_like_move(word: &[u8]) -> bool {
    match word {
        b"ep" | b"e.p" | b"e.p." => false,
        b"null" | b"Z0" => true,
        [b'a'..=b'h' | b'K' | b'Q' | b'R' | b'B' | b'N' | b'P', ..] | [b'O' | b'o', b'-', ..] => true,
        // A pawn drop.
        [b'@', b'a'..=b'h', b'1'..=b'8'] => true,
        _ => false,
    }
}

/// Returns whether the word is a move in SAN, without check marks.
fn is_san(word: &[u8]) -> bool {
    match word {
        b"O-O" | b"O-O-O" => true,
        [b'K' | b'Q' | b'R' | b'B' | b'N', squares @ ..] => is_piece_move(squares),
        [pawn @ .., b'=', b'Q' | b'R' | b'B' | b'N'] => is_pawn_move(pawn),
        _ => is_pawn_move(word),
    }
}

fn is_piece_move(squares: &[u8]) -> bool {
    let Some((origin, [b'a'..=b'h', b'1'..=b'8'])) = squares.split_last_chunk() else {
        return false;
    };
    let origin = origin.strip_suffix(b"x").unwrap_or(origin);
    matches!(origin, [] | [b'a'..=b'h' | b'1'..=b'8'] | [b'a'..=b'h', b'1'..=b'8'])
}

fn is_pawn_move(squares: &[u8]) -> bool {
    matches!(
        squares,
        [b'a'..=b'h', b'1'..=b'8'] | [b'a'..=b'h', b'x', b'a'..=b'h', b'1'..=b'8']
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Word<'_>> {
        let text = Text {
            bytes: text.as_bytes(),
            complete: true,
        };
        let mut words = Vec::new();
        let mut at = 0;
        while at < text.bytes.len() {
            let Ok((word, end)) = read_word(text, at) else {
                panic!("complete text needs no more")
            };
            words.push(word);
            at = end;
        }
        words.retain(|&word| word != Word::Unknown);
        words
    }

    fn san(san: &str, nag: u8) -> Word<'_> {
        Word::Move {
            san: san.as_bytes(),
            nag,
        }
    }

    fn odd(text: &str) -> Word<'_> {
        Word::OddMove {
            text: text.as_bytes(),
            nag: 0,
        }
    }

    #[test]
    fn moves_in_san() {
        for word in [
            "e4", "exd5", "e8=Q", "exd8=N+", "Nf3", "Nb1d2", "Nb1xd2", "N1d2#", "O-O", "O-O-O+", "--", "--+",
        ] {
            assert_eq!(words(word), [san(word, 0)]);
        }
        assert_eq!(words("e4++"), [Word::Check { san: b"e4", mark: b'+' }]);
        assert_eq!(words("12.e4"), [san("e4", 0)]);
        assert_eq!(words("12...e4."), [san("e4", 0)]);
        assert_eq!(words("1e4"), [san("e4", 0)]);
    }

    #[test]
    fn moves_in_other_notations() {
        for word in [
            "e2e4",
            "e2-e4",
            "Bf1:b5",
            "Ng1-f3",
            "ed",
            "ed5",
            "dxc",
            "e4e.p.",
            "exd6e.p.+",
            "exd6ep",
            "Pe4",
            "a8Q",
            "e8=q",
            "o-o",
            "o-o-o",
            "0-0",
            "0-0-0",
            "0-0+",
            "Z0",
            "null",
            "Nf9",
            "K",
            "bad",
            "Black",
            "O-O-O-O",
        ] {
            assert_eq!(words(word), [odd(word)]);
        }
    }

    #[test]
    fn words_without_meaning() {
        for word in [
            "xyz", "nf3", "1", "12.", "...", "00", "ep", "e.p.", "+", "++", "1/2", "1-0", "0:01:00", "é4", "-fold",
            "=Q", "<x>", ",", "]",
        ] {
            assert_eq!(words(word), [], "{word}");
        }
    }

    #[test]
    fn annotation_symbols() {
        let table = [
            ("=", 10),
            ("~", 13),
            ("+=", 14),
            ("+/=", 14),
            ("=+", 15),
            ("=/+", 15),
            ("+/-", 16),
            ("-/+", 17),
            ("+-", 18),
            ("-+", 19),
            ("D", 201),
            ("N", 146),
        ];
        for (word, number) in table {
            assert_eq!(words(word), [Word::Nag(number)]);
        }
        assert_eq!(words("e4!?"), [san("e4", 0), Word::Glyphs(b"!?")]);
        assert_eq!(words("e4!Nf3"), [san("e4", 0), Word::Glyphs(b"!"), san("Nf3", 0)]);
        assert_eq!(words("Nf3+-"), [san("Nf3", 18)]);
        assert_eq!(words("Nf3++/-"), [san("Nf3+", 16)]);
        assert_eq!(words("Nf3="), [san("Nf3", 10)]);
        assert_eq!(words("0-0="), [Word::OddMove { text: b"0-0", nag: 10 }]);
    }
}
