//! `skewer library`: an index of a folder of queries, and the way to find one.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::{Component, Path, PathBuf, absolute};
use std::{slice, thread};

use super::outputs::{self, Force, not_stdout};
use super::query_text::{QueryText, description, opening_comment};
use super::{Exit, Failure, fail, query_files};
use crate::output::{Catalogue, Entry, Guard, Kind, Role, Section};
use crate::selftest::{Problem, Sheet, Sheets, sheets};

/// List a folder of queries, or make an index of it
///
/// Goes through all .cql files in the folder and in the folders inside. Of each it shows the sentence with which the comment at the top
/// begins; a page also has the number of self-tests, and a drawing of a position, that of the first self-test that is to match.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  skewer library --find 'knight mate'           which queries of the folder `queries` say so
  skewer library queries -o queries/index.html  a page with drawings
  skewer library queries -o queries/README.md   tables

Exit code: 0 done, 1 nothing with these words, 2 error; a query that is wrong is listed all the same.")]
pub(super) struct Arguments {
    /// The folder
    #[arg(value_name = "FOLDER", default_value = "queries")]
    folder: PathBuf,

    /// Only queries with all of these words in their names or the comments at their tops
    #[arg(long, value_name = "WORDS")]
    find: Option<String>,

    /// What to make [default: markdown for -o FILE.md, html for other files, else a list]
    #[arg(short, long, value_enum)]
    format: Option<Format>,

    /// Where to write, - for standard output; links are relative to this place, else to the folder
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: Force,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Format {
    /// A line for each query: its file, and what it finds
    List,
    /// One page for the browser, with drawings
    Html,
    /// Tables, without drawings
    Markdown,
}

impl Arguments {
    /// Where to write; `None` for standard output.
    fn output(&self) -> Option<&Path> {
        not_stdout(self.output.as_deref())
    }

    /// What to make: as the user says, else as the name of the output file does.
    fn format(&self) -> Format {
        let is_markdown = |path: &Path| path.extension().is_some_and(|extension| extension == "md");
        self.format.unwrap_or(match self.output() {
            Some(path) if is_markdown(path) => Format::Markdown,
            Some(_) => Format::Html,
            None => Format::List,
        })
    }
}

/// Writes the list or the index.
pub(super) fn run(arguments: &Arguments, color: bool) -> Result<Exit, Failure> {
    let folder = &arguments.folder;
    let mut paths = query_files::in_folder(folder)?;
    if let Some(words) = &arguments.find {
        paths = paths_with(words, &paths, folder)?;
        if paths.is_empty() {
            return Ok(Exit::NoMatch);
        }
    }
    let mut guard = Guard::new(arguments.force.force);
    paths.iter().for_each(|path| guard.protect(Role::Query, path));
    let (kind, text, exit) = match arguments.format() {
        Format::List => (Kind::LibraryList, list(&paths)?, Exit::Success),
        format => {
            let kind = match format {
                Format::Markdown => Kind::LibraryTables,
                _ => Kind::LibraryPage,
            };
            let (text, exit) = index(arguments, format, &paths, &mut guard, color);
            (kind, text, exit)
        }
    };
    let destination = outputs::destination(&guard, arguments.output(), kind)?;
    outputs::write(destination, text.as_bytes())?;
    Ok(exit)
}

/// The queries that have all words in their names, those of the folders inside among them, or in the comments at their tops.
fn paths_with(words: &str, paths: &[PathBuf], folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let words = words.to_lowercase();
    let mut found = Vec::new();
    for path in paths {
        let name = slashed(path.strip_prefix(folder).unwrap_or(path)).replace(['-', '_'], " ");
        let comment: Vec<_> = opening_comment(&text_of(path)?).map(str::to_owned).collect();
        let searched = format!("{name} {}", comment.join(" ")).to_lowercase();
        if words.split_whitespace().all(|word| searched.contains(word)) {
            found.push(path.clone());
        }
    }
    Ok(found)
}

/// A line for each query.
fn list(paths: &[PathBuf]) -> Result<String, Failure> {
    let names: Vec<_> = paths.iter().map(|path| path.display().to_string()).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut text = String::new();
    for (path, name) in paths.iter().zip(&names) {
        let line = format!("{name:width$}  {}", description(&text_of(path)?));
        text = text + line.trim_end() + "\n";
    }
    Ok(text)
}

fn text_of(path: &Path) -> Result<String, Failure> {
    let query = QueryText::from_file(path)?;
    Ok(String::from_utf8_lossy(&query.bytes).into_owned())
}

/// An index with what the self-tests show. What is wrong is reported.
fn index(arguments: &Arguments, format: Format, paths: &[PathBuf], guard: &mut Guard, color: bool) -> (String, Exit) {
    let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let Sheets { sheets, read } = sheets(paths, slice::from_ref(&arguments.folder), threads);
    read.iter().for_each(|path| guard.protect(Role::Compared, path));
    let mut exit = Exit::Success;
    for sheet in &sheets {
        if let Some(failure) = failure(sheet, color) {
            exit = fail(&failure);
        }
    }
    let folder = &arguments.folder;
    let start = arguments.output().and_then(Path::parent).unwrap_or(folder);
    let catalogue = catalogue(folder, start, paths, sheets);
    let text = match format {
        Format::Markdown => catalogue.markdown(),
        _ => catalogue.html(),
    };
    (text, exit)
}

fn failure(sheet: &Sheet, color: bool) -> Option<Failure> {
    Some(match sheet.problem.as_ref()? {
        Problem::File(message) => Failure::new(message),
        Problem::Query(error) => Failure::rendered(&error.message, error.render(&sheet.source, color)),
    })
}

/// The index of a folder, with links that begin in the folder `start`.
fn catalogue(folder: &Path, start: &Path, paths: &[PathBuf], sheets: Vec<Sheet>) -> Catalogue {
    let mut sections: Vec<Section> = Vec::new();
    for (path, sheet) in paths.iter().zip(sheets) {
        let parent = path.parent().and_then(|parent| parent.strip_prefix(folder).ok());
        let name = parent.map(slashed).unwrap_or_default();
        let entry = entry(path, start, sheet);
        match sections.iter_mut().find(|section| section.name == name) {
            Some(section) => section.entries.push(entry),
            None => sections.push(Section {
                name,
                entries: vec![entry],
            }),
        }
    }
    sections.sort_by(|a, b| a.name.cmp(&b.name));
    let name = absolute(folder)
        .ok()
        .and_then(|folder| Some(folder.file_name()?.to_string_lossy().into_owned()));
    Catalogue {
        title: name.unwrap_or_else(|| "queries".to_owned()),
        sections,
    }
}

fn entry(path: &Path, start: &Path, sheet: Sheet) -> Entry {
    Entry {
        name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        link: url(&relative(path, start)),
        description: description(sheet.source.text()),
        text: sheet.source.text().to_owned(),
        examples: sheet.examples,
        picture: sheet.picture.map(|picture| (picture.position, picture.highlights)),
    }
}

/// How to come to a path from a folder, with slashes.
fn relative(path: &Path, start: &Path) -> String {
    let here = Path::new(".");
    let start = if start.as_os_str().is_empty() { here } else { start };
    let (Ok(path), Ok(start)) = (absolute(path), absolute(start)) else {
        return slashed(path);
    };
    let common = path
        .components()
        .zip(start.components())
        .take_while(|(a, b)| a == b)
        .count();
    let up = start.components().skip(common).map(|_| Component::ParentDir);
    let down = path.components().skip(common);
    slashed(&up.chain(down).collect::<PathBuf>())
}

fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
}

/// A relative path as a URL: all but letters, digits and some signs by their bytes.
fn url(path: &str) -> String {
    path.bytes().fold(String::new(), |mut url, byte| {
        if byte.is_ascii_alphanumeric() || b"/-_.~".contains(&byte) {
            url.push(char::from(byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(url, "%{byte:02X}");
        }
        url
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_from_the_page_to_the_query() {
        for (path, start, link) in [
            ("queries/mates/a.cql", "queries", "mates/a.cql"),
            ("queries/mates/a.cql", "docs", "../queries/mates/a.cql"),
            ("queries/mates/a.cql", "", "queries/mates/a.cql"),
            ("q/my mates/50%.cql", "q", "my%20mates/50%25.cql"),
        ] {
            assert_eq!(url(&relative(Path::new(path), Path::new(start))), link);
        }
    }
}
