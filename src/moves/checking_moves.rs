//! Moves that give check or mate, found without trying all moves.

use shakmaty::{CastlingSide, attacks};

use super::legality::{Legality, safe_for_king};
use super::pseudolegal::{
    EnPassantCapture, castle, each_promotion, is_castling_denied, just_passing, passing, pushers, reached_by,
};
use crate::board::attacked::{attacked, attacks_to};
use crate::board::between::between;
use crate::board::pins::pins_by_targets;
use crate::board::sliders::{bishop_attacks, bishop_lines, rook_attacks, rook_lines};
use crate::board::xray::{xray_bishop_attacks, xray_rook_attacks};
use crate::board::{Bitboard, Board, Color, Rank, Role, Square};
use crate::chess::{Arrival, MoveKind, Position, in_check};
use crate::game::Game;

/// What moves are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sought {
    /// Those that give check.
    Check,
    /// Those that give mate.
    Mate,
}

/// Shows the legal moves of a position of chess that give check, or mate, from some squares: each with the piece that moves. Moves to the squares
/// of `arrivals` have led to the position. Ends when `found` says that it has enough. Where the other side has no king nothing is found,
/// for then nothing is check.
///
/// Method: a move gives check if the piece arrives on a square from which it attacks the king, or leaves the line of a piece
/// behind it; only those moves are played. It is mate if the king has no flight and, unless two give check, nothing takes or
/// blocks.
pub(crate) fn each_check(
    sought: Sought,
    game: &Game,
    at: &Position,
    origins: Bitboard,
    arrivals: impl Fn() -> Bitboard,
    found: &mut dyn FnMut(Role, Arrival) -> bool,
) {
    let (board, us) = (&at.board, at.turn);
    let Some(target) = board.pieces(!us, Role::King).first() else {
        return;
    };
    let mut search = CheckSearch {
        sought,
        game,
        at,
        legality: None,
    };
    let occupied = board.occupied();
    let own = *board.colors.get(us);
    let straight = rook_attacks(occupied, target);
    let aslant = bishop_attacks(occupied, target);
    let leavers = leavers(board, own, target);
    let in_passing = passing(game, at);
    let free = !own & !Bitboard::from(target);
    for role in Role::ALL {
        let checking = match role {
            Role::Pawn => attacks::pawn_attacks(!us, target),
            Role::Knight => attacks::knight_attacks(target),
            Role::Bishop => aslant,
            Role::Rook => straight,
            Role::Queen => straight | aslant,
            Role::King => Bitboard::EMPTY,
        };
        let goals = checking & free;
        let mut pieces = board.pieces(us, role) & origins;
        // Most pawns are nowhere near.
        if role == Role::Pawn {
            pieces &= leavers
                | before_promotion(us)
                | goals.into_iter().fold(Bitboard::EMPTY, |near, to| {
                    near | attacks::pawn_attacks(!us, to) | pushers(board, us, to)
                });
        }
        for from in pieces {
            let leaves = leavers.contains(from);
            if goals.is_empty() && !leaves && role != Role::Pawn {
                continue;
            }
            let reached = reached_by(board, us, role, from) & free;
            let mut candidates = if leaves { reached } else { reached & goals };
            if role == Role::Pawn {
                candidates |= reached & Bitboard(0xff00_0000_0000_00ff);
            }
            if candidates.any() && search.tries(role, from, candidates, found) {
                return;
            }
        }
    }
    if let Some(EnPassantCapture {
        to, captured, legal, ..
    }) = in_passing
    {
        for from in legal & origins {
            let arrival = Arrival {
                kind: MoveKind::EnPassant,
                from,
                to,
                promotion: None,
                captured: Some(captured),
            };
            if search.finds(Role::Pawn, arrival) && found(Role::Pawn, arrival) {
                return;
            }
        }
    }
    let Some(king) = board
        .pieces(us, Role::King)
        .first()
        .filter(|king| origins.contains(*king))
    else {
        return;
    };
    for side in CastlingSide::ALL {
        let may = game.castlers(us, side).is_way_free(board, us, side)
            && !is_castling_denied(game, us, side)
            && !in_check(board, us);
        let to = if may {
            castle(game, at, side, &arrivals).first()
        } else {
            None
        };
        let Some(to) = to else { continue };
        let arrival = Arrival {
            kind: MoveKind::Castle(side),
            from: king,
            to,
            promotion: None,
            captured: None,
        };
        if search.finds(Role::King, arrival) && found(Role::King, arrival) {
            return;
        }
    }
}

/// The rank from which pawns of a side promote.
fn before_promotion(us: Color) -> Bitboard {
    us.fold_wb(Rank::Seventh, Rank::Second).into()
}

/// The pieces of a side that stand between one of its sliders and the other king, alone on that line.
fn leavers(board: &Board, own: Bitboard, target: Square) -> Bitboard {
    let straight = own & board.orthogonal_sliders() & rook_lines(target);
    let aslant = own & board.diagonal_sliders() & bishop_lines(target);
    let mut behind = Bitboard::EMPTY;
    if straight.any() {
        behind |= straight & xray_rook_attacks(board.occupied(), own, target);
    }
    if aslant.any() {
        behind |= aslant & xray_bishop_attacks(board.occupied(), own, target);
    }
    behind
        .into_iter()
        .map(|slider| between(slider, target) & own)
        .fold(Bitboard::EMPTY, |leavers, between| leavers | between)
}

/// A search for checks or mates.
struct CheckSearch<'g> {
    sought: Sought,
    game: &'g Game,
    at: &'g Position,
    /// What the own king asks of its side, once that is needed.
    legality: Option<Legality>,
}

impl CheckSearch<'_> {
    /// Tries the moves of a piece to some squares that it reaches; whether there is enough.
    fn tries(
        &mut self,
        role: Role,
        from: Square,
        candidates: Bitboard,
        found: &mut dyn FnMut(Role, Arrival) -> bool,
    ) -> bool {
        let (board, us) = (&self.at.board, self.at.turn);
        let legality = self.legality.get_or_insert_with(|| Legality::of(board, us));
        let legal = if role == Role::King {
            safe_for_king(board, us, from, candidates)
        } else {
            candidates & legality.allow(from)
        };
        let mut has_enough = false;
        for to in legal {
            let plain = Arrival {
                kind: MoveKind::Normal,
                from,
                to,
                promotion: None,
                captured: board.colors.get(!us).contains(to).then_some(to),
            };
            let mut try_it = |arrival: Arrival| {
                has_enough = has_enough || (self.finds(role, arrival) && found(role, arrival));
            };
            if role == Role::Pawn {
                each_promotion(us, plain, &mut try_it);
            } else {
                try_it(plain);
            }
            if has_enough {
                return true;
            }
        }
        false
    }

    /// Whether a legal move gives what is looked for.
    fn finds(&self, role: Role, arrival: Arrival) -> bool {
        let after = self.game.after(self.at, role, arrival, self.at.id);
        match self.sought {
            Sought::Check => in_check(&after.board, after.turn),
            Sought::Mate => is_mate(&after),
        }
    }
}

/// Whether the side to move is mated, in chess.
fn is_mate(at: &Position) -> bool {
    let (board, us) = (&at.board, at.turn);
    let own = *board.colors.get(us);
    let them = *board.colors.get(!us);
    let Some(king) = board.pieces(us, Role::King).first() else {
        return false;
    };
    let occupied = board.occupied();
    let checkers = attacks_to(board, occupied, king) & them;
    if checkers.is_empty() {
        return false;
    }
    let without_king = occupied & !Bitboard::from(king);
    let flights = attacks::king_attacks(king) & !own & !board.pieces(!us, Role::King);
    if flights
        .into_iter()
        .any(|to| !attacked(board, them, !us, without_king, to))
    {
        return false;
    }
    let Some(checker) = checkers.single_square() else {
        return true;
    };
    // In one check, a pinned piece neither takes nor blocks.
    let pinned = pins_by_targets(board, them, own, king.into()).through;
    let helpers = own & !pinned & !Bitboard::from(king);
    if (attacks_to(board, occupied, checker) & helpers).any() {
        return false;
    }
    let blocks = between(king, checker).into_iter().any(|square| {
        let pieces = attacks_to(board, occupied, square) & helpers & !board.roles.pawn;
        pieces.any() || (pushers(board, us, square) & helpers & board.roles.pawn).any()
    });
    !blocks && just_passing(at).is_none_or(|passing| passing.legal.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::columns::Boards;
    use crate::moves::generate::{Asked, each_move};
    use crate::moves::mobility::has_legal_move;
    use crate::pgn::{GameReader, Reading, Scope, sample};

    /// Some pieces on random squares, the kings among them; no pawn is on a last rank.
    fn random_board(random: &mut fastrand::Rng) -> Board {
        let mut squares: Vec<usize> = (0..64).collect();
        random.shuffle(&mut squares);
        let mut placed = ['1'; 64];
        for letter in "Kk"
            .chars()
            .chain("QQRRBBNNPPPqrrbbnnppp".chars().filter(|_| random.bool()))
        {
            let place = squares
                .iter()
                .position(|square| !letter.eq_ignore_ascii_case(&'p') || (8..56).contains(square));
            let square = squares.swap_remove(place.expect("room for all pieces"));
            placed[square] = letter;
        }
        let ranks: Vec<String> = placed.chunks(8).map(|rank| rank.iter().collect()).collect();
        ranks.join("/").parse().expect("a board")
    }

    /// The moves that `each_check` shows, and those of all moves that it should show.
    fn sought_and_tried(sought: Sought, game: &Game, at: &Position) -> [Vec<(Square, Square, Option<Role>)>; 2] {
        let named = |arrival: Arrival| (arrival.from, arrival.to, arrival.promotion);
        let arrivals = || game.arrivals(at);
        let (mut shown, mut tried) = (Vec::new(), Vec::new());
        each_check(sought, game, at, Bitboard::FULL, arrivals, &mut |_, arrival| {
            shown.push(named(arrival));
            false
        });
        let all = Asked {
            pseudo: false,
            heeds_fen: true,
            special: None,
            from: Bitboard::FULL,
            to: Bitboard::FULL,
            captured: None,
        };
        each_move(game, at, &all, arrivals, &mut |role, arrival| {
            let after = game.after(at, role, arrival, at.id);
            if in_check(&after.board, after.turn) && (sought == Sought::Check || !has_legal_move(game, &after)) {
                tried.push(named(arrival));
            }
            false
        });
        [shown, tried].map(|mut moves| {
            moves.sort_unstable_by_key(|(from, to, promotion)| (*from, *to, promotion.map(u8::from)));
            moves
        })
    }

    /// Calls a function with random positions of chess, and with those of the golden games.
    fn each_position(mut tell: impl FnMut(&Game, &Position)) {
        let mut random = fastrand::Rng::with_seed(11);
        let other = sample::game("1. Nf3 *");
        for _ in 0..4000 {
            let board = random_board(&mut random);
            for turn in Color::ALL {
                let at = Position {
                    board,
                    turn,
                    ..other.positions[1]
                };
                tell(&other, &at);
            }
        }
        for (name, _) in sample::GOLDEN {
            let batch = sample::golden(name);
            let mut reader = GameReader::new(&batch);
            let mut game = Game::default();
            while reader.read(Scope::ALL, &mut game, |_| true) != Reading::End {
                game.positions.iter().step_by(5).for_each(|at| tell(&game, at));
            }
        }
    }

    #[test]
    fn checks_and_mates_are_those_of_the_moves_that_are_tried_one_by_one() {
        let mut mates = 0;
        each_position(|game, at| {
            if in_check(&at.board, !at.turn) {
                return;
            }
            for sought in [Sought::Check, Sought::Mate] {
                let [shown, tried] = sought_and_tried(sought, game, at);
                assert_eq!(shown, tried, "{sought:?} at\n{:?}", at.board);
                mates += usize::from(sought == Sought::Mate) * tried.len();
            }
        });
        assert!(mates > 250, "{mates}");
    }

    #[test]
    fn boards_side_by_side_leave_out_no_check_and_no_mate() {
        let (mut positions, mut checks, mut mates) = (0, 0, 0);
        each_position(|game, at| {
            let boards = Boards::from_iter([at.board]);
            let white_to_move = at.turn.fold_wb(1, 0);
            let may_check = boards.may_check(white_to_move) & 1 == 1;
            let may_mate = boards.may_mate(white_to_move) & 1 == 1;
            for (sought, may) in [(Sought::Check, may_check), (Sought::Mate, may_mate)] {
                let [_, tried] = sought_and_tried(sought, game, at);
                assert!(may || tried.is_empty() || at.id == 0, "{sought:?} at\n{:?}", at.board);
            }
            if game.len() > 2 {
                positions += 1;
                checks += usize::from(may_check);
                mates += usize::from(may_mate);
            }
        });
        assert!(checks * 4 < positions * 3, "{checks} of {positions}");
        assert!(mates * 3 < positions, "{mates} of {positions}");
    }
}
