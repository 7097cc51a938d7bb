//! Extracts what must hold where played moves fit, and where paths and lines begin.

use shakmaty::{Color, Role};

use super::extractor::{Extractor, Requirement, next};
use crate::board::{Bitboard, Contents};
use crate::query::algebra::Pieces;
use crate::query::ast::Dash;
use crate::query::ast::moves::{Lookahead, Move, MoveSource, Promotion};
use crate::query::ast::node::Set;
use crate::query::ast::paths::{self, Focus, Item, PathStep};
use crate::query::prefilter::condition::{Event, Prefilter, all, elsewhere};

/// The maximum number of moves that a glance looks ahead.
const MOST_AHEAD: usize = 4;

impl<'q> Extractor<'q, '_> {
    /// Returns what holds where a path begins.
    pub(super) fn path(&self, path: &'q paths::Path) -> Prefilter {
        let first = path.program.first_step().and_then(|step| match (step, &path.focus) {
            (PathStep::Test(filter), _) => self.condition(filter),
            (PathStep::Move(..), Some(Focus::Pieces { set, .. })) => self.set(&set.kind),
            (PathStep::Move(..), _) => self.first_move(path),
        });
        all(first.into_iter().chain(self.focused_moves(path)).collect())
    }

    /// Returns what holds where a path begins with a move from here, before it does anything else.
    pub(super) fn first_move(&self, path: &'q paths::Path) -> Requirement {
        let (Some(PathStep::Move(dash, target)), None | Some(Focus::SideToMove)) =
            (path.program.first_step(), &path.focus)
        else {
            return None;
        };
        let mut found: Vec<Prefilter> = vec![self.next_move(dash)?];
        // The target, and the tests before the next move.
        let later = path.program.leading_steps().skip(1);
        let tests = later.map_while(|step| match step {
            PathStep::Test(filter) => Some(filter),
            PathStep::Move(..) => None,
        });
        let mut ahead = Vec::new();
        let away = self.away();
        // An impure part only ends the list: the path may still begin.
        let _ = target
            .iter()
            .chain(tests)
            .try_for_each(|test| away.prefix(test, &mut ahead));
        found.push(next(all(ahead)));
        Some(all(found))
    }

    /// Returns what holds where a path begins that counts only moves of certain pieces: one of them makes the next move.
    fn focused_moves(&self, path: &'q paths::Path) -> Requirement {
        let least = path.program.least_advances();
        match &path.focus {
            Some(Focus::Pieces { set, capture: false }) if least > 0 => {
                let Pieces { contents, .. } = self.cover(&set.kind)?;
                let stay = !contents.intersects(Contents::PAWNS | Contents::EMPTY);
                stay.then_some(Prefilter::Moves(contents, least))
            }
            _ => None,
        }
    }

    /// Returns what holds where a line begins. Its items are evaluated one after the other, the first one here.
    pub(super) fn items(&self, line: &'q paths::Line) -> Prefilter {
        let away = self.away();
        let item = |item: &'q Item| away.condition(&item.filter).unwrap_or(Prefilter::Open);
        let Some(first) = line.program.first_step().map(item) else {
            return Prefilter::Open;
        };
        if line.backward || line.single_color || line.primary == Some(false) {
            return first;
        }
        let later = line.program.leading_steps().map(item).enumerate().skip(1);
        let ahead = later
            .take(MOST_AHEAD)
            .filter(|(_, prefilter)| !prefilter.is_open())
            .map(|(moves, prefilter)| Prefilter::Ahead(moves, Box::new(prefilter)));
        all([first].into_iter().chain(ahead).collect())
    }

    /// Returns what holds where a move played from here fits: pieces before it and after it.
    pub(super) fn next_move(&self, dash: &'q Dash) -> Requirement {
        let (left, right) = (dash.left.as_ref(), dash.right.as_ref());
        let mut found = vec![Self::promotion(dash.promotion.as_ref())?];
        for set in [left, right].into_iter().flatten() {
            found.push(self.set(&set.kind)?);
        }
        found.extend(self.played(left, dash.capture));
        found.extend(self.arrived(left, right, dash.capture).map(next));
        Some(all(found))
    }

    /// Returns what holds where a `move` without effects fits.
    pub(super) fn move_of(&self, fitting: &'q Move) -> Prefilter {
        let Move { from, to, capture, .. } = fitting;
        let (from, to) = (from.as_ref(), to.as_ref());
        match fitting.source {
            MoveSource::Legal | MoveSource::Pseudolegal => self.movers(from),
            MoveSource::Continuations => {
                let sets = [from, to, capture.as_ref()].into_iter().flatten();
                let mut found: Vec<Prefilter> = sets.filter_map(|set| self.set(&set.kind)).collect();
                if let Some(pieces) = &fitting.promote {
                    found.push(becomes(|role| pieces.contents.have(role)));
                }
                found.extend(self.played(from, capture.is_some()));
                found.extend(self.arrived(from, to, false).map(next));
                all(found)
            }
            MoveSource::Previous => Prefilter::Open,
        }
    }

    /// Returns what holds where a piece of a set makes a move, which captures if `captures`.
    fn played(&self, from: Option<&'q Set>, captures: bool) -> Vec<Prefilter> {
        let movers = self.side(from);
        let may_be_any =
            |contents: Contents| Contents::WHITE.is_within(contents) || Contents::BLACK.is_within(contents);
        let of_kinds =
            movers.filter(|Pieces { contents, .. }| !contents.intersects(Contents::EMPTY) && !may_be_any(*contents));
        let capture = captures.then_some(Prefilter::Capture(movers));
        let moves = of_kinds.map(|Pieces { contents, .. }| Prefilter::Moves(contents, 1));
        capture.into_iter().chain(moves).collect()
    }

    /// Returns what holds where the move that led here fits: pieces before it and after it.
    pub(super) fn last_move(&self, dash: &'q Dash) -> Requirement {
        let (left, right) = (dash.left.as_ref(), dash.right.as_ref());
        let mut found = vec![Self::promotion(dash.promotion.as_ref())?];
        for set in [left, right].into_iter().flatten() {
            found.push(elsewhere(self.set(&set.kind)?));
        }
        found.extend(self.arrived(left, right, dash.capture));
        Some(all(found))
    }

    /// Returns what holds after a move that fits: a piece that could move is on a square where it could arrive. `None` for pawns that may
    /// promote or capture en passant.
    fn arrived(&self, from: Option<&'q Set>, to: Option<&'q Set>, captures: bool) -> Requirement {
        let Pieces { contents, .. } = self.side(from)?;
        let Pieces { squares, .. } = self.side(to)?;
        // A pawn that promotes becomes another piece, and one that captures en passant does not arrive on the square of the captured pawn.
        let becomes_another = contents.intersects(Contents::PAWNS) && squares.intersects(Bitboard::BACKRANKS);
        let passes = contents.intersects(Contents::PAWNS) && captures;
        let is_known = !contents.intersects(Contents::EMPTY) && !becomes_another && !passes;
        is_known.then(|| Pieces { contents, squares }.standing(1))
    }

    /// Returns what holds where moves from a set are legal: the set has a square, and its pieces are of the side to move.
    pub(super) fn movers(&self, from: Option<&'q Set>) -> Prefilter {
        let Some(from) = from else {
            return Prefilter::Open;
        };
        let color = self.side(Some(from)).and_then(|Pieces { contents, .. }| {
            let is_of = |color: &Color| contents.is_within(Contents::of_color(*color));
            Color::ALL.into_iter().find(is_of)
        });
        let movers = color.map(Prefilter::ToMove);
        all(movers.into_iter().chain(self.set(&from.kind)).collect())
    }

    /// Returns what holds where the target holds after one of the moves that are tried.
    pub(super) fn tried(&self, moves: &'q Lookahead) -> Prefilter {
        let gives = moves.required.map(|given| Prefilter::Gives {
            given,
            after_pass: false,
        });
        let movers = self.movers(moves.from.as_ref());
        all([movers].into_iter().chain(gives).collect())
    }

    /// Returns the pieces that may be on the squares of one side of a dash.
    fn side(&self, side: Option<&'q Set>) -> Option<Pieces> {
        self.cover(&side?.kind)
    }

    /// Returns what holds where a promotion that fits is played, here or elsewhere.
    fn promotion(promotion: Option<&Promotion>) -> Requirement {
        match promotion {
            None => Some(Prefilter::Open),
            Some(Promotion::Any) => Some(becomes(|_| true)),
            Some(Promotion::To(pieces)) => Some(becomes(|role| pieces.contents.have(role))),
            Some(Promotion::Letters(_)) => None,
        }
    }
}

/// Returns what holds where a pawn is promoted to a role for which `asked` is true.
pub(super) fn becomes(asked: impl Fn(Role) -> bool) -> Prefilter {
    let roles = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];
    let asked = roles.into_iter().filter(|role| asked(*role));
    Prefilter::Either(
        asked
            .map(|role| elsewhere(Prefilter::Event(Event::Promotion(role))))
            .collect(),
    )
}
