//! `likeboard("FEN")`: a given position, beyond CQL 6.2.
//!
//! `likeboard` compares the contents of a FEN: the pieces, the side to move, the rooks that may castle, and the square where a pawn may be
//! captured en passant. All of these are squares and colours, which transforms change.

use std::ops::Range;

use shakmaty::Bitboard;

use crate::board::Contents;
use crate::chess::{FenFault, Start, is_takeable_en_passant};
use crate::syntax::Diagnostic;
use crate::syntax::token::{Designator, Sign, Span};

use super::builder::{Builder, Built};
use super::text::placement;
use crate::query::ast::node::{Filter, node};
use crate::query::ast::{CondExpr, SetExpr};

impl Builder {
    /// Reads `likeboard("FEN")`. The word is read. Missing fields are not tested, and the counters never are.
    pub(super) fn like_board(&mut self, first: usize) -> Built {
        let place = self.cursor.token().span;
        let opened = self.cursor.take_sign(Sign::OpenParen).then_some(place);
        let literal = self.cursor.token().span;
        let fen = self.string_literal("with a FEN after `likeboard`")?;
        if let Some(opened) = opened {
            self.close(opened, "the FEN")?;
        }
        let within = |range: Range<usize>| {
            let start = literal.start as usize + "\"".len();
            Span::new(start + range.start, start + range.end)
        };
        let start = Start::from_fen(&fen).map_err(|error| {
            let wrong = Diagnostic::new(within(error.range), error.fault.to_string()).hint(error.fault.advice());
            match error.fault {
                FenFault::NoSide => wrong.hint("`fen` asks for the pieces alone, whoever is to move"),
                _ => wrong,
            }
        })?;
        let mut fields = fen.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
        let pieces = placement(fields.next().unwrap_or_default())
            .map_err(|(message, at)| Diagnostic::new(within(at..at + 1), message))?;
        let span = self.cursor.span_from(first);
        let mut whole = node(CondExpr::Placement(pieces), span);
        let mut and = |test| {
            let before = std::mem::replace(&mut whole, node(CondExpr::Constant(true), span));
            whole = node(CondExpr::And(before, node(test, span)), span);
        };
        let same = |asked, squares| CondExpr::SameSet(node(asked, span), node(squares_alone(squares), span));
        and(CondExpr::ToMove(start.turn));
        if fields.nth(1).is_some() {
            and(same(SetExpr::CastlingRooks, start.rights.0));
        }
        if fields.next().is_some() {
            let passed = start.en_passant;
            let takeable = passed.filter(|passed| is_takeable_en_passant(&start.board, start.turn, *passed));
            let takeable = takeable.map_or(Bitboard::EMPTY, Bitboard::from);
            and(same(SetExpr::TakeableEnPassant, takeable));
        }
        Ok(Filter::Condition(whole))
    }
}

/// Returns a set of squares, whatever is on them.
fn squares_alone(squares: Bitboard) -> SetExpr {
    if squares.is_empty() {
        return SetExpr::Constant(squares);
    }
    SetExpr::Designator(Designator::of(Contents::ANY, squares))
}
