//! Explains to programs why a query matches or not.

use std::io;

use super::error::{Error, QueryError};
use super::games::{Games, game_of_fen};
use super::options::Options;
use super::query::Query;

use crate::game::Game;
use crate::output::FormatName;
use crate::search::{self, Listener, NoListener, Task, TextSink, on_deep_stack};
use crate::why::{self, Funnel, FunnelReport, Subject, Why};

impl Query {
    /// Explains why a position of a game matches, or why not. Returns `None` if the game has no such position, the query does not look at
    /// it, or the search was ended early.
    ///
    /// # Errors
    /// Returns an error if the query asks for something that cannot be done.
    ///
    /// ```
    /// use skewer::game::Game;
    /// use skewer::{Options, Query};
    ///
    /// let game = Game::of_pgn("1. f3 e5 2. g4 Qh4# 0-1").expect("one game");
    /// let why = Query::compile("mate wtm Nh4")?.why_in(&game, 4, &Options::default())?.expect("it is there");
    /// assert!(!why.matches);
    /// assert_eq!(why.nearest.unwrap().sentence, "With `qh4` in place of `Nh4` it would match.");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(hidden)]
    pub fn why_in(&self, game: &Game, position: u32, options: &Options) -> Result<Option<Why>, Error> {
        let subject = Subject {
            game,
            position,
            settings: &options.settings(),
            interrupt: &options.interrupt(),
        };
        match why::at(self.source(), self.options(), &subject) {
            Ok(why) => Ok(Some(why)),
            Err(why::Error::Query(error)) => {
                let error = QueryError::new(self.source(), self.options(), &error);
                Err(Error::Evaluation(error))
            }
            Err(_) => Ok(None),
        }
    }

    /// Explains why a position without moves matches, or why not.
    ///
    /// # Errors
    /// Returns the same errors as [`why_in`](Query::why_in), and [`Error::Fen`] if the text is not the FEN of a position.
    #[doc(hidden)]
    pub fn why_fen(&self, fen: &str, options: &Options) -> Result<Option<Why>, Error> {
        self.why_in(&game_of_fen(fen)?, 0, options)
    }

    /// Returns how many games and positions each filter of the query leaves, from one pass over the games.
    ///
    /// # Errors
    /// Returns the same errors as [`run`](Query::run).
    #[doc(hidden)]
    pub fn funnel(&self, games: impl Into<Games>, options: &Options) -> Result<FunnelReport, Error> {
        self.funnel_heard(games.into(), options, &mut NoListener)
    }

    /// Does the same as [`funnel`](Query::funnel), and reports progress to `listener`.
    ///
    /// # Errors
    /// Returns the same errors as [`run`](Query::run).
    pub(crate) fn funnel_heard(
        &self,
        games: Games,
        options: &Options,
        listener: &mut (dyn Listener + Send),
    ) -> Result<FunnelReport, Error> {
        let failed = |error: &_| Error::Evaluation(QueryError::new(self.source(), self.options(), error));
        let funnel = Funnel::new(self.source(), self.options()).map_err(|error| failed(&error))?;
        let sources = games.sources()?;
        let interrupt = options.interrupt();
        let search = || {
            let (settings, options_of_search) = (options.settings(), options.of_search(&interrupt));
            let drawn = self.drawn(options.games.as_ref(), &sources, &settings, &options_of_search)?;
            let mut outputs: Vec<io::Sink> = funnel.queries().map(|_| io::sink()).collect();
            let tasks = funnel.queries().zip(&mut outputs).map(|(query, output)| Task {
                name: None,
                query,
                games: drawn.clone(),
                files: None,
                sink: TextSink::new(FormatName::Count, output),
            });
            search::search_all(tasks, sources, &settings, &options_of_search, listener).map_err(Error::of_run)
        };
        let outcomes = on_deep_stack(search).map_err(Error::Thread)??;
        let totals = outcomes.into_iter().collect::<Result<Vec<_>, _>>();
        let totals = totals.map_err(|error| Error::of_search(error, self.source(), self.options()))?;
        Ok(funnel.report(&totals))
    }
}
