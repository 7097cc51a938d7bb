//! The diagnostics of a document.

use gen_lsp_types::{
    Code, Diagnostic as Shown, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location, Message, Uri,
};

use crate::query::lint::{Lint, Warning};
use crate::syntax::Diagnostic;
use crate::syntax::token::Span;
use crate::testing::ExampleProblem;

use super::document::{Document, Problem};

/// The name of the program as the source of diagnostics.
pub(super) const SOURCE: &str = "skewer";

/// The code of errors. Warnings have their names.
const ERROR: &str = "error";
/// The code of examples that fail.
const EXAMPLE: &str = "example";

/// Returns the errors of a document, or its warnings, in the order of the text.
pub(super) fn diagnostics(document: &mut Document, uri: &Uri) -> Vec<Shown> {
    document.examine();
    let problems = document.problems().iter();
    let mut shown: Vec<Shown> = problems.map(|problem| shown(document, uri, problem)).collect();
    shown.sort_by_key(|shown| shown.range);
    shown
}

/// Returns a problem as an editor shows it.
pub(super) fn shown(document: &Document, uri: &Uri, problem: &Problem) -> Shown {
    let diagnostic = problem.diagnostic();
    let (severity, code) = kind(problem);
    let tag = match problem {
        Problem::Warning(warning) => tag(warning.lint),
        Problem::Error(_) | Problem::Example(_) => None,
    };
    let related = diagnostic
        .related
        .iter()
        .map(|(span, label)| DiagnosticRelatedInformation {
            location: Location {
                uri: uri.clone(),
                range: document.range(*span),
            },
            message: label.clone(),
        });
    let related: Vec<_> = related.collect();
    Shown {
        range: document.range(place(document.text(), diagnostic)),
        severity: Some(severity),
        code: Some(Code::from(code)),
        source: Some(SOURCE.to_owned()),
        message: Message::String(message(diagnostic)),
        tags: tag.map(|tag| vec![tag]),
        related_information: (!related.is_empty()).then_some(related),
        ..Shown::default()
    }
}

/// Returns the severity and the code of a problem.
pub(crate) fn kind(problem: &Problem) -> (DiagnosticSeverity, &'static str) {
    match problem {
        Problem::Error(_) => (DiagnosticSeverity::Error, ERROR),
        Problem::Example(ExampleProblem::Error(_)) => (DiagnosticSeverity::Error, EXAMPLE),
        Problem::Example(ExampleProblem::Failure(_)) => (DiagnosticSeverity::Warning, EXAMPLE),
        Problem::Warning(Warning { lint, .. }) => (DiagnosticSeverity::Warning, lint.name()),
    }
}

/// Returns how editors show certain warnings: unused parts are faint, deprecated ones struck out.
fn tag(lint: Lint) -> Option<DiagnosticTag> {
    match lint {
        Lint::UnusedVariable | Lint::UnusedFunction | Lint::UnusedParameter => Some(DiagnosticTag::Unnecessary),
        Lint::Deprecated => Some(DiagnosticTag::Deprecated),
        _ => None,
    }
}

/// Returns the message, the label below the text in a terminal, and the advice, each on a line of its own.
fn message(error: &Diagnostic) -> String {
    let mut message = error.message.clone();
    if !error.label.is_empty() {
        message = format!("{message}\n{}", error.label);
    }
    for hint in &error.hints {
        message = format!("{message}\nhelp: {hint}");
    }
    message
}

/// Returns the place to underline. An error at the end of the text is shown on the last character, as an empty place cannot be underlined.
pub(crate) fn place(text: &str, diagnostic: &Diagnostic) -> Span {
    let span = diagnostic.span;
    if span.start < span.end {
        return span;
    }
    let before = text.get(..span.start as usize).unwrap_or_default().trim_end();
    let last = before.chars().next_back().map_or(0, char::len_utf8);
    Span::new(before.len() - last, before.len().max(last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::document::Encoding;

    fn of(text: &str) -> Vec<Shown> {
        let mut document = Document::new("q.cql", text.to_owned(), 1, Encoding::Utf16);
        diagnostics(&mut document, &Uri::from("file:///q.cql"))
    }

    #[test]
    fn an_error_has_range_message_and_related_places() {
        let found = of("cql() x=5\n♖ x=R");
        let [error] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((error.range.start.line, error.range.start.character), (1, 4));
        assert_eq!(error.range.end.character, 5);
        assert_eq!(error.severity, Some(DiagnosticSeverity::Error));
        let Message::String(message) = &error.message else {
            panic!("{error:?}")
        };
        assert_eq!(message, "a set cannot be assigned to `x`\nthis is a set");
        let related = error.related_information.as_ref().expect("the assignment is shown");
        assert_eq!(related[0].location.range.start.line, 1);
    }

    #[test]
    fn warnings_have_their_names() {
        let found = of("cql() mate\nx=5");
        let [warning] = found.as_slice() else {
            panic!("{found:?}")
        };
        assert_eq!(warning.severity, Some(DiagnosticSeverity::Warning));
        assert_eq!(warning.code, Some(Code::from("unused-variable")));
        assert_eq!(warning.tags, Some(vec![DiagnosticTag::Unnecessary]));
        assert_eq!(warning.range.start.line, 1);
        assert!(of("cql() //? allow unused-variable\nmate x=5").is_empty());
    }

    #[test]
    fn examples_are_tried() {
        let found = of("//? match \"4k3/8/8/8/8/8/8/4K3 w\"\n//? mach\n//? allow unused-varable\ncql() mate");
        let told: Vec<_> = found
            .iter()
            .map(|found| (found.range.start.line, found.severity))
            .collect();
        let (warning, error) = (Some(DiagnosticSeverity::Warning), Some(DiagnosticSeverity::Error));
        assert_eq!(told, [(0, warning), (1, error), (2, error)], "{found:#?}");
        assert!(found.iter().all(|found| found.code == Some(Code::from("example"))));
        assert!(of("//? match pgn \"1. f3 e5 2. g4 Qh4#\" at exactly 4\ncql() mate").is_empty());
    }

    #[test]
    fn everything_that_is_no_token_is_an_error() {
        assert_eq!(of("cql() ∈ R € {K").len(), 3);
        assert_eq!(of("cql() R {K").len(), 1);
        assert_eq!(of("cql() R").len(), 0);
    }

    #[test]
    fn an_error_at_the_end_is_on_the_last_character() {
        let found = of("cql() R attacks  \n");
        assert_eq!((found[0].range.start.line, found[0].range.start.character), (0, 14));
        assert_eq!(found[0].range.end.character, 15);
        assert_eq!(of("").len(), 1);
        assert_eq!(of("\n").len(), 1);
    }
}
