//! Sources of any content and size: the way they are read makes no difference.

use fastrand::Rng;

use super::*;
use crate::pgn::repair::Rewriter;

/// Pieces of good and bad PGN.
const FRAGMENTS: [&str; 61] = [
    "[Event \"e\"]\n",
    "[White \"w\"]\r\n",
    "[A \"x\\\"y\"]\n",
    "[B \"q\"q\"]\n",
    "[C \"1\"\n",
    "[D]\n",
    "[Result \"0-1\"]\n",
    "\n",
    "\n\n",
    "\r\n",
    "\r\n\r\n",
    " ",
    "\t",
    "1. e4 ",
    "e5 ",
    "Nf3",
    "Nf3+ ",
    "Nbd2 ",
    "exd5 ",
    "e8=Q ",
    "O-O ",
    "O-O-O ",
    "0-0 ",
    "e2e4 ",
    "Bf1:b5 ",
    "ed ",
    "-- ",
    "Z0 ",
    "null ",
    "xyz ",
    "Nf9 ",
    "12. ",
    "3...",
    ".",
    "! ",
    "?!",
    "$1 ",
    "$300 ",
    "+- ",
    "+/= ",
    "{",
    "}",
    "{c} ",
    "{a {b} c}",
    "{}",
    "{\n\n}",
    "(",
    ")",
    "(d4) ",
    "( ",
    " 1-0\n\n",
    " 0-1 ",
    " 1/2-1/2\n",
    " *\n",
    "*",
    "; x\n",
    "\n% y\n",
    "\0",
    "\u{e9} ",
    "\u{feff}",
    "e.p. ",
];

fn random_text(rng: &mut Rng, fragments: usize) -> Vec<u8> {
    // Mostly games that are nearly correct, so that the first unclosed brace does not swallow everything.
    let mut text = Vec::new();
    for _ in 0..fragments {
        if rng.u8(..16) == 0 {
            text.extend_from_slice(b" *\n\n[Event \"e\"]\n[White \"w\"]\n\n1. e4 e5 ");
        }
        text.extend_from_slice(FRAGMENTS[rng.usize(..FRAGMENTS.len())].as_bytes());
    }
    text
}

/// Returns the game as [`Rewriter`] rewrites it, even if it is plain.
fn rewritten(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let len = Rewriter::default().rewrite(
        Text {
            bytes: text,
            complete: true,
        },
        &mut out,
    );
    assert_eq!(len, Ok(text.len()));
    out
}

#[test]
fn the_size_of_reads_does_not_matter() {
    let mut rng = Rng::with_seed(1);
    for _ in 0..100 {
        let fragments = rng.usize(..80);
        let text = random_text(&mut rng, fragments);
        let whole = batches_of(Cursor::new(&text));
        for chunk in [1, 7, 4096] {
            assert_eq!(
                batches_of(Slow { text: &text, chunk }),
                whole,
                "{}",
                String::from_utf8_lossy(&text)
            );
        }
    }
}

#[test]
fn the_size_of_the_window_does_not_matter() {
    // Texts that end anywhere: an answer that needs no more text must not change when more comes.
    let mut rng = Rng::with_seed(2);
    for _ in 0..300 {
        let text = random_text(&mut rng, 30);
        let start = text.iter().position(|&byte| byte == b'[').unwrap_or(text.len());
        let text = &text[start..];
        let whole = Text {
            bytes: text,
            complete: true,
        };
        let mut rewritten = Vec::new();
        let length = Rewriter::default().rewrite(whole, &mut rewritten);
        for end in 0..text.len() {
            let part = Text {
                bytes: &text[..end],
                complete: false,
            };
            let mut out = Vec::new();
            let answer = Rewriter::default().rewrite(part, &mut out);
            if answer.is_ok() {
                assert_eq!(
                    (answer, &out),
                    (length, &rewritten),
                    "{:?}",
                    String::from_utf8_lossy(part.bytes)
                );
            }
            let answer = recognise(part, &mut Vec::new());
            if answer.is_ok() {
                assert_eq!(
                    answer,
                    recognise(whole, &mut Vec::new()),
                    "{:?}",
                    String::from_utf8_lossy(part.bytes)
                );
            }
        }
    }
}

#[test]
fn tidied_games_are_plain_and_mean_what_plain_games_mean() {
    let mut rng = Rng::with_seed(3);
    let mut plain_games = 0;
    for _ in 0..60 {
        let fragments = rng.usize(..200);
        let source = random_text(&mut rng, fragments);
        // By the other rules variations may be where none can be, or have no moves, and then they are not plain.
        let batch = batches_by(Rules::Cql, Cursor::new(&source)).pop().unwrap_or_default();
        assert_eq!(
            tokens_of(&batch).len(),
            batch.games.len(),
            "{}",
            String::from_utf8_lossy(&source)
        );
        for text in batch.texts() {
            let shown = String::from_utf8_lossy(text);
            let has = |part: &[u8]| text.windows(part.len()).any(|window| window == part);
            // Control bytes, null moves and moves that name their whole origin are canonical, but not plain.
            let special = text.iter().any(|byte| matches!(byte, 1..=3)) || has(b"-- ") || has(b"Nf3e");
            let canonical = Text {
                bytes: text,
                complete: true,
            };
            // A header that may be two is also examined closely.
            let first = text.iter().position(|byte| *byte == b' ').unwrap_or(0);
            let starts_over = has(&[b"\n", text.get(..=first).unwrap_or_default()].concat());
            if !special && !starts_over && text.starts_with(b"[") {
                assert_eq!(recognise(canonical, &mut Vec::new()), Ok(Some(text.len())), "{shown}");
            }
            if !special {
                let again = rewritten(text);
                assert_eq!(tokens_of(&batch_of(&again)), tokens_of(&batch_of(text)), "{shown}");
                assert_eq!(rewritten(&again), again, "{shown}");
                plain_games += 1;
            }
        }
    }
    assert!(plain_games > 200, "{plain_games}");
}

#[test]
fn any_bytes_can_be_read() {
    let mut rng = Rng::with_seed(4);
    let likely = b"[]{}()\"\\;%*$.-=+/01289 \n\r\tabehxnKQNOPZ\x00\x01\x02\x03\xc2\xa0\xe9\xff";
    for _ in 0..400 {
        let length = rng.usize(..200);
        let text: Vec<u8> = (0..length).map(|_| likely[rng.usize(..likely.len())]).collect();
        let batch = batch_of(&text);
        assert_eq!(
            tokens_of(&batch).len(),
            batch.games.len(),
            "{:?}",
            String::from_utf8_lossy(&text)
        );
        assert_eq!(
            batches_of(Slow { text: &text, chunk: 3 }).pop().unwrap_or_default(),
            batch
        );
    }
}

#[test]
fn golden_files_have_known_numbers_of_games() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/pgn");
    for (name, count) in [
        ("02-games-and-output.pgn", 36),
        ("06-moves.pgn", 16),
        ("classics.pgn", 20),
        ("game-tree.pgn", 14),
        ("mainline.pgn", 120),
        ("paths.pgn", 9),
        ("rays.pgn", 46),
        ("sets.pgn", 8),
        ("strings.pgn", 6),
        ("tree.pgn", 240),
    ] {
        let text = std::fs::read(folder.join(name)).expect("golden files are in the repository");
        let batch = batches_by(Rules::Cql, Cursor::new(&text)).pop().unwrap_or_default();
        assert_eq!(batch.games.len(), count, "{name}");
        assert_eq!(batch.warnings, [], "{name}");
        assert_eq!(tokens_of(&batch).len(), count, "{name}");
    }
}

/// An endless source: one game over and over.
struct Endless {
    game: Vec<u8>,
    at: usize,
    left: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = buffer.len().min(self.left).min(self.game.len() - self.at);
        buffer[..length].copy_from_slice(&self.game[self.at..self.at + length]);
        self.at = (self.at + length) % self.game.len();
        self.left -= length;
        Ok(length)
    }
}

#[test]
fn memory_does_not_grow_with_the_source() {
    for (game, size) in [
        ("[A \"1\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n", 6 * WINDOW),
        ("[A \"1\"]\n\n1. e2e4 e7e5 2. Nf3 Nc6 {{\n\n", 2 * WINDOW),
        ("what is this? \n", 4 * WINDOW),
    ] {
        let source = Endless {
            game: game.repeat(300).into_bytes(),
            at: 0,
            left: size,
        };
        let mut splitter = Splitter::new(source, "endless".into(), 0);
        let mut batch = Batch::default();
        while splitter.read_batch(&mut batch).unwrap() {
            assert!(batch.text.len() < BATCH + WINDOW);
            assert!(splitter.window.buffer.len() <= 2 * WINDOW);
        }
    }
}

#[test]
fn a_game_longer_than_the_window_is_read_whole() {
    let comment = "x ".repeat(WINDOW);
    let text = format!("[A \"1\"]\n\ne4 {{{comment}}} e5 *\n\n[A \"2\"]\n\nd4 *");
    let games: Vec<_> = batches_of(Cursor::new(&text)).iter().flat_map(tokens_of).collect();
    assert_eq!(
        games,
        [format!("A=1 e4 {{{}}} e5 *", comment.trim_end()), "A=2 d4 *".to_owned()]
    );
}
