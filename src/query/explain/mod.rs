//! Explains queries: when and in which form their parts are evaluated, and why they have no faster form, as a text for people or as an
//! object.
//!
//! Explanations are read from the typed query in its final form. Nothing is decided here.
//!
//! Each part uses only those before it: `quotes`, `conditions`, `parts`.

mod conditions;
mod parts;
mod quotes;

use std::fmt::Write as _;

use serde::Serialize;

use crate::query::Query;
use crate::query::ast::{Cond, CondExpr, Flow};
use crate::syntax::Source;
pub use parts::ExplainedPart;
use parts::Explainer;
use quotes::Quotes;

/// An explanation in words.
#[derive(Serialize, Clone, Debug)]
pub struct Plan {
    once_per_game: Vec<ExplainedPart>,
    at_a_glance: Vec<String>,
    decided_side_by_side: bool,
    each_position: Vec<ExplainedPart>,
    reading: Vec<String>,
    threads: Vec<String>,
    shared_by_threads: bool,
}

impl Plan {
    /// Returns the plan of a query with this text.
    pub fn of(query: &Query, source: &Source) -> Plan {
        let quotes = &Quotes::of(source);
        let explainer = Explainer {
            quotes,
            bindings: &query.bindings,
        };
        let in_body = |filter: &Cond| {
            let mut part = explainer.whole(filter);
            if filter.facts.is_of_game() && !is_declaration(filter) {
                let early = "has the same value at every position of a game: before the other filters it would be asked once per game";
                part.words.push(early.to_owned());
            }
            part
        };
        let selection = query.narrowing.iter().chain(&query.selection);
        let selection = selection.filter(|filter| !is_declaration(filter));
        let reading = conditions::reading(query, quotes).into_iter();
        Plan {
            once_per_game: selection.map(|filter| explainer.whole(filter)).collect(),
            at_a_glance: conditions::at_a_glance(&query.prefilter, quotes),
            decided_side_by_side: query.verdict.is_some(),
            each_position: body(query).map(in_body).collect(),
            reading: reading
                .chain(conditions::indexed(&query.themes, source.name()))
                .collect(),
            threads: threads(query, quotes),
            shared_by_threads: !query.is_serial(),
        }
    }

    /// Returns the plan as a text with lines of any length.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if !self.once_per_game.is_empty() {
            text += "Once per game, before its moves are read:\n";
            self.once_per_game.iter().for_each(|part| part.write(1, &mut text));
        }
        if !self.at_a_glance.is_empty() {
            list(
                "\nAt a glance, skewer keeps only positions with:\n",
                &self.at_a_glance,
                &mut text,
            );
        }
        if !self.each_position.is_empty() {
            text += if self.decided_side_by_side {
                "\nAt sixteen positions at once, which alone decides (one by one where comments or marks are shown):\n"
            } else {
                "\nAt each position, one after the other as long as they match:\n"
            };
            self.each_position.iter().for_each(|part| part.write(1, &mut text));
        }
        list("\nOf each game:\n", &self.reading, &mut text);
        list("\nThreads:\n", &self.threads, &mut text);
        text += "\n~N: estimated cost of one evaluation, in tests of one designator.\n";
        text.trim_start().to_owned()
    }
}

/// Returns the filters of the body, in order. One that holds anywhere is left out if it stands for those that are asked once per game.
fn body(query: &Query) -> impl Iterator<Item = &Cond> {
    let (tests, last): (&[Cond], _) = match &query.body.kind {
        CondExpr::Flow(Flow::Block { tests, value }) => (tests.as_slice(), value),
        _ => (&[], &query.body),
    };
    let is_asked = move |last: &&Cond| query.selection.is_empty() || !is_declaration(last);
    let tests = tests.iter().filter(|filter| !is_declaration(filter));
    tests.chain(Some(last).filter(is_asked))
}

/// Returns whether a filter always matches, as declarations of functions and dictionaries do.
fn is_declaration(filter: &Cond) -> bool {
    matches!(filter.kind, CondExpr::Constant(true))
}

/// Describes whether threads share the games.
fn threads(query: &Query, quotes: &Quotes<'_>) -> Vec<String> {
    if !query.is_serial() {
        return vec!["games are shared among all threads".to_owned()];
    }
    let variables = query.persistent.iter();
    let variables = variables.map(|variable| format!("the variable `{}` lives through the run", variable.name));
    let dictionaries = query.dictionaries.iter().filter(|dictionary| !dictionary.local);
    let dictionaries =
        dictionaries.map(|dictionary| format!("the dictionary `{}` lives through the run", dictionary.name));
    let file = query
        .file_access
        .map(|span| format!("`{}` uses a file", quotes.quote(span)));
    let causes = variables.chain(dictionaries).chain(file);
    causes
        .map(|cause| format!("one game after the other: {cause}"))
        .collect()
}

fn list(title: &str, lines: &[String], text: &mut String) {
    text.push_str(title);
    for line in lines {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "  {line}");
    }
}

impl ExplainedPart {
    fn write(&self, depth: usize, text: &mut String) {
        let indent = "  ".repeat(depth);
        let _ = writeln!(text, "{indent}{}  {}", estimate(self.cost), self.text);
        for line in &self.words {
            let _ = writeln!(text, "{indent}    {line}");
        }
        self.parts.iter().for_each(|part| part.write(depth + 2, text));
    }
}

/// Rounds a cost to two digits, because it is an estimate.
fn estimate(cost: f64) -> String {
    let digits = cost.max(1.0).log10().floor() as i32;
    let step = 10_f64.powi((digits - 1).max(0));
    format!("~{}", (cost / step).round() * step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_estimate_has_two_digits() {
        let shown = [0.0, 1.0, 9.4, 12.0, 99.6, 123.0, 4567.0].map(estimate);
        assert_eq!(shown, ["~0", "~1", "~9", "~12", "~100", "~120", "~4600"]);
    }
}
