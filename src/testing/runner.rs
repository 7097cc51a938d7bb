//! Runs self-tests.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::expectation::{Claim, Count, Counts, Example, Expectation, Match, expectations};
use super::failure::Failure;
use super::files::{self, Library, Reach};
use super::report::{FileReport, Outcome, Problem, Report, Test};
use super::trial::{failed_search, try_match};
use super::{bless, example};
use crate::eval::Settings;
use crate::game::Game;
use crate::limits::Interrupt;
use crate::pgn::Language;
use crate::query::{self, Query, Vocabulary};
use crate::search::{self, Error, in_parallel};
use crate::syntax::token::Span;
use crate::syntax::{Diagnostic, Source, read_text};
use crate::tablebase::Tablebase;
use crate::terminal::{in_a_line, without_codes};

/// Options for running self-tests.
#[derive(Clone, Debug)]
pub struct Options {
    /// The number of threads that run them. The report is the same for any number.
    pub threads: NonZeroUsize,
    /// Whether to record wrong or missing counts in the query files instead of failing.
    pub bless: bool,
    /// The words that queries may use without declaring them.
    pub vocabulary: Vocabulary,
    /// Folders whose files may be read, in addition to the working folder and the folders of the queries.
    pub folders: Vec<PathBuf>,
    /// A folder that is left out of the names of its queries.
    pub home: Option<PathBuf>,
    /// The language of piece letters in the game files. Without one, it is detected. Moves in expectations are always in English.
    pub letters: Option<Language>,
    /// Endgame tablebases. Without them, self-tests of queries that need them are skipped.
    pub tablebase: Option<Arc<Tablebase>>,
    /// Raising it ends the run soon. The remaining self-tests are not run, and nothing is recorded.
    pub interrupt: Arc<Interrupt>,
    /// The settings of the evaluation. All self-tests share its memory.
    pub settings: Settings,
}

impl Options {
    /// Returns the options for compiling the queries.
    fn language(&self) -> query::Options {
        query::Options {
            vocabulary: self.vocabulary,
            tablebase: self.tablebase.clone(),
            ..query::Options::default()
        }
    }
}

/// A query file with its compiled query and expectations.
pub(super) struct Subject<'p> {
    path: &'p Path,
    reach: &'p Reach,
    pub(super) source: Source,
    pub(super) query: Result<Query, Problem>,
    pub(super) expectations: Vec<Result<Expectation, Diagnostic>>,
}

/// What the queries find in files, by the index of the subject and the file.
type AllCounts = HashMap<(usize, PathBuf), Result<Counts, Arc<Error>>>;

/// Runs the self-tests of query files. With [`bless`](Options::bless), it writes to the files.
///
/// If one file has a problem, the others are still run.
pub fn run(paths: &[PathBuf], options: &Options) -> Report {
    let reach = Reach::new(&options.folders);
    let home = options.home.as_deref();
    let language = options.language();
    let subjects = subjects(paths, home, &reach, options.threads, &language, &options.interrupt);
    let library = library(&subjects, options.letters, &options.interrupt);
    let counts = count_all(&subjects, options);
    let read = library.files().chain(counts.keys().map(|(_, file)| file)).cloned();
    let read = read.collect();
    let tests = in_parallel(&subjects, options.threads, |index, subject| {
        let runner = Runner {
            index,
            subject,
            library: &library,
            counts: &counts,
            options,
        };
        runner.run()
    });
    let files = subjects.into_iter().zip(tests).map(|(subject, mut tests)| {
        if !options.interrupt.is_raised() {
            subject.record(&mut tests);
        }
        FileReport {
            problem: subject.query.err(),
            source: subject.source,
            tests,
        }
    });
    Report {
        files: files.collect(),
        read,
    }
}

/// Reads query files. `home` is left out of their names.
pub(super) fn subjects<'p>(
    paths: &'p [PathBuf],
    home: Option<&Path>,
    reach: &'p Reach,
    threads: NonZeroUsize,
    language: &query::Options,
    interrupt: &Interrupt,
) -> Vec<Subject<'p>> {
    in_parallel(paths, threads, |_, path| {
        Subject::read(path, home, reach, language, interrupt)
    })
}

/// Returns the games of files that query files name. Piece letters are those of a language, if there is one.
pub(super) fn library(subjects: &[Subject<'_>], letters: Option<Language>, interrupt: &Arc<Interrupt>) -> Library {
    let mut library = Library::in_language(letters);
    for (file, number) in subjects.iter().flat_map(Subject::games) {
        library.want(file, number);
    }
    library.read(interrupt);
    library
}

impl<'p> Subject<'p> {
    fn read(
        path: &'p Path,
        home: Option<&Path>,
        reach: &'p Reach,
        language: &query::Options,
        interrupt: &Interrupt,
    ) -> Subject<'p> {
        let shown = home.and_then(|home| path.strip_prefix(home).ok()).unwrap_or(path);
        let name = shown.display().to_string();
        let file = path.to_owned();
        let bytes = match interrupt.wait_for(move || read_text(&file)).flatten() {
            Ok(bytes) => bytes,
            Err(error) => {
                return Subject {
                    path,
                    reach,
                    query: Err(Problem::File(format!(
                        "cannot read the query {}: {}",
                        in_a_line(&name),
                        without_codes(&error.to_string())
                    ))),
                    source: Source::new(name, Vec::new()),
                    expectations: Vec::new(),
                };
            }
        };
        let source = Source::new(name, bytes);
        let language = query::Options {
            themes: crate::library::themes(path.parent().map(Path::to_owned)),
            ..language.clone()
        };
        Subject {
            path,
            reach,
            query: compile(&source, &language).and_then(|query| within(query, path, reach)),
            expectations: expectations(&source),
            source,
        }
    }

    /// Returns the files and numbers of the games that the expectations name.
    fn games(&self) -> impl Iterator<Item = (PathBuf, u64)> {
        let expectations = self.expectations.iter().flatten().filter(|_| self.query.is_ok());
        expectations.filter_map(|expectation| match &expectation.claim {
            Claim::Match(Match {
                example: Example::Game { file, number, .. },
                ..
            }) => Some((self.reach.find(self.path, file).ok()?, *number)),
            _ => None,
        })
    }

    /// Returns the game of an example.
    pub(super) fn game(&self, example: &Example, library: &Library) -> Result<Game, Diagnostic> {
        match example {
            Example::Fen(fen) => example::of_fen(fen),
            Example::Pgn { movetext, tags } => example::of_pgn(movetext, tags),
            Example::Game {
                file,
                number,
                number_span,
            } => {
                let path = self.reach.find(self.path, file)?;
                let game = library.game(&path, *number);
                game.cloned()
                    .map_err(|message| Diagnostic::new(file.span.to(*number_span), message))
            }
        }
    }

    /// Returns the files that the expectations count in, each once.
    fn counted_files(&self) -> Vec<PathBuf> {
        let expectations = self.expectations.iter().flatten();
        let files = expectations.filter_map(|expectation| match &expectation.claim {
            Claim::Count(Count { file, .. }) => self.reach.find(self.path, file).ok(),
            Claim::Match(_) => None,
        });
        let mut files: Vec<_> = files.collect();
        files.sort();
        files.dedup();
        files
    }

    /// Writes the numbers to record to the file. If that fails, so do the tests.
    fn record(&self, tests: &mut [Test]) {
        let mut numbers = Vec::new();
        let mut recorded = Vec::new();
        for (expectation, test) in self.expectations.iter().zip(tests) {
            let Ok(expectation) = expectation else { continue };
            if let (Claim::Count(count), Outcome::Recorded { now, .. }) = (&expectation.claim, &test.outcome) {
                numbers.push((count.numbers, *now));
                recorded.push((expectation.span, test));
            }
        }
        if numbers.is_empty() {
            return;
        }
        if let Err(error) = bless::record(self.path, &self.source, &numbers) {
            let message = format!("cannot write {}: {error}", in_a_line(self.source.name()));
            for (span, test) in recorded {
                test.outcome = Outcome::Error(Box::new(Diagnostic::new(span, message.clone())));
            }
        }
    }
}

/// Runs the expectations of a subject.
struct Runner<'a> {
    /// The index of the subject.
    index: usize,
    subject: &'a Subject<'a>,
    library: &'a Library,
    counts: &'a AllCounts,
    options: &'a Options,
}

impl Runner<'_> {
    fn run(&self) -> Vec<Test> {
        let test = |expectation| Test {
            title: self.title(expectation),
            line: self.line(expectation),
            outcome: self.outcome(expectation),
        };
        self.subject.expectations.iter().map(test).collect()
    }

    /// Returns an expectation in one line.
    fn title(&self, expectation: &Result<Expectation, Diagnostic>) -> String {
        match expectation {
            Ok(Expectation { span, .. }) => {
                let lines = self.subject.source.slice(*span).lines();
                let parts = lines.map(|line| line.trim().trim_start_matches("//?").trim());
                parts.collect::<Vec<_>>().join(" ")
            }
            Err(_) => "an expectation that cannot be read".to_owned(),
        }
    }

    fn line(&self, expectation: &Result<Expectation, Diagnostic>) -> usize {
        let (Ok(Expectation { span, .. }) | Err(Diagnostic { span, .. })) = expectation;
        self.subject.source.place(span.start).line
    }

    fn outcome(&self, expectation: &Result<Expectation, Diagnostic>) -> Outcome {
        let outcome = match (expectation, &self.subject.query) {
            (Err(error), _) => Err(error.clone()),
            (Ok(_), Err(_)) => Ok(Outcome::NotRun),
            (Ok(_), Ok(query)) if query.lacks_tablebase().is_some() => Ok(Outcome::Skipped),
            (Ok(_), Ok(_)) if self.options.interrupt.is_raised() => Ok(Outcome::NotRun),
            (Ok(Expectation { span, claim }), Ok(query)) => match claim {
                Claim::Match(claim) => self.search(query, claim, *span),
                Claim::Count(claim) => self.compare(claim, *span),
            },
        };
        outcome.unwrap_or_else(|error| Outcome::Error(Box::new(error)))
    }

    /// Searches the game of an expectation.
    fn search(&self, query: &Query, claim: &Match, span: Span) -> Result<Outcome, Diagnostic> {
        let game = self.subject.game(&claim.example, self.library)?;
        let Options {
            settings, interrupt, ..
        } = self.options;
        let failure = try_match(query, claim, span, game, settings, interrupt)?;
        Ok(failure.map_or(Outcome::Passed, |failure| Outcome::Failed(Box::new(failure))))
    }

    /// Compares a count with the recorded one.
    fn compare(&self, claim: &Count, span: Span) -> Result<Outcome, Diagnostic> {
        let path = self.subject.reach.find(self.subject.path, &claim.file)?;
        let now = match self.counts.get(&(self.index, path)) {
            Some(Ok(counts)) => *counts,
            Some(Err(error)) => return Err(failed_search(error, span)),
            None => return Err(Diagnostic::new(claim.file.span, "the file is gone")),
        };
        let before = claim.recorded;
        if before == Some(now) {
            return Ok(Outcome::Passed);
        }
        if self.options.bless {
            return Ok(Outcome::Recorded { before, now });
        }
        let diagnostic = match before {
            Some(_) => Diagnostic::new(claim.numbers, "the search finds something else").label(format!("found {now}")),
            None => Diagnostic::new(claim.file.span, "no numbers are recorded").label(format!("found {now}")),
        };
        Ok(Outcome::Failed(Box::new(Failure {
            diagnostic: diagnostic.hint("`skewer test --bless` records what is found"),
            scene: None,
            note: None,
        })))
    }
}

/// Compiles a query, and refuses it if it reads or writes files.
fn compile(source: &Source, language: &query::Options) -> Result<Query, Problem> {
    let query = query::compile(source, language).map_err(Problem::Query)?;
    match query.file_access {
        None => Ok(query),
        Some(place) => Err(Problem::Query(
            Diagnostic::new(place, "the query wants to read or write files").label("self-tests do not let it"),
        )),
    }
}

/// Returns the query, unless it compares with a file that may not be read.
fn within(query: Query, path: &Path, reach: &Reach) -> Result<Query, Problem> {
    if let Some(similar) = &query.similar
        && let Err(reason) = reach.require(path, &similar.path)
    {
        let name = String::from_utf8_lossy(&similar.name);
        let error = Diagnostic::new(similar.span, format!("`{name}` is not read: {reason}"));
        return Err(Problem::Query(error));
    }
    Ok(query)
}

/// Searches each file with counts, once for all queries.
fn count_all(subjects: &[Subject<'_>], options: &Options) -> AllCounts {
    let mut files: HashMap<PathBuf, Vec<(usize, &Query)>> = HashMap::new();
    for (index, subject) in subjects.iter().enumerate() {
        if let Ok(query) = &subject.query {
            for file in subject.counted_files() {
                files.entry(file).or_default().push((index, query));
            }
        }
    }
    let search_options = search::Options {
        threads: options.threads,
        interrupt: Arc::clone(&options.interrupt),
        ..search::Options::quiet()
    };
    let mut counts = AllCounts::new();
    for (file, tasks) in files {
        let queries: Vec<_> = tasks.iter().map(|(_, query)| *query).collect();
        let outcomes =
            files::count(&file, options.letters, &queries, &options.settings, &search_options).map_err(Arc::new);
        for (order, (index, _)) in tasks.into_iter().enumerate() {
            let counted = match &outcomes {
                Ok(outcomes) => outcomes[order].clone(),
                Err(error) => Err(Arc::clone(error)),
            };
            counts.insert((index, file.clone()), counted);
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_recorded_is_an_error() {
        let source = Source::new(
            "q.cql",
            "//? match \"bad\n//? count \"a.pgn\"\n//? match \"8/8 w\"\ncql() mate",
        );
        let subject = Subject {
            path: Path::new("there is no such folder/q.cql"),
            reach: &Reach::default(),
            query: compile(&source, &query::Options::default()),
            expectations: expectations(&source),
            source,
        };
        let now = Counts { games: 1, positions: 1 };
        let outcomes = [
            Outcome::Passed,
            Outcome::Recorded { before: None, now },
            Outcome::Passed,
        ];
        let mut tests = outcomes.map(|outcome| Test {
            title: String::new(),
            line: 1,
            outcome,
        });
        subject.record(&mut tests);
        assert!(
            matches!(&tests[1].outcome, Outcome::Error(error) if error.message.starts_with("cannot write q.cql: "))
        );
        assert!(matches!(
            (&tests[0].outcome, &tests[2].outcome),
            (Outcome::Passed, Outcome::Passed)
        ));
    }
}
