//! Finds the files that examples name.

use std::path::{Path, PathBuf, absolute};

use super::text::Text;
use crate::syntax::Diagnostic;

/// Returns the file that an example of a query names. It is in the folder of the query, or in the nearest folder above that has it.
pub fn nearest_file(query: &Path, name: &str) -> Option<PathBuf> {
    if name.is_empty() {
        return None;
    }
    let query = absolute(query).unwrap_or_else(|_| query.to_owned());
    let mut candidates = query.ancestors().skip(1).map(|folder| folder.join(name));
    candidates.find(|path| path.exists())
}

/// Returns the error for a file that does not exist.
pub fn no_such_file(name: &Text) -> Diagnostic {
    Diagnostic::new(name.span, format!("there is no file `{}`", name.value))
        .hint("files are looked for beside the query, then in each folder above it")
}
