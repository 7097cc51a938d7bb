//! What is known of a game without its moves, so that a search can leave it out.

use shakmaty::{ByColor, CastlingSide, Color, Role};
use smallvec::SmallVec;

use crate::board::{Bitboard, Contents};
use crate::game::{Game, MoveKind, Position, Variant, has_legal_move};
use crate::query::prefilter::Event;
use crate::query::prefilter::GamePrefilter;

/// Facts of the main line of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Facts {
    /// The length of the main line.
    pub(super) plies: u32,
    /// What happens: bits of this module, in the column `events`.
    pub(super) events: Events,
    /// The least pieces of each kind.
    pub(super) least: PieceCounts,
    /// The most pieces of each kind.
    pub(super) most: PieceCounts,
}

/// A set of events, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Events(pub(super) u32);

impl Events {
    pub(super) const CHECK: Events = Events(1 << 0);
    pub(super) const MATE: Events = Events(1 << 1);
    pub(super) const STALEMATE: Events = Events(1 << 2);
    pub(super) const CASTLING_SHORT: Events = Events(1 << 3);
    pub(super) const CASTLING_LONG: Events = Events(1 << 4);
    pub(super) const EN_PASSANT: Events = Events(1 << 5);
    pub(super) const NULL_MOVE: Events = Events(1 << 6);
    pub(super) const PROMOTION_QUEEN: Events = Events(1 << 7);
    pub(super) const PROMOTION_ROOK: Events = Events(1 << 8);
    pub(super) const PROMOTION_BISHOP: Events = Events(1 << 9);
    pub(super) const PROMOTION_KNIGHT: Events = Events(1 << 10);
    const PROMOTION: Events = Events(15 << 7);
    pub(super) const EVALUATION: Events = Events(1 << 11);
    pub(super) const CLOCK: Events = Events(1 << 12);
    pub(super) const SYMBOL: Events = Events(1 << 13);
    /// The three bits before say whether there are evaluations, clocks and symbols. Older databases do not say it.
    pub(super) const KNOWS_COMMANDS: Events = Events(1 << 14);
    /// Columns say all that commands and symbols say of the main line. Older databases have no such columns.
    pub(super) const HAS_COMMANDS: Events = Events(1 << 15);
    /// The columns `WhiteElo` and `BlackElo` do not say all of the ratings.
    pub(super) const OTHER_RATINGS: Events = Events(1 << 17);
    /// The game has another start position, which its FEN tag gives.
    pub(super) const SETUP: Events = Events(1 << 16);

    /// The game has to be read from its text: it is of a variant with rules of its own, or so long that the columns do not tell its moves.
    pub(super) const FROM_TEXT: Events = Events(1 << 19);
    /// The game cannot be read from its beginning; its warnings say why.
    pub(super) const UNREADABLE: Events = Events(1 << 18);

    /// The text has neither comments nor symbols nor variations, and nothing is wrong with it. So tags and moves tell all of the game.
    pub(super) const MOVES_ALONE: Events = Events(1 << 24);

    /// The bits that say which chess it is.
    const VARIANT: u32 = 20;

    /// Which chess it is.
    pub(super) fn variant(self) -> Option<Variant> {
        let place = (self.0 >> Events::VARIANT) & 15;
        Variant::ALL.get(place as usize).copied()
    }

    fn of_variant(variant: Variant) -> Events {
        let place = Variant::ALL.iter().position(|known| *known == variant);
        Events((place.unwrap_or_default() as u32) << Events::VARIANT)
    }

    pub(super) fn has(self, other: Events) -> bool {
        self.0 & other.0 != 0
    }

    pub(super) fn add(&mut self, other: Events) {
        self.0 |= other.0;
    }

    pub(super) fn remove(&mut self, other: Events) {
        self.0 &= !other.0;
    }

    /// Those of some events that are in both sets.
    pub(super) fn both(self, other: Events, some: Events) -> Events {
        Events(self.0 & other.0 & some.0)
    }

    /// Whether a position may have an evaluation, a clock or a symbol.
    pub(super) fn may_have_commands(self) -> bool {
        let any = Events::EVALUATION.0 | Events::CLOCK.0 | Events::SYMBOL.0;
        self.has(Events(any)) || !self.has(Events::KNOWS_COMMANDS)
    }

    /// Whether a position may be like this, or may have been reached like this.
    fn allow(self, event: Event) -> bool {
        let is_unknown = event.is_of_commands() && !self.has(Events::KNOWS_COMMANDS);
        is_unknown || self.has(Events::of(event))
    }

    pub(super) fn of(event: Event) -> Events {
        match event {
            Event::Check => Events::CHECK,
            Event::Mate => Events::MATE,
            Event::Stalemate => Events::STALEMATE,
            Event::Castling(CastlingSide::KingSide) => Events::CASTLING_SHORT,
            Event::Castling(CastlingSide::QueenSide) => Events::CASTLING_LONG,
            Event::EnPassant => Events::EN_PASSANT,
            Event::NullMove => Events::NULL_MOVE,
            Event::Promotion(Role::Rook) => Events::PROMOTION_ROOK,
            Event::Promotion(Role::Bishop) => Events::PROMOTION_BISHOP,
            Event::Promotion(Role::Knight) => Events::PROMOTION_KNIGHT,
            Event::Promotion(_) => Events::PROMOTION_QUEEN,
            Event::Evaluation => Events::EVALUATION,
            Event::Clock => Events::CLOCK,
            Event::Symbol => Events::SYMBOL,
        }
    }
}

/// Numbers of pieces, four bits a kind: white pawns, knights, bishops, rooks and queens from the lowest, the same in black, then
/// all white pieces and all black pieces, one less than there are (kings are among them).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct PieceCounts(pub(super) u64);

/// Kinds of pieces that are counted, kings apart.
const ROLES: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
/// Numbers in [`PieceCounts`].
const NUMBERS: usize = 12;
/// The place of the number of all pieces of White; that of Black follows.
const TOTALS: usize = 10;

impl PieceCounts {
    fn of(position: &Position) -> [u8; NUMBERS] {
        let mut numbers = [0; NUMBERS];
        for (index, color) in Color::ALL.into_iter().enumerate() {
            for (place, role) in ROLES.into_iter().enumerate() {
                numbers[index * ROLES.len() + place] = count(position.board.pieces(color, role).count());
            }
            numbers[TOTALS + index] = count(position.board.colors.get(color).count()).saturating_sub(1);
        }
        numbers
    }

    fn pack(numbers: [u8; NUMBERS]) -> PieceCounts {
        let shifted = numbers
            .into_iter()
            .enumerate()
            .map(|(place, number)| u64::from(number.min(15)) << (4 * place));
        PieceCounts(shifted.sum())
    }

    /// Of each number the least.
    pub(super) fn least(self, other: PieceCounts) -> PieceCounts {
        self.joined(other, u64::min)
    }

    /// Of each number the greatest.
    pub(super) fn most(self, other: PieceCounts) -> PieceCounts {
        self.joined(other, u64::max)
    }

    fn joined(self, other: PieceCounts, choose: impl Fn(u64, u64) -> u64) -> PieceCounts {
        let masks = (0..u64::BITS / 4).map(|place| 15 << (4 * place));
        PieceCounts(masks.map(|mask| choose(self.0 & mask, other.0 & mask)).sum())
    }

    /// Whether each number is at least that of others. Each is in a byte of its own for that, whose highest bit is there unless the
    /// difference is less than nothing.
    pub(super) fn are_at_least(self, others: PieceCounts) -> bool {
        const HIGHEST: u64 = 0x8080_8080_8080_8080;
        let are = |left: u64, right: u64| ((left & PAIRS | HIGHEST) - (right & PAIRS)) & HIGHEST == HIGHEST;
        are(self.0, others.0) && are(self.0 >> 4, others.0 >> 4)
    }

    /// Sets the number of a place.
    pub(super) fn set(&mut self, place: usize, number: u64) {
        let shift = 4 * place;
        self.0 = self.0 & !(15 << shift) | number << shift;
    }

    /// The number of a place.
    pub(super) fn get(self, place: usize) -> u64 {
        self.0 >> (4 * place) & 15
    }

    /// How many of these pieces there are; contents that are no pieces do not count. As [`numbers_of`] has it, but asked once a game.
    fn of_contents(self, contents: Contents) -> u32 {
        let of_color = |all: Contents, place: usize, shift: u32, total: usize| {
            if contents.0 & all.0 == all.0 {
                return (1, 15 << (4 * total));
            }
            let roles = usize::from(contents.0 >> shift) % ROLE_MASKS.len();
            (roles as u32 & 1, ROLE_MASKS[roles] << (4 * place))
        };
        let (white_kings, white) = of_color(Contents::WHITE, 0, 0, TOTALS);
        let (black_kings, black) = of_color(Contents::BLACK, ROLES.len(), 7, TOTALS + 1);
        let numbers = self.0 & (white | black);
        // The numbers two by two in bytes, then all in the highest byte.
        let pairs = (numbers & PAIRS) + (numbers >> 4 & PAIRS);
        let sum = pairs.wrapping_mul(u64::MAX / 255) >> 56;
        white_kings + black_kings + sum as u32
    }
}

/// The lower four bits of each byte.
const PAIRS: u64 = 0x0f0f_0f0f_0f0f_0f0f;

/// By roles of White, from the king and the queen down to the pawn: the bits of their numbers in [`PieceCounts`].
static ROLE_MASKS: [u64; 64] = {
    let mut masks = [0; 64];
    let mut roles = 0;
    while roles < masks.len() {
        let mut place = 0;
        while place < ROLES.len() {
            if roles >> (ROLES.len() - place) & 1 == 1 {
                masks[roles] |= 15 << (4 * place);
            }
            place += 1;
        }
        roles += 1;
    }
    masks
};

/// What the number of some pieces is made of: how many there always are, which are kings, and places in [`PieceCounts`] whose
/// numbers are to be added. Contents that are no pieces do not count.
pub(super) fn numbers_of(contents: Contents) -> (u32, SmallVec<[usize; NUMBERS]>) {
    let colors = ByColor {
        white: (Contents::WHITE, 0, 0),
        black: (Contents::BLACK, ROLES.len(), 7),
    };
    let (mut kings, mut places) = (0, SmallVec::new());
    for color in [Color::White, Color::Black] {
        let (all, place, shift) = *colors.get(color);
        if contents.0 & all.0 == all.0 {
            kings += 1;
            places.push(TOTALS + place / ROLES.len());
            continue;
        }
        let roles = contents.0 >> shift;
        kings += u32::from(roles & 1);
        // Contents go from the king and the queen down to the pawn.
        let pieces = (0..ROLES.len()).filter(|index| roles >> (ROLES.len() - index) & 1 == 1);
        places.extend(pieces.map(|index| place + index));
    }
    (kings, places)
}

fn count(pieces: usize) -> u8 {
    u8::try_from(pieces).unwrap_or(u8::MAX)
}

impl Facts {
    /// The facts of a game that has been read.
    pub(super) fn of(game: &Game) -> Facts {
        let mut events = Events::of_variant(game.variant);
        events.add(Events::KNOWS_COMMANDS);
        events.add(Events::HAS_COMMANDS);
        if game.start.is_some() {
            events.add(Events::SETUP);
        }
        let line = game.main_line();
        let has_commands = !game.commands.is_empty();
        for position in line {
            add_events(game, position, &mut events);
            if has_commands {
                add_commands(game, position, &mut events);
            }
        }
        let (least, most) = if game.has_own_rules() || events.has(Events::PROMOTION) {
            least_and_most(line.iter().filter(|position| may_change_pieces(position)))
        } else {
            // Pieces only become fewer.
            least_and_most(line.first().into_iter().chain(line.last()))
        };
        Facts {
            plies: u32::try_from(line.len().saturating_sub(1)).unwrap_or(u32::MAX),
            events,
            least,
            most,
        }
    }

    /// Whether a position of the main line may be as a query wants one.
    pub(super) fn allow(&self, prefilter: &GamePrefilter) -> bool {
        self.allow_with(None, prefilter)
    }

    /// The same, if `kings` are the squares where the kings of the line have been, as far as somebody has looked.
    pub(super) fn allow_with(&self, kings: Option<ByColor<Bitboard>>, prefilter: &GamePrefilter) -> bool {
        match prefilter {
            GamePrefilter::None => true,
            GamePrefilter::All(prefilters) => prefilters.iter().all(|prefilter| self.allow_with(kings, prefilter)),
            GamePrefilter::Either(prefilters) => prefilters.iter().any(|prefilter| self.allow_with(kings, prefilter)),
            GamePrefilter::King(color, squares) => kings.is_none_or(|kings| (*kings.get(*color) & *squares).any()),
            GamePrefilter::Event(event) => self.events.allow(*event),
            GamePrefilter::AtLeast(pieces, least) => self.most.of_contents(*pieces) >= *least,
            GamePrefilter::AtMost(pieces, most) => self.least.of_contents(*pieces) <= *most,
            GamePrefilter::Plies(plies) => self.plies >= *plies,
        }
    }
}

/// The numbers of the pieces in some positions, at their least and at their most.
fn least_and_most<'p>(positions: impl Iterator<Item = &'p Position>) -> (PieceCounts, PieceCounts) {
    let (mut least, mut most) = ([u8::MAX; NUMBERS], [0; NUMBERS]);
    for position in positions {
        for (index, number) in PieceCounts::of(position).into_iter().enumerate() {
            least[index] = least[index].min(number);
            most[index] = most[index].max(number);
        }
    }
    (PieceCounts::pack(least), PieceCounts::pack(most))
}

/// Adds what happens in a position and by the move that led to it.
#[inline]
fn add_events(game: &Game, position: &Position, events: &mut Events) {
    let arrival = &position.arrival;
    if arrival.kind != MoveKind::Normal {
        events.add(match arrival.kind {
            MoveKind::None | MoveKind::Normal | MoveKind::Drop => Events(0),
            MoveKind::Castle(CastlingSide::KingSide) => Events::CASTLING_SHORT,
            MoveKind::Castle(CastlingSide::QueenSide) => Events::CASTLING_LONG,
            MoveKind::EnPassant => Events::EN_PASSANT,
            MoveKind::Null => Events::NULL_MOVE,
        });
    }
    if let Some(role) = arrival.promotion {
        events.add(Events::of(Event::Promotion(role)));
    }
    let is_check = game.is_check(position);
    if is_check {
        events.add(Events::CHECK);
    }
    if !goes_on(game, position) && !has_legal_move(game, position) && !game.is_variant_end(position) {
        events.add(if is_check { Events::MATE } else { Events::STALEMATE });
    }
}

/// Adds what comments and symbols say of a position.
fn add_commands(game: &Game, position: &Position, events: &mut Events) {
    let values = game.commands.values(position.id);
    if values.evaluation.is_some() {
        events.add(Events::EVALUATION);
    }
    if values.clock.is_some() || values.spent.is_some() {
        events.add(Events::CLOCK);
    }
    if game.commands.symbols(position.id).next().is_some() {
        events.add(Events::SYMBOL);
    }
}

/// Whether other pieces may be on the board than before the move that led to a position.
fn may_change_pieces(position: &Position) -> bool {
    let arrival = &position.arrival;
    let is_usual = matches!(arrival.kind, MoveKind::Normal | MoveKind::Castle(_) | MoveKind::Null);
    !is_usual || arrival.captured.is_some() || arrival.promotion.is_some()
}

/// Whether a move of the main line is made in a position, so that there is a legal one.
fn goes_on(game: &Game, position: &Position) -> bool {
    game.first_child(position)
        .is_some_and(|next| next.arrival.kind != MoveKind::Null)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameReader, Scope, sample};

    fn facts(pgn: &str) -> Facts {
        let batch = sample::batch(pgn);
        let mut game = Game::default();
        GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true);
        Facts::of(&game)
    }

    #[test]
    fn a_game_tells_what_happens_in_it() {
        let facts = facts("1. f3 e5 2. g4 Qh4# 0-1\n");
        assert_eq!(facts.plies, 4);
        assert_eq!(
            facts.events,
            Events(Events::CHECK.0 | Events::MATE.0 | Events::KNOWS_COMMANDS.0 | Events::HAS_COMMANDS.0)
        );
        assert!(facts.allow(&GamePrefilter::Event(Event::Mate)));
        assert!(!facts.allow(&GamePrefilter::Event(Event::Stalemate)));
        assert!(!facts.allow(&GamePrefilter::Plies(5)));
    }

    #[test]
    fn a_game_tells_whether_it_has_evaluations_clocks_and_symbols() {
        let bits = |pgn| {
            let events = facts(pgn).events;
            [Event::Evaluation, Event::Clock, Event::Symbol].map(|event| events.allow(event))
        };
        assert_eq!(bits("1. e4 e5 {[%evil 3]} *\n"), [false; 3]);
        assert_eq!(bits("1. e4 {[%eval 0.1]} e5 *\n"), [true, false, false]);
        assert_eq!(bits("1. e4 e5 {[%emt 0:00:01]} *\n"), [false, true, false]);
        assert_eq!(bits("1. e4 e5 {[%clk 0:00:01]} *\n"), [false, true, false]);
        assert_eq!(bits("1. e4?! e5 *\n"), [false, false, true]);
        assert_eq!(
            bits("1. e4 (1. d4?! {[%eval 1] [%clk 0:01:00]}) 1... e5 *\n"),
            [false; 3]
        );
        let old = Events(Events::CHECK.0);
        assert!(old.allow(Event::Evaluation) && old.may_have_commands() && !old.allow(Event::Mate));
        assert!(!facts("1. e4 *\n").events.may_have_commands());
    }

    #[test]
    fn numbers_are_added_up_as_their_places_say() {
        let counts = PieceCounts(0xe123_4567_89ab_cdef);
        for contents in (0..1 << 14).map(Contents) {
            let (kings, places) = numbers_of(contents);
            let sum: u64 = places.iter().map(|place| counts.0 >> (4 * place) & 15).sum();
            assert_eq!(
                u64::from(counts.of_contents(contents)),
                u64::from(kings) + sum,
                "{contents:?}"
            );
        }
    }

    #[test]
    fn pieces_are_counted_at_their_least_and_most() {
        let facts = facts("[FEN \"k7/P7/8/8/8/8/8/4K2R w - - 0 1\"]\n\n1. Kd2 Kb7 2. a8=N Kxa8 3. Ra1+ *\n");
        let white = |role| Contents::of(Color::White, role);
        let kinds = |pieces: PieceCounts| {
            (
                pieces.of_contents(white(Role::Pawn)),
                pieces.of_contents(white(Role::Knight)),
            )
        };
        assert_eq!((kinds(facts.least), kinds(facts.most)), ((0, 0), (1, 1)));
        let rooks = white(Role::Rook);
        assert_eq!((facts.least.of_contents(rooks), facts.most.of_contents(rooks)), (1, 1));
        let everybody = Contents::PIECES;
        assert_eq!(
            (facts.least.of_contents(everybody), facts.most.of_contents(everybody)),
            (3, 4)
        );
        assert!(facts.events.has(Events::PROMOTION_KNIGHT));
        assert!(facts.events.has(Events::SETUP));
        assert!(!facts.allow(&GamePrefilter::AtLeast(rooks, 2)));
        assert!(facts.allow(&GamePrefilter::AtMost(everybody, 3)));
        assert!(!facts.allow(&GamePrefilter::AtMost(everybody, 2)));
    }
}
