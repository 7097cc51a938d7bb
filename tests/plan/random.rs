//! Random queries find the same whether or not their filters are simplified, planned, remembered and glanced at.
//!
//! `RANDOM_QUERIES=100000 RANDOM_SEED=7 cargo test --release --test tests plan::random` tries more of them.

mod boards;
mod queries;

use std::ops::ControlFlow;
use std::{env, panic};

use fancy_regex::Regex;
use skewer::database::Writer as Database;
use skewer::eval::Settings;
use skewer::output::FormatName;
use skewer::pgn::{Batch, Batches, Source as Games};
use skewer::query::{self, Query};
use skewer::search::{Options, search_sources};
use skewer::syntax::Source;
use skewer::{FoundGame, Sink};

use super::ASKED;
use queries::{MARK, Writer};

/// Short games in which everything happens that filters ask for.
const GAMES: &str = include_str!("random/games.pgn");

/// One in which pieces move for long while the pawns stay.
const LONG: &str = "[FEN \"r3k2r/pp1b1ppp/2n1pn2/q2p4/1b1P4/2NBPN2/PP1B1PPP/R2QK2R w KQkq - 0 1\"]

1. O-O O-O 2. Rc1 Rfc8 3. a3 Be7 4. Re1 Rab8 5. Nb1 Qd8 6. Ne5 Be8 7. Nxc6 Rxc6 8. Bb4 Bxb4 9. axb4 a6 10. Nd2 Ne4 11. Qg4 f5 12. Qh3 Rxc1
13. Rxc1 Qd6 14. Nf3 Kf8 15. b5 axb5 16. Bxb5 Bxb5 17. Qxh7 Ke8 18. Qg8+ Kd7 19. Qxb8 Qxb8 20. Rc8 Qxc8 21. Ne5+ Ke7 22. Nc6+ bxc6 *
";

/// So often all games stand in a run, in which the positions of one game after the other are asked by other ways.
const COPIES: usize = 4;

/// How many queries are tried when nobody asks for more.
const QUERIES: u64 = 200;

/// A number of the environment.
fn number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

/// The query with a filter in place of its marks. Whether the variable has a value that it may assign is asked in the end.
fn compiled(text: &str, filter: &str) -> Option<Query> {
    let text = match filter {
        "seen=1" => format!("{text}{ASKED}"),
        _ => text.to_owned(),
    };
    let source = Source::new("random.cql", text.replace(MARK, filter));
    query::compile(&source, &query::Options::default()).ok()
}

/// What a query prints on the games, which stand in a file of this name; or why the run ended.
fn found(query: &Query, name: &str, games: &[u8], format: FormatName) -> Result<(String, String), String> {
    let settings = Settings {
        max_rounds: 20_000,
        ..Settings::default()
    };
    let source = Games::of_bytes(name, games.to_vec());
    let found =
        search_sources(query, settings, [source], format, &Options::quiet()).map_err(|error| error.to_string())?;
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ok((text(found.output), text(found.log)))
}

/// Whether a transform is all that is left of the body of another without the marks. Then the two become one, and a range of the inner
/// transform counts the copies of both, so the query means something else.
fn merges_transforms(text: &str) -> bool {
    let transform = "(flip|rotate|shift|reversecolor)[a-z0-9]*";
    let merged = Regex::new(&format!("{transform}[0-9 ({{]*{MARK}[ ({{]*{transform}")).expect("a pattern");
    merged.is_match(text).expect("few steps")
}

/// Games as a database.
fn database(games: &str) -> Vec<u8> {
    let mut writer = Database::new(Vec::new()).expect("a database");
    let mut batches = Batches::new([Games::of_bytes("games.pgn", games.to_owned())]);
    while let Some(batch) = batches.next_batch(Batch::default()) {
        writer.add(&batch.expect("PGN"), &mut |_| {}).expect("a database");
    }
    writer.finish().expect("a database")
}

#[test]
fn random_queries_find_the_same_without_shortcuts() {
    let database = database(GAMES);
    let count = number("RANDOM_QUERIES").unwrap_or(QUERIES);
    let first = number("RANDOM_SEED").unwrap_or(1).wrapping_mul(1_000_000_007);
    let (mut tried, mut matched) = (0, 0);
    let mut differences = Vec::new();
    for seed in first..first + count {
        let text = Writer::new(seed).query();
        // A filter that always matches keeps the block; an assignment keeps it from every shortcut.
        let (Some(short), Some(long)) = (compiled(&text, "true"), compiled(&text, "seen=1")) else {
            continue;
        };
        tried += 1;
        let mut same = |what: &str, left: &Query, right: &Query, format: FormatName| {
            let left = panic::catch_unwind(|| found(left, "games.pgn", GAMES.as_bytes(), format));
            let right = panic::catch_unwind(|| found(right, "games.pgn", GAMES.as_bytes(), format));
            match (left, right) {
                (Ok(left), Ok(right)) if left == right => {
                    matched += u64::from(left.is_ok_and(|(ids, _)| !ids.is_empty()))
                }
                (left, right) => differences.push(format!("{what}, seed {seed}:\n{text}\n{left:?}\n{right:?}\n")),
            }
        };
        same("ids", &short, &long, FormatName::Ids);
        same("PGN", &short, &long, FormatName::Pgn);
        // Without any first filter more of it is simplified, but a block of one filter keeps the comments of what fails.
        if let Some(bare) = compiled(&text, "").filter(|_| !merges_transforms(&text)) {
            same("bare", &bare, &long, FormatName::Ids);
        }
        let here = found(&short, "games.pgn", GAMES.as_bytes(), FormatName::Ids);
        let there = found(&short, "games.parquet", &database, FormatName::Ids);
        if here != there {
            differences.push(format!("database, seed {seed}:\n{text}\n{here:?}\n{there:?}\n"));
        }
    }
    println!("{tried} of {count} queries compile, {matched} answers are not empty");
    assert!(tried * 2 > count, "only {tried} of {count} queries compile");
    assert!(
        differences.is_empty(),
        "{} differences\n\n{}",
        differences.len(),
        differences.join("\n")
    );
}

/// Positions are asked one by one, by stretches of a game or by pawn structures, whatever seems to be quickest; of several queries, in the
/// middle of other games.
#[test]
fn random_questions_of_boards_find_the_same_in_every_game_of_a_run() {
    let games = [GAMES, LONG].join("\n").repeat(COPIES);
    let database = database(&games);
    let count = number("RANDOM_QUERIES").unwrap_or(QUERIES);
    let first = number("RANDOM_SEED").unwrap_or(1).wrapping_mul(1_000_000_007);
    let mut differences = Vec::new();
    let (mut matched, mut together) = (0, Vec::new());
    for seed in first..first + count {
        let text = Writer::new(seed).question();
        let (Some(short), Some(long)) = (compiled(&text, "true"), compiled(&text, "seen=1")) else {
            continue;
        };
        let ids = |query: &Query, name: &str, bytes: &[u8]| found(query, name, bytes, FormatName::Ids);
        let one_by_one = ids(&long, "games.pgn", games.as_bytes());
        for (name, bytes) in [("games.pgn", games.as_bytes()), ("games.parquet", &database)] {
            let asked = ids(&short, name, bytes);
            if asked != one_by_one {
                differences.push(format!("{name}, seed {seed}:\n{text}\n{asked:?}\n{one_by_one:?}\n"));
            }
        }
        if let Ok((ids, _)) = one_by_one {
            matched += u64::from(!ids.is_empty());
            together.push((text, ids));
        }
    }
    for queries in together.chunks(10) {
        let found = found_together(queries.iter().map(|(text, _)| text.replace(MARK, "true")), &games);
        for ((text, ids), found) in queries.iter().zip(found) {
            if *ids != found {
                differences.push(format!("with others:\n{text}\n{found:?}\n{ids:?}\n"));
            }
        }
    }
    println!("{} of {count} queries run, {matched} find something", together.len());
    assert!(together.len() as u64 * 2 > count && matched * 4 > count);
    assert!(
        differences.is_empty(),
        "{} differences\n\n{}",
        differences.len(),
        differences.join("\n")
    );
}

/// What each of several queries finds in a run for all of them: lines as those of `ids`.
fn found_together(texts: impl Iterator<Item = String>, games: &str) -> Vec<String> {
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
        skewer::Games::of_bytes("games.pgn", games),
        &Default::default(),
    );
    for outcome in outcomes.expect("the games can be read") {
        outcome.expect("nothing ends the run");
    }
    found
}
