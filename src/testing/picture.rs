//! A position that shows what a query finds.

use std::sync::Arc;

use super::expectation::{Claim, Expectation, Match, expectations};
use super::trial::written_out;
use crate::chess::Position;
use crate::eval::report::{Compiled, Evaluate, Extras, Highlights};
use crate::eval::{Evaluation, Settings};
use crate::game::Game;
use crate::query::Query;
use crate::syntax::Source;

/// A position that a query finds.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The position.
    pub position: Position,
    /// What made the match.
    pub highlights: Highlights,
}

/// Returns the match that an expectation demands, if it does.
pub(super) fn wanted(expectation: &Expectation) -> Option<&Match> {
    match &expectation.claim {
        Claim::Match(claim) if !claim.negated => Some(claim),
        _ => None,
    }
}

impl Picture {
    /// Returns a position of the first example that must match and whose game is written out in the query.
    pub fn of_text(source: &Source, query: &Query) -> Option<Picture> {
        let expectations = expectations(source);
        let mut examples = expectations.iter().flatten().filter_map(wanted);
        examples.find_map(|claim| Picture::of(query, claim, written_out(&claim.example)?.ok()?))
    }

    /// Returns a position in the game of an example: the first one that the example names, or else the first one that the query finds.
    pub(super) fn of(query: &Query, claim: &Match, mut game: Game) -> Option<Picture> {
        if !query.header.variations {
            game.keep_main_line();
        }
        if query.lacks_tablebase().is_some() {
            // What the query finds is not known, but its example can be shown.
            let id = claim.at.as_ref().and_then(|at| Some(at.ids.first()?.0));
            return Some(Picture {
                position: *game.positions.get(id.unwrap_or_default() as usize)?,
                highlights: Highlights::default(),
            });
        }
        let evaluation = Evaluation::new(query, Settings::default());
        let prepared = evaluation.prepare(Some(game.number), &Arc::default()).ok()?;
        let mut evaluator = evaluation.evaluator(&prepared, Extras::HIGHLIGHTS);
        let report = evaluator.evaluate(&game, &|| false).ok()?;
        let named = claim.at.as_ref().and_then(|at| Some(at.ids.first()?.0));
        let id = named.or_else(|| report.positions.first().copied())?;
        let place = report.positions.iter().position(|position| *position == id);
        Some(Picture {
            position: *game.positions.get(id as usize)?,
            highlights: place
                .and_then(|place| report.highlights.get(place).cloned())
                .unwrap_or_default(),
        })
    }
}
