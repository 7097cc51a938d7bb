//! What the games of a database must have for a query to match, as far as their columns can tell. It is for readers that skip row groups
//! ([`GroupFilter`]), and for programs that read the columns themselves ([`spark_condition`]).
//!
//! A test may let too many games pass, never too few. Games always pass if they need a warning or their columns do not describe them.
//!
//! Each part uses only those before it: `self`, `row_groups`, `sql`.

mod row_groups;
mod sql;

pub(crate) use row_groups::GroupFilter;
pub(crate) use sql::condition as spark_condition;

use shakmaty::{Color, KnownOutcome};

use crate::query::prefilter::GamePrefilter;
use crate::query::{Comparison, Cond, CondExpr, NumExpr, Query};

/// A test of a game.
#[derive(Clone, PartialEq, Debug)]
enum Test {
    /// All of these.
    All(Vec<Test>),
    /// One of these.
    Either(Vec<Test>),
    /// The game has this result.
    Outcome(KnownOutcome),
    /// The rating of a player compares like this.
    Rating(Color, Comparison, i32),
    /// The better rating is greater, or as great.
    BestRating(Comparison, i32),
    /// The year compares like this.
    Year(Comparison, i32),
    /// The main line passes this prefilter.
    Line(GamePrefilter),
}

impl Test {
    /// Returns what the games of a query must have to be searched, if there is anything.
    fn of_narrowing(query: &Query) -> Option<Test> {
        let all: Vec<Test> = query.narrowing.iter().filter_map(Test::of_condition).collect();
        (!all.is_empty()).then_some(Test::All(all))
    }

    /// Returns what the games of a query must have, if there is anything.
    fn of_query(query: &Query) -> Option<Test> {
        let mut all: Vec<Test> = Test::of_narrowing(query).into_iter().collect();
        // A query that accepts 0 matches can match a game in which nothing does.
        if !query.header.matches(0) {
            all.extend(query.header.results.iter().map(|result| Test::Outcome(*result)));
            all.extend(query.selection.iter().filter_map(Test::of_condition));
            let of_line = [&query.game_prefilter, &query.themes].into_iter();
            all.extend(of_line.filter(|line| !line.is_none()).cloned().map(Test::Line));
        }
        (!all.is_empty()).then_some(Test::All(all))
    }

    /// Returns what follows from a test of a game, if there is anything.
    fn of_condition(test: &Cond) -> Option<Test> {
        match &test.kind {
            CondExpr::And(a, b) => {
                let both: Vec<Test> = [a, b].into_iter().filter_map(Test::of_condition).collect();
                (!both.is_empty()).then_some(Test::All(both))
            }
            CondExpr::Or(a, b) => Some(Test::Either(vec![Test::of_condition(a)?, Test::of_condition(b)?])),
            CondExpr::Result(result) => Some(Test::Outcome(*result)),
            CondExpr::HasNumber(number) => Test::of_number(&number.kind),
            _ => None,
        }
    }

    /// Returns what follows if a number has a value: `elo white > 2700`.
    fn of_number(number: &NumExpr) -> Option<Test> {
        let NumExpr::Compare(comparison, left, right) = number else {
            return None;
        };
        // The value of a comparison is its left side, so comparisons can be chained.
        let of_left = Test::of_number(&left.kind);
        let left = match &left.kind {
            NumExpr::Compare(_, innermost, _) if of_left.is_some() => innermost,
            _ => left,
        };
        let own = match (&left.kind, &right.kind) {
            (left, NumExpr::Literal(right)) => Test::compared(left, *comparison, *right),
            (NumExpr::Literal(left), right) => Test::compared(right, comparison.mirrored(), *left),
            _ => None,
        };
        let all: Vec<Test> = of_left.into_iter().chain(own).collect();
        (!all.is_empty()).then_some(Test::All(all))
    }

    fn compared(number: &NumExpr, comparison: Comparison, limit: i32) -> Option<Test> {
        let is_greater = matches!(comparison, Comparison::Greater | Comparison::GreaterEqual);
        match number {
            NumExpr::Rating(color) => Some(Test::Rating(*color, comparison, limit)),
            NumExpr::BestRating if is_greater => Some(Test::BestRating(comparison, limit)),
            NumExpr::Year => Some(Test::Year(comparison, limit)),
            _ => None,
        }
    }
}
