//! Runs the programs of `path` and `line`: which step comes next, and which are left to try.

use smallvec::{SmallVec, smallvec};

use crate::chess::Position;
use crate::query::ast::program::{Address, Instruction, Program, Step};
use crate::syntax::token::Span;

use crate::eval::context::Context;
use crate::eval::state::visited::{Thread, Visited};

/// The most steps of one search. If nothing can be left out, there may be far too many to try.
const MOST_STEPS: u64 = 10_000_000;

/// The number of steps that a search has tried.
#[derive(Debug, Default)]
pub(crate) struct Effort(u64);

impl Effort {
    /// Counts a step of a `path` or `line`. Ends the run if there are too many.
    #[inline]
    pub(crate) fn step(&mut self, context: &mut Context<'_>, span: Span, start: &Position) {
        self.0 += 1;
        context.is_over(span, start);
        if self.0 > MOST_STEPS {
            let label = format!("more than {MOST_STEPS} steps from one position");
            context.stop(span, "there are too many ways to match this", &label, start);
        }
    }
}

/// The place that a thread has reached.
pub(crate) enum Reached<'a, S> {
    Step(&'a S),
    End,
    /// A state that was entered before.
    Known,
}

impl Thread {
    /// Creates a thread at the beginning of a program.
    pub(crate) fn new<S: Step>(program: &Program<S>) -> Thread {
        Thread {
            place: 0,
            counters: program.counters(),
        }
    }

    /// Moves past the current step.
    pub(crate) fn step(&mut self) {
        self.place += 1;
    }

    /// Returns the thread after the current step.
    pub(crate) fn after_step(&self) -> Thread {
        Thread {
            place: self.place + 1,
            counters: self.counters.clone(),
        }
    }

    fn at(&self, place: Address) -> Thread {
        Thread {
            place,
            counters: self.counters.clone(),
        }
    }

    /// Continues to the next step or the end. Passes branches to be tried later to `branch`. With `visited`, a state that was entered
    /// before at this position is not entered again.
    pub(crate) fn advance<'a, S: Step>(
        &mut self,
        program: &'a Program<S>,
        position: u32,
        visited: &mut Option<Visited>,
        mut branch: impl FnMut(Thread),
    ) -> Reached<'a, S> {
        let known = |thread: &Thread, visited: &mut Option<Visited>| {
            visited
                .as_mut()
                .is_some_and(|visited| !visited.enter(program, thread, position))
        };
        loop {
            let Some(instruction) = program.instruction(self.place) else {
                return if known(self, visited) {
                    Reached::Known
                } else {
                    Reached::End
                };
            };
            match instruction {
                Instruction::Step(step) => {
                    return if known(self, visited) {
                        Reached::Known
                    } else {
                        Reached::Step(step)
                    };
                }
                Instruction::Skip(to) => {
                    branch(self.at(self.place + 1));
                    self.place = *to;
                }
                Instruction::Enter(slot) => {
                    // Visited states end such rounds by themselves, and must not depend on where a round began.
                    if visited.is_none() {
                        self.counters[*slot as usize] = position + 1;
                    }
                    self.place += 1;
                }
                Instruction::Again { top, entered } => {
                    if known(self, visited) {
                        return Reached::Known;
                    }
                    if !self.stayed(*entered, position) {
                        branch(self.at(*top));
                    }
                    self.place += 1;
                }
                Instruction::Begin(counter) => {
                    self.counters[*counter as usize] = 0;
                    self.place += 1;
                }
                Instruction::Count {
                    counter,
                    repetition,
                    end,
                } => {
                    let rounds = self.counters[*counter as usize];
                    let (enough, more) = (rounds >= repetition.least, repetition.allows_more(rounds));
                    if enough && more {
                        branch(self.at(self.place + 1));
                    }
                    if enough {
                        self.leave(*counter, *end);
                    } else {
                        self.place += 1;
                    }
                }
                Instruction::Next { counter, top, entered } => {
                    if known(self, visited) {
                        return Reached::Known;
                    }
                    let Some(Instruction::Count { repetition, end, .. }) = program.instruction(*top) else {
                        return Reached::Known;
                    };
                    let rounds = repetition.after(self.counters[*counter as usize]);
                    self.counters[*counter as usize] = rounds;
                    if rounds >= repetition.least && self.stayed(*entered, position) {
                        self.leave(*counter, *end);
                    } else {
                        self.place = *top;
                    }
                }
            }
        }
    }

    /// Leaves a counted part. Its counter has no meaning after that.
    fn leave(&mut self, counter: u32, end: Address) {
        self.counters[counter as usize] = 0;
        self.place = end;
    }

    fn stayed(&self, entered: Option<u32>, position: u32) -> bool {
        entered.is_some_and(|slot| self.counters[slot as usize] == position + 1)
    }

    /// Returns whether the thread can reach the end without a further step.
    pub(crate) fn can_end<S: Step>(&self, program: &Program<S>) -> bool {
        if matches!(program.instruction(self.place), Some(Instruction::Step(_))) {
            return false;
        }
        let mut threads: SmallVec<[Thread; 4]> = smallvec![self.clone()];
        while let Some(mut thread) = threads.pop() {
            // Before a step, no round can stay where it is, so the position does not matter.
            let reached = thread.advance(program, 0, &mut None, |branch| threads.push(branch));
            if matches!(reached, Reached::End) {
                return true;
            }
        }
        false
    }
}

/// The memory of steps left to try is counted in units of this many steps.
const LEFT_STEP: usize = 64;

/// The number of steps left to try whose memory has been counted.
#[derive(Debug, Default)]
pub(crate) struct PendingMemory(usize);

impl PendingMemory {
    /// Counts the memory of the steps left to try and of the states entered, if they have grown. Returns whether
    /// there is room for it. Ends the run if not.
    #[inline]
    pub(crate) fn count<Pending>(
        &mut self,
        left: &[Pending],
        visited: &mut Option<Visited>,
        span: Span,
        context: &mut Context<'_>,
        start: &Position,
    ) -> bool {
        let grown = visited.as_mut().map_or(0, Visited::grown);
        if left.len() <= self.0 && grown == 0 {
            return true;
        }
        context.paths.note(grown);
        let more = left.len().saturating_sub(self.0).next_multiple_of(LEFT_STEP);
        self.0 += more;
        context.held += more * size_of::<Pending>();
        context.has_room(0, span, start)
    }
}

impl Visited {
    /// Returns a table for a search from a position, reusing an earlier one if possible; `None` if there is no memory for it.
    pub(crate) fn of_run<S: Step>(
        program: &Program<S>,
        span: Span,
        context: &mut Context<'_>,
        start: &Position,
    ) -> Option<Visited> {
        let positions = context.game.positions.len();
        let mut table = context.paths.tables.pop().unwrap_or_default();
        let size = program.places().saturating_mul(positions);
        let added = size.saturating_mul(size_of::<u32>()).saturating_sub(table.bytes());
        if !context.has_room(added, span, start) {
            context.paths.tables.push(table);
            return None;
        }
        context.paths.note(added);
        table.begin(program, positions);
        Some(table)
    }
}
