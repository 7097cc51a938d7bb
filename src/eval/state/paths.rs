//! State that paths and lines keep for the rest of a game (chapter 7, 5 and 7).

use std::collections::HashMap;

use super::visited::Visited;

/// How large a table may be that waits for the next game.
const MOST_TABLE_BYTES: usize = 16 << 20;

/// The path that is being evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ActivePath {
    pub(crate) start: u32,
    /// How many moves were taken.
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

/// What paths and lines know of each other.
#[derive(Debug, Default)]
pub(crate) struct PathState {
    /// The innermost path that is being evaluated.
    pub(crate) active: Option<ActivePath>,
    /// The path that matched last.
    pub(crate) matched: Option<MatchedPath>,
    /// By filter, told apart by their addresses: where it may not begin.
    banned: HashMap<usize, Vec<bool>>,
    /// Tables to be used again.
    pub(crate) tables: Vec<Visited>,
    /// About how many bytes the tables take, those in use among them.
    table_bytes: usize,
}

impl PathState {
    /// About how many bytes its tables take.
    pub(crate) fn bytes(&self) -> usize {
        self.table_bytes
    }

    /// Notes that the tables take this many bytes more.
    pub(crate) fn note(&mut self, bytes: usize) {
        self.table_bytes += bytes;
    }

    /// Forgets what was left behind by a game.
    pub(crate) fn clear(&mut self) {
        self.active = None;
        self.matched = None;
        self.banned.clear();
        // Of a giant game no table is kept.
        let is_small = |table: &Visited| table.bytes() <= MOST_TABLE_BYTES;
        self.tables.retain(is_small);
        self.table_bytes = self.tables.iter().map(Visited::bytes).sum();
    }

    /// Whether a `path` or `line` may not begin at a position.
    pub(crate) fn is_banned<T>(&self, filter: &T, position: u32) -> bool {
        self.banned
            .get(&address(filter))
            .and_then(|banned| banned.get(position as usize).copied())
            .unwrap_or(false)
    }

    /// Keeps a `path` or `line` from beginning at a position.
    pub(crate) fn ban<T>(&mut self, filter: &T, position: u32) {
        let banned = self.banned.entry(address(filter)).or_default();
        let place = position as usize;
        if banned.len() <= place {
            banned.resize(place + 1, false);
        }
        banned[place] = true;
    }
}

/// Every copy of a filter that a transform makes has an address of its own, which lasts as long as the query.
fn address<T>(filter: &T) -> usize {
    std::ptr::from_ref(filter).addr()
}
