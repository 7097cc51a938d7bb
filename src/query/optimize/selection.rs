//! Hoists tests that are constant within a game: they are evaluated once, before its moves are read.

use std::collections::HashSet;
use std::mem;

use crate::query::ast::facts::Facts;
use crate::query::ast::node::node;
use crate::query::ast::variables::{PersistentVariable, Variable};
use crate::query::ast::{Assignment, Cond, CondExpr, Flow, StrExpr};

/// Removes from the front of the body the tests that are constant within a game, and returns them.
pub(crate) fn game_tests(body: &mut Cond) -> Vec<Cond> {
    if let CondExpr::Flow(Flow::Block { tests, value }) = &mut body.kind {
        let count = tests.iter().position(|test| !test.facts.is_of_game());
        let mut taken: Vec<Cond> = tests.drain(..count.unwrap_or(tests.len())).collect();
        if tests.is_empty() && value.facts.is_of_game() {
            taken.push(take(value));
        }
        return taken;
    }
    if body.facts.is_of_game() {
        vec![take(body)]
    } else {
        Vec::new()
    }
}

/// Takes a test that is all of the body, and leaves one that holds at any position. A constant stays.
fn take(test: &mut Cond) -> Cond {
    match test.kind {
        CondExpr::Constant(_) => test.clone(),
        _ => {
            let left = node(CondExpr::Constant(true), test.span);
            mem::replace(test, left)
        }
    }
}

/// Returns the front of the body that depends only on tags and on variables assigned from them. It also stays in the body, where later
/// filters may read these variables.
pub(crate) fn game_front(body: &Cond, persistent: &[PersistentVariable]) -> Option<Cond> {
    let CondExpr::Flow(Flow::Block { tests, value }) = &body.kind else {
        return None;
    };
    let lives_on = |variable: Variable| persistent.iter().any(|persistent| persistent.variable == variable);
    let mut known = HashSet::new();
    // Before the first match of a regular expression, the groups are from another position.
    let mut reads_groups = false;
    let mut front: Vec<Cond> = Vec::new();
    let mut length = 0;
    for test in tests.iter().chain([value]) {
        let variable =
            match &test.kind {
                CondExpr::Assign(
                    assignment @ (Assignment::Set(..) | Assignment::Number(..) | Assignment::String(..)),
                ) if !lives_on(assignment.variable()) => Some((assignment.variable(), Facts::of_parts(assignment))),
                _ => None,
            };
        let facts = variable.as_ref().map_or(&test.facts, |(_, facts)| facts);
        if !facts.is_of_game_with(&known, reads_groups || is_match(test)) {
            break;
        }
        front.push(test.clone());
        match variable {
            Some((variable, _)) => {
                known.insert(variable);
            }
            None => length = front.len(),
        }
        reads_groups |= is_match(test);
    }
    front.truncate(length);
    let value = front.pop().filter(|_| reads_groups || !known.is_empty())?;
    let span = front.first().map_or(value.span, |first| first.span.to(value.span));
    Some(node(CondExpr::Flow(Flow::Block { tests: front, value }), span))
}

/// Returns whether a test is `s ~~ "re"`, so that later groups come from its match. s must not read groups of an earlier match.
fn is_match(test: &Cond) -> bool {
    let CondExpr::HasString(string) = &test.kind else {
        return false;
    };
    let StrExpr::Match { target, kept: true, .. } = &string.kind else {
        return false;
    };
    !target.facts.depends_on_state(&HashSet::new())
}
