//! The look at a position that comes before the body is tried there.

use crate::board::attacked::aiming_at;
use crate::board::sliders::{bishop_lines, rook_lines};
use crate::board::{Bitboard, Board};
use crate::game::{Game, MoveKind, Position, in_check};
use crate::query::gate::{Event, Gate, Lines, Men};

use super::sets;

/// Whether a position fulfils a gate. It may be one that does not fulfil what only a longer look would find out.
// The two shapes that most queries have, conjunctions and choices of conjunctions, are gone through without a call.
#[inline(always)]
pub(super) fn lets_pass(gate: &Gate, game: &Game, at: &Position) -> bool {
    match gate {
        Gate::Open => true,
        Gate::All(gates) => gates.iter().all(|gate| simple(gate, game, at)),
        Gate::Either(choices) => choices.iter().any(|choice| match choice {
            Gate::All(gates) => gates.iter().all(|gate| simple(gate, game, at)),
            gate => simple(gate, game, at),
        }),
        gate => simple(gate, game, at),
    }
}

#[inline(always)]
fn simple(gate: &Gate, game: &Game, at: &Position) -> bool {
    match gate {
        Gate::ToMove(color) => at.turn == *color,
        Gate::Count(men, least, most) => {
            let count = squares_of(*men, &at.board).count() as u32;
            *least <= count && count <= *most
        }
        gate => other(gate, game, at),
    }
}

#[inline(never)]
fn other(gate: &Gate, game: &Game, at: &Position) -> bool {
    let board = &at.board;
    match gate {
        Gate::Open | Gate::Elsewhere(_) => true,
        Gate::All(_) | Gate::Either(_) | Gate::ToMove(_) | Gate::Count(..) => lets_pass(gate, game, at),
        Gate::Initial => at.id == 0,
        Gate::Terminal => at.last == at.id,
        Gate::Plies(plies) => u32::from(at.ply) >= *plies,
        Gate::InLine(from, to, lines) => in_line(squares_of(*from, board), squares_of(*to, board), *lines),
        Gate::Reach(from, to, least) => reach(board, squares_of(*from, board), squares_of(*to, board), *least),
        Gate::Capture(men) => is_capture_played(*men, game, at),
        Gate::Event(event) => happens(*event, at),
    }
}

/// Whether a position is as an event says; of mates only that they are checks is looked at, of stalemates only that they are
/// the end.
fn happens(event: Event, at: &Position) -> bool {
    match event {
        Event::Check | Event::Mate => in_check(&at.board, at.turn),
        Event::Stalemate => at.last == at.id,
        Event::Castling(side) => at.arrival.kind == MoveKind::Castle(side),
        Event::EnPassant => at.arrival.kind == MoveKind::EnPassant,
        Event::NullMove => at.arrival.kind == MoveKind::Null,
        Event::Promotion(role) => at.arrival.promotion == Some(role),
    }
}

/// Whether a move from a position takes something; one of some of `men`, if they are given.
fn is_capture_played(men: Option<Men>, game: &Game, at: &Position) -> bool {
    let movers = men.map_or(Bitboard::FULL, |men| squares_of(men, &at.board));
    let mut next = game.first_child(at);
    while let Some(child) = next {
        if child.arrival.captured.is_some() && movers.contains(child.arrival.from) {
            return true;
        }
        next = game.next_sibling(child);
    }
    false
}

#[inline(always)]
fn squares_of(men: Men, board: &Board) -> Bitboard {
    sets::with_contents(men.contents, board) & men.squares
}

/// Up to how many targets are looked at one by one; of many, some will be attacked or in line.
const FEW: usize = 3;

/// Whether some square of a set is in line with one of the other.
#[inline]
fn in_line(from: Bitboard, to: Bitboard, lines: Lines) -> bool {
    if to.count() > FEW {
        return from.any();
    }
    to.into_iter().any(|square| {
        let mut reached = Bitboard::EMPTY;
        if lines.straight {
            reached |= rook_lines(square);
        }
        if lines.diagonal {
            reached |= bishop_lines(square);
        }
        (reached & from).any()
    })
}

/// Whether so many men would attack one of few targets if nothing were between.
#[inline]
fn reach(board: &Board, men: Bitboard, targets: Bitboard, least: u32) -> bool {
    if targets.count() > FEW {
        return men.count() as u32 >= least;
    }
    let reaching = targets
        .into_iter()
        .fold(Bitboard::EMPTY, |reaching, target| reaching | aiming_at(board, target));
    (reaching & men).count() as u32 >= least
}
