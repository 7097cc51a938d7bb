//! Arrows for moves: of dashes, `move`, `legal`, paths and lines.

use crate::board::{Bitboard, Square};
use crate::chess::{Arrival, Position};
use crate::query::ast::moves::MoveSource;
use crate::query::ast::paths::{Focus, Line, Path};
use crate::query::{Cond, Dash, LegalDash, Lookahead, Move, Node};
use crate::syntax::token::Span;

use super::{MOST_ARROWS, Show, Sketch};
use crate::eval::interpreter::Eval;
use crate::eval::interpreter::imagine::lookahead;
use crate::eval::interpreter::moves;
use crate::eval::interpreter::paths::path_comments::way;
use crate::eval::interpreter::paths::{line, path};
use crate::eval::state::sides::Sides;

/// Returns the origin and the destination of the move that led to `after`.
fn step(after: &Position) -> (Square, Square) {
    (after.arrival.from, after.arrival.to)
}

impl<'a> Sketch<'a> {
    /// Shows the move played here that fits a dash and has a target that holds.
    pub(super) fn move_played<E: Eval + Show>(&mut self, dash: &'a Dash, target: &'a E, at: &'a Position) {
        let mut first = None;
        self.ask(|context| {
            moves::each_played(dash, target, context, at, &mut |after, narrowed, _| {
                first = Some((after, narrowed));
                true
            });
        });
        if let Some((after, narrowed)) = first {
            self.arrows(&[step(after)]);
            self.reach(at, after);
            self.follow(target, narrowed, after);
        }
    }

    /// Shows all moves played here that fit a dash and have a target that holds.
    pub(super) fn moves_played(&mut self, dash: &'a Dash, target: &'a Cond, at: &'a Position) {
        let mut found = Vec::new();
        self.ask(|context| {
            moves::each_played(dash, target.as_ref(), context, at, &mut |after, _, _| {
                found.push(step(after));
                false
            });
        });
        self.arrows(&found);
    }

    /// Shows the move that led here, which fits a dash, and what its target refers to at this position.
    pub(super) fn move_before<E: Show>(&mut self, dash: &'a Dash, target: &'a E, at: &'a Position) {
        let Some(before) = self.context.game.parent(at) else {
            return;
        };
        let sides = self.ask(|context| Sides::new(&dash.left, &dash.right, context, before));
        let game = self.context.game;
        let Some(narrowed) = sides.and_then(|sides| sides.admit(game, dash.capture, None, at)) else {
            return;
        };
        self.arrows(&[step(at)]);
        let outer = self.context.narrowed.replace(narrowed);
        target.show(self, at);
        self.context.narrowed = outer;
    }

    /// Shows the moves that fit a `move`.
    pub(super) fn fitting_moves(&mut self, parameters: &'a Move, at: &'a Position) {
        let mut found = Vec::new();
        self.ask(|context| match parameters.source {
            MoveSource::Continuations | MoveSource::Previous => {
                moves::for_each_fitting(parameters, context, at, |after| found.push(step(after)));
            }
            MoveSource::Legal | MoveSource::Pseudolegal => {
                moves::generated(parameters, context, at, |from, arrivals| {
                    found.extend(arrivals.into_iter().map(|to| (from, to)));
                });
            }
        });
        self.arrows(&found);
    }

    /// Shows the legal moves that a `legal` dash refers to.
    pub(super) fn legal_moves(&mut self, legal: &'a LegalDash, at: &'a Position) {
        let mut found = Vec::new();
        self.ask(|context| {
            moves::legal_moves(legal, context, at, &mut |from, arrivals| {
                found.extend(arrivals.into_iter().map(|to| (from, to)));
                false
            });
        });
        self.arrows(&found);
    }

    /// Shows the tried moves after which the target holds, and notes them as answers to the query.
    pub(super) fn tried_moves(&mut self, moves: &'a Lookahead, span: Span, at: &'a Position) {
        let found = self.accepted_moves(moves, span, at);
        if !moves.pseudo && moves.target.is_some() {
            self.tried(&found);
        }
    }

    /// Shows the tried moves after which the target holds, and returns them.
    pub(super) fn accepted_moves(&mut self, moves: &'a Lookahead, span: Span, at: &'a Position) -> Vec<Arrival> {
        let mut found = Vec::new();
        self.ask(|context| {
            lookahead::each(moves, span, context, at, &mut |arrival, holds| {
                found.extend(holds.then_some(arrival));
                false
            });
        });
        let mut arrows: Vec<_> = found.iter().map(|arrival| (arrival.from, arrival.to)).collect();
        arrows.dedup();
        self.arrows(&arrows);
        found
    }

    /// Shows the first tried move that gives a filter a value.
    pub(super) fn first_tried<K>(&mut self, moves: &'a Lookahead, target: &'a Node<K>, at: &'a Position)
    where
        Node<K>: Eval,
    {
        let found = self.ask(|context| {
            let first = lookahead::first_move(moves, target, target.span, context, at);
            first.map(|(arrival, _)| arrival)
        });
        let found = found.flatten();
        if !moves.pseudo {
            self.tried(found.as_slice());
        }
        self.arrows(found.map(|arrival| (arrival.from, arrival.to)).as_slice());
    }

    /// Shows the moves of the best sequence of a path; with a focus only those of its pieces.
    pub(super) fn path(&mut self, path: &'a Path, at: &'a Position) {
        self.context.paths.clear();
        let Some(last) = self.ask(|context| path::last_position(path, context, at)).flatten() else {
            return;
        };
        let mut pieces = match &path.focus {
            None => None,
            Some(Focus::Pieces { set, .. }) => self.ask(|context| set.eval(context, at)),
            Some(Focus::SideToMove) => Some(*at.board.colors.get(at.turn)),
        };
        let mut found = Vec::new();
        for after in way(self.context.game, at, last) {
            let (from, to) = step(after);
            if is_move_of(&mut pieces, from, to) {
                found.push((from, to));
            }
        }
        found.truncate(MOST_ARROWS);
        self.arrows(&found);
        self.reach(at, last);
    }

    /// Shows the moves between the first and the last position of a line.
    pub(super) fn line(&mut self, line: &'a Line, at: &'a Position) {
        self.context.paths.clear();
        let Some(last) = self.ask(|context| line::last_position(line, context, at)).flatten() else {
            return;
        };
        let (first, last) = if line.backward { (last, at) } else { (at, last) };
        let mut found: Vec<_> = way(self.context.game, first, last).into_iter().map(step).collect();
        found.truncate(MOST_ARROWS);
        self.arrows(&found);
        self.reach(first, last);
    }
}

/// Returns whether a move is made by one of `pieces`, and updates their squares. `None` stands for all pieces.
fn is_move_of(pieces: &mut Option<Bitboard>, from: Square, to: Square) -> bool {
    let Some(pieces) = pieces else { return true };
    let moves = pieces.contains(from);
    pieces.discard(to);
    if moves {
        pieces.discard(from);
        pieces.add(to);
    }
    moves
}
