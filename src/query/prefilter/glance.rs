//! Keeps the part of a prefilter that is worth testing before the body is evaluated.

use super::condition::{Event, MOST_CHOICES, Prefilter, all, either};
use crate::board::{Bitboard, Contents};
use crate::query::algebra::{BoardCond, Pieces};

impl Prefilter {
    /// Keeps the part that is worth testing before the body is evaluated: tests that are cheap and often fail.
    pub(crate) fn at_a_glance(self) -> Prefilter {
        match self {
            Prefilter::All(prefilters) => {
                let mut prefilters: Vec<Prefilter> = prefilters.into_iter().map(Prefilter::at_a_glance).collect();
                prefilters.sort_by_key(Prefilter::cost);
                prefilters.dedup();
                let asked = prefilters.clone();
                prefilters.retain(|prefilter| !asked.iter().any(|other| other.implies(prefilter)));
                all(prefilters)
            }
            Prefilter::Either(prefilters) => {
                let mut choices = Vec::new();
                // Many copies of a transform test the same.
                for choice in prefilters.into_iter().map(Prefilter::at_a_glance) {
                    if !choices.contains(&choice) {
                        choices.push(choice);
                    }
                    if choices.len() > MOST_CHOICES {
                        return Prefilter::Open;
                    }
                }
                either(choices)
            }
            Prefilter::Ahead(moves, prefilter) => match prefilter.at_a_glance() {
                Prefilter::Open => Prefilter::Open,
                prefilter => Prefilter::Ahead(moves, Box::new(prefilter)),
            },
            Prefilter::Elsewhere(prefilter) if prefilter.is_rare_move() => Prefilter::Elsewhere(prefilter),
            Prefilter::Elsewhere(_) => Prefilter::Open,
            other => match other.counted() {
                Some((pieces, least, u32::MAX)) if pieces.are_many(least) => Prefilter::Open,
                _ => other,
            },
        }
    }

    /// Returns whether it implies another test: pieces in line with others are on the board, and pieces on certain squares are also on any
    /// larger set of squares.
    fn implies(&self, other: &Prefilter) -> bool {
        let Some((pieces, least, u32::MAX)) = other.counted() else {
            return false;
        };
        match self {
            Prefilter::Moves(contents, _) => least == 1 && Pieces::from(*contents).are_among(pieces),
            Prefilter::Holds(held) => match &held.condition {
                BoardCond::InLine(from, to, _) => least == 1 && (from.are_among(pieces) || to.are_among(pieces)),
                condition => condition
                    .counted()
                    .is_some_and(|(some, more, _)| some.are_among(pieces) && more >= least && self != other),
            },
            _ => false,
        }
    }

    /// Returns whether it requires a kind of move that few games have.
    fn is_rare_move(&self) -> bool {
        match self {
            Prefilter::Event(event) => matches!(event, Event::EnPassant | Event::NullMove | Event::Promotion(_)),
            _ => false,
        }
    }
}

impl Pieces {
    /// Returns whether most boards have at least this many of them: kings, rooks, pawns, or several kinds of pieces.
    fn are_many(self, least: u32) -> bool {
        let several_kinds = self.contents.0.count_ones() > 1;
        let seldom_there = Contents::QUEENS | Contents::BISHOPS | Contents::KNIGHTS;
        self.squares == Bitboard::FULL && (several_kinds || least <= 1 && !self.contents.intersects(seldom_there))
    }
}
