//! Runs examples that are written out and need no file.

use std::sync::Arc;

use super::example::{self, WordKind};
use super::expectation::{Claim, Example, Expectation, Match, expectations};
use super::failure::{Failure, MarkedBoard};
use super::judge::{Case, missing_position, scene};
use super::text::Text;
use crate::eval::Settings;
use crate::game::Game;
use crate::limits::Interrupt;
use crate::query::Query;
use crate::search::{Error, search_game};
use crate::syntax::token::Span;
use crate::syntax::{Diagnostic, Source};

/// What is wrong with an example.
#[derive(Debug)]
pub enum ExampleProblem {
    /// It cannot be read or run.
    Error(Diagnostic),
    /// It fails.
    Failure(Diagnostic),
}

/// Returns what is wrong with the examples of a text. All examples are parsed. With a query, positions and games that are written out are
/// searched until the interrupt is raised. The query reads and writes no files.
pub fn try_examples(
    source: &Source,
    query: Option<&Query>,
    settings: &Settings,
    interrupt: &Arc<Interrupt>,
) -> Vec<ExampleProblem> {
    let runs =
        |query: &&Query| query.file_access.is_none() && query.similar.is_none() && query.lacks_tablebase().is_none();
    let query = query.filter(runs);
    let trials = expectations(source)
        .into_iter()
        .filter_map(|expectation| match expectation {
            Ok(expectation) => tried(query, &expectation, settings, interrupt),
            Err(error) => Some(ExampleProblem::Error(error)),
        });
    trials.collect()
}

/// Returns what is wrong with an example, as far as that is known.
fn tried(
    query: Option<&Query>,
    expectation: &Expectation,
    settings: &Settings,
    interrupt: &Arc<Interrupt>,
) -> Option<ExampleProblem> {
    let Claim::Match(claim) = &expectation.claim else {
        return None;
    };
    let game = match written_out(&claim.example)? {
        Ok(game) => game,
        Err(error) => return Some(ExampleProblem::Error(error)),
    };
    let query = query.filter(|_| !interrupt.is_raised())?;
    let found = try_match(query, claim, expectation.span, game, settings, interrupt);
    // The result of half a search is meaningless.
    if interrupt.is_raised() {
        return None;
    }
    match found {
        Ok(failure) => failure.map(|Failure { diagnostic, note, .. }| {
            let diagnostic = note.into_iter().fold(diagnostic, Diagnostic::hint);
            ExampleProblem::Failure(diagnostic)
        }),
        Err(error) => Some(ExampleProblem::Error(error)),
    }
}

/// Returns the game of an example, if it is written out.
pub(super) fn written_out(example: &Example) -> Option<Result<Game, Diagnostic>> {
    match example {
        Example::Fen(fen) => Some(example::of_fen(fen)),
        Example::Pgn { movetext, tags } => Some(example::of_pgn(movetext, tags)),
        Example::Game { .. } => None,
    }
}

/// Searches the game of an example. Returns the failure, if there is one.
///
/// # Errors
/// Returns an error if the evaluation ends the run, or if a position is named that the game does not have.
pub(super) fn try_match(
    query: &Query,
    claim: &Match,
    span: Span,
    mut game: Game,
    settings: &Settings,
    interrupt: &Arc<Interrupt>,
) -> Result<Option<Failure>, Diagnostic> {
    let all = game.positions.len();
    let hit = search_game(query, settings.clone(), interrupt, game.clone());
    let hit = hit.map_err(|error| failed_search(&error, span))?;
    if !query.header.variations {
        game.keep_main_line();
    }
    if let Some(error) = claim.at.as_ref().and_then(|at| missing_position(at, &game, all)) {
        return Err(error);
    }
    let case = Case {
        span,
        claim,
        game: &game,
        hit: &hit,
    };
    Ok(case.failure())
}

/// Returns why a search for an expectation ended early.
pub(super) fn failed_search(error: &Error, expectation: Span) -> Diagnostic {
    match error {
        Error::Evaluation(stop) => stop.diagnostic.clone().related(expectation, "when this was run"),
        error => Diagnostic::new(expectation, error.to_string()),
    }
}

/// Returns the position that a place in an example refers to, and the text that names it: a FEN, a move, or the number of a position.
pub fn scene_at(source: &Source, offset: u32) -> Option<(Span, MarkedBoard)> {
    let is_there = |span: Span| span.start <= offset && offset <= span.end;
    let mut expectations = expectations(source).into_iter().flatten();
    let expectation = expectations.find(|expectation| is_there(expectation.span))?;
    let Claim::Match(claim) = expectation.claim else {
        return None;
    };
    let game = written_out(&claim.example)?.ok()?;
    let (span, id, is_alone) = match &claim.example {
        Example::Fen(fen) => (fen.span, 0, true),
        Example::Pgn { movetext, .. } if is_there(movetext.span) => {
            let (span, id) = move_at(movetext, offset)?;
            (span, id, false)
        }
        Example::Pgn { tags, .. } => {
            let initial = tags.iter().find(|tag| tag.name == "FEN" && is_there(tag.value.span));
            let numbers = claim.at.iter().flat_map(|at| &at.ids);
            let number = numbers.map(|(id, span)| (*span, *id)).find(|(span, _)| is_there(*span));
            let (span, id) = number.or_else(|| Some((initial?.value.span, 0)))?;
            (span, id, false)
        }
        Example::Game { .. } => return None,
    };
    let position = game.positions.get(id as usize)?;
    Some((span, scene(&game, position, is_alone)))
}

/// Returns the move of the main line at a place, or before it, with the id of the position that it leads to.
fn move_at(movetext: &Text, offset: u32) -> Option<(Span, u32)> {
    let words = example::words(movetext).ok()?;
    let moves = words
        .into_iter()
        .filter(|word| word.depth == 0 && word.kind == WordKind::Move);
    let places = moves.map(|word| movetext.place(word.range));
    let before = places.zip(1..).take_while(|(place, _)| place.start <= offset);
    Some(before.last().unwrap_or((movetext.span, 0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{self, Options};

    /// Returns what is wrong with the examples of a query, with the places.
    fn wrong(text: &str) -> Vec<(String, String)> {
        let source = Source::new("q.cql", text);
        let query = query::compile(&source, &Options::default()).ok();
        let trials = try_examples(&source, query.as_ref(), &Settings::default(), &Arc::default()).into_iter();
        let told = trials.map(|trial| match trial {
            ExampleProblem::Error(error) | ExampleProblem::Failure(error) => error,
        });
        told.map(|error| (error.message, source.slice(error.span).to_owned()))
            .collect()
    }

    #[test]
    fn examples_are_tried_where_they_stand() {
        let text = "//? match pgn \"1. f3 e5 2. g4 Qh4#\" at 4\n//? match pgn \"1. f3 e5 2. g4 Qh4#\" at 3, 9\n\
                    //? match \"4k3/8/8/8/8/8/8/4K3 w\"\n//? match \"8/8 w\"\n//? mach\n//? count \"a.pgn\"\ncql() ";
        let found = wrong(&format!("{text} mate"));
        let expected = [
            ("there is no position 9", "9"),
            ("the position does not match", "match \"4k3/8/8/8/8/8/8/4K3 w\""),
            ("the board has 2 ranks", "8/8"),
            ("unexpected `mach`", "mach"),
        ];
        assert_eq!(
            found,
            expected.map(|(message, place)| (message.to_owned(), place.to_owned()))
        );
        assert_eq!(
            wrong(&format!("{text} chekc")).len(),
            2,
            "what can be known without a query"
        );
        assert_eq!(wrong(&format!("{text} readfile \"a\"")).len(), 2, "which is not run");
    }

    #[test]
    fn an_endless_query_is_interrupted() {
        let source = Source::new(
            "q.cql",
            "//? match \"4k3/8/8/8/8/8/8/4K3 w\"\ncql() x=0 while (x>=0) {x=1} mate",
        );
        let query = query::compile(&source, &Options::default()).expect("a query");
        let interrupt = Arc::new(Interrupt::after(std::time::Duration::from_millis(50)));
        let begun = std::time::Instant::now();
        try_examples(&source, Some(&query), &Settings::default(), &interrupt);
        assert!(begun.elapsed().as_secs() < 60);
    }

    #[test]
    fn places_speak_of_positions() {
        let text = "//? match pgn \"1. e4 e5 (1... c5) 2. Nf3\"\n//?  with Event \"x\" at 1, 2\n//? match \"4k3/8/8/8/8/8/8/4K3 w\"\n";
        let source = Source::new("q.cql", text);
        let at = |needle: &str| {
            let found = scene_at(&source, text.find(needle).expect("it is there") as u32);
            found.map(|(span, scene)| (source.slice(span).to_owned(), scene.caption))
        };
        let told = |place: &str, caption: &str| Some((place.to_owned(), caption.to_owned()));
        assert_eq!(at("e4"), told("e4", "position 1, Black to move after 1. e4"));
        assert_eq!(
            at("Nf3"),
            told("Nf3", "position 3, Black to move after 1. e4 e5 2. Nf3")
        );
        assert_eq!(at("2\n"), told("2", "position 2, White to move after 1. e4 e5"));
        assert_eq!(at("4k3"), told("\"4k3/8/8/8/8/8/8/4K3 w\"", "White to move"));
        assert_eq!(at("match"), None);
        assert_eq!(at("Event"), None);
    }
}
