//! Canonical text for the tests of this module, made in the simplest way that serves them.

use shakmaty::san::SanPlus;

use super::batch::{BACKSLASH, Batch, GameText, INNER_QUOTE, ODD_MOVE};
use super::move_word::read_move;

/// The golden PGN files.
pub(super) const GOLDEN: [(&str, &str); 10] = [
    (
        "02-games-and-output.pgn",
        include_str!("../../tests/golden/pgn/02-games-and-output.pgn"),
    ),
    ("06-moves.pgn", include_str!("../../tests/golden/pgn/06-moves.pgn")),
    ("classics.pgn", include_str!("../../tests/golden/pgn/classics.pgn")),
    ("game-tree.pgn", include_str!("../../tests/golden/pgn/game-tree.pgn")),
    ("mainline.pgn", include_str!("../../tests/golden/pgn/mainline.pgn")),
    ("paths.pgn", include_str!("../../tests/golden/pgn/paths.pgn")),
    ("rays.pgn", include_str!("../../tests/golden/pgn/rays.pgn")),
    ("sets.pgn", include_str!("../../tests/golden/pgn/sets.pgn")),
    ("strings.pgn", include_str!("../../tests/golden/pgn/strings.pgn")),
    ("tree.pgn", include_str!("../../tests/golden/pgn/tree.pgn")),
];

/// One of the golden files as a batch.
pub(super) fn golden(name: &str) -> Batch {
    let (_, text) = GOLDEN
        .into_iter()
        .find(|(file, _)| *file == name)
        .expect("a golden file");
    batch(text)
}

/// A batch of games of any PGN without unclosed braces. A tag after movetext begins a game.
pub(crate) fn batch(pgn: &str) -> Batch {
    let mut batch = Batch {
        source: "sample.pgn".into(),
        ..Batch::default()
    };
    let mut start = 0;
    let mut first_line = 1;
    let mut in_moves = false;
    let mut depth = 0;
    for (number, line) in (1..).zip(pgn.lines().chain(["["])) {
        if depth == 0 && line.starts_with('[') {
            if in_moves {
                batch.text.extend_from_slice(b"\n");
                let range = start..batch.text.len();
                start = range.end;
                batch.games.push(GameText {
                    range,
                    number: batch.games.len() as u64 + 1,
                    line: first_line,
                });
                (first_line, in_moves) = (number, false);
            }
            if let (Some(open), Some(close)) = (line.find('"'), line.rfind('"')) {
                let value = line[open + 1..close]
                    .replace('"', &control(INNER_QUOTE))
                    .replace('\\', &control(BACKSLASH));
                batch
                    .text
                    .extend_from_slice(format!("{}\"{value}\"]\n", &line[..open]).as_bytes());
            }
            batch.longest_tag_line = batch.longest_tag_line.max(line.len());
        } else if line.is_empty() && !in_moves {
            batch.text.push(b'\n');
        } else if !line.starts_with('%') && !line.trim().is_empty() {
            in_moves = true;
            movetext(&mut batch.text, line, &mut depth);
        }
    }
    batch
}

/// A control byte as text.
fn control(byte: u8) -> String {
    char::from(byte).to_string()
}

/// Makes one line of movetext canonical; `depth` counts the open braces.
fn movetext(text: &mut Vec<u8>, line: &str, depth: &mut usize) {
    let mut word = String::new();
    for letter in line.chars().chain(['\n']) {
        if *depth > 0 {
            match letter {
                '{' => *depth += 1,
                '}' => *depth -= 1,
                _ => {}
            }
            let shown = if *depth > 0 && matches!(letter, '{' | '}') {
                '_'
            } else {
                letter
            };
            text.extend_from_slice(shown.to_string().as_bytes());
            continue;
        }
        if !matches!(letter, '{' | '(' | ')' | ';') && !letter.is_whitespace() {
            word.push(letter);
            continue;
        }
        text.extend_from_slice(canonical_word(&std::mem::take(&mut word)).as_bytes());
        match letter {
            '{' => *depth = 1,
            ';' => break,
            _ => {}
        }
        text.extend_from_slice(letter.to_string().as_bytes());
    }
}

/// A word as the PGN reader understands it, or nothing if it means nothing.
fn canonical_word(word: &str) -> String {
    const SYMBOLS: [(&str, u8); 14] = [
        ("=", 10),
        ("+=", 14),
        ("+/=", 14),
        ("=+", 15),
        ("=/+", 15),
        ("+/-", 16),
        ("-/+", 17),
        ("+-", 18),
        ("-+", 19),
        ("~", 13),
        ("D", 201),
        ("N", 146),
        ("!", 1),
        ("?", 2),
    ];
    if let Some((_, nag)) = SYMBOLS.into_iter().find(|(symbol, _)| *symbol == word) {
        return format!("${nag}");
    }
    if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") || word.starts_with('$') {
        return word.to_owned();
    }
    let dots = word.rfind('.').map_or(0, |dot| dot + 1);
    let word = if word[..dots].bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
        &word[dots..]
    } else {
        word
    };
    let bare = word.trim_end_matches(['!', '?']);
    let begins_a_move = bare.starts_with(|letter: char| "abcdefghKQRBNPO0".contains(letter));
    if SanPlus::from_ascii(bare.as_bytes()).is_ok() {
        word.to_owned()
    } else if read_move(bare.as_bytes()).is_some() || begins_a_move {
        format!("{{{}{bare}}}{}", char::from(ODD_MOVE), &word[bare.len()..])
    } else {
        String::new()
    }
}
