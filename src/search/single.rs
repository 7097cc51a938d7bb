//! Searches one game that is in memory already, by the same way as any other search.

use std::io;
use std::str;
use std::sync::Arc;

use super::run::{Batch, Games, ReadGames, VisitGames, run};
use super::{Error, Options, Progress, Search, Show, pgn};
use crate::eval::{Program, Settings};
use crate::game::{Game, Warning};
use crate::limits::Interrupt;
use crate::output::{FormatName, GameFacts};
use crate::query::Query;

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
pub fn search_game(
    query: &Query,
    settings: Settings,
    interrupt: &Arc<Interrupt>,
    mut game: Game,
) -> Result<Hit, Error> {
    if !query.header.variations {
        game.keep_main_line();
    }
    let games = Only {
        last_number: game.number,
        game: Some(game),
    };
    let (mut ids, mut log) = (Vec::new(), io::sink());
    let program = Program::new(query, settings);
    let options = Options {
        interrupt: Arc::clone(interrupt),
        ..Options::quiet(FormatName::Ids)
    };
    let totals = run(
        Search::new(&program, &mut ids),
        games,
        || OneReader,
        &options,
        &mut Progress::new(&mut log, Show::Nothing),
    )?;
    Ok(Hit {
        matched: totals.matches > 0,
        positions: positions(&ids),
    })
}

/// The positions in lines `GAME:POSITIONID`.
fn positions(ids: &[u8]) -> Vec<u32> {
    let text = str::from_utf8(ids).unwrap_or_default();
    let position = |line: &str| line.split_once(':')?.1.parse().ok();
    text.lines().filter_map(position).collect()
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
