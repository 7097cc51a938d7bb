//! Highlights squares for sets, and the lines of sight between them.

use crate::board::attacked::{attacked_among, attackers_among};
use crate::board::between::between;
use crate::board::{Bitboard, Square, pins};
use crate::chess::Position;
use crate::query::ast::sets::{FusedLoop, Line, Pin};
use crate::query::{Loop, Node, Set, SetExpr};
use crate::syntax::token::Span;

use super::{MOST_SQUARES, Show, Sketch};
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::control::loops;
use crate::eval::interpreter::values::sets::{line_begins, line_ends};

impl Show for Node<SetExpr> {
    fn show<'a>(&'a self, sketch: &mut Sketch<'a>, at: &'a Position) {
        if !sketch.is_within_budget() {
            return;
        }
        match &self.kind {
            SetExpr::Union(left, right) => {
                left.show(sketch, at);
                right.show(sketch, at);
            }
            SetExpr::Intersection(left, right) => sketch.intersection(self, [left, right], at),
            SetExpr::Attackers { attackers, targets } | SetExpr::Attacked { attackers, targets } => {
                sketch.attacks(attackers, targets, at);
            }
            SetExpr::Line(line) => sketch.sight_line(line, at),
            SetExpr::Pin(pin) => sketch.pin(pin, at),
            SetExpr::Each(each) => sketch.rounds(each, self.span, at),
            SetExpr::FusedLoop(fused) => sketch.fused(fused, at),
            SetExpr::Move(parameters) => sketch.fitting_moves(parameters, at),
            SetExpr::Legal(legal) => sketch.legal_moves(legal, at),
            SetExpr::Lookahead(moves) => sketch.tried_moves(moves, self.span, at),
            SetExpr::Versions(versions) => versions.copies.iter().for_each(|copy| copy.show(sketch, at)),
            SetExpr::Flow(flow) => sketch.flow(flow, at),
            _ => {
                let squares = sketch.value(self, at);
                sketch.mark(squares);
            }
        }
    }
}

impl<'a> Sketch<'a> {
    /// Returns the squares of a set; no squares if it cannot be evaluated.
    fn value(&mut self, set: &'a Node<SetExpr>, at: &'a Position) -> Bitboard {
        self.ask(|context| set.eval(context, at)).unwrap_or_default()
    }

    /// Shows the squares of both sets, and the lines of sight that begin or end on one of them.
    fn intersection(&mut self, both: &'a Node<SetExpr>, sides: [&'a Set; 2], at: &'a Position) {
        let squares = self.value(both, at);
        sides.into_iter().for_each(|side| self.operand(side, squares, at));
        self.mark(squares);
    }

    /// Shows the lines of sight that an operand refers to, if they begin or end on a square of `left`.
    fn operand(&mut self, set: &'a Set, left: Bitboard, at: &'a Position) {
        let outer = std::mem::take(&mut self.found);
        set.show(self, at);
        let inner = std::mem::replace(&mut self.found, outer);
        let touches = |(from, to): &(Square, Square)| left.contains(*from) || left.contains(*to);
        let rays: Vec<_> = inner.rays.into_iter().filter(touches).collect();
        let ends = rays.iter().flat_map(|(from, to)| [*from, *to]).collect::<Bitboard>();
        self.sight(&rays, ends);
    }

    fn attacks(&mut self, attackers: &'a Set, targets: &'a Set, at: &'a Position) {
        let (pieces, squares) = (self.value(attackers, at), self.value(targets, at));
        let attacking = attackers_among(&at.board, pieces, squares);
        let attacked = attacked_among(&at.board, squares, pieces);
        let mut rays = Vec::new();
        for piece in attacking {
            let seen = attacked_among(&at.board, attacked, piece.into());
            rays.extend(seen.into_iter().map(|target| (piece, target)));
        }
        self.sight(&rays, attacking | attacked);
        self.operand(attackers, attacking, at);
        self.operand(targets, attacked, at);
    }

    fn sight_line(&mut self, line: &'a Line, at: &'a Position) {
        let mut sets: Vec<_> = line.sets.iter().map(|set| self.value(set, at)).collect();
        let first = line_begins(line, &at.board, &sets);
        let middle = match sets.get(1..sets.len().saturating_sub(1)) {
            Some(middle) => middle.iter().fold(Bitboard::EMPTY, |all, set| all | *set),
            None => return,
        };
        let mut rays = Vec::new();
        let mut squares = Bitboard::EMPTY;
        for from in first {
            if let Some(first) = sets.first_mut() {
                *first = from.into();
            }
            for to in line_ends(line, &at.board, &sets) {
                rays.push((from, to));
                squares |= Bitboard::from(from) | Bitboard::from(to) | (between(from, to) & middle);
            }
        }
        self.sight(&rays, squares);
    }

    fn pin(&mut self, pin: &'a Pin, at: &'a Position) {
        let mut part = |set: &'a Option<Set>, default: Bitboard| match set {
            Some(set) => self.value(set, at),
            None => default,
        };
        let from = part(&pin.from, Bitboard::FULL);
        let through = part(&pin.through, Bitboard::FULL);
        let to = part(&pin.to, at.board.roles.king);
        let all = pins::pins(&at.board, from, through, to);
        let mut rays = Vec::new();
        for from in all.from {
            for target in pins::pins(&at.board, from.into(), all.through, all.to).to {
                rays.push((from, target));
            }
        }
        self.sight(&rays, all.from | all.through | all.to);
    }

    /// Shows the squares of a loop for which its body holds, and what the body refers to, if they are few.
    pub(super) fn rounds(&mut self, each: &'a Loop, span: Span, at: &'a Position) {
        let domain = self.value(&each.domain, at);
        let before = self.found.clone();
        let mut shown = Bitboard::EMPTY;
        for square in domain {
            if !self.is_within_budget() || self.ask(|context| context.is_over(span, at)) != Some(false) {
                break;
            }
            if !loops::bind(each.variable, square, &mut self.context, at) {
                continue;
            }
            if self.holds(&each.body, at) {
                shown.add(square);
                each.body.show(self, at);
            }
            self.context.variables.unbind(each.variable);
            if shown.count() > MOST_SQUARES {
                self.found = before;
                return;
            }
        }
        self.mark(shown);
    }

    /// Shows the squares that a loop keeps and what its body refers to, for a loop that is evaluated for all squares at once.
    pub(super) fn fused(&mut self, fused: &'a FusedLoop, at: &'a Position) {
        let domain = self.value(&fused.domain, at);
        let variable = fused.variable.index();
        self.context.variables.sets[variable] = Some(domain);
        let kept = self.value(&fused.kept, at);
        if kept.any() && kept.count() <= MOST_SQUARES {
            self.context.variables.sets[variable] = Some(kept);
            fused.kept.show(self, at);
            self.mark(kept);
        }
        self.context.variables.sets[variable] = None;
    }
}
