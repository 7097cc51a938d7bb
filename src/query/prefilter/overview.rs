//! Whole-game pruning: rules out games by a summary of all their positions.

use super::condition::Event;
use super::game::GamePrefilter;
use crate::board::columns::Lanes;
use crate::board::{BoardKey, Contents, PieceCounts};
use crate::game::Game;
use crate::query::algebra::Pieces;
use crate::query::ast::ThemeDigest;
use crate::query::ast::versions::Formation;

/// A summary of all positions of a game, as far as they are known, or of several games, one in each lane.
pub(crate) trait Overview {
    /// Returns the lanes whose first position is the usual one.
    fn begin_usually(&self) -> Lanes;
    /// Returns the lanes with at least this many plies.
    fn have_plies(&self, plies: u32) -> Lanes;
    /// Returns the lanes where `holds` may be true of the least and the most pieces of each kind.
    fn may_count(&self, holds: impl Fn(PieceCounts, PieceCounts) -> bool) -> Lanes;
    /// Returns the lanes where a position may be like this, or may have been reached like this.
    fn may_have(&self, _event: Event) -> Lanes {
        Lanes::MAX
    }
    /// Returns the lanes where at least this many of these squares may have these contents, perhaps at different positions.
    fn may_stand(&self, _pieces: Pieces, _least: u32) -> Lanes {
        Lanes::MAX
    }
    /// Returns the lanes where pieces with these contents may be arranged as in a formation.
    fn may_show(&self, _formation: &Formation, _contents: &[Contents]) -> Lanes {
        Lanes::MAX
    }
    /// Returns the lanes where a position may have the same pieces as the board with this key.
    fn may_have_board(&self, _key: BoardKey) -> Lanes {
        Lanes::MAX
    }
    /// Returns the lanes where a theme may hold at a position.
    fn may_have_theme(&self, _theme: ThemeDigest) -> Lanes {
        Lanes::MAX
    }
}

/// A game that has been read, or at least has its boards side by side. It is in the first lane. Squares and events are not summarized; they
/// are tested at the positions.
impl Overview for Game {
    fn begin_usually(&self) -> Lanes {
        self.start.is_none().into()
    }

    fn have_plies(&self, plies: u32) -> Lanes {
        (self.most_plies() >= plies).into()
    }

    fn may_count(&self, holds: impl Fn(PieceCounts, PieceCounts) -> bool) -> Lanes {
        self.piece_counts()
            .is_none_or(|[least, most]| holds(least, most))
            .into()
    }
}

/// A [`GamePrefilter`] that is tested on many games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GameTest {
    of_any: GamePrefilter,
    /// Fewer tests are left for games with the usual initial position, so most queries need not count pieces.
    of_usual: GamePrefilter,
}

impl GameTest {
    pub(crate) fn of(prefilter: &GamePrefilter) -> GameTest {
        GameTest {
            of_any: prefilter.clone(),
            of_usual: prefilter.after_usual_start(),
        }
    }

    /// Returns whether a game may have a position that passes.
    #[inline]
    pub(crate) fn allows(&self, game: &impl Overview) -> bool {
        self.allowed(game, 1) != 0
    }

    /// Returns the lanes among `asked` whose game may have a position that passes.
    #[inline]
    pub(crate) fn allowed(&self, games: &impl Overview, asked: Lanes) -> Lanes {
        if self.of_any.is_none() {
            return asked;
        }
        let usual = games.begin_usually();
        self.of_usual.allowed(games, asked & usual) | self.of_any.allowed(games, asked & !usual)
    }
}

impl GamePrefilter {
    /// Returns the lanes among `asked` whose game may have a position that passes.
    fn allowed(&self, games: &impl Overview, asked: Lanes) -> Lanes {
        if asked == 0 {
            return 0;
        }
        asked
            & match self {
                GamePrefilter::None => asked,
                GamePrefilter::All(parts) => parts.iter().fold(asked, |left, part| part.allowed(games, left)),
                GamePrefilter::Either(parts) => parts
                    .iter()
                    .fold(0, |passed, part| passed | part.allowed(games, asked & !passed)),
                GamePrefilter::Event(event) => games.may_have(*event),
                GamePrefilter::AtLeast(pieces, least) => games.may_count(|_, most| most.of_contents(*pieces) >= *least),
                GamePrefilter::AtMost(pieces, most) => games.may_count(|least, _| least.of_contents(*pieces) <= *most),
                GamePrefilter::Plies(plies) => games.have_plies(*plies),
                GamePrefilter::Formation(contents, formation) => games.may_show(formation, contents),
                GamePrefilter::Board(key) => games.may_have_board(*key),
                GamePrefilter::Theme(theme) => games.may_have_theme(theme.digest),
                GamePrefilter::Stands(pieces, least) => games.may_stand(*pieces, *least),
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{GameReader, Scope, sample};
    use crate::query;
    use crate::query::parse::Options;
    use crate::syntax::Source;

    /// Returns whether a query may match the main line of a game, judged by all its positions together.
    fn allows(filters: &str, pgn: &str) -> bool {
        let batch = sample::batch(pgn);
        let mut game = Game::default();
        GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true);
        let source = Source::new("q.cql", format!("cql() {filters}"));
        let query = query::compile(&source, &Options::default()).unwrap();
        GameTest::of(&query.game_prefilter).allows(&game)
    }

    #[test]
    fn a_game_is_left_out_if_it_never_has_so_many_pieces() {
        const LINE: &str =
            "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qa5 4. Nf3 c6 5. d4 Nf6 6. Bc4 Bf5 7. O-O e6 8. Re1 Bb4 9. Bd2 O-O *\n";
        for (filters, may_match) in [
            ("P == 7", true),
            ("P == 6", false),
            ("[Aa] == 30", true),
            ("[Aa] == 29", false),
            ("Q == 2", false),
            ("flipcolor {P == 6}", false),
            ("P == 7 or Q == 2", true),
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
    }
}
