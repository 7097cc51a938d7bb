//! Compiled queries.

use std::collections::BTreeSet;
use std::fmt;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use super::error::{Error, QueryError};
use super::found::FoundGame;
use super::games::{Games, game_of_fen};
use super::narrowing::Narrowing;
use super::options::Options;
use super::run::{Sink, run_on_game};
use super::search::Search;
use super::sort_key::SortKey;
use crate::eval::Settings;
use crate::game::Game;
use crate::query;
use crate::search::{self, Draw, on_deep_stack};
use crate::syntax::Source;
use crate::tablebase::Tablebase;

/// A query, compiled once and searched with as often as you like, on any threads at the same time. A clone is the same query.
#[derive(Clone)]
pub struct Query {
    compiled: Arc<Compiled>,
    /// What every game that may be drawn matches, and how many of them are.
    sample: Option<(Arc<Compiled>, Draw)>,
}

struct Compiled {
    source: Source,
    options: query::Options,
    query: query::Query,
    /// Its filters nest so little that any stack is deep enough for them.
    is_shallow: bool,
}

/// Filters that nest no deeper take little of a stack; those that people write seldom nest deeper than twenty.
const SHALLOW: usize = 48;

impl Compiled {
    fn new(source: Source, options: query::Options) -> Result<Compiled, QueryError> {
        let compile = || query::compile(&source, &options).map(|query| (query.depth() <= SHALLOW, query));
        match on_deep_stack(compile).unwrap_or_else(|_| compile()) {
            Ok((is_shallow, query)) => Ok(Compiled {
                source,
                options,
                query,
                is_shallow,
            }),
            Err(error) => Err(QueryError::new(&source, &options, &error)),
        }
    }
}

impl Drop for Compiled {
    fn drop(&mut self) {
        let filters = self.query.take_filters();
        // Without another thread, they are dropped here.
        let _ = on_deep_stack(|| drop(filters));
    }
}

/// How the text of a query is read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct QueryOptions {
    /// The name under which errors mention the query, mostly that of its file; `query` unless it is changed.
    pub name: String,
    /// Whether variations are searched, whatever the header of the query says. Without it, the header decides.
    pub variations: Option<bool>,
    /// Which games the query is asked of; all, unless it is changed.
    pub narrowing: Narrowing,
    /// Folders of Syzygy endgame tablebases, for `wdl` and `dtz`. None, unless it is changed; then a query that asks for them can be
    /// compiled, but a search with it is an error.
    pub tablebase: Vec<PathBuf>,
    /// Whether the query may call nothing but what it defines itself, none of the functions that skewer has beside CQL.
    pub no_prelude: bool,
    /// Whether the query is read as CQL 6.2 alone, without the words beyond it and without the prelude.
    pub strict: bool,
}

impl Default for QueryOptions {
    fn default() -> QueryOptions {
        QueryOptions {
            name: "query".to_owned(),
            variations: None,
            narrowing: Narrowing::new(),
            tablebase: Vec::new(),
            no_prelude: false,
            strict: false,
        }
    }
}

impl Query {
    /// Compiles the text of a query: a whole one, which begins with `cql(…)`, or filters alone.
    ///
    /// # Errors
    /// Where the text is no query.
    pub fn compile(text: impl AsRef<[u8]>) -> Result<Query, QueryError> {
        Query::compile_with(text, &QueryOptions::default())
    }

    /// The same with options.
    ///
    /// # Errors
    /// Where the text is no query.
    pub fn compile_with(text: impl AsRef<[u8]>, options: &QueryOptions) -> Result<Query, QueryError> {
        let source = Source::new(&*options.name, text.as_ref());
        let mut compiler = query::Options {
            filters_only: !query::has_header(source.text()),
            header: query::HeaderOptions {
                variations: options.variations,
                ..query::HeaderOptions::default()
            },
            vocabulary: query::Vocabulary::without(options.no_prelude, options.strict),
            tablebase: Tablebase::in_folders(&options.tablebase),
            ..query::Options::default()
        };
        options.narrowing.narrow(&mut compiler)?;
        let sample = options.narrowing.draw().map(|draw| {
            let every_game = query::Options {
                filters_only: true,
                ..compiler.clone()
            };
            let every_game = Compiled::new(Source::new("<sample>", "true"), every_game);
            Ok((Arc::new(every_game?), draw))
        });
        let compiled = Compiled::new(source, compiler)?;
        options.narrowing.check(&compiled.query.header, &compiled.source)?;
        Ok(Query {
            compiled: Arc::new(compiled),
            sample: sample.transpose()?,
        })
    }

    /// Its text.
    pub fn text(&self) -> &[u8] {
        self.compiled.source.bytes()
    }

    /// Whether games have to be evaluated one after the other, because something lives from game to game: what is found in a game then
    /// depends on those before it.
    pub fn is_serial(&self) -> bool {
        self.compiled.query.is_serial()
    }

    /// The error of every search with it, if it asks endgame tablebases and has been given [none](QueryOptions::tablebase).
    ///
    /// ```
    /// assert!(skewer::Query::compile("wdl == 2")?.lacks_tablebase().is_some());
    /// # Ok::<(), skewer::QueryError>(())
    /// ```
    pub fn lacks_tablebase(&self) -> Option<QueryError> {
        let error = self.compiled.query.lacks_tablebase()?;
        Some(QueryError::new(&self.compiled.source, &self.compiled.options, &error))
    }

    /// What the query sorts games by, the most significant first; nothing if it does not sort.
    pub fn sort_keys(&self) -> impl Iterator<Item = SortKey> {
        self.compiled.query.sort_keys.iter().map(SortKey::of)
    }

    /// Searches games. Those that match come one by one, in the order of the input, while the search goes on: it runs on threads of its
    /// own, as many as there are processors, stays some games ahead and ends when the iterator is dropped.
    ///
    /// # Errors
    /// When there is no such file, or a thread cannot be started. What happens later is an item.
    pub fn search(&self, games: impl Into<Games>) -> Result<Search, Error> {
        self.search_with(games, &Options::default())
    }

    /// The same with options.
    ///
    /// # Errors
    /// Those of [`search`](Query::search).
    pub fn search_with(&self, games: impl Into<Games>, options: &Options) -> Result<Search, Error> {
        Search::begin(self, games.into(), options)
    }

    /// Whether a position matches. It is asked on the calling thread. For many positions a search of
    /// [`Games::of_fens`](super::Games::of_fens) is faster.
    ///
    /// # Errors
    /// [`Error::Fen`] when the text is not the FEN of a position; else those of [`run`](Query::run).
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

    /// The same with options, which say what is kept of a position that matches, such as the squares that made the match: a game that has
    /// nothing but the position.
    ///
    /// # Errors
    /// Those of [`matches_fen`](Query::matches_fen).
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
}

impl Query {
    /// What a game has that matches: `None` if the game does not. Variations count where the query asks for them.
    ///
    /// # Errors
    /// Those of [`run`](Query::run).
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

    /// Whether the query can be evaluated at a position on the stack of any thread.
    pub(super) fn is_shallow(&self) -> bool {
        self.compiled.is_shallow
    }

    /// The numbers of the games to look at, if not all are searched: those that are drawn of those that are wanted.
    pub(super) fn drawn(
        &self,
        wanted: Option<&Arc<BTreeSet<u64>>>,
        sources: &[crate::pgn::Source],
        settings: &Settings,
        options: &search::Options,
    ) -> Result<Option<Arc<BTreeSet<u64>>>, Error> {
        let Some((every_game, draw)) = &self.sample else {
            return Ok(wanted.cloned());
        };
        let drawn = search::sample(&every_game.query, sources.iter().cloned(), *draw, settings, options);
        match drawn {
            Ok(mut numbers) => {
                numbers.retain(|number| wanted.is_none_or(|wanted| wanted.contains(number)));
                Ok(Some(Arc::new(numbers)))
            }
            Err(error) => Err(Error::of_search(error, &every_game.source, &every_game.options)),
        }
    }

    /// What is evaluated.
    pub(super) fn compiled(&self) -> &query::Query {
        &self.compiled.query
    }

    /// The text that errors point at.
    pub(super) fn source(&self) -> &Source {
        &self.compiled.source
    }

    /// How the text was read.
    pub(super) fn options(&self) -> &query::Options {
        &self.compiled.options
    }
}

impl fmt::Debug for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Query").field(&self.source().text()).finish()
    }
}

impl std::str::FromStr for Query {
    type Err = QueryError;

    fn from_str(text: &str) -> Result<Query, QueryError> {
        Query::compile(text)
    }
}

/// The game, if it matches.
#[derive(Default)]
struct Found(Option<FoundGame>);

impl Sink for Found {
    fn game(&mut self, game: FoundGame) -> ControlFlow<()> {
        self.0 = Some(game);
        ControlFlow::Break(())
    }
}
