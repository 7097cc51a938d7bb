//! Whole-game pruning: rules out games by a summary of all their positions.

use super::condition::Event;
use super::game::GamePrefilter;
use crate::board::columns::Lanes;
use crate::board::{Bitboard, Contents, PieceCounts, numbers_of};
use crate::game::Game;
use crate::query::columns::Pieces;

/// Summaries of several games, one per lane.
pub(crate) trait Overviews {
    /// Lanes whose first position is the usual one.
    fn begin_usually(&self) -> Lanes;
    /// Lanes with at least so many plies.
    fn have_plies(&self, plies: u32) -> Lanes;
    /// Where something may hold of the least and of the most pieces of each kind.
    fn may_count(&self, holds: impl Fn(PieceCounts, PieceCounts) -> bool) -> Lanes;
    /// Where a position may be like this, or may have been reached like this.
    fn may_have(&self, event: Event) -> Lanes;
    /// Where something may hold of the squares that have one of some contents at one position or another.
    fn may_stand(&self, contents: Contents, holds: impl Fn(Bitboard) -> bool) -> Lanes;
}

/// A summary of all positions of a game, as far as they are known.
pub(crate) trait Overview {
    /// Whether the first position is that with which games usually begin.
    fn begins_usually(&self) -> bool;
    /// No position has more plies before it.
    fn plies(&self) -> u32;
    /// The least and the most pieces of each kind.
    fn counts(&self) -> Option<[PieceCounts; 2]>;
    /// Whether a position may be like this, or may have been reached like this.
    fn may_have(&self, event: Event) -> bool;
    /// The squares that have one of some contents at one position or another.
    fn ever(&self, contents: Contents) -> Option<Bitboard>;
}

/// One game is the first of several.
impl<G: Overview> Overviews for G {
    #[inline]
    fn begin_usually(&self) -> Lanes {
        self.begins_usually().into()
    }

    #[inline]
    fn have_plies(&self, plies: u32) -> Lanes {
        (self.plies() >= plies).into()
    }

    #[inline]
    fn may_count(&self, holds: impl Fn(PieceCounts, PieceCounts) -> bool) -> Lanes {
        self.counts().is_none_or(|[least, most]| holds(least, most)).into()
    }

    #[inline]
    fn may_have(&self, event: Event) -> Lanes {
        Overview::may_have(self, event).into()
    }

    #[inline]
    fn may_stand(&self, contents: Contents, holds: impl Fn(Bitboard) -> bool) -> Lanes {
        self.ever(contents).is_none_or(holds).into()
    }
}

/// A game that has been read, or whose boards at least stand side by side.
impl Overview for Game {
    fn begins_usually(&self) -> bool {
        self.start.is_none()
    }

    fn plies(&self) -> u32 {
        u32::try_from(self.len()).unwrap_or(u32::MAX).saturating_sub(1)
    }

    fn counts(&self) -> Option<[PieceCounts; 2]> {
        self.piece_counts()
    }

    fn may_have(&self, _event: Event) -> bool {
        // The positions are asked for it.
        true
    }

    fn ever(&self, contents: Contents) -> Option<Bitboard> {
        self.ever_on(contents)
    }
}

/// A [`GamePrefilter`], prepared for being tested on many games.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct GameTest {
    /// What is asked of any game, if it is something.
    of_any: Option<Test>,
    /// Of games that begin as usual less has to be asked.
    of_usual: Option<Test>,
}

impl GameTest {
    /// A test that allows what the prefilter does; what fewest games fulfil is asked first.
    pub(crate) fn of(prefilter: &GamePrefilter) -> GameTest {
        let asked = |prefilter: &GamePrefilter| (!prefilter.is_none()).then(|| Test::of(prefilter.rarest_first()));
        GameTest {
            of_any: asked(prefilter),
            of_usual: asked(&prefilter.after_usual_start()),
        }
    }

    /// Whether a position of a game may be as a query wants one.
    #[inline]
    pub(crate) fn allows(&self, game: &impl Overview) -> bool {
        self.allowed(game, 1) != 0
    }

    /// Of which of several games a position may be as a query wants one.
    #[inline]
    pub(crate) fn allowed(&self, games: &impl Overviews, asked: Lanes) -> Lanes {
        let allowed = |test: &Option<Test>, asked: Lanes| match test {
            Some(test) if asked != 0 => test.allowed(games, asked),
            _ => asked,
        };
        if self.of_any.is_none() {
            return asked;
        }
        let usual = games.begin_usually();
        allowed(&self.of_usual, asked & usual) | allowed(&self.of_any, asked & !usual)
    }
}

/// The parts of a prefilter. Limits of pieces of one kind are asked all at once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Test {
    limits: Limits,
    /// So many squares have to have these pieces at one position or another.
    stands: Vec<(Pieces, u32)>,
    /// Parts that are asked one by one.
    others: Vec<GamePrefilter>,
    /// One of each of these has to be passed.
    choices: Vec<Vec<Test>>,
}

impl Test {
    fn of(prefilter: GamePrefilter) -> Test {
        let mut test = Test::default();
        test.take(prefilter);
        test
    }

    fn take(&mut self, prefilter: GamePrefilter) {
        match prefilter {
            GamePrefilter::None => {}
            GamePrefilter::All(parts) => parts.into_iter().for_each(|part| self.take(part)),
            GamePrefilter::Either(parts) => self.choices.push(parts.into_iter().map(Test::of).collect()),
            GamePrefilter::Stands(pieces, least) => self.stands.push((pieces, least)),
            part if self.limits.take(&part) => {}
            part => self.others.push(part),
        }
    }

    /// Those of the games that are asked that pass it.
    fn allowed(&self, games: &impl Overviews, asked: Lanes) -> Lanes {
        let mut left = asked & self.limits.allowed(games);
        for part in &self.others {
            if left == 0 {
                return 0;
            }
            left = part.allowed(games, left);
        }
        for (pieces, least) in &self.stands {
            if left == 0 {
                return 0;
            }
            left &= stand(*pieces, *least, games);
        }
        for choices in &self.choices {
            left = one_of(choices, left, |choice, asked| choice.allowed(games, asked));
        }
        left
    }
}

/// Those of the games that are asked that pass one of some choices.
fn one_of<T>(choices: &[T], asked: Lanes, allowed: impl Fn(&T, Lanes) -> Lanes) -> Lanes {
    let mut passed = 0;
    for choice in choices {
        if passed == asked {
            break;
        }
        passed |= allowed(choice, asked & !passed);
    }
    passed
}

/// Where so many of some squares may have some contents at one position or another.
fn stand(pieces: Pieces, least: u32, games: &impl Overviews) -> Lanes {
    let Pieces { contents, squares } = pieces;
    match least {
        1 => games.may_stand(contents, |ever| (ever & squares).any()),
        least => games.may_stand(contents, |ever| (ever & squares).count() >= least as usize),
    }
}

impl GamePrefilter {
    /// Whether a position of a game may be as a query wants one. A [`GameTest`] is quicker where it is asked of many games.
    #[cfg(feature = "database")]
    pub(crate) fn allows(&self, game: &impl Overview) -> bool {
        self.allowed(game, 1) != 0
    }

    /// Those of the games that are asked of which a position may be as a query wants one.
    fn allowed(&self, games: &impl Overviews, asked: Lanes) -> Lanes {
        asked
            & match self {
                GamePrefilter::None => asked,
                GamePrefilter::All(parts) => parts.iter().fold(asked, |left, part| part.allowed(games, left)),
                GamePrefilter::Either(parts) => one_of(parts, asked, |part, asked| part.allowed(games, asked)),
                GamePrefilter::Event(event) => games.may_have(*event),
                GamePrefilter::AtLeast(pieces, least) => games.may_count(|_, most| most.of_contents(*pieces) >= *least),
                GamePrefilter::AtMost(pieces, most) => games.may_count(|least, _| least.of_contents(*pieces) <= *most),
                GamePrefilter::Plies(plies) => games.have_plies(*plies),
                GamePrefilter::Stands(pieces, least) => stand(*pieces, *least, games),
            }
    }
}

/// Limits of pieces of one kind, or of all of a colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Limits {
    /// So many there must be at some position.
    most_reaches: PieceCounts,
    /// More there must not be at some position.
    least_stays_within: PieceCounts,
}

impl Default for Limits {
    /// None.
    fn default() -> Limits {
        Limits {
            most_reaches: PieceCounts(0),
            least_stays_within: PieceCounts(u64::MAX),
        }
    }
}

impl Limits {
    /// Takes a limit among the others; whether it can.
    fn take(&mut self, part: &GamePrefilter) -> bool {
        let (GamePrefilter::AtLeast(pieces, limit) | GamePrefilter::AtMost(pieces, limit)) = part else {
            return false;
        };
        let (kings, places) = numbers_of(*pieces);
        let (&[place], Some(limit @ 0..=15)) = (&places[..], limit.checked_sub(kings)) else {
            return false;
        };
        let limit = u64::from(limit);
        if matches!(part, GamePrefilter::AtLeast(..)) {
            self.most_reaches.set(place, limit.max(self.most_reaches.get(place)));
        } else {
            self.least_stays_within
                .set(place, limit.min(self.least_stays_within.get(place)));
        }
        true
    }

    fn allowed(&self, games: &impl Overviews) -> Lanes {
        if *self == Limits::default() {
            return Lanes::MAX;
        }
        games
            .may_count(|least, most| most.are_at_least(self.most_reaches) & self.least_stays_within.are_at_least(least))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::columns::Parts;
    use crate::pgn::{GameReader, Scope, sample};
    use crate::query;
    use crate::query::parse::Options;
    use crate::syntax::Source;

    /// Two boards' pieces as the least and the most of a game, of which nothing else is known.
    struct Counts([PieceCounts; 2]);

    impl Overview for Counts {
        fn begins_usually(&self) -> bool {
            false
        }

        fn plies(&self) -> u32 {
            0
        }

        fn counts(&self) -> Option<[PieceCounts; 2]> {
            Some(self.0)
        }

        fn may_have(&self, _event: Event) -> bool {
            true
        }

        fn ever(&self, _contents: Contents) -> Option<Bitboard> {
            None
        }
    }

    #[test]
    fn limits_that_are_asked_at_once_allow_what_each_allows() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut counts = || PieceCounts(random.u64(..) >> 16);
        let pairs: Vec<[PieceCounts; 2]> = (0..300).map(|_| [counts(), counts()]).collect();
        let contents = [1, 1 << 3, 1 << 5, 1 << 7, 1 << 12, 0x3f, 0x1f80, 0x1fbf, 3, 0].map(Contents);
        let (mut allowed, mut asked) = (0, 0);
        for _ in 0..3000 {
            let part = |random: &mut fastrand::Rng| {
                let (pieces, limit) = (contents[random.usize(..contents.len())], random.u32(..18));
                match random.bool() {
                    true => GamePrefilter::AtLeast(pieces, limit),
                    false => GamePrefilter::AtMost(pieces, limit),
                }
            };
            let parts = |random: &mut fastrand::Rng| (0..4).map(|_| part(random)).collect();
            let choices = |random: &mut fastrand::Rng| {
                let choice = |random: &mut fastrand::Rng| match random.bool() {
                    true => part(random),
                    false => GamePrefilter::All(parts(random)),
                };
                GamePrefilter::Either((0..3).map(|_| choice(random)).collect())
            };
            let prefilter = match random.u32(..4) {
                0 => part(&mut random),
                1 => GamePrefilter::All(parts(&mut random)),
                2 => choices(&mut random),
                _ => GamePrefilter::All(vec![choices(&mut random), part(&mut random), choices(&mut random)]),
            };
            let test = GameTest::of(&prefilter);
            let game = Counts(pairs[random.usize(..pairs.len())]);
            assert_eq!(
                test.allows(&game),
                prefilter.allows(&game),
                "{prefilter:?} {:?}",
                game.0
            );
            allowed += u32::from(test.allows(&game));
            asked += u32::from(test.of_any.is_some_and(|test| test.others.is_empty()));
        }
        assert!(allowed > 500 && asked > 500, "{allowed} {asked}");
    }

    /// Whether a query may match a game of its main line, as far as can be told of all its positions together.
    fn allows(filters: &str, pgn: &str) -> bool {
        let batch = sample::batch(pgn);
        let mut game = Game::default();
        GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true);
        game.fill_columns(Parts::ALL);
        let source = Source::new("q.cql", format!("cql() {filters}"));
        let query = query::compile(&source, &Options::default()).unwrap();
        GameTest::of(&query.game_prefilter).allows(&game)
    }

    #[test]
    fn a_game_is_left_out_if_a_square_never_has_its_piece() {
        const LINE: &str =
            "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. Nf3 c6 5. d4 Nf6 6. Bc4 Bf5 7. O-O e6 8. Re1 Bb4 9. Bd2 O-O *\n";
        for (filters, may_match) in [
            ("Pd5", true),
            ("Pd6", false),
            ("Pd4 Pd5", true),
            ("qd5 Nc3", true),
            ("[Nn][c3,h8]", true),
            ("[Nn][a3,h8]", false),
            ("_[e2,h8]", true),
            ("_[a8,a7]", false),
            ("Kg1 kg8", true),
            ("Kc1", false),
            ("P[e2,e4,e5] == 2", true),
            ("P[d2,d4,d5] == 3", true),
            ("P[d2,d4,d6] == 3", false),
            ("flipcolor {Pd6}", false),
            ("flipcolor {Pe7}", false),
            ("fliphorizontal {Pe7 Rf8}", true),
            ("P == 7", true),
            ("P == 6", false),
            ("[Aa] == 30", true),
            ("[Aa] == 29", false),
            ("Q == 2", false),
            ("Ra1 or Pd6", true),
        ] {
            assert_eq!(allows(filters, LINE), may_match, "{filters}");
        }
    }

    #[test]
    fn positions_of_variations_and_promotions_are_looked_at() {
        const START: &str = "[FEN \"k7/6P1/8/8/8/8/8/K7 w - - 0 1\"]\n\n";
        let promoted = format!("{START}1. g8=Q+ Kb7 *\n");
        assert!(allows("Q P==0", &promoted) && !allows("N", &promoted));
        let in_variation = format!("{START}1. Kb1 (1. g8=N Kb8 (1... Ka7)) 1... Kb7 *\n");
        assert!(allows("N P==0 ka7 Kb1", &in_variation) && !allows("Q", &in_variation));
        assert!(!allows("ka6", &in_variation));
    }
}
