//! Loops in loops that take very long, in the form in which they are evaluated: what is answered at once costs nothing here.

use super::warning::{Lint, Warning, warning};
use crate::board::Contents;
use crate::query::ast::node::{Cond, Set};
use crate::query::ast::visit::Child;
use crate::query::ast::{CondExpr, Find, NumExpr, PosExpr, SetExpr};
use crate::syntax::Diagnostic;
use crate::syntax::token::{Designator, Span};

/// From so many evaluations at a position on there is a warning.
const MANY: u64 = 1_000_000;

/// How many positions a `find` or an `echo` tries.
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
    /// The loops around a place, and how often each goes round.
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
        // The innermost loops of a nest say it once, where the bound is passed.
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

/// The place of a loop and how often it goes round at most.
fn loop_of(child: &Child<'_>) -> Option<(Span, u64)> {
    let positions = |find: &Find| (find.memo.is_none() && find.lookup.is_none()).then_some(POSITIONS);
    match child {
        Child::Set(set) => {
            let rounds = match &set.kind {
                SetExpr::Squares(squares) => squares_of(&squares.domain),
                SetExpr::Pieces(pieces) => pieces_of(&pieces.domain),
                _ => return None,
            };
            Some((set.span, rounds))
        }
        Child::Condition(condition) => {
            let rounds = match &condition.kind {
                CondExpr::AllSquares(squares) => squares_of(&squares.domain),
                CondExpr::AllPieces(pieces) => pieces_of(&pieces.domain),
                _ => return None,
            };
            Some((condition.span, rounds))
        }
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

/// How many squares a set mostly has at most.
fn squares_of(set: &Set) -> u64 {
    let of_designator = |designator: &Designator| {
        let pieces = match designator.contents {
            contents if contents.intersects(Contents::EMPTY) => 64,
            contents => pieces_in(contents),
        };
        pieces.min(designator.squares.count() as u64)
    };
    match &set.kind {
        SetExpr::Designator(designator) => of_designator(designator),
        SetExpr::Constant(squares) => squares.count() as u64,
        SetExpr::FusedLoop(fused) => squares_of(&fused.domain),
        SetExpr::Intersection(left, right) => squares_of(left).min(squares_of(right)),
        SetExpr::Attackers { attackers, .. } => squares_of(attackers),
        SetExpr::Attacked { targets, .. } => squares_of(targets),
        SetExpr::Variable(_) | SetExpr::Union(..) => 16,
        SetExpr::Piece(_) | SetExpr::From | SetExpr::To => 1,
        _ => 32,
    }
}

/// How many pieces there are of some kinds at the start of a game, which is about as many as there ever are.
fn pieces_in(contents: Contents) -> u64 {
    const NUMBERS: [u64; 6] = [1, 1, 2, 2, 2, 8];
    let number = |bit: usize| match bit {
        0..=5 => NUMBERS[bit],
        7..=12 => NUMBERS[bit - 7],
        _ => 0,
    };
    (0..13).filter(|bit| contents.0 >> bit & 1 != 0).map(number).sum()
}

fn pieces_of(set: &Set) -> u64 {
    squares_of(set).min(32)
}
