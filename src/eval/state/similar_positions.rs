//! `similarposition`: the positions of another file, and which of them resemble a board (chapter 5, 12).

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::Arc;

use crate::board::{Bitboard, Board, Color, Symmetry};
use crate::chess::Position;
use crate::game::Game;
use crate::limits::{Interrupt, Memory, Share};
use crate::pgn::{Batches, GameReader, Input, Reading, Scope};
use crate::query::ast::similar::Similar;

/// Roughly the bytes that a position of the file takes.
const POSITION_BYTES: usize = 96;

/// The places of all positions in a file's main lines.
#[derive(Debug)]
pub(crate) struct SimilarPositions {
    /// The games and the number of moves made, by the board and the side to move, in the order of the file.
    places: HashMap<u128, Vec<Occurrence>>,
    hashers: [RandomState; 2],
    share: Share,
}

/// Why there are no positions to compare with.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The file cannot be read.
    Unreadable(io::Error),
    /// There is no memory for them.
    TooLarge,
}

/// A position of the file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Occurrence {
    pub(crate) game: u64,
    pub(crate) move_number: u32,
}

/// A change of the board that keeps it similar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Change {
    Symmetry(Symmetry),
    /// Moved to the right by a number of files, then perhaps mirrored.
    Shift {
        files: i32,
        mirrored: bool,
    },
}

impl SimilarPositions {
    /// Reads a file. If interrupted, returns what was read until then.
    ///
    /// # Errors
    ///
    /// Returns an error if it cannot be read or is too large.
    pub(crate) fn read(
        similar: &Similar,
        memory: &Arc<Memory>,
        interrupt: &Arc<Interrupt>,
    ) -> Result<SimilarPositions, Failure> {
        let mut positions = SimilarPositions {
            places: HashMap::new(),
            hashers: [RandomState::new(), RandomState::new()],
            share: Share::of(memory),
        };
        let mut count = 0;
        if !similar.path.metadata().map_err(Failure::Unreadable)?.is_file() {
            return Err(Failure::Unreadable(io::Error::new(
                io::ErrorKind::InvalidInput,
                "it is not a file",
            )));
        }
        let sources = Input::Path(similar.path.clone())
            .sources()
            .map_err(|input| Failure::Unreadable(input.error))?;
        let mut batches = Batches::new(sources).until(Arc::clone(interrupt));
        let mut game = Game::default();
        let mut recycled = Default::default();
        while let Some(batch) = batches.next_batch(recycled) {
            let batch = match batch {
                Err(_) if interrupt.is_raised() => break,
                batch => batch.map_err(|input| Failure::Unreadable(input.error))?,
            };
            let mut reader = GameReader::new(&batch);
            while reader.read(Scope::default(), &mut game, |_| true) != Reading::End {
                positions.add(&game);
                count += game.positions.len();
                if !positions.share.resize(count * POSITION_BYTES) {
                    return Err(Failure::TooLarge);
                }
            }
            drop(reader);
            recycled = batch;
        }
        Ok(positions)
    }

    fn add(&mut self, game: &Game) {
        for position in &game.positions {
            let place = Occurrence {
                game: game.number,
                move_number: game.move_number(position),
            };
            let key = self.key(&position.board, position.turn);
            self.places.entry(key).or_default().push(place);
        }
    }

    /// Returns a 128-bit hash that stands for a board. So a file takes little memory, and in practice no two boards are confused.
    fn key(&self, board: &Board, turn: Color) -> u128 {
        let [high, low] = &self.hashers;
        u128::from(high.hash_one((board, turn))) << 64 | u128::from(low.hash_one((board, turn)))
    }

    /// Returns the places of positions that a change turns into this one, each with the first such change, in the order of the file.
    pub(crate) fn hits(&self, position: &Position, transformed: bool) -> Vec<(Occurrence, Change)> {
        let changes = if transformed {
            Change::all_for(&position.board)
        } else {
            vec![Change::Symmetry(Symmetry::Identity)]
        };
        let mut hits: Vec<(Occurrence, usize)> = Vec::new();
        for (rank, change) in changes.iter().enumerate() {
            let original = change.undone(&position.board);
            let places = original.and_then(|board| self.places.get(&self.key(&board, position.turn)));
            hits.extend(places.into_iter().flatten().map(|place| (*place, rank)));
        }
        hits.sort_unstable();
        hits.dedup_by_key(|(place, _)| *place);
        hits.into_iter().map(|(place, rank)| (place, changes[rank])).collect()
    }
}

impl Change {
    /// Returns the changes to try for a board, in order. With pawns, only those that leave the ranks unchanged.
    fn all_for(board: &Board) -> Vec<Change> {
        if board.roles.pawn.is_empty() {
            return Symmetry::IN_ORDER_OF_FLIP.map(Change::Symmetry).to_vec();
        }
        let both_ways = |mirrored| {
            std::iter::once(0)
                .chain((-7..=7).filter(|files| *files != 0))
                .map(move |files| Change::Shift { files, mirrored })
        };
        both_ways(false).chain(both_ways(true)).collect()
    }

    /// Returns the board that this change turns into the given one; `None` if a piece would have to come from outside the board.
    fn undone(self, board: &Board) -> Option<Board> {
        match self {
            Change::Symmetry(symmetry) => Some(mapped(board, |set| symmetry.inverse().set(set))),
            Change::Shift { files, mirrored } => {
                let mirror = if mirrored {
                    Symmetry::ReflectV
                } else {
                    Symmetry::Identity
                };
                let board = mapped(board, |set| mirror.set(set));
                let back = mapped(&board, |set| set.shift(-files) & reachable(-files));
                (back.occupied().count() == board.occupied().count()).then_some(back)
            }
        }
    }

    /// Returns its name in comments.
    pub(crate) fn name(self) -> String {
        match self {
            Change::Symmetry(symmetry) => symmetry.name().to_owned(),
            Change::Shift { files, mirrored } => {
                let shift = match files {
                    0 => String::new(),
                    1.. => format!("right^{files}"),
                    _ => format!("left^{}", -files),
                };
                match (mirrored, files) {
                    (false, _) => shift,
                    (true, 0) => Symmetry::ReflectV.name().to_owned(),
                    (true, _) => format!("{} {shift}", Symmetry::ReflectV.name()),
                }
            }
        }
    }
}

/// Returns the squares that a set shifted to the right by `files` can reach.
fn reachable(files: i32) -> Bitboard {
    Bitboard::FULL
        .into_iter()
        .filter(|square| (0..8).contains(&(square.file() as i32 - files)))
        .collect()
}

/// Returns a board with every set of pieces mapped.
fn mapped(board: &Board, map: impl Fn(Bitboard) -> Bitboard) -> Board {
    let mut image = *board;
    image.roles = image.roles.map(&map);
    image.colors = image.colors.map(&map);
    image
}
