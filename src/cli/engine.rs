//! Where the command line meets language and games.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::{env, iter};

use crate::cli::options::letters::Letters;
use crate::cli::options::packed::Packed;
use crate::cli::progress::Progress;
use crate::cli::queries::files;
use crate::cli::queries::text::{ARGUMENT_NAME, QueryText, description};
use crate::cli::{Failure, command_line, fail, folders, outputs, signal};
use crate::database::Archive;
use crate::eval::{Folder, Settings};
use crate::output::{About, Destination, FormatName, Guard, Look, Placed, Results, Role, Totals};
use crate::pgn::{Input, Source as Games};
use crate::query::explain::{Explanation, explain};
use crate::query::lint::{self, Warning};
use crate::query::{self, Header};
use crate::search::{self, Chosen, Error, Options, TextSink, in_parallel};
use crate::syntax::format::{self, Spelling};
use crate::syntax::token::{Token, TokenKind};
use crate::syntax::{Diagnostic, Source, scan};
use crate::terminal::in_a_line;

/// A compiled query and its text.
pub(super) struct Query {
    source: Source,
    options: query::Options,
    query: query::Query,
    /// What there is to say about it, if it was compiled by [`compile_linted`].
    warnings: Vec<Warning>,
    /// The numbers of the games to look at, if they were drawn.
    games: Option<Arc<BTreeSet<u64>>>,
}

/// Of which sides a query speaks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sides {
    /// Of both in the same way.
    Both,
    /// Of White in one way and of Black in another.
    One,
    /// Of one, and then of the other in its place.
    Either,
    /// It asks for players itself.
    OfPlayer,
}

/// Reads and checks a query, with the options of the command line. With `color` the diagnostic has colours.
pub(super) fn compile(text: QueryText, options: query::Options, color: bool) -> Result<Query, Failure> {
    compiled_by(text, options, color, |source, options| {
        query::compile(source, options).map(|query| (query, Vec::new()))
    })
}

/// The same, and notes what [`Query::warn`] says.
pub(super) fn compile_linted(text: QueryText, options: query::Options, color: bool) -> Result<Query, Failure> {
    compiled_by(text, options, color, lint::compile_linted)
}

fn compiled_by(
    text: QueryText,
    options: query::Options,
    color: bool,
    compile: impl Fn(&Source, &query::Options) -> Result<(query::Query, Vec<Warning>), Diagnostic>,
) -> Result<Query, Failure> {
    let (source, options) = text.source(options);
    match compile(&source, &options) {
        Ok((query, warnings)) => Ok(Query {
            source,
            options,
            query,
            warnings,
            games: None,
        }),
        Err(diagnostic) => Err(rendered(&source, &options, &shell_noted(&source, diagnostic), color)),
    }
}

/// The error, with a note if the shell has probably taken something out of an argument.
fn shell_noted(source: &Source, error: Diagnostic) -> Diagnostic {
    let gap = source.text().trim().find("  ");
    let is_before = |gap: usize| gap <= error.span.start as usize;
    if source.name() == ARGUMENT_NAME && !source.text().contains('\n') && gap.is_some_and(is_before) {
        error.hint(
            "between double quotes a shell puts something else in the place of `$x`; between single quotes it does not",
        )
    } else {
        error
    }
}

/// What there is to say about a query that is not run.
pub(super) struct Checked {
    source: Source,
    options: query::Options,
    /// The warnings, or the error because of which there is no query.
    pub(super) outcome: Result<Vec<Warning>, Diagnostic>,
}

/// Reads and checks a query, and looks for what is probably not meant.
pub(super) fn check(text: QueryText, options: query::Options) -> Checked {
    let (source, options) = text.source(options);
    Checked {
        outcome: lint::lint(&source, &options),
        source,
        options,
    }
}

impl Checked {
    /// The text.
    pub(super) fn source(&self) -> &Source {
        &self.source
    }

    /// An error of it for people.
    pub(super) fn failure(&self, error: &Diagnostic, color: bool) -> Failure {
        rendered(&self.source, &self.options, error, color)
    }
}

/// Lays a query out anew. With `color` the diagnostic has colours.
pub(super) fn format(text: QueryText, spelling: Spelling, color: bool) -> Result<Vec<u8>, Failure> {
    let (source, options) = text.source(query::Options {
        // A query that asks for variations may get them on the command line.
        header: query::HeaderOptions {
            variations: Some(true),
            ..query::HeaderOptions::default()
        },
        ..query::Options::default()
    });
    query::outline(&source, &options)
        .and_then(|outline| format::format(&source, &outline, spelling))
        .map_err(|diagnostic| rendered(&source, &options, &diagnostic, color))
}

impl Query {
    /// Says what is probably not meant.
    pub(super) fn warn(&self, color: bool) {
        for warning in &self.warnings {
            // Nobody can be told that standard error is closed.
            let _ = writeln!(
                io::stderr(),
                "{}\n",
                warning.diagnostic.render_warning(&self.source, color)
            );
        }
    }

    /// The same, which looks at these games only, if they are given.
    pub(super) fn among(self, games: Option<Arc<BTreeSet<u64>>>) -> Query {
        Query { games, ..self }
    }

    /// The header.
    pub(super) fn header(&self) -> &Header {
        &self.query.header
    }

    /// Its text.
    pub(super) fn source(&self) -> &Source {
        &self.source
    }

    /// Its text and those of the filters beside it, each with its tokens.
    fn texts(&self) -> impl Iterator<Item = (&Source, Vec<Token>)> {
        let filters = self.options.filters.iter().chain(&self.options.filters_behind);
        iter::once(&self.source).chain(filters).map(|text| (text, scan(text).0))
    }

    /// Where it first asks for a name that hardly stands like that in a file, in small letters or `Magnus Carlsen`: `player white "carlsen"`.
    pub(super) fn asks_for_odd_name(&self) -> Option<&str> {
        let is_small = |text: &[u8]| text.first().is_some_and(u8::is_ascii_lowercase);
        let is_odd_name = |text: &[u8]| is_small(text) || text.contains(&b' ') && !text.contains(&b',');
        self.texts().find_map(|(source, tokens)| {
            tokens.iter().enumerate().find_map(|(at, token)| {
                let kind = |at: usize| tokens.get(at).map(|token| &token.kind);
                let is_side = |kind: &TokenKind| matches!(kind, TokenKind::Word("white" | "black"));
                let place = match token.kind {
                    TokenKind::Word("player") => at + 1 + usize::from(kind(at + 1).is_some_and(is_side)),
                    TokenKind::Word("event" | "site") => at + 1,
                    _ => return None,
                };
                let TokenKind::String(text) = kind(place)? else {
                    return None;
                };
                let is_odd = if token.kind == TokenKind::Word("player") {
                    is_odd_name(text)
                } else {
                    is_small(text)
                };
                is_odd.then(|| source.slice(token.span.to(tokens[place].span)))
            })
        })
    }

    /// Of which sides it speaks.
    pub(super) fn sides(&self) -> Sides {
        let all: Vec<Token> = self.texts().flat_map(|(_, tokens)| tokens).collect();
        let has = |word: &'static str| all.iter().any(|token| token.kind == TokenKind::Word(word));
        let is_of_one = |token: &Token| match &token.kind {
            TokenKind::Designator(designator) => designator.contents != designator.contents.color_swapped(),
            TokenKind::Word(word) => matches!(*word, "wtm" | "btm"),
            _ => false,
        };
        if has("player") {
            Sides::OfPlayer
        } else if has("flipcolor") {
            Sides::Either
        } else if all.iter().any(is_of_one) {
            Sides::One
        } else {
            Sides::Both
        }
    }

    /// How it is evaluated.
    pub(super) fn explanation(&self) -> Explanation {
        explain(&self.query)
    }

    /// Whether it is evaluated on one thread only.
    pub(super) fn is_serial(&self) -> bool {
        self.query.is_serial()
    }

    /// An error at the first place where the query reads or writes a file.
    pub(super) fn file_access(&self, color: bool) -> Option<Failure> {
        let diagnostic = Diagnostic::new(self.query.file_access?, "the query wants to read or write files")
            .label("not without being allowed to")
            .hint("`--allow-files DIR` lets it use the files of one folder");
        Some(Failure::rendered(
            &diagnostic.message,
            diagnostic.render(&self.source, color),
        ))
    }

    /// An error at the first place where the query asks tablebases, if there are none.
    pub(super) fn lacks_tablebase(&self, color: bool) -> Option<Failure> {
        let diagnostic = self.query.lacks_tablebase()?;
        Some(rendered(&self.source, &self.options, &diagnostic, color))
    }

    /// No output replaces the file that it compares with.
    pub(super) fn protect_compared(&self, guard: &mut Guard) {
        if let Some(similar) = &self.query.similar {
            guard.protect(Role::Compared, &similar.path);
        }
    }

    /// Searches the games.
    pub(super) fn search(
        &self,
        games: Inputs,
        settings: &Settings,
        options: &Options,
        (format, look): (FormatName, Look),
        out: &mut dyn Write,
        progress: &mut Progress<'_>,
    ) -> Result<Totals, Error> {
        let task = search::Task {
            name: None,
            query: &self.query,
            games: self.games.clone(),
            files: None,
            sink: TextSink::new(format, out).looking(look).about(self.about()),
        };
        search::search_one(task, games.sources, settings, options, progress)
    }

    /// What the output may say about it.
    fn about(&self) -> About {
        let query = String::from_utf8_lossy(self.source.bytes()).into_owned();
        let name = Some(self.source.name()).filter(|name| *name != ARGUMENT_NAME);
        About {
            description: description(&query),
            command: command_line::shown(env::args_os()),
            ..About::of_query(name, query)
        }
    }

    /// Why a search ended before its end; an evaluation with its place in the query.
    pub(super) fn failed(&self, error: Error, color: bool) -> Failure {
        match error {
            Error::Evaluation(stop) => rendered(&self.source, &self.options, &stop.diagnostic, color),
            Error::Output(_) => {
                Failure::with_note(error, format_args!("of the query {}", in_a_line(self.source.name())))
            }
            error => Failure::new(error),
        }
    }
}

fn rendered(source: &Source, options: &query::Options, error: &Diagnostic, color: bool) -> Failure {
    let (text, error) = options.text_of(source, error);
    Failure::rendered(&error.message, error.render(text, color))
}

/// One of several queries, its result, and what comes of it.
pub(super) struct Task<'n> {
    query: Query,
    name: &'n str,
    result: Destination,
    files: Option<Arc<Folder>>,
    outcome: Result<Totals, Error>,
    /// Where the files are that the query has written, once they have their names.
    placed: Vec<Placed>,
}

impl<'n> Task<'n> {
    /// A query whose messages begin with a name, and which may use the files of a folder.
    pub(super) fn new(query: Query, name: &'n str, result: Destination, files: Option<Folder>) -> Task<'n> {
        Task {
            query,
            name,
            result,
            files: files.map(Arc::new),
            outcome: Ok(Totals::default()),
            placed: Vec::new(),
        }
    }

    /// Gives the files their names that the query has written.
    fn place_written(&mut self, guard: &Guard, is_part: bool) {
        if self.outcome.is_ok() {
            match outputs::place_written(guard, self.files.as_deref(), is_part) {
                Ok(placed) => self.placed = placed,
                Err(error) => self.outcome = Err(error),
            }
        }
    }

    /// Gives the result its name: how much was found, and where all files are.
    fn finish(mut self, is_part: bool, color: bool) -> Finished {
        let committed = self.outcome.and_then(|totals| {
            self.placed
                .push(self.result.commit_all_or_part(is_part).map_err(Error::Output)?);
            Ok((totals, self.placed))
        });
        committed.map_err(|error| self.query.failed(error, color))
    }
}

/// How much a query has found, and where its files are.
pub(super) type Finished = Result<(Totals, Vec<Placed>), Failure>;

/// How many results are written to the disk at once: it takes several together in less time than one after the other.
const AT_ONCE: NonZeroUsize = NonZeroUsize::new(8).unwrap();

/// Gives the results of all queries their names, and what the queries have written. They are a part of what was to be written if the search
/// was ended early. What fails is told in the order of the queries.
pub(super) fn finish_all(
    mut tasks: Vec<Result<Task<'_>, Failure>>,
    results: &Results,
    guard: &Guard,
    is_part: bool,
    color: bool,
) -> Vec<Finished> {
    // Two queries may have written the same file: the later one wins.
    for task in tasks.iter_mut().flatten() {
        task.place_written(guard, is_part);
    }
    let waiting: Vec<_> = tasks.into_iter().map(|task| Mutex::new(Some(task))).collect();
    let finished = in_parallel(&waiting, AT_ONCE, |_, waiting| {
        let task = waiting.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        Some(task.map(|task| task.finish(is_part, color)))
    });
    results.sync_folders();
    // What did not compile has been told before the search.
    let told = |finished: Finished| {
        finished.inspect_err(|failure| {
            fail(failure);
        })
    };
    let finished = finished.into_iter().flatten();
    finished.map(|finished| finished.and_then(told)).collect()
}

/// Searches the games for several queries in one pass.
pub(super) fn search_all(
    tasks: &mut [&mut Task<'_>],
    games: Inputs,
    settings: &Settings,
    options: &Options,
    (format, look): (FormatName, Look),
    progress: &mut Progress<'_>,
) -> Result<(), Error> {
    let mut outcomes = Vec::with_capacity(tasks.len());
    let searches: Vec<_> = tasks
        .iter_mut()
        .map(|task| {
            outcomes.push(&mut task.outcome);
            search::Task {
                name: Some(task.name),
                query: &task.query.query,
                games: task.query.games.clone(),
                files: task.files.clone(),
                sink: TextSink::new(format, &mut task.result)
                    .looking(look)
                    .about(task.query.about()),
            }
        })
        .collect();
    let found = search::search_all(searches, games.sources, settings, options, progress)?;
    for (outcome, found) in iter::zip(outcomes, found) {
        *outcome = found;
    }
    Ok(())
}

/// How many bytes will be read of a source; `None` for a stream, and for a packed file, which says only how long it is itself.
fn size(source: &Games) -> Option<u64> {
    let path = source.file()?;
    let is_plain = path
        .extension()
        .is_some_and(|extension| extension == "pgn" || extension == "parquet");
    is_plain
        .then(|| path.metadata().ok())
        .flatten()
        .map(|metadata| metadata.len())
}

/// Inputs of which some may be databases.
pub(super) struct Databases(Vec<Games>);

impl Databases {
    /// Whether a game of them has variations. One that cannot be read any more has none.
    pub(super) fn have_variations(&self) -> bool {
        let archives = self.0.iter().filter_map(|source| Archive::of_source(source).ok()?);
        archives
            .into_iter()
            .any(|archive| archive.has_variations().unwrap_or(false))
    }
}

/// Inputs that exist.
pub(super) struct Inputs {
    sources: Vec<Games>,
    bytes: Option<u64>,
    /// What is left out of folders.
    left_out: Vec<String>,
}

impl Inputs {
    /// Finds files and folders, `-` for standard input.
    pub(super) fn open(paths: &[PathBuf], packed: Packed) -> Result<Inputs, Error> {
        let (mut sources, mut left_out) = (Vec::new(), Vec::new());
        for path in paths {
            let mut files = Input::from(path.as_path()).sources()?;
            if path.is_dir() {
                left_out.extend(folders::leave_out(&mut files));
            }
            sources.extend(files.into_iter().map(|file| match packed.long {
                Some(window) => file.with_zstd_window(window),
                None => file,
            }));
        }
        let bytes = sources.iter().map(size).sum();
        Ok(Inputs {
            sources,
            bytes,
            left_out,
        })
    }

    /// The same, with advice where one of them is not there.
    pub(super) fn find(paths: &[PathBuf], packed: Packed) -> Result<Inputs, Failure> {
        Inputs::open(paths, packed).map_err(|error| match paths.iter().find_map(|path| files::instead_of(path)) {
            Some(advice) => Failure::with_help(error, advice),
            None => Failure::new(error),
        })
    }

    /// The same inputs, with the letters of a language for their pieces, if one is named.
    pub(super) fn in_language(self, letters: Letters) -> Inputs {
        let sources = self
            .sources
            .into_iter()
            .map(|source| source.in_language(letters.language));
        Inputs {
            sources: sources.collect(),
            ..self
        }
    }

    /// Says what is left out of folders.
    pub(super) fn say_left_out(&self) {
        self.left_out.iter().for_each(|note| signal::say(note));
    }

    /// No output replaces one of them.
    pub(super) fn protect(&self, guard: &mut Guard) {
        for file in self.sources.iter().filter_map(Games::file) {
            guard.protect(Role::Input, file);
        }
    }

    /// The databases among them, when the search is over: what it did not see of them can still be asked.
    pub(super) fn databases(&self) -> Databases {
        let files = self.sources.iter().filter(|source| source.file().is_some());
        Databases(files.cloned().collect())
    }

    /// The inputs, one after the other.
    pub(super) fn into_sources(self) -> Vec<Games> {
        self.sources
    }

    /// The games that are drawn from those that a query leaves by their tags. The inputs are read for it, so all must be files.
    pub(super) fn drawn(
        &self,
        query: &Query,
        draw: search::Draw,
        settings: &Settings,
        options: &Options,
        color: bool,
    ) -> Result<BTreeSet<u64>, Failure> {
        if self.sources.iter().any(|source| source.file().is_none()) {
            return Err(Failure::with_help(
                "--sample reads its inputs twice, and standard input can be read once",
                "write it to a file first",
            ));
        }
        let drawn = search::sample(&query.query, self.sources.iter().cloned(), draw, settings, options);
        drawn.map_err(|error| query.failed(error, color))
    }

    /// Prints what is chosen of them.
    pub(super) fn show(
        self,
        chosen: &Chosen,
        (format, look): (FormatName, Look),
        out: &mut dyn Write,
        options: &Options,
        progress: &mut Progress<'_>,
    ) -> Result<Totals, Error> {
        let names: Vec<_> = self
            .sources
            .iter()
            .filter_map(|source| source.file()?.file_name())
            .collect();
        let about = About {
            title: match names.as_slice() {
                [name] => format!("Games of {}", name.to_string_lossy()),
                _ => "Games".to_owned(),
            },
            has_name: true,
            command: command_line::shown(env::args_os()),
            ..About::default()
        };
        let sink = TextSink::new(format, out).looking(look).about(about);
        search::search_chosen(chosen, self.sources, sink, options, progress)
    }

    /// How many bytes there are to read; `None` when that is not known.
    pub(super) fn bytes(&self) -> Option<u64> {
        self.bytes
    }
}
