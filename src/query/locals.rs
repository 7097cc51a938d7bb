//! Variables that only name a set for the rest of a block.
//!
//! Such a variable is given its value before anything reads it, each time the block is evaluated. So nobody can tell whether it got
//! one where the block fails, and whoever reads the block may put the set in the place of the name.

use std::collections::HashSet;

use super::node::{Cond, Node, Set};
use super::variables::{PersistentVariable, SetVar, Variable};
use super::visit::{Child, Part};
use super::{Assignment, CondExpr, SetExpr};

/// The variables of a query that only name a set for the rest of a block.
#[derive(Clone, Debug, Default)]
pub(crate) struct Locals {
    /// In their order.
    sets: Vec<SetVar>,
}

impl Locals {
    /// Those of a body. There are none where the query `asks_for_names`, whether variables have a value.
    pub(super) fn of(body: &Cond, persistent: &[PersistentVariable], asks_for_names: bool) -> Locals {
        if asks_for_names {
            return Locals::default();
        }
        let mut search = Search::default();
        search.look(Child::Condition(body));
        let Search { named, mut others, .. } = search;
        others.extend(persistent.iter().filter_map(|persistent| match persistent.variable {
            Variable::Set(variable) => Some(variable),
            _ => None,
        }));
        let mut sets: Vec<SetVar> = named.difference(&others).copied().collect();
        sets.sort_unstable_by_key(|variable| variable.index());
        Locals { sets }
    }

    /// The variable and its value, if a condition does nothing but name a set for the rest of its block.
    pub(super) fn named<'q>(&self, condition: &'q Node<CondExpr>) -> Option<(SetVar, &'q Set)> {
        match &condition.kind {
            CondExpr::Assign(Assignment::Set(variable, set)) if self.has(*variable) => Some((*variable, set)),
            _ => None,
        }
    }

    /// Whether a variable is one of them.
    pub(super) fn has(&self, variable: SetVar) -> bool {
        let by_place = self.sets.binary_search_by_key(&variable.index(), |known| known.index());
        by_place.is_ok()
    }
}

/// The way through a query in the order of evaluation.
#[derive(Default)]
struct Search {
    /// The variables that have a value here, given in one of the blocks around.
    valued: Vec<SetVar>,
    /// All variables that a block gave a value.
    named: HashSet<SetVar>,
    /// Those that are read where they may have a value from before, or that change in another way.
    others: HashSet<SetVar>,
}

impl Search {
    fn look(&mut self, child: Child<'_>) {
        match &child {
            Child::Condition(condition) => match &condition.kind {
                CondExpr::Flow(flow) if let Some((tests, value)) = flow.as_block() => {
                    return self.block(tests, value);
                }
                CondExpr::Assign(
                    Assignment::Set(variable, _)
                    | Assignment::NonEmptySet(variable, _)
                    | Assignment::Unite(variable, _)
                    | Assignment::Intersect(variable, _)
                    | Assignment::Unbind(Variable::Set(variable)),
                ) => self.others.extend([*variable]),
                CondExpr::AllSquares(squares) => self.others.extend([squares.variable]),
                CondExpr::AllTogether(together) => self.others.extend([together.variable]),
                _ => {}
            },
            Child::Set(set) => match &set.kind {
                SetExpr::Flow(flow) if let Some((tests, value)) = flow.as_block() => {
                    return self.block(tests, value);
                }
                SetExpr::Variable(variable) if !self.valued.contains(variable) => self.others.extend([*variable]),
                SetExpr::Squares(squares) => self.others.extend([squares.variable]),
                SetExpr::Together(together) => self.others.extend([together.variable]),
                _ => {}
            },
            _ => {}
        }
        child.parts(&mut |part| self.look(part));
    }

    fn block(&mut self, tests: &[Cond], value: &impl Part) {
        let outside = self.valued.len();
        for test in tests {
            if let CondExpr::Assign(Assignment::Set(variable, set)) = &test.kind {
                self.look(Child::Set(set));
                self.valued.push(*variable);
                self.named.insert(*variable);
            } else {
                self.look(Child::Condition(test));
            }
        }
        value.child(&mut |part| self.look(part));
        self.valued.truncate(outside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::{self, Options};
    use crate::syntax::Source;

    /// How many variables of a query only name a set.
    fn count(filters: &str) -> usize {
        let text = format!("cql() {filters}");
        let query = query::compile(&Source::new("test", text), &Options::default()).expect("the query compiles");
        Locals::of(&query.body, &query.persistent, !query.bound_names.is_empty())
            .sets
            .len()
    }

    #[test]
    fn a_name_for_the_rest_of_a_block_is_found() {
        assert_eq!(count("X = P & passedpawns #X >= 2"), 1);
        assert_eq!(count("flipcolor { X = P & passedpawns Y = up 1 X Y & X }"), 2);
        assert_eq!(count("function F(S) { S attacks k } F(R) F(Q)"), 2, "one a call");
        assert_eq!(count("wtm { X = R #X == 2 } not { X = r X == . }"), 1);
    }

    #[test]
    fn a_value_that_lasts_longer_is_none() {
        assert_eq!(count("{ X = R wtm } X == ."), 0, "read behind the block");
        assert_eq!(count("X = R X |= r #X >= 2"), 0, "changed");
        assert_eq!(count("wtm or { X = R } isbound X"), 0, "asked for");
        assert_eq!(count("persistent X = [] X = R #X >= 2"), 0, "kept");
        assert_eq!(count("if wtm X = R #X >= 2"), 0, "not always set");
    }
}
