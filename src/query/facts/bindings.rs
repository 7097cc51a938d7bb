//! Variables that keep a value only for the rest of a block or path.
//!
//! Such a variable is assigned before it is read, each time the block is evaluated. So assignments in a block that fails cannot be
//! observed, nor can the number of evaluations. If the variable is never changed, it can be replaced by its value.

use std::collections::{BTreeSet, HashSet};

use crate::query::ast::node::{Cond, Flow, Node, Set};
use crate::query::ast::numbers::FindCount;
use crate::query::ast::paths::{Focus, Path, PathStep};
use crate::query::ast::program::{Instruction, Repetition};
use crate::query::ast::variables::{PersistentVariable, SetVar, Variable};
use crate::query::ast::visit::{Child, Children};
use crate::query::ast::{Assignment, Bound, CondExpr, NumExpr, PosExpr, Range, SetExpr, StrExpr, TextItem};

/// The variables of a query that are never read with a value from an earlier evaluation.
#[derive(Clone, Debug, Default)]
pub(crate) struct Bindings {
    /// Aliases: they name a set for the rest of a block and are never changed. Sorted.
    sets: Vec<SetVar>,
    /// Loop variables: they have a value only inside loops over them. Sorted.
    looped: Vec<Variable>,
    /// Definitely assigned variables: wherever they are read, an enclosing block or loop has given them a value. Sorted.
    valued: Vec<Variable>,
}

impl Bindings {
    /// Analyzes a body. `asks_for_names` says that the query asks whether variables have a value; then nothing is known about any variable.
    pub(crate) fn of(body: &Cond, persistent: &[PersistentVariable], asks_for_names: bool) -> Bindings {
        if asks_for_names {
            return Bindings::default();
        }
        let mut search = Search::default();
        search.look(Child::Condition(body));
        let is_kept = |variable: &Variable| persistent.iter().any(|persistent| persistent.variable == *variable);
        let is_local = |variable: &SetVar| {
            let variable = Variable::Set(*variable);
            !search.loose.contains(&variable)
                && !search.changed.contains(&variable)
                && !search.looped.contains(&variable)
                && !is_kept(&variable)
        };
        let mut sets: Vec<SetVar> = search.named.iter().copied().filter(is_local).collect();
        sets.sort_unstable_by_key(|variable| variable.index());
        let looped = search.looped.difference(&search.assigned);
        let mut looped: Vec<Variable> = looped.copied().filter(|variable| !is_kept(variable)).collect();
        looped.sort_unstable();
        // Assigned by loops or by assignments, but not by both: after a loop, its variable has no value.
        let valued = search.looped.symmetric_difference(&search.assigned);
        let mut valued: Vec<Variable> = valued
            .copied()
            .filter(|variable| !is_kept(variable) && !search.loose.contains(variable))
            .collect();
        valued.sort_unstable();
        Bindings { sets, looped, valued }
    }

    /// Returns whether a variable is definitely assigned wherever it is read.
    pub(crate) fn has_value(&self, variable: Variable) -> bool {
        self.valued.binary_search(&variable).is_ok()
    }

    /// Returns whether a variable has a value only inside loops over it.
    pub(crate) fn is_of_loops(&self, variable: Variable) -> bool {
        self.looped.binary_search(&variable).is_ok()
    }

    /// Returns the variable and its set if a condition only introduces an alias.
    pub(crate) fn named<'q>(&self, condition: &'q Node<CondExpr>) -> Option<(SetVar, &'q Set)> {
        match &condition.kind {
            CondExpr::Assign(Assignment::Set(variable, set)) if self.has(*variable) => Some((*variable, set)),
            _ => None,
        }
    }

    /// Returns whether a variable is an alias of a set.
    pub(crate) fn has(&self, variable: SetVar) -> bool {
        let by_place = self.sets.binary_search_by_key(&variable.index(), |known| known.index());
        by_place.is_ok()
    }
}

/// Returns the variables that a body may read with a value from an earlier evaluation, in order.
pub(crate) fn may_be_stale(body: &Cond) -> Vec<Variable> {
    let mut search = Search::default();
    search.look(Child::Condition(body));
    // After a loop, its variable has no value.
    let again = search.assigned.intersection(&search.looped);
    let stale = search.loose.intersection(&search.assigned).chain(again);
    let stale: BTreeSet<Variable> = stale.copied().collect();
    stale.into_iter().collect()
}

/// The variables that may be read with a value from an earlier evaluation.
#[derive(Debug)]
pub(crate) struct Escapes {
    /// The variables whose values may escape the block or loop that assigns them.
    open: HashSet<Variable>,
    /// Whether the query asks whether variables have a value.
    are_asked_for: bool,
}

impl Escapes {
    /// Analyzes a body.
    pub(crate) fn of(body: &Cond, persistent: &[PersistentVariable], are_asked_for: bool) -> Escapes {
        let mut search = Search::default();
        search.look(Child::Condition(body));
        let Search {
            loose: mut open,
            looped,
            assigned,
            ..
        } = search;
        // After a loop, its variable has no value.
        open.extend(assigned.intersection(&looped));
        open.extend(persistent.iter().map(|persistent| persistent.variable));
        Escapes { open, are_asked_for }
    }

    /// Returns whether assignments in the body of a loop over `looped` cannot be observed outside, provided that the body only assigns and
    /// reads variables: only the body reads what it assigns, and everything it reads is assigned.
    pub(crate) fn are_hidden_in(&self, body: &Cond, looped: Variable) -> bool {
        let mut search = Search {
            valued: vec![looped],
            ..Search::default()
        };
        search.look(Child::Condition(body));
        !self.are_asked_for
            && search.assigned.is_disjoint(&search.loose)
            && search.assigned.is_disjoint(&self.open)
            && search.loose.is_disjoint(&self.open)
    }
}

/// A traversal of a query in the order of evaluation.
#[derive(Default)]
struct Search {
    /// The variables that an enclosing block or loop has given a value.
    valued: Vec<Variable>,
    /// The variables that an earlier step of an enclosing path has given a value.
    stepped: Vec<Variable>,
    /// The set variables that blocks assign.
    named: HashSet<SetVar>,
    /// The variables that are read or changed where they may have an earlier value, or that get a value for longer than the rest of a
    /// block.
    loose: HashSet<Variable>,
    /// The variables that are used for more than naming a set for the rest of a block.
    changed: HashSet<Variable>,
    /// The variables that get a value other than by a loop.
    assigned: HashSet<Variable>,
    /// The variables of loops.
    looped: HashSet<Variable>,
}

/// The number of variables that had a value before a block or path.
#[derive(Clone, Copy)]
struct OuterVariables {
    valued: usize,
    stepped: usize,
}

impl Search {
    fn look(&mut self, child: Child<'_>) {
        let is_done = match &child {
            Child::Condition(condition) => self.condition(&condition.kind),
            Child::Set(set) => self.set(&set.kind),
            Child::Number(number) => self.number(&number.kind),
            Child::String(string) => self.string(&string.kind),
            Child::Position(position) => match &position.kind {
                PosExpr::Flow(flow) => self.flow(flow),
                PosExpr::Variable(variable) => self.read(Variable::Position(*variable)),
                PosExpr::Path(path) => self.path(path),
                PosExpr::Line(line) => self.range(line.range),
                _ => false,
            },
            _ => false,
        };
        if !is_done {
            child.parts(&mut |part| self.look(part));
        }
    }

    /// Each of these methods returns whether it has also looked at the parts.
    fn condition(&mut self, condition: &CondExpr) -> bool {
        match condition {
            CondExpr::Flow(flow) => self.flow(flow),
            CondExpr::Assign(assignment) => {
                let variable = assignment.variable();
                let is_new = assignment.binds().is_some() || matches!(assignment, Assignment::Unbind(_));
                if is_new || !self.valued.contains(&variable) {
                    self.loose.insert(variable);
                }
                self.changed.insert(variable);
                self.assigned.insert(variable);
                false
            }
            CondExpr::All(each) => self.over(each.variable, &each.domain, &each.body),
            CondExpr::AllFused(fused) => self.over(Variable::Set(fused.variable), &fused.domain, &fused.kept),
            CondExpr::Message { items, .. } | CondExpr::Comment(items) => self.text(items),
            CondExpr::Move(parameters) => parameters.comment.iter().any(|comment| self.text(&comment.items)),
            _ => false,
        }
    }

    fn set(&mut self, set: &SetExpr) -> bool {
        match set {
            SetExpr::Flow(flow) => self.flow(flow),
            SetExpr::Variable(variable) => self.read(Variable::Set(*variable)),
            SetExpr::Direction { range, .. } => self.range(*range),
            SetExpr::Piece(variable) => self.read(Variable::Piece(*variable)),
            SetExpr::Each(each) => self.over(each.variable, &each.domain, &each.body),
            SetExpr::FusedLoop(fused) => self.over(Variable::Set(fused.variable), &fused.domain, &fused.kept),
            SetExpr::Move(parameters) => parameters.comment.iter().any(|comment| self.text(&comment.items)),
            _ => false,
        }
    }

    fn number(&mut self, number: &NumExpr) -> bool {
        match number {
            NumExpr::Flow(flow) => self.flow(flow),
            NumExpr::Variable(variable) => self.read(Variable::Number(*variable)),
            NumExpr::Identity(variable) => self.read(Variable::Piece(*variable)),
            NumExpr::Find(_, FindCount::Within(range)) | NumExpr::CountVersions(_, range) => self.range(Some(*range)),
            NumExpr::Path(path) => self.path(path),
            NumExpr::Line(line) => self.range(line.range),
            NumExpr::ConsecutiveMoves(run) => {
                for name in [&run.first, &run.second] {
                    self.read(Variable::Position(name.variable));
                }
                self.range(run.range)
            }
            NumExpr::CountMoveLegal(parameters) => parameters.comment.iter().any(|comment| self.text(&comment.items)),
            _ => false,
        }
    }

    fn string(&mut self, string: &StrExpr) -> bool {
        match string {
            StrExpr::Flow(flow) => self.flow(flow),
            StrExpr::Variable(variable) => self.read(Variable::String(*variable)),
            StrExpr::Text(items) => self.text(items),
            _ => false,
        }
    }

    fn flow<N: Children>(&mut self, flow: &Flow<N>) -> bool {
        let Some((tests, value)) = flow.as_block() else {
            return false;
        };
        let outside = self.outside();
        for test in tests {
            self.test(test, outside);
        }
        value.children(&mut |part| self.look(part));
        self.valued.truncate(outside.valued);
        true
    }

    fn outside(&self) -> OuterVariables {
        OuterVariables {
            valued: self.valued.len(),
            stepped: self.stepped.len(),
        }
    }

    /// Looks at a condition that must hold before the rest of a block or path is evaluated. A variable that it assigns has its value in the
    /// rest.
    fn test(&mut self, test: &Cond, outside: OuterVariables) {
        let CondExpr::Assign(assignment) = &test.kind else {
            return self.look(Child::Condition(test));
        };
        let Some(variable) = assignment.binds() else {
            return self.look(Child::Condition(test));
        };
        assignment.children(&mut |part| self.look(part));
        let around = self.valued.iter().take(outside.valued);
        let mut around = around.chain(self.stepped.iter().take(outside.stepped));
        // After this block, it would be read with a different value than the enclosing block gave it.
        if around.any(|valued| *valued == variable) {
            self.loose.insert(variable);
        }
        self.valued.push(variable);
        self.assigned.insert(variable);
        match assignment {
            Assignment::Set(variable, _) => self.named.insert(*variable),
            _ => self.changed.insert(variable),
        };
    }

    /// Looks at the steps of a path in order. A step may rely on the steps before it that cannot be left out.
    fn path(&mut self, path: &Path) -> bool {
        self.range(path.range);
        if let Some(Focus::Pieces { set, .. }) = &path.focus {
            self.look(Child::Set(set));
        }
        if let Some(max) = &path.max {
            self.look(Child::Number(max));
        }
        let outside = self.outside();
        let mut optional = Vec::new();
        for place in 0.. {
            while let Some((_, before)) = optional.pop_if(|(end, _)| *end == place) {
                self.stepped.truncate(before);
            }
            let Some(instruction) = path.program.instruction(place) else {
                break;
            };
            match instruction {
                Instruction::Skip(end)
                | Instruction::Count {
                    repetition: Repetition { least: 0, .. },
                    end,
                    ..
                } => optional.push((*end, self.stepped.len())),
                Instruction::Step(PathStep::Test(filter)) => self.step(filter, outside),
                Instruction::Step(PathStep::Move(dash, target)) => {
                    dash.children(&mut |part| self.look(part));
                    if let Some(target) = target {
                        self.step(target, outside);
                    }
                }
                _ => {}
            }
        }
        self.stepped.truncate(outside.stepped);
        true
    }

    /// Looks at a condition in a step of a path. Variables that it assigns have their values in later steps.
    fn step(&mut self, condition: &Cond, outside: OuterVariables) {
        let own = self.valued.len();
        match &condition.kind {
            CondExpr::Flow(Flow::Block { tests, value }) => {
                tests.iter().chain([value]).for_each(|test| self.test(test, outside));
            }
            _ => self.test(condition, outside),
        }
        self.stepped.extend(self.valued.drain(own..));
    }

    fn over(&mut self, variable: Variable, domain: &Set, body: &impl Children) -> bool {
        self.look(Child::Set(domain));
        self.looped.insert(variable);
        self.valued.push(variable);
        body.children(&mut |part| self.look(part));
        self.valued.pop();
        true
    }

    fn read(&mut self, variable: Variable) -> bool {
        if self.valued.contains(&variable) {
            return false;
        }
        match self.stepped.contains(&variable) {
            true => self.changed.insert(variable),
            false => self.loose.insert(variable),
        };
        false
    }

    /// Reads the variables among the bounds.
    fn range(&mut self, range: Option<Range>) -> bool {
        if let Some(Range::Within(least, most)) = range {
            for bound in [least, most] {
                if let Bound::Variable(variable, _) = bound {
                    self.read(Variable::Number(variable));
                }
            }
        }
        false
    }

    fn text(&mut self, items: &[TextItem]) -> bool {
        for item in items {
            if let TextItem::Variable(variable, _) = item {
                self.read(*variable);
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query;
    use crate::query::parse::Options;
    use crate::syntax::Source;

    fn bindings(filters: &str) -> Bindings {
        let text = format!("cql() {filters}");
        let query = query::compile(&Source::new("test", text), &Options::default()).expect("the query compiles");
        Bindings::of(&query.body, &query.persistent, !query.bound_names.is_empty())
    }

    /// Returns the number of variables that only name a set.
    fn count(filters: &str) -> usize {
        bindings(filters).sets.len()
    }

    /// Returns the number of variables that are definitely assigned.
    fn valued(filters: &str) -> usize {
        bindings(filters).valued.len()
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
        assert_eq!(count("X = R {X = r wtm} #X >= 2"), 0, "changed in a block inside");
        assert_eq!(count("wtm or { X = R } isbound X"), 0, "asked for");
        assert_eq!(count("persistent X = [] X = R #X >= 2"), 0, "kept");
        assert_eq!(count("if wtm X = R #X >= 2"), 0, "not always set");
    }

    #[test]
    fn what_fails_without_a_value_gives_the_rest_of_a_block_one() {
        assert_eq!(valued("X =? up R #X == 1"), 1);
        assert_eq!(valued("piece X = K X attacks k"), 1);
        assert_eq!(valued("{X =? R wtm} X == ."), 0, "read behind the block");
        assert_eq!(
            valued("X =? R {X =? r wtm} or btm X == ."),
            0,
            "changed in a block inside"
        );
        assert_eq!(valued("if wtm X =? R"), 0, "not always set");
        assert_eq!(count("X =? R #X == 1"), 0, "it does more than to name a set");
    }

    #[test]
    fn steps_of_a_path_give_those_behind_them_values() {
        assert_eq!(valued("path -- check X = to -- X-- X = to X--"), 1);
        assert_eq!(valued("path (-- X = to)+ X--"), 1);
        assert_eq!(valued("path -- atomic X = to X--{2,}"), 1);
        assert_eq!(valued("path (-- X = to)? X--"), 0, "left out");
        assert_eq!(valued("path (-- X = to){,3} X--"), 0, "left out");
        assert_eq!(valued("{path -- X = to} X == ."), 0, "read behind the path");
        assert_eq!(
            valued("path -- X = to {{X = r wtm} or btm} X--"),
            0,
            "changed in a block inside"
        );
        assert_eq!(count("path -- {X = R X attacks k}"), 1);
        assert_eq!(count("path -- {X = R X attacks k} X--"), 0, "read behind the block");
    }
}
