//! Whole-game pruning of a batch: summaries of the waiting games, computed once for all queries.

use std::cell::OnceCell;

use crate::board::columns::{Boards, Column, LANES, Lanes, Parts};
use crate::board::processor::for_this_processor;
use crate::board::{Board, PieceCounts};
use crate::eval::columns;
use crate::eval::prefilter::bitset::Words;
use crate::game::Game;
use crate::query::algebra::BoardCond;
use crate::query::prefilter::{Event, Overview, Prefilter};

/// Data shared by the queries that are evaluated on the waiting games one after another.
#[derive(Debug, Default)]
pub struct Batch {
    pub(crate) summaries: Summaries,
    /// The positions that each query in turn selects, for the games in which it selects any. Room for all games for each query would not fit into the
    /// caches of a processor.
    pub(crate) waiting: Vec<Words>,
}

/// Summaries of the games. Each game has a lane, by its place.
#[derive(Debug, Default)]
pub(crate) struct Summaries {
    cheap_facts: OnceCell<CheapFacts>,
    /// The boards of the games, if each has a single position.
    lone: OnceCell<Option<LoneBoards>>,
}

/// Facts of each game that can be read without its boards.
#[derive(Debug, Default)]
struct CheapFacts {
    /// The games with rules of their own.
    have_own_rules: Lanes,
    /// The games that begin at the usual initial position.
    begin_usually: Lanes,
    plies: [u32; LANES],
    /// The least and the most pieces of each kind, if they are known.
    counts: [[PieceCounts; 2]; LANES],
    are_counted: Lanes,
}

impl CheapFacts {
    fn of<'g>(game: impl Fn(usize) -> Option<&'g Game>) -> CheapFacts {
        let mut cheap_facts = CheapFacts::default();
        let lanes = cheap_facts.plies.iter_mut().zip(&mut cheap_facts.counts).enumerate();
        for (place, (plies, counts)) in lanes {
            let Some(game) = game(place) else {
                continue;
            };
            cheap_facts.have_own_rules |= Lanes::from(game.has_own_rules()) << place;
            cheap_facts.begin_usually |= game.begin_usually() << place;
            *plies = game.most_plies();
            if let Some(known) = game.piece_counts() {
                *counts = known;
                cheap_facts.are_counted |= 1 << place;
            }
        }
        cheap_facts
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

/// The waiting games by their lanes, and their summaries.
pub(crate) struct WaitingGames<'t, F> {
    pub(crate) game: F,
    pub(crate) summaries: &'t Summaries,
}

impl<'g, F: Fn(usize) -> Option<&'g Game>> WaitingGames<'_, F> {
    /// Returns the games with rules of their own.
    pub(crate) fn have_own_rules(&self) -> Lanes {
        self.cheap_facts().have_own_rules
    }

    /// Returns the boards of the games in columns; `None` if a game has more than one position, or rules of its own.
    pub(crate) fn lone_boards(&self) -> Option<&LoneBoards> {
        let lone = self.summaries.lone.get_or_init(|| LoneBoards::of(&self.game));
        lone.as_ref()
    }

    fn cheap_facts(&self) -> &CheapFacts {
        self.summaries.cheap_facts.get_or_init(|| CheapFacts::of(&self.game))
    }
}

impl<'g, F: Fn(usize) -> Option<&'g Game>> Overview for WaitingGames<'_, F> {
    fn begin_usually(&self) -> Lanes {
        self.cheap_facts().begin_usually
    }

    fn have_plies(&self, plies: u32) -> Lanes {
        let cheap_facts = self.cheap_facts();
        Column::lanes_where(|lane| cheap_facts.plies[lane] >= plies)
    }

    fn may_count(&self, holds: impl Fn(PieceCounts, PieceCounts) -> bool) -> Lanes {
        let cheap_facts = self.cheap_facts();
        if cheap_facts.are_counted == 0 {
            return Lanes::MAX;
        }
        let holding = Column::lanes_where(|lane| {
            let [least, most] = cheap_facts.counts[lane];
            holds(least, most)
        });
        holding | !cheap_facts.are_counted
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::sample;
    use crate::query::prefilter::GameTest;
    use crate::query::{self, Options};
    use crate::syntax::Source;

    /// Games of masters, one from another initial position, one with a promotion, and one with its own rules.
    const GAMES: &str = concat!(
        include_str!("../../../tests/golden/pgn/classics.pgn"),
        "\n\n[FEN \"k7/6P1/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. g8=N Kb7 *\n\n",
        "[FEN \"k7/6P1/8/8/8/8/8/K6R w - - 0 1\"]\n\n1. Rh8 Kb7 2. g8=Q *\n\n",
        "[Variant \"Atomic\"]\n\n1. e4 e5 *\n"
    );

    #[test]
    fn games_that_wait_are_ruled_out_as_each_is_alone() {
        let games = sample::games_side_by_side(GAMES);
        let (mut allowed, mut ruled_out) = (0, 0);
        for waiting in games.chunks(LANES) {
            let games = WaitingGames {
                game: |place: usize| waiting.get(place),
                summaries: &Summaries::default(),
            };
            for filters in [
                "R==1 r==1",
                "[Aa] <= 6",
                "#[Aa] < 20 Q",
                "Q==2",
                "N P==0",
                "ply>60",
                "flipcolor {Q==0 r}",
                "flipcolor {P>6 or N==0} r",
                "[RBNrbn] <= 3",
                "Kg1 kc8",
                "mate",
                "true",
            ] {
                let source = Source::new("q.cql", format!("cql() {filters}"));
                let query = query::compile(&source, &Options::default()).unwrap();
                let test = GameTest::of(&query.game_prefilter);
                let lanes = test.allowed(&games, Lanes::MAX);
                for (place, game) in waiting.iter().enumerate() {
                    let is_allowed = test.allows(game);
                    assert_eq!(lanes >> place & 1 == 1, is_allowed, "{filters}, game {}", game.number);
                    allowed += u32::from(is_allowed);
                    ruled_out += u32::from(!is_allowed);
                }
            }
            for (place, game) in waiting.iter().enumerate() {
                let has_own_rules = games.have_own_rules() >> place & 1 == 1;
                assert_eq!(has_own_rules, game.has_own_rules(), "game {}", game.number);
            }
        }
        assert!(allowed > 50 && ruled_out > 50, "{allowed} and {ruled_out}");
        assert!(games.iter().any(Game::has_own_rules));
    }
}
