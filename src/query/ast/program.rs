//! The constituents of `path` and `line` as a program: a regular expression over steps, with counters.
//!
//! A program is run by backtracking. Every choice first leaves a repetition and then tries one more round, so that matches come in the
//! order of 3.1 of chapter 7 of the language reference.

use smallvec::{SmallVec, smallvec};

/// A count that no sequence of moves reaches: no upper bound.
pub(crate) const UNBOUNDED: u32 = 100_000;

/// A regular expression over steps, as written.
#[derive(Clone, Debug)]
pub(crate) enum Constituent<S> {
    /// A step.
    Step(S),
    /// One part after the other.
    Sequence(Vec<Constituent<S>>),
    /// A part several times.
    Repeated(Box<Constituent<S>>, Repetition),
}

/// How often a part is repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Repetition {
    /// The minimum number of rounds.
    pub least: u32,
    /// The maximum number of rounds; [`UNBOUNDED`] for any number.
    pub most: u32,
}

impl Repetition {
    /// `*`
    pub(crate) const ANY: Repetition = Repetition {
        least: 0,
        most: UNBOUNDED,
    };
    /// `+`
    pub(crate) const SOME: Repetition = Repetition {
        least: 1,
        most: UNBOUNDED,
    };

    /// Returns whether another round may follow this many.
    #[inline]
    pub(crate) fn allows_more(self, rounds: u32) -> bool {
        self.most == UNBOUNDED || rounds < self.most
    }

    /// Returns the number of rounds after one more. Without an upper bound it stops at the lower one: all larger numbers are equivalent.
    #[inline]
    pub(crate) fn after(self, rounds: u32) -> u32 {
        let after = rounds.saturating_add(1);
        if self.most == UNBOUNDED {
            after.min(self.least)
        } else {
            after
        }
    }
}

/// A step of a program.
pub(crate) trait Step {
    /// Returns whether it leads from one position to another.
    fn advances(&self) -> bool;
}

impl<S> Constituent<S> {
    /// Returns whether it may reduce to a part that is repeated without bound: repeating it would only add more ways to match the same.
    pub(crate) fn is_repetition(&self) -> bool {
        let optional = |part: &Constituent<S>| matches!(part, Constituent::Repeated(_, Repetition { least: 0, .. }));
        match self {
            Constituent::Step(_) => false,
            Constituent::Repeated(part, repetition) => repetition.most == UNBOUNDED || part.is_repetition(),
            Constituent::Sequence(parts) => (0..parts.len()).any(|at| {
                let mut others = parts[..at].iter().chain(&parts[at + 1..]);
                parts[at].is_repetition() && others.all(optional)
            }),
        }
    }
}

impl<S: Step> Constituent<S> {
    /// Returns whether it can succeed without leading to another position.
    pub(crate) fn can_stay(&self) -> bool {
        match self {
            Constituent::Step(step) => !step.advances(),
            Constituent::Sequence(parts) => parts.iter().all(Constituent::can_stay),
            Constituent::Repeated(part, repetition) => repetition.least == 0 || part.can_stay(),
        }
    }

    /// Returns the minimum number of steps to another position on every way through it.
    fn least_advances(&self) -> u32 {
        match self {
            Constituent::Step(step) => u32::from(step.advances()),
            Constituent::Sequence(parts) => parts
                .iter()
                .map(Constituent::least_advances)
                .fold(0, u32::saturating_add),
            Constituent::Repeated(part, Repetition { least, .. }) => part.least_advances().saturating_mul(*least),
        }
    }

    /// Returns the number of choices that a sequence of moves leaves open. With at most one, the length decides how the sequence was
    /// matched.
    fn choices(&self) -> u32 {
        match self {
            Constituent::Step(_) => 0,
            Constituent::Sequence(parts) => parts.iter().map(Constituent::choices).fold(0, u32::saturating_add),
            Constituent::Repeated(part, Repetition { least, most }) => match part.choices() {
                0 => u32::from(least != most),
                inner => inner.saturating_add(1),
            },
        }
    }
}

/// A place in a program.
pub(crate) type Address = u32;
/// A counter of a program.
pub(crate) type Slot = u32;

/// An instruction. All except jumps continue with the next one.
#[derive(Clone, Debug)]
pub(crate) enum Instruction<S> {
    /// Take a step.
    Step(S),
    /// First jump to this place; on backtracking, go on.
    Skip(Address),
    /// First go on; on backtracking, jump to this place for one more round of a part.
    Again {
        /// Where the part begins.
        top: Address,
        /// The slot with the position before the round. A round that stayed there is not repeated.
        entered: Option<Slot>,
    },
    /// Store the position before a round.
    Enter(Slot),
    /// Set a counter to zero.
    Begin(Slot),
    /// Before a round of a counted part: first jump to the end if there were enough rounds; then go on if more are allowed.
    Count {
        /// The number of rounds so far.
        counter: Slot,
        /// The allowed numbers of rounds.
        repetition: Repetition,
        /// The place after the part.
        end: Address,
    },
    /// After a round: count it and go back.
    Next {
        /// The number of rounds so far.
        counter: Slot,
        /// The place of the [`Instruction::Count`].
        top: Address,
        /// As for [`Instruction::Again`].
        entered: Option<Slot>,
    },
}

/// The values of the counters of a program.
pub(crate) type Counters = SmallVec<[u32; 4]>;

/// Instructions, run from the first until after the last.
#[derive(Clone, Debug)]
pub(crate) struct Program<S> {
    instructions: Vec<Instruction<S>>,
    slots: u32,
    /// The index of the step that comes first on every way.
    first: Option<usize>,
    ambiguous: bool,
    least_advances: u32,
}

impl<S: Step> Program<S> {
    /// Compiles parts in sequence to a program.
    pub(crate) fn new(parts: Vec<Constituent<S>>) -> Program<S> {
        let whole = Constituent::Sequence(parts);
        let mut program = Program {
            instructions: Vec::new(),
            slots: 0,
            first: None,
            ambiguous: whole.choices() > 1,
            least_advances: whole.least_advances(),
        };
        program.push(whole);
        // Rounds that are required begin with these instructions.
        program.first = program.instructions.iter().position(|instruction| match instruction {
            Instruction::Enter(_) | Instruction::Begin(_) => false,
            Instruction::Count { repetition, .. } => repetition.least == 0,
            _ => true,
        });
        program
    }

    /// Returns the instruction at a place, or `None` at the end.
    #[inline]
    pub(crate) fn instruction(&self, place: Address) -> Option<&Instruction<S>> {
        self.instructions.get(place as usize)
    }

    /// Returns the step that comes first on every way, if there is one.
    #[inline]
    pub(crate) fn first_step(&self) -> Option<&S> {
        match self.instructions.get(self.first?) {
            Some(Instruction::Step(step)) => Some(step),
            _ => None,
        }
    }

    /// Returns the steps at the beginning of every way, in order.
    pub(crate) fn leading_steps(&self) -> impl Iterator<Item = &S> {
        self.instructions.iter().map_while(|instruction| match instruction {
            Instruction::Step(step) => Some(step),
            _ => None,
        })
    }

    /// Returns the number of places, including the end.
    pub(crate) fn places(&self) -> usize {
        self.instructions.len() + 1
    }

    /// Returns whether a sequence of moves can match in several ways.
    pub(crate) fn is_ambiguous(&self) -> bool {
        self.ambiguous
    }

    /// Returns the minimum number of steps to another position on every way.
    pub(crate) fn least_advances(&self) -> u32 {
        self.least_advances
    }

    /// Returns whether any part may be repeated.
    pub(crate) fn has_rounds(&self) -> bool {
        let repeats =
            |instruction: &Instruction<S>| matches!(instruction, Instruction::Again { .. } | Instruction::Next { .. });
        self.instructions.iter().any(repeats)
    }

    /// Returns whether a run has counters; otherwise the place is all its state.
    pub(crate) fn has_counters(&self) -> bool {
        self.slots > 0
    }

    /// Returns the counters at the beginning.
    pub(crate) fn counters(&self) -> Counters {
        smallvec![0; self.slots as usize]
    }

    /// Returns the steps in order.
    pub(crate) fn steps(&self) -> impl Iterator<Item = &S> {
        self.instructions.iter().filter_map(|instruction| match instruction {
            Instruction::Step(step) => Some(step),
            _ => None,
        })
    }

    /// Returns the steps in order.
    pub(crate) fn steps_mut(&mut self) -> impl Iterator<Item = &mut S> {
        self.instructions
            .iter_mut()
            .filter_map(|instruction| match instruction {
                Instruction::Step(step) => Some(step),
                _ => None,
            })
    }

    fn here(&self) -> Address {
        self.instructions.len() as Address
    }

    fn slot(&mut self) -> Slot {
        self.slots += 1;
        self.slots - 1
    }

    fn push(&mut self, part: Constituent<S>) {
        match part {
            Constituent::Step(step) => self.instructions.push(Instruction::Step(step)),
            Constituent::Sequence(parts) => parts.into_iter().for_each(|part| self.push(part)),
            Constituent::Repeated(part, repetition) => self.push_repeated(*part, repetition),
        }
    }

    fn push_repeated(&mut self, part: Constituent<S>, repetition: Repetition) {
        match (repetition.least, repetition.most) {
            (_, 0) => {}
            (1, 1) => self.push(part),
            (0, 1) => self.push_optional(|program| program.push(part)),
            (0, UNBOUNDED) => self.push_optional(|program| program.push_rounds(part)),
            (1, UNBOUNDED) => self.push_rounds(part),
            _ => self.push_counted(part, repetition),
        }
    }

    fn push_optional(&mut self, push: impl FnOnce(&mut Self)) {
        let skip = self.instructions.len();
        self.instructions.push(Instruction::Skip(0));
        push(self);
        self.instructions[skip] = Instruction::Skip(self.here());
    }

    /// Appends one round or more.
    fn push_rounds(&mut self, part: Constituent<S>) {
        let top = self.here();
        let entered = self.push_round(part);
        self.instructions.push(Instruction::Again { top, entered });
    }

    fn push_counted(&mut self, part: Constituent<S>, repetition: Repetition) {
        let counter = self.slot();
        self.instructions.push(Instruction::Begin(counter));
        let top = self.here();
        let count = |end| Instruction::Count {
            counter,
            repetition,
            end,
        };
        self.instructions.push(count(0));
        let entered = if repetition.most == UNBOUNDED {
            self.push_round(part)
        } else {
            self.push(part);
            None
        };
        self.instructions.push(Instruction::Next { counter, top, entered });
        self.instructions[top as usize] = count(self.here());
    }

    /// Appends a round of a part that is repeated without bound, and returns the slot with the position before it.
    fn push_round(&mut self, part: Constituent<S>) -> Option<Slot> {
        let entered = part.can_stay().then(|| self.slot());
        if let Some(slot) = entered {
            self.instructions.push(Instruction::Enter(slot));
        }
        self.push(part);
        entered
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Letter;

    impl Step for Letter {
        fn advances(&self) -> bool {
            true
        }
    }

    fn repeated(part: Constituent<Letter>, least: u32, most: u32) -> Constituent<Letter> {
        Constituent::Repeated(Box::new(part), Repetition { least, most })
    }

    #[test]
    fn one_choice_is_decided_by_the_length() {
        let letter = || Constituent::Step(Letter);
        let ambiguous = |part| Program::new(vec![part]).is_ambiguous();
        assert!(!ambiguous(repeated(letter(), 6, UNBOUNDED)));
        assert!(!ambiguous(repeated(repeated(letter(), 2, 2), 0, 5)));
        assert!(ambiguous(repeated(repeated(letter(), 0, 1), 2, 2)));
        assert!(ambiguous(Constituent::Sequence(vec![
            repeated(letter(), 0, UNBOUNDED),
            repeated(letter(), 0, 1)
        ])));
    }

    #[test]
    fn every_way_has_so_many_steps() {
        let least = |part| Program::new(vec![Constituent::Step(Letter), part]).least_advances();
        assert_eq!(least(repeated(Constituent::Step(Letter), 6, UNBOUNDED)), 7);
        assert_eq!(least(repeated(Constituent::Step(Letter), 0, 6)), 1);
        assert_eq!(least(repeated(repeated(Constituent::Step(Letter), 2, 3), 2, 2)), 5);
    }

    #[test]
    fn only_rounds_that_can_stay_keep_their_position() {
        let letter = || Constituent::Step(Letter);
        let slots = |part| Program::new(vec![part]).slots;
        assert_eq!(slots(repeated(letter(), 0, UNBOUNDED)), 0);
        assert_eq!(slots(repeated(repeated(letter(), 0, 1), 1, UNBOUNDED)), 1);
        assert_eq!(slots(repeated(repeated(letter(), 0, 1), 2, UNBOUNDED)), 2);
    }
}
