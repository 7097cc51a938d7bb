//! Tests of games as a condition in Spark SQL on the columns of a database, for programs that can skip rows and row groups before decoding
//! anything.
//!
//! Readers of Parquet only compare bounds of columns, and ignore a whole condition if a part of it is anything else. So what follows for bounds
//! comes first, as a condition of its own.

use shakmaty::{Color, KnownOutcome};

use super::Test;
use crate::board::numbers_of;
use crate::database::facts::Events;
use crate::query::prefilter::GamePrefilter;
use crate::query::{Comparison, Query};

/// Returns the condition for queries that are searched together, or `None` if it lets everything pass.
pub(crate) fn condition(queries: &[&Query]) -> Option<String> {
    let variations = match queries.iter().any(|query| query.header.variations) {
        true => " OR variations IS NOT NULL",
        false => "",
    };
    let always = format!("events >= {} OR warnings IS NOT NULL{variations}", Events::UNREADABLE.0);
    let forms = [Form::Bounds, Form::All].into_iter().filter_map(|form| {
        let each: Vec<String> = queries
            .iter()
            .map(|query| form.of(&Test::of_query(query)?))
            .collect::<Option<_>>()?;
        Some(format!("({always} OR {})", join(each, " OR ")?))
    });
    join(forms.collect(), " AND ")
}

/// The parts from which a condition is made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Only bounds of columns.
    Bounds,
    /// Everything that is known.
    All,
}

impl Form {
    fn of(self, test: &Test) -> Option<String> {
        // Greater than all other bits of an ordinary game.
        let other_ratings = Events::OTHER_RATINGS.0;
        match test {
            Test::All(tests) => join(tests.iter().filter_map(|test| self.of(test)).collect(), " AND "),
            Test::Either(tests) => join(tests.iter().map(|test| self.of(test)).collect::<Option<_>>()?, " OR "),
            Test::Outcome(result) => Some(outcome(*result)),
            Test::Rating(color, comparison, limit) => {
                let (column, sign) = (color.fold_wb("WhiteElo", "BlackElo"), sign(*comparison));
                Some(format!("(events >= {other_ratings} OR {column} {sign} {limit})"))
            }
            Test::BestRating(comparison, limit) => {
                let sign = sign(*comparison);
                Some(format!(
                    "(events >= {other_ratings} OR WhiteElo {sign} {limit} OR BlackElo {sign} {limit})"
                ))
            }
            Test::Year(comparison, limit) => (self == Form::All).then(|| {
                let sign = sign(*comparison);
                format!(
                    "(NOT Date RLIKE '^[0-9]{{4}}[.]' OR CAST(substring(Date, 1, 4) AS INT) {sign} {limit} OR (Date IS NULL AND UTCDate IS NOT NULL))"
                )
            }),
            Test::Line(prefilter) => self.of_prefilter(prefilter),
        }
    }

    fn of_prefilter(self, prefilter: &GamePrefilter) -> Option<String> {
        let each =
            |all: &[GamePrefilter]| -> Vec<Option<String>> { all.iter().map(|one| self.of_prefilter(one)).collect() };
        match prefilter {
            GamePrefilter::None
            | GamePrefilter::Stands(..)
            | GamePrefilter::Formation(..)
            | GamePrefilter::Board(_)
            | GamePrefilter::Theme(_) => None,
            GamePrefilter::All(all) => join(each(all).into_iter().flatten().collect(), " AND "),
            GamePrefilter::Either(all) => join(each(all).into_iter().collect::<Option<_>>()?, " OR "),
            GamePrefilter::Event(event) if event.is_of_commands() => {
                let (bit, known) = (Events::of(*event).0, Events::KNOWS_COMMANDS.0);
                (self == Form::All).then(|| format!("((events & {bit}) <> 0 OR (events & {known}) = 0)"))
            }
            GamePrefilter::Event(event) => {
                let bit = Events::of(*event).0;
                Some(match self {
                    Form::Bounds => format!("events >= {bit}"),
                    Form::All => format!("(events & {bit}) <> 0"),
                })
            }
            GamePrefilter::AtLeast(..) | GamePrefilter::AtMost(..) if self == Form::Bounds => None,
            GamePrefilter::AtLeast(pieces, least) => {
                let (known, numbers) = numbers_of(*pieces);
                (known < *least).then(|| sum("men_most", known, &numbers, ">=", *least))
            }
            GamePrefilter::AtMost(pieces, most) => {
                let (known, numbers) = numbers_of(*pieces);
                Some(sum("men_least", known, &numbers, "<=", *most))
            }
            GamePrefilter::Plies(plies) => Some(format!("plies >= {plies}")),
        }
    }
}

/// Joins several conditions into one. Returns `None` if there are none.
fn join(mut all: Vec<String>, operator: &str) -> Option<String> {
    let mut seen = Vec::new();
    all.retain(|one| {
        let is_new = !seen.contains(one);
        seen.push(one.clone());
        is_new
    });
    match all.len() {
        0 => None,
        1 => all.pop(),
        _ => Some(format!("({})", all.join(operator))),
    }
}

fn outcome(result: KnownOutcome) -> String {
    let code = match result {
        KnownOutcome::Decisive { winner: Color::White } => 1,
        KnownOutcome::Decisive { winner: Color::Black } => 2,
        KnownOutcome::Draw => 3,
    };
    format!("outcome = {code}")
}

fn sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "=",
        Comparison::Less => "<",
        Comparison::LessEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterEqual => ">=",
    }
}

/// Returns a comparison of a sum of 4-bit numbers.
fn sum(column: &str, known: u32, numbers: &[usize], sign: &str, limit: u32) -> String {
    let numbers = numbers
        .iter()
        .map(|place| format!(" + (shiftright({column}, {}) & 15)", 4 * place));
    format!("({known}{}) {sign} {limit}", numbers.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{self, Options};
    use crate::syntax::Source;

    fn of(texts: &[&str]) -> Option<String> {
        let queries: Vec<Query> = texts
            .iter()
            .map(|text| query::compile(&Source::new("q.cql", *text), &Options::default()).unwrap())
            .collect();
        condition(&queries.iter().collect::<Vec<_>>())
    }

    /// Returns the text of a condition, preceded by one on bounds if there is one.
    fn passing(bounds: Option<&str>, condition: &str) -> Option<String> {
        let always = |condition: &str| format!("(events >= 262144 OR warnings IS NOT NULL OR {condition})");
        Some(match bounds {
            Some(bounds) if bounds != condition => format!("({} AND {})", always(bounds), always(condition)),
            _ => always(condition),
        })
    }

    #[test]
    fn facts_become_conditions_on_columns() {
        assert_eq!(of(&["cql() mate"]), passing(Some("events >= 2"), "(events & 2) <> 0"));
        let nine = "((0 + (shiftright(men_most, 12) & 15)) >= 9 AND (0 + (shiftright(men_least, 12) & 15)) <= 9)";
        assert_eq!(of(&["cql() R==9"]), passing(None, nine));
        let few = "(1 + (shiftright(men_least, 40) & 15)) <= 2";
        assert_eq!(of(&["cql() A<=2"]), passing(None, few));
        assert_eq!(of(&["cql() ply >= 100"]), passing(None, "plies >= 100"));
        assert_eq!(
            of(&["cql() eval > 300"]),
            passing(None, "((events & 2048) <> 0 OR (events & 16384) = 0)"),
            "older databases do not know it"
        );
        assert_eq!(
            of(&["cql(matchcount 0 2) mate"]),
            None,
            "games without a match are wanted"
        );
    }

    #[test]
    fn tests_of_tags_become_conditions_on_columns() {
        assert_eq!(of(&["cql(result 1-0) true"]), passing(None, "outcome = 1"));
        assert_eq!(
            of(&["cql() elo white > 2700 result 1/2-1/2"]),
            passing(None, "((events >= 131072 OR WhiteElo > 2700) AND outcome = 3)")
        );
        let years = of(&["cql() year >= 1990"]).unwrap();
        assert!(years.contains("CAST(substring(Date, 1, 4) AS INT) >= 1990"), "{years}");
    }

    #[test]
    fn of_several_queries_one_is_enough() {
        assert_eq!(of(&["cql() mate", "cql() true"]), None);
        let both = of(&["cql() mate", "cql(variations) stalemate"]).unwrap();
        assert!(both.contains("OR variations IS NOT NULL OR"), "{both}");
        assert!(both.contains("(events & 2) <> 0 OR (events & 4) <> 0"), "{both}");
    }
}
