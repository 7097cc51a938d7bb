//! The report as JSON, for other programs.

use serde::Serialize;

use super::report::{FileReport, NO_TABLEBASE, Outcome, Report, Tally, Test};

/// The report.
#[derive(Serialize)]
struct ReportJson<'r> {
    #[serde(flatten)]
    tally: Tally,
    files: Vec<FileJson<'r>>,
}

/// A query file.
#[derive(Serialize)]
struct FileJson<'r> {
    file: &'r str,
    /// What is wrong with the file or the query.
    problem: Option<&'r str>,
    tests: Vec<TestJson<'r>>,
}

/// A self-test.
#[derive(Serialize)]
struct TestJson<'r> {
    line: usize,
    title: &'r str,
    outcome: &'static str,
    /// Why it failed or could not be run.
    message: Option<&'r str>,
}

impl Report {
    /// Returns the report as one JSON object, with the tally and the self-tests of each query file.
    ///
    /// # Errors
    /// Returns an error if it cannot be serialized, which would be a bug.
    pub fn json(&self) -> serde_json::Result<String> {
        let report = ReportJson {
            tally: self.tally(),
            files: self.files.iter().map(FileReport::for_json).collect(),
        };
        serde_json::to_string_pretty(&report).map(|text| text + "\n")
    }
}

impl FileReport {
    fn for_json(&self) -> FileJson<'_> {
        FileJson {
            file: self.source.name(),
            problem: self.problem.as_ref().map(|problem| problem.message()),
            tests: self.tests.iter().map(Test::for_json).collect(),
        }
    }
}

impl Test {
    fn for_json(&self) -> TestJson<'_> {
        let (outcome, message) = match &self.outcome {
            Outcome::Passed => ("passed", None),
            Outcome::Recorded { .. } => ("recorded", None),
            Outcome::Failed(failure) => ("failed", Some(&*failure.diagnostic.message)),
            Outcome::Error(error) => ("error", Some(&*error.message)),
            Outcome::NotRun => ("not-run", None),
            Outcome::Skipped => ("skipped", Some(NO_TABLEBASE)),
        };
        TestJson {
            line: self.line,
            title: &self.title,
            outcome,
            message,
        }
    }
}
