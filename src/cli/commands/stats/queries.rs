//! The queries that are counted together.

use std::iter;
use std::path::Path;

use super::arguments::Arguments;
use crate::cli::commands::search::Request;
use crate::cli::failure::{Failure, fail};
use crate::cli::queries::compiled::Query;
use crate::query;
use crate::search::in_parallel;
use crate::stats::Counting;
use crate::syntax::Source;

/// Compiled queries with their names.
pub(super) struct Queries {
    pub(super) queries: Vec<Query>,
    pub(super) names: Vec<String>,
    /// Whether other queries were wrong, which has been reported.
    pub(super) are_incomplete: bool,
}

impl Queries {
    /// Compiles the queries of a request. If there are several, the wrong ones are reported and left out.
    ///
    /// # Errors
    /// Returns an error if none is left.
    pub(super) fn compile(
        arguments: &Arguments,
        counting: &Counting,
        request: &Request,
        color: bool,
    ) -> Result<Queries, Failure> {
        let asked = &arguments.options;
        let language = query::Options {
            columns: columns(counting),
            sides: counting.match_sides(),
            ..asked.beside(request.filters.clone())
        };
        let compiled = in_parallel(&request.queries, asked.threads.count(), |_, query| {
            let query = asked.compile(query, &language, false, color)?;
            match counting.check_measured(query.compiled()) {
                Ok(()) => Ok(query),
                Err(message) => Err(Failure::with_help(message, "group by it: `--by 'name=...'`")),
            }
        });
        let (mut queries, mut named, mut failures) = (Vec::new(), Vec::new(), Vec::new());
        for (query, asked) in iter::zip(compiled, &request.queries) {
            match query {
                Ok(query) => {
                    query.warn(color);
                    let name = match asked.name.as_str() {
                        "" => query.about().title,
                        name => name.to_owned(),
                    };
                    named.push((name, asked.file.as_deref()));
                    queries.push(query);
                }
                Err(failure) => failures.push(failure),
            }
        }
        if queries.is_empty() {
            // A mistake in an option affects all of them.
            let first = failures.into_iter().next();
            return Err(first.unwrap_or_else(|| Failure::new("no query")));
        }
        for failure in &failures {
            fail(failure);
        }
        Ok(Queries {
            queries,
            names: told_apart(&named),
            are_incomplete: !failures.is_empty(),
        })
    }
}

/// Returns the names of queries, or the paths of their files where names are the same.
fn told_apart(named: &[(String, Option<&Path>)]) -> Vec<String> {
    let name = |(name, file): &(String, Option<&Path>)| {
        let is_common = named.iter().filter(|(other, _)| other == name).count() > 1;
        match file.filter(|_| is_common) {
            Some(file) => file.with_extension("").display().to_string(),
            None => name.clone(),
        }
    };
    named.iter().map(name).collect()
}

/// Returns the filters whose values are needed, named after their options.
fn columns(counting: &Counting) -> Vec<Source> {
    let measured = counting.measured();
    let columns = counting.columns().iter().enumerate().map(|(place, filter)| {
        let option = if Some(place) == measured { "<--value>" } else { "<--by>" };
        Source::new(option, filter.as_str())
    });
    columns.collect()
}
