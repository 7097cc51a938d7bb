//! Facts: what is known about an expression without a position.
//!
//! They are computed when the node of an expression is made, from the expression and the facts of its parts, and kept in the node. Code
//! that needs to know whether a filter may be skipped, moved or remembered looks at its facts and does not traverse the query again. The
//! contributions of each form of filter are in [`forms`].
//!
//! Each part uses only those before it: `self`, `cost`, `forms`.

use bitflags::bitflags;

use super::range::{Bound, Range};
use super::variables::Variable;
use super::visit::{Child, ChildMut, Children};
use crate::syntax::token::Span;

pub(crate) mod cost;
mod forms;

bitflags! {
    /// What the value of a filter depends on, and what must be known about the game to compute it.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub(crate) struct Reads: u32 {
        /// The pieces of the current position.
        const BOARD = 1;
        /// The side to move of the current position.
        const TURN = 1 << 1;
        /// The current position itself, the move that led to it, and the position before.
        const ARRIVAL = 1 << 2;
        /// The number of moves that led to the current position.
        const PLY = 1 << 3;
        /// The place of the current position in the tree of the game, and notes about it.
        const PLACE = 1 << 4;
        /// The moves that were played from the current position.
        const MOVES = 1 << 5;
        /// Positions of the game, wherever the current position is.
        const TREE = 1 << 6;
        /// Tags, except `Result` and `FEN`, which are known for every game.
        const TAGS = 1 << 7;
        /// Original comments.
        const NOTES = 1 << 8;
        /// Evaluations, clocks, symbols and judgements.
        const COMMANDS = 1 << 9;
        /// Which piece is where throughout the game.
        const IDENTITIES = 1 << 10;
        /// Endgame tablebases.
        const TABLEBASE = 1 << 11;
        /// The number of the game.
        const GAME_NUMBER = 1 << 12;
        /// The number of games in the input.
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
        /// All pairs of positions, which makes a second evaluation expensive.
        const PAIRS = 1 << 19;

        /// Everything that belongs to the current position. A filter that reads none of this has the same value at all positions of a game.
        const HERE = Self::BOARD.bits()
            | Self::TURN.bits()
            | Self::ARRIVAL.bits()
            | Self::PLY.bits()
            | Self::PLACE.bits()
            | Self::MOVES.bits();
        /// Things that may change while a position is evaluated. A filter that reads them cannot be skipped.
        const CHANGING = Self::FILES.bits()
            | Self::DICTIONARIES.bits()
            | Self::BINDINGS.bits()
            | Self::PATH.bits();
    }

    /// What evaluating a filter does besides giving a value.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub(crate) struct Effects: u16 {
        /// It writes comments, which is no effect if comments are not wanted.
        const COMMENT = 1;
        /// It assigns a variable.
        const ASSIGN = 1 << 1;
        /// It ends the run if a variable has no value. Facts do not use this flag; they record it as [`Use::NEEDED`] of the variable.
        const UNBOUND = 1 << 2;
        /// It may end the run for another reason.
        const STOP = 1 << 3;
        /// It sets or reads the groups of a match of a regular expression.
        const GROUPS = 1 << 4;
        /// It sets the last path.
        const LAST_PATH = 1 << 5;
        /// It may never end.
        const ENDLESS = 1 << 6;
        /// It has any other visible effect.
        const OTHER = 1 << 7;
    }

    /// What a filter does with a variable.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub(crate) struct Use: u8 {
        /// The value of the filter depends on the value of the variable, which nothing inside binds.
        const FREE = 1;
        /// It ends the run if the variable has no value and nothing inside binds it.
        const NEEDED = 1 << 1;
        /// The variable is read.
        const READ = 1 << 2;
        /// The variable gets a value or loses it, other than in a loop.
        const ASSIGNED = 1 << 3;
        /// A loop or an `echo` binds the variable.
        const LOOPED = 1 << 4;
    }
}

impl Effects {
    /// Returns whether the filter may be evaluated any number of times, provided that comments are not wanted.
    pub(crate) fn may_be_repeated(self) -> bool {
        Effects::COMMENT.contains(self)
    }

    /// Returns whether the filter only assigns and reads variables, if it has any effect.
    pub(crate) fn only_assigns(self) -> bool {
        (Effects::ASSIGN | Effects::UNBOUND).contains(self)
    }
}

impl Reads {
    /// Returns what must be known about the game for the value of a variable to mean something.
    fn behind(variable: Variable) -> Reads {
        match variable {
            Variable::Piece(_) => Reads::IDENTITIES,
            Variable::Position(_) => Reads::TREE,
            Variable::Set(_) | Variable::Number(_) | Variable::String(_) => Reads::empty(),
        }
    }
}

/// What is known about an expression without a position.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Facts {
    /// What it reads.
    pub(crate) reads: Reads,
    /// What it does besides giving a value.
    pub(crate) effects: Effects,
    /// The cost of evaluating it once; the unit is a look at the squares of one kind of piece.
    pub(crate) cost: f64,
    /// What it does with variables, one entry for each, sorted by variable.
    variables: Vec<(Variable, Use)>,
}

impl Facts {
    /// Returns the combined facts of the parts of `whole`.
    pub(crate) fn of_parts(whole: &impl Children) -> Facts {
        Facts::default().with_parts(whole)
    }

    /// Returns the variables that are used in all the ways in `uses`.
    pub(crate) fn variables(&self, uses: Use) -> impl Iterator<Item = Variable> {
        let with = self.variables.iter().filter(move |(_, used)| used.contains(uses));
        with.map(|(variable, _)| *variable)
    }

    /// Returns whether variables are used at all.
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

    /// Returns the facts with the cost of this many evaluations.
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

    /// Adds comments unless the filter is quiet.
    fn comments_unless(self, quiet: bool) -> Facts {
        if quiet { self } else { self.and_does(Effects::COMMENT) }
    }

    fn and_uses(mut self, variable: Variable, uses: Use) -> Facts {
        self.add(variable, uses);
        self
    }

    /// Adds the bounds of a range. Bounds that are variables end the run if they are out of order.
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

    /// Binds a variable for everything inside.
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

    /// Returns the index of a variable, or the index where it belongs.
    fn place(&self, variable: Variable) -> Result<usize, usize> {
        self.variables.binary_search_by_key(&variable, |(known, _)| *known)
    }
}

/// Finds the innermost expression for which `of` returns something, and returns its text and that value. Searches the parts in order.
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

/// Recomputes the facts of an expression and all its parts, after parts have been changed in place.
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
