//! Tests of the built command, as a user runs it.

mod board;
mod check;
mod columns;
mod completions;
mod databases;
mod explain;
mod external;
mod files;
mod fmt;
mod formats;
mod handout;
mod help;
mod html;
mod inputs;
mod interrupt;
mod legacy;
mod library;
mod lsp;
mod many;
#[cfg(not(feature = "mcp"))]
mod mcp;
mod merging;
#[cfg(unix)]
mod mistakes;
mod narrowing;
mod output;
mod packed;
mod positions;
mod programs;
#[cfg(unix)]
mod quick_fixes;
mod screen;
mod search;
mod shapes;
mod sheet;
mod stats;
mod svg;
mod tablebases;
mod test;
mod themes;
mod unique;
mod why;

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use tempfile::TempDir;

/// Eighteen famous games. Eight end in mate, and no other position is a mate.
const CLASSICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classics.pgn");

/// The matching positions of `mate` in [`CLASSICS`].
const MATES: &str = "1:13\n2:45\n3:47\n5:33\n9:21\n11:35\n16:11\n17:82\n";

/// Returns the command, in an environment that does not depend on who runs the tests.
fn skewer() -> Command {
    let mut command = Command::cargo_bin("skewer").expect("the command is built");
    command.env_remove("NO_COLOR").env_remove("TERM");
    command.env_remove("CLICOLOR").env_remove("CLICOLOR_FORCE");
    command.env_remove("SKEWER_TABLEBASE");
    command
}

/// Returns the command `skewer search` with arguments.
fn search(arguments: &[&str]) -> Command {
    let mut command = skewer();
    command.arg("search").args(arguments);
    command
}

/// Returns what a command prints to standard output.
fn stdout(command: &mut Command) -> String {
    let output = command.output().expect("the command runs");
    String::from_utf8(output.stdout).expect("the output is UTF-8")
}

/// A temporary folder for the files of one test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(TempDir::new().expect("there is room for temporary files"))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file and returns its path.
    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("files are in a folder")).expect("folders can be made");
        std::fs::write(&path, content).expect("files can be written");
        path
    }

    /// Returns the names in the folder, sorted.
    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.path()).expect("the folder exists");
        let mut names: Vec<_> = entries
            .map(|entry| {
                entry
                    .expect("the folder is readable")
                    .file_name()
                    .to_string_lossy()
                    .into_owned()
            })
            .collect();
        names.sort();
        names
    }
}

/// Returns a path as an argument.
fn text(path: &Path) -> &str {
    path.to_str().expect("paths of tests are UTF-8")
}
