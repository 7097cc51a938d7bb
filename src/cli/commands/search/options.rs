//! The options that `skewer search`, `skewer stats` and `skewer why` share.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal};
use std::sync::Arc;

use super::request::NamedQuery;
use crate::chess::Variant;
use crate::cli::failure::Failure;
use crate::cli::inputs::Inputs;
use crate::cli::options::limits::Limits;
use crate::cli::options::narrowing::{Narrowing, variant};
use crate::cli::options::reading::ReadingOptions;
use crate::cli::options::tablebase::TablebaseFolders;
use crate::cli::options::threads::Threads;
use crate::cli::options::warnings::WarningOptions;
use crate::cli::pager::Pages;
use crate::cli::progress::{Progress, Show};
use crate::cli::queries::compiled::{self, Query};
use crate::cli::queries::text::{Language, QueryText};
use crate::eval::Settings;
use crate::game::Rules;
use crate::limits::Interrupt;
use crate::output::Totals;
use crate::pgn;
use crate::query::{self, HeaderOptions};
use crate::search::{self, Error, Options, Sink, Task, sample};
use crate::syntax::token::TokenKind;
use crate::syntax::{Source, scan};

/// The options of a search.
#[derive(clap::Args, Debug)]
pub(crate) struct SearchOptions {
    #[command(flatten)]
    pub(crate) threads: Threads,

    /// Search variations, too, like `variations` in the header
    #[arg(long)]
    variations: bool,

    /// Search only games of this variant, such as standard, chess960, atomic
    #[arg(long, value_name = "NAME", value_parser = variant)]
    variant: Option<Variant>,

    /// How many rounds the loops of a query can take at one position before they count as endless
    ///
    /// `find`, `echo`, `path`, `line` and loops over squares together can take ten times as many.
    #[arg(long, value_name = "N", default_value_t = Settings::default().max_rounds)]
    max_rounds: u64,

    #[command(flatten)]
    pub(crate) limits: Limits,

    #[command(flatten)]
    pub(crate) reading: ReadingOptions,

    #[command(flatten)]
    language: Language,

    #[command(flatten)]
    tablebase: TablebaseFolders,

    #[command(flatten)]
    pub(crate) warnings: WarningOptions,

    /// No warnings, no progress
    #[arg(short, long)]
    pub(crate) quiet: bool,

    #[command(flatten)]
    pub(crate) narrowing: Narrowing,
}

impl SearchOptions {
    /// Returns the options for a query without additional filters.
    pub(crate) fn every_game(&self) -> query::Options {
        let narrowing = &self.narrowing;
        query::Options {
            header: HeaderOptions {
                variations: self.variations.then_some(true),
                within_games: narrowing.games(),
                ..HeaderOptions::default()
            },
            narrowing: narrowing.filters(),
            first_of_game: narrowing.first,
            variant: self.variant,
            tablebase: self.tablebase.tablebase(),
            ..self.language.options()
        }
    }

    /// Returns the options for queries with these additional filters. Filters that print or write come after the query, so that they act
    /// only on what it finds.
    pub(crate) fn beside(&self, filters: Vec<Source>) -> query::Options {
        let (filters_after, filters) = filters.into_iter().partition(tells);
        query::Options {
            filters,
            filters_after,
            by_player: self.narrowing.by_player().map(|name| name.as_bytes().to_vec()),
            ..self.every_game()
        }
    }

    /// Compiles a query for this run. With `color`, errors have colours.
    ///
    /// # Errors
    /// Returns an error if the query is wrong, or needs something that this run does not have.
    pub(crate) fn compile(
        &self,
        query: &NamedQuery,
        language: &query::Options,
        may_use_files: bool,
        color: bool,
    ) -> Result<Query, Failure> {
        let compile = match self.quiet {
            true => compiled::compile,
            false => compiled::compile_linted,
        };
        let query = compile(query.text.clone()?, language.clone(), color)?;
        check(&query, self.narrowing.first, may_use_files, color)?;
        Ok(query)
    }

    /// Returns the settings of the evaluation, without files.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            max_rounds: self.max_rounds,
            files: None,
            memory: self.limits.memory(),
        }
    }

    /// Returns the options of the search, with a limit for the number of matching games.
    pub(crate) fn run(&self, limit: Option<u64>, interrupt: Arc<Interrupt>) -> Options {
        Options {
            threads: self.threads.count(),
            limit,
            rules: Rules::Full,
            quiet: self.quiet || self.warnings.are_none(),
            interrupt,
        }
    }

    /// Returns how to show the progress of a search in these games, if no matches are printed on the screen.
    pub(crate) fn progress(&self, games: &Inputs) -> Show {
        match self.quiet || !io::stderr().is_terminal() {
            true => Show::Nothing,
            false => Show::Progress(games.bytes()),
        }
    }

    /// Searches with queries, whose matches are not printed. A query has its name if it is one of many. The queries' own output is left out.
    ///
    /// # Errors
    /// Returns an error if an input cannot be read, or if the run ends before all games are searched, because counts of an arbitrary part of
    /// the games would be meaningless.
    pub(crate) fn count<'q, S: Sink>(
        &self,
        games: Inputs,
        queries: impl Iterator<Item = (Option<&'q str>, &'q query::Query, S)>,
        interrupt: Arc<Interrupt>,
        has_summary: bool,
        color: bool,
    ) -> Result<Vec<Result<Totals, Error>>, Failure> {
        let settings = self.settings();
        let options = self.run(None, interrupt);
        let drawn = self.drawn(&games, &settings, &options, color)?;
        let tasks = queries.map(|(name, query, sink)| Task {
            name,
            query,
            games: drawn.clone(),
            files: None,
            sink,
        });
        let pages = Pages::default();
        let mut log = pages.log();
        let mut unheard = io::sink();
        let mut progress = Progress::new(&mut log, self.progress(&games))
            .with_messages(&mut unheard)
            .with_warnings(self.warnings.shown);
        let outcomes = search::search_all(tasks, games.into_sources(), &settings, &options, &mut progress)
            .map_err(|error| Failure::new(Error::from(error)))?;
        match options
            .interrupt
            .cause()
            .filter(|_| options.interrupt.was_acknowledged())
        {
            Some(cause) => Err(Failure::ended(
                cause,
                "not all games were counted, so nothing is printed",
            )),
            None => {
                if let (true, [Ok(totals)]) = (has_summary, outcomes.as_slice()) {
                    progress.finish(*totals);
                }
                Ok(outcomes)
            }
        }
    }

    /// If games are to be drawn, returns the numbers of those drawn from the games that the options leave. This reads the inputs.
    ///
    /// # Errors
    /// Returns an error if an input can be read only once.
    pub(crate) fn drawn(
        &self,
        games: &Inputs,
        settings: &Settings,
        options: &Options,
        color: bool,
    ) -> Result<Option<Arc<BTreeSet<u64>>>, Failure> {
        let Some(draw) = self.narrowing.draw() else {
            return Ok(None);
        };
        let query = compiled::compile(QueryText::from_argument("true"), self.every_game(), color)?;
        if !games.sources().iter().all(pgn::Source::is_lasting) {
            return Err(Failure::with_help(
                "--sample reads its inputs twice, and standard input can be read once",
                "write it to a file first",
            ));
        }
        let drawn = sample(
            query.compiled(),
            games.sources().iter().cloned(),
            draw,
            settings,
            options,
        );
        match drawn {
            Ok(drawn) => Ok(Some(drawn.into())),
            Err(error) => Err(query.failed(error, color)),
        }
    }
}

/// Checks whether this run may search with a query.
fn check(query: &Query, only_first: bool, may_use_files: bool, color: bool) -> Result<(), Failure> {
    if only_first && query.compiled().header.match_count.is_some() {
        return Err(Failure::with_help(
            "the query counts matching positions, `matchcount`, and --first looks at one only",
            "leave out --first",
        ));
    }
    if let Some(lacking) = query.lacks_tablebase(color) {
        return Err(lacking);
    }
    match query.file_access(color) {
        Some(refused) if !may_use_files => Err(refused),
        _ => Ok(()),
    }
}

/// Returns whether filters print, write or sort something.
fn tells(filters: &Source) -> bool {
    const TELLING: [&str; 6] = ["sort", "comment", "message", "settag", "removecomment", "writefile"];
    let (tokens, _) = scan(filters);
    tokens.iter().any(|token| match token.kind {
        TokenKind::Word(word) => TELLING.contains(&word),
        TokenKind::LineMessage => true,
        _ => false,
    })
}
