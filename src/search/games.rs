//! What a run needs of games, wherever they come from: batches, and what reads them.

use std::io;
#[cfg(feature = "database")]
use std::ops::Range;
use std::ops::{ControlFlow, RangeInclusive};

use super::error::RunError;
#[cfg(feature = "database")]
use crate::board::columns::Lanes;
use crate::game::Warning;
use crate::output::GameFacts;

/// Some successive games of an input, not yet parsed.
pub(crate) trait Batch: Default + Send {
    /// How many games there are.
    fn len(&self) -> usize;
    /// Whether there is none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The number of a game; numbers grow over all inputs of a run.
    fn number(&self, index: usize) -> u64;
    /// Bytes of its text, as far as they are in memory.
    fn bytes(&self) -> usize {
        0
    }
    /// What is wrong with the input, in the order of the games.
    fn warnings(&self) -> &[Warning];
    /// For each warning the number of the game up to which it is said. Where there is none, the warning's own game counts.
    fn dues(&self) -> &[u64] {
        &[]
    }
}

/// The input of a search: all its games, cut into batches.
pub(crate) trait Games: Send {
    /// What they are cut into.
    type Batch: Batch;
    /// Refills a batch with the next games; `false` when there are none.
    ///
    /// # Errors
    /// When an input cannot be read.
    fn next(&mut self, batch: &mut Self::Batch) -> Result<bool, RunError>;
    /// The number of the last game, at most the last that is wanted, without changing what [`next`](Games::next) gives; `None`
    /// when that would need an input that can be read twice.
    ///
    /// # Errors
    /// When an input cannot be read.
    fn last_number(&self, _last_wanted: u64) -> Result<Option<u64>, RunError> {
        Ok(None)
    }
    /// How many bytes have been read, of the total that a progress bar was given.
    fn bytes_read(&self) -> u64;
}

/// Makes games of their text, on one thread.
pub(crate) trait ReadGames {
    /// Where the text is.
    type Batch: Batch;
    /// What becomes of it.
    type Game: Default;
    /// Reads the games of a batch, with as much of each as the query needs, and shows them to `visitor` in order until it
    /// breaks.
    ///
    /// # Errors
    /// When the batch turns out to be damaged.
    fn read(&mut self, batch: &Self::Batch, visitor: &mut dyn VisitGames<Self::Game>) -> Result<(), RunError>;
    /// Adds to a game that was read what is missing to all that is in it, if that is nothing that a query could tell; whether nothing is
    /// missing now.
    ///
    /// # Errors
    /// When the batch turns out to be damaged.
    fn complete(_batch: &Self::Batch, _index: usize, _game: &mut Self::Game) -> Result<bool, RunError> {
        Ok(false)
    }
    /// Reads one game with all that is in it, variations and comments too, into the memory of one that nobody needs any more. Positions
    /// of the main line have the same numbers as in what a query sees of it.
    ///
    /// # Errors
    /// When the batch turns out to be damaged.
    fn read_whole(batch: &Self::Batch, index: usize, spare: Option<Self::Game>) -> Result<Self::Game, RunError>;
    /// What is said of a game of a batch that cannot be read, where that keeps no other one from being read; `None` where an error ends the
    /// run.
    fn complaint(_batch: &Self::Batch, _index: usize, _error: &RunError) -> Option<Warning> {
        None
    }
    /// Whether a game takes so much memory that it is not kept for the next one.
    fn is_large(_game: &Self::Game) -> bool {
        false
    }
    /// Whether a game whose moves were read has one position.
    fn is_lone(_game: &Self::Game) -> bool {
        false
    }
    /// Whether the positions of a game whose moves were read have been made.
    fn has_positions(_game: &Self::Game) -> bool {
        true
    }
    /// Whether a game has variations, as far as its text was read.
    fn has_variations(_game: &Self::Game) -> bool {
        false
    }
    /// What was wrong with the text of a game.
    fn warnings(game: &Self::Game) -> &[Warning];
    /// What the formats ask of a game.
    fn facts<'a>(batch: &'a Self::Batch, game: &'a Self::Game) -> impl GameFacts + 'a;
}

/// Sees the games of a batch.
pub(crate) trait VisitGames<Game> {
    /// Whether the moves of a game shall be read. It has its number, tags and result, but no positions.
    fn wants(&mut self, game: &Game) -> bool;
    /// Learns which queries may match the game that was wanted. `may_match` has several games for each query for which the reader was made,
    /// and this one is in that lane. Returns whether a query that wants its moves may match it.
    #[cfg(feature = "database")]
    fn rule_out(&mut self, _may_match: &[Lanes], _lane: usize) -> bool {
        true
    }
    /// Counts some successive games, in which nothing can be found, if nothing is to be said of any of them; whether it did.
    #[cfg(feature = "database")]
    fn pass_over(&mut self, _games: Range<usize>) -> bool {
        false
    }
    /// The same for games that someone may want to see first: then it does not.
    #[cfg(feature = "database")]
    fn pass_over_some(&mut self, _games: Range<usize>) -> bool {
        false
    }
    /// Takes the game with this index in the batch, as far as it was read. Another one may stand in its place afterwards, whose memory is
    /// free for the next. What is said of several games may be said later, when `make_positions` makes what some of them lack.
    ///
    /// # Errors
    /// Those of `make_positions`.
    fn visit(
        &mut self,
        index: usize,
        game: &mut Game,
        reach: Reach,
        make_positions: &mut MakePositions<'_, Game>,
    ) -> io::Result<ControlFlow<()>>;
    /// No further game of the batch comes.
    ///
    /// # Errors
    /// Those of `make_positions`.
    fn finish(&mut self, _make_positions: &mut MakePositions<'_, Game>) -> io::Result<()> {
        Ok(())
    }
}

/// How far a game was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// Its moves are read; its boards may stand side by side without any positions.
    Moves,
    /// Only what was known before its moves: nobody wanted it, or nothing can be found in it.
    Head,
    /// It cannot be read from its beginning; nobody was asked whether it was wanted.
    Nothing,
    /// The file is damaged where it stands, so nobody knows what it is like.
    #[cfg(feature = "database")]
    Damaged,
}

/// Makes the positions of a game with this index in the batch of which only the boards stand side by side; whether there are some.
pub(crate) type MakePositions<'m, Game> = dyn FnMut(usize, &mut Game) -> io::Result<bool> + 'm;

/// The range of a header as numbers of games, which begin with 1: an empty range is 0 alone.
pub(super) fn wanted_numbers(range: Option<(i32, i32)>) -> RangeInclusive<u64> {
    let number = |n| u64::try_from(n).unwrap_or(0);
    match range {
        None => 1..=u64::MAX,
        Some((first, last)) if first <= last => number(first)..=number(last),
        Some(_) => 0..=0,
    }
}
