//! The page with links to the pages of many queries.

use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf, absolute};

use super::request::NamedQuery;
use crate::cli::failure::Failure;
use crate::cli::queries::text::description;
use crate::cli::relative_url;
use crate::cli::search::Found;
use crate::output::{Entry, EntryResult, Picture, QueryIndex, Section, first_match};

/// Its name in the folder of the results.
pub(super) const NAME: &str = "index.html";

/// Returns an index of what each query has found, or why that is not known, with links to the pages in the folder of the results.
pub(super) fn page(
    folder: &Path,
    title: Option<String>,
    queries: &[NamedQuery],
    pages: &[PathBuf],
    outcomes: &[Result<Found, Failure>],
) -> String {
    let entries = queries.iter().zip(pages).zip(outcomes).map(|((query, page), outcome)| {
        let parent = Path::new(&query.name).parent();
        (
            parent.map(relative_url::slashed).unwrap_or_default(),
            entry(query, page, folder, outcome),
        )
    });
    let of_folder = || {
        let place = absolute(folder).ok()?;
        Some(place.file_name()?.to_string_lossy().into_owned())
    };
    let index = QueryIndex {
        title: title.or_else(of_folder).unwrap_or_else(|| "results".to_owned()),
        sections: Section::of_folders(entries),
    };
    index.html()
}

/// Returns a drawing of the first match on a page. There is none for a page without matches, or for something that cannot be read again,
/// such as a device.
fn drawing(page: &Path) -> Option<Picture> {
    let page = fs::File::open(page).ok().filter(|_| page.is_file())?;
    first_match(BufReader::new(page)).ok().flatten()
}

fn entry(query: &NamedQuery, page: &Path, folder: &Path, outcome: &Result<Found, Failure>) -> Entry {
    let text = query.text.as_ref().map(|text| &*text.bytes).unwrap_or_default();
    let text = String::from_utf8_lossy(text).into_owned();
    let name = Path::new(&query.name).file_name().unwrap_or_default();
    Entry {
        name: name.to_string_lossy().into_owned(),
        link: outcome.is_ok().then(|| relative_url::to(page, folder)),
        description: description(&text),
        text,
        yields: match outcome {
            Ok(found) => EntryResult::Found(found.totals),
            Err(failure) => EntryResult::Error(failure.message.clone()),
        },
        picture: outcome.as_ref().ok().and_then(|_| drawing(page)),
    }
}
