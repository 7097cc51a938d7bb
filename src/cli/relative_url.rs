//! Links from pages to files.

use std::path::{Component, Path, PathBuf, absolute};

use percent_encoding::utf8_percent_encode;

use crate::lsp::PLAIN;

/// Returns the relative URL of a path, for a page in the folder `start`.
pub(crate) fn to(path: &Path, start: &Path) -> String {
    utf8_percent_encode(&relative(path, start), PLAIN).to_string()
}

/// Returns a path relative to a folder, with slashes.
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

/// Returns a path with slashes, whatever the system uses.
pub(crate) fn slashed(path: &Path) -> String {
    let parts: Vec<_> = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/")
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
            assert_eq!(to(Path::new(path), Path::new(start)), link);
        }
    }
}
