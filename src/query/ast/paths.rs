//! Sequences of positions: `path` and `line` (chapter 7).

use crate::query::ast::node::{Cond, Num, Set};
use crate::query::ast::program::{Program, Step};
use crate::query::ast::variables::Variable;
use crate::query::ast::{Dash, Effect, Range};
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
    /// The atomic variables: those that are taken back with moves.
    pub atomic: Vec<Variable>,
    /// Whether it matters how often its filters are evaluated.
    pub effect: Effect,
    /// Only whether there is a sequence is asked, unless comments tell which one: any will do.
    pub any: bool,
    /// Its text.
    pub span: Span,
}

impl Path {
    /// Leaves out its comments.
    pub(crate) fn silence(&mut self) {
        self.quiet = true;
        self.verbose = false;
        self.piece_path = false;
        self.keep_all_best = false;
        self.title = None;
    }
}

impl Path {
    /// The move that the path has to begin with, played from where it begins.
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
        /// Captures of these pieces count as well.
        capture: bool,
    },
    /// `singlecolor`: those of the side to move at the start.
    SideToMove,
}

/// A constituent of a path.
#[derive(Clone, Debug)]
pub(crate) enum PathStep {
    /// A filter that must hold here.
    Test(Cond),
    /// A move, and what must hold after it.
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
    /// `<--`: from the position to the initial one.
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
    /// Whether it matters how often its filters are evaluated.
    pub effect: Effect,
    /// Its text.
    pub span: Span,
}

/// An item of a line: what must hold at one of its positions.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// The filter.
    pub filter: Cond,
    /// It refers to the move to the next position by `move`, so that it is evaluated for each such move.
    pub fixes_next: bool,
}

impl Step for Item {
    fn advances(&self) -> bool {
        true
    }
}
