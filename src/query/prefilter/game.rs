//! What a game must have for a query to match any of its positions: facts that can be known without its moves.

#[cfg(feature = "database")]
use std::cmp::Reverse;

use super::super::Query;
use super::{CondColumn, Event, Pieces, Prefilter};
use crate::board::{Bitboard, Color, Contents, Role};

/// A condition on a whole game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum GamePrefilter {
    /// Any game fulfils it.
    None,
    /// All of these.
    All(Vec<GamePrefilter>),
    /// One of these.
    Either(Vec<GamePrefilter>),
    /// Some position is like this, or was reached like this.
    Event(Event),
    /// Some position has at least so many of these pieces.
    AtLeast(Contents, u32),
    /// Some position has at most so many of these pieces.
    AtMost(Contents, u32),
    /// Some position has so many plies before it.
    Plies(u32),
    /// In some position the king of a colour is on one of these squares.
    King(Color, Bitboard),
}

impl GamePrefilter {
    /// What the games of a query have in common in which its body matches or does anything but fail.
    pub(crate) fn of(query: &Query) -> GamePrefilter {
        if query.header.matches(0) {
            GamePrefilter::None
        } else {
            GamePrefilter::of_prefilter(&Prefilter::of(&query.body, &query.locals, &query.header))
        }
    }

    /// What the games have in common in which the body of any of some queries matches or does anything but fail.
    #[cfg(feature = "database")]
    pub(crate) fn of_any(queries: &[&Query]) -> GamePrefilter {
        either(queries.iter().map(|query| GamePrefilter::of(query)).collect())
    }

    /// The same, with the parts of "all of these" in the order in which they are asked best: first those that fewest games fulfil.
    #[cfg(feature = "database")]
    #[must_use]
    pub(crate) fn rarest_first(self) -> GamePrefilter {
        match self {
            GamePrefilter::All(parts) => {
                let mut parts: Vec<GamePrefilter> = parts.into_iter().map(GamePrefilter::rarest_first).collect();
                parts.sort_by_key(|part| Reverse(part.rarity()));
                GamePrefilter::All(parts)
            }
            GamePrefilter::Either(parts) => {
                GamePrefilter::Either(parts.into_iter().map(GamePrefilter::rarest_first).collect())
            }
            part => part,
        }
    }

    /// How rare the games are that fulfil it, as a rank. Games begin with all pieces: lower limits are seldom of use, upper limits the
    /// more so the more pieces have to go.
    #[cfg(feature = "database")]
    fn rarity(&self) -> u32 {
        const FULL_BOARD: u32 = 32;
        match self {
            GamePrefilter::None => 0,
            GamePrefilter::All(parts) => parts.iter().map(GamePrefilter::rarity).max().unwrap_or(0),
            GamePrefilter::Either(parts) => parts.iter().map(GamePrefilter::rarity).min().unwrap_or(0),
            GamePrefilter::AtLeast(pieces, least) if *least <= at_start(*pieces) => 1,
            GamePrefilter::AtMost(pieces, most) => 1 + at_start(*pieces).saturating_sub(*most),
            GamePrefilter::Plies(_) | GamePrefilter::King(..) => 2,
            GamePrefilter::AtLeast(..) | GamePrefilter::Event(_) => FULL_BOARD + 2,
        }
    }

    /// Whether it lets every game pass.
    pub(crate) fn is_none(&self) -> bool {
        *self == GamePrefilter::None
    }

    /// Whether it asks something of this kind.
    #[cfg(feature = "database")]
    pub(crate) fn asks(&self, is_of_kind: fn(&GamePrefilter) -> bool) -> bool {
        match self {
            GamePrefilter::All(parts) | GamePrefilter::Either(parts) => parts.iter().any(|part| part.asks(is_of_kind)),
            part => is_of_kind(part),
        }
    }

    /// All of these, without those that let every game pass, and each once.
    pub(crate) fn all(prefilters: Vec<GamePrefilter>) -> GamePrefilter {
        let parts = prefilters.into_iter().flat_map(|prefilter| match prefilter {
            GamePrefilter::None => Vec::new(),
            GamePrefilter::All(parts) => parts,
            one => vec![one],
        });
        let mut prefilters: Vec<GamePrefilter> = parts.collect();
        without_repetitions(&mut prefilters);
        match prefilters.len() {
            0 => GamePrefilter::None,
            1 => prefilters.remove(0),
            _ => GamePrefilter::All(prefilters),
        }
    }

    /// What the games have in common in which some position fulfils a prefilter.
    fn of_prefilter(prefilter: &Prefilter) -> GamePrefilter {
        match prefilter {
            Prefilter::Open
            | Prefilter::ToMove(_)
            | Prefilter::Initial
            | Prefilter::Terminal
            | Prefilter::InLine(..)
            | Prefilter::Reach(..)
            | Prefilter::Capture(_)
            | Prefilter::Holds(..) => GamePrefilter::None,
            Prefilter::All(prefilters) => {
                GamePrefilter::all(prefilters.iter().map(GamePrefilter::of_prefilter).collect())
            }
            Prefilter::Either(prefilters) => either(prefilters.iter().map(GamePrefilter::of_prefilter).collect()),
            Prefilter::Plies(plies) => GamePrefilter::Plies(*plies),
            Prefilter::Count(pieces, least, most) => counted(*pieces, *least, *most),
            Prefilter::Placed(contents, squares) => {
                let pieces = Pieces {
                    contents: *contents,
                    squares: *squares,
                };
                counted(pieces, squares.count() as u32, u32::MAX)
            }
            Prefilter::Moves(contents, moves) => GamePrefilter::all(vec![
                counted((*contents).into(), 1, u32::MAX),
                GamePrefilter::Plies(*moves),
            ]),
            Prefilter::Event(event) => GamePrefilter::Event(*event),
            Prefilter::Often(held, least) => {
                let plies = (*least > 1).then(|| GamePrefilter::Plies(least - 1));
                let event = (held.condition == CondColumn::Check).then_some(GamePrefilter::Event(Event::Check));
                GamePrefilter::all(plies.into_iter().chain(event).collect())
            }
            Prefilter::Ahead(_, prefilter) | Prefilter::Elsewhere(prefilter) => GamePrefilter::of_prefilter(prefilter),
        }
    }
}

fn either(mut prefilters: Vec<GamePrefilter>) -> GamePrefilter {
    without_repetitions(&mut prefilters);
    match prefilters.len() {
        _ if prefilters.iter().any(GamePrefilter::is_none) => GamePrefilter::None,
        1 => prefilters.remove(0),
        _ => GamePrefilter::Either(prefilters),
    }
}

/// How many of these pieces a game begins with.
#[cfg(feature = "database")]
fn at_start(pieces: Contents) -> u32 {
    let of_role = |role| match role {
        Role::Pawn => 8,
        Role::Knight | Role::Bishop | Role::Rook => 2,
        Role::Queen | Role::King => 1,
    };
    let kinds = Color::ALL
        .into_iter()
        .flat_map(|color| Role::ALL.map(|role| (color, role)));
    let counted = kinds.filter(|(color, role)| pieces.intersects(Contents::of(*color, *role)));
    counted.map(|(_, role)| of_role(role)).sum()
}

/// Leaves one of each, such as of the copies that a transform made.
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

/// What follows from a number of pieces: for the lower limit wherever they stand, for the upper one if all of them are counted.
fn counted(pieces: Pieces, least: u32, most: u32) -> GamePrefilter {
    if pieces.contents.intersects(Contents::EMPTY) {
        return GamePrefilter::None;
    }
    let king = match pieces.contents.only_kind() {
        Some((color, Role::King)) if least > 0 && pieces.squares != Bitboard::FULL => {
            Some(GamePrefilter::King(color, pieces.squares))
        }
        _ => None,
    };
    // Where a king has to stand somewhere, there has to be one.
    let at_least = (least > u32::from(king.is_some())).then_some(GamePrefilter::AtLeast(pieces.contents, least));
    let at_most =
        (most < u32::MAX && pieces.squares == Bitboard::FULL).then_some(GamePrefilter::AtMost(pieces.contents, most));
    GamePrefilter::all(at_least.into_iter().chain(at_most).chain(king).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::query::{self, Options};
    use crate::syntax::Source;

    fn prefilter(filters: &str) -> GamePrefilter {
        let text = if filters.starts_with("cql(") {
            filters.to_owned()
        } else {
            format!("cql() {filters}")
        };
        let source = Source::new("q.cql", text);
        GamePrefilter::of(&query::compile(&source, &Options::default()).unwrap())
    }

    const WHITE_KING: Contents = Contents::of(Color::White, Role::King);
    const WHITE_ROOK: Contents = Contents::of(Color::White, Role::Rook);

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
            let is_known = !endgame.contains(['+', 'n']);
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
                GamePrefilter::AtLeast(WHITE_KING, 1)
            ])
        );
        let both = GamePrefilter::All(vec![
            GamePrefilter::AtLeast(WHITE_ROOK, 1),
            GamePrefilter::AtLeast(WHITE_KING.color_swapped(), 1),
        ]);
        assert_eq!(prefilter("x∊Ra1 {x attacks k}"), both);
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
    fn kings_on_some_squares_limit_the_games() {
        let on_g1 = GamePrefilter::King(Color::White, Square::G1.into());
        assert_eq!(prefilter("Kg1"), on_g1);
        let asks = |filters| prefilter(filters).asks(|part| matches!(part, GamePrefilter::King(..)));
        assert!(["Kg1", "flipcolor {Kg1 q}"].into_iter().all(asks));
        assert!(!["K Ra1", "[Kk]g1", "#Kg1 < 1"].into_iter().any(asks));
    }

    #[cfg(feature = "database")]
    #[test]
    fn what_fewest_games_have_is_asked_first() {
        let GamePrefilter::All(parts) = prefilter("R==1 P==1 [Aa]==5 mate ply>80").rarest_first() else {
            panic!("several things are asked");
        };
        assert_eq!(
            parts[..4],
            [
                GamePrefilter::Event(Event::Mate),
                GamePrefilter::AtMost(Contents::PIECES, 5),
                GamePrefilter::AtMost(Contents::of(Color::White, Role::Pawn), 1),
                GamePrefilter::Plies(81),
            ]
        );
    }

    impl GamePrefilter {
        /// This, or a white king on the board.
        fn or_kings(self) -> GamePrefilter {
            GamePrefilter::Either(vec![self, GamePrefilter::AtLeast(WHITE_KING, 1)])
        }
    }

    #[test]
    fn copies_that_ask_the_same_bound_once() {
        assert_eq!(prefilter("shift {Rd4 Re5}"), GamePrefilter::AtLeast(WHITE_ROOK, 2));
        assert_eq!(
            prefilter("flipcolor {Rd4}"),
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
        assert_eq!(prefilter("x=1 mate"), GamePrefilter::None);
        assert_eq!(prefilter("x=. mate"), GamePrefilter::Event(Event::Mate), "only a name");
        assert_eq!(prefilter("x={message(\"here\") .} mate"), GamePrefilter::None);
        assert_eq!(prefilter("not {message(\"here\") check} mate"), GamePrefilter::None);
        assert_eq!(
            prefilter("cql(matchcount 0 3) mate"),
            GamePrefilter::None,
            "games without a match are wanted"
        );
    }
}
