//! Sequences of positions: `path` and `line` (chapter 7).

use crate::query::ast::facts::Effects;
use crate::query::ast::node::{Cond, Num, Set};
use crate::query::ast::program::{Program, Step};
use crate::query::ast::variables::Variable;
use crate::query::ast::{Dash, Range};
use crate::syntax::token::Span;

/// `path …`
#[derive(Clone, Debug)]
pub(crate) struct Path {
    /// The constituents.
    pub program: Program<PathStep>,
    /// `2 5`
    pub range: Option<Range>,
    /// `focus S`, `singlecolor`
    pub focus: Option<Focus>,
    /// `max n`
    pub max: Option<Num>,
    /// `title "…"`
    pub title: Option<Vec<u8>>,
    /// `primary`
    pub primary: bool,
    /// `firstmatch`
    pub first_match: bool,
    /// `keepallbest`
    pub keep_all_best: bool,
    /// `nestban`
    pub nest_ban: bool,
    /// `verbose`
    pub verbose: bool,
    /// `quiet`
    pub quiet: bool,
    /// `piecepath`
    pub piece_path: bool,
    /// The atomic variables: their changes are undone when moves are taken back.
    pub atomic: Vec<Variable>,
    /// The effects of evaluating its filters.
    pub effects: Effects,
    /// Whether any sequence will do: only its existence is asked for, unless comments show it.
    pub any: bool,
    /// Its text.
    pub span: Span,
}

impl Path {
    /// Removes its comments.
    pub(crate) fn silence(&mut self) {
        self.quiet = true;
        self.verbose = false;
        self.piece_path = false;
        self.keep_all_best = false;
        self.title = None;
    }

    /// Returns the move that the path must begin with, played from the position where it begins.
    pub(crate) fn first_move(&self) -> Option<&Dash> {
        match self.program.first_step() {
            Some(PathStep::Move(dash, _)) if !matches!(self.focus, Some(Focus::Pieces { .. })) => Some(dash),
            _ => None,
        }
    }
}

/// The pieces whose moves count.
#[derive(Clone, Debug)]
pub(crate) enum Focus {
    /// `focus capture? S`
    Pieces {
        /// S, evaluated at the start.
        set: Set,
        /// Whether captures of these pieces count, too.
        capture: bool,
    },
    /// `singlecolor`: the pieces of the side to move at the start.
    SideToMove,
}

/// A constituent of a path.
#[derive(Clone, Debug)]
pub(crate) enum PathStep {
    /// A filter that must match here.
    Test(Cond),
    /// A move, and a filter that must match after it.
    Move(Dash, Option<Cond>),
}

impl Step for PathStep {
    fn advances(&self) -> bool {
        matches!(self, PathStep::Move(..))
    }
}

/// `line --> f --> g …`
#[derive(Clone, Debug)]
pub(crate) struct Line {
    /// The items.
    pub program: Program<Item>,
    /// `<--`: whether it leads back to the initial position.
    pub backward: bool,
    /// `2 5`
    pub range: Option<Range>,
    /// `singlecolor`
    pub single_color: bool,
    /// `primary` (`true`), `secondary` (`false`)
    pub primary: Option<bool>,
    /// `nestban`
    pub nest_ban: bool,
    /// `firstmatch`
    pub first_match: bool,
    /// `quiet`
    pub quiet: bool,
    /// The effects of evaluating its filters.
    pub effects: Effects,
    /// Its text.
    pub span: Span,
}

/// An item of a line: a filter that must match at one of its positions.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// The filter.
    pub filter: Cond,
    /// Whether a `move` in the filter refers to the move to the next position: then it is evaluated for each such move.
    pub fixes_next: bool,
}

impl Step for Item {
    fn advances(&self) -> bool {
        true
    }
}
