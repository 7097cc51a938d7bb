//! Games with everything in them are written as they were read.
//!
//! Games are generated from a seed: legal moves, and between them everything that people and programs write. Each is read, written,
//! read again and written again.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use fastrand::Rng;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, Position};
use skewer::game::{Game, Rules};
use skewer::pgn::{Batch, Batches, GameReader, Input, Reading, Scope};

use super::listing::{self, text};
use super::searched;

/// How many games are generated.
const GAMES: u64 = 300;

const STARTS: [&str; 4] = [
    "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R b KQkq - 4 9",
    "4k3/P6p/8/2pP4/8/8/p6P/4K3 w - c6 0 40",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "8/5k2/8/8/8/3QK3/8/8 b - - 99 120",
];

/// The first tag. A second one could begin another game.
const EVENT: &str = "[Event \"a \\\"quoted\\\" \\\\ event\"]\n";

const TAGS: [&str; 13] = [
    "[Site \"\"]",
    "[White \"Kn\u{f6}del, M.(2400)\"]",
    "[White \"van der Wiel,J\"]",
    "[Black \"?\"]",
    "[Date \"1985.1.??\"]",
    "[Round \" 1.2 \"]",
    "[ECO \"b85a1\"]",
    "[Result \"1-0\"]",
    "[Result \"?\"]",
    "[Remark \"one\"]",
    "[Remark \"[two]\"]",
    "[BlackElo \"2O00\"]",
    "[odd-name_1 \"{x} ; 1. e4\"]",
];

const COMMENTS: [&str; 12] = [
    "{plain}",
    "{}",
    "{ two  blanks\nand a line }",
    "{[%clk 0:01:02]}",
    "{[Event \"not a tag\"] 1-0 *}",
    "{nested {braces} here}",
    "{( ) $1 1. e4 ; %}",
    "; to the end of the line\n",
    "; {1. e4} (\n",
    "{a word that is longer than any line of the output, because it has no blank: 0123456789012345678901234567890123456789012345678901234567890123456789012345}",
    "{\u{420}\u{443}\u{441}\u{441}\u{43a}\u{438}\u{439}}",
    "{(0:12)}",
];

const ODD_WORDS: [&str; 7] = ["xyz", "Ke9", "Qa1a9", "e9", "Nxh9+", "???x", "\u{4e2d}"];

/// Generates a game.
struct Author {
    rng: Rng,
    text: String,
    comments: usize,
}

impl Author {
    fn one_of<'a>(&mut self, choice: &[&'a str]) -> &'a str {
        choice[self.rng.usize(..choice.len())]
    }

    /// Returns `true` in this many of a hundred cases, at random.
    fn happens(&mut self, percent: u32) -> bool {
        self.rng.u32(..100) < percent
    }

    fn write(&mut self, word: &str) {
        self.text += word;
        let gap = if self.happens(10) { "\n" } else { " " };
        self.text += gap;
    }

    fn comments(&mut self, percent: u32) {
        while self.happens(percent) {
            let comment = self.one_of(&COMMENTS);
            self.write(comment);
            self.comments += 1;
        }
    }

    fn symbols(&mut self, percent: u32) {
        while self.happens(percent) {
            let symbol = match self.rng.u32(..3) {
                0 => format!("${}", self.rng.u32(..300)),
                1 => format!("${}", self.rng.u32(250..100_000)),
                _ => self.one_of(&["!", "?", "!?", "??", "+-", "$0"]).to_owned(),
            };
            self.write(&symbol);
        }
    }

    fn tags(&mut self, start: Option<&str>) {
        self.text += EVENT;
        for _ in 0..self.rng.usize(..8) {
            let tag = self.one_of(&TAGS);
            self.text += tag;
            self.text += "\n";
        }
        if let Some(start) = start {
            let _ = writeln!(self.text, "[SetUp \"1\"]\n[FEN \"{start}\"]");
        }
        self.text += "\n";
    }

    /// Writes a move and what belongs to it. Returns the position after it, or `None` if the side to move has no move.
    fn play(&mut self, position: &Chess) -> Option<Chess> {
        if self.happens(2) {
            let word = self.one_of(&ODD_WORDS);
            self.write(word);
            return Some(position.clone());
        }
        if self.happens(3) {
            let null = self.one_of(&["--", "Z0", "null", "<>"]);
            if let Ok(after) = position.clone().swap_turn() {
                self.write(null);
                return Some(after);
            }
        }
        let moves = position.legal_moves();
        let played = moves.get(self.rng.usize(..moves.len().max(1)))?;
        let san = SanPlus::from_move(position.clone(), *played).to_string();
        let word = match self.rng.u32(..12) {
            0 => san.replace('N', "\u{2658}").replace('Q', "\u{265b}"),
            1 => played.to_uci(CastlingMode::Standard).to_string(),
            2 => san.replace('=', ""),
            3 => format!("{san}!?"),
            4 => san.replace('O', "0"),
            _ => san,
        };
        self.write(&word);
        position.clone().play(*played).ok()
    }

    fn number(&mut self, position: &Chess, is_wanted: bool) {
        let number = position.fullmoves();
        match position.turn().is_white() {
            true => self.write(&format!("{number}.")),
            false if is_wanted => self.write(&format!("{number}...")),
            false => {}
        }
    }

    fn variation(&mut self, position: &Chess, depth: u32) {
        self.write("(");
        if !self.happens(5) {
            self.comments(20);
            self.symbols(10);
            self.line(position.clone(), depth + 1, 8);
        } else {
            self.comments(50);
        }
        self.write(")");
    }

    fn line(&mut self, mut position: Chess, depth: u32, plies: usize) {
        if self.happens(2) {
            self.variation(&position, depth + 1);
        }
        for ply in 0..self.rng.usize(..=plies) {
            let is_numbered = !self.happens(20);
            if is_numbered {
                let is_wanted = ply == 0 || self.happens(20);
                self.number(&position, is_wanted);
            }
            if self.happens(2) {
                self.comments(50);
            }
            let Some(after) = self.play(&position) else { return };
            self.symbols(15);
            self.comments(20);
            while depth < 4 && self.happens(10) {
                self.variation(&position, depth);
                self.comments(10);
            }
            position = after;
        }
    }

    /// Returns a game with everything in it, and how many comments it has.
    fn game(seed: u64) -> (String, usize) {
        let mut author = Author {
            rng: Rng::with_seed(seed),
            text: String::new(),
            comments: 0,
        };
        let start = author.happens(40).then(|| author.one_of(&STARTS));
        author.tags(start);
        author.comments(20);
        author.symbols(5);
        let position = match start {
            Some(fen) => {
                let fen: Fen = fen.parse().expect("a FEN");
                fen.into_position(CastlingMode::Standard).expect("a position")
            }
            None => Chess::default(),
        };
        author.line(position, 0, 30);
        let result = author.one_of(&["1-0", "0-1", "1/2-1/2", "*", "1:0", ""]);
        author.write(result);
        author.comments(10);
        author.text += "\n\n";
        (author.text, author.comments)
    }
}

/// Returns the tags of the only game of a file, in order.
fn tags(pgn: &Path) -> Vec<(String, String)> {
    let mut batches = Batches::new(Input::from(pgn).sources().expect("PGN"));
    let mut tags = Vec::new();
    let mut game = Game::default();
    while let Some(batch) = batches.next_batch(Batch::default()) {
        let batch = batch.expect("PGN");
        let mut reader = GameReader::new(&batch);
        while reader.read(Scope::ALL, &mut game, |_| true) == Reading::Read {
            tags.extend(game.tags.iter().map(|(name, value)| (text(name), text(value))));
        }
    }
    tags
}

/// Returns the tags of `before` that are missing in `after`. A repeated tag must be repeated there, too.
fn lost_tags(before: Vec<(String, String)>, mut after: Vec<(String, String)>) -> Vec<(String, String)> {
    let mut lost = before;
    lost.retain(|tag| match after.iter().position(|other| other == tag) {
        Some(place) => {
            after.remove(place);
            false
        }
        None => true,
    });
    lost
}

/// Returns how many comments the movetext of a game has. Generated comments have no braces inside.
fn comments(game: &str) -> usize {
    let (_, movetext) = game.split_once("\n\n").unwrap_or_default();
    movetext.matches('{').count()
}

/// Returns what a game loses or gains when it is read and written, and when that is repeated.
fn changes((pgn, comment_count): &(String, usize), folder: &Path) -> Option<String> {
    let (first, second) = (folder.join("first.pgn"), folder.join("second.pgn"));
    fs::write(&first, pgn).expect("a file");
    let once = searched(&first, Rules::Full, 1).output;
    fs::write(&second, &once).expect("a file");
    let twice = searched(&second, Rules::Full, 1).output;
    let (before, after) = (
        listing::games(&first, Rules::Full),
        listing::games(&second, Rules::Full),
    );
    let lost = lost_tags(tags(&first), tags(&second));
    let found = comments(&text(&once));
    let changes = [
        (found != *comment_count).then(|| format!("  there are {comment_count} comments, and {found} are written\n")),
        super::difference("what is read again", &listing::trees(&before), &listing::trees(&after)),
        super::difference("what is written again", &text(&once), &text(&twice)),
        (!lost.is_empty()).then(|| format!("  tags are lost: {lost:?}\n")),
    ];
    let changes: String = changes.into_iter().flatten().collect();
    (!changes.is_empty()).then(|| format!("{pgn}\n{changes}"))
}

#[test]
fn games_with_everything_in_them_are_written_as_they_were_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let all = (0..GAMES).filter_map(|seed| Some((seed, changes(&Author::game(seed), folder.path())?)));
    let changed: Vec<_> = all.collect();
    if let Some((seed, changes)) = changed.iter().min_by_key(|(_, changes)| changes.len()) {
        panic!(
            "{} of {GAMES} games change, the shortest is that of seed {seed}:\n{changes}",
            changed.len()
        );
    }
}
