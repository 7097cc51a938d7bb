//! `search`: returns what a query finds, as counts and lines.

use std::cmp::Ordering;
use std::fmt::Write;
use std::ops::ControlFlow;

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::Call;
use super::super::text::LONGEST;
use super::context::ToolContext;
use super::progress::ProgressListener;
use super::tool::Question;
use crate::game::Warning;
use crate::limits::{Cause, Interrupt};
use crate::output::ColumnValue;
use crate::service::{Error, Named, SearchOptions, refused};
use crate::{Color, FoundGame, Match, Progress, Query, Sink, SortKey, SortKeyValue, Totals};

/// The default number of positions to list.
const USUAL: usize = 20;

/// The largest number of positions to list.
const MOST: usize = 200;

/// The largest number of warnings to report, and of lines that the query prints.
const MOST_LINES: usize = 10;

/// A search.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Search {
    /// A query in CQL: filters such as `mate N attacks k`, or a theme: `theme "smothered-mate"`.
    query: String,
    /// Which inputs, by the numbers or names that `inputs` lists; all of them unless it is given.
    #[serde(default)]
    inputs: Option<Vec<Named>>,
    /// How many positions are listed, at most 200; 20 unless it is given. Counted are all.
    #[serde(default)]
    limit: Option<usize>,
    /// How it is searched for.
    #[serde(default)]
    options: SearchOptions,
}

impl Question for Search {
    const NAME: &'static str = "search";
    const TITLE: &'static str = "Search games";
    const PURPOSE: &'static str = "Searches games for positions that match a query: how many games and positions match, then the first of them, a line \
                                   each. To count alone, let `limit` be 0. `options` narrows it to players, years, ratings and more.";

    fn answer(self, context: &ToolContext, call: &Call) -> Result<String, Error> {
        let text = self.query;
        let query = self.options.compile(&text)?;
        let games = context.inputs.games(self.inputs.as_deref())?;
        let (mut options, interrupt) = self.options.of_search(&context.limits)?;
        options.comments = false;
        options.squares = false;
        options.remarks = true;
        options.tags = Some(["White", "Black", "Date"].map(str::to_owned).into());
        call.begin(&interrupt);
        let mut found = Found {
            keys: query.sort_keys().collect(),
            most: self.limit.unwrap_or(USUAL).min(MOST),
            games: Vec::new(),
            positions: 0,
            matched: 0,
            warnings: Vec::new(),
            warning_count: 0,
            messages: Vec::new(),
            listener: ProgressListener::new(call, &games),
        };
        let totals = query.run(games, &options, &mut found);
        let totals = totals.map_err(|error| refused(&text, &error))?;
        let is_full = options.limit.is_some_and(|limit| totals.matches >= limit);
        Ok(found.text(&query, &totals, end(&interrupt, is_full && found.keys.is_empty())))
    }
}

/// Returns why a search has ended, in words.
fn end(interrupt: &Interrupt, is_full: bool) -> &'static str {
    match interrupt.cause().filter(|_| interrupt.was_acknowledged()) {
        Some(Cause::Deadline) => {
            "Its time was up before all games were looked at: narrow it, or look at a sample of the games."
        }
        Some(Cause::Raised) => "It was stopped before all games were looked at.",
        None if is_full => "It ended at the number of games that `options.limit` gives.",
        None => "All games were looked at.",
    }
}

/// The results of a search.
struct Found<'c> {
    /// The sort keys of the query.
    keys: Vec<SortKey>,
    /// The number of positions to list.
    most: usize,
    /// The games to list: the first ones, or the best.
    games: Vec<FoundGame>,
    /// The number of positions in these games.
    positions: usize,
    matched: u64,
    warnings: Vec<Warning>,
    warning_count: usize,
    messages: Vec<String>,
    listener: ProgressListener<'c>,
}

impl Sink for Found<'_> {
    fn game(&mut self, game: FoundGame) -> ControlFlow<()> {
        self.matched += 1;
        if !self.keys.is_empty() {
            let place = self.games.partition_point(|other| self.order(other, &game).is_le());
            if place < self.most {
                self.games.insert(place, game);
                self.games.truncate(self.most);
            }
        } else if self.positions < self.most {
            self.positions += game.matches().len();
            self.games.push(game);
        }
        ControlFlow::Continue(())
    }

    fn warning(&mut self, warning: &Warning) {
        self.warning_count += 1;
        if self.warnings.len() < MOST_LINES {
            self.warnings.push(warning.clone());
        }
    }

    fn message(&mut self, lines: &[u8]) {
        let text = String::from_utf8_lossy(lines);
        let room = MOST_LINES.saturating_sub(self.messages.len());
        self.messages.extend(text.lines().take(room).map(str::to_owned));
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.listener.tell(progress.games, self.matched, progress.bytes);
        ControlFlow::Continue(())
    }
}

impl Found<'_> {
    /// Compares two games by the sort keys of the query.
    fn order(&self, a: &FoundGame, b: &FoundGame) -> Ordering {
        let values = a.sort_keys().zip(b.sort_keys()).zip(&self.keys);
        let orders = values.map(|(((_, a), (_, b)), key)| key.order(a.as_ref(), b.as_ref()));
        orders.fold(Ordering::Equal, Ordering::then)
    }

    /// Returns the results as text.
    fn text(&self, query: &Query, totals: &Totals, end: &str) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = self.write(&mut text, query, totals, end);
        text
    }

    fn write(&self, out: &mut String, query: &Query, totals: &Totals, end: &str) -> std::fmt::Result {
        writeln!(
            out,
            "Games searched: {}. Games that match: {}. Positions that match: {}. {end}",
            totals.games, totals.matches, totals.positions
        )?;
        if totals.matches == 0 {
            writeln!(out, "Nothing matches. `why` says which filter leaves nothing.")?;
        }
        self.write_list(out, query, totals)?;
        for line in &self.messages {
            writeln!(out, "the query says: {line}")?;
        }
        for warning in &self.warnings {
            let Warning {
                source, line, message, ..
            } = warning;
            writeln!(out, "warning: {source}, line {line}: {message}")?;
        }
        match self.warning_count.saturating_sub(self.warnings.len()) {
            0 => Ok(()),
            more => writeln!(out, "and {more} more warnings"),
        }
    }

    fn write_list(&self, out: &mut String, query: &Query, totals: &Totals) -> std::fmt::Result {
        let positions = self
            .games
            .iter()
            .flat_map(|game| game.matches().iter().map(move |found| (game, found)));
        let mut listed = 0;
        for (game, found) in positions.take(self.most) {
            let line = line(query, game, found);
            // The head, the messages and the warnings need little space.
            if out.len() + line.len() > LONGEST * 3 / 4 {
                break;
            }
            if listed == 0 {
                writeln!(
                    out,
                    "\ngame:position | White - Black | year | result | move that led there | FEN"
                )?;
            }
            writeln!(out, "{line}")?;
            listed += 1;
        }
        if listed > 0 && listed < totals.positions {
            writeln!(
                out,
                "({listed} of {} positions listed{})",
                totals.positions,
                if self.keys.is_empty() { "" } else { ": the best" }
            )?;
        }
        Ok(())
    }
}

/// Returns a position as one line.
fn line(query: &Query, game: &FoundGame, found: &Match) -> String {
    let tag = |name| game.tag(name).filter(|value| !value.is_empty()).unwrap_or("?");
    let year = match game.date().year {
        0 => "?".to_owned(),
        year => year.to_string(),
    };
    let last_move = match (found.last_move_san(), found.side_to_move()) {
        (None, _) => "start".to_owned(),
        (Some(san), Color::Black) => format!("{}.{san}", found.move_number()),
        (Some(san), Color::White) => format!("{}...{san}", found.move_number().saturating_sub(1)),
    };
    let mut line = format!(
        "{}:{} | {} - {} | {year} | {} | {last_move} | {}",
        game.number(),
        found.position_id(),
        tag("White"),
        tag("Black"),
        tag("Result"),
        found.fen()
    );
    let columns = query.columns().zip(found.values());
    let columns = columns.map(|((name, _), value)| match value {
        None => format!("{name}: -"),
        Some(ColumnValue::Number(number)) => format!("{name}: {number}"),
        Some(ColumnValue::Text(text)) => format!("{name}: {text}"),
        Some(ColumnValue::Truth(truth)) => format!("{name}: {truth}"),
    });
    let keys = game.sort_keys().map(|(title, value)| match value {
        None => format!("{title}: -"),
        Some(SortKeyValue::Number(number)) => format!("{title}: {number}"),
        Some(SortKeyValue::Text(text)) => format!("{title}: {text}"),
    });
    for more in keys.chain(columns).chain(found.remarks().iter().cloned()) {
        line.push_str(" | ");
        line.push_str(&more);
    }
    // Names and remarks may contain line ends.
    line.replace(['\n', '\r'], " ")
}
