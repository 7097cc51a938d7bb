//! Rewrites filters into equivalent forms that are evaluated faster.
//!
//! Only the speed changes: only filters without effects are rewritten, and no filter is evaluated at a different position.

use std::collections::HashSet;
use std::mem;

use super::lookahead::record_requirements;
use crate::board::{Bitboard, Contents};
use crate::query::ast::facts::{Effects, Reads, Use};
use crate::query::ast::node::{Cond, Flow, Set, node};
use crate::query::ast::sets::FusedLoop;
use crate::query::ast::variables::{PersistentVariable, SetVar, Variable, VariableCounts};
use crate::query::ast::visit::{ChildMut, Children};
use crate::query::ast::{Comparison, CondExpr, Loop, NumExpr, SetExpr};
use crate::query::facts::bindings::Escapes;
use crate::query::facts::dependencies::assigned;
use crate::query::optimize::loop_fusion::{Element, tests_of};
use crate::query::shortcuts::Shortcuts;
use crate::syntax::token::{Designator, Span};

/// Simplifies the body of a query. New variables are added to `counts`. `asks_for_names` says that the query asks whether variables have a
/// value.
pub(crate) fn simplify(
    body: &mut Cond,
    counts: &mut VariableCounts,
    persistent: &[PersistentVariable],
    asks_for_names: bool,
    shortcuts: Shortcuts,
) {
    let assigned = assigned(body, persistent);
    let escapes = Escapes::of(body, persistent, asks_for_names);
    let mut simplifier = Simplifier {
        assigned,
        escapes,
        counts,
        reads_paths: body.facts.reads.contains(Reads::PATH),
        shortcuts,
    };
    simplifier.visit(ChildMut::Condition(body));
}

struct Simplifier<'c> {
    /// The variables that get a value other than by a loop.
    assigned: HashSet<Variable>,
    escapes: Escapes,
    counts: &'c mut VariableCounts,
    /// Whether the query reads the result of a path.
    reads_paths: bool,
    shortcuts: Shortcuts,
}

impl Simplifier<'_> {
    /// Simplifies the parts, then the expression itself.
    fn visit(&mut self, child: ChildMut<'_>) {
        match child {
            ChildMut::Set(set) => {
                set.kind.children_mut(&mut |part| self.visit(part));
                self.set(set);
            }
            ChildMut::Condition(condition) if matches!(condition.kind, CondExpr::And(..)) => self.chain(condition),
            ChildMut::Condition(condition) => {
                condition.kind.children_mut(&mut |part| self.visit(part));
                self.condition(condition);
            }
            ChildMut::Number(number) => {
                number.kind.children_mut(&mut |part| self.visit(part));
                if let NumExpr::CountLookahead(moves) = &mut number.kind {
                    record_requirements(moves, self.shortcuts);
                }
            }
            other => other.parts(&mut |part| self.visit(part)),
        }
    }

    fn set(&mut self, set: &mut Set) {
        match &mut set.kind {
            SetExpr::Each(each) => self.hide_assignments(each),
            SetExpr::Lookahead(moves) => record_requirements(moves, self.shortcuts),
            _ => {}
        }
        let fused = match &set.kind {
            SetExpr::Each(each) if each.effects.is_empty() => self.fused(each),
            _ => None,
        };
        if let Some(fused) = fused {
            set.kind = SetExpr::FusedLoop(Box::new(fused));
            return;
        }
        if let SetExpr::Each(each) = &mut set.kind
            && each.effects.is_empty()
        {
            self.narrow(each);
        }
    }

    /// Records that a loop has no effect if it only assigns variables that are not read after its rounds.
    fn hide_assignments(&self, each: &mut Loop) {
        if each.effects.only_assigns() && self.escapes.are_hidden_in(&each.body, each.variable) {
            each.effects = Effects::empty();
        }
    }

    fn condition(&mut self, condition: &mut Cond) {
        match &mut condition.kind {
            CondExpr::All(each) => self.hide_assignments(each),
            CondExpr::AllLookahead(moves) => record_requirements(moves, self.shortcuts),
            _ => {}
        }
        let simpler = match &mut condition.kind {
            CondExpr::All(each) if each.effects.is_empty() => {
                self.fused(each).map(|fused| CondExpr::AllFused(Box::new(fused)))
            }
            CondExpr::Flow(Flow::Block { tests, value }) => {
                let all = mem::take(tests).into_iter().chain([value.clone()]);
                let mut all = joined_and_sorted(all);
                if let Some(last) = all.pop() {
                    *value = last;
                }
                *tests = all;
                if tests.is_empty() && matches!(value.kind, CondExpr::Placement(_)) {
                    *condition = value.clone();
                }
                None
            }
            CondExpr::HasNumber(number) if self.shortcuts.contains(Shortcuts::EARLY_END) => {
                end_early(&mut number.kind);
                if let NumExpr::Path(path) = &mut number.kind {
                    path.any = !self.reads_paths && path.range.is_none() && !path.nest_ban && path.atomic.is_empty();
                }
                None
            }
            _ => None,
        };
        if let Some(simpler) = simpler {
            condition.kind = simpler;
        }
    }

    /// Simplifies a chain of `and` like a block: all of it at once, however long it is.
    fn chain(&mut self, condition: &mut Cond) {
        let mut parts = Vec::new();
        take_parts(condition, &mut parts);
        for part in &mut parts {
            self.visit(ChildMut::Condition(part));
        }
        let joined = joined_and_sorted(parts.into_iter()).into_iter().reduce(|left, right| {
            let span = left.span.to(right.span);
            node(CondExpr::And(left, right), span)
        });
        if let Some(joined) = joined {
            *condition = joined;
        }
    }

    /// Fuses a loop. Pieces are on occupied squares, and each of them can be followed, so their squares identify them.
    fn fused(&mut self, each: &Loop) -> Option<FusedLoop> {
        let looped = each.variable;
        if self.assigned.contains(&looped) {
            return None;
        }
        let variable = SetVar(self.counts.sets);
        let mut inside: HashSet<Variable> = each.body.facts.variables(Use::ASSIGNED).collect();
        inside.insert(looped);
        let kept = Element::new(&self.assigned, &inside, looped, variable).kept_by_body(&each.body)?;
        self.counts.sets += 1;
        let domain = match looped {
            Variable::Piece(_) => pieces_of(&each.domain),
            _ => each.domain.clone(),
        };
        Some(FusedLoop { variable, domain, kept })
    }

    /// Narrows a loop to the squares of its domain that its tests can keep; each test looks only at squares that earlier tests have kept.
    /// The tests stay in the body, which needs them for highlights.
    fn narrow(&mut self, each: &mut Loop) {
        let looped = each.variable;
        if self.assigned.contains(&looped) {
            return;
        }
        let mut inside: HashSet<Variable> = each.body.facts.variables(Use::ASSIGNED).collect();
        inside.insert(looped);
        for test in tests_of(&each.body) {
            let variable = SetVar(self.counts.sets);
            if let Some(mut kept) = Element::new(&self.assigned, &inside, looped, variable).may_be_kept_by(test) {
                self.counts.sets += 1;
                // By the span, the prefilter knows which tests the loop has already applied to its squares.
                kept.span = test.span;
                let span = each.domain.span;
                let whole = mem::replace(&mut each.domain, node(SetExpr::Constant(Bitboard::EMPTY), span));
                let fused = FusedLoop {
                    variable,
                    domain: whole,
                    kept,
                };
                *each.domain = *node(SetExpr::FusedLoop(Box::new(fused)), span);
            }
        }
    }
}

/// Returns the occupied squares of a set.
fn pieces_of(set: &Set) -> Set {
    match &set.kind {
        SetExpr::Designator(designator)
            if designator.has_contents && !designator.contents.intersects(Contents::EMPTY) =>
        {
            set.clone()
        }
        _ => {
            let pieces = SetExpr::Designator(Designator {
                contents: Contents::PIECES,
                has_contents: true,
                squares: Bitboard::FULL,
                has_squares: false,
                any_white: true,
                any_black: true,
            });
            node(SetExpr::Intersection(set.clone(), node(pieces, set.span)), set.span)
        }
    }
}

/// Returns the designators that must not be empty for a condition to hold, if it tests nothing else.
fn placement(condition: &Cond) -> Option<Vec<Designator>> {
    match &condition.kind {
        CondExpr::NonEmpty(set) => match &set.kind {
            SetExpr::Designator(designator) => Some(vec![*designator]),
            _ => None,
        },
        CondExpr::Placement(designators) => Some(designators.clone()),
        _ => None,
    }
}

/// Moves the parts of a chain of `and` to `parts`, in order.
fn take_parts(condition: &mut Cond, parts: &mut Vec<Cond>) {
    match &mut condition.kind {
        CondExpr::And(first, second) => {
            take_parts(first, parts);
            take_parts(second, parts);
        }
        kind => parts.push(node(mem::replace(kind, CondExpr::Constant(true)), condition.span)),
    }
}

/// Merges neighbouring tests for pieces into one, and sorts cheap tests to the front. All the tests must hold.
fn joined_and_sorted(tests: impl Iterator<Item = Cond>) -> Vec<Cond> {
    let mut joined: Vec<Cond> = Vec::new();
    for test in tests {
        let earlier = placement(&test).and_then(|more| Some((more, joined.last_mut().and_then(as_placement)?)));
        match earlier {
            Some((more, (designators, span))) => {
                designators.extend(more);
                if span.end <= test.span.start {
                    *span = span.to(test.span);
                }
            }
            None => joined.push(test),
        }
    }
    sort_by_cost(&mut joined);
    joined
}

/// Returns the designators of a condition that only tests for pieces, and its text, so that more can be added.
fn as_placement(condition: &mut Cond) -> Option<(&mut Vec<Designator>, &mut Span)> {
    if !matches!(condition.kind, CondExpr::Placement(_)) {
        condition.kind = CondExpr::Placement(placement(condition)?);
    }
    match &mut condition.kind {
        CondExpr::Placement(designators) => Some((designators, &mut condition.span)),
        _ => None,
    }
}

/// Makes a count of tried moves stop as soon as it decides the comparison around it.
fn end_early(number: &mut NumExpr) {
    let NumExpr::Compare(comparison, left, right) = number else {
        return;
    };
    let (NumExpr::CountLookahead(moves), NumExpr::Literal(limit)) = (&mut left.kind, &right.kind) else {
        return;
    };
    let enough = match comparison {
        Comparison::GreaterEqual | Comparison::Less => *limit,
        Comparison::Equal | Comparison::Greater | Comparison::LessEqual => limit.saturating_add(1),
    };
    moves.enough = u32::try_from(enough).ok().filter(|enough| *enough > 0);
}

/// Sorts neighbouring cheap tests by cost, the cheapest first. Other tests stay in their places.
fn sort_by_cost(tests: &mut [Cond]) {
    for run in tests.chunk_by_mut(|left, right| left.facts.is_cheap() && right.facts.is_cheap()) {
        run.sort_by(|left, right| left.facts.cost.total_cmp(&right.facts.cost));
    }
}
