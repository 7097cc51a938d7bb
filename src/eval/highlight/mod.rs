//! Finds what made a position match: squares, lines of sight and moves that can be shown on a board.
//!
//! After a match, the parts of the query that hold at the position are visited once more, and what they refer to is
//! noted. This happens in a separate run without visible effects: its messages, comments and tags are thrown
//! away, its variables are copies, it has no files, and its dictionaries begin empty. So effects of a second evaluation
//! do no harm. What cannot be evaluated again is not shown.
//!
//! Three kinds of parts are not shown: those that say that something is *not* there (`not`, empty sets), those that hold at another
//! position (`find`, targets of dashes), and those that are true of too many squares. Only the moves in targets of dashes
//! count, for the line that the match refers to.
//!
//! Each part uses only those before it: `self`, `arrows`, `squares`.

mod arrows;
mod squares;

use crate::board::{Bitboard, Role, Square, attacked};
use crate::chess::{Arrival, Position};
use crate::query::{Assignment, Cond, CondExpr, Flow, Imagined, Node, NumExpr, PosExpr, SetExpr, StrExpr};

use crate::eval::context::{Budget, Context, Stopped};
use crate::eval::interpreter::values::sets::designated;
use crate::eval::interpreter::{Eval, imagine};
use crate::eval::report::Highlights;
use crate::eval::state::dictionaries::Dictionaries;
use crate::eval::state::memo::Memos;
use crate::eval::state::sides::Narrowed;
use crate::eval::state::variables::Variables;
use crate::query::ast::numbers::SetNumber;

/// The largest set that is shown.
const MOST_SQUARES: usize = 8;
/// The most lines of sight or moves of one filter that are shown. If there are more, none is shown.
const MOST_ARROWS: usize = 12;
/// The most loop rounds at one position. What takes longer is not shown.
const MOST_ROUNDS: u64 = 10_000;
/// The most parts of a query visited at one position, including copies and rounds.
const MOST_PARTS: u32 = 20_000;

/// Collects what to highlight at the positions of one game.
pub(super) struct Sketch<'a> {
    context: Context<'a>,
    found: Highlights,
    parts: u32,
}

/// A part of a query that may have something to show where it holds.
pub(super) trait Show {
    /// Notes what the part refers to at a position where it holds.
    fn show<'a>(&'a self, sketch: &mut Sketch<'a>, at: &'a Position);
}

impl<'a> Sketch<'a> {
    /// Creates a sketch for the game of a run. A `patient` sketch may take as long as the run itself.
    pub(super) fn new(of: &Context<'a>, patient: bool) -> Sketch<'a> {
        let most_rounds = if patient { u64::MAX } else { MOST_ROUNDS };
        let budget = Budget {
            max_rounds: of.budget.max_rounds.min(most_rounds),
            called_off: of.budget.called_off,
            share: of.budget.share.another(),
        };
        let context = Context {
            memos: Memos::new(of.query),
            dictionaries: Dictionaries::new(of.query.dictionaries.len()),
            ..Context::new(
                of.query,
                of.prepared,
                of.game,
                of.identities,
                Variables::default(),
                budget,
            )
        };
        Sketch {
            context,
            found: Highlights::default(),
            parts: 0,
        }
    }

    /// Returns what made the query match at a position of a run. Ends the run if it was cancelled.
    pub(super) fn highlights(&mut self, of: &mut Context<'a>, at: &'a Position) -> Highlights {
        let query = of.query;
        self.parts = 0;
        self.found = Highlights::default();
        self.context.stop = None;
        if self.context.has_room(of.variables.string_bytes(), query.body.span, at) && self.context.begin_position(at) {
            self.context.variables.clone_from(&of.variables);
            query.body.show(self, at);
        } else {
            self.found.may_have_tried_more = true;
        }
        self.context.messages.clear();
        self.context.tags.clear();
        self.context.kept = 0;
        let found = std::mem::take(&mut self.found);
        of.kept += found.bytes();
        if of.stop.is_none() {
            of.stop = self.context.stop.take_if(|stop| matches!(stop, Stopped::CalledOff));
        }
        found
    }

    /// Returns the value of `evaluate`, or `None` if the evaluation would have stopped the run.
    fn ask<T>(&mut self, evaluate: impl FnOnce(&mut Context<'a>) -> T) -> Option<T> {
        if matches!(self.context.stop, Some(Stopped::CalledOff)) {
            return None;
        }
        let value = evaluate(&mut self.context);
        match self.context.stop {
            None => Some(value),
            Some(Stopped::CalledOff) => None,
            Some(Stopped::Error(_)) => {
                self.context.stop = None;
                self.found.may_have_tried_more = true;
                None
            }
        }
    }

    fn holds(&mut self, test: &'a Cond, at: &'a Position) -> bool {
        self.ask(|context| test.eval(context, at)) == Some(true)
    }

    /// Shows a part if it holds.
    fn show_if_it_holds(&mut self, part: &'a Cond, at: &'a Position) {
        if self.is_within_budget() && self.holds(part, at) {
            part.show(self, at);
        }
    }

    /// Counts a part. Returns whether it may be visited: the budget is not exhausted and the run goes on.
    fn is_within_budget(&mut self) -> bool {
        self.parts += 1;
        self.found.may_have_tried_more |= self.parts > MOST_PARTS;
        self.parts <= MOST_PARTS && self.context.stop.is_none()
    }

    /// Highlights squares if they are few.
    fn mark(&mut self, squares: Bitboard) {
        if squares.count() <= MOST_SQUARES {
            self.found.squares |= squares;
        }
    }

    /// Adds lines of sight with the squares that belong to them if they are few.
    fn sight(&mut self, rays: &[(Square, Square)], squares: Bitboard) {
        if rays.len() > MOST_ARROWS {
            return;
        }
        for ray in rays {
            if !self.found.rays.contains(ray) {
                self.found.rays.push(*ray);
            }
        }
        self.mark(squares);
    }

    /// Adds moves if they are few.
    fn arrows(&mut self, moves: &[(Square, Square)]) {
        if moves.len() > MOST_ARROWS {
            return;
        }
        for step in moves {
            if !self.found.moves.contains(step) {
                self.found.moves.push(*step);
            }
        }
    }

    /// Adds moves that were tried if they are few.
    fn tried(&mut self, moves: &[Arrival]) {
        if moves.len() > MOST_ARROWS {
            self.found.may_have_tried_more = true;
            return;
        }
        for tried in moves {
            if !self.found.tried.contains(tried) {
                self.found.tried.push(*tried);
            }
        }
    }

    /// Extends the line of the match so that it covers `first` and `last`, which follows `first` in the game.
    fn reach(&mut self, first: &Position, last: &Position) {
        let positions = &self.context.game.positions;
        let ply = |id: u32| positions.get(id as usize).map_or(0, |position| position.ply);
        let (begin, end) = self.found.line.unwrap_or((first.id, last.id));
        self.found.line = Some((
            if first.ply < ply(begin) { first.id } else { begin },
            if last.ply > ply(end) { last.id } else { end },
        ));
    }

    /// Continues the line of the match at a later position. Nothing else of that position is shown.
    fn follow(&mut self, target: &'a impl Show, narrowed: Narrowed, after: &'a Position) {
        let before = self.found.clone();
        let outer = self.context.narrowed.replace(narrowed);
        target.show(self, after);
        self.context.narrowed = outer;
        let line = self.found.line.take();
        let may_have_tried_more = self.found.may_have_tried_more;
        self.found = Highlights {
            line,
            may_have_tried_more,
            ..before
        };
    }

    /// Shows the king in check and the pieces that give check.
    fn checks(&mut self, at: &Position) {
        let board = &at.board;
        let Some(king) = board.pieces(at.turn, Role::King).first() else {
            return;
        };
        let checkers = attacked::attackers_among(board, *board.colors.get(!at.turn), king.into());
        let rays: Vec<_> = checkers.into_iter().map(|checker| (checker, king)).collect();
        self.sight(&rays, checkers | Bitboard::from(king));
    }

    /// Visits a form that passes on the value of a part.
    fn flow<K>(&mut self, flow: &'a Flow<Box<Node<K>>>, at: &'a Position)
    where
        Node<K>: Show + Eval,
    {
        match flow {
            Flow::Group(value) | Flow::Fixed(value) | Flow::Traced(_, value) => value.show(self, at),
            Flow::Block { tests, value } => {
                tests.iter().for_each(|test| test.show(self, at));
                value.show(self, at);
            }
            Flow::If { test, yes, no } => {
                if self.holds(test, at) {
                    test.show(self, at);
                    yes.show(self, at);
                } else {
                    no.show(self, at);
                }
            }
            Flow::At { position, value } => {
                let there = self.ask(|context| position.eval(context, at)).flatten();
                if there.is_some_and(|there| there.id == at.id) {
                    value.show(self, at);
                }
            }
            Flow::Call { arguments, body } => {
                if arguments.iter().all(|argument| self.holds(argument, at)) {
                    body.show(self, at);
                }
            }
            Flow::Entry { .. } => {}
            Flow::Dash(dash, target) => self.move_played(dash, target.as_ref(), at),
            Flow::Previous(dash, target) => self.move_before(dash, target.as_ref(), at),
            Flow::Imagined(imagined, value) => self.imagined(imagined, value.as_ref(), at),
            Flow::Lookahead(moves, target) => self.first_tried(moves, target.as_ref(), at),
        }
    }

    /// Shows what a filter refers to in an imagined position, whose pieces are on the same squares as on the board shown, and the pieces that
    /// are imagined away.
    fn imagined<E: Show>(&mut self, imagined: &'a Imagined, asked: &'a E, at: &'a Position) {
        let context = &mut self.context;
        let branch = context.branch_at(at, matches!(imagined, Imagined::Pass));
        let Some(position) = imagine::position(imagined, &branch, context, at) else {
            return;
        };
        if let Imagined::Without(_) = imagined {
            self.mark(at.board.occupied() & !position.board.occupied());
        }
        let tried = self.found.tried.clone();
        let mut inner = Sketch {
            context: self.context.imagine(&branch),
            found: std::mem::take(&mut self.found),
            parts: self.parts,
        };
        asked.show(&mut inner, &position);
        let Sketch { context, found, parts } = inner;
        self.context.wake(context, at);
        (self.found, self.parts) = (found, parts);
        // The moves tried inside belong to another board.
        self.found.tried = tried;
    }
}

impl Show for Node<CondExpr> {
    fn show<'a>(&'a self, sketch: &mut Sketch<'a>, at: &'a Position) {
        if !sketch.is_within_budget() {
            return;
        }
        match &self.kind {
            CondExpr::NonEmpty(set) | CondExpr::Assign(Assignment::NonEmptySet(_, set) | Assignment::Piece(_, set)) => {
                set.show(sketch, at);
            }
            CondExpr::Subset(set, _) => set.show(sketch, at),
            CondExpr::HasNumber(number) => number.show(sketch, at),
            CondExpr::HasPosition(position) => position.show(sketch, at),
            CondExpr::And(left, right) => {
                left.show(sketch, at);
                right.show(sketch, at);
            }
            CondExpr::Or(left, right) => {
                sketch.show_if_it_holds(left, at);
                sketch.show_if_it_holds(right, at);
            }
            CondExpr::SameSet(left, right) => {
                left.show(sketch, at);
                right.show(sketch, at);
            }
            CondExpr::Check | CondExpr::Mate => sketch.checks(at),
            CondExpr::Stalemate => sketch.mark(at.board.pieces(at.turn, Role::King)),
            CondExpr::Castled(_) | CondExpr::EnPassant => sketch.arrows(&[(at.arrival.from, at.arrival.to)]),
            CondExpr::Move(parameters) => sketch.fitting_moves(parameters, at),
            CondExpr::Placement(designators) => {
                for designator in designators {
                    sketch.mark(designated(designator, &at.board));
                }
            }
            CondExpr::All(each) => sketch.rounds(each, self.span, at),
            CondExpr::AllLookahead(moves) => drop(sketch.accepted_moves(moves, self.span, at)),
            CondExpr::AllFused(fused) => sketch.fused(fused, at),
            CondExpr::Versions(versions) => {
                for copy in &versions.copies {
                    sketch.show_if_it_holds(copy, at);
                }
            }
            CondExpr::Assert(condition) => condition.show(sketch, at),
            CondExpr::Flow(flow) => sketch.flow(flow, at),
            // These refer to nothing on this board, or not for certain.
            _ => {}
        }
    }
}

impl Show for Node<NumExpr> {
    fn show<'a>(&'a self, sketch: &mut Sketch<'a>, at: &'a Position) {
        if !sketch.is_within_budget() {
            return;
        }
        match &self.kind {
            NumExpr::Compare(_, left, right) | NumExpr::Arithmetic(_, left, right) => {
                left.show(sketch, at);
                right.show(sketch, at);
            }
            NumExpr::Sort(_, number) => number.show(sketch, at),
            // A number of pieces says nothing about where they are.
            NumExpr::Count(set) if is_material(set) => {}
            NumExpr::Count(set) | NumExpr::SortSet(_, set) => set.show(sketch, at),
            NumExpr::OfSet(number, set) if *number != SetNumber::Power => set.show(sketch, at),
            NumExpr::CountMoves(dash, target) => sketch.moves_played(dash, target, at),
            NumExpr::CountLegal(legal) => sketch.legal_moves(legal, at),
            NumExpr::CountLookahead(moves) => sketch.tried_moves(moves, self.span, at),
            NumExpr::CountMoveLegal(parameters) => sketch.fitting_moves(parameters, at),
            NumExpr::Path(path) => sketch.path(path, at),
            NumExpr::Line(line) => sketch.line(line, at),
            NumExpr::Versions(versions) => versions.copies.iter().for_each(|copy| copy.show(sketch, at)),
            NumExpr::CountVersions(versions, _) => {
                for copy in &versions.copies {
                    sketch.show_if_it_holds(copy, at);
                }
            }
            NumExpr::Flow(flow) => sketch.flow(flow, at),
            _ => {}
        }
    }
}

impl Show for Node<PosExpr> {
    fn show<'a>(&'a self, sketch: &mut Sketch<'a>, at: &'a Position) {
        match &self.kind {
            PosExpr::Path(path) => sketch.path(path, at),
            PosExpr::Line(line) => sketch.line(line, at),
            PosExpr::Flow(flow) => sketch.flow(flow, at),
            _ => {}
        }
    }
}

impl Show for Node<StrExpr> {
    /// A text has no place on the board.
    fn show<'a>(&'a self, _sketch: &mut Sketch<'a>, _at: &'a Position) {}
}

/// Returns whether a set is all pieces of certain kinds, wherever they are.
fn is_material(set: &Node<SetExpr>) -> bool {
    matches!(&set.kind, SetExpr::Designator(designator) if designator.squares == Bitboard::FULL)
}
