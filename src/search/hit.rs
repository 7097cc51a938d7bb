//! What a query finds in one game.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::error::Error;
use super::listener::Listener;
use super::options::Options;
use super::single::search_only;
use super::sink::{Recorder, Sink, SinkBatch};
use crate::eval::Settings;
use crate::eval::report::{Extras, GameReport};
use crate::game::{Game, Warning};
use crate::limits::Interrupt;
use crate::output::{GameFacts, Totals};
use crate::query::{Query, SortKey};

/// What a search found in one game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Hit {
    /// The game matches, `matchcount` included.
    pub(crate) matched: bool,
    /// The positions that match, by `positionid`, in the order of evaluation. A game need not match although some of its
    /// positions do.
    pub(crate) positions: Vec<u32>,
}

/// Searches a game. It is the only one of its input and keeps its number.
///
/// What was found until it was interrupted is all that is told then.
///
/// The game has to be read with all that is in it; variations are left out where the query has no `variations`.
///
/// # Errors
/// When the evaluation ends the run.
pub(crate) fn search_game(
    query: &Query,
    settings: Settings,
    interrupt: &Arc<Interrupt>,
    game: Game,
) -> Result<Hit, Error> {
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

/// Takes the positions that match.
struct Ids<'i>(&'i mut Vec<u32>);

/// Keeps the positions that match, also of a game that does not.
struct KeepIds;

impl Recorder for KeepIds {
    type Item = u32;

    fn extras(&self) -> Extras {
        Extras {
            ids_alone: true,
            ..Extras::default()
        }
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

    fn take(&mut self, batch: SinkBatch<'_, u32>) -> io::Result<ControlFlow<usize>> {
        self.0.append(batch.items);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{GameReader, Scope, sample};
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
