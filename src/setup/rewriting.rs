//! Replaces the part of a query that a board can show by another setup.

use crate::query::{Group, Options};
use crate::syntax::format::Spelling;
use crate::syntax::token::Span;
use crate::syntax::{Source, apply};

use super::{Setup, Shown};

impl Shown {
    /// Returns the query with another setup instead of the shown part. Everything else stays, including comments. Returns `None` if there
    /// is no such query.
    ///
    /// `source` and `options` must be the same as for [`Setup::of_query`].
    ///
    /// ```
    /// use skewer::setup::Setup;
    /// use skewer::syntax::{Source, format::Spelling};
    ///
    /// let (query, options) = (Source::new("q.cql", "cql() flipcolor {Kg1 elo > 2500 Pf2}"), Default::default());
    /// let shown = Setup::of_query(&query, &options)?;
    /// let other = Setup::of_query(&Source::new("q.cql", "cql() flipcolor {Kg1 Pf2 Pg3}"), &options)?.setup;
    /// let rewritten = shown.rewrite(&query, &options, &other, Spelling::AsWritten);
    /// assert_eq!(rewritten.as_deref(), Some("cql() flipcolor {Kg1 Pf2 Pg3 elo > 2500}"));
    /// # Ok::<(), skewer::syntax::Diagnostic>(())
    /// ```
    pub fn rewrite(&self, source: &Source, options: &Options, setup: &Setup, spelling: Spelling) -> Option<String> {
        let text = source.text();
        let inside = match self.transformed {
            None => setup.clone(),
            Some(_) => Setup {
                transforms: Vec::new(),
                ..setup.clone()
            },
        };
        let said = inside.query(spelling);
        // The filters in a row, and the same as one filter.
        let mut forms = vec![format!("{{{said}}}")];
        forms.insert(0, said);
        forms.splice(..0, (setup.size() == 0).then(String::new));
        let candidates = forms.into_iter().map(|said| match &*self.filters {
            [] => format!("{}\n{said}\n", text.trim_end()),
            filters => apply(
                text,
                &[words(text, self.transformed, setup), replaced(text, filters, said)].concat(),
            ),
        });
        let read = candidates.filter_map(|candidate| {
            let shown = Setup::of_query(&Source::new(source.name(), candidate.clone()), options).ok()?;
            Some((shown.setup == *setup, candidate))
        });
        let read: Vec<(bool, String)> = read.collect();
        // If nothing is left in the setup, the query may show something else.
        let best = read.iter().find(|(same, _)| *same).or(read.first());
        best.map(|(_, candidate)| candidate.clone())
    }
}

/// Returns the edits that replace these filters by others.
fn replaced(text: &str, filters: &[Span], said: String) -> Vec<(Span, String)> {
    let (first, others) = (filters[0], &filters[1..]);
    let with_blanks = |filter: &Span| {
        let start = text[..filter.start as usize].trim_end_matches(' ').len();
        Span::new(start, filter.end as usize)
    };
    let others = others.iter().map(|filter| (with_blanks(filter), String::new()));
    [(first, said)].into_iter().chain(others).collect()
}

/// Returns the edits that replace the transforms by those of a setup.
fn words(text: &str, transformed: Option<(Span, Span)>, setup: &Setup) -> Vec<(Span, String)> {
    let Some((around, inside)) = transformed else {
        return Vec::new();
    };
    let before = Span {
        end: inside.start,
        ..around
    };
    let after = Span {
        start: inside.end,
        ..around
    };
    let words: String = setup
        .transforms
        .iter()
        .map(|group| format!("{} ", group.word()))
        .collect();
    let is_plain = text[before.range()]
        .split_whitespace()
        .all(|word| Group::named(word).is_some());
    match is_plain {
        true => vec![(before, words)],
        // There are brackets between them, which end after the filter.
        false => vec![(before, words + "{"), (after, "}".to_owned())],
    }
}
