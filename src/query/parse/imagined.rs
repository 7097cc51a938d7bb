//! Moves that are tried and positions that are imagined, beyond CQL 6.2.
//!
//! Filters evaluated at an imagined position must not look at the game around it; [`reason`] says which filters do.

use crate::syntax::Diagnostic;
use crate::syntax::token::{Sign, Span};

use super::builder::{Builder, Built, Wrapper};
use super::move_filters::MoveParameters;
use super::operators::Level;
use crate::board::Bitboard;
use crate::query::ast::facts::{Effects, Facts, Reads, first_part};
use crate::query::ast::moves::{Dash, Imagined, Lookahead, MoveSquares, Promotion};
use crate::query::ast::node::{Filter, Flow, Set, node};
use crate::query::ast::visit::Children;
use crate::query::ast::{CondExpr, NumExpr, SetExpr, StrExpr};

impl Lookahead {
    /// Makes a lookahead of the moves of a dash, without a target.
    pub(super) fn dash(pseudo: bool, dash: Dash, span: Span) -> Lookahead {
        let (to, captured) = match (dash.capture, dash.right) {
            (false, right) => (right, None),
            (true, None) => (None, Some(node(SetExpr::Constant(Bitboard::FULL), span))),
            (true, right) => (None, right),
        };
        Lookahead {
            pseudo,
            from: dash.left,
            to,
            captured,
            promotion: dash.promotion,
            special: None,
            target: None,
            value: MoveSquares::To,
            effects: Effects::empty(),
            enough: None,
            is_context_free: false,
            required: None,
        }
    }
}

impl Builder {
    /// Makes a filter that tries moves and evaluates `target` after each of them.
    pub(super) fn tried(&self, moves: Lookahead, target: Option<Filter>, span: Span) -> Built {
        let mut moves = moves;
        let Some(target) = target else {
            return Ok(Filter::new(SetExpr::Lookahead(Box::new(moves)), span));
        };
        moves.effects = self.effects(target.facts(), Effects::STOP | Effects::UNBOUND);
        self.refuse_what_needs_the_game(&target, "after a move that is only tried")?;
        Ok(match target {
            Filter::Number(number) if !is_comparison(&number.kind) => {
                Filter::Number(number).with_flow(span, Wrapper::Lookahead(Box::new(moves)))
            }
            Filter::String(string) if !matches!(string.kind, StrExpr::Compare(..)) => {
                Filter::String(string).with_flow(span, Wrapper::Lookahead(Box::new(moves)))
            }
            target => {
                moves.target = Some(self.condition(target)?);
                Filter::new(SetExpr::Lookahead(Box::new(moves)), span)
            }
        })
    }

    /// Returns the moves of a filter whose value is that of the first move that has one, or else the filter itself.
    pub(super) fn as_tried(&self, filter: Filter) -> Built<Result<Box<Lookahead>, Filter>> {
        let (moves, target) = match filter {
            Filter::Number(number) => match number.kind {
                NumExpr::Flow(Flow::Lookahead(moves, target)) => (moves, Filter::Number(target)),
                kind => return Ok(Err(Filter::new(kind, number.span))),
            },
            Filter::String(string) => match string.kind {
                StrExpr::Flow(Flow::Lookahead(moves, target)) => (moves, Filter::String(target)),
                kind => return Ok(Err(Filter::new(kind, string.span))),
            },
            other => return Ok(Err(other)),
        };
        let mut moves = moves;
        moves.target = Some(self.condition(target)?);
        Ok(Ok(moves))
    }

    /// Reads `move legal from L … : T`. The parameters are read, and the colon is next.
    pub(super) fn move_tried(&mut self, parameters: MoveParameters, words: Span, first: usize) -> Built {
        parameters.check(words, true)?;
        self.cursor.next();
        let all = self.cursor.take_word("all") || parameters.all;
        let count = self.cursor.take_word("count") || parameters.count;
        let target = self.away_from_line(|builder| builder.operand(Level::Imbue, "what holds after the move"))?;
        let span = self.cursor.span_from(first);
        if all && count {
            return Err(Diagnostic::new(words, "`all` excludes `count`").label("parameters of this `move`"));
        }
        self.refuse_what_needs_the_game(&target, "after a move that is only tried")?;
        let mut parts = parameters.parts;
        parts.complete_kinds();
        if let [_, _, ..] = parts.special[..] {
            return Err(Diagnostic::new(words, "no move is of two kinds").label("castling takes nothing in passing"));
        }
        let captured = match (parts.capture, parts.en_passant_square) {
            (Some(capture), Some(passed)) => Some(node(SetExpr::Intersection(capture, passed), words)),
            (capture, passed) => capture.or(passed),
        };
        let target = self.condition(target)?;
        let moves = Box::new(Lookahead {
            pseudo: parameters.pseudolegal,
            from: parts.from,
            to: parts.to,
            captured,
            promotion: parts.promote.map(Promotion::To),
            special: parts.special.first().copied(),
            effects: self.effects(&target.facts, Effects::STOP | Effects::UNBOUND),
            target: Some(target),
            value: parts.value.unwrap_or(MoveSquares::To),
            enough: None,
            is_context_free: false,
            required: None,
        });
        Ok(if all {
            Filter::new(CondExpr::AllLookahead(moves), span)
        } else if count {
            Filter::new(NumExpr::CountLookahead(moves), span)
        } else {
            Filter::new(SetExpr::Lookahead(moves), span)
        })
    }

    /// Reads `pass(F)`. The word is read.
    pub(super) fn null_move_tried(&mut self, first: usize) -> Built {
        let opened = self.open("pass")?;
        self.imagined(Imagined::Pass, opened, "after a null move that is only tried", first)
    }

    /// Reads `without(S F)`. The word is read.
    pub(super) fn without(&mut self, first: usize) -> Built {
        let opened = self.open("without")?;
        let pieces = self.set_argument_of("without")?;
        // People write a comma here, and it cannot mean anything else.
        self.cursor.take_sign(Sign::Comma);
        self.imagined(
            Imagined::Without(pieces),
            opened,
            "on a board that is only imagined",
            first,
        )
    }

    fn set_argument_of(&mut self, word: &str) -> Built<Set> {
        let filter = self.away_from_line(|builder| builder.filter_expected(&format!("as the set of `{word}`")))?;
        self.typed(filter, &format!("as the first argument of `{word}`"))
    }

    /// Reads the filters for an imagined position, up to the closing parenthesis.
    fn imagined(&mut self, imagined: Imagined, opened: Span, place: &str, first: usize) -> Built {
        let filters = self.away_from_line(|builder| builder.filters("for the imagined position"))?;
        self.close(opened, "what holds in the imagined position")?;
        let span = self.cursor.span_from(first);
        let value = self.block(filters, span)?;
        self.refuse_what_needs_the_game(&value, place)?;
        Ok(value.with_flow(span, Wrapper::Imagined(imagined)))
    }

    /// Returns an error for a filter that needs its place in the game, which an imagined position does not have.
    fn refuse_what_needs_the_game(&self, asked: &Filter, place: &str) -> Built<()> {
        if let Filter::Position(position) = asked {
            return Err(
                Diagnostic::new(position.span, format!("a position has no value {place}"))
                    .label("it is not a position of the game"),
            );
        }
        let mut found = None;
        asked.children(&mut |child| found = first_part(child, &reason));
        match found {
            None => Ok(()),
            Some((span, reason)) => Err(Diagnostic::new(span, format!("this cannot be asked {place}")).label(reason)),
        }
    }
}

const NO_TRACE: &str = "what is only imagined leaves no trace but in variables";

/// Returns the reason why a filter with these facts cannot be evaluated at an imagined position.
fn reason(facts: &Facts) -> Option<&'static str> {
    let reads = |of: Reads| facts.reads.intersects(of);
    if reads(Reads::IDENTITIES) {
        Some("piece variables follow the pieces of the game, not of a position that is imagined")
    } else if reads(Reads::DICTIONARIES | Reads::FILES) {
        Some("dictionaries and files are out of reach there")
    } else if facts.effects.contains(Effects::OTHER) {
        Some(NO_TRACE)
    } else if reads(Reads::MOVES | Reads::STEP | Reads::PATH) {
        Some("no moves were played from it")
    } else if reads(Reads::PLACE | Reads::TREE | Reads::PAIRS) {
        Some("the position has no place in the game")
    } else if facts.effects.contains(Effects::COMMENT) {
        Some(NO_TRACE)
    } else {
        None
    }
}

/// Returns whether a number is a comparison or a chain of comparisons, which counts as a condition.
fn is_comparison(number: &NumExpr) -> bool {
    match number {
        NumExpr::Compare(..) => true,
        NumExpr::Flow(Flow::Group(value) | Flow::Block { value, .. } | Flow::Fixed(value)) => {
            is_comparison(&value.kind)
        }
        _ => false,
    }
}
