//! `skewer library`: lists the queries in the program or in a folder, finds or copies one, and makes an index.
//!
//! Each part uses only those before it: `copy`.

mod copy;

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf, absolute};

use serde::Serialize;
use tempfile::TempDir;

use crate::cli::commands::completions::{of_folders, of_library};
use crate::cli::commands::help::layout::Page;
use crate::cli::exit::Exit;
use crate::cli::failure::{Failure, fail};
use crate::cli::options::formats::terminal_width;
use crate::cli::options::threads::Threads;
use crate::cli::outputs::{self, Force, not_stdout};
use crate::cli::pager::Paging;
use crate::cli::queries::files;
use crate::cli::queries::names::FOLDER;
use crate::cli::queries::text::{QueryText, description};
use crate::cli::shell;
use crate::cli::{relative_url, signal};
use crate::guide;
use crate::guide::markdown::{Piece, Text};
use crate::library::{self, Found, Query};
use crate::output::{Entry, EntryResult, Guard, Kind, Picture, QueryIndex, Role, Section};
use crate::terminal::shown;
use crate::testing::{Problem, Sheet, Sheets, sheets};

/// List the library of queries or a folder of queries, find one, copy one, or make an index
///
/// Without a folder, lists the library that is built into skewer, and before it the queries of a folder `queries` here. A section of the
/// library, such as mates, works like a folder. `skewer search`, `check`, `explain` and `test` take names from the library.
///
/// For each query, shows the first sentence of the comment at its top. A page also shows how many self-tests it has, and draws the position
/// of the first one that has to match.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  skewer library --find 'knight mate'           which queries say so, those with it in their names first
  skewer search smothered-mate games.pgn        search with a query of the library
  skewer library mates                          the queries of a section
  skewer library --copy smothered-mate          make a file of it, to change it
  skewer library --copy smothered-mate -o -     print it
  skewer library -o library.html                a page of the library with drawings
  skewer library queries -o queries/README.md   tables of the queries of a folder

Exit code: 0 done, 1 nothing has these words, 2 error. Faulty queries are listed, too.")]
pub(crate) struct Arguments {
    /// The folder, or a section of the library [default: the library in skewer]
    #[arg(value_name = "FOLDER", add = of_folders())]
    folder: Option<PathBuf>,

    /// Only queries with all of these words in their names or in the comments at their tops, best matches first
    #[arg(long, value_name = "WORDS", value_parser = words)]
    find: Option<String>,

    /// Write a query of the library to a file of its name here, or to the file given by -o
    ///
    /// Writes the games that its self-tests name beside it.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["folder", "find", "format"], add = of_library())]
    copy: Option<String>,

    /// The output format [default: markdown for -o FILE.md, json for -o FILE.json, html for other files, otherwise a list]
    #[arg(short, long, value_enum)]
    format: Option<Format>,

    /// The same as --format json
    #[arg(long, conflicts_with_all = ["format", "copy"])]
    json: bool,

    /// The output file, - for standard output; links are relative to it, or to the folder if there is none
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: Force,

    #[command(flatten)]
    threads: Threads,

    /// Print no notes beside the result
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    paging: Paging,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Format {
    /// A line for each query: its file, and what it finds
    List,
    /// One HTML page, with drawings
    Html,
    /// Tables, without drawings
    Markdown,
    /// One JSON array, for programs: the name and file of each query, and what it finds
    Json,
}

impl Arguments {
    /// Returns the output file, or `None` for standard output.
    fn output(&self) -> Option<&Path> {
        not_stdout(self.output.as_deref())
    }

    /// Returns the format that the user chose, or the one of the output file's name.
    fn format(&self) -> Format {
        let ends_in = |path: &Path, ending: &str| path.extension().is_some_and(|extension| extension == ending);
        let asked = self.format.or(self.json.then_some(Format::Json));
        asked.unwrap_or(match self.output() {
            Some(path) if ends_in(path, "md") => Format::Markdown,
            Some(path) if ends_in(path, "json") => Format::Json,
            Some(_) => Format::Html,
            None => Format::List,
        })
    }
}

impl Format {
    /// Returns whether it only lists queries, wherever they are.
    fn is_list(self) -> bool {
        matches!(self, Format::List | Format::Json)
    }
}

/// Checks the words to look for.
fn words(text: &str) -> Result<String, String> {
    if text.contains(char::is_alphanumeric) {
        return Ok(text.to_owned());
    }
    Err("write some words, such as 'back rank'".to_owned())
}

/// The queries of a folder or of the library.
enum QuerySource {
    Folder(PathBuf, Vec<PathBuf>),
    Library(Vec<Query>),
}

/// A query in a list.
#[derive(Clone)]
struct Listed {
    /// Its name for `skewer search`.
    name: String,
    /// Its file, if it has one.
    file: Option<String>,
    text: String,
    /// The part of its name that is searched.
    words: String,
}

impl QuerySource {
    fn folder(folder: &Path) -> Result<QuerySource, Failure> {
        Ok(QuerySource::Folder(folder.to_owned(), files::in_folder(folder)?))
    }

    fn library() -> QuerySource {
        QuerySource::Library(library::queries().collect())
    }

    /// Returns the queries of a folder, or of a section of the library if there is no folder of that name.
    fn named(name: &Path) -> Result<QuerySource, Failure> {
        if name.exists() {
            return QuerySource::folder(name);
        }
        if not_stdout(Some(name)).is_none() {
            return Err(Failure::new(
                "`skewer library` reads folders of queries, not standard input",
            ));
        }
        let section = name.to_string_lossy();
        let section = section.trim_end_matches('/');
        let queries = library::in_section(section);
        if !queries.is_empty() {
            return Ok(QuerySource::Library(queries));
        }
        let advice = match library::named(section).as_slice() {
            [] => format!(
                "words are looked for with --find: {}",
                shell::shown(["skewer", "library", "--find", section].map(OsString::from))
            ),
            [query, ..] => format!(
                "it is a query of the library: `skewer library --copy {0} -o -` prints it, `skewer library --copy {0}` makes a file of it",
                query.name()
            ),
        };
        Err(Failure::with_help(
            format_args!("there is no folder {}", shown(name)),
            advice,
        ))
    }

    fn listed(&self) -> Result<Vec<Listed>, Failure> {
        match self {
            QuerySource::Folder(folder, paths) => paths.iter().map(|path| Listed::of_file(path, folder)).collect(),
            QuerySource::Library(queries) => Ok(queries.iter().map(Listed::of_library).collect()),
        }
    }

    /// Keeps the queries at these indexes, in this order.
    fn keep(&mut self, places: &[usize]) {
        match self {
            QuerySource::Folder(_, paths) => *paths = picked(paths, places),
            QuerySource::Library(queries) => *queries = picked(queries, places),
        }
    }
}

fn picked<T: Clone>(all: &[T], places: &[usize]) -> Vec<T> {
    places.iter().map(|place| all[*place].clone()).collect()
}

impl Listed {
    fn of_file(path: &Path, folder: &Path) -> Result<Listed, Failure> {
        let within = path.strip_prefix(folder).unwrap_or(path).with_extension("");
        Ok(Listed {
            name: shown(path),
            file: Some(path.display().to_string()),
            text: text_of(path)?,
            words: relative_url::slashed(&within),
        })
    }

    fn of_library(query: &Query) -> Listed {
        Listed {
            name: query.name().to_owned(),
            file: None,
            text: query.text().to_owned(),
            words: query.name().to_owned(),
        }
    }
}

/// Writes the list or the index, or copies a query.
pub(crate) fn execute(arguments: &Arguments, color: bool) -> Result<Exit, Failure> {
    if let Some(name) = &arguments.copy {
        return copy::execute(name, arguments.output.as_deref(), arguments.force, arguments.quiet);
    }
    let format = arguments.format();
    let mut source = match &arguments.folder {
        Some(folder) => QuerySource::named(folder)?,
        None => QuerySource::library(),
    };
    let mut listed = Vec::new();
    if format.is_list() || arguments.find.is_some() {
        listed = source.listed()?;
        if arguments.folder.is_none() && format.is_list() {
            listed = with_own(listed)?;
        }
    }
    if let Some(words) = &arguments.find {
        let Some(places) = found(words, &listed, arguments.quiet) else {
            if matches!(format, Format::Json) {
                write_list(arguments, &[])?;
            }
            return Ok(Exit::NoMatch);
        };
        if format.is_list() {
            return write_list(arguments, &picked(&listed, &places));
        }
        source.keep(&places);
    }
    if format.is_list() {
        return write_list(arguments, &listed);
    }
    match source {
        QuerySource::Folder(folder, paths) => {
            let start = arguments.output().and_then(Path::parent).unwrap_or(&folder);
            write_index(arguments, &folder, Some(start), &paths, color)
        }
        QuerySource::Library(queries) => {
            let folder = unpacked(&queries)?;
            let paths = queries
                .iter()
                .map(|query| folder.path().join(format!("{}.cql", query.name())));
            write_index(arguments, folder.path(), None, &paths.collect::<Vec<_>>(), color)
        }
    }
}

/// Returns the queries of the folder `queries`, if it exists here, and those of the library with other names.
fn with_own(library: Vec<Listed>) -> Result<Vec<Listed>, Failure> {
    let folder = Path::new(FOLDER);
    let Ok(source) = QuerySource::folder(folder) else {
        return Ok(library);
    };
    let mut listed = source.listed()?;
    let known: HashSet<String> = listed.iter().map(|query| query.words.clone()).collect();
    listed.extend(library.into_iter().filter(|query| !known.contains(&query.words)));
    Ok(listed)
}

/// Returns the queries that have all words, the best first. If there are none, returns `None` and says which come near, unless `quiet`.
fn found(words: &str, listed: &[Listed], quiet: bool) -> Option<Vec<usize>> {
    let themes = listed.iter().map(|query| (&*query.words, &*query.text));
    match library::find(words, themes) {
        Found::All { places, taken_for } => {
            for (word, near) in taken_for.into_iter().filter(|_| !quiet) {
                signal::say(&format!("No query mentions `{word}`; showing `{near}`."));
            }
            Some(places)
        }
        Found::Nearest(places) => {
            let near: Vec<_> = places.iter().map(|place| &*listed[*place].name).collect();
            if !quiet {
                signal::say(&none_mentions(words, &near));
            }
            None
        }
    }
}

/// Returns sentences that say that no query has the words, which ones come near, and where to find more about a word of players.
fn none_mentions(words: &str, near: &[&str]) -> String {
    let mut said = match words.split_whitespace().count() {
        1 => format!("No query mentions `{}`.", words.trim()),
        _ => format!("No query mentions all of `{}`.", words.trim()),
    };
    match near {
        [] => {}
        [near] => said += &format!(" The nearest is {near}."),
        near => said += &format!(" The nearest are {}.", near.join(", ")),
    }
    if near.is_empty() && (guide::topic(words).is_some() || !guide::everyday(words).is_empty()) {
        let help = ["skewer", "help", words.trim()].map(OsString::from);
        said += &format!(" `{}` says how to ask for it.", shell::shown(help));
    }
    said
}

fn write_list(arguments: &Arguments, listed: &[Listed]) -> Result<Exit, Failure> {
    let text = match arguments.format() {
        Format::Json => json(listed)?,
        _ => match terminal_width().filter(|_| arguments.output.is_none()) {
            Some(width) => columns(listed, width),
            None => lines(listed),
        },
    };
    let guard = Guard::new(arguments.force.force);
    outputs::write_text(&guard, arguments.output(), Kind::LibraryList, arguments.paging, &text)?;
    Ok(Exit::Success)
}

/// Returns the queries and what they find, in two columns for a screen of this width.
fn columns(listed: &[Listed], width: usize) -> String {
    let mut page = Page::new(width, false);
    let themes = listed.iter().map(|query| {
        let found = Text(vec![Piece::Plain(description(&query.text))]);
        (&*query.name, Some(found))
    });
    page.list(themes);
    page.finish()
}

/// Returns a line for each query.
fn lines(listed: &[Listed]) -> String {
    let width = listed.iter().map(|query| query.name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for Listed { name, text: query, .. } in listed {
        let line = format!("{name:width$}  {}", description(query));
        text = text + line.trim_end() + "\n";
    }
    text
}

/// A query, for other programs.
#[derive(Serialize)]
struct QueryJson<'l> {
    name: &'l str,
    file: Option<&'l str>,
    description: String,
}

/// Returns the queries as one array.
fn json(listed: &[Listed]) -> Result<String, Failure> {
    let queries = listed.iter().map(|query| QueryJson {
        name: &query.words,
        file: query.file.as_deref(),
        description: description(&query.text),
    });
    let json = serde_json::to_string_pretty(&queries.collect::<Vec<_>>());
    json.map(|json| json + "\n").map_err(Failure::new)
}

fn text_of(path: &Path) -> Result<String, Failure> {
    let query = QueryText::from_file(path)?;
    Ok(String::from_utf8_lossy(&query.bytes).into_owned())
}

/// Writes queries of the library to files for code that needs files. Their folder is deleted when the returned value is dropped.
pub(crate) fn unpacked(queries: &[Query]) -> Result<TempDir, Failure> {
    let unpacked = tempfile::tempdir().and_then(|folder| {
        library::unpack(queries, folder.path())?;
        Ok(folder)
    });
    unpacked.map_err(|error| Failure::new(format_args!("cannot unpack the library: {error}")))
}

fn write_index(
    arguments: &Arguments,
    folder: &Path,
    start: Option<&Path>,
    paths: &[PathBuf],
    color: bool,
) -> Result<Exit, Failure> {
    let mut guard = Guard::new(arguments.force.force);
    paths.iter().for_each(|path| guard.protect(Role::Query, path));
    let Sheets { sheets, read } = sheets(paths, &[folder.to_owned()], arguments.threads.count());
    read.iter().for_each(|path| guard.protect(Role::Compared, path));
    let mut exit = Exit::Success;
    for sheet in &sheets {
        if let Some(failure) = failure(sheet, color) {
            exit = fail(&failure);
        }
    }
    let index = index(folder, start, paths, sheets);
    let (kind, text) = match arguments.format() {
        Format::Markdown => (Kind::LibraryTables, index.markdown()),
        _ => (Kind::LibraryPage, index.html()),
    };
    outputs::write_text(&guard, arguments.output(), kind, arguments.paging, &text)?;
    Ok(exit)
}

fn failure(sheet: &Sheet, color: bool) -> Option<Failure> {
    Some(match sheet.problem.as_ref()? {
        Problem::File(message) => Failure::new(message),
        Problem::Query(error) => Failure::rendered(&error.message, error.render(&sheet.source, color)),
    })
}

/// Returns the index of a folder, with links relative to the folder `start`. The library has no files to link to.
fn index(folder: &Path, start: Option<&Path>, paths: &[PathBuf], sheets: Vec<Sheet>) -> QueryIndex {
    let entries = paths.iter().zip(sheets).map(|(path, sheet)| {
        let parent = path.parent().and_then(|parent| parent.strip_prefix(folder).ok());
        (
            parent.map(relative_url::slashed).unwrap_or_default(),
            entry(path, start, sheet),
        )
    });
    let name = start
        .and_then(|_| absolute(folder).ok())
        .and_then(|folder| Some(folder.file_name()?.to_string_lossy().into_owned()));
    QueryIndex {
        title: name.unwrap_or_else(|| FOLDER.to_owned()),
        sections: Section::of_folders(entries),
    }
}

fn entry(path: &Path, start: Option<&Path>, sheet: Sheet) -> Entry {
    Entry {
        name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        link: start.map(|start| relative_url::to(path, start)),
        description: description(sheet.source.text()),
        text: sheet.source.text().to_owned(),
        yields: EntryResult::Examples(sheet.examples),
        picture: sheet
            .picture
            .map(|found| Picture::of_match(&found.position, &found.highlights)),
    }
}
