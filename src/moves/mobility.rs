//! Counting the legal moves of a side and the squares that it can reach, no further than needed and without making a move.
//!
//! Most positions have many moves of pieces that nothing pins. Where only few are asked for, as by `mate` or by
//! `legal -- == 1`, pawns and knights mostly say all that has to be known.

use shakmaty::{CastlingSide, attacks};

use super::legal_moves::LegalMoves;
use super::legality::{Legality, safe_for_king};
use super::pseudolegal::{castle, just_passing, reached};
use crate::board::processor::for_this_processor;
use crate::board::{Bitboard, Board, Color, File, Rank, Role};
use crate::chess::Position;
use crate::game::Game;

/// What is counted of moves.
pub(crate) trait Tally: Default {
    /// Adds the squares where a piece may arrive, or several pieces with one move each.
    fn add(&mut self, arrivals: Bitboard);

    /// The number so far.
    fn number(&self) -> u32;
}

/// Moves by origin and arrival: a promotion counts once, whatever it is to.
#[derive(Default)]
pub(crate) struct Moves(u32);

/// Squares of arrival.
#[derive(Default)]
pub(crate) struct Arrivals(Bitboard);

impl Tally for Moves {
    fn add(&mut self, arrivals: Bitboard) {
        self.0 += number(arrivals);
    }

    fn number(&self) -> u32 {
        self.0
    }
}

impl Tally for Arrivals {
    fn add(&mut self, arrivals: Bitboard) {
        self.0 |= arrivals;
    }

    fn number(&self) -> u32 {
        number(self.0)
    }
}

/// Whether the side to move has a legal move in a position of a game.
pub fn has_legal_move(game: &Game, at: &Position) -> bool {
    count_legal::<Moves>(game, at, 0, || game.arrivals(at)) > 0
}

/// How many legal moves, or squares of arrival, the side to move has in a position that moves to the squares of `arrivals` have led
/// to. There may be more than the number returned where that is greater than `most`.
pub(crate) fn count_legal<T: Tally>(game: &Game, at: &Position, most: u32, arrivals: impl Fn() -> Bitboard) -> u32 {
    for_this_processor!(tallied::<T>(game, at, most, arrivals))
}

#[inline(always)]
fn tallied<T: Tally>(game: &Game, at: &Position, most: u32, arrivals: impl Fn() -> Bitboard) -> u32 {
    let mut tally = T::default();
    if game.has_own_rules() {
        let mut moves = LegalMoves::default();
        moves.fill(game, at);
        let every_move = moves.of(false, Bitboard::FULL, None);
        every_move.for_each(|(_, arrivals)| tally.add(arrivals));
        return tally.number();
    }
    let (board, us) = (&at.board, at.turn);
    let legality = Legality::of(board, us);
    let targets = !*board.colors.get(us) & !board.pieces(!us, Role::King);
    // First what says most for the least work.
    add_free_pawn_moves(board, us, &legality, targets, &mut tally);
    if tally.number() <= most {
        add_free_piece_moves(board, us, &legality, targets, &mut tally);
    }
    if tally.number() <= most {
        add_pinned_moves(board, us, &legality, targets, &mut tally);
    }
    if tally.number() <= most {
        add_king_moves(game, at, &legality, targets, &arrivals, &mut tally);
    }
    if tally.number() <= most
        && let Some(passing) = just_passing(at)
    {
        passing.legal.into_iter().for_each(|_| tally.add(passing.to.into()));
    }
    tally.number()
}

#[inline(always)]
fn number(squares: Bitboard) -> u32 {
    squares.0.count_ones()
}

/// Adds steps and captures of the pawns that nothing pins, all pawns at once; taking in passing left out.
#[inline(always)]
fn add_free_pawn_moves(board: &Board, us: Color, legality: &Legality, targets: Bitboard, tally: &mut impl Tally) {
    let pawns = board.pieces(us, Role::Pawn) & !legality.pinned;
    let ahead = |squares: Bitboard| us.fold_wb(Bitboard(squares.0 << 8), Bitboard(squares.0 >> 8)) & !board.occupied();
    let steps = ahead(pawns);
    let from_home = ahead(pawns & Bitboard::from(us.fold_wb(Rank::Second, Rank::Seventh)));
    let captures = *board.colors.get(!us) & targets & legality.evasions;
    let beside = |squares: Bitboard, edge: File, by: i32| ahead_of(us, squares & !Bitboard::from(edge), by) & captures;
    tally.add(steps & legality.evasions);
    tally.add(ahead(from_home) & legality.evasions);
    tally.add(beside(pawns, File::A, -1));
    tally.add(beside(pawns, File::H, 1));
}

/// The squares one rank ahead and so many files to the right.
#[inline(always)]
fn ahead_of(us: Color, squares: Bitboard, files: i32) -> Bitboard {
    squares.shift(us.fold_wb(8, -8) + files)
}

/// Adds moves of the other pieces that nothing pins, but for the king.
#[inline(always)]
fn add_free_piece_moves(board: &Board, us: Color, legality: &Legality, targets: Bitboard, tally: &mut impl Tally) {
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
    reached.for_each(|squares| tally.add(squares & targets));
}

/// Adds moves of the pieces that are pinned to their king.
fn add_pinned_moves(board: &Board, us: Color, legality: &Legality, targets: Bitboard, tally: &mut impl Tally) {
    for from in legality.pinned {
        tally.add(reached(board, us, from) & targets & legality.allow(from));
    }
}

/// Adds moves of the king, and of others beside it in positions that have some; with castling.
fn add_king_moves(
    game: &Game,
    at: &Position,
    legality: &Legality,
    targets: Bitboard,
    arrivals: &impl Fn() -> Bitboard,
    tally: &mut impl Tally,
) {
    let (board, us) = (&at.board, at.turn);
    for from in board.pieces(us, Role::King) {
        let reached = attacks::king_attacks(from) & targets;
        if legality.king != Some(from) {
            if !legality.pinned.contains(from) {
                tally.add(reached & legality.evasions);
            }
            continue;
        }
        let safe = safe_for_king(board, us, from, reached);
        let castles = if legality.checkers.is_empty() {
            CastlingSide::ALL.map(|side| castle(game, at, side, arrivals))
        } else {
            [Bitboard::EMPTY; 2]
        };
        tally.add(castles.into_iter().fold(safe, |safe, to| safe | to));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::pgn::{GameReader, Reading, Scope, sample};

    /// Compares the counts with the moves themselves at all positions of all games; returns the greatest count.
    fn compare(mut reader: GameReader<'_>) -> u32 {
        let mut game = Game::default();
        let mut greatest = 0;
        while reader.read(Scope::ALL, &mut game, |_| true) != Reading::End {
            for at in &game.positions {
                let mut moves = LegalMoves::default();
                moves.fill(&game, at);
                let every_move = || moves.of(false, Bitboard::FULL, None).map(|(_, arrivals)| arrivals);
                let all = every_move().map(number).sum();
                let squares = number(every_move().fold(Bitboard::EMPTY, |all, arrivals| all | arrivals));
                greatest = greatest.max(all);
                for most in [0, 1, 2, 5, 20, u32::MAX] {
                    let counted_moves = count_legal::<Moves>(&game, at, most, || game.arrivals(at));
                    let counted_squares = count_legal::<Arrivals>(&game, at, most, || game.arrivals(at));
                    let board = &at.board;
                    for (counted, all) in [(counted_moves, all), (counted_squares, squares)] {
                        assert!(counted <= all, "{board:?}: {counted} of {all}, {most}");
                        assert!(
                            counted == all || counted > most,
                            "{board:?}: {counted} of {all}, {most}"
                        );
                    }
                }
            }
        }
        greatest
    }

    #[test]
    fn as_many_moves_are_counted_as_there_are_in_games() {
        for (name, _) in sample::GOLDEN {
            assert!(compare(GameReader::new(&sample::golden(name))) > 20, "{name}");
        }
    }

    /// Any number of kings, pawns on all ranks, pins and checks of all kinds.
    #[test]
    fn as_many_moves_are_counted_as_there_are_on_random_boards() {
        let mut random = fastrand::Rng::with_seed(16);
        let mut games = String::new();
        for _ in 0..2000 {
            let mut board = shakmaty::Board::empty();
            for piece in "KkRrPpQqNnBb".chars().cycle().take(random.usize(2..30)) {
                let piece = shakmaty::Piece::from_char(piece).expect("a letter");
                let square = Square::new(random.u32(0..64));
                if random.u8(0..8) > 0 {
                    board.set_piece_at(square, piece);
                }
            }
            let turn = if random.bool() { 'w' } else { 'b' };
            games += &format!("[FEN \"{board} {turn} KQkq - 0 1\"]\n[SetUp \"1\"]\n\n*\n\n");
        }
        assert!(compare(GameReader::new(&sample::batch(&games))) > 50);
    }
}
