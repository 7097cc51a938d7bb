//! Answers as text for people, without their sentences.

use std::fmt::Write;

use super::answer::{Part, TransformCopy, Value, Why};
use super::funnel::{Counts, FunnelReport, Step};
use super::words::shortened;

/// The length in characters after which the text of a part is cut.
const LONGEST_TEXT: usize = 44;

/// Returns the values of the parts of a query at a position, one a line. Without `all`, leaves out those that do not decide.
pub(crate) fn parts(why: &Why, all: bool) -> String {
    let mut text = String::new();
    let mut lines = Vec::new();
    why.parts
        .iter()
        .for_each(|part| add(part, 0, all || why.matches, &mut lines));
    let width = lines.iter().map(|line| line.width()).max().unwrap_or(0);
    for line in &lines {
        line.write(&mut text, width);
    }
    if !why.whole {
        text += "\nThere was too much to record: this is only a part of it.\n";
    }
    if !why.all_tried {
        text += "\nNot all changes of the query were tried: there are too many.\n";
    }
    text
}

/// A line of the tree.
struct Line {
    verdict: &'static str,
    depth: usize,
    text: String,
    said: String,
}

impl Line {
    fn width(&self) -> usize {
        2 * self.depth + self.text.chars().count()
    }

    fn write(&self, out: &mut String, width: usize) {
        let indented = format!("{}{}", "  ".repeat(self.depth), self.text);
        let line = format!("{:>3}  {indented:width$}  {}", self.verdict, self.said);
        out.push_str(line.trim_end());
        out.push('\n');
    }
}

/// Adds the line of a part, and those of the parts inside it.
fn add(part: &Part, depth: usize, all: bool, lines: &mut Vec<Line>) {
    let verdict = match (part.asked, part.matches) {
        (false, _) => "-",
        (_, Some(true)) => "yes",
        (_, Some(false)) => "no",
        (_, None) => "",
    };
    let text = match &part.copy {
        Some(TransformCopy { number, of, colors }) => match *colors {
            "exchanged" => format!("copy {number} of {of}, colours exchanged"),
            _ => format!("copy {number} of {of}"),
        },
        None => part.text.split_whitespace().collect::<Vec<_>>().join(" "),
    };
    let text = shortened(&text, LONGEST_TEXT);
    let mut said = said(part);
    if let Some(rounds) = &part.rounds {
        let place = rounds
            .shown
            .as_ref()
            .map(|shown| format!("{shown}: "))
            .unwrap_or_default();
        said = format!("{place}{said}");
    }
    lines.push(Line {
        verdict,
        depth,
        text,
        said: said.trim_end_matches(": ").to_owned(),
    });
    // Inner parts of other parts add nothing to their lines.
    if all || part.blamed && has_filters(part) {
        part.parts.iter().for_each(|inside| add(inside, depth + 1, all, lines));
    }
}

/// Returns whether an inner part matches or fails.
fn has_filters(part: &Part) -> bool {
    let mut inside = part.parts.iter();
    inside.any(|inside| inside.matches.is_some() || has_filters(inside))
}

/// Returns the value of a part, or its reason.
fn said(part: &Part) -> String {
    if let Some(sentence) = &part.sentence {
        return sentence.clone();
    }
    match &part.value {
        None | Some(Value::Truth(_)) => String::new(),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::Text(text)) => format!("\"{text}\""),
        Some(Value::Squares(squares)) if squares.len() > 8 => format!("{} squares", squares.len()),
        Some(Value::Squares(squares)) => squares.join(", "),
        Some(Value::Position { last_move, .. }) => last_move.clone().unwrap_or_default(),
    }
}

/// Returns the counts of each filter, one a line.
pub(crate) fn steps(report: &FunnelReport) -> String {
    let count = |counts: Option<Counts>, of: fn(Counts) -> u64| {
        counts.map_or_else(|| "-".to_owned(), |counts| of(counts).to_string())
    };
    let games = |counts: Counts| counts.games;
    let positions = |counts: Counts| counts.positions;
    let mut rows = vec![["games", "positions", "without it", ""].map(str::to_owned)];
    rows.push([
        report.start.games.to_string(),
        report.start.positions.to_string(),
        String::new(),
        "no filter yet".to_owned(),
    ]);
    let row = |step: &Step| {
        let text = step.text.split_whitespace().collect::<Vec<_>>().join(" ");
        [
            count(step.with, games),
            count(step.with, positions),
            count(step.without, games),
            format!("{}{text}", "  ".repeat(step.depth)),
        ]
    };
    rows.extend(report.steps.iter().map(row));
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let (first, second, third) = (width(0), width(1), width(2));
    let mut text = String::new();
    for [games, positions, without, filter] in &rows {
        let line = format!("{games:>first$}  {positions:>second$}  {without:>third$}  {filter}");
        let _ = writeln!(text, "{}", line.trim_end());
    }
    if !report.whole {
        text += "\nNot all filters are listed separately: there are too many.\n";
    }
    text
}
