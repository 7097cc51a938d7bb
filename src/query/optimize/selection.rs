//! What is asked once for each game, before its moves are read.

use std::collections::HashSet;

use crate::query::ast::node::node;
use crate::query::ast::variables::{PersistentVariable, Variable};
use crate::query::ast::{Assignment, Cond, CondExpr, Flow, StrExpr};
use crate::query::facts::dependencies::{Reader, is_of_game};

/// Takes from the front of the body what says the same at every position of a game, so that it is asked once, before the moves
/// of the game are read.
pub(crate) fn game_tests(body: &mut Cond) -> Vec<Cond> {
    if let CondExpr::Flow(Flow::Block { tests, value }) = &mut body.kind {
        let count = tests.iter().position(|test| !is_of_game(test));
        let mut taken: Vec<Cond> = tests.drain(..count.unwrap_or(tests.len())).collect();
        if tests.is_empty() && is_of_game(value) {
            taken.push(value.clone());
        }
        return taken;
    }
    if is_of_game(body) {
        vec![body.clone()]
    } else {
        Vec::new()
    }
}

/// The front of the body as far as it asks of tags and of values that it has made of them, to be asked once before the moves of the game are
/// read. It stays in the body, where what follows may read these values.
pub(crate) fn game_front(body: &Cond, persistent: &[PersistentVariable]) -> Option<Cond> {
    let CondExpr::Flow(Flow::Block { tests, value }) = &body.kind else {
        return None;
    };
    let lives_on = |variable: Variable| persistent.iter().any(|persistent| persistent.variable == variable);
    let nothing = HashSet::new();
    let mut known = HashSet::new();
    // Before the first regular expression the groups are those of another position.
    let mut reads_groups = false;
    let mut front: Vec<Cond> = Vec::new();
    let mut length = 0;
    for test in tests.iter().chain([value]) {
        let reader = if reads_groups || is_match(test) {
            Reader::with_groups(&nothing)
        } else {
            Reader::new(&nothing)
        };
        let (variable, reading) =
            match &test.kind {
                CondExpr::Assign(
                    assignment @ (Assignment::Set(..) | Assignment::Number(..) | Assignment::String(..)),
                ) if !lives_on(assignment.variable()) => (Some(assignment.variable()), reader.parts(assignment)),
                _ => (None, reader.condition(test)),
            };
        if !reading.is_of_game_with(&known) {
            break;
        }
        front.push(test.clone());
        match variable {
            Some(variable) => {
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

/// `s ~~ "re"` as a test, behind which the groups are those of its match. What it is about may not ask for groups from before.
fn is_match(test: &Cond) -> bool {
    let CondExpr::HasString(string) = &test.kind else {
        return false;
    };
    let StrExpr::Match { target, kept: true, .. } = &string.kind else {
        return false;
    };
    !Reader::new(&HashSet::new()).string(target).state
}
