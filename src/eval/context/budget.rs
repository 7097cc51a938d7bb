//! Limits of an evaluation: rounds of loops, trials, bytes, and cancellation.
//!
//! Everything that a query can make grow is counted where it grows, roughly and cheaply, and compared with a
//! [`Share`](crate::limits::Share) of the memory of the run. [`Context::bytes`] is the count.

use crate::chess::Position;
use crate::syntax::token::Span;

use crate::eval::context::{Context, EvalError, Stopped};
use crate::eval::report::out_of_memory;

/// The longest string allowed, in bytes.
const LONGEST_STRING: usize = 64 << 20;

/// The number of trials allowed at one position for each allowed round of loops.
const TRIALS_PER_ROUND: u64 = 10;

/// The number of bytes searched by a regular expression that count as one trial.
const BYTES_PER_TRIAL: u64 = 4;

/// The number of positions between two checks for cancellation. A power of two.
const POSITIONS_BETWEEN_CALLS: u32 = 64;

/// The number of trials between two checks for cancellation. A power of two.
const TRIALS_BETWEEN_CALLS: u64 = 1 << 10;

impl Context<'_> {
    /// Begins a game. Returns the memory that only the previous game needed.
    pub(crate) fn begin_game(&mut self) {
        let bytes = self.bytes();
        // What outlives a game was counted when it was made.
        self.budget.share.resize(bytes);
    }

    /// Begins a position of the game. Returns `false` if the run is cancelled, which is checked now and then.
    #[inline]
    pub(crate) fn begin_position(&mut self, at: &Position) -> bool {
        self.rounds = 0;
        self.trials = 0;
        if at.id.is_multiple_of(POSITIONS_BETWEEN_CALLS) {
            self.look_whether_called_off();
        }
        self.stop.is_none()
    }

    /// Counts one evaluation of a filter that is tried repeatedly: at the positions of a `find`, for the squares of a
    /// loop, or at each step of a `path`. Returns whether the run has to end, for this or another reason.
    #[inline]
    pub(crate) fn is_over(&mut self, span: Span, at: &Position) -> bool {
        self.trials += 1;
        if self.trials.is_multiple_of(TRIALS_BETWEEN_CALLS) {
            self.look_whether_called_off();
            self.look_whether_endless(span, at);
            self.has_room(0, span, at);
        }
        self.stop.is_some()
    }

    /// Ends the run if it was cancelled. For long work that is not counted as trials.
    #[cold]
    pub(crate) fn look_whether_called_off(&mut self) {
        if self.stop.is_none() && (self.budget.called_off)() {
            self.stop = Some(Stopped::CalledOff);
        }
    }

    /// Counts bytes that a regular expression has searched. Ends the run if there are too many at one position.
    pub(crate) fn count_searched(&mut self, bytes: u64, span: Span, at: &Position) {
        self.trials = self.trials.saturating_add(bytes.div_ceil(BYTES_PER_TRIAL));
        if self.trials > self.most_trials() {
            let most = self.most_searched() / 1_000_000;
            let label = format!("it looks at more than {most} MB for one position; `--max-rounds` allows more");
            self.stop(span, "the regular expression takes too long", &label, at);
        }
    }

    /// Returns the number of bytes that regular expressions may search for one position.
    pub(crate) fn most_searched(&self) -> u64 {
        self.most_trials().saturating_mul(BYTES_PER_TRIAL)
    }

    fn most_trials(&self) -> u64 {
        self.budget.max_rounds.saturating_mul(TRIALS_PER_ROUND)
    }

    #[cold]
    fn look_whether_endless(&mut self, span: Span, at: &Position) {
        let most = self.most_trials();
        if self.trials > most {
            let label = format!("more than {most} evaluations at one position; `--max-rounds` allows more");
            self.stop(span, "the search at this position does not end", &label, at);
        }
    }

    /// Counts a round of a loop. Ends the run if there are too many at one position. Returns whether the run has to end.
    pub(crate) fn is_endless(&mut self, span: Span, at: &Position) -> bool {
        self.rounds += 1;
        self.is_over(span, at);
        if self.rounds > self.budget.max_rounds {
            let most = self.budget.max_rounds;
            let label = format!("more than {most} rounds at one position; `--max-rounds` allows more");
            self.stop(span, "a loop does not end", &label, at);
        }
        self.has_room(0, span, at);
        self.stop.is_some()
    }

    /// Returns roughly how many bytes the values made by the query take.
    fn bytes(&self) -> usize {
        self.variables.string_bytes() + self.bytes_but_variables()
    }

    /// Returns the same without variables.
    pub(super) fn bytes_but_variables(&self) -> usize {
        self.dictionaries.bytes()
            + self.comments.bytes()
            + self.messages.len()
            + self.paths.bytes()
            + self.memos.bytes()
            + self.last_match.as_ref().map_or(0, |last| last.text.len())
            + self.kept
            + self.held
    }

    /// Returns whether there is memory for `more` bytes. Ends the run if not.
    #[inline]
    pub(crate) fn has_room(&mut self, more: usize, span: Span, at: &Position) -> bool {
        let bytes = self.bytes().saturating_add(more);
        self.budget.share.covers(bytes) || self.make_room(more, span, at)
    }

    #[cold]
    fn make_room(&mut self, more: usize, span: Span, at: &Position) -> bool {
        self.variables.add_up();
        let bytes = self.bytes().saturating_add(more);
        let has_room = self.budget.share.resize(bytes);
        if !has_room && self.stop.is_none() {
            let diagnostic = out_of_memory(span, self.budget.share.limit());
            self.stop = Some(Stopped::Error(Box::new(EvalError {
                diagnostic,
                position: at.id,
            })));
        }
        has_room
    }

    /// Evaluates `evaluate` while a value of `bytes` bytes is held. Returns `None` if there is no memory for it.
    pub(crate) fn holding<T>(
        &mut self,
        bytes: usize,
        (span, at): (Span, &Position),
        evaluate: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        if !self.has_room(bytes, span, at) {
            return None;
        }
        self.held += bytes;
        let value = evaluate(self);
        self.held -= bytes;
        value
    }

    /// Returns whether a string is short enough. Ends the run if not.
    pub(crate) fn fits(&mut self, length: usize, span: Span, at: &Position) -> bool {
        let fits = length <= LONGEST_STRING;
        if !fits {
            let label = format!("strings hold up to {} MB", LONGEST_STRING >> 20);
            self.stop(span, "a string grows beyond all bounds", &label, at);
        }
        fits && self.has_room(length, span, at)
    }

    /// Returns whether a variable may become a string of this length. Ends the run if not.
    pub(crate) fn bears(&mut self, length: usize, span: Span, at: &Position) -> bool {
        let bears = self.fits(length, span, at);
        if bears {
            self.variables.note_string(length);
        }
        bears
    }
}
