//! What happens to files when something goes wrong: processes are killed, disks are full, files change and vanish.
//!
//! Tests that are not possible here (a separate disk, permissions that take effect) print that they are skipped.
mod disk;
mod inputs;
mod kill;
mod locks;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::signals::{TERMINATED, terminate, wait_until_handled};

const CLASSICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classics.pgn");

/// The number of games in [`CLASSICS`].
const COUNT: usize = 18;

/// Returns the built command in a folder.
fn skewer(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(assert_cmd::cargo::cargo_bin!("skewer"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    skewer(folder, arguments).output().expect("the command runs")
}

/// Returns what a command writes to standard error.
fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns how many games a file has.
fn games(folder: &Path, file: &str) -> usize {
    let output = run(folder, &["search", "-q", "-e", "initial", "-f", "count", file]);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let count = printed.lines().next().and_then(|line| line.strip_prefix("games: "));
    count
        .and_then(|count| count.parse().ok())
        .unwrap_or_else(|| panic!("{file}: {printed}{}", said(&output)))
}

/// Returns the games of the examples, repeated.
fn many_games(times: usize) -> String {
    let games = fs::read_to_string(CLASSICS).expect("the examples are there") + "\n";
    games.repeat(times)
}

/// A temporary folder for the files of one test.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("there is room for temporary files"))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Writes a file as another program would, and returns its path.
    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("files are in a folder")).expect("folders can be made");
        fs::write(&path, content).expect("files can be written");
        path
    }

    /// Makes a named pipe.
    fn pipe(&self, name: &str) -> PathBuf {
        let path = self.path().join(name);
        let made = Command::new("mkfifo").arg(&path).status();
        assert!(made.expect("there is `mkfifo`").success());
        path
    }

    /// Returns all files in the folder and its subfolders, by their relative paths.
    fn files(&self) -> BTreeMap<String, Vec<u8>> {
        let entries = walkdir::WalkDir::new(self.path()).into_iter();
        let files = entries.filter_map(|entry| Some(entry.ok()?.into_path()).filter(|path| path.is_file()));
        let named = files.map(|path| {
            let name = path
                .strip_prefix(self.path())
                .expect("it is inside")
                .display()
                .to_string();
            (name, fs::read(&path).expect("files can be read"))
        });
        named.collect()
    }
}
