//! Makes any number of different games from the games on standard input.
//!
//! Each has the beginning of one of them and continues at random:
//!
//! ```sh
//! cargo run --release --example millions -- 10000000 < games.pgn > many.pgn
//! ```

use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::ops::ControlFlow;
use std::sync::mpsc;
use std::thread;

use fastrand::Rng;
use pgn_reader::{RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::{Chess, Move, Position as _};

/// How many games a thread makes at once.
const CHUNK: usize = 4096;
/// The least number of random moves, so that games differ.
const LEAST_MOVES: usize = 8;

/// A game from the usual start position: its tags and result as text, and its moves with their text.
#[derive(Default)]
struct Game {
    tags: Vec<u8>,
    moves: Vec<(Move, SanPlus)>,
    result: String,
}

/// A game while it is being read.
struct Unfinished {
    game: Game,
    position: Chess,
}

/// Reads all games that begin at the usual start position.
struct Games;

impl Visitor for Games {
    type Tags = Game;
    type Movetext = Unfinished;
    type Output = Option<Game>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        if name == b"FEN" {
            return ControlFlow::Break(None);
        }
        if name == b"Result" {
            game.result = value.decode_utf8_lossy().into_owned();
        }
        game.tags
            .extend([b"[", name, b" \"", value.as_bytes(), b"\"]\n"].concat());
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Game) -> ControlFlow<Self::Output, Unfinished> {
        ControlFlow::Continue(Unfinished {
            game,
            position: Chess::new(),
        })
    }

    fn san(&mut self, Unfinished { game, position }: &mut Unfinished, san: SanPlus) -> ControlFlow<Self::Output> {
        let Ok(played) = san.san.to_move(position) else {
            return ControlFlow::Break(None);
        };
        position.play_unchecked(played);
        game.moves.push((played, san));
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Unfinished) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, Unfinished { game, .. }: Unfinished) -> Self::Output {
        Some(game)
    }
}

impl Game {
    /// Writes a game with the same beginning, which continues at random to about the same length.
    fn write_another(&self, random: &mut Rng, out: &mut Vec<u8>) {
        let kept = random.usize(..=self.moves.len().saturating_sub(LEAST_MOVES));
        let (beginning, rest) = self.moves.split_at(kept.min(self.moves.len()));
        out.extend_from_slice(&self.tags);
        out.push(b'\n');
        let mut position = Chess::new();
        for (ply, (played, san)) in beginning.iter().enumerate() {
            write_move(ply, san, out);
            position.play_unchecked(*played);
        }
        for ply in kept..kept + rest.len().max(LEAST_MOVES) {
            let Some(played) = random.choice(position.legal_moves()) else {
                break;
            };
            write_move(ply, &SanPlus::from_move_and_play_unchecked(&mut position, played), out);
        }
        out.extend_from_slice(self.result.as_bytes());
        out.extend_from_slice(b"\n\n");
    }
}

fn write_move(ply: usize, san: &SanPlus, out: &mut Vec<u8>) {
    // Writing to a vector does not fail.
    let _ = match ply % 2 {
        0 => write!(out, "{}. {san} ", ply / 2 + 1),
        _ => write!(out, "{san} "),
    };
}

fn main() -> Result<(), Box<dyn Error>> {
    let count = std::env::args().nth(1).and_then(|count| count.parse().ok());
    let count: usize = count.ok_or("usage: millions COUNT < GAMES.pgn > MANY.pgn")?;
    let mut reader = Reader::new(io::stdin().lock());
    let mut games = Vec::new();
    while let Some(game) = reader.read_game(&mut Games)? {
        games.extend(game);
    }
    if games.is_empty() {
        return Err("no game from the usual start".into());
    }
    let threads = thread::available_parallelism()?.get();
    thread::scope(|scope| {
        let games = &games;
        let chunks: Vec<mpsc::Receiver<Vec<u8>>> = (0..threads)
            .map(|thread| {
                let (send, receive) = mpsc::sync_channel(1);
                scope.spawn(move || {
                    for first in (0..count).step_by(CHUNK).skip(thread).step_by(threads) {
                        let mut random = Rng::with_seed(first as u64);
                        let mut text = Vec::new();
                        for number in first..count.min(first + CHUNK) {
                            games[number % games.len()].write_another(&mut random, &mut text);
                        }
                        if send.send(text).is_err() {
                            break;
                        }
                    }
                });
                receive
            })
            .collect();
        let mut out = BufWriter::new(io::stdout().lock());
        for chunk in chunks.iter().cycle().map_while(|chunk| chunk.recv().ok()) {
            out.write_all(&chunk)?;
        }
        out.flush()?;
        Ok(())
    })
}
