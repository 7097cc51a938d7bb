//! The front end: the files of `web/dist`, which `build.rs` packs into the program if they exist.

use std::io::Read;

use bytes::Bytes;
use flate2::read::GzDecoder;

/// The command to run before building the program again, if it has no front end.
pub const BUILD_COMMAND: &str = "npm --prefix web ci && npm --prefix web run build:ui";

/// The file that browsers ask for first.
const START: &str = "index.html";

/// The files, with their paths, types and contents, packed with gzip.
static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/front_end.rs"));

/// A file of the front end.
pub(super) struct File {
    path: &'static str,
    kind: &'static str,
    packed: &'static [u8],
}

impl File {
    /// Returns the file at a path of the front end. The empty path is the start page. The path is only compared with those of the packed
    /// files, never looked up on disk.
    pub(super) fn at(path: &str) -> Option<&'static File> {
        File::among(FILES, path)
    }

    fn among(files: &'static [File], path: &str) -> Option<&'static File> {
        let path = if path.is_empty() { START } else { path };
        files.iter().find(|file| file.path == path)
    }

    /// Returns its MIME type.
    pub(super) fn kind(&self) -> &'static str {
        self.kind
    }

    /// Returns its content, packed with gzip.
    pub(super) fn packed(&self) -> Bytes {
        Bytes::from_static(self.packed)
    }

    /// Returns its content.
    pub(super) fn content(&self) -> Bytes {
        let mut content = Vec::new();
        // It was packed when the program was built.
        let _ = GzDecoder::new(self.packed).read_to_end(&mut content);
        content.into()
    }
}

/// Returns whether the program has the front end.
pub fn is_built_in() -> bool {
    File::at(START).is_some()
}

/// Returns a page to show if there is no front end.
pub(super) fn missing() -> String {
    let command = BUILD_COMMAND.replace('&', "&amp;");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>skewer</title>\n<h1>skewer</h1>\n\
         <p>This skewer was built without its pages. In the folder of its source code, run</p>\n<pre>{command}</pre>\n\
         <p>and build skewer again.</p>\n<p>Programs can ask it all the same: see docs/serve.md.</p>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_files_and_nothing_else() {
        static FILES: &[File] = &[
            File {
                path: "assets/a.js",
                kind: "text/javascript; charset=utf-8",
                packed: b"",
            },
            File {
                path: "index.html",
                kind: "text/html; charset=utf-8",
                packed: b"",
            },
        ];
        let found = |path: &str| File::among(FILES, path).map(|file| file.path);
        assert_eq!(found(""), Some("index.html"));
        assert_eq!(found("index.html"), Some("index.html"));
        assert_eq!(found("assets/a.js"), Some("assets/a.js"));
        for path in [
            "assets",
            "assets/",
            "/index.html",
            "./index.html",
            "assets/../index.html",
            "Index.html",
            "index.html/",
        ] {
            assert_eq!(found(path), None, "{path}");
        }
    }

    #[test]
    fn what_was_packed_is_unpacked() {
        for file in FILES {
            assert!(!file.content().is_empty(), "{}", file.path);
            assert!(file.kind.contains('/'), "{}: {}", file.path, file.kind);
        }
        let has_playground = FILES.iter().any(|file| file.path.starts_with("playground"));
        assert!(!has_playground, "the playground is a site of its own");
    }
}
