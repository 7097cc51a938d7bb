//! What a run needs from any source of games: batches and a reader for them.

use std::io;
use std::ops::{ControlFlow, Range, RangeInclusive};

use super::error::RunError;
use crate::board::columns::Lanes;
use crate::game::Warning;
use crate::output::GameFacts;
use crate::query::TagCondition;

/// Some successive games of an input, not yet parsed.
pub(crate) trait Batch: Default + Send {
    /// Returns the number of games.
    fn len(&self) -> usize;
    /// Returns whether there are no games.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Returns the number of the game with this index. Numbers grow over all inputs of a run.
    fn number(&self, index: usize) -> u64;
    /// Returns the bytes of the text that are in memory.
    fn bytes(&self) -> usize {
        0
    }
    /// Returns the warnings about the input, in the order of the games.
    fn warnings(&self) -> &[Warning];
    /// Returns for each warning the number of the game at which it is due. Without an entry the warning's own game counts.
    fn dues(&self) -> &[u64] {
        &[]
    }
}

/// The input of a search: all its games, cut into batches.
pub(crate) trait Games: Send {
    /// The type of the batches.
    type Batch: Batch;
    /// Refills a batch with the next games. Returns `false` if there are none.
    ///
    /// # Errors
    /// Returns an error if an input cannot be read.
    fn next(&mut self, batch: &mut Self::Batch) -> Result<bool, RunError>;
    /// Returns the number of the last game, but at most `last_wanted`. This does not change what [`next`](Games::next) returns. Returns `None`
    /// if an input would have to be read twice and cannot be.
    ///
    /// # Errors
    /// Returns an error if an input cannot be read.
    fn last_number(&self, _last_wanted: u64) -> Result<Option<u64>, RunError> {
        Ok(None)
    }
    /// Returns how many bytes have been read, on the scale of a progress bar's total.
    fn bytes_read(&self) -> u64;
}

/// Makes games from batches, on one thread.
pub(crate) trait ReadGames {
    /// The type of the batches.
    type Batch: Batch;
    /// The type of the games.
    type Game: Default;
    /// Reads the games of a batch, each as far as the query needs, and shows them to `visitor` in order until it breaks.
    ///
    /// # Errors
    /// Returns an error if the batch turns out to be damaged.
    fn read(&mut self, batch: &Self::Batch, visitor: &mut dyn VisitGames<Self::Game>) -> Result<(), RunError>;
    /// Completes a game that was read, if it lacks only things that no query can notice. Returns whether the game is complete now.
    ///
    /// # Errors
    /// Returns an error if the batch turns out to be damaged.
    fn complete(_batch: &Self::Batch, _index: usize, _game: &mut Self::Game) -> Result<bool, RunError> {
        Ok(false)
    }
    /// Reads one game as a whole, including variations and comments, into the memory of `spare`. Positions of the main line keep the numbers that
    /// a query sees.
    ///
    /// # Errors
    /// Returns an error if the batch turns out to be damaged.
    fn read_whole(batch: &Self::Batch, index: usize, spare: Option<Self::Game>) -> Result<Self::Game, RunError>;
    /// Returns the warning about a game that cannot be read, if the other games can. Returns `None` if the error ends the run.
    fn complaint(_batch: &Self::Batch, _index: usize, _error: &RunError) -> Option<Warning> {
        None
    }
    /// Returns whether a game takes too much memory to be kept for the next one.
    fn is_large(_game: &Self::Game) -> bool {
        false
    }
    /// Returns whether a game whose moves were read has a single position.
    fn is_lone(_game: &Self::Game) -> bool {
        false
    }
    /// Returns whether the positions of a game whose moves were read have been made.
    fn has_positions(_game: &Self::Game) -> bool {
        true
    }
    /// Returns whether the part of a game that was read has variations.
    fn has_variations(_game: &Self::Game) -> bool {
        false
    }
    /// Returns the warnings about the text of a game.
    fn warnings(game: &Self::Game) -> &[Warning];
    /// Returns what output formats need to know about a game.
    fn facts<'a>(batch: &'a Self::Batch, game: &'a Self::Game) -> impl GameFacts + 'a;
}

/// Which of some successive games the narrowing of a search leaves alone.
#[derive(Clone, Copy)]
pub(crate) enum LeftAlone<'a> {
    /// All, for each search.
    All,
    /// These lanes, for each search of the reader, or none. The first game is in this lane.
    Lanes(&'a [Lanes], usize),
}

/// Sees the games of a batch.
pub(crate) trait VisitGames<Game> {
    /// Returns whether the moves of a game must be read. The game has its number, tags and result, but no positions.
    fn wants(&mut self, game: &Game) -> bool;
    /// Learns which queries may match the game that was wanted. `may_match` has sixteen games for each query of the reader; this one is in `lane`.
    /// Returns whether a query that wants its moves may match it.
    fn rule_out(&mut self, _may_match: &[Lanes], _lane: usize) -> bool {
        true
    }
    /// Returns whether a game that only has the tag that a condition reads fulfils it, for the query with this place among those of the reader.
    /// Returns `None` if that is undecided.
    fn fulfils(&mut self, _place: usize, _condition: &TagCondition, _game: &Game) -> Option<bool> {
        None
    }
    /// Counts successive games in which nothing can be found, if nothing has to be reported about them. Returns whether it did.
    fn pass_over(&mut self, _games: Range<usize>, _left_alone: LeftAlone<'_>) -> bool {
        false
    }
    /// Takes the game with this index in the batch, as far as it was read. Afterwards `game` may be another one, whose memory is free for the
    /// next. Results may be recorded later, for several games together; `make_positions` then makes the positions that are missing.
    ///
    /// # Errors
    /// Returns the errors of `make_positions`.
    fn visit(
        &mut self,
        index: usize,
        game: &mut Game,
        reach: Reach,
        make_positions: &mut MakePositions<'_, Game>,
    ) -> io::Result<ControlFlow<()>>;
    /// Ends the batch: no further game comes.
    ///
    /// # Errors
    /// Returns the errors of `make_positions`.
    fn finish(&mut self, _make_positions: &mut MakePositions<'_, Game>) -> io::Result<()> {
        Ok(())
    }
}

/// How far a game was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reach {
    /// Its moves were read; perhaps only its boards were laid out, without positions.
    Moves,
    /// Only what comes before its moves: no query wants it, or nothing can be found in it.
    Head,
    /// Nothing: it is outside the narrowing of every search.
    LeftAlone,
    /// It cannot be read from its beginning; the visitor was not asked about it.
    Nothing,
    /// The file is damaged here, so nothing is known about the game.
    Damaged,
}

/// Makes the positions of the game with this index in the batch if only its boards were laid out. Returns how far it is read now: it has positions only
/// if its moves are.
pub(crate) type MakePositions<'m, Game> = dyn FnMut(usize, &mut Game) -> io::Result<Reach> + 'm;

/// Returns the range of a header as numbers of games. Games are numbered from 1, so an empty range becomes `0..=0`.
pub(super) fn wanted_numbers(range: Option<(i32, i32)>) -> RangeInclusive<u64> {
    let number = |n| u64::try_from(n).unwrap_or(0);
    match range {
        None => 1..=u64::MAX,
        Some((first, last)) if first <= last => number(first)..=number(last),
        Some(_) => 0..=0,
    }
}
