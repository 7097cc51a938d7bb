//! How far an evaluation may go: rounds of loops, trials, bytes, and when someone calls it off.
//!
//! Whatever a query can make grow is counted where it grows, roughly and by few additions, and compared with a
//! [`Share`] of the memory of the run. The count is [`Context::bytes`].

use crate::chess::Position;
use crate::syntax::token::Span;

use crate::eval::context::{Context, EvalError, Stopped};
use crate::eval::report::out_of_memory;
use crate::eval::state::last_match::LastMatch;

/// The longest string that there may be.
const LONGEST_STRING: usize = 64 << 20;

/// How many times more trials than rounds of loops there may be at one position.
const TRIALS_PER_ROUND: u64 = 10;

/// How many bytes that a regular expression looks at count as a trial.
const BYTES_PER_TRIAL: u64 = 4;

/// After how many positions the run asks whether it is called off. A power of two.
const POSITIONS_BETWEEN_CALLS: u32 = 64;

/// After how many trials the run asks whether it is called off. A power of two.
const TRIALS_BETWEEN_CALLS: u64 = 1 << 10;

impl Context<'_> {
    /// Begins a game: memory that only the game before needed goes back.
    pub(crate) fn begin_game(&mut self) {
        let bytes = self.bytes();
        // What outlasts games was counted when it was made.
        self.budget.share.resize(bytes);
    }

    /// Begins a position of the game; `false` if the run is called off, which is asked now and then.
    #[inline]
    pub(crate) fn begin_position(&mut self, at: &Position) -> bool {
        self.rounds = 0;
        self.trials = 0;
        if at.id.is_multiple_of(POSITIONS_BETWEEN_CALLS) {
            self.look_whether_called_off();
        }
        self.stop.is_none()
    }

    /// Counts an evaluation of a filter that is tried again and again: at the positions of a `find`, for the squares of a
    /// loop, at each step of a `path`. Whether the run has to end, because of this or for another reason.
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

    /// Ends the run if nobody waits for it. For what takes long and is no trial.
    #[cold]
    pub(crate) fn look_whether_called_off(&mut self) {
        if self.stop.is_none() && (self.budget.called_off)() {
            self.stop = Some(Stopped::CalledOff);
        }
    }

    /// Counts bytes that a regular expression has looked at. Ends the run when there are too many at one position.
    pub(crate) fn count_searched(&mut self, bytes: u64, span: Span, at: &Position) {
        self.trials = self.trials.saturating_add(bytes.div_ceil(BYTES_PER_TRIAL));
        if self.trials > self.most_trials() {
            let most = self.most_searched() / 1_000_000;
            let label = format!("it looks at more than {most} MB for one position; `--max-rounds` allows more");
            self.stop(span, "the regular expression takes too long", &label, at);
        }
    }

    /// How many bytes regular expressions may look at for one position.
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

    /// Counts a round of a loop. Ends the run when there are too many at one position.
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

    /// About how many bytes there are of what the query has made.
    fn bytes(&self) -> usize {
        self.variables.string_bytes() + self.bytes_but_variables()
    }

    /// The same without those of variables.
    pub(super) fn bytes_but_variables(&self) -> usize {
        self.dictionaries.bytes()
            + self.comments.bytes()
            + self.messages.len()
            + self.paths.bytes()
            + self.memos.bytes()
            + self.last_match.as_ref().map_or(0, LastMatch::bytes)
            + self.kept
            + self.held
    }

    /// Whether there is memory for `more` bytes. Ends the run if not.
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

    /// Evaluates something while `bytes` bytes of a value wait for it; nothing if there is no memory for both.
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

    /// Whether a string is short enough. Ends the run if it is not.
    pub(crate) fn fits(&mut self, length: usize, span: Span, at: &Position) -> bool {
        let fits = length <= LONGEST_STRING;
        if !fits {
            let label = format!("strings hold up to {} MB", LONGEST_STRING >> 20);
            self.stop(span, "a string grows beyond all bounds", &label, at);
        }
        fits && self.has_room(length, span, at)
    }

    /// Whether a variable may become a string of this length. Ends the run if not.
    pub(crate) fn bears(&mut self, length: usize, span: Span, at: &Position) -> bool {
        let bears = self.fits(length, span, at);
        if bears {
            self.variables.note_string(length);
        }
        bears
    }
}
