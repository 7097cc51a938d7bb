//! The look at a position that comes before the body is tried there.

use crate::board::sliders::{bishop_lines, rook_lines};
use crate::board::{Bitboard, Board};
use crate::game::{MoveKind, Position, in_check};
use crate::query::gate::{Event, Gate, Lines, Men};

use super::sets;

/// Whether a position fulfils a gate. It may be one that does not fulfil what only a longer look would find out.
#[inline]
pub(super) fn lets_pass(gate: &Gate, at: &Position) -> bool {
    match gate {
        Gate::Open | Gate::Elsewhere(_) => true,
        Gate::All(gates) => gates.iter().all(|gate| one_lets_pass(gate, at)),
        gate => one_lets_pass(gate, at),
    }
}

/// As [`lets_pass`], for what is no conjunction as a rule.
fn one_lets_pass(gate: &Gate, at: &Position) -> bool {
    match gate {
        Gate::Open | Gate::Elsewhere(_) => true,
        Gate::All(gates) => gates.iter().all(|gate| one_lets_pass(gate, at)),
        Gate::Either(gates) => gates.iter().any(|gate| one_lets_pass(gate, at)),
        Gate::ToMove(color) => at.turn == *color,
        Gate::Initial => at.id == 0,
        Gate::Terminal => at.last == at.id,
        Gate::Plies(plies) => u32::from(at.ply) >= *plies,
        Gate::Count(men, least, most) => {
            let count = squares_of(*men, &at.board).count() as u32;
            *least <= count && count <= *most
        }
        Gate::InLine(from, to, lines) => in_line(squares_of(*from, &at.board), squares_of(*to, &at.board), *lines),
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

#[inline]
fn squares_of(men: Men, board: &Board) -> Bitboard {
    sets::with_contents(men.contents, board) & men.squares
}

/// Whether some square of a set is in line with one of the other. Only a few are looked at, of many some pair will be.
#[inline(never)]
fn in_line(from: Bitboard, to: Bitboard, lines: Lines) -> bool {
    const MOST: usize = 3;
    if to.count() > MOST {
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
