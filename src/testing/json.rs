//! The report as JSON, for other programs.

use serde::Serialize;
use serde_json::{Value, json};

use super::report::{FileReport, NO_TABLEBASE, Outcome, Problem, Report, Tally, Test};

/// The report.
#[derive(Serialize)]
struct ReportJson {
    #[serde(flatten)]
    tally: Tally,
    /// What is wrong with each query file as a whole, and what came of its self-tests.
    files: Vec<Value>,
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
    fn for_json(&self) -> Value {
        json!({
            "file": self.source.name(),
            "problem": self.problem.as_ref().map(Problem::message),
            "tests": self.tests.iter().map(Test::for_json).collect::<Vec<_>>(),
        })
    }
}

impl Test {
    fn for_json(&self) -> Value {
        let (outcome, message) = match &self.outcome {
            Outcome::Passed => ("passed", None),
            Outcome::Recorded { .. } => ("recorded", None),
            Outcome::Failed(failure) => ("failed", Some(&*failure.diagnostic.message)),
            Outcome::Error(error) => ("error", Some(&*error.message)),
            Outcome::NotRun => ("not-run", None),
            Outcome::Skipped => ("skipped", Some(NO_TABLEBASE)),
        };
        json!({ "line": self.line, "title": self.title, "outcome": outcome, "message": message })
    }
}
