//! The look at the positions of a game that comes before the body is tried: which of them fulfil the prefilter.
//!
//! One question after the other is asked of all positions that are left, so that what a question is about is found out once
//! for a game, and the same few instructions go over the positions.

mod columns;
mod courses;
mod gathered;

use std::mem;
use std::ops::{Range, RangeInclusive};

use smallvec::SmallVec;

use crate::board::columns::{Boards, Column, LANES, Lanes};
use crate::board::stretches::{STRETCH, Stretches};
use crate::board::{Bitboard, Board, Color, Contents};
use crate::game::{Arrival, Game, MoveKind, Position, in_check};
use crate::query::columns::{CondColumn, Verdict};
use crate::query::prefilter::{Event, Pieces, Prefilter};
use courses::{Course, Courses};
use gathered::{Gathered, Place};

/// About how many instructions it takes for each lane to come to a block, or to gather one.
const LOOK: u32 = 4;

/// About how many it takes to make stretches of a block.
const MAKING: u32 = 15;

/// About how many it takes to find the pawn structures of a block.
const FINDING: u32 = 15;

/// How many blocks the bits of a word are for.
const BLOCKS: usize = u64::BITS as usize / LANES;

/// Of so few lanes of half a block the boards are gathered one by one.
const FEW_LANES: u32 = 3;

/// About how many instructions it takes to try a body at a position.
const BODY: u32 = 300;

/// By bits of eight stretches: the bits of their positions.
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

/// A bit for each position of a game, by their ids.
type Words = SmallVec<[u64; 4]>;

/// Some of the positions of a game.
#[derive(Debug, Default)]
pub(crate) struct Selected {
    words: Words,
    /// The place of the game that is being asked, if it is one of those that wait.
    asked: Option<usize>,
    /// What is selected of games that wait, by their places.
    waiting: Vec<Words>,
    /// Where boards of several blocks are gathered: halves of blocks, and single positions.
    halves: Gathered,
    single: Gathered,
    courses: Courses,
    /// What the game has taken so far: about how many instructions for each lane.
    taken: u64,
    /// Stretches are asked what is asked of positions.
    asks_stretches: bool,
}

impl Selected {
    /// Nothing yet. A verdict, if one will be asked, says which courses there are.
    pub(crate) fn by(verdict: Option<&Verdict>) -> Selected {
        let has_cover = verdict.is_some_and(|verdict| verdict.cover.is_some());
        let courses: &[Course] = match verdict.is_some_and(|verdict| verdict.pawns.is_some()) {
            true if has_cover => &[Course::Cover, Course::Structures, Course::Both],
            true => &[Course::Structures],
            false if has_cover => &[Course::Questions, Course::Cover],
            false => &[Course::Questions],
        };
        Selected {
            courses: Courses::of(courses.iter().copied()),
            ..Selected::default()
        }
    }

    /// Selects the positions of a game that fulfil a prefilter; perhaps some that do not fulfil what only a longer look would find
    /// out. With a verdict, which needs the boards of all of them side by side, exactly those where it holds, too.
    pub(crate) fn select(&mut self, prefilter: &Prefilter, verdict: Option<&Verdict>, game: &Game) {
        self.begin(prefilter, verdict, game);
        if let Some(verdict) = verdict {
            self.settle_gathered(verdict);
        }
    }

    /// The same for a game that waits with others at a place. What is selected of them is not known before
    /// [`settle_gathered`](Selected::settle_gathered).
    pub(crate) fn select_waiting(
        &mut self,
        place: usize,
        prefilter: &Prefilter,
        verdict: Option<&Verdict>,
        game: &Game,
    ) {
        if self.waiting.len() <= place {
            self.waiting.resize_with(place + 1, Words::default);
        }
        self.asked = Some(place);
        self.begin(prefilter, verdict, game);
        self.asked = None;
        self.turn_to(place);
    }

    /// Selects what is selected of the game that waits at a place, which waits no longer.
    pub(crate) fn turn_to(&mut self, place: usize) {
        if let Some(words) = self.waiting.get_mut(place) {
            mem::swap(&mut self.words, words);
        }
    }

    /// Whether something is selected of the game that waits at a place.
    pub(crate) fn has_waiting(&self, place: usize) -> bool {
        self.waiting
            .get(place)
            .is_some_and(|words| words.iter().any(|word| *word != 0))
    }

    /// Selects what can be told without the positions that are gathered.
    fn begin(&mut self, prefilter: &Prefilter, verdict: Option<&Verdict>, game: &Game) {
        self.fill(game.len());
        self.taken = 0;
        let course = self.courses.next();
        self.ask(prefilter, verdict, course, game);
        self.courses.learn(self.taken, game.len());
    }

    fn ask(&mut self, prefilter: &Prefilter, verdict: Option<&Verdict>, course: Course, game: &Game) {
        self.asks_stretches = course == Course::Questions;
        if let Some(Verdict {
            cover: Some((cover, work)),
            ..
        }) = verdict
            && matches!(course, Course::Cover | Course::Both)
        {
            self.narrow_to_stretches(*work, game, |stretches| columns::perhaps(cover, stretches));
            if self.is_empty() {
                return;
            }
        }
        if let Some(Verdict { pawns: Some(pawns), .. }) = verdict
            && matches!(course, Course::Structures | Course::Both)
        {
            self.narrow_to_structures(&pawns.condition, pawns.work, game);
            if pawns.is_all || self.is_empty() {
                return;
            }
        }
        let prefilters = match prefilter {
            Prefilter::All(prefilters) => prefilters,
            one => std::slice::from_ref(one),
        };
        // A verdict asks all that is held, and asks it of those positions alone that pass the rest.
        let is_settled = |prefilter: &Prefilter| verdict.is_some() && prefilter.asks_what_holds();
        for prefilter in prefilters.iter().filter(|prefilter| !is_settled(prefilter)) {
            self.narrow(prefilter, game);
            if self.is_empty() {
                return;
            }
        }
        if let Some(verdict) = verdict {
            self.settle(verdict, game);
        }
    }

    /// Selects none.
    pub(crate) fn clear(&mut self) {
        self.words.clear();
    }

    /// The ids of the positions, in order.
    pub(crate) fn ids(&self) -> impl Iterator<Item = usize> + '_ {
        let in_word =
            |(index, word): (usize, &u64)| Bitboard(*word).into_iter().map(move |bit| index * 64 + bit.to_usize());
        self.words.iter().enumerate().flat_map(in_word)
    }

    /// Adds the ids of the positions to some numbers, which is quicker than one by one.
    pub(crate) fn write_ids(&self, numbers: &mut Vec<u32>) {
        let count: u32 = self.words.iter().map(|word| word.count_ones()).sum();
        numbers.reserve(count as usize);
        for (word, first) in self.words.iter().zip((0..).step_by(64)) {
            numbers.extend(Bitboard(*word).into_iter().map(|bit| first + u32::from(bit)));
        }
    }

    /// Whether there is none.
    pub(crate) fn is_empty(&self) -> bool {
        self.words.iter().all(|word| *word == 0)
    }

    /// Selects the first `count` positions.
    fn fill(&mut self, count: usize) {
        let words = count.div_ceil(64);
        if self.words.len() != words {
            self.words.resize(words, u64::MAX);
        }
        self.words.fill(u64::MAX);
        if let (Some(last), rest @ 1..) = (self.words.last_mut(), count % 64) {
            *last = (1 << rest) - 1;
        }
    }

    /// Takes out stretches of positions in which nothing holds; a question takes so much work.
    fn narrow_to_stretches(&mut self, work: u32, game: &Game, perhaps: impl Fn(&Stretches) -> Lanes) {
        const IN_WORD: usize = u64::BITS as usize / STRETCH;
        // Who asks first makes them.
        if !game.has_stretches() {
            self.taken += u64::from(MAKING) * game.columns().len() as u64;
        }
        for (words, stretches) in self.words.chunks_mut(LANES / IN_WORD).zip(game.stretches()) {
            if words.iter().all(|word| *word == 0) {
                continue;
            }
            self.taken += u64::from(work + LOOK);
            let perhaps = perhaps(stretches);
            for (index, word) in words.iter_mut().enumerate() {
                *word &= SPREAD[usize::from(perhaps >> (index * IN_WORD) & 0xff)];
            }
        }
    }

    /// Takes out the positions with pawn structures in which a condition on nothing but pawns does not hold, which takes so much work for
    /// each structure. All boards of the game have to stand side by side.
    fn narrow_to_structures(&mut self, condition: &CondColumn, work: u32, game: &Game) {
        // Who asks first finds them.
        if !game.has_structures() {
            self.taken += u64::from(FINDING) * game.columns().len() as u64;
        }
        let structures = game.structures();
        self.taken += u64::from(work + LOOK) * structures.blocks().len() as u64;
        // Where the last structures end in which it holds.
        let mut end = 0;
        for (index, boards) in structures.blocks().iter().enumerate() {
            let mut holding = columns::holding(condition, boards, 0);
            let mut first = index * LANES;
            while holding != 0 {
                first += holding.trailing_zeros() as usize;
                holding >>= holding.trailing_zeros();
                let count = holding.trailing_ones();
                let positions = structures.positions(first..first + count as usize);
                self.take_out(end..positions.start);
                end = positions.end;
                first += count as usize;
                holding = holding.checked_shr(count).unwrap_or(0);
            }
        }
        self.take_out(end..game.len());
    }

    /// Takes out successive positions.
    fn take_out(&mut self, ids: Range<usize>) {
        let words = self.words.iter_mut().enumerate();
        for (index, word) in words.take(ids.end.div_ceil(64)).skip(ids.start / 64) {
            let before = |id: usize| match id.saturating_sub(index * 64) {
                bits @ ..64 => (1 << bits) - 1,
                _ => u64::MAX,
            };
            *word &= before(ids.start) | !before(ids.end);
        }
    }

    /// Takes out the positions that do not fulfil a prefilter.
    fn narrow(&mut self, prefilter: &Prefilter, game: &Game) {
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
            Prefilter::Plies(plies) => self.keep(game, |at| u32::from(at.ply) >= *plies),
            Prefilter::Count(pieces, 1, u32::MAX) => self.sweep(prefilter, game, |boards| {
                columns::some_standing(pieces.contents, pieces.squares, boards)
            }),
            Prefilter::Count(pieces, least, most) => {
                self.sweep_blocks(prefilter, game, |boards, _| {
                    on(*pieces, boards).count_within(*least, *most)
                });
            }
            Prefilter::Placed(contents, squares) => self.sweep(prefilter, game, |boards| {
                columns::all_standing(*contents, *squares, boards)
            }),
            Prefilter::InLine(from, to, lines) => {
                self.sweep(prefilter, game, |boards| columns::in_line(*from, *to, *lines, boards));
            }
            Prefilter::Reach(from, to, least) => self.sweep(prefilter, game, |boards| {
                let aiming = boards.aiming_at(on(*from, boards), on(*to, boards), from.movers());
                aiming.count_within(*least, u32::MAX)
            }),
            Prefilter::Holds(held) if held.is_of_pawns && game.has_all_columns() => {
                self.narrow_to_structures(&held.condition, held.work, game);
            }
            Prefilter::Holds(held) => self.sweep_blocks(prefilter, game, |boards, block| {
                columns::holding(&held.condition, boards, white_to_move(game, block))
            }),
            Prefilter::Often(held, least) => self.narrow_to_games(&held.condition, *least, game),
            Prefilter::Capture(pieces) => self.narrow_to_captures(*pieces, game),
            Prefilter::Moves(contents, least) => self.narrow_to_moves(*contents, *least, game),
            Prefilter::Ahead(moves, prefilter) => self.narrow_ahead(*moves, prefilter, game),
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

    /// Takes out the positions where a verdict does not hold.
    ///
    /// Where few positions of a block are left, their boards are put side by side with those of others, so that no lane is asked
    /// for nothing.
    fn settle(&mut self, verdict: &Verdict, game: &Game) {
        let is_line = game.is_line();
        let usual = white_to_move(game, 0);
        for (index, blocks) in game.columns().chunks(BLOCKS).enumerate() {
            let word = self.words.get(index).copied().unwrap_or(0);
            if word == 0 {
                continue;
            }
            for (place, boards) in blocks.iter().enumerate() {
                let left = (word >> (place * LANES)) as Lanes;
                if left != 0 {
                    let block = index * BLOCKS + place;
                    let turns = if is_line { usual } else { white_to_move(game, block) };
                    self.settle_block(verdict, block, boards, left, turns);
                }
            }
        }
    }

    /// Takes out positions that are gathered where a verdict does not hold.
    pub(crate) fn settle_gathered(&mut self, verdict: &Verdict) {
        self.halves.take_over(&mut self.single);
        self.settle_halves(verdict);
        self.settle_single(verdict);
    }

    fn settle_halves(&mut self, verdict: &Verdict) {
        let Selected {
            halves,
            words,
            waiting,
            asked,
            ..
        } = self;
        halves.settle(&verdict.condition, |place| take_out(words, waiting, *asked, place));
    }

    fn settle_single(&mut self, verdict: &Verdict) {
        let Selected {
            single,
            words,
            waiting,
            asked,
            ..
        } = self;
        single.settle(&verdict.condition, |place| take_out(words, waiting, *asked, place));
    }

    /// Which positions of a block are left.
    fn lanes(&self, block: usize) -> Lanes {
        let word = self.words.get(block * LANES / 64).copied().unwrap_or(0);
        (word >> (block * LANES % 64)) as Lanes
    }

    /// Takes out positions of a block of which some are left, or gathers the boards of those.
    fn settle_block(&mut self, verdict: &Verdict, block: usize, boards: &Boards, left: Lanes, turns: Lanes) {
        const HALF: Lanes = Lanes::MAX >> STRETCH;
        let halves = [left & HALF, left >> STRETCH];
        if halves.iter().all(|half| half.count_ones() > FEW_LANES) {
            self.taken += u64::from(verdict.work + LOOK);
            self.leave(block, left & columns::holding(&verdict.condition, boards, turns));
            return;
        }
        for (half, left) in halves.into_iter().enumerate() {
            let first = Place {
                game: self.asked,
                id: block * LANES + half * STRETCH,
            };
            let turns = turns >> (half * STRETCH) & HALF;
            if left.count_ones() > FEW_LANES {
                self.halves.add_half(first, boards, half, turns);
                self.taken += u64::from(verdict.work / 2 + LOOK);
                if self.halves.is_full() {
                    self.settle_halves(verdict);
                }
                continue;
            }
            for lane in Bitboard(u64::from(left)) {
                let lane = lane.to_usize();
                let place = Place {
                    id: first.id + lane,
                    ..first
                };
                self.single.add(place, boards, half * STRETCH + lane, turns >> lane & 1);
                self.taken += u64::from(verdict.work / LANES as u32 + LOOK / 2);
                if self.single.is_full() {
                    self.settle_single(verdict);
                }
            }
        }
    }

    /// Leaves these positions of a block, all of which were left before.
    fn leave(&mut self, block: usize, lanes: Lanes) {
        if let Some(word) = self.words.get_mut(block * LANES / 64) {
            let shift = block * LANES % 64;
            *word = *word & !(u64::from(Lanes::MAX) << shift) | u64::from(lanes) << shift;
        }
    }

    fn narrow_to_one_of(&mut self, choices: &[Prefilter], game: &Game) {
        let selected = self.words.clone();
        let mut found: SmallVec<[u64; 4]> = SmallVec::from_elem(0, selected.len());
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

    /// Takes out the positions where no piece with some contents moves next, or too few of their moves are left. In a game with
    /// variations none is taken out.
    fn narrow_to_moves(&mut self, contents: Contents, least: u32, game: &Game) {
        if game.positions.last().is_none_or(|last| last.depth > 0) {
            return;
        }
        // Which kind is meant is found out once.
        let kind = contents.only_kind();
        let moved = |board: &Board| kind.map_or_else(|| contents.on(board), |(color, role)| board.pieces(color, role));
        let is_move = |[before, after]: &[Position; 2]| {
            let arrival = &after.arrival;
            let is_usual = matches!(arrival.kind, MoveKind::Normal | MoveKind::EnPassant);
            !is_usual || moved(&before.board).contains(arrival.from)
        };
        // The last of the moves are followed by too few others.
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

    /// Takes out the positions from which no move takes something; none of some of `pieces`, if they are given.
    fn narrow_to_captures(&mut self, pieces: Option<Pieces>, game: &Game) {
        if !game.is_line() {
            return self.keep(game, |at| is_capture_played(pieces, game, at));
        }
        for (index, word) in self.words.iter_mut().enumerate() {
            // Where nothing but columns was made of a game, none is taken out.
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

    /// Takes out the positions that are not followed by one that fulfils a prefilter. In a game with variations several may follow, so
    /// there none is taken out.
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

    /// Takes out all positions unless one of the game, selected or not, fulfils a prefilter.
    fn narrow_elsewhere(&mut self, prefilter: &Prefilter, game: &Game) {
        let mut fulfilling = Selected::default();
        fulfilling.fill(game.len());
        fulfilling.narrow(prefilter, game);
        if fulfilling.is_empty() {
            self.words.fill(0);
        }
    }

    /// Takes out all positions of a game in which a condition does not hold often enough, if that is known.
    fn narrow_to_games(&mut self, condition: &CondColumn, least: u32, game: &Game) {
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
            let holding = columns::holding(condition, boards, white_to_move(game, block));
            found += (all.lanes(block) & holding).count_ones();
            if found >= least {
                return;
            }
        }
        self.words.fill(0);
    }

    /// Of mates only that they are checks and that nothing is played is asked, of stalemates only that they are the end.
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
            // Symbols are few and looked up one by one, which the body does.
            Event::Symbol => {}
        }
    }

    /// Takes out the positions where something follows but a null move, which is allowed anywhere.
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

    /// Takes out the positions to which no such move has led. All are asked, as that takes less than to find those that are left.
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

    /// Asks all positions of a block at once, unless so few of them are left that trying the body there takes less. What is asked is
    /// about the places of pieces alone, and more of them can only make it hold, so stretches of positions may be asked before.
    #[inline]
    fn sweep(&mut self, prefilter: &Prefilter, game: &Game, holding: impl Fn(&Boards) -> Lanes) {
        if self.asks_stretches && !prefilter.asks_for_empty_squares() {
            self.narrow_to_stretches(prefilter.cost(), game, |stretches| holding(&stretches.boards));
        }
        self.sweep_blocks(prefilter, game, |boards, _| holding(boards));
    }

    /// The same where the number of the block is of use.
    #[inline]
    fn sweep_blocks(&mut self, prefilter: &Prefilter, game: &Game, holding: impl Fn(&Boards, usize) -> Lanes) {
        let cost = prefilter.cost();
        let work = cost * LANES as u32;
        for (index, (word, blocks)) in self.words.iter_mut().zip(game.columns().chunks(BLOCKS)).enumerate() {
            if game.watch.is_over_at(index + 1) {
                return;
            }
            if *word == 0 {
                continue;
            }
            for (place, boards) in blocks.iter().enumerate() {
                let left = (*word >> (place * LANES)) as Lanes;
                if left.count_ones() * BODY > work {
                    self.taken += u64::from(cost + LOOK);
                    let failing = left & !holding(boards, index * BLOCKS + place);
                    *word &= !(u64::from(failing) << (place * LANES));
                }
            }
        }
    }
}

/// Asks a condition of all positions of a range at once and hands the answers to `tell`, as far as the boards stand side by side.
pub(crate) fn ask_all(condition: &CondColumn, game: &Game, ids: RangeInclusive<u32>, mut tell: impl FnMut(u32, bool)) {
    if game.has_own_rules() {
        return;
    }
    let (first, last) = (*ids.start() as usize, *ids.end() as usize);
    for (boards, block) in game
        .columns()
        .iter()
        .zip(0..)
        .take(last / LANES + 1)
        .skip(first / LANES)
    {
        if game.watch.is_over_at(block + 1) {
            return;
        }
        let holding = columns::holding(condition, boards, white_to_move(game, block));
        let of_block = block * LANES..(block + 1) * LANES;
        for id in of_block.start.max(first)..of_block.end.min(last + 1) {
            tell(id as u32, holding >> (id % LANES) & 1 == 1);
        }
    }
}

/// Takes a position out of what is selected of its game: of the one that is being asked, or of one that waits.
fn take_out(asked: &mut Words, waiting: &mut [Words], place_of_asked: Option<usize>, place: Place) {
    let words = match place.game {
        Some(game) if place.game != place_of_asked => waiting.get_mut(game),
        _ => Some(asked),
    };
    if let Some(word) = words.and_then(|words| words.get_mut(place.id / 64)) {
        *word &= !(1 << (place.id % 64));
    }
}

/// At which positions of a block White is to move.
fn white_to_move(game: &Game, block: usize) -> Lanes {
    if game.is_line() {
        const EVEN: Lanes = 0x5555;
        return game.first_to_move().fold_wb(EVEN, !EVEN);
    }
    let positions = game.positions.chunks(LANES).nth(block).unwrap_or_default();
    let turns = positions.iter().enumerate();
    turns.fold(0, |turns, (lane, at)| {
        turns | Lanes::from(at.turn == Color::White) << lane
    })
}

/// Where pieces stand.
fn on(pieces: Pieces, boards: &Boards) -> Column {
    columns::standing(pieces.contents, pieces.squares, boards)
}

/// Whether nothing follows a position but a null move, which is allowed anywhere.
fn is_left_by_no_move(game: &Game, at: &Position) -> bool {
    let next = game.first_child(at);
    next.is_none_or(|child| child.arrival.kind == MoveKind::Null)
}

/// Those of some pieces that are on a board; all squares if none are given.
fn movers(pieces: Option<Pieces>, at: &Position) -> Bitboard {
    pieces.map_or(Bitboard::FULL, |pieces| pieces.contents.on(&at.board) & pieces.squares)
}

/// Whether a move from a position takes something; one of some of `pieces`, if they are given.
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

#[cfg(test)]
mod tests;
