//! Warns of nested loops that take very long, in the form in which they are evaluated: loops that are evaluated at once cost nothing here.

use super::warning::{Lint, Warning, warning};
use crate::query::ast::facts::cost::squares;
use crate::query::ast::node::Cond;
use crate::query::ast::variables::Variable;
use crate::query::ast::visit::Child;
use crate::query::ast::{CondExpr, Find, Loop, NumExpr, PosExpr, SetExpr};
use crate::syntax::Diagnostic;
use crate::syntax::token::Span;

/// The number of evaluations at a position from which there is a warning.
const MANY: u64 = 1_000_000;

/// The number of positions that a `find` tries.
const POSITIONS: u64 = 80;

pub(super) fn check(body: &Cond, warnings: &mut Vec<Warning>) {
    let mut walk = Walk {
        warnings,
        around: Vec::new(),
    };
    walk.visit(Child::Condition(body));
}

struct Walk<'w> {
    warnings: &'w mut Vec<Warning>,
    /// The enclosing loops, and how many rounds each has.
    around: Vec<(Span, u64)>,
}

impl Walk<'_> {
    fn visit(&mut self, child: Child<'_>) {
        let Some((span, rounds)) = loop_of(&child) else {
            child.parts(&mut |part| self.visit(part));
            return;
        };
        let total = |around: &[(Span, u64)]| around.iter().map(|(_, rounds)| rounds).product::<u64>();
        let before = total(&self.around);
        self.around.push((span, rounds));
        let after = total(&self.around);
        // The innermost loops of a nest say it once: where the limit is passed.
        if before < MANY && after >= MANY {
            self.warn(span, after);
        }
        if after < MANY * MANY {
            child.parts(&mut |part| self.visit(part));
        }
        self.around.pop();
    }

    fn warn(&mut self, span: Span, evaluations: u64) {
        let mut error = Diagnostic::new(span, format!("{} loops inside each other", self.around.len()))
            .label(format!("up to {evaluations} evaluations at each position"))
            .hint("ask in an outer loop what does not need the inner ones, or give the loops smaller sets");
        if let Some((outer, _)) = self.around.first() {
            error = error.related(*outer, "the outermost loop");
        }
        self.warnings.push(warning(Lint::CostlyNesting, error));
    }
}

/// Returns the text of a loop and its maximum number of rounds.
fn loop_of(child: &Child<'_>) -> Option<(Span, u64)> {
    let positions = |find: &Find| (find.memo.is_none() && find.lookup.is_none()).then_some(POSITIONS);
    match child {
        Child::Set(set) => match &set.kind {
            SetExpr::Each(each) => Some((set.span, rounds(each))),
            _ => None,
        },
        Child::Condition(condition) => match &condition.kind {
            CondExpr::All(each) => Some((condition.span, rounds(each))),
            _ => None,
        },
        Child::Number(number) => match &number.kind {
            NumExpr::Find(find, _) => Some((number.span, positions(find)?)),
            _ => None,
        },
        Child::Position(position) => match &position.kind {
            PosExpr::Find(find) => Some((position.span, positions(find)?)),
            _ => None,
        },
        _ => None,
    }
}

fn rounds(each: &Loop) -> u64 {
    let squares = squares(&each.domain);
    match each.variable {
        Variable::Piece(_) => squares.min(32),
        _ => squares,
    }
}
