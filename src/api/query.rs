//! Compiled queries.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use super::error::{Error, QueryError};
use super::narrowing::Narrowing;
use super::sort_key::SortKey;
use crate::eval::Settings;
use crate::output::{Column, ColumnType, column_types};
use crate::query::{self, MatchSides};
use crate::search::{self, Draw, on_deep_stack};
use crate::syntax::{Diagnostic, Source};
use crate::tablebase::Tablebase;

/// A compiled query. It can be searched with any number of times, also on several threads at once. Clones share the compiled query.
#[derive(Clone)]
pub struct Query {
    compiled: Arc<Compiled>,
    /// The columns to compute for each match.
    columns: Arc<[Column]>,
    /// For a sample: a query that matches every game that may be drawn, and the draw.
    sample: Option<(Arc<Compiled>, Draw)>,
}

struct Compiled {
    source: Source,
    options: query::Options,
    query: query::Query,
    /// Whether the filters nest so little that any stack is deep enough for them.
    is_shallow: bool,
}

/// Filters that nest at most this deep take little stack; people seldom write filters that nest deeper than twenty.
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

/// Options for reading the text of a query.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct QueryOptions {
    /// The name of the query in error messages, usually its file name. The default is `query`.
    pub name: String,
    /// Whether to search variations, whatever the header of the query says. With `None`, the header decides.
    pub variations: Option<bool>,
    /// Which games to search. The default is all games.
    pub narrowing: Narrowing,
    /// Additional columns to compute for each match; they are read with [`Match::values`](super::Match::values). The default is none.
    pub columns: Vec<Column>,
    /// Whether to record which side each match is of.
    pub(crate) sides: MatchSides,
    /// If set, a match must be of the side of this player.
    pub(super) by_player: Option<String>,
    /// Folders of Syzygy endgame tablebases, for `wdl` and `dtz`. The default is none: a query that uses these filters then compiles, but
    /// searching with it is an error.
    pub tablebase: Vec<PathBuf>,
    /// The folder in which `theme "FILE.cql"` looks for files, usually the folder of the query. The default is none: `theme` then names only
    /// queries of the library, and errors say so.
    pub folder: Option<PathBuf>,
    /// Whether to leave out the prelude. The query can then call only functions that it defines itself.
    pub no_prelude: bool,
    /// Whether to read the query as plain CQL 6.2, without skewer's additional words and without the prelude.
    pub strict: bool,
}

impl Default for QueryOptions {
    fn default() -> QueryOptions {
        QueryOptions {
            name: "query".to_owned(),
            variations: None,
            narrowing: Narrowing::new(),
            columns: Vec::new(),
            sides: MatchSides::KeptIfKnown,
            by_player: None,
            tablebase: Vec::new(),
            folder: None,
            no_prelude: false,
            strict: false,
        }
    }
}

impl Query {
    /// Compiles the text of a query, which is either complete and begins with `cql(…)`, or consists of filters only.
    ///
    /// # Errors
    /// Returns an error if the text is not a valid query.
    pub fn compile(text: impl AsRef<[u8]>) -> Result<Query, QueryError> {
        Query::compile_with(text, &QueryOptions::default())
    }

    /// Compiles the text of a query, with options.
    ///
    /// # Errors
    /// Returns an error if the text is not a valid query, or if the options do not fit it.
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
            #[cfg(feature = "library")]
            themes: crate::library::themes(options.folder.clone()),
            sides: options.sides,
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
        let filters = options.columns.iter().filter_map(|column| {
            let filter = column.filter()?;
            Some(Source::new(format!("<{}>", column.name()), filter))
        });
        compiler.columns = filters.collect();
        compiler.by_player = options.by_player.as_ref().map(|name| name.as_bytes().to_vec());
        let compiled = Compiled::new(source, compiler)?;
        options.narrowing.check(&compiled.query.header, &compiled.source)?;
        Ok(Query {
            compiled: Arc::new(compiled),
            columns: options.columns.clone().into(),
            sample: sample.transpose()?,
        })
    }

    /// Returns the text of the query.
    pub fn text(&self) -> &[u8] {
        self.compiled.source.bytes()
    }

    /// Returns whether games must be evaluated one after another, because the query carries values from game to game. What it finds in a
    /// game then depends on the games before.
    pub fn is_serial(&self) -> bool {
        self.compiled.query.is_serial()
    }

    /// Returns the error of every search with the query, if it needs endgame tablebases and has [none](QueryOptions::tablebase).
    ///
    /// ```
    /// assert!(skewer::Query::compile("wdl == 2")?.lacks_tablebase().is_some());
    /// # Ok::<(), skewer::QueryError>(())
    /// ```
    pub fn lacks_tablebase(&self) -> Option<QueryError> {
        let error = self.compiled.query.lacks_tablebase()?;
        Some(QueryError::new(&self.compiled.source, &self.compiled.options, &error))
    }

    /// Returns why no search runs the query where there are neither tablebases nor files.
    pub(crate) fn refusal(&self) -> Option<QueryError> {
        let query = &self.compiled.query;
        let compares = query.similar.as_ref().map(|similar| {
            Diagnostic::new(similar.span, "a query cannot read files here")
                .label("this file is read before the search")
                .hint("run it on the command line: `skewer search`")
        });
        let accesses = query.file_access.map(|place| {
            Diagnostic::new(place, "the query wants to read or write files")
                .label("no query may do that here")
                .hint("`skewer search --allow-files DIR` lets it use the files of one folder")
        });
        let error = query.lacks_tablebase().or(compares).or(accesses)?;
        Some(QueryError::new(&self.compiled.source, &self.compiled.options, &error))
    }

    /// Returns the keys by which the query sorts games, the most significant first. There are none if it does not sort.
    pub fn sort_keys(&self) -> impl Iterator<Item = SortKey> {
        self.compiled.query.sort_keys.iter().map(SortKey::of)
    }

    /// Returns the names of the [columns](QueryOptions::columns) that were asked for, and the type of their values.
    ///
    /// ```
    /// use skewer::{Column, ColumnType, Query, QueryOptions};
    ///
    /// let mut options = QueryOptions::default();
    /// options.columns = vec![Column::of_filter("checkers", "A attacks k"), Column::of_filter("plies", "ply"), Column::next()];
    /// let query = Query::compile_with("check", &options)?;
    /// let columns: Vec<_> = query.columns().collect();
    /// assert_eq!(columns, [("checkers", ColumnType::Text), ("plies", ColumnType::Number), ("next", ColumnType::Text)]);
    /// # Ok::<(), skewer::QueryError>(())
    /// ```
    pub fn columns(&self) -> impl Iterator<Item = (&str, ColumnType)> {
        let names = self.columns.iter().map(Column::name);
        names.zip(column_types(&self.columns, &self.compiled.query.columns))
    }

    /// Returns the columns to compute for each match.
    pub(super) fn asked_columns(&self) -> &Arc<[Column]> {
        &self.columns
    }

    /// Returns whether the query can be evaluated on the stack of any thread, at a single position.
    pub(super) fn is_shallow(&self) -> bool {
        self.compiled.is_shallow
    }

    /// Returns the numbers of the games to look at: the wanted ones or, for a sample, the ones drawn from them. Returns `None` for all games.
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

    /// Returns the typed query.
    pub(crate) fn compiled(&self) -> &query::Query {
        &self.compiled.query
    }

    /// Returns the text that errors point at.
    pub(super) fn source(&self) -> &Source {
        &self.compiled.source
    }

    /// Returns the options with which the query was compiled.
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
