//! Which games a query is asked about.

use std::num::NonZeroU64;
use std::ops::{Bound, RangeBounds};

use super::error::QueryError;
use crate::chess::Variant;
use crate::query::{self, Header};
use crate::search::Draw;
use crate::syntax::token::Span;
use crate::syntax::{Diagnostic, Source};

/// The results that a game may have.
const RESULTS: [&str; 3] = ["1-0", "0-1", "1/2-1/2"];

/// Limits the games that a query is asked about. The methods correspond to the options of `skewer search` with the same names.
///
/// Each method adds the CQL filter of its name, except that names and other texts match whatever their case. All filters must hold. They are
/// evaluated before the moves of a game are read, and a game that fails one never matches.
///
/// ```
/// use skewer::{Games, Narrowing, Query, QueryOptions};
///
/// let pgn = "[White \"Tal\"]\n[Date \"1960.05.07\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"Tal\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";
/// let mut options = QueryOptions::default();
/// options.narrowing = Narrowing::new().player("Tal").years(1957..=1961).result("0-1");
/// let query = Query::compile_with("mate", &options)?;
/// let numbers: Result<Vec<u64>, _> = query.search(Games::of_bytes("tal.pgn", pgn))?.map(|game| game.map(|game| game.number())).collect();
/// assert_eq!(numbers?, [1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Narrowing {
    /// For each text: the name of the option, the beginning of its filter, and the text.
    texts: Vec<(&'static str, &'static str, String)>,
    results: Vec<String>,
    years: Option<Numbers>,
    ratings: Option<Numbers>,
    games: Option<Numbers>,
    variant: Option<String>,
    first: bool,
    draw: Option<Draw>,
}

/// The first and the last number, if there are such limits.
type Numbers = (Option<i32>, Option<i32>);

impl Narrowing {
    /// Returns a narrowing that leaves out no game.
    pub fn new() -> Narrowing {
        Narrowing::default()
    }

    /// Keeps games of this player. A part of the name is enough.
    #[must_use]
    pub fn player(self, name: impl Into<String>) -> Narrowing {
        self.text("player", "player", name)
    }

    /// Keeps games in which this player has White.
    #[must_use]
    pub fn white(self, name: impl Into<String>) -> Narrowing {
        self.text("white", "player white", name)
    }

    /// Keeps games in which this player has Black.
    #[must_use]
    pub fn black(self, name: impl Into<String>) -> Narrowing {
        self.text("black", "player black", name)
    }

    /// Keeps games of this event. A part of its name is enough.
    #[must_use]
    pub fn event(self, name: impl Into<String>) -> Narrowing {
        self.text("event", "event", name)
    }

    /// Keeps games from this place. A part of its name is enough.
    #[must_use]
    pub fn site(self, name: impl Into<String>) -> Narrowing {
        self.text("site", "site", name)
    }

    /// Keeps games with this opening code. A part of it is enough, such as `B9`.
    #[must_use]
    pub fn eco(self, code: impl Into<String>) -> Narrowing {
        self.text("eco", "eco", code)
    }

    /// Keeps games with this result: `1-0`, `0-1` or `1/2-1/2`.
    #[must_use]
    pub fn result(mut self, result: impl Into<String>) -> Narrowing {
        self.results.push(result.into());
        self
    }

    /// Keeps games of these years. A game without a year is left out.
    #[must_use]
    pub fn years(self, years: impl RangeBounds<i32>) -> Narrowing {
        Narrowing {
            years: Some(ends(&years)),
            ..self
        }
    }

    /// Keeps games in which the higher rating is in this range. A game without ratings is left out.
    #[must_use]
    pub fn elo(self, ratings: impl RangeBounds<i32>) -> Narrowing {
        Narrowing {
            ratings: Some(ends(&ratings)),
            ..self
        }
    }

    /// Keeps games with these numbers, counted through the whole input from 1.
    #[must_use]
    pub fn games(self, numbers: impl RangeBounds<i32>) -> Narrowing {
        Narrowing {
            games: Some(ends(&numbers)),
            ..self
        }
    }

    /// Keeps games of this variant, such as `standard`, `chess960` or `atomic`.
    #[must_use]
    pub fn variant(self, name: impl Into<String>) -> Narrowing {
        Narrowing {
            variant: Some(name.into()),
            ..self
        }
    }

    /// Keeps only the first matching position of each game. A query with `matchcount` cannot be narrowed like this.
    #[must_use]
    pub fn first(self) -> Narrowing {
        Narrowing { first: true, ..self }
    }

    /// Draws `count` games at random from those that all other limits leave. The same seed draws the same games. The input is read twice,
    /// the first time for its tags only, so it cannot be a stream.
    #[must_use]
    pub fn sample(self, count: NonZeroU64, seed: u64) -> Narrowing {
        Narrowing {
            draw: Some(Draw { count, seed }),
            ..self
        }
    }

    fn text(mut self, option: &'static str, filter: &'static str, text: impl Into<String>) -> Narrowing {
        self.texts.push((option, filter, text.into()));
        self
    }

    /// Returns the filters of the narrowing. `name` makes the name of each text from the name of its option.
    pub(crate) fn filters(&self, name: impl Fn(&str) -> String) -> Vec<Source> {
        let quoted = |(option, filter, text): &(&'static str, &str, String)| {
            // After a tag, these characters would make the text a regular expression.
            let filter = if text.contains(['*', '+', '?', '[']) {
                format!("\"{text}\" in {filter}")
            } else {
                format!("{filter} \"{text}\"")
            };
            (*option, filter)
        };
        let texts = self.texts.iter().map(quoted);
        let results = self.results.iter().map(|result| ("result", format!("result {result}")));
        let numbers = [("year", self.years), ("elo", self.ratings)];
        let numbers = numbers
            .into_iter()
            .filter_map(|(option, numbers)| Some((option, within(option, numbers?))));
        texts
            .chain(results)
            .chain(numbers)
            .map(|(option, filter)| Source::new(name(option), filter))
            .collect()
    }

    /// Returns the draw, if only a sample is searched.
    pub(super) fn draw(&self) -> Option<Draw> {
        self.draw
    }

    /// Returns the first and the last number of the games to search.
    pub(crate) fn numbers(&self) -> Option<(i32, i32)> {
        let (first, last) = self.games?;
        Some((first.unwrap_or(1), last.unwrap_or(i32::MAX)))
    }

    /// Checks that the narrowing fits the header of a query.
    ///
    /// # Errors
    /// Returns an error if the header counts positions, and only the first one is looked at.
    pub(super) fn check(&self, header: &Header, source: &Source) -> Result<(), QueryError> {
        if !self.first || header.match_count.is_none() {
            return Ok(());
        }
        let word = "matchcount";
        let at = source.text().find(word).unwrap_or(0);
        let message = "the query counts matching positions, and its narrowing looks at the first one only";
        let error = Diagnostic::new(Span::new(at, at + word.len()), message);
        Err(QueryError::new(source, &query::Options::default(), &error))
    }

    /// Adds the narrowing to the options of the compiler.
    ///
    /// # Errors
    /// Returns an error if a text cannot be written in its filter, or a result or variant is unknown.
    pub(super) fn narrow(&self, options: &mut query::Options) -> Result<(), QueryError> {
        for (option, _, text) in &self.texts {
            if let Some(at) = text.find(['"', '\\', '\n']) {
                return Err(mistake(
                    option,
                    text,
                    at,
                    "quotation marks, backslashes and line breaks cannot be searched for",
                ));
            }
        }
        if let Some(result) = self.results.iter().find(|result| !RESULTS.contains(&&***result)) {
            return Err(mistake(
                "result",
                result,
                0,
                &format!("results are {}", RESULTS.join(", ")),
            ));
        }
        if let Some(name) = &self.variant {
            let Some(variant) = Variant::of_name(name.as_bytes()) else {
                let known = Variant::ALL.map(|variant| variant.to_string()).join(", ");
                return Err(mistake("variant", name, 0, &format!("variants are {known}")));
            };
            options.variant = Some(variant);
        }
        options.header.within_games = self.numbers();
        options.narrowing = self.filters(|option| format!("<{option}>"));
        options.first_of_game = self.first;
        Ok(())
    }
}

/// Returns the ends of a range, both inclusive.
fn ends(range: &impl RangeBounds<i32>) -> Numbers {
    let first = match range.start_bound() {
        Bound::Included(first) => Some(*first),
        Bound::Excluded(before) => Some(before.saturating_add(1)),
        Bound::Unbounded => None,
    };
    let last = match range.end_bound() {
        Bound::Included(last) => Some(*last),
        Bound::Excluded(behind) => Some(behind.saturating_sub(1)),
        Bound::Unbounded => None,
    };
    (first, last)
}

/// Returns a filter that the number is in the range. A range without ends still asks for a number.
fn within(number: &str, (first, last): Numbers) -> String {
    let at_least = first.map(|first| format!("{number}>={first}"));
    let at_most = last.map(|last| format!("{number}<={last}"));
    let filters: Vec<_> = at_least.into_iter().chain(at_most).collect();
    if filters.is_empty() {
        return format!("{number}>=0");
    }
    filters.join(" ")
}

/// Returns an error in the text of an option, at the character at `at`.
fn mistake(option: &str, text: &str, at: usize, message: &str) -> QueryError {
    let source = Source::new(format!("<{option}>"), text);
    let end = text[at..].chars().next().map_or(at, |first| at + first.len_utf8());
    let error = Diagnostic::new(Span::new(at, end), message);
    QueryError::new(&source, &query::Options::default(), &error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_option_is_the_filter_of_its_name() {
        let all = Narrowing::new();
        for (narrowing, expected) in [
            (all.clone().player("Tal"), "player \"Tal\""),
            (all.clone().white("Tal"), "player white \"Tal\""),
            (all.clone().black("Tal"), "player black \"Tal\""),
            (all.clone().event("Cup"), "event \"Cup\""),
            (all.clone().event("Who is best?"), "\"Who is best?\" in event"),
            (all.clone().white("A+B"), "\"A+B\" in player white"),
            (all.clone().site("Riga"), "site \"Riga\""),
            (all.clone().eco("B9"), "eco \"B9\""),
            (all.clone().result("1/2-1/2"), "result 1/2-1/2"),
            (all.clone().years(1990..=1999), "year>=1990 year<=1999"),
            (all.clone().years(1990..1991), "year>=1990 year<=1990"),
            (all.clone().elo(2500..), "elo>=2500"),
            (all.clone().elo(..=2500), "elo<=2500"),
            (all.clone().elo(..), "elo>=0"),
        ] {
            let filters = narrowing.filters(str::to_owned);
            let [filter] = &*filters else { panic!("{filters:?}") };
            assert_eq!(filter.text(), expected);
            let options = query::Options {
                filters_only: true,
                ..query::Options::default()
            };
            query::compile(filter, &options).expect("it is a filter");
        }
        assert_eq!(
            all.clone()
                .player("Tal")
                .player("Botvinnik")
                .filters(str::to_owned)
                .len(),
            2
        );
        assert_eq!(all.clone().games(5..).numbers(), Some((5, i32::MAX)));
        assert_eq!(all.games(..5).numbers(), Some((1, 4)));
    }
}
