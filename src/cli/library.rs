//! `skewer library`: an index of a folder of queries.

use std::fmt::Write as _;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Component, Path, PathBuf, absolute};
use std::{io, thread};

use super::query_text::description;
use super::search::destination;
use super::{Exit, Failure, fail, many};
use crate::output::{Catalogue, Entry, Section};
use crate::search::Error;
use crate::selftest::{Problem, Sheet, sheets};

/// Make an index of a folder of queries
///
/// Lists all .cql files in the folder and in the folders inside: the sentence with which the comment at the top begins, the number of
/// self-tests, and a drawing of a position, that of the first self-test that is to match.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  skewer library queries -o queries/index.html
  skewer library queries --format markdown -o queries/README.md

Exit code: 0 done, 2 error, also when a query is wrong; the others are listed.")]
pub(super) struct Arguments {
    /// The folder
    #[arg(value_name = "FOLDER", default_value = "queries")]
    folder: PathBuf,

    /// A page for the browser, or tables
    #[arg(short, long, value_enum, default_value_t = Format::Html)]
    format: Format,

    /// Where to write, - for standard output; links are relative to this place, else to the folder
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum Format {
    /// One page for the browser, with drawings
    Html,
    /// Tables, without drawings
    Markdown,
}

/// Writes the index.
pub(super) fn run(arguments: &Arguments, color: bool) -> Result<Exit, Failure> {
    let output = arguments.output.as_deref().filter(|path| path.as_os_str() != "-");
    let folder = &arguments.folder;
    let paths = many::queries_in(folder)?;
    let threads = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let sheets = sheets(&paths, threads);
    let mut exit = Exit::Success;
    for sheet in &sheets {
        if let Some(failure) = failure(sheet, color) {
            exit = fail(&failure);
        }
    }
    let start = output.and_then(Path::parent).unwrap_or(folder);
    let catalogue = catalogue(folder, start, &paths, sheets);
    let text = match arguments.format {
        Format::Html => catalogue.html(),
        Format::Markdown => catalogue.markdown(),
    };
    let mut destination = destination(output)?;
    let written = destination
        .write_all(text.as_bytes())
        .and_then(|()| destination.commit());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::new(Error::Output(error))),
        _ => Ok(exit),
    }
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
