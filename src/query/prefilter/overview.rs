//! Whole-game pruning: rules out games by a summary of all their positions.

use super::condition::Event;
use super::game::GamePrefilter;
use crate::board::columns::Lanes;
use crate::board::{BoardKey, Contents, PieceCounts};
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
