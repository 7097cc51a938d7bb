//! Plays the moves of a database on a board.

use shakmaty::san::San;
use shakmaty::{Bitboard, CastlingSide, Color, Role, Square};

use super::Damage;
use crate::board::Board;
use crate::chess::{
    Arrival, Castlers, MoveKind, PlayableMove, Position, Start, castlers, is_closed, make_move, promotes_rightly,
};
use crate::game::{Game, Rules};
use crate::moves::{MoveText, resolve, write_san};

/// A move as named by databases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// A move of a single piece.
    Piece {
        from: Square,
        to: Square,
        promotion: Option<Role>,
    },
    Castle(CastlingSide),
    Null,
}

/// A move that has been played.
pub(super) struct Played {
    pub(super) before: Position,
    pub(super) after: Position,
    san: San,
    is_legal: bool,
}

/// The line of moves that leads to a position.
pub(super) struct Line {
    /// A game with the start of the line and no positions.
    game: Game,
    here: Position,
}

impl Default for Line {
    fn default() -> Line {
        let game = Game::default();
        Line {
            here: game.initial_position(),
            game,
        }
    }
}

impl Line {
    /// Begins at the usual start.
    pub(super) fn begin(&mut self) {
        self.game.begin(Rules::Full);
        self.rewind();
    }

    /// Begins at another start.
    pub(super) fn begin_at(&mut self, start: Start) {
        self.game.start = Some(start);
        self.rewind();
    }

    /// Goes back to the start.
    fn rewind(&mut self) {
        self.here = self.game.initial_position();
    }

    /// Returns the current position.
    pub(super) fn here(&self) -> Position {
        self.here
    }

    /// Goes to a position that was reached before.
    pub(super) fn go_to(&mut self, position: Position) {
        self.here = position;
    }

    /// Returns the board of the current position.
    pub(super) fn board(&self) -> &Board {
        &self.here.board
    }

    /// Returns the side to move.
    pub(super) fn turn(&self) -> Color {
        self.here.turn
    }

    /// Returns the number of the next move.
    pub(super) fn number(&self) -> u32 {
        let (first, turn) = match &self.game.start {
            Some(start) => (start.move_number, start.turn),
            None => (1, Color::White),
        };
        let plies = u32::from(self.here.ply) + turn.fold_wb(0, 1);
        first.saturating_add(plies / 2)
    }

    /// Plays a move. An illegal move is played too, as other moves may follow. Reading the PGN will find it.
    ///
    /// # Errors
    /// Returns an error if no piece can make the move.
    pub(super) fn play(&mut self, step: Step) -> Result<Played, Damage> {
        let start = self.game.start.as_ref();
        let before = self.here;
        let impossible = || Damage(format!("move {} is impossible", self.number()));
        let san = self.san(step).ok_or_else(impossible)?;
        let legal = resolve(&before, start, MoveText::San(san));
        let is_legal = legal.is_ok();
        let played = match legal {
            Ok(played) => played,
            Err(_) => self.illegal(step).ok_or_else(impossible)?,
        };
        let mut after = Position {
            turn: !before.turn,
            arrival: played.arrival,
            ply: before.ply.saturating_add(1),
            ..before
        };
        make_move(&mut after.board, before.turn, start, &played);
        self.here = after;
        Ok(Played {
            before,
            after,
            san,
            is_legal,
        })
    }

    /// Writes a move that has been played.
    pub(super) fn write(&self, played: &Played, out: &mut Vec<u8>) {
        match played.is_legal {
            true => write_san(out, &self.game, &played.before, &played.after),
            false => out.extend_from_slice(played.san.to_string().as_bytes()),
        }
    }

    /// Returns the squares that the rook of a castling move leaves and reaches.
    pub(super) fn rook_of(&self, color: Color, arrival: &Arrival) -> Option<(Square, Square)> {
        let MoveKind::Castle(side) = arrival.kind else {
            return None;
        };
        let from = self.castlers(color, side).rook;
        Some((from, Square::from_coords(side.rook_to_file(), from.rank())))
    }

    /// Returns the squares of king and rook before they castle to a side.
    fn castlers(&self, color: Color, side: CastlingSide) -> Castlers {
        castlers(self.game.start.as_ref(), color, side)
    }

    /// Returns a move of the side to move in SAN, with the square of origin.
    fn san(&self, step: Step) -> Option<San> {
        let Step::Piece { from, to, promotion } = step else {
            return Some(match step {
                Step::Castle(side) => San::Castle(side),
                _ => San::Null,
            });
        };
        let piece = self.here.board.piece_at(from)?;
        (piece.color == self.here.turn).then_some(San::Normal {
            role: piece.role,
            file: Some(from.file()),
            rank: Some(from.rank()),
            capture: false,
            to,
            promotion,
        })
    }

    /// Returns an illegal move if it is only against the rules, but possible.
    fn illegal(&self, step: Step) -> Option<PlayableMove> {
        let (board, us) = (&self.here.board, self.here.turn);
        match step {
            Step::Null => None,
            Step::Piece { from, to, promotion } => {
                let role = board.role_at(from)?;
                let is_possible =
                    !is_closed(board, us, to) && (role != Role::Pawn || promotes_rightly(us, to, promotion));
                is_possible.then_some(PlayableMove {
                    role,
                    arrival: Arrival {
                        kind: MoveKind::Normal,
                        from,
                        to,
                        promotion: promotion.filter(|_| role == Role::Pawn),
                        captured: board.occupied().contains(to).then_some(to),
                    },
                })
            }
            Step::Castle(side) => {
                let Castlers { king, rook } = self.castlers(us, side);
                let stand = board.pieces(us, Role::King).contains(king) && board.pieces(us, Role::Rook).contains(rook);
                let to = Square::from_coords(side.king_to_file(), king.rank());
                let reached = Bitboard::from(to) | Square::from_coords(side.rook_to_file(), rook.rank());
                let others = board.occupied() & !(Bitboard::from(king) | rook);
                (stand && (reached & others).is_empty()).then_some(PlayableMove {
                    role: Role::King,
                    arrival: Arrival {
                        kind: MoveKind::Castle(side),
                        from: king,
                        to,
                        promotion: None,
                        captured: None,
                    },
                })
            }
        }
    }
}
