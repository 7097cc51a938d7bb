//! Numbers from endgame tablebases.

use shakmaty::{Color, Rank, Role};

use crate::board::Bitboard;
use crate::chess::{Position, en_passant_square};
use crate::syntax::token::Span;
use crate::tablebase::{Endgame, Metric};

use crate::eval::context::Context;

/// Returns whether either side may castle, now or later: a rook with the right is on its square, and its king is on the same rank.
fn may_castle(context: &Context<'_>, at: &Position) -> bool {
    let board = &at.board;
    let rooks = context.rights(at).0 & board.roles.rook;
    Color::ALL.into_iter().any(|color| {
        let kings = board.pieces(color, Role::King);
        let home = Bitboard::from(color.fold_wb(Rank::First, Rank::Eighth));
        (kings & home).any() && (rooks & home & *board.colors.get(color)).any()
    })
}

/// Returns a number of the position in the tables, for the side to move. `None` if the tables do not cover the position: too many men,
/// castling rights, or a variant. The halfmove clock is ignored.
pub(crate) fn number(
    metric: Metric,
    most_men: u32,
    span: Span,
    context: &mut Context<'_>,
    at: &Position,
) -> Option<i32> {
    if at.board.occupied().count() > most_men as usize {
        return None;
    }
    let game = context.game;
    let may_castle = || (at.board.roles.rook & Bitboard::BACKRANKS).any() && may_castle(context, at);
    if game.has_own_rules() || may_castle() {
        return None;
    }
    let endgame = Endgame {
        board: at.board,
        turn: at.turn,
        passed: en_passant_square(at, game.en_passant_at_start()),
    };
    // A search does not begin without tables.
    let tables = context.query.tablebase.as_deref()?;
    match context.endgames.probe(tables, metric, &endgame) {
        Ok(number) => number,
        Err(unreadable) => {
            context.stop(span, unreadable.to_string(), "needed here", at);
            None
        }
    }
}
