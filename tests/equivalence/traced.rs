//! The values that are noted for the parts of a query agree with the search, and noting them changes no answer.

use std::time::Instant;

use skewer::game::Game;

use super::random::{GAMES, random_query};
use super::ways::number;
use crate::why::Asked;

/// How many queries are tried by default.
const QUERIES: u64 = 150;

/// One in this many positions of a game is checked.
const STRIDE: usize = 23;

#[test]
fn parts_of_random_queries_say_what_the_search_says() {
    let games: Vec<Game> = GAMES
        .split("\n\n[")
        .filter_map(|game| Game::of_pgn(format!("[{}", game.trim_start_matches('['))))
        .collect();
    assert!(games.len() > 3, "{} games", games.len());
    let first = number("RANDOM_SEED").unwrap_or(1).wrapping_mul(1_000_000_007);
    let (mut asked, mut failed) = (0, 0);
    for seed in first..first + number("RANDOM_QUERIES").unwrap_or(QUERIES) {
        let text = random_query(seed);
        let game = &games[seed as usize % games.len()];
        let query = Asked::new(&text);
        let begun = Instant::now();
        for position in (seed as usize % STRIDE..game.positions.len()).step_by(STRIDE).take(2) {
            match query.checked(game, position as u32) {
                Ok(_) => asked += 1,
                Err(_) => failed += 1,
            }
        }
        assert!(begun.elapsed().as_secs() < 60, "{text}");
    }
    println!("{asked} answers, {failed} errors");
    assert!(asked > failed, "{asked} answers, {failed} errors");
}
