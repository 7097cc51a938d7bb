//! What is known about a game without its moves, so that a search can skip it.

use std::array;
use std::cell::OnceCell;

use shakmaty::{CastlingSide, Role};

use super::squares::GamesFrom;
use crate::board::columns::{Column, LANES, Lanes};
use crate::board::{BoardKey, Contents, PieceCounts};
use crate::chess::{MoveKind, Position, Variant};
use crate::game::Game;
use crate::moves::has_legal_move;
use crate::query::ThemeDigest;
use crate::query::algebra::Pieces;
use crate::query::ast::versions::Formation;
use crate::query::prefilter::{Event, Overview};

/// Facts about the main line of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Facts {
    /// The length of the main line.
    pub(super) plies: u32,
    /// The events, as in the column `events`.
    pub(super) events: Events,
    /// The fewest pieces of each kind.
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
    /// The three preceding bits tell whether there are evaluations, clocks and symbols. Older databases lack this bit.
    pub(super) const KNOWS_COMMANDS: Events = Events(1 << 14);
    /// Columns have all commands and symbols of the main line. Older databases have no such columns, or wrong values in them.
    pub(super) const HAS_COMMANDS: Events = Events(1 << 15);
    /// The columns `WhiteElo` and `BlackElo` do not have all ratings.
    pub(super) const OTHER_RATINGS: Events = Events(1 << 17);
    /// The game has another start position, given by its FEN tag.
    pub(super) const SETUP: Events = Events(1 << 16);

    /// The game must be read from its text: its variant has rules of its own, or it is too long for the columns.
    pub(super) const FROM_TEXT: Events = Events(1 << 19);
    /// The game cannot be read from its beginning; its warnings say why.
    pub(super) const UNREADABLE: Events = Events(1 << 18);

    /// The text has no comments, symbols, variations or defects, so that tags and moves are the complete game.
    pub(super) const MOVES_ALONE: Events = Events(1 << 24);

    /// The shift of the bits for the variant.
    const VARIANT: u32 = 20;

    /// Returns the variant.
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

    /// Returns the events among `some` that are in both sets.
    pub(super) fn both(self, other: Events, some: Events) -> Events {
        Events(self.0 & other.0 & some.0)
    }

    /// Returns whether a position may have an evaluation, a clock or a symbol.
    pub(super) fn may_have_commands(self) -> bool {
        let any = Events::EVALUATION.0 | Events::CLOCK.0 | Events::SYMBOL.0;
        self.has(Events(any)) || !self.has(Events::KNOWS_COMMANDS)
    }

    /// Returns whether this event may occur.
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

impl Facts {
    /// Returns the facts of a game that has been read.
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
        let [least, most] = least_and_most(line, game.has_own_rules() || events.has(Events::PROMOTION));
        Facts {
            plies: u32::try_from(line.len().saturating_sub(1)).unwrap_or(u32::MAX),
            events,
            least,
            most,
        }
    }
}

/// What is known about several main lines, each of which has a lane, or about many together, which are in the first.
pub(super) struct Lines<'l, F> {
    /// The lanes that begin with the usual position.
    pub(super) usual: Lanes,
    /// Returns the facts of a lane.
    pub(super) facts: F,
    /// The facts of all lanes, once they are needed.
    pub(super) known: OnceCell<[Facts; LANES]>,
    /// Where kings and pawns have been.
    pub(super) stood: GamesFrom<'l>,
    /// Returns whether a board with some key may be in any of them.
    pub(super) may_have_board: &'l dyn Fn(BoardKey) -> bool,
    /// For each theme, the lanes in which it may hold.
    pub(super) themes: Vec<(ThemeDigest, Lanes)>,
}

/// Returns what is known about many main lines by their facts.
pub(super) fn together(facts: &Facts) -> Lines<'_, impl Fn(usize) -> Facts> {
    let usual = if facts.events.has(Events::SETUP) { 0 } else { Lanes::MAX };
    Lines::new(usual, |_| *facts)
}

impl<F: Fn(usize) -> Facts> Lines<'_, F> {
    pub(super) fn new(usual: Lanes, facts: F) -> Self {
        Lines {
            usual,
            facts,
            known: OnceCell::new(),
            stood: GamesFrom::default(),
            may_have_board: &|_| true,
            themes: Vec::new(),
        }
    }

    fn facts(&self) -> &[Facts; LANES] {
        self.known.get_or_init(|| array::from_fn(&self.facts))
    }
}

impl<F: Fn(usize) -> Facts> Overview for Lines<'_, F> {
    fn begin_usually(&self) -> Lanes {
        self.usual
    }

    fn have_plies(&self, plies: u32) -> Lanes {
        let facts = self.facts();
        Column::lanes_where(|lane| facts[lane].plies >= plies)
    }

    fn may_count(&self, holds: impl Fn(PieceCounts, PieceCounts) -> bool) -> Lanes {
        let facts = self.facts();
        Column::lanes_where(|lane| holds(facts[lane].least, facts[lane].most))
    }

    fn may_have(&self, event: Event) -> Lanes {
        let facts = self.facts();
        Column::lanes_where(|lane| facts[lane].events.allow(event))
    }

    fn may_stand(&self, pieces: Pieces, least: u32) -> Lanes {
        self.stood.may_stand(pieces, least)
    }

    fn may_show(&self, formation: &Formation, contents: &[Contents]) -> Lanes {
        self.stood.may_show(formation, contents)
    }

    fn may_have_board(&self, key: BoardKey) -> Lanes {
        match (self.may_have_board)(key) {
            true => Lanes::MAX,
            false => 0,
        }
    }

    fn may_have_theme(&self, theme: ThemeDigest) -> Lanes {
        let known = self.themes.iter().find(|(known, _)| *known == theme);
        known.map_or(Lanes::MAX, |(_, lanes)| *lanes)
    }
}

/// Returns the least and the greatest numbers of pieces in successive positions. If the numbers cannot grow, the first and
/// the last position determine them.
fn least_and_most(positions: &[Position], may_grow: bool) -> [PieceCounts; 2] {
    let counts = |position: &Position| PieceCounts::of(&position.board);
    let (Some(first), Some(last)) = (positions.first(), positions.last()) else {
        return Default::default();
    };
    if !may_grow {
        return [counts(last), counts(first)];
    }
    let changed = positions.iter().filter(|position| may_change_pieces(position));
    changed.map(counts).fold([counts(first); 2], |[least, most], counts| {
        [least.least(counts), most.most(counts)]
    })
}

/// Returns whether the move that led to a position may have changed the pieces on the board.
fn may_change_pieces(position: &Position) -> bool {
    let arrival = &position.arrival;
    let is_usual = matches!(arrival.kind, MoveKind::Normal | MoveKind::Castle(_) | MoveKind::Null);
    !is_usual || arrival.captured.is_some() || arrival.promotion.is_some()
}

/// Adds the events of a position and of the move that led to it.
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

/// Adds the commands and symbols of a position.
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

/// Returns whether the main line continues with a move from a position, so that there is a legal move.
fn goes_on(game: &Game, position: &Position) -> bool {
    game.first_child(position)
        .is_some_and(|next| next.arrival.kind != MoveKind::Null)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::database::squares::{GroupSquares, PackedSquares, VisitedSquares};
    use crate::pgn::{GameReader, Scope, sample};
    use crate::query::prefilter::{GamePrefilter, GameTest};
    use crate::query::{self, Options};
    use crate::syntax::Source;

    fn game(pgn: &str) -> Game {
        let batch = sample::batch(pgn);
        let mut game = Game::default();
        GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true);
        game
    }

    fn facts(pgn: &str) -> Facts {
        Facts::of(&game(pgn))
    }

    fn allows(facts: &Facts, prefilter: GamePrefilter) -> bool {
        GameTest::of(&prefilter).allows(&together(facts))
    }

    #[test]
    fn a_game_tells_what_happens_in_it() {
        let facts = facts("1. f3 e5 2. g4 Qh4# 0-1\n");
        assert_eq!(facts.plies, 4);
        assert_eq!(
            facts.events,
            Events(Events::CHECK.0 | Events::MATE.0 | Events::KNOWS_COMMANDS.0 | Events::HAS_COMMANDS.0)
        );
        assert!(allows(&facts, GamePrefilter::Event(Event::Mate)));
        assert!(!allows(&facts, GamePrefilter::Event(Event::Stalemate)));
        assert!(!allows(&facts, GamePrefilter::Plies(5)));
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
        assert!(!allows(&facts, GamePrefilter::AtLeast(rooks, 2)));
        assert!(allows(&facts, GamePrefilter::AtMost(everybody, 3)));
        assert!(!allows(&facts, GamePrefilter::AtMost(everybody, 2)));
    }

    #[test]
    fn a_game_is_left_out_if_its_kings_and_pawns_never_stand_there() {
        const LINE: &str =
            "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. Nf3 c6 5. d4 Nf6 6. Bc4 Bf5 7. O-O e6 8. Re1 Bb4 9. Bd2 O-O *\n";
        let game = game(LINE);
        let facts = Facts::of(&game);
        let packed = PackedSquares::of(&[VisitedSquares::of(&game.positions)]).unwrap();
        let line = Lines {
            stood: GamesFrom {
                squares: Some(&GroupSquares::new(packed, 1)),
                first: 0,
            },
            ..together(&facts)
        };
        for (filters, may_match) in [
            ("Pd5", true),
            ("Pd6", false),
            ("Pd4 Pd5", true),
            ("qd5 Nc3", true),
            ("[Nn][c3,h8]", true),
            ("_[e2,h8]", true),
            ("Kg1 kg8", true),
            ("Kc1", false),
            ("P[e2,e4,e5] == 2", true),
            ("P[d2,d4,d5] == 3", true),
            ("P[d2,d4,d6] == 3", false),
            ("flipcolor {Pd6}", false),
            ("flipcolor {Pe7}", false),
            ("fliphorizontal {Pe7 Rf8}", true),
            ("shift {Pd4 Pe4 pd5}", true),
            ("shift {Pd5 Pe6}", false),
            ("shift {Pe4 nf6 bb4}", true),
            ("P == 7", true),
            ("P == 6", false),
            ("[Aa] == 30", true),
            ("[Aa] == 29", false),
            ("Q == 2", false),
            ("Ra1 or Pd6", true),
        ] {
            let source = Source::new("q.cql", format!("cql() {filters}"));
            let query = query::compile(&source, &Options::default()).unwrap();
            let is_allowed = GameTest::of(&query.game_prefilter).allows(&line);
            assert_eq!(is_allowed, may_match, "{filters}");
        }
    }
}
