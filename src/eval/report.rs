//! The interface of the evaluation to the rest of the program.

use std::fmt;
use std::sync::Arc;

use bitflags::bitflags;

use crate::board::columns::Lanes;
use crate::board::{Bitboard, Square};
use crate::chess::Arrival;
use crate::game::Warning;
use crate::limits::{Interrupt, Memory};
use crate::query::SortKey;
use crate::syntax::Diagnostic;
use crate::syntax::token::Span;

/// A compiled query, as the search sees it.
///
/// One is shared by all threads; each thread gets its own evaluator, which holds what changes during evaluation.
pub trait Compiled: Sync {
    /// The games that it looks at.
    type Game;
    /// What it has to know before the first game.
    type Prepared: Sync;
    /// What evaluates it on one thread.
    type Evaluator<'q>: Evaluate<Self::Game>
    where
        Self: 'q;

    /// Whether [`prepare`](Compiled::prepare) needs the number of the last game, for which the input is read once more.
    fn needs_last_game(&self) -> bool;

    /// Reads what has to be known before the first game. `last_game` is the number of the last game to look at, if it is known.
    /// What is read may be long: when it is interrupted, that is as much as was read until then.
    ///
    /// # Errors
    /// Where something cannot be read.
    fn prepare(&self, last_game: Option<u64>, interrupt: &Arc<Interrupt>) -> Result<Self::Prepared, Stop>;

    /// An evaluator in its initial state. What is not among `extras` may be left out of the reports.
    fn evaluator<'q>(&'q self, prepared: &'q Self::Prepared, extras: Extras) -> Self::Evaluator<'q>;

    /// The sort keys, most significant first. Empty for a query that does not sort.
    fn sort_keys(&self) -> &[SortKey];

    /// Whether games have to be evaluated one after the other in the order of the input, because something outlasts a game:
    /// persistent variables, dictionaries, files that are written.
    fn is_serial(&self) -> bool;

    /// Whether games may wait, so that several are evaluated together.
    fn may_wait(&self) -> bool {
        !self.is_serial()
    }

    /// The memory that it may take, together with all other queries that have the same.
    fn memory(&self) -> &Arc<Memory>;

    /// Where it is named in an error about all of it.
    fn span(&self) -> Span;

    /// The first and the last number of the games to look at, both inclusive; anything when the first is larger than the last.
    fn game_numbers(&self) -> Option<(i32, i32)>;
}

bitflags! {
    /// What a report has beside what matches, because the output shows it.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct Extras: u8 {
        /// [`GameReport::comments`], with games that match read as a whole.
        const COMMENTS = 1;
        /// [`GameReport::comments`], with games read as far as the query needs them.
        const REMARKS = 1 << 1;
        /// [`GameReport::highlights`].
        const HIGHLIGHTS = 1 << 2;
        /// Of these the [moves that were tried](Highlights::tried), all of them, however long it takes to find them.
        const TRIED = 1 << 3;
        /// Of matching positions nothing but their ids is looked at, so games need not have positions that nobody else asks for.
        const IDS_ALONE = 1 << 4;
    }
}

/// Whether the evaluation shall end early.
pub type CalledOff<'a> = dyn Fn() -> bool + 'a;

/// Whether a game is worth reading.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wish {
    /// It may match.
    Wanted,
    /// It does not match, whatever its moves are.
    Unwanted,
    /// It is not among the games to which the search is narrowed.
    LeftAlone,
}

/// Evaluates one query on games.
pub trait Evaluate<Game> {
    /// What the queries share of games that wait together: what is known of them, found out once for all, and memory.
    type Batch: Default;

    /// Whether the game is worth reading. Asked when its number, tags and result are known, but no positions; a game that is
    /// not wanted does not match. When `called_off` ends this early, the game is unwanted and nothing is known of it.
    ///
    /// # Errors
    /// Where the query asks for something that cannot be done. No further game may be evaluated then.
    fn wants(&mut self, _game: &Game, _called_off: &CalledOff<'_>) -> Result<Wish, Stop> {
        Ok(Wish::Wanted)
    }

    /// Whether it [wants](Evaluate::wants) every game, so that nobody need ask.
    fn wants_all(&self) -> bool {
        false
    }

    /// Whether the positions of a game that is not ruled out have to be made. Asked where only
    /// [`Game::columns`](crate::game::Game::columns) were there when it was not; a game without positions is evaluated only after a `false`.
    fn needs_positions(&mut self, _game: &Game) -> bool {
        true
    }

    /// Whether a glance at a game that is wanted shows that it does not match and that there is nothing to say of it.
    fn rules_out(&mut self, _game: &Game) -> bool {
        false
    }

    /// Those of several games that wait which are not ruled out: each has the lane of its place. `together` has what was found out of them for
    /// other queries. [`turn_to`](Evaluate::turn_to) comes before anything else is asked of one of them.
    fn possible<'g>(
        &mut self,
        places: Lanes,
        _game: impl Fn(usize) -> Option<&'g Game>,
        _batch: &mut Self::Batch,
    ) -> Lanes
    where
        Game: 'g,
    {
        places
    }

    /// Turns to the game at a place, of which [`possible`](Evaluate::possible) has said that it is not ruled out.
    fn turn_to(&mut self, _place: usize, _batch: &mut Self::Batch) {}

    /// Evaluates the query at every position of a game, or at as many as it comes to before `called_off` says that nobody
    /// waits for the rest. It is asked again and again, also while a position is evaluated.
    ///
    /// # Errors
    /// Where the query asks for something that cannot be done. No further game may be evaluated then.
    fn evaluate(&mut self, game: &Game, called_off: &CalledOff<'_>) -> Result<&GameReport, Stop>;

    /// Writes what is printed if the run ends here, as complete lines. What a query that is not serial writes must not depend
    /// on the games.
    fn closing(&self, _out: &mut Vec<u8>) {}
}

/// What the evaluation of one game found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameReport {
    /// The game matches, `matchcount` included.
    pub matched: bool,
    /// The evaluation was called off: this is what was found in the positions before. A game with `matchcount` does not match
    /// then, as nobody knows how many positions do.
    pub called_off: bool,
    /// The `positionid`s of matching positions in the order of evaluation. A game need not match although some positions do.
    pub positions: Vec<u32>,
    /// What of each matching position made the match, in the order of `positions`. Filled only when highlights are wanted.
    pub highlights: Vec<Highlights>,
    /// Added comments with their positions, in their final order. Filled only when comments are wanted.
    pub comments: Vec<(u32, Vec<u8>)>,
    /// Comments that their position has already are written again.
    pub repeats_comments: bool,
    /// The positions that lose their original comment.
    pub removed_comments: Vec<u32>,
    /// Tags set by `settag`: names and values in order.
    pub tags: Vec<(Vec<u8>, Vec<u8>)>,
    /// The game's value of each sort key; `None` where it has none.
    pub keys: Vec<Option<SortValue>>,
    /// The values that options ask for at matching positions, in the order of [`positions`](GameReport::positions): all of one position, then
    /// those of the next.
    pub values: Vec<MatchValue>,
    /// What `message` prints: complete lines.
    pub messages: Vec<u8>,
    /// What it has found out that its user should know, beside what is wrong with the game.
    pub warnings: Vec<Warning>,
}

/// A value that an option asks for at a match.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum MatchValue {
    /// There is none.
    #[default]
    Unknown,
    /// Of a number.
    Number(i32),
    /// Of a string.
    Text(Vec<u8>),
    /// Of a set.
    Squares(Bitboard),
    /// Of a condition.
    Truth(bool),
    /// Of a position: its `positionid`.
    Position(u32),
}

/// What of a position made a match, as far as it can be shown on the board.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Highlights {
    /// Squares that the query refers to.
    pub squares: Bitboard,
    /// Lines of sight, each from the piece that looks to what it looks at.
    pub rays: Vec<(Square, Square)>,
    /// Moves, from where to where.
    pub moves: Vec<(Square, Square)>,
    /// The first and the last position of the moves played that the match refers to: those of paths, lines and dashes, also of
    /// dashes after dashes. The last follows the first in the game.
    pub line: Option<(u32, u32)>,
    /// The moves that were tried here, and not only asked for, with what the query wants after them.
    pub tried: Vec<Arrival>,
    /// More moves may have been tried: to find out took too long.
    pub may_have_tried_more: bool,
}

/// A value that games are sorted by. All values of one key have the same type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SortValue {
    /// Of a number, or of a set: how many squares.
    Number(i32),
    /// Of a string; compared by bytes.
    Text(Vec<u8>),
}

/// An evaluation that has to end the run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stop {
    /// What happened and where in the query, with the number of the game and the `positionid`.
    pub diagnostic: Diagnostic,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostic.message)
    }
}

impl std::error::Error for Stop {}

impl Highlights {
    /// Only the moves that were tried.
    pub(super) fn without_marks(self) -> Highlights {
        Highlights {
            tried: self.tried,
            may_have_tried_more: self.may_have_tried_more,
            ..Highlights::default()
        }
    }

    /// About how many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        let arrows = self.rays.len() + self.moves.len();
        size_of::<Highlights>() + arrows * size_of::<(Square, Square)>() + self.tried.len() * size_of::<Arrival>()
    }
}

impl MatchValue {
    /// How many bytes it has beside those of the type.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            MatchValue::Text(text) => text.len(),
            _ => 0,
        }
    }
}

impl SortValue {
    /// How many bytes it has beside those of the type.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            SortValue::Number(_) => 0,
            SortValue::Text(text) => text.len(),
        }
    }
}

impl GameReport {
    /// The values of the matching position at a place among [`positions`](GameReport::positions).
    pub(crate) fn values_at(&self, place: usize) -> &[MatchValue] {
        let width = self.values.len() / self.positions.len().max(1);
        self.values.get(place * width..(place + 1) * width).unwrap_or_default()
    }

    /// About how many bytes its texts have.
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

    /// Leaves only some of the matches of `all`, another report of the same game, by their places there.
    #[cfg(feature = "cli")]
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

    /// Forgets everything but the buffers.
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

/// The error of a query that needs more than the memory of the run.
pub(crate) fn out_of_memory(span: Span, limit: usize) -> Diagnostic {
    let limit = match limit >> 20 {
        0 => format!("{} KB", limit >> 10),
        megabytes => format!("{megabytes} MB"),
    };
    Diagnostic::new(span, "the query takes too much memory")
        .label(format!("there is no room for more in {limit}"))
        .hint("`--max-memory` allows more")
}
