//! What a query finds in one game.

use std::sync::Arc;

use super::error::Error;
use super::listener::NoListener;
use super::numbers::Numbers;
use super::options::Options;
use super::single::search_only;
use crate::eval::Settings;
use crate::game::Game;
use crate::limits::Interrupt;
use crate::query::Query;

/// What a search finds in one game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Hit {
    /// Whether the game matches, `matchcount` included.
    pub(crate) matched: bool,
    /// The `positionid`s of the positions that match, in the order of evaluation. A game may have some although it does not match.
    pub(crate) positions: Vec<u32>,
}

/// Searches a game, which keeps its number. The game must have been read as a whole; variations are left out if the query has no `variations`.
///
/// If the search is interrupted, the result has what was found until then.
///
/// # Errors
/// Returns an error if the evaluation ends the run.
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
    // This also keeps the positions of a game that does not match.
    let sink = Numbers {
        kept: &mut positions,
        record: |_, report, ids| ids.extend_from_slice(&report.positions),
    };
    let totals = search_only(query, settings, game, sink, &options, &mut NoListener)?;
    Ok(Hit {
        matched: totals.matches > 0,
        positions,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{GameReader, Scope, sample};
    use crate::query;
    use crate::syntax::Source;

    const PGN: &str = "[White \"A\"]\n\n1. f3 e5 2. g4 (2. a3 Qh4+ 3. g3) 2... Qh4# 0-1\n\n[White \"B\"]\n\n1. e4 *\n";

    /// Returns what a query finds in the game with this index.
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
