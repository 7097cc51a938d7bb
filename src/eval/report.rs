//! The interface between the evaluation and the rest of the program.

use std::fmt;
use std::sync::Arc;

use bitflags::bitflags;

use crate::board::columns::Lanes;
use crate::board::{Bitboard, Square};
use crate::chess::Arrival;
use crate::game::Warning;
use crate::limits::{Interrupt, Memory};
use crate::query::{SortKey, TagCondition};
use crate::syntax::Diagnostic;
use crate::syntax::token::Span;

/// A compiled query, as the search sees it.
///
/// It is shared by all threads. Each thread gets its own evaluator, which holds the changing state.
pub trait Compiled: Sync {
    /// The type of the games that it evaluates.
    type Game;
    /// The data that it needs before the first game.
    type Prepared: Sync;
    /// Evaluates it on one thread.
    type Evaluator<'q>: Evaluate<Self::Game>
    where
        Self: 'q;

    /// Returns whether [`prepare`](Compiled::prepare) needs the number of the last game, for which the input is read an extra time.
    fn needs_last_game(&self) -> bool;

    /// Reads the data needed before the first game. `last_game` is the number of the last game to look at, if it is known.
    /// Reading may take long. If interrupted, it returns what was read until then.
    ///
    /// # Errors
    /// Returns an error if something cannot be read.
    fn prepare(&self, last_game: Option<u64>, interrupt: &Arc<Interrupt>) -> Result<Self::Prepared, Stop>;

    /// Returns an evaluator in its initial state. Its reports may leave out anything not in `extras`.
    fn evaluator<'q>(&'q self, prepared: &'q Self::Prepared, extras: Extras) -> Self::Evaluator<'q>;

    /// Returns the sort keys, most significant first. Empty for a query that does not sort.
    fn sort_keys(&self) -> &[SortKey];

    /// Returns whether games have to be evaluated one after another in the order of the input, because some state outlives a game:
    /// persistent variables, dictionaries, or written files.
    fn is_serial(&self) -> bool;

    /// Returns whether games may wait, so that several are evaluated together.
    fn may_wait(&self) -> bool {
        !self.is_serial()
    }

    /// Returns the memory budget, which all queries with the same budget share.
    fn memory(&self) -> &Arc<Memory>;

    /// Returns the place to show in an error about the whole query.
    fn span(&self) -> Span;

    /// Returns the first and the last number of the games to look at, both inclusive. May be any numbers if the first is larger than the last.
    fn game_numbers(&self) -> Option<(i32, i32)>;
}

bitflags! {
    /// The optional parts of a report, which are filled only if the output shows them.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Extras: u8 {
        /// [`GameReport::comments`], with games that match read as a whole.
        const COMMENTS = 1;
        /// [`GameReport::comments`], with games read only as far as the query needs.
        const REMARKS = 1 << 1;
        /// [`GameReport::highlights`].
        const HIGHLIGHTS = 1 << 2;
        /// Only the [moves that were tried](Highlights::tried), but all of them, however long it takes to find them.
        const TRIED = 1 << 3;
        /// Only the ids of matching positions are needed, so games need no positions unless something else needs them.
        const IDS_ALONE = 1 << 4;
    }
}

/// Returns whether to end the evaluation early.
pub type CalledOff<'a> = dyn Fn() -> bool + 'a;

/// Says whether a game is worth reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relevance {
    /// It may match.
    Wanted,
    /// It does not match, whatever its moves are.
    Unwanted,
    /// It is not among the games that are searched.
    LeftAlone,
}

/// Evaluates one query on games.
pub trait Evaluate<Game> {
    /// Data shared by the queries about the games that wait together, computed once for all of them.
    type Batch: Default;

    /// Returns whether the game is worth reading. Called when its number, tags and result are known, but not its positions. A game that is
    /// not wanted does not match. If `called_off` ends this early, the game is unwanted and nothing is known about it.
    ///
    /// # Errors
    /// Returns an error if the query asks for something impossible. No further game may be evaluated then.
    fn wants(&mut self, _game: &Game, _called_off: &CalledOff<'_>) -> Result<Relevance, Stop> {
        Ok(Relevance::Wanted)
    }

    /// Returns whether a game that only has some of its tags fulfils a condition on them. Returns `None` if evaluating it ends the run.
    fn passes(&mut self, _condition: &TagCondition, _game: &Game) -> Option<bool> {
        None
    }

    /// Returns whether it [wants](Evaluate::wants) every game, so `wants` need not be called.
    fn wants_all(&self) -> bool {
        false
    }

    /// Returns whether the positions of a game that is not ruled out are needed. Called if the game was not ruled out when it only had its
    /// [`Game::columns`](crate::game::Game::columns). A game without positions is evaluated only after a `false`.
    fn needs_positions(&mut self, _game: &Game) -> bool {
        true
    }

    /// Returns whether a cheap test shows that a wanted game does not match and that there is nothing to report about it.
    fn rules_out(&mut self, _game: &Game) -> bool {
        false
    }

    /// Returns those of the waiting games that are not ruled out. Each game has the lane of its place. `batch` holds what was computed for
    /// other queries.
    fn possible<'g>(&self, places: Lanes, _game: impl Fn(usize) -> Option<&'g Game>, _batch: &Self::Batch) -> Lanes
    where
        Game: 'g,
    {
        places
    }

    /// Evaluates the query at every position of a game, until `called_off` says that the search was cancelled.
    /// `called_off` is called repeatedly, also while a position is evaluated.
    ///
    /// # Errors
    /// Returns an error if the query asks for something impossible. No further game may be evaluated then.
    fn evaluate(&mut self, game: &Game, called_off: &CalledOff<'_>) -> Result<&GameReport, Stop>;

    /// Writes the text printed if the run ends here, as complete lines. If a query is not serial, this text must not depend
    /// on the games.
    fn closing(&self, _out: &mut Vec<u8>) {}
}

/// The result of evaluating one game.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameReport {
    /// Whether the game matches, including `matchcount`.
    pub matched: bool,
    /// Whether the evaluation was cancelled. Then the report covers the positions before. A game with `matchcount` does not match
    /// then, because the number of matching positions is unknown.
    pub called_off: bool,
    /// The `positionid`s of matching positions in the order of evaluation. A game need not match although some positions do.
    pub positions: Vec<u32>,
    /// What made each matching position match, in the order of `positions`. Filled only when highlights are wanted.
    pub highlights: Vec<Highlights>,
    /// Added comments with their positions, in their final order. Filled only when comments are wanted.
    pub comments: Vec<(u32, Vec<u8>)>,
    /// Whether comments that their position already has are written again.
    pub repeats_comments: bool,
    /// The positions that lose their original comment.
    pub removed_comments: Vec<u32>,
    /// Tags set by `settag`: names and values in order.
    pub tags: Vec<(Vec<u8>, Vec<u8>)>,
    /// The game's value of each sort key; `None` if it has no value.
    pub keys: Vec<Option<SortValue>>,
    /// The values requested by options at matching positions, in the order of [`positions`](GameReport::positions): all values of one position, then
    /// those of the next.
    pub values: Vec<MatchValue>,
    /// The output of `message`: complete lines.
    pub messages: Vec<u8>,
    /// Warnings for the user, other than errors in the game.
    pub warnings: Vec<Warning>,
}

/// The value of a filter as it is stored and reported.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum MatchValue {
    /// No value.
    #[default]
    Unknown,
    /// The value of a number.
    Number(i32),
    /// The value of a string.
    Text(Vec<u8>),
    /// The value of a set, ordered as a number whose lowest bit is a1.
    Squares(Bitboard),
    /// The value of a condition.
    Truth(bool),
    /// The `positionid` of a position.
    Position(u32),
}

/// The parts of a position that made it match and can be shown on the board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Highlights {
    /// Squares that the query refers to.
    pub squares: Bitboard,
    /// Lines of sight, each from the piece that looks to the square that it looks at.
    pub rays: Vec<(Square, Square)>,
    /// Moves, by origin and destination.
    pub moves: Vec<(Square, Square)>,
    /// The first and the last position of the played moves that the match refers to: in paths, lines and dashes, including
    /// dashes after dashes. The last follows the first in the game.
    pub line: Option<(u32, u32)>,
    /// The moves tried here after which the query's target holds. Moves that were only listed do not count.
    pub tried: Vec<Arrival>,
    /// Whether more moves may have been tried. Finding out took too long.
    pub may_have_tried_more: bool,
}

/// A value by which games are sorted. All values of one key have the same type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SortValue {
    /// The value of a number, or the number of squares in a set.
    Number(i32),
    /// The value of a string, compared by bytes.
    Text(Vec<u8>),
}

/// An evaluation that has to end the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stop {
    /// The error and its place in the query, with the number of the game and the `positionid`.
    pub diagnostic: Diagnostic,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostic.message)
    }
}

impl std::error::Error for Stop {}

impl Highlights {
    /// Returns only the moves that were tried.
    pub(super) fn without_marks(self) -> Highlights {
        Highlights {
            tried: self.tried,
            may_have_tried_more: self.may_have_tried_more,
            ..Highlights::default()
        }
    }

    /// Returns roughly how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        let arrows = self.rays.len() + self.moves.len();
        size_of::<Highlights>() + arrows * size_of::<(Square, Square)>() + self.tried.len() * size_of::<Arrival>()
    }
}

impl MatchValue {
    /// Returns the bytes that it takes in addition to the size of the type.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            MatchValue::Text(text) => text.len(),
            _ => 0,
        }
    }
}

impl SortValue {
    /// Returns the bytes that it takes in addition to the size of the type.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            SortValue::Number(_) => 0,
            SortValue::Text(text) => text.len(),
        }
    }
}

impl GameReport {
    /// Returns the values of the matching position at this index of [`positions`](GameReport::positions).
    pub(crate) fn values_at(&self, place: usize) -> &[MatchValue] {
        let width = self.values.len() / self.positions.len().max(1);
        self.values.get(place * width..(place + 1) * width).unwrap_or_default()
    }

    /// Returns roughly how many bytes its texts take.
    pub(crate) fn bytes(&self) -> usize {
        let comments: usize = self.comments.iter().map(|(_, text)| text.len()).sum();
        let tags: usize = self.tags.iter().map(|(name, value)| name.len() + value.len()).sum();
        let keys: usize = self.keys.iter().flatten().map(SortValue::bytes).sum();
        let highlights: usize = self.highlights.iter().map(Highlights::bytes).sum();
        let values: usize = self
            .values
            .iter()
            .map(|value| size_of::<MatchValue>() + value.bytes())
            .sum();
        comments + tags + keys + highlights + values + self.messages.len()
    }

    /// Keeps only the matches at the indices `places` of `all`, another report of the same game.
    pub(crate) fn keep_matches(&mut self, all: &GameReport, places: &[usize]) {
        let width = all.values.len().checked_div(all.positions.len()).unwrap_or(0);
        self.positions.clear();
        self.highlights.clear();
        self.values.clear();
        for place in places {
            self.positions.extend(all.positions.get(*place));
            self.highlights.extend(all.highlights.get(*place).cloned());
            let values = all.values.get(place * width..(place + 1) * width);
            self.values.extend_from_slice(values.unwrap_or_default());
        }
    }

    /// Clears everything, but keeps the buffers.
    pub(super) fn clear(&mut self) {
        self.matched = false;
        self.called_off = false;
        self.positions.clear();
        self.highlights.clear();
        self.comments.clear();
        self.repeats_comments = false;
        self.removed_comments.clear();
        self.tags.clear();
        self.keys.clear();
        self.values.clear();
        self.messages.clear();
        self.warnings.clear();
    }
}

/// Returns the error of a query that needs more than the memory of the run.
pub(crate) fn out_of_memory(span: Span, limit: usize) -> Diagnostic {
    let limit = match limit >> 20 {
        0 => format!("{} KB", limit >> 10),
        megabytes => format!("{megabytes} MB"),
    };
    Diagnostic::new(span, "the query takes too much memory")
        .label(format!("there is no room for more in {limit}"))
        .hint("`--max-memory` allows more")
}
