//! `skewer test`: runs the self-tests of queries.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ColorChoice;
use tempfile::TempDir;

use crate::cli::color::has_color;
use crate::cli::commands::completions::of_queries;
use crate::cli::commands::library::unpacked;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::options::drawing::DrawingArguments;
use crate::cli::options::limits::Limits;
use crate::cli::options::reading::PieceLanguage;
use crate::cli::options::tablebase::TablebaseFolders;
use crate::cli::options::threads::Threads;
use crate::cli::outputs::print;
use crate::cli::outputs::{self, Force, not_stdout};
use crate::cli::queries::files;
use crate::cli::queries::names::{FOLDER, Named};
use crate::cli::queries::text::{Language, STDIN_PATH};
use crate::cli::signal;
use crate::eval::Settings;
use crate::limits::Interrupt;
use crate::output::{Guard, Kind, Role};
use crate::testing::{self, Report};

/// Test queries by the examples in their comments
///
/// Comments that begin with //? state what a query finds in a position, a line of moves, a game of a file, or a whole file. A folder stands
/// for all .cql files in it and its subfolders, and a name from the library for that query. Without paths, tests the folder `queries`.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Self-tests, in comments of queries:
  //? match \"6k1/5ppp/8/8/8/8/8/3R2K1 w\"
  //? no match \"6k1/5pp1/7p/8/8/8/8/3R2K1 w\"
  //? match pgn \"1. f3 e5 2. g4 Qh4#\" with White \"Carlsen\" at 4
  //? no match game \"games.pgn\" 3 at 17, 18
  //? count \"games.pgn\" 2 games, 5 positions

Files are looked for beside the query, then in each folder above it. Only files below the folder of the query, below a folder that is named here, or below the current folder are read.

Exit code: 0 all passed, 1 some failed, 2 error, 124 out of time, 130 interrupted.")]
pub(crate) struct Arguments {
    /// Query files, folders of them, names from the library
    #[arg(value_name = "QUERY | FOLDER", add = of_queries())]
    paths: Vec<PathBuf>,

    /// Write counts that are missing or wrong into the query files
    #[arg(long)]
    bless: bool,

    /// Write the results for a CI server, as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,

    #[command(flatten)]
    force: Force,

    /// Print the results as JSON, for programs
    #[arg(long, conflicts_with = "quiet")]
    json: bool,

    #[command(flatten)]
    threads: Threads,

    /// Print only failures and errors
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    language: Language,

    #[command(flatten)]
    tablebase: TablebaseFolders,

    #[command(flatten)]
    pieces: PieceLanguage,

    #[command(flatten)]
    limits: Limits,

    #[command(flatten)]
    drawing: DrawingArguments,
}

/// Runs the tests and reports the results.
pub(crate) fn execute(arguments: &Arguments, choice: ColorChoice) -> Result<Exit, Failure> {
    let Queries {
        files: queries,
        library,
    } = Queries::named(arguments)?;
    let mut guard = Guard::new(arguments.force.force);
    queries.iter().for_each(|path| guard.protect(Role::Query, path));
    if let Some(path) = &arguments.junit {
        // Which files the self-tests read is known only later.
        guard.permit(path, Kind::SelfTests)?;
    }
    let home = library.as_ref().map(|folder| folder.path().to_owned());
    let interrupt = signal::handle(arguments.limits.interrupt());
    let options = testing::Options {
        threads: arguments.threads.count(),
        bless: arguments.bless,
        vocabulary: arguments.language.vocabulary(),
        folders: folders(&arguments.paths).chain(home.clone()).collect(),
        home,
        letters: arguments.pieces.language,
        tablebase: arguments.tablebase.tablebase(),
        interrupt: Arc::clone(&interrupt),
        settings: Settings {
            memory: arguments.limits.memory(),
            ..Settings::default()
        },
    };
    let report = testing::run(&queries, &options);
    if let Some(cause) = interrupt.cause() {
        let outcome = "not all self-tests were run, and nothing more is written";
        return Err(Failure::ended(cause, outcome));
    }
    let color = has_color(choice, io::stdout().is_terminal());
    let text = match arguments.json {
        true => report.json().map_err(Failure::new)?,
        false => report.text(arguments.drawing.drawing(color), arguments.quiet),
    };
    print(text.as_bytes())?;
    if let Some(path) = &arguments.junit {
        report.read.iter().for_each(|path| guard.protect(Role::Compared, path));
        write_junit(&report, path, &guard, &interrupt)?;
    }
    let tally = report.tally();
    Ok(if tally.errors > 0 {
        Exit::Error
    } else if tally.failed > 0 {
        Exit::NoMatch
    } else {
        Exit::Success
    })
}

/// The query files to test.
struct Queries {
    files: Vec<PathBuf>,
    /// The folder with the queries of the library.
    library: Option<TempDir>,
}

impl Queries {
    /// Returns the queries of the arguments, including those in folders, or else those of the default folder.
    fn named(arguments: &Arguments) -> Result<Queries, Failure> {
        let paths = &arguments.paths;
        let mut files = Vec::new();
        let mut of_library = Vec::new();
        for path in paths {
            if path == Path::new(STDIN_PATH) {
                return Err(Failure::with_help(
                    "`skewer test` does not read standard input: examples name files beside their query",
                    "write the query to a file",
                ));
            }
            if path.is_dir() {
                files.extend(files::in_folder(path)?);
                continue;
            }
            match Named::find(path, arguments.quiet)? {
                Some(Named::Library(query)) => of_library.push(query),
                Some(Named::File(file)) => files.push(file),
                None => files.push(path.clone()),
            }
        }
        if paths.is_empty() {
            let folder = Path::new(FOLDER);
            if !folder.is_dir() {
                return Err(Failure::new(
                    "nothing to test: name query files or folders, or run this where a folder `queries` is",
                ));
            }
            files = files::in_folder(folder)?;
        }
        if of_library.is_empty() {
            return Ok(Queries { files, library: None });
        }
        if arguments.bless {
            return Err(Failure::with_help(
                format_args!(
                    "{} is built into the program, where nothing can be recorded",
                    of_library[0].name()
                ),
                format_args!("`skewer library --copy {}` makes a file of it", of_library[0].name()),
            ));
        }
        let library = unpacked(&of_library)?;
        let paths = of_library
            .iter()
            .map(|query| library.path().join(format!("{}.cql", query.name())));
        files.extend(paths);
        Ok(Queries {
            files,
            library: Some(library),
        })
    }
}

/// Returns the folders among the paths.
fn folders(paths: &[PathBuf]) -> impl Iterator<Item = PathBuf> {
    paths.iter().filter(|path| path.is_dir()).cloned()
}

fn write_junit(report: &Report, path: &Path, guard: &Guard, interrupt: &Interrupt) -> Result<(), Failure> {
    let xml = report
        .junit()
        .map_err(|error| Failure::new(format_args!("cannot make the report: {error}")))?;
    let destination = outputs::destination(guard, not_stdout(Some(path)), Kind::SelfTests, interrupt)?;
    outputs::write(destination, xml.as_bytes())
}
