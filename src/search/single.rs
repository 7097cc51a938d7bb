//! Searches one game that is already in memory, in the same way as any other search.

use super::error::RunError;
use super::games::{Batch, Games, Reach, ReadGames, VisitGames};
use super::inputs::failed;
use super::listener::Listener;
use super::options::Options;
use super::run::{Search, run};
use super::sink::Sink;
use super::{Outcome, pgn};
use crate::eval::{Evaluation, Settings};
use crate::game::{Game, Warning};
use crate::output::GameFacts;
use crate::query::Query;

/// Searches a game, which keeps its number. The game must have been read as a whole; variations are left out if the query has no `variations`.
///
/// # Errors
/// Returns an error if the evaluation ends the run, or the sink fails.
pub(crate) fn search_only<S: Sink>(
    query: &Query,
    settings: Settings,
    mut game: Game,
    sink: S,
    options: &Options,
    listener: &mut dyn Listener,
) -> Outcome {
    if !query.header.variations {
        game.keep_main_line();
    }
    let games = SingleGame {
        last_number: game.number,
        game: Some(game),
    };
    let evaluation = Evaluation::new(query, settings);
    let search = Search {
        query: &evaluation,
        name: None,
        games: None,
        sink,
    };
    run(search, games, || OneReader, options, listener)
}

/// An input of one game.
struct SingleGame {
    game: Option<Game>,
    last_number: u64,
}

/// No game, or one that needs no reading.
#[derive(Default)]
struct OneGame(Option<Game>);

/// Shows a game unchanged.
struct OneReader;

impl Batch for OneGame {
    fn len(&self) -> usize {
        usize::from(self.0.is_some())
    }

    fn number(&self, _index: usize) -> u64 {
        self.0.as_ref().map_or(0, |game| game.number)
    }

    fn warnings(&self) -> &[Warning] {
        &[]
    }
}

impl Games for SingleGame {
    type Batch = OneGame;

    fn next(&mut self, batch: &mut OneGame) -> Result<bool, RunError> {
        batch.0 = self.game.take();
        Ok(batch.0.is_some())
    }

    fn last_number(&self, last_wanted: u64) -> Result<Option<u64>, RunError> {
        Ok(Some(self.last_number.min(last_wanted)))
    }

    fn bytes_read(&self) -> u64 {
        0
    }
}

impl ReadGames for OneReader {
    type Batch = OneGame;
    type Game = Game;

    fn read(&mut self, batch: &OneGame, visitor: &mut dyn VisitGames<Game>) -> Result<(), RunError> {
        if let Some(game) = &batch.0 {
            let reach = if visitor.wants(game) { Reach::Moves } else { Reach::Head };
            // It is the only one.
            let flow = visitor.visit(0, &mut game.clone(), reach, &mut |_, _| Ok(Reach::Moves));
            flow.and_then(|_| visitor.finish(&mut |_, _| Ok(Reach::Moves)))
                .map_err(|error| failed("", error))?;
        }
        Ok(())
    }

    fn complete(_batch: &OneGame, _index: usize, _game: &mut Game) -> Result<bool, RunError> {
        Ok(true)
    }

    fn read_whole(batch: &OneGame, _index: usize, _spare: Option<Game>) -> Result<Game, RunError> {
        Ok(batch.0.clone().unwrap_or_default())
    }

    fn warnings(_game: &Game) -> &[Warning] {
        &[]
    }

    fn facts<'a>(_batch: &'a OneGame, game: &'a Game) -> impl GameFacts + 'a {
        pgn::Facts { source: "", game }
    }
}
