//! Setups on a board, and their queries.

mod library;
mod meaning;
mod positions;
mod texts;

use skewer::board::{Board, Square};
use skewer::query::Options;
use skewer::setup::{Setup, Shown};
use skewer::syntax::Source;
use skewer::syntax::format::Spelling;
use skewer::{Games, Query};

/// Returns what a board shows of a query, which may have a header.
fn shown(text: &str) -> Shown {
    let options = Options {
        filters_only: !skewer::query::has_header(text),
        themes: skewer::library::themes(None),
        ..Options::default()
    };
    Setup::of_query(&Source::new("q.cql", text), &options).unwrap_or_else(|error| panic!("{text}: {}", error.message))
}

fn setup(json: &str) -> Setup {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

fn query(setup: &Setup) -> String {
    setup.query(Spelling::AsWritten)
}

fn compiled(filters: &str) -> Query {
    Query::compile(format!("cql() {filters}")).unwrap_or_else(|error| panic!("{filters}: {error}"))
}

/// The positions of the games in `examples/`, with their pieces and the side to move.
struct Positions {
    games: String,
    all: Vec<Position>,
}

struct Position {
    place: (u64, u32),
    fen: String,
    board: Board,
    /// The piece on each square, `_` on an empty square.
    letters: [char; 64],
    turn: skewer::Color,
}

impl Positions {
    fn read() -> Positions {
        let games =
            std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classics.pgn")).expect("games");
        let mut positions = Positions { games, all: Vec::new() };
        for game in compiled("true").search(positions.input()).expect("a search") {
            let game = game.expect("a game");
            for found in game.matches() {
                let start = skewer::chess::Start::from_fen(found.fen().as_bytes()).expect("a position");
                positions.all.push(Position {
                    place: (game.number(), found.position_id()),
                    fen: found.fen().to_owned(),
                    letters: Square::ALL.map(|square| start.board.piece_at(square).map_or('_', |piece| piece.char())),
                    board: start.board,
                    turn: start.turn,
                });
            }
        }
        assert!(positions.all.len() > 800, "{} positions", positions.all.len());
        positions
    }

    fn input(&self) -> Games {
        Games::of_bytes("classics.pgn", self.games.clone())
    }

    /// Returns the positions that a query finds.
    fn found(&self, query: &Query) -> Vec<(u64, u32)> {
        let games = query.search(self.input()).expect("a search");
        games
            .flat_map(|game| {
                let game = game.expect("a game");
                let number = game.number();
                let places = game.matches().iter().map(|found| (number, found.position_id()));
                places.collect::<Vec<_>>()
            })
            .collect()
    }
}
