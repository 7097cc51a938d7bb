//! PGN files as games to search.

use std::borrow::Cow;
use std::mem;
use std::ops::ControlFlow;

use shakmaty::Color;

use super::Error;
use super::run::{Batch, Games, ReadGames, VisitGames};
use crate::eval::report::GameReport;
use crate::game::{
    self, Additions, Batches, Game, GameReader, InputError, Position, Reading, Scope, Warning, write_game,
};
use crate::output::{GameFacts, TagName};

impl Batch for game::Batch {
    fn len(&self) -> usize {
        self.games.len()
    }

    fn number(&self, index: usize) -> u64 {
        self.games.get(index).map_or(0, |game| game.number)
    }

    fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
}

/// The games of PGN files.
pub struct PgnGames {
    batches: Batches,
    bytes_read: u64,
}

impl PgnGames {
    /// All games of the batches, which must not have been read from yet.
    pub fn new(batches: Batches) -> PgnGames {
        PgnGames { batches, bytes_read: 0 }
    }
}

impl Games for PgnGames {
    type Batch = game::Batch;

    fn next(&mut self, batch: &mut game::Batch) -> Result<bool, Error> {
        match self.batches.next_batch(mem::take(batch)) {
            None => Ok(false),
            Some(next) => {
                *batch = next?;
                self.bytes_read += batch.text.len() as u64;
                Ok(true)
            }
        }
    }

    fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    fn last_number(&self, last_wanted: u64) -> Result<Option<u64>, Error> {
        Ok(self.batches.last_number(last_wanted)?)
    }
}

impl From<InputError> for Error {
    fn from(InputError { source, error }: InputError) -> Error {
        Error::Input {
            name: source.to_string(),
            error,
        }
    }
}

/// Reads PGN games on one thread.
pub struct PgnReader {
    scope: Scope,
    game: Game,
}

impl PgnReader {
    /// Reads as much of each game as the scope says.
    pub fn new(scope: Scope) -> PgnReader {
        PgnReader {
            scope,
            game: Game::default(),
        }
    }
}

impl ReadGames for PgnReader {
    type Batch = game::Batch;
    type Game = Game;

    fn read(&mut self, batch: &game::Batch, visitor: &mut dyn VisitGames<Game>) {
        let mut reader = GameReader::new(batch);
        for index in 0..batch.games.len() {
            let seen = match reader.read(self.scope, &mut self.game, |game| visitor.wants(game)) {
                Reading::Read => visitor.visit(index, Some(&self.game)),
                Reading::Skipped => visitor.visit(index, None),
                Reading::End => ControlFlow::Break(()),
            };
            if seen.is_break() {
                return;
            }
        }
    }

    fn read_whole(batch: &game::Batch, index: usize) -> Game {
        let mut game = Game::default();
        GameReader::at(batch, index).read(Scope::ALL, &mut game, |_| true);
        game
    }

    fn warnings(game: &Game) -> &[Warning] {
        &game.warnings
    }

    fn facts<'a>(batch: &'a game::Batch, game: &'a Game) -> impl GameFacts + 'a {
        PgnFacts {
            source: &batch.source,
            game,
        }
    }
}

struct PgnFacts<'a> {
    source: &'a str,
    game: &'a Game,
}

impl GameFacts for PgnFacts<'_> {
    fn source(&self) -> &str {
        self.source
    }

    fn number(&self) -> u64 {
        self.game.number
    }

    fn tag(&self, name: TagName) -> Option<Cow<'_, [u8]>> {
        self.game.tag(match name {
            TagName::White => b"White",
            TagName::Black => b"Black",
            TagName::Event => b"Event",
            TagName::Site => b"Site",
            TagName::Date => b"Date",
            TagName::Result => b"Result",
            TagName::Eco => b"ECO",
        })
    }

    fn rating(&self, player: Color) -> Option<u16> {
        self.game.tags.elo(player)
    }

    fn positions(&self) -> &[Position] {
        &self.game.positions
    }

    fn write_fen(&self, position: &Position, out: &mut Vec<u8>) {
        out.extend_from_slice(self.game.fen(position).as_bytes());
    }

    fn write_pgn(&self, report: &GameReport, out: &mut Vec<u8>) {
        let mut additions = Additions::default();
        additions.repeat_comments(report.repeats_comments);
        for (position, text) in &report.comments {
            additions.comment(*position, text);
        }
        for position in &report.removed_comments {
            additions.remove_comment(*position);
        }
        for (name, value) in &report.tags {
            additions.set_tag(name, value);
        }
        write_game(out, self.game, &additions);
    }
}
