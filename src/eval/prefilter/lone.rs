//! Positions that stand alone: games with a single position each, of which sixteen are tested together.

use std::cell::OnceCell;

use crate::board::Board;
use crate::board::columns::{Boards, LANES, Lanes, Parts};
use crate::board::processor::for_this_processor;
use crate::eval::columns;
use crate::game::Game;
use crate::query::algebra::BoardCond;
use crate::query::prefilter::{Event, Prefilter};

/// The boards of the waiting games, made once for all queries. Each game has a lane, by its place.
#[derive(Debug, Default)]
pub struct Batch(OnceCell<Option<LoneBoards>>);

impl Batch {
    /// Returns the boards; `None` if a game has more than one position, or rules of its own.
    pub(crate) fn boards<'g>(&self, game: impl Fn(usize) -> Option<&'g Game>) -> Option<&LoneBoards> {
        self.0.get_or_init(|| LoneBoards::of(game)).as_ref()
    }
}

/// The boards of games with one position each, in columns.
#[derive(Debug)]
pub(crate) struct LoneBoards {
    boards: Boards,
    /// The lanes in which White is to move.
    white_to_move: Lanes,
}

impl LoneBoards {
    /// Returns `None` if a game has more than one position, or rules of its own.
    fn of<'g>(game: impl Fn(usize) -> Option<&'g Game>) -> Option<LoneBoards> {
        let mut list = [Board::default(); LANES];
        let mut white_to_move = 0;
        for (place, board) in list.iter_mut().enumerate() {
            let Some(game) = game(place) else {
                break;
            };
            if game.len() > 1 || game.has_own_rules() {
                return None;
            }
            let initial = game.initial_position();
            *board = initial.board;
            white_to_move |= Lanes::from(initial.turn.is_white()) << place;
        }
        let mut boards = Boards::default();
        for_this_processor!(boards.fill(&list, |board| board, Parts::ALL));
        Some(LoneBoards { boards, white_to_move })
    }

    /// Returns the `asked` games whose position may fulfil a prefilter. No move comes before or after it.
    pub(crate) fn fulfilling(&self, prefilter: &Prefilter, asked: Lanes) -> Lanes {
        match prefilter {
            _ if asked == 0 => 0,
            Prefilter::All(all) => all.iter().fold(asked, |asked, one| self.fulfilling(one, asked)),
            Prefilter::Either(choices) => choices
                .iter()
                .fold(0, |found, choice| found | self.fulfilling(choice, asked & !found)),
            Prefilter::ToMove(color) => asked & color.fold_wb(self.white_to_move, !self.white_to_move),
            Prefilter::Plies(1.., _) | Prefilter::Capture(_) | Prefilter::Moves(..) | Prefilter::Ahead(..) => 0,
            Prefilter::Elsewhere(prefilter) => self.fulfilling(prefilter, asked),
            Prefilter::Holds(test) => self.holding(&test.condition, asked),
            Prefilter::Event(Event::Check | Event::Mate) => asked & self.boards.in_check(self.white_to_move),
            Prefilter::Open
            | Prefilter::Initial
            | Prefilter::Terminal
            | Prefilter::Plies(..)
            | Prefilter::Gives { .. }
            | Prefilter::Event(_)
            | Prefilter::Often(..) => asked,
        }
    }

    /// Returns the `asked` games in whose position a condition holds.
    pub(crate) fn holding(&self, condition: &BoardCond, asked: Lanes) -> Lanes {
        if asked == 0 {
            return 0;
        }
        columns::holding(condition, &self.boards, self.white_to_move, asked)
    }
}
