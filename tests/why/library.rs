//! The examples of the library.
//!
//! Those that match are reported as matching. For the others the report names the filters to blame, and the changes that it proposes do match.

use std::env;

use skewer::game::Game;
use skewer::library;
use skewer::syntax::Source;
use skewer::testing::{Claim, Example, Match, expectations};

use super::{Asked, culprits, game_of_fen};

/// One in this many examples is checked, or all if the variable `WHY_ALL` is set.
const STRIDE: usize = 7;

/// Returns the game of an example, and a position of it that the query is expected to match or not.
fn example(claim: &Match) -> Option<(Game, u32)> {
    match &claim.example {
        Example::Fen(fen) => Some((game_of_fen(&fen.value), 0)),
        Example::Pgn { movetext, tags } => {
            let tags = tags
                .iter()
                .map(|tag| format!("[{} \"{}\"]\n", tag.name, tag.value.value));
            let head: String = tags.collect();
            let head = if head.is_empty() {
                "[Event \"?\"]\n".to_owned()
            } else {
                head
            };
            let game = Game::of_pgn(format!("{head}\n{} *\n", movetext.value))?;
            let last = game.positions.len() as u32 - 1;
            let at = claim.at.as_ref().and_then(|at| at.ids.first()).map(|(id, _)| *id);
            Some((game, at.unwrap_or(last)))
        }
        Example::Game { .. } => None,
    }
}

/// Returns the examples of the library that are written out: the name of the query, the query, and the expectation.
fn examples(negated: bool) -> Vec<(String, Asked, Match)> {
    let mut examples = Vec::new();
    for query in library::queries() {
        let source = Source::new(query.name(), query.text());
        let compiled = query.compile().expect("queries of the library compile");
        if compiled.lacks_tablebase().is_some() {
            continue;
        }
        for expectation in expectations(&source).into_iter().flatten() {
            if let Claim::Match(claim) = expectation.claim
                && claim.negated == negated
            {
                examples.push((query.name().to_owned(), Asked::new(query.text()), claim));
            }
        }
    }
    examples
}

fn stride() -> usize {
    if env::var_os("WHY_ALL").is_some() { 1 } else { STRIDE }
}

#[test]
fn examples_that_match_are_said_to_match() {
    let mut count = 0;
    for (name, asked, claim) in examples(false).into_iter().step_by(stride()) {
        // If no position is named, any of them may match.
        let Some((game, position)) =
            example(&claim).filter(|(game, _)| claim.at.is_some() || game.positions.len() == 1)
        else {
            continue;
        };
        let why = asked
            .checked(&game, position)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(why.matches, "{name}: {why:#?}");
        assert!(why.nearest.is_none() && why.removals.is_empty(), "{name}: {why:#?}");
        count += 1;
    }
    assert!(count * stride() > 800, "{count} examples");
}

#[test]
fn examples_that_do_not_match_have_filters_to_blame() {
    let (mut count, mut near, mut alone) = (0, 0, 0);
    let mut far = Vec::new();
    for (name, asked, claim) in examples(true).into_iter().step_by(stride()) {
        let Some((game, position)) = example(&claim) else {
            continue;
        };
        let why = asked
            .checked(&game, position)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!why.matches, "{name}: {why:#?}");
        count += 1;
        if !why.whole || why.parts.iter().all(|part| !part.blamed) {
            // The report is incomplete, because the query has too many parts.
            assert!(!why.whole, "{name}: {why:#?}");
            continue;
        }
        near += usize::from(why.nearest.is_some());
        if why.nearest.is_none() && !why.removals.is_empty() {
            far.push(format!("{name}: {:#?}", why.sentences));
        }
        // If only one filter is to blame, it is named, and without it the position matches.
        if let [culprit] = culprits(&why.parts).as_slice() {
            let named = |sentence: &String| sentence.contains("fails") || sentence.starts_with("The header asks");
            assert!(
                why.sentences.iter().any(named),
                "{name}: {culprit:#?}\n{:#?}",
                why.sentences
            );
            alone += usize::from(why.removals.iter().any(|removal| removal.matches));
        }
    }
    println!("{count} examples, {near} have a change by which they match, {alone} one filter to blame");
    assert!(
        far.len() * 50 < count,
        "{} examples have none\n{}",
        far.len(),
        far.join("\n")
    );
    assert!(count * stride() > 700 && alone * 2 > count, "{count} {near} {alone}");
}
