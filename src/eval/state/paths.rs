//! State that paths and lines keep for the rest of a game (chapter 7, 5 and 7).

use std::collections::HashMap;

use super::visited::Visited;

/// The largest table, in bytes, that is kept for the next game.
const MOST_TABLE_BYTES: usize = 16 << 20;

/// The path that is being evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActivePath {
    pub(crate) start: u32,
    /// The number of moves played so far.
    pub(crate) count: i32,
    /// The last position of the best sequence so far.
    pub(crate) last: Option<u32>,
}

/// A path that matched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MatchedPath {
    pub(crate) start: u32,
    pub(crate) count: i32,
    pub(crate) last: u32,
}

/// State shared by paths and lines.
#[derive(Debug, Default)]
pub(crate) struct PathState {
    /// The innermost path that is being evaluated.
    pub(crate) active: Option<ActivePath>,
    /// The path that matched last.
    pub(crate) matched: Option<MatchedPath>,
    /// By the address of a filter: the positions where it may not begin.
    banned: HashMap<usize, Vec<bool>>,
    /// Tables kept for reuse.
    pub(crate) tables: Vec<Visited>,
    /// Roughly the bytes that the tables take, including those in use.
    table_bytes: usize,
}

impl PathState {
    /// Returns roughly how many bytes its tables take.
    pub(crate) fn bytes(&self) -> usize {
        self.table_bytes
    }

    /// Notes that the tables take this many more bytes.
    pub(crate) fn note(&mut self, bytes: usize) {
        self.table_bytes += bytes;
    }

    /// Clears the state left by a game.
    pub(crate) fn clear(&mut self) {
        self.active = None;
        self.matched = None;
        self.banned.clear();
        // The large table of a giant game is not kept.
        let is_small = |table: &Visited| table.bytes() <= MOST_TABLE_BYTES;
        self.tables.retain(is_small);
        self.table_bytes = self.tables.iter().map(Visited::bytes).sum();
    }

    /// Returns whether a `path` or `line` may not begin at a position.
    pub(crate) fn is_banned<T>(&self, filter: &T, position: u32) -> bool {
        self.banned
            .get(&address(filter))
            .and_then(|banned| banned.get(position as usize).copied())
            .unwrap_or(false)
    }

    /// Prevents a `path` or `line` from beginning at a position.
    pub(crate) fn ban<T>(&mut self, filter: &T, position: u32) {
        let banned = self.banned.entry(address(filter)).or_default();
        let place = position as usize;
        if banned.len() <= place {
            banned.resize(place + 1, false);
        }
        banned[place] = true;
    }
}

/// Returns the address of a filter. Each copy of a filter that a transform makes has its own address, which stays the same as
/// long as the query exists.
fn address<T>(filter: &T) -> usize {
    std::ptr::from_ref(filter).addr()
}
