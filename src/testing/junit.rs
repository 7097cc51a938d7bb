//! The report as JUnit XML, for CI servers.

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

use super::report::{FileReport, NO_TABLEBASE, Outcome, Problem, Report, Test};
use crate::output::Drawing;

impl Report {
    /// Returns the report as a JUnit document with a suite for each query file and a case for each self-test. A query without self-tests has
    /// one skipped case; one that could not be read has one case with the error.
    ///
    /// # Errors
    /// Returns an error if the document cannot be made, which would be a bug.
    pub fn junit(&self) -> Result<String, quick_junit::SerializeError> {
        let mut report = quick_junit::Report::new("skewer test");
        report.add_test_suites(self.files.iter().map(FileReport::suite));
        report.to_string()
    }
}

impl FileReport {
    fn suite(&self) -> TestSuite {
        let mut suite = TestSuite::new(self.source.name());
        suite.add_test_cases(self.tests.iter().map(|test| self.case(test)));
        if let Some(problem) = self.problem.as_ref().filter(|_| self.tests.is_empty()) {
            suite.add_test_case(self.named("query", self.problem_status(problem)));
        } else if self.is_untested() {
            let mut status = TestCaseStatus::skipped();
            status.set_message("the query has no self-tests");
            suite.add_test_case(self.named("query", status));
        }
        suite
    }

    fn case(&self, test: &Test) -> TestCase {
        let status = match (&test.outcome, &self.problem) {
            (Outcome::Passed | Outcome::Recorded { .. }, _) => TestCaseStatus::success(),
            (Outcome::Failed(failure), _) => {
                let text = failure.text(&self.source, Drawing::default());
                non_success(NonSuccessKind::Failure, &failure.diagnostic.message, &text)
            }
            (Outcome::Error(error), _) => non_success(
                NonSuccessKind::Error,
                &error.message,
                &error.render(&self.source, false),
            ),
            (Outcome::NotRun, Some(problem)) => self.problem_status(problem),
            (Outcome::Skipped, _) => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(NO_TABLEBASE);
                status
            }
            (Outcome::NotRun, None) => TestCaseStatus::skipped(),
        };
        self.named(&format!("line {}: {}", test.line, test.title), status)
    }

    fn problem_status(&self, problem: &Problem) -> TestCaseStatus {
        let text = problem.text(&self.source, false);
        non_success(NonSuccessKind::Error, problem.message(), &text)
    }

    fn named(&self, name: &str, status: TestCaseStatus) -> TestCase {
        let mut case = TestCase::new(name, status);
        case.set_classname(self.source.name());
        case
    }
}

fn non_success(kind: NonSuccessKind, message: &str, text: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_message(message).set_description(text);
    status
}
