//! `line`: a depth-first search for the longest sequence of positions (chapter 7, 10).

use crate::chess::Position;
use crate::query::ast::paths::{Item, Line};

use crate::eval::context::Context;
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::paths::path_comments::write_ends;
use crate::eval::interpreter::paths::program::{Effort, PendingMemory, Reached};
use crate::eval::state::comments;
use crate::eval::state::comments::Comment;
use crate::eval::state::line_stack::{LineItem, LinePoint, Pending, PendingStep};
use crate::eval::state::visited::{Thread, Visited};

/// Returns the value of a line: its number of positions.
pub(crate) fn number<'a>(line: &'a Line, context: &mut Context<'a>, at: &'a Position) -> Option<i32> {
    best(line, context, at).map(|found| found.length)
}

/// Returns the last position of a line. For a backward line it is the earliest one.
pub(crate) fn last_position<'a>(line: &'a Line, context: &mut Context<'a>, at: &'a Position) -> Option<&'a Position> {
    best(line, context, at).map(|found| found.last)
}

/// A sequence of positions that matches.
struct Positions<'a> {
    last: &'a Position,
    length: i32,
    comments: Vec<Comment>,
}

/// Returns the longest line from a position, if there is one and its length is in the range.
fn best<'a>(line: &'a Line, context: &mut Context<'a>, start: &'a Position) -> Option<Positions<'a>> {
    if line.nest_ban && context.paths.is_banned(line, start.id) {
        return None;
    }
    if context.is_pure(line.effects) && !can_begin(line, context, start) {
        return None;
    }
    let mark = context.comments.mark();
    let outer = context.line_item.take();
    let found = context.elsewhere(|context| LineSearch::run(line, context, start, mark));
    context.line_item = outer;
    context.comments.cut(mark);
    let mut found = found?;
    if let Some(range) = line.range {
        context.within(found.length, range, start)?;
    }
    if context.stop.is_some() {
        return None;
    }
    context.comments.extend(std::mem::take(&mut found.comments));
    if context.automatic_comments(line.quiet) {
        write_ends("line", context, start, found.last, found.length, None);
    }
    if line.nest_ban {
        let game = context.game;
        let positions = game
            .path_back(found.last)
            .take_while(|position| position.id >= start.id)
            .filter(|position| !line.single_color || position.turn == start.turn);
        for position in positions {
            context.paths.ban(line, position.id);
        }
    }
    Some(found)
}

/// Returns whether the first item can hold. Called only if it makes no difference that the item is evaluated again.
fn can_begin<'a>(line: &'a Line, context: &mut Context<'a>, start: &'a Position) -> bool {
    match line.program.first_step() {
        Some(item) if !item.fixes_next => context.elsewhere(|context| item.filter.eval(context, start)),
        _ => true,
    }
}

struct LineSearch<'a, 'r> {
    line: &'a Line,
    context: &'r mut Context<'a>,
    start: &'a Position,
    /// The mark of the comments before the line.
    mark: usize,
    left: Vec<Pending<'a>>,
    visited: Option<Visited>,
    best: Option<Positions<'a>>,
    effort: Effort,
    left_memory: PendingMemory,
    done: bool,
}

impl<'a> LineSearch<'a, '_> {
    fn run(line: &'a Line, context: &mut Context<'a>, start: &'a Position, mark: usize) -> Option<Positions<'a>> {
        let held = context.held;
        let visited = if context.is_pure(line.effects) && line.program.is_ambiguous() {
            Some(Visited::of_run(&line.program, line.span, context, start)?)
        } else {
            None
        };
        let left = context.line_stacks.pop().unwrap_or_default();
        let mut search = LineSearch {
            line,
            context,
            start,
            mark,
            left,
            visited,
            best: None,
            effort: Effort::default(),
            left_memory: PendingMemory::default(),
            done: false,
        };
        search.follow(Thread::new(&line.program), LinePoint { at: start, length: 0 });
        while !search.done
            && let Some(left) = search.left.pop()
        {
            search.context.comments.cut(left.comments);
            search.resume(left.way);
            search.count_left();
        }
        let LineSearch {
            visited,
            best,
            mut left,
            ..
        } = search;
        left.clear();
        context.line_stacks.push(left);
        context.paths.tables.extend(visited);
        context.held = held;
        best
    }

    fn resume(&mut self, way: PendingStep<'a>) {
        match way {
            PendingStep::Branch(thread, state) => self.follow(thread, state),
            PendingStep::Children { thread, child, length } => {
                if let Some(sibling) = self.sibling(child) {
                    self.leave(PendingStep::Children {
                        thread: thread.clone(),
                        child: sibling,
                        length,
                    });
                }
                self.arrive(thread, LinePoint { at: child, length });
            }
            PendingStep::Item {
                thread,
                item,
                state,
                child,
            } => {
                if let Some(sibling) = self.sibling(child) {
                    self.leave(PendingStep::Item {
                        thread: thread.clone(),
                        item,
                        state,
                        child: sibling,
                    });
                }
                if self.holds(item, state, Some(child)) {
                    let (thread, length) = self.matched(&thread, state);
                    self.arrive(thread, LinePoint { at: child, length });
                }
            }
        }
    }

    /// Counts the memory of the steps left to try.
    fn count_left(&mut self) {
        let (span, context) = (self.line.span, &mut *self.context);
        let has_room = self
            .left_memory
            .count(&self.left, &mut self.visited, span, context, self.start);
        self.done |= !has_room;
    }

    fn leave(&mut self, way: PendingStep<'a>) {
        let comments = self.context.comments.mark();
        self.left.push(Pending { way, comments });
    }

    /// Arrives at the next position. A position with the wrong side to move is skipped.
    fn arrive(&mut self, thread: Thread, state: LinePoint<'a>) {
        if self.line.single_color && state.at.turn != self.start.turn {
            self.go_on(thread, state);
        } else {
            self.follow(thread, state);
        }
    }

    /// Continues with a thread, whose item has to hold at this position.
    fn follow(&mut self, thread: Thread, state: LinePoint<'a>) {
        let mut thread = thread;
        let comments = self.context.comments.mark();
        let left = &mut self.left;
        let reached = thread.advance(&self.line.program, state.at.id, &mut self.visited, |branch| {
            left.push(Pending {
                way: PendingStep::Branch(branch, state),
                comments,
            });
        });
        // A sequence complete before this position was noted at the previous one.
        let Reached::Step(item) = reached else { return };
        if item.fixes_next
            && let Some(child) = self.first_child(state.at)
        {
            self.leave(PendingStep::Item {
                thread,
                item,
                state,
                child,
            });
        } else if self.holds(item, state, None) {
            let (thread, length) = self.matched(&thread, state);
            self.go_on(thread, LinePoint { length, ..state });
        }
    }

    /// Returns whether an item holds if the line continues at `next`.
    fn holds(&mut self, item: &'a Item, state: LinePoint<'a>, next: Option<&Position>) -> bool {
        self.context.line_item = Some(LineItem {
            at: state.at.id,
            next: next.map(|next| next.id),
        });
        self.effort.step(self.context, self.line.span, self.start);
        let mark = self.context.comments.mark();
        let holds = item.filter.eval(self.context, state.at);
        if !holds {
            self.context.comments.cut(mark);
        }
        self.done |= self.context.stop.is_some();
        holds && !self.done
    }

    /// Returns the thread and the length after an item has matched. Notes the line if it is complete.
    fn matched(&mut self, thread: &Thread, state: LinePoint<'a>) -> (Thread, i32) {
        let thread = thread.after_step();
        let length = state.length + 1;
        if thread.can_end(&self.line.program) {
            if self.best.as_ref().is_none_or(|best| length > best.length) {
                let comments = self.context.comments.since(self.mark).to_vec();
                self.context.held += comments::size(&comments);
                let best = Positions {
                    last: state.at,
                    length,
                    comments,
                };
                if let Some(replaced) = self.best.replace(best) {
                    self.context.held -= comments::size(&replaced.comments);
                }
                self.done |= !self.context.has_room(0, self.line.span, self.start);
            }
            self.done |= self.line.first_match;
        }
        (thread, length)
    }

    /// Continues at each of the next positions.
    fn go_on(&mut self, thread: Thread, state: LinePoint<'a>) {
        let next = if self.line.backward {
            self.context.game.parent(state.at)
        } else {
            self.first_child(state.at)
        };
        if let Some(child) = next {
            self.leave(PendingStep::Children {
                thread,
                child,
                length: state.length,
            });
        }
    }

    /// Returns the first child at which the line may continue.
    fn first_child(&self, at: &Position) -> Option<&'a Position> {
        let child = self.context.game.first_child(at)?;
        match self.line.primary {
            Some(false) => self.context.game.next_sibling(child),
            _ => Some(child),
        }
    }

    /// Returns the next sibling at which the line may continue.
    fn sibling(&self, child: &Position) -> Option<&'a Position> {
        if self.line.backward || self.line.primary == Some(true) {
            None
        } else {
            self.context.game.next_sibling(child)
        }
    }
}
