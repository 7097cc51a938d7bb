//! Generated games, with annotations as Lichess writes them.
//!
//! Filters must find the values that the generator has chosen.

use std::fmt::Write as _;
use std::fs;

use shakmaty::{Chess, Color, Position as _, san::SanPlus};
use skewer::output::FormatName;
use skewer::query::Vocabulary;

use super::{compile, searched};
use crate::golden::database;

/// What the generator writes about the position after a move.
#[derive(Clone, Copy)]
struct Said {
    turn: Color,
    /// Centipawns, or moves to mate.
    evaluation: Option<Result<i32, i32>>,
    /// Tenths of a second.
    clock: Option<i32>,
    spent: i32,
}

/// A game: what is written about its positions, from the first one on, and its text.
struct Made {
    said: Vec<Said>,
    increment: i32,
    pgn: String,
}

/// Generates a game of random moves. A third of the games have no annotations, and others lack some here and there.
fn game(random: &mut fastrand::Rng, number: usize) -> Made {
    let is_silent = number % 3 == 2;
    let (base, increment) = (60 * random.i32(1..=5), random.i32(0..=3));
    let mut clocks = [base * 10; 2];
    let mut evaluation = 20;
    let mut chess = Chess::default();
    let start = Said {
        turn: Color::White,
        evaluation: None,
        clock: None,
        spent: 0,
    };
    let mut said = vec![start];
    let mut pgn = format!("[Event \"Game {number}\"]\n[TimeControl \"{base}+{increment}\"]\n[Result \"*\"]\n\n");
    for _ in 0..random.usize(2..60) {
        let moves = chess.legal_moves();
        let Some(played) = random.choice(moves.iter().copied()) else {
            break;
        };
        let side = usize::from(chess.turn().is_black());
        let dots = if side == 0 { "." } else { "..." };
        let _ = write!(
            pgn,
            "{}{dots} {}",
            chess.fullmoves(),
            SanPlus::from_move(chess.clone(), played)
        );
        chess.play_unchecked(played);
        let spent = random.i32(0..90);
        clocks[side] = (clocks[side] + increment * 10 - spent).max(increment * 10);
        evaluation += random.i32(-250..=250);
        let mate = random.i32(1..=9) * if evaluation < 0 { -1 } else { 1 };
        let position = Said {
            turn: chess.turn(),
            evaluation: match random.u8(..12) {
                _ if is_silent => None,
                0 => None,
                1 => Some(Err(mate)),
                _ => Some(Ok(evaluation)),
            },
            clock: (!is_silent && random.u8(..20) > 0).then(|| clocks[side]),
            spent,
        };
        pgn += " {";
        match position.evaluation {
            Some(Ok(centipawns)) => {
                let sign = if centipawns < 0 { "-" } else { "" };
                let (pawns, rest) = (centipawns.abs() / 100, centipawns.abs() % 100);
                let _ = write!(pgn, " [%eval {sign}{pawns}.{rest:02}]");
            }
            Some(Err(moves)) => {
                let _ = write!(pgn, " [%eval #{moves}]");
            }
            None => {}
        }
        if let Some(clock) = position.clock {
            let (hours, minutes, seconds) = (clock / 36_000, clock / 600 % 60, clock / 10 % 60);
            let _ = write!(pgn, " [%clk {hours}:{minutes:02}:{seconds:02}.{}]", clock % 10);
        }
        pgn += " } ";
        said.push(position);
    }
    pgn += "*\n\n";
    Made { said, increment, pgn }
}

impl Made {
    fn centipawns(&self, ply: usize) -> Option<i32> {
        self.said[ply].evaluation.map(|evaluation| match evaluation {
            Ok(centipawns) => centipawns,
            Err(moves) => moves.signum() * (100_000 - moves.abs()),
        })
    }

    fn elapsed(&self, ply: usize) -> Option<i32> {
        let before = self.said.get(ply.checked_sub(2)?)?.clock?;
        let elapsed = before + self.increment * 10 - self.said[ply].clock?;
        (elapsed >= 0).then_some(elapsed)
    }

    /// Returns how much the move reduces the winning chances of its side.
    fn loss(&self, ply: usize) -> Option<f64> {
        let chances = |evaluation: Result<i32, i32>| match evaluation {
            Err(moves) => f64::from(moves.signum()),
            // The curve of Lichess, in another form.
            Ok(centipawns) => (f64::from(centipawns) * 0.003_682_08 / 2.0).tanh(),
        };
        let before = chances(self.said[ply.checked_sub(1)?].evaluation?);
        let gain = chances(self.said[ply].evaluation?) - before;
        Some(if self.said[ply].turn.is_white() { gain } else { -gain })
    }
}

/// A function that returns whether a filter holds at a position.
type Wanted = fn(&Made, usize) -> bool;

#[test]
fn filters_find_what_the_generator_has_put_there() {
    let mut random = fastrand::Rng::with_seed(64);
    let games: Vec<Made> = (0..60).map(|number| game(&mut random, number)).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("generated-lichess.pgn");
    let pgn: String = games.iter().map(|game| game.pgn.as_str()).collect();
    fs::write(&path, pgn).expect("the games can be written");
    let stored = database(&path);
    let cases: [(&str, Wanted); 8] = [
        ("eval >= 150", |game, ply| game.centipawns(ply) >= Some(150)),
        ("eval < -90000 or eval > 90000", |game, ply| {
            game.centipawns(ply).is_some_and(|evaluation| evaluation.abs() > 90_000)
        }),
        ("not eval", |game, ply| game.centipawns(ply).is_none()),
        ("clock < 1000", |game, ply| {
            game.said[ply].clock.is_some_and(|clock| clock < 1000)
        }),
        ("elapsed > 60", |game, ply| game.elapsed(ply) > Some(60)),
        ("elapsed", |game, ply| game.elapsed(ply).is_some()),
        ("blunder", |game, ply| game.loss(ply).is_some_and(|loss| loss >= 0.3)),
        ("mistake or inaccuracy", |game, ply| {
            game.loss(ply).is_some_and(|loss| (0.1..0.3).contains(&loss))
        }),
    ];
    for (filter, wanted) in cases {
        let mut expected = String::new();
        for (game, number) in games.iter().zip(1..) {
            for ply in 0..game.said.len() {
                if wanted(game, ply) {
                    let _ = writeln!(expected, "{number}:{ply}");
                }
            }
        }
        assert!(!expected.is_empty(), "{filter}");
        let query = compile(&format!("cql() {filter}"), Vocabulary::Whole).expect("a query");
        for (input, threads) in [(&path, 1), (&path, 3), (&stored, 1), (&stored, 2)] {
            let found = searched(&query, input, FormatName::Ids, threads);
            let found = found.unwrap_or_else(|error| panic!("{filter}: {error}"));
            assert_eq!(
                String::from_utf8_lossy(&found.output),
                expected,
                "{filter} in {}",
                input.display()
            );
        }
    }
    // Unless the clock reaches its limit, the elapsed time is the time that the generator has chosen.
    let known = games
        .iter()
        .flat_map(|game| (0..game.said.len()).map(move |ply| (game, ply)));
    let exact = known.filter(|(game, ply)| game.elapsed(*ply) == Some(game.said[*ply].spent));
    assert!(exact.count() > 500);
}
