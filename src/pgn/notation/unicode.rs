//! Characters beyond ASCII in words of the movetext: figurines, dashes, annotation symbols, Cyrillic letters.

use std::ops::Range;

use super::language::{
    CYRILLIC_DE, CYRILLIC_EF, CYRILLIC_EL, CYRILLIC_ES, CYRILLIC_KA, CYRILLIC_KING, CYRILLIC_TE, CYRILLIC_TSE,
    FIGURINE_KING, FIGURINE_PAWN,
};

/// In a word of single bytes, announces that the next byte is the number of an annotation symbol.
pub(crate) const SYMBOL: u8 = 0xff;

/// Replaces a sign that means nothing in movetext.
pub(crate) const STRANGE: u8 = 0xfe;

/// Writes a word with single bytes: ASCII where possible, the letters of [`language`](super::language), and [`SYMBOL`] for annotation symbols.
///
/// Words that are not UTF-8 are read as Windows text: Cyrillic letters as in code page 1251, dashes and fractions as in 1252.
pub(crate) fn simplify(word: &[u8], out: &mut Vec<u8>) {
    out.clear();
    signs(word).for_each(|(sign, _)| push(sign, out));
}

/// Returns the characters of a word, each with its length in bytes.
fn signs(word: &[u8]) -> impl Iterator<Item = (char, usize)> {
    let (text, bytes) = str::from_utf8(word).map_or(("", word), |text| (text, &[]));
    let characters = text.chars().map(|character| (character, character.len_utf8()));
    characters.chain(bytes.iter().map(|byte| (windows(*byte), 1)))
}

/// Returns the part of a word from which a part of its simple form comes.
pub(crate) fn written_part(word: &[u8], part: Range<usize>) -> &[u8] {
    let mut simple = Vec::with_capacity(word.len());
    let mut range = 0..0;
    let mut at = 0;
    for (sign, length) in signs(word) {
        let before = simple.len();
        push(sign, &mut simple);
        at += length;
        if before <= part.start {
            range.start = at - length;
        }
        if before < part.end {
            range.end = at;
        }
    }
    word.get(range).unwrap_or_default()
}

/// Returns the character of a byte in the Windows code pages, if it has a meaning here.
fn windows(byte: u8) -> char {
    match byte {
        0x85 => '…',
        0x86 => '†',
        0x87 => '‡',
        0x96 => '–',
        0x97 => '—',
        0xa0 => '\u{a0}',
        0xb1 => '±',
        0xbd => '½',
        0xc4 => 'Д',
        0xca => 'К',
        0xcb => 'Л',
        0xce => 'О',
        0xd0 => 'Р',
        0xd1 => 'С',
        0xd2 => 'Т',
        0xd4 => 'Ф',
        0xd6 => 'Ц',
        0xd7 => '×',
        0xe0 => 'а',
        0xe5 => 'е',
        0xee => 'о',
        0xf0 => 'р',
        0xf1 => 'с',
        0xf5 => 'х',
        byte if byte.is_ascii() => char::from(byte),
        _ => char::REPLACEMENT_CHARACTER,
    }
}

fn push(sign: char, out: &mut Vec<u8>) {
    if let Ok(byte) = u8::try_from(sign)
        && byte.is_ascii()
    {
        return out.push(byte);
    }
    let text: &[u8] = match sign {
        '♔' | '♚' => &[FIGURINE_KING],
        '♕' | '♛' => &[FIGURINE_KING + 1],
        '♖' | '♜' => &[FIGURINE_KING + 2],
        '♗' | '♝' => &[FIGURINE_KING + 3],
        '♘' | '♞' => &[FIGURINE_KING + 4],
        '♙' | '♟' => &[FIGURINE_PAWN],
        // These choose between the shapes of a sign, or have no width.
        '\u{fe0e}' | '\u{fe0f}' | '\u{200b}'..='\u{200f}' | '\u{feff}' | '\u{2060}' => b"",
        '\u{85}'
        | '\u{a0}'
        | '\u{1680}'
        | '\u{2000}'..='\u{200a}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{202f}'
        | '\u{205f}'
        | '\u{3000}' => b" ",
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ad}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' | '\u{2043}' => b"-",
        '×' | '✕' | '✖' | '⨯' | 'х' => b"x",
        '½' => b"1/2",
        '…' => b"...",
        '†' => b"+",
        '‡' | '≠' | '♯' | '\u{ff03}' => b"#",
        '‼' => b"!!",
        '⁇' => b"??",
        '⁈' => b"?!",
        '⁉' => b"!?",
        '∶' | '：' => b":",
        '⁄' | '∕' => b"/",
        'О' | 'Ο' => b"O",
        'о' | 'ο' => b"o",
        'а' => b"a",
        'с' => b"c",
        'е' => b"e",
        'К' => &[CYRILLIC_KA],
        'Ф' => &[CYRILLIC_EF],
        'Л' => &[CYRILLIC_EL],
        'С' => &[CYRILLIC_ES],
        'Т' => &[CYRILLIC_TE],
        'Ц' => &[CYRILLIC_TSE],
        'Д' => &[CYRILLIC_DE],
        // Not every font has a separate capital for the second letter of `Кр`.
        'р' | 'Р' if out.last() == Some(&CYRILLIC_KA) => {
            out.pop();
            &[CYRILLIC_KING]
        }
        sign => match symbol(sign) {
            Some(number) => return out.extend_from_slice(&[SYMBOL, number]),
            None => &[STRANGE],
        },
    };
    out.extend_from_slice(text);
}

/// Returns the number of an annotation symbol. If White and Black have different ones, it is White's.
fn symbol(sign: char) -> Option<u8> {
    Some(match sign {
        '□' => 7,
        '∞' => 13,
        '⩲' => 14,
        '⩱' => 15,
        '±' => 16,
        '∓' => 17,
        '⊙' | '⨀' => 22,
        '○' => 26,
        '⟳' | '↻' => 32,
        '↑' => 36,
        '→' => 40,
        '⯹' => 44,
        '⇆' | '⇄' => 132,
        '⊕' | '⨁' => 138,
        '△' | '∆' | 'Δ' => 140,
        '▽' | '∇' => 141,
        '⌓' => 142,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn simple(word: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        simplify(word, &mut out);
        out
    }

    #[test]
    fn signs_become_what_they_mean() {
        for (word, meaning) in [
            ("О–О−О", "O-O-O"),
            ("½–½", "1/2-1/2"),
            ("1—0", "1-0"),
            ("12…e5", "12...e5"),
            ("e4‼", "e4!!"),
            ("f×g6†", "fxg6+"),
            ("e4\u{a0}e5", "e4 e5"),
        ] {
            assert_eq!(simple(word.as_bytes()), meaning.as_bytes(), "{word}");
        }
        assert_eq!(simple("Nf3±".as_bytes()), [b'N', b'f', b'3', SYMBOL, 16]);
        assert_eq!(simple("♞\u{fe0e}f6".as_bytes()), [FIGURINE_KING + 4, b'f', b'6']);
        assert_eq!(simple("é".as_bytes()), [STRANGE]);
    }

    #[test]
    fn parts_are_found_in_what_is_written() {
        for (word, parts) in [
            ("31.Tbxb6+∞", &["31", ".", "Tbxb6+", "∞"][..]),
            ("½–½", &["½–½"]),
            ("12…♞\u{fe0e}f6‼", &["12", "…", "♞\u{fe0e}f6", "‼"]),
            ("Крg1±", &["Крg1", "±"]),
        ] {
            let mut at = 0;
            for part in parts {
                let length = simple(part.as_bytes()).len();
                let found = written_part(word.as_bytes(), at..at + length);
                assert_eq!(found, part.as_bytes(), "{word}");
                at += length;
            }
        }
    }

    #[test]
    fn cyrillic_letters_are_single_bytes() {
        let king = [CYRILLIC_KING, b'g', b'1'];
        assert_eq!(simple("Крg1".as_bytes()), king);
        assert_eq!(simple(b"\xca\xf0g1"), king);
        assert_eq!(simple("Сc4".as_bytes()), [CYRILLIC_ES, b'c', b'4']);
        assert_eq!(simple("е4".as_bytes()), b"e4");
        assert_eq!(simple(b"\xce-\xce"), b"O-O");
        assert_eq!(simple(b"\xbd-\xbd"), b"1/2-1/2");
    }
}
