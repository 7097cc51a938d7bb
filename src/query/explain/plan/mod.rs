//! Puts an explanation into words, as a text for people or as an object.
//!
//! Each part uses only those before it: `quotes`, `words`.

mod quotes;
mod words;

use std::fmt::Write as _;

use serde::Serialize;

use super::explanation::Part;
use super::forms::explain;
use crate::query::Query;
use crate::syntax::Source;
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

/// A part of the query and what happens to it.
#[derive(Serialize, Clone, Debug)]
pub struct ExplainedPart {
    line: usize,
    column: usize,
    text: String,
    cost: f64,
    words: Vec<String>,
    parts: Vec<ExplainedPart>,
}

impl Plan {
    /// Returns the plan of a query with this text.
    pub fn of(query: &Query, source: &Source) -> Plan {
        let (explanation, quotes) = (&explain(query), &Quotes::of(source));
        let parts = |parts: &[Part]| parts.iter().map(|part| ExplainedPart::of(part, quotes)).collect();
        Plan {
            once_per_game: parts(&explanation.once_per_game),
            at_a_glance: words::at_a_glance(&explanation.prefilter, quotes),
            decided_side_by_side: explanation.decided_side_by_side,
            each_position: parts(&explanation.each_position),
            reading: words::reading(&explanation.reading, quotes)
                .into_iter()
                .chain(words::indexed(&query.themes, source.name()))
                .collect(),
            threads: words::threads(&explanation.serial, quotes),
            shared_by_threads: explanation.serial.is_empty(),
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

fn list(title: &str, lines: &[String], text: &mut String) {
    text.push_str(title);
    for line in lines {
        // Writing into a string cannot fail.
        let _ = writeln!(text, "  {line}");
    }
}

impl ExplainedPart {
    fn of(part: &Part, quotes: &Quotes<'_>) -> ExplainedPart {
        let (line, column) = quotes.place(part.span);
        ExplainedPart {
            line,
            column,
            text: quotes.quote(part.span),
            cost: part.cost,
            words: words::part(part, quotes),
            parts: part.parts.iter().map(|part| ExplainedPart::of(part, quotes)).collect(),
        }
    }

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
