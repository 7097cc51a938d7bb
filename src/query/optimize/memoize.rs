//! Plans memos and joins for `find` and `echo`.
//!
//! A pure filter that depends only on the game and the current position is evaluated once per position. A relation between two positions
//! becomes a join: filters that depend only on the source or only on the target are evaluated once for each, and targets are looked up by
//! values that must be equal.

use std::collections::HashSet;

use super::joins::{Pair, equated, equated_numbers, span};
use crate::query::ast::echo::{Echo, EchoPlan, Equation, JoinSide, Operand};
use crate::query::ast::facts::{Reads, Use};
use crate::query::ast::variables::{PersistentVariable, Variable};
use crate::query::ast::visit::{ChildMut, Children};
use crate::query::ast::{Cond, CondExpr, Find, Lookup, NumExpr, PosExpr, required};
use crate::query::facts::dependencies::assigned;
use crate::query::shortcuts::Shortcuts;

/// The number of memos of each kind that a query needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MemoCounts {
    /// For `find` with a filter that depends only on the position.
    pub finds: u32,
    /// For `find` by values that can be looked up.
    pub lookups: u32,
    /// For `echo`.
    pub echoes: u32,
}

/// Plans every `find` and `echo` of a query. Without [`Shortcuts::MEMOS`], all positions are tried.
pub(crate) fn plan(body: &mut Cond, persistent: &[PersistentVariable], shortcuts: Shortcuts) -> MemoCounts {
    let assigned = assigned(body, persistent);
    let mut planner = Planner {
        assigned: &assigned,
        memos: MemoCounts::default(),
        remembers: shortcuts.contains(Shortcuts::MEMOS),
    };
    planner.visit(ChildMut::Condition(body));
    planner.memos
}

/// Plans `find` and `echo`, outer ones first.
struct Planner<'a> {
    /// The variables that get a value other than by a loop.
    assigned: &'a HashSet<Variable>,
    memos: MemoCounts,
    /// Whether values are remembered and looked up at all.
    remembers: bool,
}

impl Planner<'_> {
    fn visit(&mut self, mut child: ChildMut<'_>) {
        match &mut child {
            ChildMut::Number(number) => match &mut number.kind {
                NumExpr::Find(find, _) => self.find(find),
                NumExpr::Echo(echo) => self.echo(echo),
                _ => {}
            },
            ChildMut::Position(position) => {
                if let PosExpr::Find(find) = &mut position.kind {
                    self.find(find);
                }
            }
            ChildMut::Condition(condition) => {
                if let CondExpr::Echo(echo) = &mut condition.kind {
                    self.echo(echo);
                }
            }
            _ => {}
        }
        child.parts(&mut |part| self.visit(part));
    }

    fn find(&mut self, find: &mut Find) {
        if !self.remembers {
            return;
        }
        let facts = &find.body.facts;
        if facts.is_of_position(self.assigned) {
            find.memo = Some(self.memos.finds);
            self.memos.finds += 1;
        } else if !facts.depends_on_state(self.assigned) && !facts.reads.contains(Reads::PAIRS) {
            find.lookup = self.lookup(&find.body);
        }
    }

    /// Returns the values by which to look up the positions where the filter of a `find` can match.
    fn lookup(&mut self, body: &Cond) -> Option<Lookup> {
        let equations: Vec<Equation> = required(body)
            .into_iter()
            .filter_map(|test| self.equation(equated(&test.kind)?, None))
            .collect();
        if equations.is_empty() {
            return None;
        }
        let memo = self.memos.lookups;
        self.memos.lookups += 1;
        Some(Lookup {
            memo,
            equations,
            variables: body.facts.variables(Use::FREE).collect(),
        })
    }

    fn echo(&mut self, echo: &mut Echo) {
        let pair = Pair {
            source: echo.source.variable,
            target: echo.target.variable,
        };
        let mut plan = EchoPlan {
            memo: self.memos.echoes,
            ..EchoPlan::default()
        };
        self.memos.echoes += 1;
        if !self.remembers {
            echo.plan = plan;
            return;
        }
        for test in &mut echo.tests {
            let facts = &test.condition.facts;
            test.subject = facts.side_of_join(pair.name(), self.assigned);
            if test.subject == JoinSide::Pair && !facts.reads.contains(Reads::PAIRS) {
                plan.equations
                    .extend(equated(&test.condition.kind).and_then(|sides| self.equation(sides, pair.name())));
                plan.spans.extend(span(&test.condition.kind, pair));
            }
        }
        if let Some(value) = &echo.value
            && !value.facts.reads.contains(Reads::PAIRS)
        {
            plan.equations
                .extend(equated_numbers(&value.kind).and_then(|sides| self.equation(sides, pair.name())));
        }
        echo.plan = plan;
    }

    /// Returns the equation of two operands if one depends only on the source and the other only on the target.
    fn equation(&mut self, (left, right): (Operand, Operand), target: Option<Variable>) -> Option<Equation> {
        let (mut left, mut right) = (left, right);
        match (self.subject(&mut left, target), self.subject(&mut right, target)) {
            (JoinSide::Target, JoinSide::Source) => Some(Equation {
                target: left,
                source: right,
            }),
            (JoinSide::Source, JoinSide::Target) => Some(Equation {
                target: right,
                source: left,
            }),
            _ => None,
        }
    }

    /// Returns what an operand depends on, and plans it, because it is evaluated separately.
    fn subject(&mut self, operand: &mut Operand, target: Option<Variable>) -> JoinSide {
        match operand {
            Operand::Value(filter) => {
                let side = filter.facts().side_of_join(target, self.assigned);
                filter.children_mut(&mut |child| self.visit(child));
                side
            }
            Operand::Board(position) => {
                let side = position.facts.side_of_join(target, self.assigned);
                self.visit(ChildMut::Position(position));
                side
            }
        }
    }
}
