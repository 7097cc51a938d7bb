//! A recorded case: a query and the answer of the reference engine.

use std::fs;
use std::path::Path;

/// The kind of a case, given on its first line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Games, positions and printed lines are recorded.
    Whole,
    /// The query must be refused.
    Reject,
    /// Positions are not recorded.
    NoPositions,
    /// The annotated PGN is recorded, too.
    Output,
}

/// A query with its recorded answer.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    pub(crate) query: Vec<u8>,
    /// The lines of the recorded answer.
    pub(crate) expected: Vec<String>,
    /// The recorded PGN.
    pub(crate) expected_pgn: Option<Vec<u8>>,
}

impl Case {
    /// Returns the cases of a folder, by name.
    pub(crate) fn all(folder: &Path) -> Vec<Case> {
        let entries = fs::read_dir(folder).expect("the folder of a chapter");
        let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "cql"));
        paths.sort();
        paths.iter().map(|path| Case::read(path)).collect()
    }

    fn read(path: &Path) -> Case {
        let query = fs::read(path).expect("a query");
        let first = String::from_utf8_lossy(query.split(|byte| *byte == b'\n').next().unwrap_or_default()).into_owned();
        let kind = match first.trim_start_matches('\u{feff}').trim() {
            "// reject" => Kind::Reject,
            "// nowrap" => Kind::NoPositions,
            "// pgnout" => Kind::Output,
            _ => Kind::Whole,
        };
        let expected = fs::read(path.with_extension("expected")).expect("a recorded answer");
        let expected = String::from_utf8_lossy(&expected).lines().map(str::to_owned).collect();
        Case {
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            kind,
            query,
            expected,
            expected_pgn: fs::read(path.with_extension("expected.pgn")).ok(),
        }
    }

    /// Returns the recorded lines that begin with a mark, without the mark, and whether lines were left out.
    pub(crate) fn lines(&self, mark: &str) -> (Vec<&str>, bool) {
        let lines: Vec<&str> = self
            .expected
            .iter()
            .filter_map(|line| line.strip_prefix(mark))
            .collect();
        match lines.split_last() {
            Some((&"...", before)) => (before.to_vec(), true),
            _ => (lines, false),
        }
    }

    /// Returns the rest of the recorded line that begins with a word.
    pub(crate) fn value(&self, word: &str) -> Option<&str> {
        self.expected
            .iter()
            .find_map(|line| line.strip_prefix(word))
            .map(str::trim)
    }
}
