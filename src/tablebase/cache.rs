//! A cache of the last answers of a thread.

use super::{Endgame, Metric, Tablebase, Unknown, Unreadable};
use crate::board::Bitboard;

/// The number of positions remembered. A power of two.
const ENTRIES: usize = 1024;

/// The answers for the positions that were looked up last, each at an index chosen by its pieces. The size is fixed, and
/// nothing is allocated before the first lookup.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    entries: Vec<Entry>,
    /// The files found missing, in the order in which they were needed.
    missing: Vec<Box<str>>,
    /// The number of them that have been reported.
    told: usize,
}

/// A position, and for each metric the number that was looked up, if the tables have one.
#[derive(Clone, Copy, Debug)]
struct Entry {
    endgame: Endgame,
    numbers: [Option<Option<i32>>; 2],
}

impl Cache {
    /// Returns a number of a position; `None` if the tables have none. Notes each missing file once for
    /// [`newly_missing`](Cache::newly_missing).
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or is damaged.
    pub(crate) fn probe(
        &mut self,
        tables: &Tablebase,
        metric: Metric,
        endgame: &Endgame,
    ) -> Result<Option<i32>, Unreadable> {
        if self.entries.is_empty() {
            self.entries.resize(ENTRIES, Entry::new(*endgame));
        }
        let entry = &mut self.entries[place(endgame)];
        if entry.endgame != *endgame {
            *entry = Entry::new(*endgame);
        }
        let known = &mut entry.numbers[metric as usize];
        if let Some(number) = known {
            return Ok(*number);
        }
        let number = match tables.probe(metric, endgame) {
            Ok(number) => Some(number),
            Err(Unknown::NotCovered) => None,
            Err(Unknown::Missing(file)) => {
                if !self.missing.contains(&file) {
                    self.missing.push(file);
                }
                None
            }
            Err(Unknown::Unreadable(unreadable)) => return Err(unreadable),
        };
        *known = Some(number);
        Ok(number)
    }

    /// Returns the files found missing since the last call.
    pub(crate) fn newly_missing(&mut self) -> &[Box<str>] {
        let told = std::mem::replace(&mut self.told, self.missing.len());
        &self.missing[told..]
    }
}

impl Entry {
    /// Creates the entry of a position that was not looked up yet.
    fn new(endgame: Endgame) -> Entry {
        Entry {
            endgame,
            numbers: [None; 2],
        }
    }
}

/// Returns the index of a position in the cache.
fn place(endgame: &Endgame) -> usize {
    let board = &endgame.board;
    let roles = &board.roles;
    // Each factor is an odd number without a pattern, so that all squares take part in the choice.
    let parts: [(Bitboard, u64); 7] = [
        (board.colors.white, 0x9e37_79b9_7f4a_7c15),
        (roles.pawn, 0xbf58_476d_1ce4_e5b9),
        (roles.knight, 0x94d0_49bb_1331_11eb),
        (roles.bishop, 0xd6e8_feb8_6659_fd93),
        (roles.rook, 0xa076_1d64_78bd_642f),
        (roles.queen, 0xe703_7ed1_a0b4_28db),
        (roles.king, 0x8ebc_6af0_9c88_c6e3),
    ];
    let mixed = parts.iter().fold(endgame.turn as u64, |mixed, (squares, factor)| {
        (mixed ^ squares.0).wrapping_mul(*factor).rotate_left(29)
    });
    (mixed >> 40) as usize % ENTRIES
}
