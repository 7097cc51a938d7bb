//! Searches in one game or position.

use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use super::error::Error;
use super::found::FoundGame;
use super::games::game_of_fen;
use super::options::Options;
use super::query::Query;
use super::run::{Delivery, Listeners, Sink};
use crate::game::Game;
use crate::output::Totals;
use crate::search::{self, on_deep_stack};

impl Query {
    /// Returns whether a position matches. The calling thread evaluates it. For many positions, a search of
    /// [`Games::of_fens`](super::Games::of_fens) is faster.
    ///
    /// # Errors
    /// Returns [`Error::Fen`] if the text is not the FEN of a position, and otherwise the errors of [`run`](Query::run).
    ///
    /// ```
    /// let query = skewer::Query::compile("mate")?;
    /// assert!(query.matches_fen("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")?);
    /// assert!(!query.matches_fen("7k/6Q1/8/8/8/8/8/6K1 b")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn matches_fen(&self, fen: &str) -> Result<bool, Error> {
        Ok(self.matches_fen_with(fen, &Options::frugal())?.is_some())
    }

    /// Searches a position as [`matches_fen`](Query::matches_fen) does, with options that say what to keep of it, such as the squares that
    /// made the match. Returns the position as a game without moves, or `None` if it does not match.
    ///
    /// # Errors
    /// Returns the same errors as [`matches_fen`](Query::matches_fen).
    ///
    /// ```
    /// use skewer::{Options, Query, Square};
    ///
    /// let query = Query::compile("mate and Q attacks k")?;
    /// let found = query.matches_fen_with("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", &Options::default())?.expect("it is mate");
    /// assert!(found.matches()[0].squares().contains(Square::G7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn matches_fen_with(&self, fen: &str, options: &Options) -> Result<Option<FoundGame>, Error> {
        self.find_with(game_of_fen(fen)?, options)
    }

    /// Searches a game. Returns it with its matching positions, or `None` if it does not match. Variations are searched if the query asks
    /// for them.
    ///
    /// # Errors
    /// Returns the same errors as [`run`](Query::run).
    ///
    /// ```
    /// use skewer::game::Game;
    ///
    /// let game = Game::of_pgn("1. f3 e5 2. g4 Qh4# 0-1").expect("one game");
    /// let found = skewer::Query::compile("mate")?.find_in(&game)?.expect("it ends with mate");
    /// assert_eq!(found.matches()[0].last_move_san(), Some("Qh4#"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_in(&self, game: &Game) -> Result<Option<FoundGame>, Error> {
        self.find_with(game.clone(), &Options::default())
    }

    fn find_with(&self, game: Game, options: &Options) -> Result<Option<FoundGame>, Error> {
        let mut found = Found::default();
        run_on_game(self, game, options, &mut found)?;
        Ok(found.0)
    }
}

/// Searches a game, on this thread if its stack is deep enough.
fn run_on_game(query: &Query, game: Game, options: &Options, sink: &mut dyn Sink) -> Result<Totals, Error> {
    let interrupt = options.interrupt();
    let is_position = game.positions.len() == 1;
    let search = || {
        let sinks = [RefCell::new(sink)];
        let delivery = Delivery {
            query,
            sink: &sinks[0],
            options,
        };
        search::search_only(
            query.compiled(),
            options.settings(),
            game,
            delivery,
            &search::Options {
                threads: NonZeroUsize::MIN,
                ..options.of_search(&interrupt)
            },
            &mut Listeners::new(&sinks, &interrupt),
        )
    };
    // Starting a thread takes longer than evaluating a position.
    let outcome = match is_position && query.is_shallow() {
        true => search(),
        false => on_deep_stack(search).map_err(Error::Thread)?,
    };
    outcome.map_err(|error| Error::of_search(error, query.source(), query.options()))
}

/// Keeps the game, if it matches.
#[derive(Default)]
struct Found(Option<FoundGame>);

impl Sink for Found {
    fn game(&mut self, game: FoundGame) -> ControlFlow<()> {
        self.0 = Some(game);
        ControlFlow::Break(())
    }
}
