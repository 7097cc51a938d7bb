//! `path`: a depth-first search for the best sequence of moves (chapter 7, 3 to 5 and 11).
//!
//! The search keeps the steps left to try on a stack of its own, so the length of a game does not matter. If there are several ways to the
//! same moves, and the number of evaluations makes no difference, it enters each state only once at a position: the first visits come in
//! the same order, and only they decide.

use crate::chess::Position;
use crate::query::Cond;
use crate::query::ast::moves::Dash;
use crate::query::ast::paths::{Focus, Path, PathStep};

use crate::eval::context::Context;
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::moves::promotes;
use crate::eval::interpreter::paths::path_comments;
use crate::eval::interpreter::paths::program::{Effort, PendingMemory, Reached};
use crate::eval::interpreter::paths::sequence::Sequence;
use crate::eval::state::comments;
use crate::eval::state::focus::{Candidate, Moves, Pieces};
use crate::eval::state::path_stack::{Checkpoint, PathPoint, Pending, PendingMove};
use crate::eval::state::paths::{ActivePath, MatchedPath};
use crate::eval::state::sides::Sides;
use crate::eval::state::variables;
use crate::eval::state::visited::{Thread, Visited};

/// Returns the value of a path: its length, or the greatest value of its `max`.
pub(crate) fn number<'a>(path: &'a Path, context: &mut Context<'a>, at: &'a Position) -> Option<i32> {
    best(path, context, at).map(|found| found.value)
}

/// Returns the last position of a path.
pub(crate) fn last_position<'a>(path: &'a Path, context: &mut Context<'a>, at: &'a Position) -> Option<&'a Position> {
    best(path, context, at).map(|found| found.last)
}

/// Returns the best sequence from a position, if there is one and its length or value is in the range.
fn best<'a>(path: &'a Path, context: &mut Context<'a>, start: &'a Position) -> Option<Sequence<'a>> {
    if path.nest_ban && context.paths.is_banned(path, start.id) {
        return None;
    }
    if path.any && context.is_pure(path.effects) && !context.elsewhere(|context| can_begin(path, context, start)) {
        return None;
    }
    let mark = context.comments.mark();
    let atomic = context.variables.values(&path.atomic);
    let active = ActivePath {
        start: start.id,
        count: 0,
        last: None,
    };
    let outer = context.paths.active.replace(active);
    let outcome = context.elsewhere(|context| PathSearch::run(path, context, start, mark));
    let accepted = outcome.best.filter(|best| {
        path.range
            .is_none_or(|range| context.within(best.value, range, start).is_some())
    });
    context.comments.cut(mark);
    let Some(mut best) = accepted.filter(|_| context.stop.is_none()) else {
        context.paths.active = outer;
        context.variables.set_values(&path.atomic, atomic);
        return None;
    };
    context
        .variables
        .set_values(&path.atomic, std::mem::take(&mut best.atomic));
    context.comments.extend(std::mem::take(&mut best.comments));
    let pieces = if path.piece_path {
        // As in the reference, the pieces whose tracks are shown are evaluated again.
        context.elsewhere(|context| focus(path, context, start))
    } else {
        outcome.pieces
    };
    path_comments::write(path, context, start, pieces, &best);
    for mut alternative in outcome.alternatives {
        context.comments.extend(std::mem::take(&mut alternative.comments));
        path_comments::write(path, context, start, pieces, &alternative);
        path_comments::write_alternative(context, &alternative);
        if !context.has_room(0, path.span, start) {
            break;
        }
    }
    context.paths.active = outer;
    context.paths.matched = Some(MatchedPath {
        start: start.id,
        count: best.count,
        last: best.last.id,
    });
    if path.nest_ban {
        let game = context.game;
        for position in game
            .path_back(best.last)
            .skip(1)
            .take_while(|position| position.id >= start.id)
        {
            context.paths.ban(path, position.id);
        }
    }
    Some(best)
}

/// The result of a search.
#[derive(Default)]
struct Outcome<'a> {
    best: Option<Sequence<'a>>,
    /// Further sequences that are equally good.
    alternatives: Vec<Sequence<'a>>,
    /// The pieces in focus at the start.
    pieces: Option<Pieces>,
}

/// Returns the pieces in focus at the start of a path.
fn focus<'a>(path: &'a Path, context: &mut Context<'a>, start: &'a Position) -> Option<Pieces> {
    let (squares, capture) = match path.focus.as_ref()? {
        Focus::Pieces { set, capture } => (set.eval(context, start) & start.board.occupied(), *capture),
        Focus::SideToMove => (*start.board.colors.get(start.turn), false),
    };
    Some(Pieces { squares, capture })
}

/// Returns whether the first constituent can hold. Called only if it makes no difference that its filters are evaluated again.
fn can_begin<'a>(path: &'a Path, context: &mut Context<'a>, start: &'a Position) -> bool {
    match path.program.first_step() {
        Some(PathStep::Test(filter)) => filter.eval(context, start),
        Some(PathStep::Move(..)) if start.last == start.id => false,
        Some(PathStep::Move(dash, _)) => {
            let pieces = focus(path, context, start);
            let mut sides = None;
            let mut moves = Moves::new(context.game, start, pieces, path.primary, true);
            while let Some(candidate) = moves.next(context.game) {
                if dash.capture && candidate.after.arrival.captured.is_none() {
                    continue;
                }
                let sides = sides.get_or_insert_with(|| Sides::new(&dash.left, &dash.right, context, start));
                if sides
                    .admit(context.game, dash.capture, candidate.movers(), candidate.after)
                    .is_some()
                {
                    return true;
                }
            }
            false
        }
        None => true,
    }
}

/// Evaluates the filters of a path.
struct Walk<'a, 'r> {
    path: &'a Path,
    context: &'r mut Context<'a>,
    start: &'a Position,
    effort: Effort,
}

impl<'a> Walk<'a, '_> {
    /// Takes the last move back and plays the next one that fits.
    fn next_move(&mut self, left: &mut PendingMove<'a>) -> Option<PathPoint<'a>> {
        self.take_back(left.taken.take());
        while let Some(candidate) = left.moves.next(self.context.game) {
            if let Some(taken) = self.take(left, &candidate) {
                left.taken = Some(taken);
                return Some(PathPoint {
                    at: candidate.after,
                    pieces: candidate.pieces,
                    count: left.from.count + 1,
                });
            }
            if self.context.stop.is_some() {
                return None;
            }
        }
        None
    }

    /// Plays a move if it fits and its target holds.
    fn take(&mut self, left: &PendingMove<'a>, candidate: &Candidate<'a>) -> Option<Checkpoint> {
        let after = candidate.after;
        let before = self.context.game.parent(after)?;
        self.count(left.from.count);
        let mark = self.context.comments.mark();
        let evaluated;
        let sides = match &left.sides {
            Some(sides) => sides,
            None => {
                evaluated = Sides::new(&left.dash.left, &left.dash.right, self.context, before);
                &evaluated
            }
        };
        let narrowed = sides.admit(self.context.game, left.dash.capture, candidate.movers(), after);
        let Some(narrowed) = narrowed.filter(|_| promotes(&left.dash.promotion, after, self.context, before)) else {
            self.context.comments.cut(mark);
            return None;
        };
        let taken = Checkpoint {
            comments: mark,
            atomic: self.context.variables.values(&self.path.atomic),
        };
        let bytes = variables::size(&taken.atomic);
        self.context.held += bytes;
        if bytes > 0 {
            self.context.has_room(0, self.path.span, self.start);
        }
        self.count(left.from.count + 1);
        let holds = match left.target {
            Some(target) => self
                .context
                .narrowed_to(Some(narrowed), |context| target.eval(context, after)),
            None => true,
        };
        self.step();
        if holds && self.context.stop.is_none() {
            Some(taken)
        } else {
            self.take_back(Some(taken));
            None
        }
    }

    fn take_back(&mut self, taken: Option<Checkpoint>) {
        if let Some(taken) = taken {
            self.context.held -= variables::size(&taken.atomic);
            self.context.comments.cut(taken.comments);
            self.context.variables.set_values(&self.path.atomic, taken.atomic);
        }
    }

    fn step(&mut self) {
        self.effort.step(self.context, self.path.span, self.start);
    }

    /// Tells the filters inside how many moves have been played.
    fn count(&mut self, count: i32) {
        if let Some(active) = &mut self.context.paths.active {
            active.count = count;
        }
    }
}

struct PathSearch<'a, 'r> {
    walk: Walk<'a, 'r>,
    /// The mark of the comments before the path.
    mark: usize,
    left: Vec<Pending<'a>>,
    visited: Option<Visited>,
    best: Option<Sequence<'a>>,
    alternatives: Vec<Sequence<'a>>,
    /// The bytes that the comments and values of the best sequence and its equals take.
    kept_bytes: usize,
    left_memory: PendingMemory,
    /// Any sequence will do, so the first one ends the search.
    any: bool,
    done: bool,
}

impl<'a> PathSearch<'a, '_> {
    fn run(path: &'a Path, context: &mut Context<'a>, start: &'a Position, mark: usize) -> Outcome<'a> {
        let pure = context.is_pure(path.effects);
        if pure && !path.any && !can_begin(path, context, start) {
            return Outcome::default();
        }
        let pieces = focus(path, context, start);
        let any = path.any && pure && !context.comments.are_wanted();
        let held = context.held;
        let visited = if pure && path.program.is_ambiguous() {
            let Some(visited) = Visited::of_run(&path.program, path.span, context, start) else {
                return Outcome::default();
            };
            Some(visited)
        } else {
            None
        };
        let mut search = PathSearch {
            left: context.path_stacks.pop().unwrap_or_default(),
            walk: Walk {
                path,
                context,
                start,
                effort: Effort::default(),
            },
            mark,
            visited,
            best: None,
            alternatives: Vec::new(),
            kept_bytes: 0,
            left_memory: PendingMemory::default(),
            any,
            done: false,
        };
        let state = PathPoint {
            at: start,
            pieces,
            count: 0,
        };
        search.follow(Thread::new(&path.program), state);
        while !search.done
            && let Some((thread, state)) = search.next_way()
        {
            search.follow(thread, state);
            search.count_left();
        }
        let PathSearch {
            visited,
            best,
            alternatives,
            mut left,
            ..
        } = search;
        left.clear();
        context.path_stacks.push(left);
        context.paths.tables.extend(visited);
        context.held = held;
        Outcome {
            best,
            alternatives,
            pieces,
        }
    }

    /// Continues with a thread up to its next move, its end or a filter that fails.
    fn follow(&mut self, thread: Thread, state: PathPoint<'a>) {
        let mut thread = thread;
        loop {
            let left = &mut self.left;
            let reached = thread.advance(&self.walk.path.program, state.at.id, &mut self.visited, |branch| {
                left.push(Pending::Branch(branch, state));
            });
            match reached {
                Reached::Known => return,
                Reached::End => return self.candidate(state),
                Reached::Step(PathStep::Test(filter)) => {
                    self.walk.count(state.count);
                    self.walk.step();
                    if !filter.eval(self.walk.context, state.at) || self.stopped() {
                        return;
                    }
                    thread.step();
                }
                Reached::Step(PathStep::Move(dash, target)) => return self.begin_moves(dash, target, thread, state),
            }
        }
    }

    /// Prepares to try the moves of a constituent.
    fn begin_moves(&mut self, dash: &'a Dash, target: &'a Option<Cond>, thread: Thread, state: PathPoint<'a>) {
        if state.at.last == state.at.id {
            return;
        }
        let walk = &mut self.walk;
        let mark = walk.context.comments.mark();
        let sides = match state.pieces {
            None => {
                walk.count(state.count);
                Some(Sides::new(&dash.left, &dash.right, walk.context, state.at))
            }
            Some(_) => None,
        };
        let first = state.at.id == walk.start.id;
        let moves = Moves::new(walk.context.game, state.at, state.pieces, walk.path.primary, first);
        self.left.push(Pending::Move(PendingMove {
            dash,
            target,
            thread,
            from: state,
            moves,
            sides,
            mark,
            taken: None,
        }));
    }

    /// Returns the next continuation: one left to try, or one after the next move that fits.
    fn next_way(&mut self) -> Option<(Thread, PathPoint<'a>)> {
        loop {
            if let Pending::Move(left) = self.left.last_mut()? {
                if let Some(state) = self.walk.next_move(left) {
                    return Some((left.thread.after_step(), state));
                }
                self.walk.context.comments.cut(left.mark);
                self.left.pop();
            } else if let Some(Pending::Branch(thread, state)) = self.left.pop() {
                return Some((thread, state));
            }
            if self.stopped() {
                return None;
            }
        }
    }

    /// Handles a complete sequence.
    fn candidate(&mut self, state: PathPoint<'a>) {
        if state.at.id == self.walk.start.id {
            return;
        }
        self.walk.count(state.count);
        let value = match &self.walk.path.max {
            None => Some(state.count),
            // As in the reference, the greatest value has to be greater than the least number.
            Some(max) => max.eval(self.walk.context, state.at).filter(|value| *value > i32::MIN),
        };
        let Some(value) = value.filter(|_| !self.stopped()) else {
            return;
        };
        let better = self.best.as_ref().is_none_or(|best| value > best.value);
        if better {
            self.walk.context.held -= std::mem::take(&mut self.kept_bytes);
            self.alternatives.clear();
            let best = self.sequence(state, value);
            self.keep(&best);
            self.best = Some(best);
            if let Some(active) = &mut self.walk.context.paths.active {
                active.last = Some(state.at.id);
            }
        } else if self.walk.path.keep_all_best && self.is_alternative(state.at, value) {
            let alternative = self.sequence(state, value);
            self.keep(&alternative);
            self.alternatives.push(alternative);
        }
        self.done |= self.walk.path.first_match || self.any;
    }

    /// Counts the memory of a sequence that is kept.
    fn keep(&mut self, sequence: &Sequence<'_>) {
        let Walk {
            path, context, start, ..
        } = &mut self.walk;
        let bytes = size_of::<Sequence<'_>>() + comments::size(&sequence.comments) + variables::size(&sequence.atomic);
        self.kept_bytes += bytes;
        context.held += bytes;
        context.has_room(0, path.span, start);
    }

    /// Counts the memory of the steps left to try.
    fn count_left(&mut self) {
        let Walk {
            path, context, start, ..
        } = &mut self.walk;
        let has_room = self
            .left_memory
            .count(&self.left, &mut self.visited, path.span, context, start);
        self.done |= !has_room;
    }

    /// Returns whether a sequence is as good as the best and was not found before.
    fn is_alternative(&self, last: &Position, value: i32) -> bool {
        let known = |sequence: &Sequence<'_>| sequence.last.id == last.id;
        self.best
            .as_ref()
            .is_some_and(|best| best.value == value && !known(best))
            && !self.alternatives.iter().any(known)
    }

    fn sequence(&self, state: PathPoint<'a>, value: i32) -> Sequence<'a> {
        let context = &self.walk.context;
        Sequence {
            last: state.at,
            count: state.count,
            value,
            comments: context.comments.since(self.mark).to_vec(),
            atomic: context.variables.values(&self.walk.path.atomic),
        }
    }

    /// Returns whether the run has to end.
    fn stopped(&mut self) -> bool {
        self.done |= self.walk.context.stop.is_some();
        self.walk.context.stop.is_some()
    }
}
