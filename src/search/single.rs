//! Searches one game that is in memory already, by the same way as any other search.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::listener::Listener;
use super::run::{Batch, Games, ReadGames, Search, VisitGames, run};
use super::sink::{Harvest, Recorder, Sink};
use super::{Error, Options, Outcome, pgn};
use crate::eval::report::{Extras, GameReport};
use crate::eval::{Program, Settings};
use crate::game::{Game, Warning};
use crate::limits::Interrupt;
use crate::output::{GameFacts, Totals};
use crate::query::{Query, SortKey};

/// What a search found in one game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Hit {
    /// The game matches, `matchcount` included.
    pub matched: bool,
    /// The positions that match, by `positionid`, in the order of evaluation. A game need not match although some of its
    /// positions do.
    pub positions: Vec<u32>,
}

/// Searches a game. It is the only one of its input and keeps its number.
///
/// What was found until it was interrupted is all that is told then.
///
/// The game has to be read with all that is in it; variations are left out where the query has no `variations`.
///
/// # Errors
/// When the evaluation ends the run.
pub fn search_game(query: &Query, settings: Settings, interrupt: &Arc<Interrupt>, game: Game) -> Result<Hit, Error> {
    let mut positions = Vec::new();
    let options = Options {
        interrupt: Arc::clone(interrupt),
        ..Options::quiet()
    };
    let totals = search_only(query, settings, game, Ids(&mut positions), &options, &mut Deaf)?;
    Ok(Hit {
        matched: totals.matches > 0,
        positions,
    })
}

/// Searches a game for a sink. Variations are left out where the query has no `variations`.
///
/// # Errors
/// When the evaluation ends the run, or the sink fails.
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
    let games = Only {
        last_number: game.number,
        game: Some(game),
    };
    let program = Program::new(query, settings);
    run(Search::new(&program, sink), games, || OneReader, options, listener)
}

/// Takes the positions that match.
struct Ids<'i>(&'i mut Vec<u32>);

/// Keeps the positions that match, also of a game that does not.
struct KeepIds;

impl Recorder for KeepIds {
    type Item = u32;

    fn extras(&self) -> Extras {
        Extras::default()
    }

    fn record(&self, _game: &dyn GameFacts, report: &GameReport, ids: &mut Vec<u32>) -> usize {
        ids.extend_from_slice(&report.positions);
        0
    }
}

impl Sink for Ids<'_> {
    type Recorder = KeepIds;

    fn recorder(&self, _keys: &[SortKey]) -> KeepIds {
        KeepIds
    }

    fn take(&mut self, harvest: Harvest<'_, u32>) -> io::Result<ControlFlow<usize>> {
        self.0.append(harvest.items);
        Ok(ControlFlow::Continue(()))
    }
}

/// Hears nothing.
struct Deaf;

impl Listener for Deaf {
    fn log(&mut self, _games: &mut dyn Iterator<Item = (&[Warning], &[u8])>) {}

    fn close(&mut self, _lines: &[u8]) {}

    fn advance(&mut self, _bytes: u64, _games: u64, _totals: Totals) {}
}

/// An input of one game.
struct Only {
    game: Option<Game>,
    last_number: u64,
}

/// No game, or one that needs no reading.
#[derive(Default)]
struct OneGame(Option<Game>);

/// Shows a game as it is.
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

impl Games for Only {
    type Batch = OneGame;

    fn next(&mut self, batch: &mut OneGame) -> Result<bool, Error> {
        batch.0 = self.game.take();
        Ok(batch.0.is_some())
    }

    fn last_number(&self, last_wanted: u64) -> Result<Option<u64>, Error> {
        Ok(Some(self.last_number.min(last_wanted)))
    }

    fn bytes_read(&self) -> u64 {
        0
    }
}

impl ReadGames for OneReader {
    type Batch = OneGame;
    type Game = Game;

    fn read(&mut self, batch: &OneGame, visitor: &mut dyn VisitGames<Game>) -> Result<(), Error> {
        if let Some(game) = &batch.0 {
            let is_wanted = visitor.wants(game);
            // There is no other game to go on with.
            let _ = visitor.visit(0, game, is_wanted);
        }
        Ok(())
    }

    fn read_whole(batch: &OneGame, _index: usize) -> Result<Game, Error> {
        Ok(batch.0.clone().unwrap_or_default())
    }

    fn warnings(_game: &Game) -> &[Warning] {
        &[]
    }

    fn facts<'a>(_batch: &'a OneGame, game: &'a Game) -> impl GameFacts + 'a {
        pgn::Facts { source: "", game }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameReader, Scope, sample};
    use crate::query;
    use crate::syntax::Source;

    const PGN: &str = "[White \"A\"]\n\n1. f3 e5 2. g4 (2. a3 Qh4+ 3. g3) 2... Qh4# 0-1\n\n[White \"B\"]\n\n1. e4 *\n";

    /// What a query finds in the game with this index.
    fn hit(text: &str, index: usize) -> Hit {
        let batch = sample::batch(PGN);
        let mut game = Game::default();
        GameReader::at(&batch, index).read(Scope::ALL, &mut game, |_| true);
        let query = query::compile(&Source::new("q", text), &query::Options::default()).expect("it compiles");
        search_game(&query, Settings::default(), &Arc::default(), game).expect("it can be evaluated")
    }

    #[test]
    fn it_finds_what_a_search_finds() {
        let found = |matched, positions: &[u32]| Hit {
            matched,
            positions: positions.to_vec(),
        };
        assert_eq!(hit("cql() check", 0), found(true, &[4]));
        assert_eq!(hit("cql(variations) check", 0), found(true, &[4, 6]));
        assert_eq!(hit("cql(matchcount 2) check", 0), found(false, &[4]));
        assert_eq!(hit("cql(result 1-0) check", 0), found(false, &[]));
        assert_eq!(hit("cql(gamenumber 2) player \"B\" wtm", 1), found(true, &[0]));
        assert_eq!(hit("cql(gamenumber 1) wtm", 1), found(false, &[]));
    }
}
