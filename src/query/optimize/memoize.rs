//! Plans memos and joins for `find` and `echo`.
//!
//! A pure filter that depends on the game and the current position alone is evaluated once per position. A relation between two positions
//! becomes a join: what depends on the source alone or on the target alone is evaluated once for each, and targets are looked up by the
//! values that must be equal.

use std::collections::HashSet;

use super::joins::{Pair, equated, equated_numbers, span};
use crate::query::ast::echo::{Echo, EchoPlan, Equation, JoinSide, Operand, conjuncts};
use crate::query::ast::variables::{PersistentVariable, Variable};
use crate::query::ast::visit::{ChildMut, Subtree};
use crate::query::ast::{Cond, CondExpr, Find, Lookup, NumExpr, PosExpr};
use crate::query::facts::assigned::Assigned;
use crate::query::facts::dependencies::DependencyReader;
use crate::query::shortcuts::Shortcuts;

/// The number of memos of each kind that a query needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct MemoCounts {
    /// For `find` of what depends on nothing but the position.
    pub finds: u32,
    /// For `find` by values that are looked up.
    pub lookups: u32,
    /// For `echo`.
    pub echoes: u32,
}

/// Plans all `find` and `echo` of a query. Without [`Shortcuts::MEMOS`] all positions are tried.
pub(crate) fn plan(body: &mut Cond, persistent: &[PersistentVariable], shortcuts: Shortcuts) -> MemoCounts {
    let assigned = Assigned::of(body, persistent);
    let mut planner = Planner {
        reader: DependencyReader::new(&assigned.variables),
        memos: MemoCounts::default(),
        remembers: shortcuts.contains(Shortcuts::MEMOS),
    };
    planner.visit(ChildMut::Condition(body));
    planner.memos
}

/// Plans `find` and `echo`, the outer ones first.
struct Planner<'a> {
    reader: DependencyReader<'a>,
    memos: MemoCounts,
    /// Something is remembered and looked up at all.
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
        let reading = self.reader.condition(&find.body);
        if reading.is_of_position() {
            find.memo = Some(self.memos.finds);
            self.memos.finds += 1;
        } else if !reading.state && !reading.echo {
            find.lookup = self.lookup(&find.body, &reading.variables);
        }
    }

    /// Returns the values by which positions are looked up where the filter of a `find` can match.
    fn lookup(&mut self, body: &Cond, variables: &HashSet<Variable>) -> Option<Lookup> {
        let mut tests = Vec::new();
        conjuncts(body.clone(), &mut tests);
        let equations: Vec<Equation> = tests
            .iter()
            .filter_map(|test| self.equation(equated(&test.condition.kind)?, None))
            .collect();
        if equations.is_empty() {
            return None;
        }
        let memo = self.memos.lookups;
        self.memos.lookups += 1;
        let mut variables: Vec<Variable> = variables.iter().copied().collect();
        variables.sort_unstable();
        Some(Lookup {
            memo,
            equations,
            variables,
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
            let reading = self.reader.condition(&test.condition);
            test.subject = reading.subject(pair.name());
            if test.subject == JoinSide::Pair && !reading.echo {
                plan.equations
                    .extend(equated(&test.condition.kind).and_then(|sides| self.equation(sides, pair.name())));
                plan.spans.extend(span(&test.condition.kind, pair));
            }
        }
        if let Some(value) = &echo.value
            && !self.reader.number(value).echo
        {
            plan.equations
                .extend(equated_numbers(&value.kind).and_then(|sides| self.equation(sides, pair.name())));
        }
        echo.plan = plan;
    }

    /// Returns the equation of two operands if one depends on the source alone and the other on the target alone.
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

    /// Returns what an operand depends on, and plans it, as it is evaluated by itself.
    fn subject(&mut self, operand: &mut Operand, target: Option<Variable>) -> JoinSide {
        let reading = match operand {
            Operand::Value(filter) => {
                let reading = self.reader.part(filter);
                filter.child_mut(&mut |child| self.visit(child));
                reading
            }
            Operand::Board(position) => {
                let reading = self.reader.position(position);
                self.visit(ChildMut::Position(position));
                reading
            }
        };
        reading.subject(target)
    }
}
