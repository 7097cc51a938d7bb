//! Removes the positions that do not fulfil a prefilter, test by test.

use std::ops::Range;

use super::{BLOCKS, LOOK, Selected, Words, white_to_move};
use crate::board::columns::{Boards, LANES, Lanes};
use crate::board::stretches::{STRETCH, Stretches};
use crate::board::{Bitboard, Board, Color, Contents};
use crate::chess::{Arrival, MoveKind, Position, in_check};
use crate::eval::columns;
use crate::game::Game;
use crate::moves::CheckOrMate;
use crate::query::algebra::{BoardCond, Pieces};
use crate::query::prefilter::{BoardTest, Event, Prefilter};

/// Roughly the instructions for each lane that it takes to make the stretches of a block.
const MAKING: u32 = 15;

/// For the bits of eight stretches: the bits of their positions.
static SPREAD: [u64; 1 << 8] = {
    let mut spread = [0; 1 << 8];
    let mut stretches = 0;
    while stretches < spread.len() {
        let mut stretch = 0;
        while stretch < 8 {
            spread[stretches] |= ((stretches as u64 >> stretch & 1) * 0xff) << (STRETCH * stretch);
            stretch += 1;
        }
        stretches += 1;
    }
    spread
};

impl Selected {
    /// Deselects stretches of positions in which nothing holds. `work` is the cost of asking `perhaps`.
    pub(super) fn narrow_to_stretches(&mut self, work: u32, game: &Game, perhaps: impl Fn(&Stretches) -> Lanes) {
        const IN_WORD: usize = u64::BITS as usize / STRETCH;
        const WORDS: usize = LANES / IN_WORD;
        // The first question pays for making them.
        if !game.has_stretches() {
            self.taken += u64::from(MAKING) * game.columns().len() as u64;
        }
        let (words, _) = self.words.as_chunks_mut::<WORDS>();
        for (words, stretches) in words.iter_mut().zip(game.stretches()) {
            if *words == [0; WORDS] {
                continue;
            }
            self.taken += u64::from(work + LOOK);
            let perhaps = perhaps(stretches);
            for (index, word) in words.iter_mut().enumerate() {
                *word &= SPREAD[usize::from(perhaps >> (index * IN_WORD) & 0xff)];
            }
        }
    }

    /// Deselects successive positions.
    fn take_out_all(&mut self, ids: Range<usize>) {
        let words = self.words.iter_mut().enumerate();
        for (index, word) in words.take(ids.end.div_ceil(64)).skip(ids.start / 64) {
            let before = |id: usize| match id.saturating_sub(index * 64) {
                bits @ ..64 => (1 << bits) - 1,
                _ => u64::MAX,
            };
            *word &= before(ids.start) | !before(ids.end);
        }
    }

    /// Deselects the positions that do not fulfil a prefilter.
    pub(super) fn narrow(&mut self, prefilter: &Prefilter, game: &Game) {
        match prefilter {
            Prefilter::Open => {}
            Prefilter::Elsewhere(prefilter) => self.narrow_elsewhere(prefilter, game),
            Prefilter::All(prefilters) => {
                for prefilter in prefilters {
                    self.narrow(prefilter, game);
                    if self.is_empty() {
                        return;
                    }
                }
            }
            Prefilter::Either(choices) => self.narrow_to_one_of(choices, game),
            Prefilter::ToMove(color) => self.narrow_to_turn(*color, game),
            Prefilter::Initial => self.keep(game, |at| at.id == 0),
            Prefilter::Terminal => self.keep(game, |at| at.last == at.id),
            Prefilter::Plies(least, most) => self.narrow_to_plies(*least, *most, game),
            Prefilter::Holds(held) => self.narrow_to_boards(held, game),
            Prefilter::Often(held, least) => self.narrow_to_games(&held.condition, *least, game),
            Prefilter::Capture(pieces) => self.narrow_to_captures(*pieces, game),
            Prefilter::Moves(contents, least) => self.narrow_to_moves(*contents, *least, game),
            Prefilter::Ahead(moves, prefilter) => self.narrow_ahead(*moves, prefilter, game),
            Prefilter::Gives { given, after_pass } => {
                self.narrow_to_checks(*given, *after_pass, prefilter.cost(), game)
            }
            Prefilter::Event(event) => self.narrow_to_event(*event, game),
        }
    }

    fn narrow_to_turn(&mut self, color: Color, game: &Game) {
        if !game.is_line() {
            return self.keep(game, |at| at.turn == color);
        }
        const EVEN: u64 = 0x5555_5555_5555_5555;
        let turns = if color == game.first_to_move() { EVEN } else { !EVEN };
        self.words.iter_mut().for_each(|word| *word &= turns);
    }

    fn narrow_to_plies(&mut self, least: u32, most: u32, game: &Game) {
        if !game.is_line() {
            return self.keep(game, |at| (least..=most).contains(&at.ply.into()));
        }
        self.take_out_all(0..least as usize);
        self.take_out_all((most as usize).saturating_add(1)..game.len());
    }

    fn narrow_to_one_of(&mut self, choices: &[Prefilter], game: &Game) {
        let selected = self.words.clone();
        let mut found = Words::from_elem(0, selected.len());
        for choice in choices {
            for ((word, selected), found) in self.words.iter_mut().zip(&selected).zip(&found) {
                *word = selected & !found;
            }
            self.narrow(choice, game);
            for (found, word) in found.iter_mut().zip(&self.words) {
                *found |= word;
            }
        }
        self.words = found;
    }

    /// Deselects the positions where no piece of `contents` moves next, or too few of their moves are left. In a game with
    /// variations, keeps all positions.
    fn narrow_to_moves(&mut self, contents: Contents, least: u32, game: &Game) {
        if game.positions.last().is_none_or(|last| last.depth > 0) {
            return;
        }
        // The kind of piece is looked up only once.
        let kind = contents.only_kind();
        let moved = |board: &Board| kind.map_or_else(|| contents.on(board), |(color, role)| board.pieces(color, role));
        let is_move = |[before, after]: &[Position; 2]| {
            let arrival = &after.arrival;
            let is_usual = matches!(arrival.kind, MoveKind::Normal | MoveKind::EnPassant);
            !is_usual || moved(&before.board).contains(arrival.from)
        };
        // The last of these moves are followed by too few others.
        let mut last = least.saturating_sub(1);
        for (index, word) in self.words.iter_mut().enumerate().rev() {
            if game.watch.is_over_at(index + 1) {
                return;
            }
            let first = index * 64;
            let positions = game.positions.get(first..game.positions.len().min(first + 65));
            let mut moves: u64 = 0;
            for (bit, pair) in positions.unwrap_or_default().array_windows().enumerate() {
                moves |= u64::from(is_move(pair)) << bit;
            }
            while last > 0 && moves != 0 {
                moves &= u64::MAX >> 1 >> moves.leading_zeros();
                last -= 1;
            }
            *word &= moves;
        }
    }

    /// Deselects the positions from which no move captures. With `pieces`, only captures by one of them count.
    fn narrow_to_captures(&mut self, pieces: Option<Pieces>, game: &Game) {
        if !game.is_line() {
            return self.keep(game, |at| is_capture_played(pieces, game, at));
        }
        for (index, word) in self.words.iter_mut().enumerate() {
            // If only the columns of a game were made, keep all positions.
            let Some(here) = game.positions.get(index * 64..).filter(|here| !here.is_empty()) else {
                return;
            };
            if game.watch.is_over_at(index + 1) {
                return;
            }
            let pairs = here.iter().zip(here.get(1..).unwrap_or_default());
            let captures = pairs.take(64).zip(0..).fold(0, |captures, ((at, next), bit)| {
                let is_capture = next.arrival.captured.is_some() && movers(pieces, at).contains(next.arrival.from);
                captures | u64::from(is_capture) << bit
            });
            *word &= captures;
        }
    }

    /// Deselects the positions not followed by one that fulfils a prefilter. In a game with variations, several positions may follow, so
    /// all are kept.
    fn narrow_ahead(&mut self, moves: usize, prefilter: &Prefilter, game: &Game) {
        debug_assert!((1..64).contains(&moves));
        if !game.is_line() {
            return;
        }
        let mut later = Selected::default();
        later.fill(game.len());
        let mut carried = 0;
        for (later, word) in later.words.iter_mut().zip(&self.words) {
            *later &= word << moves | carried;
            carried = word >> (64 - moves);
        }
        later.narrow(prefilter, game);
        let mut carried = 0;
        for (word, later) in self.words.iter_mut().zip(&later.words).rev() {
            *word &= later >> moves | carried;
            carried = later << (64 - moves);
        }
    }

    /// Deselects all positions unless a position of the game, selected or not, fulfils a prefilter.
    fn narrow_elsewhere(&mut self, prefilter: &Prefilter, game: &Game) {
        let mut fulfilling = Selected::default();
        fulfilling.fill(game.len());
        fulfilling.narrow(prefilter, game);
        if fulfilling.is_empty() {
            self.words.fill(0);
        }
    }

    /// Deselects all positions of a game in which a condition is known not to hold often enough.
    fn narrow_to_games(&mut self, condition: &BoardCond, least: u32, game: &Game) {
        if !game.has_all_columns() {
            return;
        }
        let mut all = Selected::default();
        all.fill(game.len());
        let mut found = 0;
        for (boards, block) in game.columns().iter().zip(0..) {
            if game.watch.is_over_at(block + 1) {
                return;
            }
            let asked = all.lanes(block);
            found += columns::holding(condition, boards, white_to_move(game, block), asked).count_ones();
            if found >= least {
                return;
            }
        }
        self.words.fill(0);
    }

    /// Deselects the positions without the event. For mates, only tests for a check after which nothing is played; for
    /// stalemates, only for the end of a line.
    fn narrow_to_event(&mut self, event: Event, game: &Game) {
        match event {
            Event::Check => self.keep(game, |at| in_check(&at.board, at.turn)),
            Event::Mate => {
                self.narrow_to_ends(game);
                self.keep(game, |at| in_check(&at.board, at.turn));
            }
            Event::Stalemate => self.keep(game, |at| at.last == at.id),
            Event::Castling(side) => self.keep_arrivals(game, |arrival| arrival.kind == MoveKind::Castle(side)),
            Event::EnPassant => self.keep_arrivals(game, |arrival| arrival.kind == MoveKind::EnPassant),
            Event::NullMove => self.keep_arrivals(game, |arrival| arrival.kind == MoveKind::Null),
            Event::Promotion(role) => self.keep_arrivals(game, |arrival| arrival.promotion == Some(role)),
            Event::Evaluation | Event::Clock | Event::Symbol if game.commands.is_empty() => self.words.fill(0),
            Event::Evaluation => self.keep(game, |at| game.commands.values(at.id).evaluation.is_some()),
            Event::Clock => self.keep(game, |at| {
                let values = game.commands.values(at.id);
                values.clock.is_some() || values.spent.is_some()
            }),
            // Symbols are few. The body looks them up one by one.
            Event::Symbol => {}
        }
    }

    /// Deselects the positions followed by a move. A null move, which is allowed anywhere, does not count.
    fn narrow_to_ends(&mut self, game: &Game) {
        if !game.is_line() {
            return self.keep(game, |at| is_left_by_no_move(game, at));
        }
        let last = game.len().saturating_sub(1);
        let is_selected = self
            .words
            .get(last / 64)
            .is_some_and(|word| word >> (last % 64) & 1 == 1);
        self.narrow_ahead(1, &Prefilter::Event(Event::NullMove), game);
        if let Some(word) = self.words.get_mut(last / 64) {
            *word |= u64::from(is_selected) << (last % 64);
        }
    }

    /// Deselects the positions to which no such move has led. Testing all positions costs less than finding the selected ones.
    #[inline]
    fn keep_arrivals(&mut self, game: &Game, test: impl Fn(&Arrival) -> bool) {
        for (index, (word, positions)) in self.words.iter_mut().zip(game.positions.chunks(64)).enumerate() {
            if game.watch.is_over_at(index + 1) {
                return;
            }
            let bits = positions.iter().rev();
            *word &= bits.fold(0, |bits, at| bits << 1 | u64::from(test(&at.arrival)));
        }
    }

    #[inline]
    fn keep(&mut self, game: &Game, test: impl Fn(&Position) -> bool) {
        for (index, (word, positions)) in self.words.iter_mut().zip(game.positions.chunks(64)).enumerate() {
            if game.watch.is_over_at(index + 1) {
                return;
            }
            let mut left = *word;
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                let passes = positions.get(bit as usize).is_some_and(&test);
                *word &= !(u64::from(!passes) << bit);
            }
        }
    }

    /// Deselects the positions in which the side to move, or the other side after a null move, cannot give check or mate with its next move.
    fn narrow_to_checks(&mut self, given: CheckOrMate, after_pass: bool, cost: u32, game: &Game) {
        self.leave_of_blocks(game, |boards, block, left, taken| {
            *taken += u64::from(cost + LOOK);
            let white_to_move = white_to_move(game, block) ^ if after_pass { Lanes::MAX } else { 0 };
            let may = match given {
                CheckOrMate::Check => boards.may_check(white_to_move),
                CheckOrMate::Mate => boards.may_mate(white_to_move),
            };
            // At the beginning of a game, its FEN may allow a pawn to capture en passant, whatever is on the board.
            left & (may | Lanes::from(block == 0))
        });
    }

    /// Tests all positions of a block at once. Stretches of positions may be tested first.
    fn narrow_to_boards(&mut self, test: &BoardTest, game: &Game) {
        if let Some((cover, work)) = test.cover.as_ref().filter(|_| self.asks_stretches) {
            self.narrow_to_stretches(*work, game, |stretches| columns::perhaps(cover, stretches));
        }
        let (is_line, usual) = (game.is_line(), white_to_move(game, 0));
        self.leave_of_blocks(game, |boards, block, left, taken| {
            *taken += u64::from(test.work + LOOK);
            let turns = if is_line { usual } else { white_to_move(game, block) };
            columns::holding(&test.condition, boards, turns, left)
        });
    }

    /// Keeps those positions of each block that `ask` returns. `ask` also adds its cost.
    #[inline(always)]
    fn leave_of_blocks(&mut self, game: &Game, mut ask: impl FnMut(&Boards, usize, Lanes, &mut u64) -> Lanes) {
        let blocks = game.columns().chunks(BLOCKS);
        for (index, (word, blocks)) in self.words.iter_mut().zip(blocks).enumerate() {
            if game.watch.is_over_at(index + 1) {
                return;
            }
            if *word == 0 {
                continue;
            }
            for (place, boards) in blocks.iter().enumerate() {
                let left = (*word >> (place * LANES)) as Lanes;
                if left == 0 {
                    continue;
                }
                let failing = left & !ask(boards, index * BLOCKS + place, left, &mut self.taken);
                *word &= !(u64::from(failing) << (place * LANES));
            }
        }
    }
}

/// Returns whether a position is followed by nothing, or only by a null move, which is allowed anywhere.
fn is_left_by_no_move(game: &Game, at: &Position) -> bool {
    let next = game.first_child(at);
    next.is_none_or(|child| child.arrival.kind == MoveKind::Null)
}

/// Returns those of `pieces` that are on the board; all squares if no pieces are given.
fn movers(pieces: Option<Pieces>, at: &Position) -> Bitboard {
    pieces.map_or(Bitboard::FULL, |pieces| pieces.contents.on(&at.board) & pieces.squares)
}

/// Returns whether a move from a position captures. With `pieces`, only captures by one of them count.
fn is_capture_played(pieces: Option<Pieces>, game: &Game, at: &Position) -> bool {
    let mut next = game.first_child(at);
    while let Some(child) = next {
        if child.arrival.captured.is_some() && movers(pieces, at).contains(child.arrival.from) {
            return true;
        }
        next = game.next_sibling(child);
    }
    false
}
