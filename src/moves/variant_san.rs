//! Moves in SAN in variants with their own rules, whose legal moves shakmaty generates.

use shakmaty::san::{San, SanPlus};
use shakmaty::variant::VariantPosition;
use shakmaty::{EnPassantMode, Move, Position as _, Role, Square};

use super::resolve::{MoveError, MoveText};
use crate::chess::{Arrival, arrival_of};

/// Returns the position after a move of PGN, and how it was reached.
///
/// # Errors
/// Returns an error if no piece, or more than one, can make the move.
pub(crate) fn play_variant_move(
    before: &VariantPosition,
    text: MoveText,
) -> Result<(VariantPosition, Arrival), MoveError> {
    if text == MoveText::San(San::Null) {
        return pass(before);
    }
    let mut found = None;
    for played in before.legal_moves() {
        if fits(text, played) && found.replace(played).is_some() {
            return Err(MoveError::Ambiguous);
        }
    }
    let played = found.ok_or(MoveError::Illegal)?;
    let mut after = before.clone();
    after.play_unchecked(played);
    Ok((after, arrival_of(played)))
}

/// Returns the position after a null move, which counts as a half move.
#[expect(clippy::result_large_err, reason = "the errors are those of shakmaty, and rare")]
fn pass(before: &VariantPosition) -> Result<(VariantPosition, Arrival), MoveError> {
    let mut setup = before.to_setup(EnPassantMode::Always);
    setup.halfmoves = setup.halfmoves.saturating_add(1);
    if setup.turn.is_black() {
        setup.fullmoves = setup.fullmoves.saturating_add(1);
    }
    setup.swap_turn();
    let after = VariantPosition::from_setup(before.variant(), setup, before.castles().mode())
        .or_else(|error| error.ignore_too_much_material())
        .or_else(|error| error.ignore_impossible_check())
        .map_err(|_| MoveError::Illegal)?;
    let piece = before.our(Role::King).first().or(before.us().first());
    let square = piece.ok_or(MoveError::Illegal)?;
    Ok((after, Arrival::null(square)))
}

/// Returns whether a text means this legal move.
fn fits(text: MoveText, played: Move) -> bool {
    match (text, played) {
        (MoveText::San(San::Castle(side)), _) => played.castling_side() == Some(side),
        (MoveText::San(San::Put { role, to }), Move::Put { role: put, to: at }) => (role, to) == (put, at),
        (
            MoveText::San(San::Normal {
                role, file, rank, to, ..
            }),
            Move::Castle { king, rook },
        ) => {
            let kings_way = played
                .castling_side()
                .map(|side| Square::from_coords(side.king_to_file(), king.rank()));
            let from_here = file.is_none_or(|file| file == king.file()) && rank.is_none_or(|rank| rank == king.rank());
            let by_coordinates = role == Role::Pawn && file.is_some() && rank.is_some();
            from_here
                && ((to == rook && (role == Role::King || by_coordinates))
                    || (by_coordinates && Some(to) == kings_way && to.distance(king) > 1))
        }
        (
            MoveText::San(San::Normal {
                role,
                file,
                rank,
                to,
                promotion,
                ..
            }),
            Move::Normal { from, .. } | Move::EnPassant { from, .. },
        ) => {
            let from_there = match (role, file, rank) {
                (Role::Pawn, Some(file), Some(rank)) => from == Square::from_coords(file, rank),
                (Role::Pawn, None, _) => played.role() == Role::Pawn && from.file() == to.file(),
                _ => {
                    played.role() == role
                        && file.is_none_or(|file| file == from.file())
                        && rank.is_none_or(|rank| rank == from.rank())
                }
            };
            from_there && played.to() == to && played.promotion() == promotion
        }
        (
            MoveText::PawnTakes { from, to, promotion },
            Move::Normal { from: origin, .. } | Move::EnPassant { from: origin, .. },
        ) => {
            played.role() == Role::Pawn
                && (origin.file(), played.to().file()) == (from, to)
                && from != to
                && played.promotion() == promotion
        }
        _ => false,
    }
}

/// Appends the move that led from a position to another one.
pub(crate) fn write_variant_san(
    out: &mut Vec<u8>,
    before: &VariantPosition,
    reached: &Arrival,
    after: &VariantPosition,
) {
    let is_it = |played: &Move| {
        arrival_of(*played) == *reached
            && match played {
                Move::Put { role, to } => after.board().role_at(*to) == Some(*role),
                _ => true,
            }
    };
    let text = match before.legal_moves().into_iter().find(is_it) {
        Some(played) => SanPlus::from_move(before.clone(), played).to_string(),
        None => "--".to_owned(),
    };
    if text.starts_with('@') {
        out.push(b'P');
    }
    out.extend_from_slice(text.as_bytes());
}
