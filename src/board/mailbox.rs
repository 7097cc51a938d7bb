//! The piece on each square, one byte a square: for questions that are slow on bitboards, and for moves whose origin is known.
//!
//! Source: chessprogramming wiki, "8x8 Board", "Piece-Sets".

use shakmaty::{Bitboard, Color, Role, Square};

use super::pieces::{BLACK, Board, EVERYWHERE, OCCUPANTS, occupant};

/// The content of a square: 0 if empty, otherwise the number of the role, plus 8 for Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Occupant(u8);

/// By the side to move, the moving occupant and the occupant of the destination: a bit set of the cases in which the move is not a simple step.
static REFUSALS: [[[u8; OCCUPANTS]; OCCUPANTS]; 2] = {
    let mut refusals = [[[0; OCCUPANTS]; OCCUPANTS]; 2];
    let mut index = 0;
    while index < 2 * OCCUPANTS * OCCUPANTS {
        let (us, mover, target) = (
            index / OCCUPANTS / OCCUPANTS,
            index / OCCUPANTS % OCCUPANTS,
            index % OCCUPANTS,
        );
        refusals[us][mover][target] = refusals_of(us as u8 * BLACK, mover as u8, target as u8);
        index += 1;
    }
    refusals
};

/// Never a step: the moving piece is not ours, or the destination holds one of ours or a king.
const ALWAYS: u8 = 1;
/// No step on the first and last rank, where pawns promote.
const ON_EDGES: u8 = 2;
/// No step to another file, where a pawn captures en passant.
const SIDEWAYS: u8 = 4;

/// Returns the bits for one case. `us` is the colour bit of our pieces.
const fn refusals_of(us: u8, mover: u8, target: u8) -> u8 {
    const PAWN: u8 = Role::Pawn as u8;
    const KING: u8 = Role::King as u8;
    let (role, taken) = (mover % BLACK, target % BLACK);
    let is_ours = mover & BLACK == us && role != 0 && role <= KING;
    let is_open = target == 0 || target & BLACK != us && taken != 0 && taken < KING;
    match (is_ours && is_open, role == PAWN, target == 0) {
        (false, ..) => ALWAYS,
        (true, true, true) => ON_EDGES | SIDEWAYS,
        (true, true, false) => ON_EDGES,
        (true, false, _) => 0,
    }
}

impl Occupant {
    /// Returns the occupant of a square.
    fn on(board: &Board, square: Square) -> Occupant {
        board
            .piece_at(square)
            .map_or(Occupant(0), |piece| Occupant(occupant(piece.color, piece.role)))
    }

    #[inline(always)]
    fn index(self) -> usize {
        usize::from(self.0) % OCCUPANTS
    }
}

/// A board as bitboards and square by square.
#[derive(Clone, Debug)]
pub struct Mailbox {
    board: Board,
    squares: [Occupant; 64],
}

impl Mailbox {
    /// Creates a mailbox from a board that has no square with two pieces.
    pub fn new(board: Board) -> Mailbox {
        let mut squares = [Occupant(0); 64];
        for color in Color::ALL {
            for role in Role::ALL {
                for square in board.pieces(color, role) {
                    squares[square.to_usize()] = Occupant(occupant(color, role));
                }
            }
        }
        Mailbox { board, squares }
    }

    /// Returns the board.
    #[inline(always)]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Replaces the board by another one.
    pub fn change(&mut self, board: Board) {
        let before = std::mem::replace(&mut self.board, board);
        for square in before.differing(&board) {
            self.squares[square.to_usize()] = Occupant::on(&board, square);
        }
    }

    /// Moves a piece of `us` to a square that is empty or holds an enemy other than a king, and returns whether a piece is captured there.
    /// Changes nothing and returns `None` in any other case: castling, a pawn that promotes or captures en passant, a null move, or no
    /// move at all.
    ///
    /// Branches only on rare cases, so every branch can be predicted.
    #[inline(always)]
    pub fn step(&mut self, us: Color, from: Square, to: Square) -> Option<bool> {
        let (mover, target) = (self.squares[from.to_usize()], self.squares[to.to_usize()]);
        const EDGES: Bitboard = Bitboard(0xff00_0000_0000_00ff);
        let on_edges = u8::from(EDGES.contains(to)) * ON_EDGES;
        let sideways = u8::from(from.file() != to.file()) * SIDEWAYS;
        let refusals = REFUSALS[us.fold_wb(0, 1)][mover.index()][target.index()];
        if refusals & (ALWAYS | on_edges | sideways) != 0 {
            return None;
        }
        self.squares[to.to_usize()] = mover;
        self.squares[from.to_usize()] = Occupant(0);
        let (from, to) = (Bitboard::from(from), Bitboard::from(to));
        let (stay, moved) = (!to, from | to);
        let moves = &EVERYWHERE[mover.index()];
        let board = &mut self.board;
        let (roles, colors) = (&mut board.roles, &mut board.colors);
        for (pieces, moves) in [
            (&mut roles.pawn, moves.roles.pawn),
            (&mut roles.knight, moves.roles.knight),
            (&mut roles.bishop, moves.roles.bishop),
            (&mut roles.rook, moves.roles.rook),
            (&mut roles.queen, moves.roles.queen),
            (&mut roles.king, moves.roles.king),
            (&mut colors.white, moves.colors.white),
            (&mut colors.black, moves.colors.black),
        ] {
            *pieces = *pieces & stay ^ moves & moved;
        }
        Some(target != Occupant(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn random_board(random: &mut fastrand::Rng) -> Board {
        let mut board = shakmaty::Board::empty();
        for piece in "KkRrPpQqNnBb".chars().cycle().take(random.usize(2..40)) {
            let piece = shakmaty::Piece::from_char(piece).expect("a letter");
            board.set_piece_at(Square::new(random.u32(0..64)), piece);
        }
        Board::from(&board)
    }

    #[test]
    fn a_step_takes_what_is_on_its_square_and_anything_else_changes_nothing() {
        let mut random = fastrand::Rng::with_seed(8);
        let (mut steps, mut refused) = (0, 0);
        for _ in 0..20_000 {
            let board = random_board(&mut random);
            let us = Color::from_white(random.bool());
            let (from, to) = (Square::new(random.u32(0..64)), Square::new(random.u32(0..64)));
            let (mover, target) = (board.piece_at(from), board.piece_at(to));
            let ours = mover.filter(|piece| piece.color == us);
            let is_open = target.is_none_or(|piece| piece.color != us && piece.role != Role::King);
            let is_special = mover.is_some_and(|piece| piece.role == Role::Pawn)
                && (to.rank() == us.fold_wb(shakmaty::Rank::Eighth, shakmaty::Rank::First)
                    || to.rank() == us.fold_wb(shakmaty::Rank::First, shakmaty::Rank::Eighth)
                    || from.file() != to.file() && target.is_none());
            let mut mailbox = Mailbox::new(board);
            let step = mailbox.step(us, from, to);
            let expected = match ours.filter(|_| is_open && !is_special) {
                Some(piece) => {
                    steps += 1;
                    assert_eq!(step, Some(target.is_some()));
                    let mut expected = shakmaty::Board::try_from_bitboards(board.roles, board.colors).expect("a board");
                    expected.discard_piece_at(from);
                    expected.set_piece_at(to, piece);
                    Board::from(&expected)
                }
                None => {
                    refused += 1;
                    assert_eq!(step, None, "{from}{to} on {board:?}");
                    board
                }
            };
            assert_eq!(mailbox.board, expected, "{from}{to} on {board:?}");
            assert_eq!(mailbox.squares, Mailbox::new(expected).squares);
            let other = random_board(&mut random);
            mailbox.change(other);
            assert_eq!((mailbox.board, mailbox.squares), (other, Mailbox::new(other).squares));
        }
        assert!(steps > 1_000 && refused > 1_000);
    }
}
