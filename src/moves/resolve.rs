//! Finds the piece that moves: turns a move as PGN writes it into a move on the board.
//!
//! A piece that can go to a square is on one of the squares that it would attack from there, so the candidates for a move are the attack
//! set of its destination ∩ the pieces of its kind ([Square Attacked By](https://www.chessprogramming.org/Square_Attacked_By)). No list of
//! moves is ever made.

use std::fmt;

use shakmaty::san::San;
use shakmaty::{Bitboard, CastlingSide, Color, File, Rank, Role, Square, attacks};

use super::pseudolegal::pushers;
use crate::board::Board;
use crate::board::approaches::Approaches;
use crate::board::attacked::unobstructed;
use crate::board::between::between;
use crate::chess::{
    Arrival, MoveKind, PlayableMove, Position, Start, castlers, en_passant_victim, is_closed, keeps_king_safe,
    leaves_king_safe, promotes_rightly,
};

/// Why a move cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MoveError {
    /// No piece can legally make it.
    Illegal,
    /// Several pieces can.
    Ambiguous,
    /// It is not a move at all.
    Unreadable,
    /// The king or the rook has moved before, or the rook was captured.
    RightLost,
    /// The FEN tag does not give the right to castle.
    RightNotGiven,
    /// By its number, the other side is to move.
    OutOfTurn,
}

impl fmt::Display for MoveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MoveError::Illegal => "illegal move",
            MoveError::Ambiguous => "ambiguous move",
            MoveError::Unreadable => "unreadable move",
            MoveError::RightLost => "castling after the king or the rook has moved",
            MoveError::RightNotGiven => "castling without the right in the FEN tag",
            MoveError::OutOfTurn => "by its number, a move before it is missing",
        })
    }
}

/// A move as PGN gives it, in more forms than [`San`] has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MoveText {
    /// A move in standard or long algebraic notation.
    San(San),
    /// A pawn's capture that only names two files: `ed`.
    PawnTakes {
        /// The file that the pawn leaves.
        from: File,
        /// The file where it captures.
        to: File,
        /// What it becomes.
        promotion: Option<Role>,
    },
}

/// Finds the move that `text` means in `position`.
///
/// `start` is the start position if the FEN tag sets one up. Captures need no sign. Castling needs no right: it is enough that king and
/// rook are on their castling squares, nothing is in their way, and the king's way is not attacked. A king that captures its own rook
/// castles.
///
/// # Errors
///
/// Returns an error if no piece, or more than one, can make the move without leaving its king attacked.
pub(crate) fn resolve(position: &Position, start: Option<&Start>, text: MoveText) -> Result<PlayableMove, MoveError> {
    if let Some(step) = Step::of_text(text) {
        return match step.role {
            Role::Pawn if step.from.square().is_some() => step.of_coordinates(position, start),
            Role::King if takes_own_rook(position, step.to) => castle_onto_rook(position, start, step),
            _ => step.resolve(position, start),
        };
    }
    match text {
        MoveText::San(San::Castle(side)) => castle(position, start, side),
        MoveText::San(San::Null) => pass(position),
        MoveText::San(San::Put { .. } | San::Normal { .. }) => Err(MoveError::Illegal),
        MoveText::PawnTakes { from, to, promotion } => pawn_takes(position, start, from, to, promotion),
    }
}

/// What a text says about the square that a piece leaves.
#[derive(Clone, Copy)]
struct Origin {
    file: Option<File>,
    rank: Option<Rank>,
}

impl Origin {
    /// Returns the squares that it may be.
    #[inline]
    fn squares(self) -> Bitboard {
        self.file.map_or(Bitboard::FULL, Bitboard::from) & self.rank.map_or(Bitboard::FULL, Bitboard::from)
    }

    /// Returns whether the text says nothing about it.
    #[inline]
    fn is_open(self) -> bool {
        self.file.is_none() && self.rank.is_none()
    }

    /// Returns the square, if the text names it.
    #[inline]
    fn square(self) -> Option<Square> {
        self.file
            .zip(self.rank)
            .map(|(file, rank)| Square::from_coords(file, rank))
    }
}

/// A move of a single piece, as far as its text determines it.
#[derive(Clone, Copy)]
pub(crate) struct Step {
    role: Role,
    from: Origin,
    to: Square,
    promotion: Option<Role>,
}

impl Step {
    /// Returns the move of a single piece that a text means; `None` for castling, a null move, a drop, and a pawn's capture that only names files.
    #[inline(always)]
    fn of_text(text: MoveText) -> Option<Step> {
        let MoveText::San(San::Normal {
            role,
            file,
            rank,
            to,
            promotion,
            capture: _,
        }) = text
        else {
            return None;
        };
        Some(Step {
            role,
            from: Origin { file, rank },
            to,
            promotion,
        })
    }

    /// Returns the step that a text means in `position`. `None` if it may mean anything else: the cases in which [`of_text`](Step::of_text)
    /// returns `None`, castling, or a move of whichever piece is on a square.
    #[inline(always)]
    pub(crate) fn of(text: MoveText, position: &Position) -> Option<Step> {
        Step::of_text(text).filter(|step| match step.role {
            Role::Pawn => step.from.square().is_none(),
            Role::King => !takes_own_rook(position, step.to),
            _ => true,
        })
    }

    /// Finds the piece that moves. `start` is the start position if the FEN tag sets one up.
    ///
    /// # Errors
    ///
    /// Returns an error if no piece, or more than one, can make the move without leaving its king attacked.
    #[inline(always)]
    pub(crate) fn resolve(self, position: &Position, start: Option<&Start>) -> Result<PlayableMove, MoveError> {
        match self.role {
            Role::Pawn => self.of_pawn(position, start),
            role => self.of_piece(position, role),
        }
    }

    /// Returns the role of the moving piece.
    #[inline(always)]
    pub(crate) fn role(self) -> Role {
        self.role
    }

    /// Resolves a move of any piece other than a pawn.
    #[inline(always)]
    pub(crate) fn of_piece(self, position: &Position, role: Role) -> Result<PlayableMove, MoveError> {
        let board = &position.board;
        let us = position.turn;
        let to = self.to;
        if self.promotion.is_some() || is_closed(board, us, to) {
            return Err(MoveError::Illegal);
        }
        let captured = board.colors.get(!us).contains(to).then_some(to);
        // Few moves name the square from which the piece comes.
        let mut pieces = board.pieces(us, role);
        if !self.from.is_open() {
            pieces &= self.from.squares();
        }
        let aiming = Approaches::of(to).by(role) & pieces;
        let from = if aiming.more_than_one() {
            only_legal(board, us, unobstructed(aiming, to, board.occupied()), to, captured)?
        } else {
            let from = aiming.first().ok_or(MoveError::Illegal)?;
            let is_free = (between(from, to) & board.occupied()).is_empty();
            legal_if(is_free && keeps_king_safe(board, us, from, to, captured), from)?
        };
        let arrival = Arrival {
            kind: MoveKind::Normal,
            from,
            to,
            promotion: None,
            captured,
        };
        Ok(PlayableMove { role, arrival })
    }

    /// Resolves the move of whichever piece is on the square that the text names. The text reads like a pawn's move: `g1f3`, `e1g1`, `e2e4`.
    fn of_coordinates(self, position: &Position, start: Option<&Start>) -> Result<PlayableMove, MoveError> {
        let from = self.from.square();
        let piece = from.and_then(|from| position.board.piece_at(from));
        let role = piece
            .filter(|piece| piece.color == position.turn)
            .map(|piece| piece.role);
        let side = from.and_then(|from| castling_side(from, self.to));
        match (role, side) {
            (None | Some(Role::Pawn), _) => self.of_pawn(position, start),
            (Some(Role::King), Some(side)) => castle(position, start, side),
            (Some(Role::King), None) if takes_own_rook(position, self.to) => castle_onto_rook(position, start, self),
            (Some(role), _) => self.of_piece(position, role),
        }
    }

    /// Resolves a pawn's move: straight ahead, unless the text names another file from which it comes.
    #[inline(always)]
    pub(crate) fn of_pawn(self, position: &Position, start: Option<&Start>) -> Result<PlayableMove, MoveError> {
        let board = &position.board;
        let us = position.turn;
        let to = self.to;
        if is_closed(board, us, to) || !promotes_rightly(us, to, self.promotion) {
            return Err(MoveError::Illegal);
        }
        let pawns = board.pieces(us, Role::Pawn) & self.from.squares();
        let (candidates, kind, captured) = match self.from.file {
            Some(file) if file != to.file() => {
                let candidates = attacks::pawn_attacks(!us, to) & pawns;
                if board.colors.get(!us).contains(to) {
                    (candidates, MoveKind::Normal, Some(to))
                } else {
                    let passed = start.and_then(|start| start.en_passant);
                    let victim = en_passant_victim(position, passed, to).ok_or(MoveError::Illegal)?;
                    (candidates, MoveKind::EnPassant, Some(victim))
                }
            }
            _ => (pushers(board, us, to.into()) & pawns, MoveKind::Normal, None),
        };
        let from = if candidates.more_than_one() {
            only_legal(board, us, candidates, to, captured)?
        } else {
            let from = candidates.first().ok_or(MoveError::Illegal)?;
            legal_if(keeps_king_safe(board, us, from, to, captured), from)?
        };
        let arrival = Arrival {
            kind,
            from,
            to,
            promotion: self.promotion,
            captured,
        };
        Ok(PlayableMove {
            role: Role::Pawn,
            arrival,
        })
    }
}

/// Returns the square if a move from there is legal, otherwise an error.
#[inline(always)]
fn legal_if(is_legal: bool, from: Square) -> Result<Square, MoveError> {
    if is_legal { Ok(from) } else { Err(MoveError::Illegal) }
}

/// Returns the only candidate from which a move is legal. If two moves are legal, PGN names the file or rank. So all others must be pinned or
/// obstructed, which is rare.
#[cold]
fn only_legal(
    board: &Board,
    us: Color,
    candidates: Bitboard,
    to: Square,
    captured: Option<Square>,
) -> Result<Square, MoveError> {
    let is_legal = |from: &Square| leaves_king_safe(board, us, *from, to, captured);
    let mut legal = candidates.into_iter().filter(is_legal);
    match (legal.next(), legal.next()) {
        (Some(from), None) => Ok(from),
        (Some(_), Some(_)) => Err(MoveError::Ambiguous),
        (None, _) => Err(MoveError::Illegal),
    }
}

/// `ed`: finds the only legal capture of a pawn on one file on another.
fn pawn_takes(
    position: &Position,
    start: Option<&Start>,
    from: File,
    to: File,
    promotion: Option<Role>,
) -> Result<PlayableMove, MoveError> {
    let mut found = Err(MoveError::Illegal);
    if from == to {
        return found;
    }
    for to in Bitboard::from(to) {
        let step = Step {
            role: Role::Pawn,
            from: Origin {
                file: Some(from),
                rank: None,
            },
            to,
            promotion,
        };
        match (step.of_pawn(position, start), &found) {
            (Err(MoveError::Illegal), _) => {}
            (Ok(played), Err(_)) => found = Ok(played),
            _ => return Err(MoveError::Ambiguous),
        }
    }
    found
}

/// Returns the castling side if the king's step from `from` to `to` is castling.
fn castling_side(from: Square, to: Square) -> Option<CastlingSide> {
    match (from, to) {
        (Square::E1, Square::G1) | (Square::E8, Square::G8) => Some(CastlingSide::KingSide),
        (Square::E1, Square::C1) | (Square::E8, Square::C8) => Some(CastlingSide::QueenSide),
        _ => None,
    }
}

/// Returns whether a king that goes to `to` would capture a rook of its own, which is a way to write castling.
#[inline]
fn takes_own_rook(position: &Position, to: Square) -> bool {
    position.board.pieces(position.turn, Role::Rook).contains(to)
}

/// Resolves castling that is written as a king capturing its own rook.
fn castle_onto_rook(position: &Position, start: Option<&Start>, step: Step) -> Result<PlayableMove, MoveError> {
    let us = position.turn;
    let king = position.board.pieces(us, Role::King) & step.from.squares();
    let king = king
        .first()
        .filter(|_| step.promotion.is_none())
        .ok_or(MoveError::Illegal)?;
    let side = CastlingSide::from_king_side(king < step.to);
    castle(position, start, side)
        .ok()
        .filter(|_| castlers(start, us, side).rook == step.to)
        .ok_or(MoveError::Illegal)
}

/// Resolves castling, whether or not king or rook have moved before.
fn castle(position: &Position, start: Option<&Start>, side: CastlingSide) -> Result<PlayableMove, MoveError> {
    let board = &position.board;
    let us = position.turn;
    let pieces = castlers(start, us, side);
    let to = pieces.can_castle(board, us, side).ok_or(MoveError::Illegal)?;
    let arrival = Arrival {
        kind: MoveKind::Castle(side),
        from: pieces.king,
        to,
        promotion: None,
        captured: None,
    };
    Ok(PlayableMove {
        role: Role::King,
        arrival,
    })
}

/// Resolves a null move, which is allowed even in check.
fn pass(position: &Position) -> Result<PlayableMove, MoveError> {
    let king = position
        .board
        .pieces(position.turn, Role::King)
        .first()
        .ok_or(MoveError::Illegal)?;
    Ok(PlayableMove {
        role: Role::King,
        arrival: Arrival::null(king),
    })
}
