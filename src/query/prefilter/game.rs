//! Conditions on a game for a query to match at any of its positions: facts that can be known without its moves.

use super::condition::{Event, Prefilter};
use crate::board::{Bitboard, Board, BoardKey, Contents, Role, Square};
use crate::query::algebra::{BoardCond, BoardSet, Pieces};
use crate::query::ast::ThemeDigest;
use crate::query::ast::versions::Formation;
use crate::query::ast::{Header, NamedTheme};

/// A condition on a whole game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum GamePrefilter {
    /// Any game passes.
    None,
    /// All of these hold.
    All(Vec<GamePrefilter>),
    /// One of these holds.
    Either(Vec<GamePrefilter>),
    /// A position is like this, or was reached like this.
    Event(Event),
    /// A position has at least this many of these pieces.
    AtLeast(Contents, u32),
    /// A position has at most this many of these pieces.
    AtMost(Contents, u32),
    /// A position has at least this many plies before it.
    Plies(u32),
    /// At least this many of these squares have these contents, perhaps at different positions.
    Stands(Pieces, u32),
    /// Pieces with these contents are arranged as in a formation, perhaps at different positions.
    Formation(Vec<Contents>, Formation),
    /// A position has the same pieces as the board with this key.
    Board(BoardKey),
    /// A theme holds at a position.
    Theme(NamedTheme),
}

impl GamePrefilter {
    /// Returns what holds for all games in which a position passes the prefilter of a query. Returns [`GamePrefilter::None`] if games
    /// without a match are wanted.
    pub(crate) fn of(prefilter: &Prefilter, header: &Header) -> GamePrefilter {
        if header.matches(0) {
            GamePrefilter::None
        } else {
            GamePrefilter::of_prefilter(prefilter)
        }
    }

    /// Returns a prefilter that holds for a game if any of these does.
    pub(crate) fn of_any<'p>(prefilters: impl Iterator<Item = &'p GamePrefilter>) -> GamePrefilter {
        either(prefilters.cloned().collect())
    }

    /// Returns the tests that are left for a game that begins at the usual position.
    #[must_use]
    pub(super) fn after_usual_start(&self) -> GamePrefilter {
        let each = |parts: &[GamePrefilter]| parts.iter().map(GamePrefilter::after_usual_start).collect();
        let is_met = match self {
            GamePrefilter::None => true,
            GamePrefilter::All(parts) => return GamePrefilter::all(each(parts)),
            GamePrefilter::Either(parts) => return either(each(parts)),
            GamePrefilter::AtLeast(pieces, least) => *least <= at_start((*pieces).into()),
            GamePrefilter::AtMost(pieces, most) => at_start((*pieces).into()) <= *most,
            GamePrefilter::Plies(plies) => *plies == 0,
            GamePrefilter::Stands(pieces, least) => *least <= at_start(*pieces),
            GamePrefilter::Event(_) | GamePrefilter::Formation(..) | GamePrefilter::Theme(_) => false,
            GamePrefilter::Board(key) => *key == BoardKey::of(&usual_board()),
        };
        if is_met { GamePrefilter::None } else { self.clone() }
    }

    /// Returns the prefilter without tests of squares, except those of kings: the part that databases can test without making positions.
    #[must_use]
    pub(crate) fn without_squares(&self) -> GamePrefilter {
        let each = |parts: &[GamePrefilter]| parts.iter().map(GamePrefilter::without_squares).collect();
        match self {
            GamePrefilter::All(parts) => GamePrefilter::all(each(parts)),
            GamePrefilter::Either(parts) => either(each(parts)),
            GamePrefilter::Formation(..) => GamePrefilter::None,
            part @ GamePrefilter::Stands(..) if !part.is_of_king() => GamePrefilter::None,
            part => part.clone(),
        }
    }

    /// Returns whether it tests the square of a king.
    pub(crate) fn is_of_king(&self) -> bool {
        match self {
            GamePrefilter::Stands(pieces, _) => is_king(pieces.contents),
            _ => false,
        }
    }

    /// Returns whether it tests the squares of kings or pawns.
    pub(crate) fn is_of_squares(&self) -> bool {
        match self {
            GamePrefilter::Stands(pieces, _) => pieces.contents.is_within(Contents::KINGS | Contents::PAWNS),
            GamePrefilter::Formation(..) => true,
            _ => false,
        }
    }

    /// Returns the themes that it requires.
    pub(crate) fn themes(&self) -> Vec<&NamedTheme> {
        match self {
            GamePrefilter::All(parts) | GamePrefilter::Either(parts) => {
                parts.iter().flat_map(GamePrefilter::themes).collect()
            }
            GamePrefilter::Theme(theme) => vec![theme],
            _ => Vec::new(),
        }
    }

    /// Returns the digests of these themes.
    pub(crate) fn digests(&self) -> impl Iterator<Item = ThemeDigest> {
        self.themes().into_iter().map(|theme| theme.digest)
    }

    /// Returns whether every game passes.
    pub(crate) fn is_none(&self) -> bool {
        *self == GamePrefilter::None
    }

    /// Returns whether any part of it is of this kind.
    pub(crate) fn asks(&self, is_of_kind: fn(&GamePrefilter) -> bool) -> bool {
        match self {
            GamePrefilter::All(parts) | GamePrefilter::Either(parts) => parts.iter().any(|part| part.asks(is_of_kind)),
            part => is_of_kind(part),
        }
    }

    /// Returns whether it makes another test superfluous: pieces on certain squares are also on any larger set of squares.
    fn implies(&self, other: &GamePrefilter) -> bool {
        match (self, other) {
            (GamePrefilter::Stands(some, more), GamePrefilter::Stands(pieces, least)) => {
                some.are_among(*pieces) && more >= least && self != other
            }
            _ => false,
        }
    }

    /// Returns a prefilter that holds if all of these hold. Parts that let every game pass, follow from others or repeat are left out.
    pub(crate) fn all(prefilters: Vec<GamePrefilter>) -> GamePrefilter {
        let parts = prefilters.into_iter().flat_map(|prefilter| match prefilter {
            GamePrefilter::None => Vec::new(),
            GamePrefilter::All(parts) => parts,
            one => vec![one],
        });
        let mut prefilters: Vec<GamePrefilter> = parts.collect();
        without_repetitions(&mut prefilters);
        let asked = prefilters.clone();
        prefilters.retain(|prefilter| !asked.iter().any(|other| other.implies(prefilter)));
        match prefilters.len() {
            0 => GamePrefilter::None,
            1 => prefilters.remove(0),
            _ => GamePrefilter::All(prefilters),
        }
    }

    /// Returns what holds for all games in which a position passes a prefilter.
    fn of_prefilter(prefilter: &Prefilter) -> GamePrefilter {
        match prefilter {
            Prefilter::Open
            | Prefilter::ToMove(_)
            | Prefilter::Initial
            | Prefilter::Terminal
            | Prefilter::Capture(_)
            | Prefilter::Gives { .. } => GamePrefilter::None,
            Prefilter::All(prefilters) => {
                let board = whole_board(prefilters).map(|board| GamePrefilter::Board(BoardKey::of(&board)));
                let parts = prefilters.iter().map(GamePrefilter::of_prefilter);
                GamePrefilter::all(board.into_iter().chain(parts).collect())
            }
            Prefilter::Either(prefilters) => either(prefilters.iter().map(GamePrefilter::of_prefilter).collect()),
            Prefilter::Plies(0, _) => GamePrefilter::None,
            Prefilter::Plies(least, _) => GamePrefilter::Plies(*least),
            Prefilter::Holds(held) => GamePrefilter::of_condition(&held.condition),
            Prefilter::Moves(contents, moves) => GamePrefilter::all(vec![
                counted((*contents).into(), 1, u32::MAX),
                GamePrefilter::Plies(*moves),
            ]),
            Prefilter::Event(event) => GamePrefilter::Event(*event),
            Prefilter::Often(held, least) => {
                let plies = (*least > 1).then(|| GamePrefilter::Plies(least - 1));
                let event = (held.condition == BoardCond::Check).then_some(GamePrefilter::Event(Event::Check));
                GamePrefilter::all(plies.into_iter().chain(event).collect())
            }
            Prefilter::Ahead(_, prefilter) | Prefilter::Elsewhere(prefilter) => GamePrefilter::of_prefilter(prefilter),
        }
    }

    /// Returns what holds for all games in which a board fulfils a condition, as far as it is about the number of pieces.
    fn of_condition(condition: &BoardCond) -> GamePrefilter {
        match condition {
            BoardCond::Subset(BoardSet::Squares(squares), BoardSet::Pieces(contents, Bitboard::FULL)) => {
                let pieces = Pieces::from(*contents).on(*squares);
                counted(pieces, squares.count() as u32, u32::MAX)
            }
            BoardCond::Formation(contents, formation) => GamePrefilter::Formation(contents.clone(), formation.clone()),
            condition => condition
                .counted()
                .map_or(GamePrefilter::None, |(pieces, least, most)| {
                    counted(pieces, least, most)
                }),
        }
    }
}

pub(super) fn either(mut prefilters: Vec<GamePrefilter>) -> GamePrefilter {
    /// The squares of more alternatives, such as the copies of a `shift`, are not tested one by one.
    const MOST_WITH_SQUARES: usize = 16;
    without_repetitions(&mut prefilters);
    if prefilters.len() > MOST_WITH_SQUARES {
        prefilters = prefilters.iter().map(GamePrefilter::without_squares).collect();
        without_repetitions(&mut prefilters);
    }
    match prefilters.len() {
        _ if prefilters.iter().any(GamePrefilter::is_none) => GamePrefilter::None,
        1 => prefilters.remove(0),
        _ => GamePrefilter::Either(prefilters),
    }
}

/// Returns the board of the usual initial position.
fn usual_board() -> Board {
    Board::from(&shakmaty::Board::new())
}

/// Returns how many of these squares have these contents in the usual initial position.
fn at_start(pieces: Pieces) -> u32 {
    (pieces.contents.on(&usual_board()) & pieces.squares).count() as u32
}

/// Returns the only board on which all conditions hold, if they fix the contents of each square.
fn whole_board(prefilters: &[Prefilter]) -> Option<Board> {
    const SQUARES: usize = 64;
    let mut on = [Contents::ANY; SQUARES];
    for prefilter in prefilters {
        if let Prefilter::Holds(held) = prefilter {
            fix(&held.condition, &mut on);
        }
    }
    let mut board = Board::default();
    for (square, contents) in Square::ALL.into_iter().zip(on) {
        match contents.only_kind() {
            Some((color, role)) => board = board.with_piece(Bitboard::EMPTY, color, role, square),
            None if contents == Contents::EMPTY => {}
            None => return None,
        }
    }
    Some(board)
}

/// Restricts the contents that each square may have to those that a condition allows.
fn fix(condition: &BoardCond, on: &mut [Contents; 64]) {
    let standing = match condition {
        BoardCond::All(conditions) => return conditions.iter().for_each(|condition| fix(condition, on)),
        BoardCond::Subset(BoardSet::Squares(squares), BoardSet::Pieces(contents, Bitboard::FULL)) => {
            Some(Pieces::from(*contents).on(*squares))
        }
        condition => {
            let counted = condition.counted();
            let all_stand = |(pieces, least, _): &(Pieces, u32, u32)| *least as usize >= pieces.squares.count();
            counted.filter(all_stand).map(|(pieces, ..)| pieces)
        }
    };
    if let Some(pieces) = standing {
        for square in pieces.squares {
            let contents = &mut on[usize::from(square)];
            *contents = *contents & pieces.contents;
        }
    }
}

/// Removes repetitions, such as those among the copies of a transform.
fn without_repetitions(prefilters: &mut Vec<GamePrefilter>) {
    let mut seen: Vec<GamePrefilter> = Vec::new();
    prefilters.retain(|prefilter| {
        let is_new = !seen.contains(prefilter);
        if is_new {
            seen.push(prefilter.clone());
        }
        is_new
    });
}

fn is_king(contents: Contents) -> bool {
    matches!(contents.only_kind(), Some((_, Role::King)))
}

/// Returns what follows from the number of pieces: from the lower limit in any case, from the upper limit if all squares are counted.
fn counted(pieces: Pieces, least: u32, most: u32) -> GamePrefilter {
    let is_anywhere = pieces.squares == Bitboard::FULL;
    let stands = (least > 0 && !is_anywhere).then_some(GamePrefilter::Stands(pieces, least));
    if pieces.contents.intersects(Contents::EMPTY) {
        return stands.unwrap_or(GamePrefilter::None);
    }
    // A king on one of these squares implies that there is a king.
    let known = u32::from(is_king(pieces.contents) && stands.is_some());
    let at_least = (least > known).then_some(GamePrefilter::AtLeast(pieces.contents, least));
    let at_most = (most < u32::MAX && is_anywhere).then_some(GamePrefilter::AtMost(pieces.contents, most));
    GamePrefilter::all(at_least.into_iter().chain(at_most).chain(stands).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Rank, Square};
    use crate::query;
    use crate::query::parse::Options;
    use crate::syntax::Source;

    fn prefilter(filters: &str) -> GamePrefilter {
        let text = if filters.starts_with("cql(") {
            filters.to_owned()
        } else {
            format!("cql() {filters}")
        };
        let source = Source::new("q.cql", text);
        query::compile(&source, &Options::default()).unwrap().game_prefilter
    }

    const WHITE_KING: Contents = Contents::of(Color::White, Role::King);
    const WHITE_ROOK: Contents = Contents::of(Color::White, Role::Rook);

    /// Returns a prefilter that requires these contents on one of these squares.
    fn on(contents: Contents, squares: impl Into<Bitboard>) -> GamePrefilter {
        let squares = squares.into();
        GamePrefilter::Stands(Pieces { contents, squares }, 1)
    }

    #[test]
    fn counts_of_pieces_bound_them() {
        assert_eq!(
            prefilter("R==9"),
            GamePrefilter::All(vec![
                GamePrefilter::AtLeast(WHITE_ROOK, 9),
                GamePrefilter::AtMost(WHITE_ROOK, 9)
            ])
        );
        assert_eq!(prefilter("#R < 2"), GamePrefilter::AtMost(WHITE_ROOK, 1));
        let few = GamePrefilter::AtMost(Contents::PIECES, 7);
        for endgame in [
            "tablebase",
            "wdl==2",
            "0<dtz",
            "wdl==dtz",
            "dtz+1 > 3",
            "not not wdl==0",
        ] {
            let is_known = !endgame.contains('n');
            assert_eq!(prefilter(endgame) == few, is_known, "{endgame}");
        }
        assert_eq!(
            prefilter("#Ra-h7 < 2"),
            GamePrefilter::None,
            "pieces elsewhere do not count"
        );
    }

    #[test]
    fn what_happens_limits_the_games() {
        assert_eq!(prefilter("btm mate"), GamePrefilter::Event(Event::Mate));
        assert_eq!(prefilter("--=N"), GamePrefilter::Event(Event::Promotion(Role::Knight)));
        assert_eq!(prefilter("not mate"), GamePrefilter::None);
        assert_eq!(prefilter("mate or K"), GamePrefilter::Event(Event::Mate).or_kings());
        assert_eq!(prefilter("ply >= 100"), GamePrefilter::Plies(100));
        assert_eq!(
            prefilter("Ra1 K"),
            GamePrefilter::All(vec![
                GamePrefilter::AtLeast(WHITE_ROOK, 1),
                on(WHITE_ROOK, Square::A1),
                GamePrefilter::AtLeast(WHITE_KING, 1)
            ])
        );
        let black_king = WHITE_KING.color_swapped();
        let in_reach = Bitboard::from(Square::A1.rank()) ^ Bitboard::from(Square::A1.file());
        let both = GamePrefilter::All(vec![
            GamePrefilter::AtLeast(WHITE_ROOK, 1),
            on(WHITE_ROOK, Square::A1),
            GamePrefilter::AtLeast(black_king, 1),
            on(black_king, in_reach),
        ]);
        assert_eq!(prefilter("x∊Ra1 {x attacks k}"), both);
    }

    #[test]
    fn moves_bound_games_by_what_stands_before_and_after() {
        let knight = Contents::of(Color::White, Role::Knight);
        let pawn = Contents::of(Color::Black, Role::Pawn);
        let asked = [
            GamePrefilter::AtLeast(knight, 1),
            on(knight, Square::F7),
            GamePrefilter::AtLeast(pawn, 1),
            on(pawn, Square::F7),
            GamePrefilter::Plies(1),
        ];
        let asks = |filters: &str, part: &GamePrefilter| match prefilter(filters) {
            GamePrefilter::All(parts) => parts.contains(part),
            one => one == *part,
        };
        for filters in [
            "N--pf7",
            "Balance=power A N--pf7(power A<Balance)",
            "child:true N[x]pf7",
        ] {
            for part in &asked {
                assert!(asks(filters, part), "{filters}: {part:?}");
            }
        }
        let promoted = prefilter("{--=[QRBN]}");
        assert!(asks("promotedpieces & Q", &promoted));
        assert!(!asks("P--e8", &on(Contents::of(Color::White, Role::Pawn), Square::E8)));
        assert!(asks("line nestban --> mate+", &GamePrefilter::Event(Event::Mate)));
    }

    #[test]
    fn many_finds_take_many_positions() {
        let checks = GamePrefilter::All(vec![GamePrefilter::Plies(14), GamePrefilter::Event(Event::Check)]);
        assert_eq!(prefilter("find all check >= 15"), checks);
        assert_eq!(prefilter("sort find all check >= 15"), checks);
        assert_eq!(prefilter("find all wtm > 9"), GamePrefilter::Plies(9));
        for few in ["find all check", "find all check < 15"] {
            assert_eq!(prefilter(few), GamePrefilter::Event(Event::Check), "{few}");
        }
        for others in [
            "(sort find all check >= 15) or R",
            "not find all check >= 15",
            "find all {check message(\"here\")} >= 15",
        ] {
            assert_eq!(prefilter(others), GamePrefilter::None, "{others}");
        }
    }

    #[test]
    fn only_the_fewest_squares_are_asked_for() {
        let bishop = Contents::of(Color::White, Role::Bishop);
        let diagonal = Bitboard::from_iter([Square::A1, Square::B2, Square::C3, Square::D4]);
        assert_eq!(
            prefilter("ray diagonal (Ba-h1-4 g7)"),
            GamePrefilter::All(vec![GamePrefilter::AtLeast(bishop, 1), on(bishop, diagonal)])
        );
        let pawn = Contents::of(Color::White, Role::Pawn);
        assert_eq!(
            prefilter("P & passedpawns & a-h6-7"),
            GamePrefilter::All(vec![
                GamePrefilter::AtLeast(pawn, 1),
                on(pawn, Bitboard::from(Rank::Sixth) | Bitboard::from(Rank::Seventh))
            ])
        );
    }

    #[test]
    fn kings_on_some_squares_limit_the_games() {
        let on_g1 = on(WHITE_KING, Square::G1);
        assert_eq!(prefilter("Kg1"), on_g1);
        let asks = |filters| prefilter(filters).asks(GamePrefilter::is_of_king);
        assert!(["Kg1", "flipcolor {Kg1 q}"].into_iter().all(asks));
        assert!(!["K Ra1", "[Kk]g1", "#Kg1 < 1"].into_iter().any(asks));
    }

    impl GamePrefilter {
        /// Adds a white king on the board as an alternative.
        fn or_kings(self) -> GamePrefilter {
            GamePrefilter::Either(vec![self, GamePrefilter::AtLeast(WHITE_KING, 1)])
        }
    }

    #[test]
    fn copies_that_ask_the_same_bound_once() {
        let shifted = prefilter("shift {Rd4 Re5}");
        assert!(shifted.asks(|part| matches!(part, GamePrefilter::Formation(..))));
        assert_eq!(shifted.without_squares(), GamePrefilter::AtLeast(WHITE_ROOK, 2));
        let of_color = |rook, square| GamePrefilter::All(vec![GamePrefilter::AtLeast(rook, 1), on(rook, square)]);
        assert_eq!(
            prefilter("flipcolor {Rd4}"),
            GamePrefilter::Either(vec![
                of_color(WHITE_ROOK, Square::D4),
                of_color(WHITE_ROOK.color_swapped(), Square::D5)
            ])
        );
        assert_eq!(
            prefilter("flipcolor {R}"),
            GamePrefilter::Either(vec![
                GamePrefilter::AtLeast(WHITE_ROOK, 1),
                GamePrefilter::AtLeast(WHITE_ROOK.color_swapped(), 1)
            ])
        );
    }

    #[test]
    fn nothing_behind_an_effect_counts() {
        assert_eq!(prefilter("message(\"here\") mate"), GamePrefilter::None);
        assert_eq!(
            prefilter("stalemate message(\"here\") mate"),
            GamePrefilter::Event(Event::Stalemate)
        );
        for block in [
            "x=1 mate",
            "x=. mate",
            "x=1 x+=2 mate",
            "{x=1} mate",
            "x=1 mate message(x)",
        ] {
            assert_eq!(prefilter(block), GamePrefilter::Event(Event::Mate), "{block}");
        }
        for longer in [
            "persistent x=1 mate",
            "{x=1 wtm} mate message(x)",
            "x=1 mate or isbound x",
        ] {
            assert_eq!(prefilter(longer), GamePrefilter::None, "{longer}");
        }
        assert_eq!(prefilter("x={message(\"here\") .} mate"), GamePrefilter::None);
        assert_eq!(prefilter("not {message(\"here\") check} mate"), GamePrefilter::None);
        assert_eq!(
            prefilter("cql(matchcount 0 3) mate"),
            GamePrefilter::None,
            "games without a match are wanted"
        );
    }
}
