//! The state that all filters share while one game is evaluated.
//!
//! Each part uses only those before it: `branch`, `self`, `budget`, `imagination`.

pub(super) mod branch;
pub(super) mod budget;
mod imagination;

use std::mem;

use crate::board::Bitboard;
use crate::chess::Position;
use crate::game::{Game, Identities};
use crate::limits::Share;
use crate::query::ast::echo::ConsecutiveMoves;
use crate::query::ast::facts::Effects;
use crate::query::ast::variables::{NumVar, StrVar};
use crate::query::{Bound, CommentLevel, Query, Range, Shortcuts};
use crate::syntax::Diagnostic;
use crate::syntax::token::Span;
use crate::tablebase;

use crate::eval::context::branch::{Branch, Imagination};
use crate::eval::files::folder::Files;
use crate::eval::prepared::Prepared;
use crate::eval::report::{CalledOff, MatchValue, SortValue};
use crate::eval::state::comments::{Comment, Comments};
use crate::eval::state::dictionaries::Dictionaries;
use crate::eval::state::last_match::LastMatch;
use crate::eval::state::line_stack::LineItem;
use crate::eval::state::memo::Memos;
use crate::eval::state::paths::PathState;
use crate::eval::state::sides::Narrowed;
use crate::eval::state::variables::Variables;
use crate::eval::state::{line_stack, path_stack};
use crate::eval::trace::Trace;

/// The state of the evaluation of one game.
pub(crate) struct Context<'a> {
    pub(crate) query: &'a Query,
    pub(crate) game: &'a Game,
    pub(crate) prepared: &'a Prepared,
    pub(crate) identities: &'a Identities,
    pub(crate) memos: Memos,
    pub(crate) variables: Variables,
    pub(crate) dictionaries: Dictionaries,
    /// The groups of the last regular expression match; `None` if the last search found none.
    pub(crate) last_match: Option<LastMatch>,
    pub(crate) files: Files,
    pub(crate) comments: Comments,
    pub(crate) messages: Vec<u8>,
    pub(crate) tags: Vec<(Vec<u8>, Vec<u8>)>,
    /// The positions that lose their original comment, in order.
    pub(crate) removed_comments: Vec<u32>,
    pub(crate) keys: Vec<SortedValue>,
    /// The values requested by options, for the last position that matched.
    pub(crate) columns: Vec<MatchValue>,
    /// The `consecutivemoves` that comment on a sequence, by their indices.
    pub(crate) commented_consecutive: Vec<Option<&'a ConsecutiveMoves>>,
    /// Positions that were looked up in tablebases.
    pub(crate) endgames: tablebase::Cache,
    /// The number of loop rounds at the current position.
    pub(crate) rounds: u64,
    /// The number of evaluations of repeatedly tried filters at the current position.
    pub(crate) trials: u64,
    /// The number of bytes kept for the report: tags, sort keys and their comments, highlights.
    pub(crate) kept: usize,
    /// The number of bytes of values held while others are evaluated.
    pub(crate) held: usize,
    pub(crate) budget: Budget<'a>,
    pub(crate) paths: PathState,
    /// Stacks of paths, kept for reuse.
    pub(crate) path_stacks: Vec<Vec<path_stack::Pending<'a>>>,
    /// Stacks of lines, kept for reuse.
    pub(crate) line_stacks: Vec<Vec<line_stack::Pending<'a>>>,
    /// The item of a line that is being evaluated.
    pub(crate) line_item: Option<LineItem>,
    /// The squares of `from` and `to` where the target of a dash narrows them.
    pub(crate) narrowed: Option<Narrowed>,
    /// The branch of imagined positions in which filters are evaluated.
    pub(crate) branch: Option<&'a Branch<'a>>,
    /// Storage for imagined positions, kept for reuse.
    pub(crate) imagined: Imagination,
    /// The values of traced parts, if they are traced.
    pub(crate) trace: Option<Box<Trace>>,
    /// Why the run has to end. Once this is set, no further value counts.
    pub(crate) stop: Option<Stopped>,
}

/// The limits of an evaluation.
pub(crate) struct Budget<'a> {
    /// The most loop rounds allowed at one position.
    pub(crate) max_rounds: u64,
    /// Says whether the search was cancelled.
    pub(crate) called_off: &'a CalledOff<'a>,
    /// Its share of the memory.
    pub(crate) share: Share,
}

/// Why a run has to end.
pub(crate) enum Stopped {
    /// The search was cancelled.
    CalledOff,
    /// A run-time error.
    Error(Box<EvalError>),
}

/// A run-time error and the position at which it happened.
pub(crate) struct EvalError {
    pub(crate) diagnostic: Diagnostic,
    pub(crate) position: u32,
}

/// The best value of a sort key in this game, and the comments made when it was found.
#[derive(Debug, Default)]
pub(crate) struct SortedValue {
    pub(crate) value: Option<SortValue>,
    pub(crate) comments: Vec<Comment>,
}

impl<'a> Context<'a> {
    /// Returns whether a shortcut may be taken.
    pub(crate) fn has(&self, shortcut: Shortcuts) -> bool {
        self.query.shortcuts.contains(shortcut)
    }

    /// Creates the context for a new run that collects no comments.
    pub(crate) fn new(
        query: &'a Query,
        prepared: &'a Prepared,
        game: &'a Game,
        identities: &'a Identities,
        variables: Variables,
        budget: Budget<'a>,
    ) -> Context<'a> {
        Context {
            query,
            prepared,
            game,
            identities,
            memos: Memos::default(),
            commented_consecutive: vec![None; query.runs as usize],
            variables,
            dictionaries: Dictionaries::default(),
            last_match: None,
            files: Files::default(),
            comments: Comments::default(),
            messages: Vec::new(),
            tags: Vec::new(),
            removed_comments: Vec::new(),
            keys: query.sort_keys.iter().map(|_| SortedValue::default()).collect(),
            columns: vec![MatchValue::Unknown; query.columns.len()],
            endgames: tablebase::Cache::default(),
            rounds: 0,
            trials: 0,
            kept: 0,
            held: 0,
            budget,
            paths: PathState::default(),
            path_stacks: Vec::new(),
            line_stacks: Vec::new(),
            line_item: None,
            narrowed: None,
            branch: None,
            imagined: Imagination::default(),
            trace: None,
            stop: None,
        }
    }

    /// Ends the run with an error at `span` of the query and at the position `at`.
    pub(crate) fn stop(&mut self, span: Span, message: impl Into<String>, label: &str, at: &Position) {
        if self.stop.is_none() {
            let diagnostic = Diagnostic::new(span, message).label(label);
            self.stop = Some(Stopped::Error(Box::new(EvalError {
                diagnostic,
                position: at.id,
            })));
        }
    }

    /// Returns whether it makes no difference how often filters with these effects are evaluated.
    pub(crate) fn is_pure(&self, effects: Effects) -> bool {
        effects.is_empty() || effects.may_be_repeated() && !self.comments.are_wanted()
    }

    /// Evaluates a part that drops its comments when it has no value.
    #[inline]
    pub(crate) fn undone<T>(&mut self, evaluate: impl FnOnce(&mut Context<'a>) -> Option<T>) -> Option<T> {
        let mark = self.comments.mark();
        let value = evaluate(self);
        if value.is_none() {
            self.comments.cut(mark);
        }
        value
    }

    /// Returns the value of a variable that is read. Ends the run if it has none.
    #[inline]
    pub(crate) fn bound<T>(&mut self, value: Option<T>, span: Span, at: &Position) -> Option<T> {
        if value.is_none() {
            self.stop(
                span,
                "this variable has no value here",
                "read before anything was assigned to it in this game",
                at,
            );
        }
        value
    }

    /// Returns whether a filter writes its automatic comments.
    pub(crate) fn automatic_comments(&self, quiet: bool) -> bool {
        !quiet && self.comments.are_wanted() && self.query.header.comments == CommentLevel::Normal
    }

    /// Returns the position before `at`; `None` before the initial position.
    pub(crate) fn parent(&self, at: &'a Position) -> Option<&'a Position> {
        match self.branch {
            None => self.game.parent(at),
            branch => branch::parent(branch, self.game, at),
        }
    }

    /// Returns the position with this id.
    pub(crate) fn position(&self, id: u32) -> Option<&'a Position> {
        self.game.positions.get(id as usize)
    }

    /// Sets a tag of the output. Returns `false` only if there is no memory for it.
    pub(crate) fn set_tag(&mut self, name: &[u8], value: Vec<u8>, span: Span, at: &Position) -> bool {
        if self.query.annotations.no_set_tag {
            return true;
        }
        if !self.has_room(name.len() + value.len(), span, at) {
            return false;
        }
        self.kept += value.len();
        match self.tags.iter_mut().find(|(known, _)| known == name) {
            Some(tag) => self.kept -= mem::replace(&mut tag.1, value).len(),
            None => {
                self.kept += name.len();
                self.tags.push((name.to_vec(), value));
            }
        }
        true
    }

    /// Removes the original comment of a position.
    pub(crate) fn remove_comment(&mut self, position: u32) {
        if let Err(place) = self.removed_comments.binary_search(&position) {
            self.removed_comments.insert(place, position);
        }
    }

    /// Returns the value of a number variable. Ends the run if it has none.
    pub(crate) fn number_variable(&mut self, variable: NumVar, span: Span, at: &Position) -> Option<i32> {
        self.bound(self.variables.numbers[variable.index()], span, at)
    }

    /// Returns the length of the string in a variable. Ends the run if it has none.
    pub(crate) fn string_length(&mut self, variable: StrVar, span: Span, at: &Position) -> Option<usize> {
        let length = self.variables.strings[variable.index()].as_ref().map(Vec::len);
        self.bound(length, span, at)
    }

    /// Returns the ends of a range; `None` if a variable has no value.
    pub(crate) fn bounds(&mut self, range: Range, at: &Position) -> Option<(i32, i32)> {
        let Range::Within(least, most) = range else {
            return Some((i32::MIN, i32::MAX));
        };
        let mut read = |bound| match bound {
            Bound::Number(number) => Some(number),
            Bound::Variable(variable, span) => self.number_variable(variable, span, at),
        };
        let least = read(least)?;
        Some((least, read(most)?))
    }

    /// Returns `number` if it lies in the range.
    pub(crate) fn within(&mut self, number: i32, range: Range, at: &Position) -> Option<i32> {
        let (least, most) = self.bounds(range, at)?;
        (least..=most).contains(&number).then_some(number)
    }

    /// Evaluates a part whose value is not needed, if a trace asks for it. Leaves no other effect.
    #[inline]
    pub(crate) fn aside(&mut self, evaluate: impl FnOnce(&mut Context<'a>)) {
        if self.trace.as_ref().is_some_and(|trace| trace.asks_all()) && self.stop.is_none() {
            self.forgetting(evaluate);
        }
    }

    #[cold]
    fn forgetting(&mut self, evaluate: impl FnOnce(&mut Context<'a>)) {
        let variables = self.variables.clone();
        let dictionaries = self.dictionaries.clone();
        let last_match = self.last_match.clone();
        let matched = self.paths.matched;
        let mark = self.comments.mark();
        evaluate(self);
        self.comments.cut(mark);
        self.paths.matched = matched;
        self.last_match = last_match;
        self.dictionaries = dictionaries;
        self.variables = variables;
        if let Some(Stopped::Error(_)) = self.stop {
            self.stop = None;
        }
    }

    /// Evaluates a part in which `from` and `to` mean the squares of the actual move, not narrowed by a dash.
    pub(crate) fn elsewhere<T>(&mut self, evaluate: impl FnOnce(&mut Context<'a>) -> T) -> T {
        self.narrowed_to(None, evaluate)
    }

    /// Evaluates a part in which `from` and `to` are narrowed.
    pub(crate) fn narrowed_to<T>(
        &mut self,
        narrowed: Option<Narrowed>,
        evaluate: impl FnOnce(&mut Context<'a>) -> T,
    ) -> T {
        let outer = mem::replace(&mut self.narrowed, narrowed);
        let value = evaluate(self);
        self.narrowed = outer;
        value
    }

    /// Returns the squares on which moves have arrived on the way to a position. Null moves are ignored.
    pub(crate) fn arrivals(&self, at: &Position) -> Bitboard {
        branch::arrivals(self.branch, self.game, at)
    }
}
