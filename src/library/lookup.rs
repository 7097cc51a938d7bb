//! Finds the queries that `theme` names: those of the library, and files in the folder of the query.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::{labelled, named, queries};
use crate::query::{NamedQuery, NotFound, ThemeLookup};
use crate::syntax::{Source, nearest, read_text};

/// The extension of files. Queries of the library are named without one.
const FILE: &str = ".cql";

/// Returns the lookup for a query in a folder. A query without a folder can name only those of the library.
pub fn themes(folder: Option<PathBuf>) -> Option<Arc<dyn ThemeLookup>> {
    Some(Arc::new(Lookup { folder }))
}

#[derive(Debug)]
struct Lookup {
    folder: Option<PathBuf>,
}

impl ThemeLookup for Lookup {
    fn find(&self, name: &str, asking: Option<&str>) -> Result<NamedQuery, NotFound> {
        if name.ends_with(FILE) {
            self.file(name, asking)
        } else {
            self.of_library(name)
        }
    }
}

impl Lookup {
    /// Returns a file in the folder of the query, or in the folder of the file that asks for it.
    fn file(&self, name: &str, asking: Option<&str>) -> Result<NamedQuery, NotFound> {
        let Some(folder) = &self.folder else {
            return Err(because("the query is not in a folder, so there are no files beside it"));
        };
        if asking.is_some_and(|asking| !asking.ends_with(FILE)) {
            return Err(because("a query of the library cannot name files"));
        }
        let is_below = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        if !Path::new(name).components().all(is_below) {
            return Err(because("name a file that is in the folder of the query or below it"));
        }
        let beside = asking
            .and_then(|asking| Path::new(asking).parent())
            .unwrap_or(Path::new(""));
        // A file must have only one name.
        let path: PathBuf = beside
            .join(name)
            .components()
            .filter(|part| *part != Component::CurDir)
            .collect();
        let full = folder.join(&path);
        match read_text(&full) {
            Ok(text) => Ok(NamedQuery {
                name: path.to_string_lossy().into_owned(),
                source: Source::new(full.to_string_lossy(), text),
            }),
            Err(error) => Err(NotFound {
                reason: format!("cannot read {}: {error}", full.display()),
                near: self.instead_of_file(name),
            }),
        }
    }

    /// Returns the query of the library that was probably meant by a file that does not exist.
    fn instead_of_file(&self, name: &str) -> Vec<String> {
        let bare = name.trim_end_matches(FILE);
        named(bare).iter().map(|query| query.name().to_owned()).collect()
    }

    fn of_library(&self, name: &str) -> Result<NamedQuery, NotFound> {
        match named(name).as_slice() {
            [query] => Ok(NamedQuery {
                name: query.name().to_owned(),
                source: Source::new(query.name(), query.text()),
            }),
            [] => Err(NotFound {
                reason: "no query of the library has this name".to_owned(),
                near: self.near(name),
            }),
            several => Err(NotFound {
                reason: format!("{} queries of the library have this name", several.len()),
                near: several.iter().map(|query| query.name().to_owned()).collect(),
            }),
        }
    }

    /// Returns the file of this name, or else the query of the library with the most similar name.
    fn near(&self, name: &str) -> Vec<String> {
        let file = format!("{name}{FILE}");
        if self.folder.as_ref().is_some_and(|folder| folder.join(&file).is_file()) {
            return vec![file];
        }
        let near = near(name).map(str::to_owned);
        let label = || labelled(name).map(|query| query.name().to_owned());
        near.or_else(label).into_iter().collect()
    }
}

/// Returns the query of the library with the most similar name.
pub(crate) fn near(name: &str) -> Option<&'static str> {
    let all: Vec<_> = queries().collect();
    let written = name.replace([' ', '_'], "-").to_lowercase();
    let exact = all.iter().map(|query| query.short_name()).find(|name| *name == written);
    let short = exact.or_else(|| nearest(&written, all.iter().map(|query| query.short_name())));
    short.or_else(|| nearest(&written, all.iter().map(|query| query.name())))
}

fn because(reason: &str) -> NotFound {
    NotFound {
        reason: reason.to_owned(),
        ..NotFound::default()
    }
}
