//! The queries and functions in the folders that an editor has open.

use std::collections::{HashMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use gen_lsp_types::{BaseSymbolInformation, Location, Range, SymbolInformation, SymbolKind, Uri};

use crate::limits::Instant;
use crate::query::declarations::Kind;
use crate::syntax::read_text;

use super::document::{Document, Encoding};
use super::paths::{path_of, uri_of};

/// Limits for the number of files and folders that are looked at, and for the time.
const MOST_FILES: usize = 5000;
const MOST_FOLDERS: usize = 5000;
const LONGEST: Duration = Duration::from_millis(1500);
/// The size of the largest file that is read. No one writes larger queries.
const LARGEST_FILE: u64 = 1 << 20;
/// The largest number of symbols that are returned.
const MOST_SYMBOLS: usize = 500;

/// The folders, and what is known about their files.
#[derive(Default)]
pub(super) struct Workspace {
    folders: Vec<PathBuf>,
    known: HashMap<PathBuf, (SystemTime, Vec<Symbol>)>,
}

/// Something with a name.
#[derive(Clone)]
struct Symbol {
    name: String,
    kind: SymbolKind,
    range: Range,
}

impl Workspace {
    /// Creates a workspace of folders with these addresses.
    pub(super) fn new(folders: impl Iterator<Item = Uri>) -> Workspace {
        Workspace {
            folders: folders.filter_map(|folder| path_of(&folder)).collect(),
            known: HashMap::new(),
        }
    }

    /// Adds and removes folders.
    pub(super) fn change(&mut self, added: impl Iterator<Item = Uri>, removed: impl Iterator<Item = Uri>) {
        let removed: Vec<PathBuf> = removed.filter_map(|folder| path_of(&folder)).collect();
        self.folders.retain(|folder| !removed.contains(folder));
        self.folders.extend(added.filter_map(|folder| path_of(&folder)));
    }

    /// Returns the queries, and the functions in them, whose names contain the letters of `asked` in this order. Open documents count as
    /// they are in the editor.
    pub(super) fn symbols(
        &mut self,
        asked: &str,
        open: &HashMap<Uri, Document>,
        encoding: Encoding,
    ) -> Vec<SymbolInformation> {
        let mut found = Vec::new();
        let in_editor = open
            .iter()
            .map(|(uri, document)| (uri.clone(), symbols_of(uri, document)));
        let mut files: Vec<(Uri, Vec<Symbol>)> = in_editor.collect();
        for (uri, file) in self.closed_files(open) {
            files.push((uri, self.read(&file, encoding)));
        }
        files.sort_by(|(left, _), (right, _)| left.0.cmp(&right.0));
        for (uri, symbols) in files {
            let container = path_of(&uri).and_then(|path| Some(path.file_stem()?.to_string_lossy().into_owned()));
            let fitting = symbols.into_iter().filter(|symbol| fits(&symbol.name, asked));
            found.extend(fitting.map(|symbol| told(symbol, &uri, container.clone())));
            if found.len() >= MOST_SYMBOLS {
                found.truncate(MOST_SYMBOLS);
                break;
            }
        }
        found
    }

    /// Calls `visit` with each query in the folders, as it is in the editor or in its file.
    pub(super) fn each_query(
        &self,
        open: &HashMap<Uri, Document>,
        encoding: Encoding,
        mut visit: impl FnMut(&Uri, &Document),
    ) {
        open.iter().for_each(|(uri, document)| visit(uri, document));
        for (uri, file) in self.closed_files(open) {
            if let Some(document) = document_of(&uri, &file, encoding) {
                visit(&uri, &document);
            }
        }
    }

    /// Returns the queries in the folders that are not open, until the time is up.
    fn closed_files<'o>(&self, open: &'o HashMap<Uri, Document>) -> impl Iterator<Item = (Uri, PathBuf)> + use<'o> {
        let until = Instant::now() + LONGEST;
        let files = query_files(&self.folders, until).into_iter();
        let files = files.take_while(move |_| Instant::now() <= until);
        files.filter_map(|file| {
            let uri = uri_of(&file).filter(|uri| !is_open(uri, &file, open))?;
            Some((uri, file))
        })
    }

    /// Returns the symbols of a file, which is read only if it has changed.
    fn read(&mut self, file: &Path, encoding: Encoding) -> Vec<Symbol> {
        let Ok(metadata) = fs::metadata(file) else {
            return Vec::new();
        };
        let changed = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        if let Some((known, symbols)) = self.known.get(file)
            && *known == changed
        {
            return symbols.clone();
        }
        let uri = uri_of(file);
        let Some((uri, document)) = uri.and_then(|uri| Some((uri.clone(), document_of(&uri, file, encoding)?))) else {
            return Vec::new();
        };
        let symbols = symbols_of(&uri, &document);
        self.known.insert(file.to_owned(), (changed, symbols.clone()));
        symbols
    }
}

/// Returns the query in a file, unless the file is too large.
fn document_of(uri: &Uri, file: &Path, encoding: Encoding) -> Option<Document> {
    let metadata = fs::metadata(file).ok()?;
    if !metadata.is_file() || metadata.len() > LARGEST_FILE {
        return None;
    }
    let text = String::from_utf8_lossy(&read_text(file).ok()?).into_owned();
    Some(Document::new(&uri.0, text, 0, encoding))
}

/// Returns whether a file is open, however the editor writes its address.
fn is_open(uri: &Uri, file: &Path, open: &HashMap<Uri, Document>) -> bool {
    open.contains_key(uri) || open.keys().any(|known| path_of(known).is_some_and(|path| path == file))
}

fn told(symbol: Symbol, uri: &Uri, container: Option<String>) -> SymbolInformation {
    let container = container.filter(|container| *container != symbol.name);
    SymbolInformation::new(
        None,
        Location {
            uri: uri.clone(),
            range: symbol.range,
        },
        BaseSymbolInformation {
            name: symbol.name,
            kind: symbol.kind,
            tags: None,
            container_name: container,
        },
    )
}

/// Returns the query itself, named after its file, and its functions.
fn symbols_of(uri: &Uri, document: &Document) -> Vec<Symbol> {
    let stem = path_of(uri).and_then(|path| Some(path.file_stem()?.to_string_lossy().into_owned()));
    let query = stem.map(|name| Symbol {
        name,
        kind: SymbolKind::File,
        range: Range::default(),
    });
    let functions = document.names().all().iter();
    let functions = functions.filter(|declaration| declaration.kind == Kind::Function);
    let functions = functions.map(|declaration| Symbol {
        name: declaration.name.clone(),
        kind: SymbolKind::Function,
        range: document.range(declaration.span),
    });
    query.into_iter().chain(functions).collect()
}

/// Returns whether a name contains the letters of `asked` in this order, whatever their case.
fn fits(name: &str, asked: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    let mut asked = asked
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .flat_map(char::to_lowercase);
    asked.all(|wanted| letters.any(|letter| letter == wanted))
}

/// Returns the `.cql` files in folders and their subfolders, those near the top first. Links are left out, and so are hidden folders and
/// folders that programs generate.
fn query_files(folders: &[PathBuf], until: Instant) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut waiting: VecDeque<PathBuf> = folders.iter().cloned().collect();
    let mut visited = 0;
    while let Some(folder) = waiting.pop_front() {
        visited += 1;
        if visited > MOST_FOLDERS || files.len() >= MOST_FILES || Instant::now() > until {
            break;
        }
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let Ok(kind) = entry.file_type() else { continue };
            let path = entry.path();
            let name = entry.file_name();
            let is_left_out = name.to_string_lossy().starts_with('.') || name == "node_modules" || name == "target";
            if kind.is_dir() && !is_left_out {
                waiting.push_back(path);
            } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "cql") {
                files.push(path);
            }
        }
    }
    files.truncate(MOST_FILES);
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_looked_for_in_their_order() {
        assert!(
            fits("smothered-mate", "smate") && fits("Fork", "") && fits("Fork", "fk") && fits("Doppelläufer", "LÄ")
        );
        assert!(!fits("Fork", "kf") && !fits("", "a"));
    }

    #[test]
    fn queries_and_functions_of_the_folders_are_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
            fs::write(path, text).expect("it is written");
        };
        write("forks.cql", "cql() function Fork(x) {x} Fork(R)");
        write("inside/mates.cql", "cql() function { mate");
        write("inside/games.pgn", "function Fork");
        write("node_modules/a.cql", "function Fork() {mate}");
        write(".hidden/a.cql", "function Fork() {mate}");
        let folder_uri = uri_of(folder.path()).expect("an address");
        let mut workspace = Workspace::new([folder_uri.clone()].into_iter());
        let names = |workspace: &mut Workspace, asked: &str, open: &HashMap<Uri, Document>| -> Vec<String> {
            let found = workspace.symbols(asked, open, Encoding::Utf16).into_iter();
            found.map(|symbol| symbol.base_symbol_information.name).collect()
        };
        let nothing = HashMap::new();
        assert_eq!(names(&mut workspace, "", &nothing), ["forks", "Fork", "mates"]);
        assert_eq!(
            names(&mut workspace, "fork", &nothing),
            ["forks", "Fork"],
            "from memory"
        );

        let uri = uri_of(&folder.path().join("forks.cql")).expect("an address");
        let text = "cql() function Pin(x) {x} Pin(R)".to_owned();
        let open = HashMap::from([(uri.clone(), Document::new(&uri.0, text, 1, Encoding::Utf16))]);
        assert_eq!(
            names(&mut workspace, "", &open),
            ["forks", "Pin", "mates"],
            "what is open"
        );

        workspace.change(std::iter::empty(), [folder_uri].into_iter());
        assert_eq!(names(&mut workspace, "", &nothing), [] as [&str; 0]);
    }
}
