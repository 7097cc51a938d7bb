//! Warnings about queries that are correct but probably not meant, as `skewer check` shows them.
//!
//! A warning is only given if it is certain. If a transform or several calls of a function make several filters from one text, it must be
//! true of all of them.
//!
//! - `names`: variables, functions and parameters that nothing reads;
//! - `deprecated`: forms that have a modern equivalent;
//! - `certain`: conditions that always or never match;
//! - `misread`: filters in a row that look like one filter;
//! - `cost`: filters that may take very long.
//!
//! Each part uses only those before it: `warning`, `certain`, `misread`, `names`, `cost`, `deprecated`.

mod certain;
mod cost;
mod deprecated;
mod misread;
mod names;
mod warning;

use std::mem;

use crate::syntax::token::Span;
use crate::syntax::{Diagnostic, Source, annotations, parse};

pub use warning::{Lint, Warning};

use crate::query::compile::planned;
use crate::query::compiled::Query;
use crate::query::parse::{self, Options};
use warning::warning;

/// Returns the warnings about a query, in the order of its text, without those that it allows by a comment `//? allow NAME`.
///
/// ```
/// use skewer::query::{self, Options, lint::Lint};
/// use skewer::syntax::Source;
///
/// let warnings = |text: &str| query::lint::lint(&Source::new("q.cql", text), &Options::default()).unwrap();
/// let found = warnings("cql() x=1 wtm R & N");
/// assert_eq!(found.iter().map(|warning| warning.lint).collect::<Vec<_>>(), [Lint::UnusedVariable, Lint::AlwaysFalse]);
/// assert_eq!(warnings("cql() //? allow always-false\nwtm R & N"), []);
/// ```
///
/// # Errors
///
/// Returns the same errors as `compile`.
pub fn lint(source: &Source, options: &Options) -> Result<Vec<Warning>, Diagnostic> {
    compile_linted(source, options).map(|(_, warnings)| warnings)
}

/// Compiles a query and returns it with its warnings.
///
/// # Errors
///
/// Returns the same errors as [`compile`](fn@crate::query::compile).
pub(crate) fn compile_linted(source: &Source, options: &Options) -> Result<(Query, Vec<Warning>), Diagnostic> {
    let mut typed = parse::typed(source, options)?;
    let written = typed.body.clone();
    let ambiguous = mem::take(&mut typed.ambiguous);
    let query = planned(typed, options);
    let mut warnings = Vec::new();
    // Filters of options may read names that the query declares.
    if [&options.filters, &options.filters_after, &options.columns]
        .iter()
        .all(|texts| texts.is_empty())
    {
        names::check(source, &mut warnings);
    }
    deprecated::check(source, &mut warnings);
    let tokens = parse(source)?.tokens;
    certain::check(&written, &tokens, &mut warnings);
    misread::check(source, &written, &tokens, options.vocabulary, &mut warnings);
    cost::check(&query.body, &mut warnings);
    warnings.extend(ambiguous.into_iter().map(nested_repetition));
    Ok((query, given(source, warnings)))
}

/// Returns the warnings that are not allowed by comments, in the order of the text.
fn given(source: &Source, mut warnings: Vec<Warning>) -> Vec<Warning> {
    let allowed = allowed(source);
    let end = u32::try_from(source.bytes().len()).unwrap_or(u32::MAX);
    // Options follow the text, so their spans are after its end.
    warnings.retain(|warning| warning.diagnostic.span.end <= end && !allowed.contains(&warning.lint));
    warnings.sort_by_key(|warning| (warning.diagnostic.span, warning.lint));
    warnings.dedup();
    warnings
}

fn nested_repetition(span: Span) -> Warning {
    warning(
        Lint::NestedRepetition,
        Diagnostic::new(span, "a repetition of nothing but a repetition")
            .label("the same moves fit in many ways: twice as many with each move")
            .hint("one of the two is enough")
            .fix("Leave out the second repetition", [(span, "")]),
    )
}

/// Returns the lints that comments allow: `//? allow NAME NAME …`, anywhere in the text.
fn allowed(source: &Source) -> Vec<Lint> {
    let comments = annotations(source).into_iter();
    let names = comments.filter_map(|comment| source.slice(comment).strip_prefix("allow "));
    names
        .flat_map(|names| names.split([' ', ',']))
        .filter_map(|name| Lint::ALL.into_iter().find(|lint| lint.name() == name))
        .collect()
}
