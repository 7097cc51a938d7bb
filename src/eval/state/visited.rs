//! States that a search for a path or line has visited.

use std::collections::HashSet;

use crate::query::ast::program::{Address, Counters, Program, Step};

/// A point that the search has reached in a program.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    pub(crate) place: Address,
    pub(crate) counters: Counters,
}

/// The states of a program that were entered, each with a position.
#[derive(Debug, Default)]
pub(crate) struct Visited {
    /// By place and position: the last search that was there. Programs without counters need nothing else.
    searches: Vec<u32>,
    search: u32,
    positions: usize,
    /// States with counters.
    counted: HashSet<(Address, u32, Counters)>,
    /// The bytes by which the states have grown since the last call of `grown`.
    grown: usize,
}

/// The most states with counters that are kept. States beyond this limit are entered again.
const MOST_COUNTED: usize = 4_000_000;

impl Visited {
    /// Returns roughly how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.searches.len() * size_of::<u32>() + self.counted.capacity() * size_of::<(Address, u32, Counters)>()
    }

    /// Returns how many more bytes it takes since the last call.
    pub(crate) fn grown(&mut self) -> usize {
        std::mem::take(&mut self.grown)
    }

    /// Clears everything for a new search among this many positions.
    pub(crate) fn begin<S: Step>(&mut self, program: &Program<S>, positions: usize) {
        self.counted.clear();
        let size = program.places() * positions;
        if self.searches.len() < size || self.positions != positions || self.search == u32::MAX {
            self.searches.clear();
            self.searches.resize(size, 0);
            self.search = 0;
            self.positions = positions;
        }
        self.search += 1;
    }

    /// Returns whether a thread is the first in its state at a position.
    pub(crate) fn enter<S: Step>(&mut self, program: &Program<S>, thread: &Thread, position: u32) -> bool {
        if program.has_counters() {
            let before = self.counted.capacity();
            let is_new = self.counted.len() >= MOST_COUNTED
                || self.counted.insert((thread.place, position, thread.counters.clone()));
            self.grown += (self.counted.capacity() - before) * size_of::<(Address, u32, Counters)>();
            return is_new;
        }
        let index = thread.place as usize * self.positions + position as usize;
        match self.searches.get_mut(index) {
            Some(search) => std::mem::replace(search, self.search) != self.search,
            None => true,
        }
    }
}
