//! Memos of a game: values of filters that depend on the position alone.

use crate::query::Query;

use super::consecutive::ConsecutiveMemo;
use super::index::Index;

/// All memos of a game.
#[derive(Debug, Default)]
pub(crate) struct Memos {
    /// One for each `find` that has a memo.
    pub(crate) finds: Vec<FindMemo>,
    /// One for each `find` whose positions are looked up, once it is known.
    pub(crate) lookups: Vec<Option<Index>>,
    /// One for each `echo`.
    pub(crate) echoes: Vec<EchoMemo>,
    /// One for each `consecutivemoves`.
    pub(crate) runs: Vec<ConsecutiveMemo>,
    /// About how many bytes they take in this game.
    bytes: usize,
}

/// Where the body of a `find` matches.
#[derive(Debug, Default)]
pub(crate) struct FindMemo {
    /// By position.
    pub(crate) matches: Answers,
    /// By position: the nearest match on the way back, if it is known.
    pub(crate) nearest: Vec<Option<Nearest>>,
}

/// The nearest position on the way back where something matches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Nearest {
    At(u32),
    Nowhere,
}

/// What is known of the targets of an `echo`.
#[derive(Debug, Default)]
pub(crate) struct EchoMemo {
    /// By position: whether what is asked of the target alone holds.
    pub(crate) targets: Answers,
    /// Targets by what must equal values of the source.
    pub(crate) index: Option<Index>,
}

/// Whether something holds, position by position, as far as it is known.
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

    /// About how many bytes they take in this game.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Notes that one of them takes this many bytes more.
    pub(crate) fn note(&mut self, bytes: usize) {
        self.bytes += bytes;
    }

    /// Forgets the game.
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
    /// Whether there is room for no position yet.
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

    /// The first position of a range that holds or may hold.
    pub(crate) fn next_possible(&self, first: u32, last: u32) -> Option<u32> {
        memchr::memchr2(UNKNOWN, YES, self.part(first, last)).map(|place| first + place as u32)
    }

    /// The first position of a range of which nothing is known.
    pub(crate) fn next_unknown(&self, first: u32, last: u32) -> Option<u32> {
        memchr::memchr(UNKNOWN, self.part(first, last)).map(|place| first + place as u32)
    }

    /// The positions of a range that hold.
    pub(crate) fn holding(&self, first: u32, last: u32) -> impl Iterator<Item = u32> {
        memchr::memchr_iter(YES, self.part(first, last)).map(move |place| first + place as u32)
    }

    /// How many positions of a range hold, counted without going through them one by one.
    pub(crate) fn count_holding(&self, first: u32, last: u32) -> usize {
        memchr::memchr_iter(YES, self.part(first, last)).count()
    }

    fn part(&self, first: u32, last: u32) -> &[u8] {
        self.0.get(first as usize..=last as usize).unwrap_or_default()
    }
}
