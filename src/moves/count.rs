//! Counts legal moves and the squares where they arrive, no further than needed and without making a move.
//!
//! Most positions have many moves of unpinned pieces. If only a few need to be counted, as by `mate` or
//! `legal -- == 1`, counting those of pawns and knights is usually enough.

use shakmaty::{CastlingSide, attacks};

use super::generate::{MoveFilter, each_piece};
use super::legality::{Legality, safe_for_king};
use super::pseudolegal::{ahead, castle, en_passant, reached_by};
use crate::board::processor::for_this_processor;
use crate::board::{Bitboard, Board, Color, File, Rank, Role};
use crate::chess::Position;
use crate::game::Game;

/// What is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Counted {
    /// Moves by origin and arrival. A promotion counts once, whatever the new piece.
    Moves,
    /// Squares of arrival.
    Arrivals,
}

/// Returns whether the side to move is mated.
pub(crate) fn is_mate(game: &Game, at: &Position) -> bool {
    let has_flight = || !game.has_own_rules() && has_flight(at);
    game.is_check(at) && !has_flight() && !has_legal_move(game, at) && !game.is_variant_end(at)
}

/// Returns whether the king can step to a square that is not attacked, as in most checks. This needs no look at the other pieces.
fn has_flight(at: &Position) -> bool {
    let (board, us) = (&at.board, at.turn);
    let targets = !*board.colors.get(us) & !board.pieces(!us, Role::King);
    let king = board.pieces(us, Role::King).first();
    king.is_some_and(|king| {
        let reached = attacks::king_attacks(king) & targets;
        safe_for_king(board, us, king, reached).next().is_some()
    })
}

/// Returns whether the side to move has no legal move, is not in check, and nothing follows in the game.
pub(crate) fn is_stalemate(game: &Game, at: &Position) -> bool {
    at.last == at.id && !game.is_check(at) && !has_legal_move(game, at) && !game.is_variant_end(at)
}

/// Returns whether the side to move has a legal move in a position of a game.
pub fn has_legal_move(game: &Game, at: &Position) -> bool {
    count_legal(Counted::Moves, game, at, 0, &|| game.arrivals(at)) > 0
}

/// Returns how many legal moves, or squares of arrival, the side to move has. On the way to the position, moves arrived on the squares of `arrivals`.
/// If the result is greater than `most`, there may be even more.
#[inline]
pub(crate) fn count_legal(
    counted: Counted,
    game: &Game,
    at: &Position,
    most: u32,
    arrivals: &dyn Fn() -> Bitboard,
) -> u32 {
    match counted {
        Counted::Moves => count::<true>(game, at, most, arrivals),
        Counted::Arrivals => count::<false>(game, at, most, arrivals),
    }
}

#[inline]
fn count<const MOVES: bool>(game: &Game, at: &Position, most: u32, arrivals: &dyn Fn() -> Bitboard) -> u32 {
    let mut count = Count::<MOVES> {
        moves: 0,
        arrivals: Bitboard::EMPTY,
        most,
    };
    if game.has_own_rules() {
        each_piece(game, at, &MoveFilter::LEGAL, arrivals, &mut |_, targets| {
            count.add(targets);
            false
        });
        return count.number();
    }
    for_this_processor!(count_in_chess(count, game, at, arrivals))
}

/// The number so far, of moves or of squares of arrival.
struct Count<const MOVES: bool> {
    moves: u32,
    arrivals: Bitboard,
    /// Counting stops when there are more.
    most: u32,
}

impl<const MOVES: bool> Count<MOVES> {
    /// Adds the squares where a piece may arrive, or where several pieces may arrive with one move each.
    #[inline(always)]
    fn add(&mut self, arrivals: Bitboard) {
        if MOVES {
            self.moves += arrivals.0.count_ones();
        } else {
            self.arrivals |= arrivals;
        }
    }

    #[inline(always)]
    fn number(&self) -> u32 {
        if MOVES {
            self.moves
        } else {
            self.arrivals.0.count_ones()
        }
    }

    #[inline(always)]
    fn is_enough(&self) -> bool {
        self.number() > self.most
    }
}

/// Counts the moves first that add most for the least work.
#[inline(always)]
fn count_in_chess<const MOVES: bool>(
    mut count: Count<MOVES>,
    game: &Game,
    at: &Position,
    arrivals: &dyn Fn() -> Bitboard,
) -> u32 {
    let (board, us) = (&at.board, at.turn);
    let legality = Legality::of(board, us);
    let targets = !*board.colors.get(us) & !board.pieces(!us, Role::King);
    let is_check = legality.checkers.any();
    if is_check {
        add_king_moves(game, at, &legality, targets, arrivals, &mut count);
    }
    if !count.is_enough() && legality.evasions.any() {
        add_free_pawn_moves(board, us, &legality, targets, &mut count);
        if !count.is_enough() {
            add_free_piece_moves(board, us, &legality, targets, &mut count);
        }
        if !count.is_enough() {
            add_pinned_moves(board, us, &legality, targets, &mut count);
        }
    }
    if !is_check && !count.is_enough() {
        add_king_moves(game, at, &legality, targets, arrivals, &mut count);
    }
    if !count.is_enough()
        && let Some(capture) = en_passant(at, None)
    {
        capture.legal.into_iter().for_each(|_| count.add(capture.to.into()));
    }
    count.number()
}

/// Adds steps and captures of unpinned pawns, all pawns at once, except captures en passant.
#[inline(always)]
fn add_free_pawn_moves<const MOVES: bool>(
    board: &Board,
    us: Color,
    legality: &Legality,
    targets: Bitboard,
    count: &mut Count<MOVES>,
) {
    let pawns = board.pieces(us, Role::Pawn) & !legality.pinned;
    let ahead_of = |squares: Bitboard, files: i32| squares.shift(us.fold_wb(8, -8) + files);
    let ahead = |squares: Bitboard| ahead(us, squares) & !board.occupied();
    let from_home = ahead(pawns & Bitboard::from(us.fold_wb(Rank::Second, Rank::Seventh)));
    let captures = *board.colors.get(!us) & targets & legality.evasions;
    count.add(ahead(pawns) & legality.evasions);
    count.add(ahead(from_home) & legality.evasions);
    count.add(ahead_of(pawns & !Bitboard::from(File::A), -1) & captures);
    count.add(ahead_of(pawns & !Bitboard::from(File::H), 1) & captures);
}

/// Adds moves of the other unpinned pieces, except the king.
#[inline(always)]
fn add_free_piece_moves<const MOVES: bool>(
    board: &Board,
    us: Color,
    legality: &Legality,
    targets: Bitboard,
    count: &mut Count<MOVES>,
) {
    let free = *board.colors.get(us) & !legality.pinned;
    let targets = targets & legality.evasions;
    let occupied = board.occupied();
    let knights = (free & board.roles.knight).into_iter().map(attacks::knight_attacks);
    let diagonal = (free & board.diagonal_sliders())
        .into_iter()
        .map(|from| attacks::bishop_attacks(from, occupied));
    let orthogonal = (free & board.orthogonal_sliders())
        .into_iter()
        .map(|from| attacks::rook_attacks(from, occupied));
    let reached = knights.chain(diagonal).chain(orthogonal);
    reached.for_each(|squares| count.add(squares & targets));
}

/// Adds moves of the pieces that are pinned to their king, except kings: positions that no game has may have several.
fn add_pinned_moves<const MOVES: bool>(
    board: &Board,
    us: Color,
    legality: &Legality,
    targets: Bitboard,
    count: &mut Count<MOVES>,
) {
    for from in legality.pinned & !board.roles.king {
        let reached = board.role_at(from).map(|role| reached_by(board, us, role, from));
        count.add(reached.unwrap_or_default() & targets & legality.allow(from));
    }
}

/// Adds moves of the king, including castling, and of any further kings.
fn add_king_moves<const MOVES: bool>(
    game: &Game,
    at: &Position,
    legality: &Legality,
    targets: Bitboard,
    arrivals: &dyn Fn() -> Bitboard,
    count: &mut Count<MOVES>,
) {
    let (board, us) = (&at.board, at.turn);
    for from in board.pieces(us, Role::King) {
        let reached = attacks::king_attacks(from) & targets;
        if legality.king != Some(from) {
            count.add(reached & legality.allow(from));
            continue;
        }
        let mut safe = Bitboard::EMPTY;
        for to in safe_for_king(board, us, from, reached) {
            safe.add(to);
            count.add(to.into());
            if count.is_enough() {
                return;
            }
        }
        if legality.checkers.is_empty() {
            for side in CastlingSide::ALL {
                // In Chess960, the king may also step to the square where it arrives by castling.
                count.add(castle(game, at, side, arrivals) & !safe);
            }
        }
    }
}
