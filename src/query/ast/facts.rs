//! Facts: what is known of an expression without a position.
//!
//! They are computed from the expression and the facts of its parts when its node is made, and kept in the node. Whoever wants to know whether
//! a filter may be skipped, moved or remembered asks its facts; nobody reads the query again. What the filters themselves add, form by
//! form, is in [`forms`].
//!
//! Each part uses only those before it: `cost`, `self`, `forms`.

use bitflags::bitflags;

use super::range::{Bound, Range};
use super::variables::Variable;
use super::visit::{Child, ChildMut, Children};
use crate::syntax::token::Span;

pub(crate) mod cost;
mod forms;

bitflags! {
    /// What the value of a filter depends on, and what of a game has to be known for it.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub(crate) struct Reads: u32 {
        /// The pieces of the current position.
        const BOARD = 1;
        /// Its side to move.
        const TURN = 1 << 1;
        /// The position itself, the move that led to it, and the position before.
        const ARRIVAL = 1 << 2;
        /// How many moves led to it.
        const PLY = 1 << 3;
        /// Its place in the tree of the game, and what is said of it there.
        const PLACE = 1 << 4;
        /// The moves that were played from it.
        const MOVES = 1 << 5;
        /// Positions of the game, wherever the current one is.
        const TREE = 1 << 6;
        /// Tags. `Result` and `FEN` are known of every game and not counted.
        const TAGS = 1 << 7;
        /// Original comments.
        const NOTES = 1 << 8;
        /// Evaluations, clocks, symbols and judgements.
        const COMMANDS = 1 << 9;
        /// Which piece stands where through the whole game.
        const IDENTITIES = 1 << 10;
        /// Endgame tablebases.
        const TABLEBASE = 1 << 11;
        /// The number of the game.
        const GAME_NUMBER = 1 << 12;
        /// How many games the input has.
        const LAST_GAME_NUMBER = 1 << 13;
        /// Files.
        const FILES = 1 << 14;
        /// Dictionaries.
        const DICTIONARIES = 1 << 15;
        /// Which variables have a value.
        const BINDINGS = 1 << 16;
        /// The path around the filter, or the last one that matched.
        const PATH = 1 << 17;
        /// The move to the next position of the line around the filter.
        const STEP = 1 << 18;
        /// All pairs of positions, so that a second evaluation is expensive.
        const PAIRS = 1 << 19;

        /// What belongs to the current position: a filter that reads nothing of it has the same value at all of them.
        const HERE = Self::BOARD.bits()
            | Self::TURN.bits()
            | Self::ARRIVAL.bits()
            | Self::PLY.bits()
            | Self::PLACE.bits()
            | Self::MOVES.bits();
        /// What may change while a position is evaluated. A filter that reads it cannot be skipped.
        const CHANGING = Self::FILES.bits()
            | Self::DICTIONARIES.bits()
            | Self::BINDINGS.bits()
            | Self::PATH.bits();
    }

    /// What evaluating a filter does beside giving a value.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub(crate) struct Effects: u16 {
        /// It writes comments; nothing where nobody asks for them.
        const COMMENT = 1;
        /// It gives a variable a value.
        const ASSIGN = 1 << 1;
        /// It ends the run if a variable has no value. Facts leave this to the [uses](Use::NEEDED) of variables.
        const UNBOUND = 1 << 2;
        /// It may end the run for another reason.
        const STOP = 1 << 3;
        /// It sets or reads the groups of a regular expression.
        const GROUPS = 1 << 4;
        /// It sets what the last path has found.
        const LAST_PATH = 1 << 5;
        /// It may never end.
        const ENDLESS = 1 << 6;
        /// Anything else that can be seen.
        const OTHER = 1 << 7;
    }

    /// What a filter does with a variable.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) struct Use: u8 {
        /// The value of the filter depends on that of the variable, which nothing inside binds.
        const FREE = 1;
        /// It ends the run if the variable, which nothing inside binds, has no value.
        const NEEDED = 1 << 1;
        /// It is read.
        const READ = 1 << 2;
        /// It is given a value, or loses it, other than by a loop.
        const ASSIGNED = 1 << 3;
        /// A loop or an `echo` binds it.
        const LOOPED = 1 << 4;
    }
}

impl Reads {
    /// What of the game has to be known for the value of a variable to mean something.
    fn behind(variable: Variable) -> Reads {
        match variable {
            Variable::Piece(_) => Reads::IDENTITIES,
            Variable::Position(_) => Reads::TREE,
            Variable::Set(_) | Variable::Number(_) | Variable::String(_) => Reads::empty(),
        }
    }
}

/// What is known of an expression without a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Facts {
    /// What it reads.
    pub(crate) reads: Reads,
    /// What it does beside giving a value.
    pub(crate) effects: Effects,
    /// What evaluating it once costs, in looks at the squares of one kind of piece.
    pub(crate) cost: f64,
    /// What it does with variables, each of them once, in order.
    variables: Vec<(Variable, Use)>,
}

impl Facts {
    /// Those of the parts of something.
    pub(crate) fn of_parts(whole: &impl Children) -> Facts {
        Facts::default().with_parts(whole)
    }

    /// The variables with which the filter does all of `uses`.
    pub(crate) fn variables(&self, uses: Use) -> impl Iterator<Item = Variable> {
        let with = self.variables.iter().filter(move |(_, used)| used.contains(uses));
        with.map(|(variable, _)| *variable)
    }

    /// Whether it does anything with variables.
    pub(crate) fn has_variables(&self) -> bool {
        !self.variables.is_empty()
    }

    fn reading(reads: Reads, cost: f64) -> Facts {
        Facts {
            reads,
            cost,
            ..Facts::default()
        }
    }

    fn doing(effects: Effects, cost: f64) -> Facts {
        Facts::reading(Reads::empty(), cost).and_does(effects)
    }

    fn of_variable(variable: Variable) -> Facts {
        let own = Facts::reading(Reads::behind(variable), 1.0);
        own.and_uses(variable, Use::FREE | Use::NEEDED | Use::READ)
    }

    fn costing(self, cost: f64) -> Facts {
        Facts { cost, ..self }
    }

    /// Evaluated this many times.
    fn times(self, rounds: f64) -> Facts {
        let cost = rounds * self.cost;
        self.costing(cost)
    }

    fn and_reads(mut self, reads: Reads) -> Facts {
        self.reads |= reads;
        self
    }

    fn and_does(mut self, effects: Effects) -> Facts {
        self.effects |= effects;
        self
    }

    /// With comments unless the filter is quiet.
    fn comments_unless(self, quiet: bool) -> Facts {
        if quiet { self } else { self.and_does(Effects::COMMENT) }
    }

    fn and_uses(mut self, variable: Variable, uses: Use) -> Facts {
        self.add(variable, uses);
        self
    }

    /// With the bounds of a range. Those that are variables end the run if they are out of order.
    fn within(mut self, range: Option<Range>) -> Facts {
        if let Some(Range::Within(least, most)) = range {
            for bound in [least, most] {
                if let Bound::Variable(variable, _) = bound {
                    self.add(Variable::Number(variable), Use::FREE | Use::READ);
                    self.effects |= Effects::STOP;
                }
            }
        }
        self
    }

    /// With a variable bound for all that is inside.
    pub(crate) fn binds(mut self, variable: Variable) -> Facts {
        if let Ok(place) = self.place(variable) {
            self.variables[place].1 -= Use::FREE | Use::NEEDED;
        }
        self
    }

    fn with_parts(mut self, whole: &impl Children) -> Facts {
        whole.children(&mut |child| self.join_child(child));
        self
    }

    fn with(mut self, other: &Facts) -> Facts {
        self.join(other);
        self
    }

    fn join_child(&mut self, child: Child<'_>) {
        match child.facts() {
            Some(facts) => self.join(facts),
            None => child.parts(&mut |part| self.join_child(part)),
        }
    }

    fn join(&mut self, other: &Facts) {
        self.reads |= other.reads;
        self.effects |= other.effects;
        self.cost += other.cost;
        for (variable, uses) in &other.variables {
            self.add(*variable, *uses);
        }
    }

    fn add(&mut self, variable: Variable, uses: Use) {
        match self.place(variable) {
            Ok(place) => self.variables[place].1 |= uses,
            Err(place) => self.variables.insert(place, (variable, uses)),
        }
    }

    /// Where a variable is, or where it belongs.
    fn place(&self, variable: Variable) -> Result<usize, usize> {
        self.variables.binary_search_by_key(&variable, |(known, _)| *known)
    }
}

/// Returns the first part of an expression of whose facts `of` says something that it says of none of the parts inside: its text and what is
/// said.
pub(crate) fn first_part<T>(child: Child<'_>, of: &impl Fn(&Facts) -> Option<T>) -> Option<(Span, T)> {
    let (said, span) = (child.facts().map(of), child.span());
    if matches!(said, Some(None)) {
        return None;
    }
    let mut found = None;
    child.parts(&mut |part| {
        if found.is_none() {
            found = first_part(part, of);
        }
    });
    found.or_else(|| span.zip(said.flatten()))
}

/// Computes the facts of an expression and all its parts anew, after parts have been changed in place.
pub(crate) fn refresh(child: ChildMut<'_>) {
    macro_rules! refresh {
        ($node:ident) => {{
            $node.kind.children_mut(&mut |part| refresh(part));
            $node.facts = $node.kind.facts();
        }};
    }
    match child {
        ChildMut::Set(set) => refresh!(set),
        ChildMut::Number(number) => refresh!(number),
        ChildMut::String(string) => refresh!(string),
        ChildMut::Position(position) => refresh!(position),
        ChildMut::Condition(condition) => refresh!(condition),
        other => other.parts(&mut |part| refresh(part)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::parse::{Options, typed};
    use crate::syntax::Source;

    fn facts(filters: &str) -> Facts {
        let source = Source::new("q.cql", format!("cql() {filters}"));
        let query = typed(&source, &Options::default()).expect("the query compiles");
        query.body.facts
    }

    #[test]
    fn a_filter_reads_and_does_what_its_parts_do() {
        let rules = Reads::BOARD | Reads::TURN;
        for (filters, reads, effects) in [
            ("R attacks k", Reads::BOARD, Effects::empty()),
            ("mate", rules, Effects::empty()),
            ("not (btm or from & a1)", Reads::TURN | Reads::ARRIVAL, Effects::empty()),
            ("elo>2400 R", Reads::TAGS | Reads::BOARD, Effects::empty()),
            ("eval>100", Reads::PLACE | Reads::COMMANDS, Effects::empty()),
            ("ply>3 {comment \"x\"}", Reads::PLY | Reads::ARRIVAL, Effects::COMMENT),
            ("find quiet mate", rules | Reads::PLACE, Effects::empty()),
            ("find mate", rules | Reads::PLACE, Effects::COMMENT),
            ("parent:mate", Reads::ARRIVAL, Effects::empty()),
            ("x=1 message(x)", Reads::empty(), Effects::ASSIGN | Effects::OTHER),
            ("assert wtm", Reads::TURN, Effects::STOP),
        ] {
            let facts = facts(filters);
            assert_eq!((facts.reads, facts.effects), (reads, effects), "{filters}");
        }
    }

    #[test]
    fn a_variable_is_free_outside_of_what_binds_it() {
        for (filters, free, looped) in [
            ("x=1 ply>x", 1, 0),
            ("square x in R not (x attacks k)", 0, 1),
            ("square x in R {y=x not (y attacks x)}", 1, 1),
            ("function F(x) {ply>x} F(3)", 0, 0),
        ] {
            let facts = facts(filters);
            let count = |uses| facts.variables(uses).count();
            assert_eq!((count(Use::FREE), count(Use::LOOPED)), (free, looped), "{filters}");
        }
    }
}
