//! The results of self-tests as a report.

use std::fmt::{self, Write};
use std::path::PathBuf;

use serde::Serialize;

use super::expectation::Counts;
use super::failure::Failure;
use crate::output::{Diagram, Drawing};
use crate::syntax::{Diagnostic, Source};
use crate::terminal::in_a_line;

/// The results of all self-tests, in the order of the files.
#[derive(Debug, Default)]
pub struct Report {
    /// The query files.
    pub files: Vec<FileReport>,
    /// The game files that were read.
    pub read: Vec<PathBuf>,
}

/// The results of the self-tests of a query file.
#[derive(Debug)]
pub struct FileReport {
    /// The query.
    pub source: Source,
    /// The problem that kept all of its self-tests from being run.
    pub problem: Option<Problem>,
    /// Its self-tests, in the order of the text.
    pub tests: Vec<Test>,
}

/// A problem with a query file.
#[derive(Debug)]
pub enum Problem {
    /// It cannot be read.
    File(String),
    /// It is not a valid query, or may not be run.
    Query(Diagnostic),
}

/// A self-test.
#[derive(Debug)]
pub struct Test {
    /// The expectation in one line.
    pub title: String,
    /// The line where it begins, from 1.
    pub line: usize,
    /// Its result.
    pub outcome: Outcome,
}

/// The result of a self-test.
#[derive(Debug)]
pub enum Outcome {
    /// It is as expected.
    Passed,
    /// Numbers were recorded that were missing or different before.
    Recorded {
        /// The numbers before.
        before: Option<Counts>,
        /// The numbers now.
        now: Counts,
    },
    /// It failed.
    Failed(Box<Failure>),
    /// It could not be run.
    Error(Box<Diagnostic>),
    /// The query has a problem.
    NotRun,
    /// The query needs endgame tablebases, and there are none.
    Skipped,
}

/// Why a self-test is skipped.
pub(super) const NO_TABLEBASE: &str = "the query needs endgame tablebases, and no folder of them is given";

/// The numbers of results of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tally {
    /// Query files.
    pub queries: usize,
    /// Self-tests.
    pub examples: usize,
    /// Self-tests that passed.
    pub passed: usize,
    /// Self-tests that failed.
    pub failed: usize,
    /// Self-tests that could not be run, and files without self-tests that have a problem.
    pub errors: usize,
    /// Self-tests that were skipped for lack of endgame tablebases.
    pub skipped: usize,
    /// Query files without self-tests.
    pub untested: usize,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let counted = |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
        write!(
            f,
            "{}, {}: {} passed, {} failed, {}",
            counted(self.queries, "query", "queries"),
            counted(self.examples, "example", "examples"),
            self.passed,
            self.failed,
            counted(self.errors, "error", "errors"),
        )?;
        if self.skipped > 0 {
            write!(f, ", {} skipped because there are no tablebases", self.skipped)?;
        }
        match self.untested {
            0 => Ok(()),
            untested => write!(f, ", {} untested", counted(untested, "query", "queries")),
        }
    }
}

impl Report {
    /// Counts the results.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally {
            queries: self.files.len(),
            ..Tally::default()
        };
        for file in &self.files {
            tally.examples += file.tests.len();
            tally.untested += usize::from(file.is_untested());
            let is_told_by_tests = file.tests.iter().any(|test| matches!(test.outcome, Outcome::NotRun));
            tally.errors += usize::from(file.problem.is_some() && !is_told_by_tests);
            for test in &file.tests {
                match test.outcome {
                    Outcome::Passed | Outcome::Recorded { .. } => tally.passed += 1,
                    Outcome::Failed(_) => tally.failed += 1,
                    Outcome::Skipped => tally.skipped += 1,
                    Outcome::Error(_) | Outcome::NotRun => tally.errors += 1,
                }
            }
        }
        tally
    }

    /// Returns the report as text for people, with a paragraph for each failure and error. Unless `quiet`, it also has the queries without
    /// self-tests, the recorded numbers, and the tally.
    pub fn text(&self, drawing: Drawing, quiet: bool) -> String {
        let mut text = String::new();
        for file in &self.files {
            file.write(drawing, quiet, &mut text);
        }
        if !quiet {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{}", self.tally());
        }
        text
    }
}

impl FileReport {
    /// Returns whether the query has no self-tests and no problem.
    pub fn is_untested(&self) -> bool {
        self.tests.is_empty() && self.problem.is_none()
    }

    fn write(&self, drawing: Drawing, quiet: bool, out: &mut String) {
        let name = in_a_line(self.source.name());
        match &self.problem {
            Some(problem) => *out += &format!("{}\n\n", problem.text(&self.source, drawing.color)),
            None if self.tests.is_empty() && !quiet => *out += &format!("{name}: untested\n"),
            None => {}
        }
        let skipped = self
            .tests
            .iter()
            .filter(|test| matches!(test.outcome, Outcome::Skipped))
            .count();
        if skipped > 0 {
            let tests = if skipped == 1 {
                "1 self-test needs"
            } else {
                &*format!("{skipped} self-tests need")
            };
            *out += &format!("{name}: skipped, {tests} endgame tablebases (`--tablebase DIR`)\n");
        }
        for test in &self.tests {
            match &test.outcome {
                Outcome::Skipped | Outcome::Passed | Outcome::NotRun => {}
                Outcome::Recorded { before, now } if !quiet => {
                    let before = before.map_or_else(String::new, |before| format!(", before {before}"));
                    *out += &format!("{name}:{}: recorded {now}{before}\n", test.line);
                }
                Outcome::Recorded { .. } => {}
                Outcome::Failed(failure) => *out += &format!("{}\n", failure.text(&self.source, drawing)),
                Outcome::Error(error) => *out += &format!("{}\n\n", error.render(&self.source, drawing.color)),
            }
        }
    }
}

impl Problem {
    /// Returns the problem as text for people, without a final line end.
    pub(super) fn text(&self, source: &Source, color: bool) -> String {
        match self {
            Problem::File(message) => format!("error: {message}"),
            Problem::Query(diagnostic) => diagnostic.render(source, color),
        }
    }

    /// Returns the problem in one line.
    pub(super) fn message(&self) -> &str {
        match self {
            Problem::File(message) => message,
            Problem::Query(diagnostic) => &diagnostic.message,
        }
    }
}

impl Failure {
    /// Returns the failure as text for people: what failed, the board, and what was found.
    pub(super) fn text(&self, source: &Source, drawing: Drawing) -> String {
        let mut text = self.diagnostic.render_failure(source, drawing.color);
        text.push('\n');
        if let Some(scene) = &self.scene {
            let diagram = Diagram::of_board(&scene.board, scene.marks, drawing);
            text += &format!("\n  {}\n\n", scene.caption);
            for line in diagram.to_string().lines() {
                text += &format!("  {line}\n");
            }
        }
        if let Some(note) = &self.note {
            text += &format!("\n  {note}\n");
        }
        text
    }
}
