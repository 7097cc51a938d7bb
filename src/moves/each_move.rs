//! Generates moves one after another.

use shakmaty::CastlingSide;

use super::checks::CheckOrMate;
use super::count::is_mate;
use super::generate::{MoveFilter, MoveGenerator, PieceMoves};
use super::pseudolegal::{PROMOTIONS, last_rank};
use crate::board::{Bitboard, Role};
use crate::chess::{Arrival, MoveKind, Position, in_check};
use crate::game::Game;

/// Passes the moves of a position of chess with the moving piece to `found`: ordered by origin, then by arrival, then by
/// promotion. Stops when `found` returns `true`. On the way to the position, moves arrived on the squares of `arrivals`.
pub(crate) fn each_move(
    game: &Game,
    at: &Position,
    filter: &MoveFilter,
    arrivals: &dyn Fn() -> Bitboard,
    found: &mut dyn FnMut(Role, Arrival) -> bool,
) {
    let mut generator = MoveGenerator::new(game, at, filter, arrivals);
    if filter.gives.is_some() && !generator.expect_checks() {
        return;
    }
    generator.each_piece(|moves| generator.each_move_of(moves, found));
}

impl MoveGenerator<'_> {
    /// Passes the single moves of a piece to `found`. Returns whether to stop.
    fn each_move_of(&self, moves: &PieceMoves, found: &mut dyn FnMut(Role, Arrival) -> bool) -> bool {
        let PieceMoves { role, from, .. } = *moves;
        let them = *self.at.board.colors.get(!self.at.turn);
        let mut show = |arrival: Arrival| self.gives(role, arrival) && found(role, arrival);
        for to in moves.targets() {
            let plain = Arrival {
                kind: MoveKind::Normal,
                from,
                to,
                promotion: None,
                captured: them.contains(to).then_some(to),
            };
            let has_enough = match role {
                Role::King => {
                    let castling = |side| Arrival {
                        kind: MoveKind::Castle(side),
                        captured: None,
                        ..plain
                    };
                    let mut castlings = CastlingSide::ALL.into_iter().zip(moves.castles);
                    castlings.any(|(side, castles)| castles.contains(to) && show(castling(side)))
                        || moves.steps.contains(to) && show(plain)
                }
                Role::Pawn if moves.en_passant.contains(to) => show(Arrival {
                    kind: MoveKind::EnPassant,
                    captured: self.en_passant.map(|capture| capture.captured),
                    ..plain
                }),
                Role::Pawn if to.rank() == last_rank(self.at.turn) => {
                    let wanted = self.filter.promotion.as_ref();
                    PROMOTIONS.into_iter().any(|role| {
                        let promotion = Some(role);
                        wanted.is_none_or(|wanted| *wanted.get(role)) && show(Arrival { promotion, ..plain })
                    })
                }
                _ => show(plain),
            };
            if has_enough {
                return true;
            }
        }
        false
    }

    /// Returns whether a legal move gives check or mate, as the filter requires.
    #[inline]
    fn gives(&self, role: Role, arrival: Arrival) -> bool {
        self.filter.gives.is_none_or(|given| {
            let after = self.game.after(self.at, role, arrival, self.at.id);
            match given {
                CheckOrMate::Check => in_check(&after.board, after.turn),
                CheckOrMate::Mate => is_mate(self.game, &after),
            }
        })
    }
}
