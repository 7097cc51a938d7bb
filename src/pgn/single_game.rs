//! Makes a game in memory from its text.

use super::canonical::Batch;
use super::read::{GameReader, Reading, Scope};
use super::split::Splitter;
use crate::game::Game;

impl Game {
    /// Returns the first game of a PGN text with all its contents, including variations and comments. Its faults are in its
    /// [`warnings`](Game::warnings). Returns `None` if there is no game, or if it cannot be read from its beginning.
    ///
    /// ```
    /// use skewer::game::Game;
    ///
    /// let game = Game::of_pgn("[White \"Foster\"]\n\n1. f3 e5 2. g4 Qh4# 0-1").expect("one game");
    /// assert_eq!(game.tag(b"White").as_deref(), Some(&b"Foster"[..]));
    /// assert_eq!(game.positions.len(), 5);
    /// ```
    pub fn of_pgn(text: impl AsRef<[u8]>) -> Option<Game> {
        let mut batch = Batch::default();
        let mut splitter = Splitter::new(text.as_ref(), "game".into(), 0);
        // Reading from memory cannot fail.
        splitter.read_batch(&mut batch).ok()?;
        let mut game = Game::default();
        let reading = GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true);
        (reading == Reading::Read).then_some(game)
    }
}
