//! Checks the comments for skewer, `//? …`.

use std::sync::Arc;
use std::time::Duration;

use crate::eval::Settings;
use crate::limits::{Interrupt, Memory};
use crate::query::Query;
use crate::query::lint::Lint;
use crate::syntax::token::Span;
use crate::syntax::{Diagnostic, Source, annotations, nearest};
use crate::testing::{ExampleProblem, Expectation, expectations, nearest_file, no_such_file, try_examples};

use super::paths::path_of;

/// The time for all examples of a query. `skewer test` runs those that are left.
const LONGEST: Duration = Duration::from_millis(400);

/// The memory that the query may use for them.
const MOST_BYTES: usize = 256 << 20;

/// Returns what is wrong with the examples of a document. They are run with its query, if it has one.
pub(super) fn findings(source: &Source, query: Option<&Query>) -> Vec<ExampleProblem> {
    let interrupt = Arc::new(Interrupt::after(LONGEST));
    let settings = Settings {
        memory: Arc::new(Memory::new(MOST_BYTES)),
        ..Settings::default()
    };
    let trials = try_examples(source, query, &settings, &interrupt);
    let of_files = missing_files(source).into_iter();
    let others = of_files.chain(unknown_lints(source)).map(ExampleProblem::Error);
    trials.into_iter().chain(others).collect()
}

/// Returns errors for files that do not exist, if the query itself is in a file.
fn missing_files(source: &Source) -> Vec<Diagnostic> {
    let Some(query) = path_of(&source.name().to_owned().into()) else {
        return Vec::new();
    };
    let files = expectations(source).into_iter().flatten();
    let files = files.filter_map(Expectation::into_file);
    let missing = files.filter(|file| nearest_file(&query, &file.value).is_none());
    missing.map(|file| no_such_file(&file)).collect()
}

/// Returns errors for names of warnings that do not exist.
fn unknown_lints(source: &Source) -> Vec<Diagnostic> {
    let known = || Lint::ALL.into_iter().map(Lint::name);
    let names = annotations(source).into_iter().filter_map(|annotation| {
        let text = source.slice(annotation);
        Some((annotation, text.strip_prefix("allow ")?))
    });
    let names = names.flat_map(|(annotation, names)| {
        let start = annotation.end as usize - names.len();
        words(names)
            .into_iter()
            .map(move |(at, name)| (Span::new(start + at, start + at + name.len()), name))
    });
    let unknown = names.filter(|(_, name)| known().all(|lint| lint != *name));
    unknown
        .map(|(span, name)| {
            let error = Diagnostic::new(span, format!("no warning is called `{name}`"));
            match nearest(name, known()) {
                Some(close) => error.hint(format!("did you mean `{close}`?")).change(span, close),
                None => error,
            }
        })
        .collect()
}

/// Returns the words of a list separated by spaces or commas, and their offsets.
fn words(list: &str) -> Vec<(usize, &str)> {
    let words = list.split([' ', ',']).filter(|word| !word.is_empty());
    words
        .map(|word| (word.as_ptr() as usize - list.as_ptr() as usize, word))
        .collect()
}
