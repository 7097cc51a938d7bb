//! Changes queries when files are renamed: the names of files after `theme`.

use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};

use gen_lsp_types::{FileRename, TextEdit, Uri, WorkspaceEdit};

use super::document::Document;
use super::paths::path_of;
use super::themes;

/// Files and folders with their new names, and the changes so far.
pub(super) struct FileRenames {
    renames: Vec<(PathBuf, PathBuf)>,
    changes: HashMap<Uri, Vec<TextEdit>>,
}

impl FileRenames {
    pub(super) fn new(files: &[FileRename]) -> FileRenames {
        let renames = files
            .iter()
            .filter_map(|file| Some((path_of(&file.old_uri)?, path_of(&file.new_uri)?)));
        FileRenames {
            renames: renames.collect(),
            changes: HashMap::new(),
        }
    }

    /// Adds the changes of a query. A theme that is no longer in the folder of the query or below cannot be named, so its name stays and
    /// gets a diagnostic.
    pub(super) fn visit(&mut self, uri: &Uri, document: &Document) {
        let Some(path) = path_of(uri) else { return };
        let renamed = self.renamed(&path);
        let (Some(folder), Some(new_folder)) = (path.parent(), renamed.parent()) else {
            return;
        };
        let mut edits = Vec::new();
        for name in themes::names(document).filter(|name| themes::is_file(name.text)) {
            let target = self.renamed(&plain(&folder.join(name.text)));
            let Some(new) = target.strip_prefix(new_folder).ok().and_then(written) else {
                continue;
            };
            if plain(Path::new(name.text)) != Path::new(&new) {
                edits.push(TextEdit::new(document.range(name.span), new));
            }
        }
        if !edits.is_empty() {
            self.changes.insert(uri.clone(), edits);
        }
    }

    /// Returns the changes of all queries, if there are any.
    pub(super) fn edit(self) -> Option<WorkspaceEdit> {
        (!self.changes.is_empty()).then(|| WorkspaceEdit {
            changes: Some(self.changes),
            ..WorkspaceEdit::default()
        })
    }

    /// Returns the new path of a file, which may be in a renamed folder.
    fn renamed(&self, path: &Path) -> PathBuf {
        let new = self.renames.iter().find_map(|(old, new)| {
            let rest = path.strip_prefix(old).ok()?;
            // Joining an empty path would add a slash.
            Some(if rest.as_os_str().is_empty() {
                new.clone()
            } else {
                new.join(rest)
            })
        });
        new.unwrap_or_else(|| path.to_owned())
    }
}

/// Returns a path without `.`.
fn plain(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}

/// Returns a path as queries write it, or `None` if a string cannot contain it.
fn written(path: &Path) -> Option<String> {
    let parts = path.iter().map(|part| part.to_str()).collect::<Option<Vec<_>>>()?;
    let name = parts.join("/");
    (themes::is_file(&name) && !name.contains(['"', '\\'])).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::document::Encoding;

    /// Returns the new text of the query at a path after files are renamed.
    fn after(path: &str, text: &str, renames: &[(&str, &str)]) -> String {
        let uri = |path: &str| Uri(format!("file://{path}"));
        let files: Vec<_> = renames
            .iter()
            .map(|(old, new)| FileRename {
                old_uri: uri(old),
                new_uri: uri(new),
            })
            .collect();
        let query = uri(path);
        let document = Document::new(&query.0, text.to_owned(), 1, Encoding::Utf8);
        let mut renames = FileRenames::new(&files);
        renames.visit(&query, &document);
        let changes = renames.edit().and_then(|edit| edit.changes).unwrap_or_default();
        let mut edits: Vec<_> = changes.into_values().flatten().collect();
        edits.sort_by_key(|edit| std::cmp::Reverse(document.offset(edit.range.start)));
        edits.iter().fold(text.to_owned(), |mut text, edit| {
            let span = document.span(edit.range);
            text.replace_range(span.start as usize..span.end as usize, &edit.new_text);
            text
        })
    }

    #[test]
    #[cfg(unix)]
    fn names_of_themes_follow_their_files() {
        let text = r#"cql() theme "a.cql" {theme "in/b.cql" or theme "./a.cql"} theme "smothered-mate" "a.cql""#;
        let expected = |a: &str, b: &str, dotted: &str| {
            text.replacen("a.cql", a, 1)
                .replace("in/b.cql", b)
                .replace("./a.cql", dotted)
        };
        for (renames, new) in [
            (&[("/q/a.cql", "/q/c.cql")][..], expected("c.cql", "in/b.cql", "c.cql")),
            // A folder.
            (&[("/q/in", "/q/out")], expected("a.cql", "out/b.cql", "./a.cql")),
            // The query is renamed too, or moved into a folder from which only one theme can still be named.
            (&[("/q", "/r")], text.to_owned()),
            (&[("/q/q.cql", "/q/in/q.cql")], expected("a.cql", "b.cql", "./a.cql")),
            (&[("/q/a.cql", "/elsewhere/a.cql")], text.to_owned()),
            (&[("/q/x.cql", "/q/y.cql")], text.to_owned()),
        ] {
            assert_eq!(after("/q/q.cql", text, renames), new, "{renames:?}");
        }
    }
}
