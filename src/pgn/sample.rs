//! Games for the tests of this module.

use super::canonical::Batch;
use super::read::{GameReader, Scope};
use super::split::{RowSource, Splitter};
use crate::board::columns::Parts;
use crate::game::{Game, Rules};

/// The golden PGN files.
pub(crate) const GOLDEN: [&str; 10] = [
    "02-games-and-output.pgn",
    "06-moves.pgn",
    "classics.pgn",
    "game-tree.pgn",
    "mainline.pgn",
    "paths.pgn",
    "rays.pgn",
    "sets.pgn",
    "strings.pgn",
    "tree.pgn",
];

/// Returns one of the golden files as a batch, to be read as the cases expect it.
pub(crate) fn golden(name: &str) -> Batch {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/pgn/");
    let text = std::fs::read_to_string([folder, name].concat()).expect("a golden file");
    batch_by(Rules::Cql, &text)
}

/// Returns the games of a PGN text.
pub(crate) fn batch(pgn: &str) -> Batch {
    batch_by(Rules::Full, pgn)
}

/// Returns the first game of a PGN text, read as a whole.
pub(crate) fn game(pgn: &str) -> Game {
    let batch = batch(pgn);
    let mut game = Game::default();
    GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true);
    game
}

/// Returns the games of a PGN text, read as a whole and with their boards laid out side by side.
pub(crate) fn games_side_by_side(pgn: &str) -> Vec<Game> {
    let batch = batch(pgn);
    let mut reader = GameReader::new(&batch);
    let read = |_| {
        let mut game = Game::default();
        reader.read(Scope::ALL, &mut game, |_| true);
        game.fill_columns(Parts::ALL);
        game
    };
    (0..batch.games.len()).map(read).collect()
}

/// Returns the games of a PGN text, read by these rules.
pub(crate) fn batch_by(rules: Rules, pgn: &str) -> Batch {
    let mut batch = Batch::default();
    let source = RowSource {
        rules,
        ..RowSource::from("sample.pgn")
    };
    let mut splitter = Splitter::new(pgn.as_bytes(), source, 0);
    splitter.read_batch(&mut batch).expect("text in memory can be read");
    batch
}
