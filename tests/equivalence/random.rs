//! Random queries find the same with and without shortcuts.
//!
//! `RANDOM_QUERIES=100000 RANDOM_SEED=7 cargo test --release --test tests equivalence::random` tries more of them.

mod boards;
mod queries;

use std::ops::ControlFlow;

use skewer::output::FormatName;
use skewer::{FoundGame, Sink};

use super::ways::{Answers, Games, number};
use queries::Writer;

/// Short games with everything that filters ask about.
pub(super) const GAMES: &str = include_str!("random/games.pgn");

/// A game in which the pieces move for a long time while the pawns stay.
pub(super) const LONG: &str = "[FEN \"r3k2r/pp1b1ppp/2n1pn2/q2p4/1b1P4/2NBPN2/PP1B1PPP/R2QK2R w KQkq - 0 1\"]

1. O-O O-O 2. Rc1 Rfc8 3. a3 Be7 4. Re1 Rab8 5. Nb1 Qd8 6. Ne5 Be8 7. Nxc6 Rxc6 8. Bb4 Bxb4 9. axb4 a6 10. Nd2 Ne4 11. Qg4 f5 12. Qh3 Rxc1
13. Rxc1 Qd6 14. Nf3 Kf8 15. b5 axb5 16. Bxb5 Bxb5 17. Qxh7 Ke8 18. Qg8+ Kd7 19. Qxb8 Qxb8 20. Rc8 Qxc8 21. Ne5+ Ke7 22. Nc6+ bxc6 *
";

/// How often all games are repeated in a run, in which positions are evaluated in different ways from game to game.
const COPIES: usize = 4;

/// Returns a random query.
pub(super) fn random_query(seed: u64) -> String {
    Writer::new(seed).query()
}

/// How many queries are tried by default.
const QUERIES: u64 = 200;

/// Returns the seeds of the queries that are tried.
fn seeds() -> impl Iterator<Item = u64> {
    let first = number("RANDOM_SEED").unwrap_or(1).wrapping_mul(1_000_000_007);
    first..first + number("RANDOM_QUERIES").unwrap_or(QUERIES)
}

#[test]
fn random_queries_find_the_same_without_shortcuts() {
    let games = Games::of(GAMES.as_bytes());
    let (mut tried, mut matched) = (0, 0);
    let mut faults = Vec::new();
    for seed in seeds() {
        let text = Writer::new(seed).query();
        for format in [FormatName::Ids, FormatName::Pgn] {
            let Some(Answers { expected, others }) = games.answers(&text, seed as usize, format) else {
                continue;
            };
            tried += 1;
            matched += u64::from(expected.is_ok_and(|(found, _)| !found.is_empty()));
            if !others.is_empty() {
                faults.push(games.fault(&text, seed as usize, format));
            }
        }
    }
    let count = 2 * seeds().count();
    println!("{tried} of {count} queries compile, {matched} answers are not empty");
    assert!(tried * 2 > count, "only {tried} of {count} queries compile");
    assert!(faults.is_empty(), "{} faults\n\n{}", faults.len(), faults.join("\n"));
}

/// Positions are evaluated one by one or by stretches of a game, whichever seems faster. With several queries, a game is evaluated among others.
#[test]
fn random_questions_of_boards_find_the_same_in_every_game_of_a_run() {
    let games = Games::of([GAMES, LONG].join("\n").repeat(COPIES).as_bytes());
    let count = seeds().count();
    let mut faults = Vec::new();
    let (mut matched, mut together) = (0, Vec::new());
    for seed in seeds() {
        let text = Writer::new(seed).question();
        let Some(Answers { expected, others }) = games.answers(&text, seed as usize, FormatName::Ids) else {
            continue;
        };
        if !others.is_empty() {
            faults.push(games.fault(&text, seed as usize, FormatName::Ids));
        }
        if let Ok((ids, _)) = expected {
            matched += usize::from(!ids.is_empty());
            together.push((text, ids));
        }
    }
    for queries in together.chunks(10) {
        let found = found_together(queries.iter().map(|(text, _)| text.as_str()), games.pgn());
        for ((text, ids), found) in queries.iter().zip(found) {
            if *ids != found {
                faults.push(format!("with others:\n{text}\n{found:?}\n{ids:?}\n"));
            }
        }
    }
    println!("{} of {count} queries run, {matched} find something", together.len());
    assert!(together.len() * 2 > count && matched * 4 > count);
    assert!(faults.is_empty(), "{} faults\n\n{}", faults.len(), faults.join("\n"));
}

/// Returns what each query finds in one run for all of them, in lines like those of `ids`.
fn found_together<'t>(texts: impl Iterator<Item = &'t str>, games: &[u8]) -> Vec<String> {
    let queries: Vec<skewer::Query> = texts
        .map(|text| skewer::Query::compile(text).expect("it compiles"))
        .collect();
    let mut found = vec![String::new(); queries.len()];
    let mut sinks: Vec<_> = found
        .iter_mut()
        .map(|ids| {
            move |game: FoundGame| {
                for position in game.matches() {
                    *ids += &format!("{}:{}\n", game.number(), position.position_id());
                }
                ControlFlow::Continue(())
            }
        })
        .collect();
    let searches = queries
        .iter()
        .zip(&mut sinks)
        .map(|(query, sink)| (query, sink as &mut dyn Sink));
    let outcomes = skewer::run_all(
        searches,
        skewer::Games::of_bytes("games.pgn", games.to_vec()),
        &Default::default(),
    );
    for outcome in outcomes.expect("the games can be read") {
        outcome.expect("nothing ends the run");
    }
    found
}
