//! Memos of a game: values of filters that depend only on the position.

use crate::query::Query;

use super::consecutive::ConsecutiveMemo;
use super::index::Index;

/// All memos of a game.
#[derive(Debug, Default)]
pub(crate) struct Memos {
    /// One for each `find` with a memo.
    pub(crate) finds: Vec<FindMemo>,
    /// One for each `find` whose positions are looked up; `None` until it is made.
    pub(crate) lookups: Vec<Option<Index>>,
    /// One for each `echo`.
    pub(crate) echoes: Vec<EchoMemo>,
    /// One for each `consecutivemoves`.
    pub(crate) runs: Vec<ConsecutiveMemo>,
    /// Roughly the bytes that they take in this game.
    bytes: usize,
}

/// Where the body of a `find` matches.
#[derive(Debug, Default)]
pub(crate) struct FindMemo {
    /// Indexed by position.
    pub(crate) matches: Answers,
    /// By position: the nearest match on the way back, if it is known.
    pub(crate) nearest: Vec<Option<Nearest>>,
}

/// The nearest position on the way back where the body matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Nearest {
    At(u32),
    Nowhere,
}

/// The memo of the targets of an `echo`.
#[derive(Debug, Default)]
pub(crate) struct EchoMemo {
    /// By position: whether the tests of the target hold.
    pub(crate) targets: Answers,
    /// The targets by the values that must equal those of the source.
    pub(crate) index: Option<Index>,
}

/// Whether a condition holds at each position, if it is known.
#[derive(Debug, Default)]
pub(crate) struct Answers(Vec<u8>);

const UNKNOWN: u8 = 0;
const NO: u8 = 1;
const YES: u8 = 2;

impl Memos {
    pub(crate) fn new(query: &Query) -> Memos {
        Memos {
            finds: (0..query.memos.finds).map(|_| FindMemo::default()).collect(),
            lookups: (0..query.memos.lookups).map(|_| None).collect(),
            echoes: (0..query.memos.echoes).map(|_| EchoMemo::default()).collect(),
            runs: (0..query.runs).map(|_| ConsecutiveMemo::default()).collect(),
            bytes: 0,
        }
    }

    /// Returns roughly how many bytes they take in this game.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Notes that one of them takes this many more bytes.
    pub(crate) fn note(&mut self, bytes: usize) {
        self.bytes += bytes;
    }

    /// Clears the memos for a new game.
    pub(crate) fn clear(&mut self) {
        for memo in &mut self.finds {
            memo.matches.0.clear();
            memo.nearest.clear();
        }
        self.lookups.fill(None);
        for memo in &mut self.echoes {
            memo.targets.0.clear();
            memo.index = None;
        }
        self.runs.iter_mut().for_each(ConsecutiveMemo::clear);
        self.bytes = 0;
    }
}

impl Answers {
    /// Returns whether there is no room for positions yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Makes room for all positions of a game.
    pub(crate) fn resize(&mut self, positions: usize) {
        self.0.resize(positions, UNKNOWN);
    }

    pub(crate) fn get(&self, position: u32) -> Option<bool> {
        match self.0.get(position as usize) {
            Some(&YES) => Some(true),
            Some(&NO) => Some(false),
            _ => None,
        }
    }

    pub(crate) fn set(&mut self, position: u32, holds: bool) {
        if let Some(answer) = self.0.get_mut(position as usize) {
            *answer = if holds { YES } else { NO };
        }
    }

    /// Returns the first position of a range where the condition holds or may hold.
    pub(crate) fn next_possible(&self, first: u32, last: u32) -> Option<u32> {
        memchr::memchr2(UNKNOWN, YES, self.part(first, last)).map(|place| first + place as u32)
    }

    /// Returns the first position of a range where the answer is unknown.
    pub(crate) fn next_unknown(&self, first: u32, last: u32) -> Option<u32> {
        memchr::memchr(UNKNOWN, self.part(first, last)).map(|place| first + place as u32)
    }

    /// Returns the positions of a range where the condition holds.
    pub(crate) fn holding(&self, first: u32, last: u32) -> impl Iterator<Item = u32> {
        memchr::memchr_iter(YES, self.part(first, last)).map(move |place| first + place as u32)
    }

    /// Returns the number of positions in a range where the condition holds. They are not counted one by one.
    pub(crate) fn count_holding(&self, first: u32, last: u32) -> usize {
        memchr::memchr_iter(YES, self.part(first, last)).count()
    }

    fn part(&self, first: u32, last: u32) -> &[u8] {
        self.0.get(first as usize..=last as usize).unwrap_or_default()
    }
}
