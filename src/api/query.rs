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
#[cfg(feature = "service")]
use crate::syntax::Diagnostic;
use crate::syntax::Source;
use crate::tablebase::Tablebase;

/// A query, compiled once and searched with as often as you like, on any threads at the same time. A clone is the same query.
#[derive(Clone)]
pub struct Query {
    compiled: Arc<Compiled>,
    /// What is found out of each match.
    columns: Arc<[Column]>,
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
    /// What is found out of each match beside what there is anyway: [`Match::values`](super::Match::values). Nothing, unless it is changed.
    pub columns: Vec<Column>,
    /// Whether it is kept of which side a match is.
    pub(crate) sides: MatchSides,
    /// The player of whose side matches must be, if one is named.
    pub(super) by_player: Option<String>,
    /// Folders of Syzygy endgame tablebases, for `wdl` and `dtz`. None, unless it is changed; then a query that asks for them can be
    /// compiled, but a search with it is an error.
    pub tablebase: Vec<PathBuf>,
    /// The folder from which `theme "FILE.cql"` names files, mostly that of the query. None, unless it is changed; then `theme` names
    /// queries of the library alone, and an error tells so.
    pub folder: Option<PathBuf>,
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
    /// Compiles the text of a query: a whole one, which begins with `cql(…)`, or filters alone.
    ///
    /// # Errors
    /// Where the text is not a query.
    pub fn compile(text: impl AsRef<[u8]>) -> Result<Query, QueryError> {
        Query::compile_with(text, &QueryOptions::default())
    }

    /// The same with options.
    ///
    /// # Errors
    /// Where the text is not a query.
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

    /// The error of a search that may read no other files, if the query reads one to compare with it.
    #[cfg(feature = "service")]
    pub(crate) fn compares_with_a_file(&self) -> Option<QueryError> {
        let similar = self.compiled.query.similar.as_ref()?;
        let error = Diagnostic::new(similar.span, "a query cannot read files here")
            .label("this file is read before the search")
            .hint("run it on the command line: `skewer search`");
        Some(QueryError::new(&self.compiled.source, &self.compiled.options, &error))
    }

    /// An error at the first place where it reads or writes a file, for those who let no query do that.
    #[cfg(feature = "service")]
    pub(crate) fn uses_files(&self) -> Option<QueryError> {
        let place = self.compiled.query.file_access?;
        let error = Diagnostic::new(place, "the query wants to read or write files")
            .label("no query may do that here")
            .hint("`skewer search --allow-files DIR` lets it use the files of one folder");
        Some(QueryError::new(&self.compiled.source, &self.compiled.options, &error))
    }

    /// What the query sorts games by, the most significant first; nothing if it does not sort.
    pub fn sort_keys(&self) -> impl Iterator<Item = SortKey> {
        self.compiled.query.sort_keys.iter().map(SortKey::of)
    }

    /// The names of the columns that [`QueryOptions::columns`] asks for, and what they hold.
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

    /// What is asked for of each match.
    pub(super) fn asked_columns(&self) -> &Arc<[Column]> {
        &self.columns
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
    pub(crate) fn compiled(&self) -> &query::Query {
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
