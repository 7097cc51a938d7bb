//! Converts addresses of files to paths, and paths to addresses.

use std::path::{Path, PathBuf};

use gen_lsp_types::Uri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

/// The characters that are not escaped in an address.
pub(crate) const PLAIN: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Returns the file that an address names, or `None` if it is not a file or is on another machine.
pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.0.strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    let path = path.split(['?', '#']).next().filter(|path| path.starts_with('/'))?;
    let path = percent_decode_str(path).decode_utf8().ok()?;
    // `/C:/queries` on Windows.
    let drive = path
        .get(1..)
        .filter(|_| cfg!(windows))
        .filter(|rest| rest.get(1..2) == Some(":"));
    Some(PathBuf::from(drive.unwrap_or(&path)))
}

/// Returns the address of a file.
pub(super) fn uri_of(path: &Path) -> Option<Uri> {
    let path = path.to_str()?.replace(std::path::MAIN_SEPARATOR, "/");
    let root = if path.starts_with('/') { "" } else { "/" };
    Some(Uri(format!("file://{root}{}", utf8_percent_encode(&path, PLAIN))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn addresses_and_paths_go_back_and_forth() {
        for path in ["/a/b.cql", "/with blank/é♔%20.cql", "/a#b?c.cql"] {
            let uri = uri_of(Path::new(path)).expect("an address");
            assert_eq!(path_of(&uri), Some(PathBuf::from(path)), "{}", uri.0);
        }
        assert_eq!(
            uri_of(Path::new("/a b")).map(|uri| uri.0),
            Some("file:///a%20b".to_owned())
        );
    }

    #[test]
    fn other_addresses_name_no_file() {
        for uri in [
            "untitled:Untitled-1",
            "file://server/a",
            "file://",
            "https://a/b",
            "",
            "file:///%ff",
        ] {
            assert_eq!(path_of(&Uri::from(uri)), None, "{uri}");
        }
    }
}
