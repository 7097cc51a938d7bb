//! The front end, as `build.rs` has packed it into the program: the files of `web/dist`, if they were there.

use std::io::Read;

use bytes::Bytes;
use flate2::read::GzDecoder;

/// What has to be run before the program is built again, where it has no front end.
pub const BUILD_COMMAND: &str = "npm --prefix web ci && npm --prefix web run build:ui";

/// What browsers ask for first.
const START: &str = "index.html";

/// The files: their paths, types and contents, packed with gzip.
static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/front_end.rs"));

/// A file of the front end.
pub(super) struct File {
    path: &'static str,
    kind: &'static str,
    packed: &'static [u8],
}

impl File {
    /// The file at a path of the front end; its start page at the empty path. A path is compared with those that there are, and never looked for
    /// on a disk.
    pub(super) fn at(path: &str) -> Option<&'static File> {
        File::among(FILES, path)
    }

    fn among(files: &'static [File], path: &str) -> Option<&'static File> {
        let path = if path.is_empty() { START } else { path };
        files.iter().find(|file| file.path == path)
    }

    /// Its type, as browsers have it.
    pub(super) fn kind(&self) -> &'static str {
        self.kind
    }

    /// What is in it, packed with gzip.
    pub(super) fn packed(&self) -> Bytes {
        Bytes::from_static(self.packed)
    }

    /// What is in it.
    pub(super) fn content(&self) -> Bytes {
        let mut content = Vec::new();
        // It was packed when the program was built.
        let _ = GzDecoder::new(self.packed).read_to_end(&mut content);
        content.into()
    }
}

/// Whether the program has the front end.
pub fn is_built_in() -> bool {
    File::at(START).is_some()
}

/// What stands in place of the front end where there is none.
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
