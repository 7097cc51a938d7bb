//! Positions from the examples of queries, for an index.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use super::expectation::Match;
use super::files::{Library, Reach};
use super::picture::{Picture, wanted};
use super::report::Problem;
use super::runner::{Subject, library, subjects};
use crate::query::{self, Query};
use crate::search::in_parallel;
use crate::syntax::Source;

/// A query file for an index.
#[derive(Debug)]
pub struct Sheet {
    /// The query.
    pub source: Source,
    /// The problem with it, if there is one.
    pub problem: Option<Problem>,
    /// The number of its self-tests.
    pub examples: usize,
    /// A position that it finds. There is none without an example that must match.
    pub picture: Option<Picture>,
}

/// Query files for an index, and the game files that were read for it.
#[derive(Debug)]
pub struct Sheets {
    /// The query files, in order.
    pub sheets: Vec<Sheet>,
    /// The game files.
    pub read: Vec<PathBuf>,
}

/// Reads query files. The picture of each is from the first example that must match: the first position that the example names, or else the
/// first one that the query finds. Only files below the folders of the queries, the working folder and `folders` are read.
pub fn sheets(paths: &[PathBuf], folders: &[PathBuf], threads: NonZeroUsize) -> Sheets {
    let reach = Reach::new(folders);
    let interrupt = Arc::default();
    let subjects = subjects(paths, None, &reach, threads, &query::Options::default(), &interrupt);
    let library = library(&subjects, None, &interrupt);
    let pictures = in_parallel(&subjects, threads, |_, subject| subject.picture(&library));
    let sheets = subjects.into_iter().zip(pictures).map(|(subject, picture)| Sheet {
        examples: subject.expectations.len(),
        source: subject.source,
        problem: subject.query.err(),
        picture,
    });
    Sheets {
        sheets: sheets.collect(),
        read: library.files().cloned().collect(),
    }
}

impl Subject<'_> {
    fn picture(&self, library: &Library) -> Option<Picture> {
        let query = self.query.as_ref().ok()?;
        let mut wanted = self.expectations.iter().flatten().filter_map(wanted);
        self.picture_of(wanted.next()?, query, library)
    }

    fn picture_of(&self, claim: &Match, query: &Query, library: &Library) -> Option<Picture> {
        Picture::of(query, claim, self.game(&claim.example, library).ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    /// Returns the sheet of a query with this text.
    fn sheet(query: &str) -> Sheet {
        let folder = tempfile::tempdir().expect("there is room for temporary files");
        let path = folder.path().join("q.cql");
        std::fs::write(&path, query).expect("it can be written");
        sheets(&[path], &[], NonZeroUsize::MIN).sheets.remove(0)
    }

    /// Returns the `positionid` of the picture.
    fn place(query: &str) -> Option<u32> {
        sheet(query).picture.map(|picture| picture.position.id)
    }

    #[test]
    fn the_first_example_that_is_to_match_is_shown() {
        let query =
            "//? no match pgn \"1. e4\"\n//? match \"4k3/8/8/8/8/8/8/Q3K3 w\"\n//? match pgn \"1. e4\"\ncql() Qa1";
        let sheet = sheet(query);
        assert_eq!(sheet.examples, 3);
        let position = sheet.picture.expect("a picture").position;
        assert_eq!(position.board.piece_at(Square::A1).map(|piece| piece.char()), Some('Q'));
    }

    #[test]
    fn a_named_position_is_shown_and_else_the_first_that_matches() {
        assert_eq!(place("//? match pgn \"1. e4 e5 2. d4\" at 3\ncql() true"), Some(3));
        assert_eq!(place("//? match pgn \"1. e4 e5 2. d4\"\ncql() Pd4"), Some(3));
        assert_eq!(
            place("//? match pgn \"1. e4 (1. d4) 1... e5\"\ncql(variations) Pd4"),
            Some(3)
        );
    }

    #[test]
    fn what_shows_nothing_has_no_picture() {
        assert_eq!(place("cql() true"), None);
        assert_eq!(place("//? no match pgn \"1. e4\"\ncql() Pd4"), None);
        assert_eq!(place("//? match pgn \"1. e4\"\ncql() Pd4"), None, "it does not match");
        assert!(sheet("//? match pgn \"1. e4\"\ncql() mte").problem.is_some());
    }
}
