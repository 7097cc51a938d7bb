//! What the evaluation may remember: after a query is built, each `find` and each `echo` learns which of its parts depend on
//! what, so that relations between positions need not be tried pair by pair.
//!
//! A filter without effects whose value depends on nothing but the game and the current position is evaluated once for each
//! position. A relation between two positions becomes a join: what it asks of the source alone and of the target alone is
//! taken out of the pairs, and targets are looked up by the values that it equates.

mod joins;

use std::collections::HashSet;

use super::echo::{Echo, EchoPlan, Equation, Operand, Subject};
use super::node::{Cond, Flow, Num, Pos, Set, Str};
use super::numbers::{Fact, SetNumber};
use super::sets::Together;
use super::transform::{Child, Part};
use super::variables::{PersistentVariable, PosVar, Variable};
use super::{Assignment, CondExpr, Find, Loop, NumExpr, PosExpr, SetExpr, StrExpr, TextItem};
use joins::{equated, equated_numbers, span};

/// How many memos of each kind a query needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoCounts {
    /// For `find`.
    pub finds: u32,
    /// For `echo`.
    pub echoes: u32,
}

/// Plans all relations of a query.
pub(super) fn plan(body: &mut Cond, persistent: &[PersistentVariable]) -> MemoCounts {
    let mut planner = Planner {
        assigned: Scope::of(body, persistent).assigned,
        memos: MemoCounts::default(),
    };
    planner.condition(body);
    planner.memos
}

/// Takes from the front of the body what says the same at every position of a game, so that it is asked once, before the moves
/// of the game are read.
pub(super) fn game_tests(body: &mut Cond) -> Vec<Cond> {
    if let CondExpr::Flow(Flow::Block { tests, value }) = &mut body.kind {
        let count = tests.iter_mut().position(|test| !is_of_game(test));
        let mut taken: Vec<Cond> = tests.drain(..count.unwrap_or(tests.len())).collect();
        if tests.is_empty() && is_of_game(value) {
            taken.push(value.clone());
        }
        return taken;
    }
    if is_of_game(body) {
        vec![body.clone()]
    } else {
        Vec::new()
    }
}

/// Whether a body asks which man stands where: loops over men that were simplified do not.
pub(super) fn follows_men(body: &mut Cond) -> bool {
    fn look(child: Child<'_>, found: &mut bool) {
        *found |= match &child {
            Child::Set(set) => matches!(set.kind, SetExpr::Piece(_) | SetExpr::Pieces(_)),
            Child::Number(number) => {
                matches!(
                    number.kind,
                    NumExpr::Identity(_) | NumExpr::OfSet(SetNumber::PieceId, _)
                )
            }
            Child::Condition(condition) => matches!(
                condition.kind,
                CondExpr::AllPieces(_) | CondExpr::Assign(Assignment::Piece(..))
            ),
            _ => false,
        };
        child.parts(&mut |part| look(part, found));
    }
    let mut found = false;
    look(Child::Condition(body), &mut found);
    found
}

/// Whether a condition says the same at every position of a game, whatever its moves are, and has no effect.
pub(super) fn is_of_game(condition: &mut Cond) -> bool {
    let mut planner = Planner {
        assigned: HashSet::new(),
        memos: MemoCounts::default(),
    };
    planner.condition(condition).is_of_game()
}

/// Where the variables of a query get their values.
pub(super) struct Scope {
    /// The variables that something other than a loop or an `echo` binds.
    assigned: HashSet<Variable>,
}

impl Scope {
    /// The variables of a whole query.
    pub(super) fn of(body: &mut Cond, persistent: &[PersistentVariable]) -> Scope {
        let mut assigned = persistent.iter().map(|persistent| persistent.variable).collect();
        collect_assigned(Child::Condition(body), &mut assigned);
        Scope { assigned }
    }

    /// Whether a variable has a value only inside of loops over it.
    pub(super) fn binds_in_loops_only(&self, variable: Variable) -> bool {
        !self.assigned.contains(&variable)
    }

    /// Whether a set has nothing to do with a variable, neither reads nor binds it.
    pub(super) fn is_free_of(&self, set: &Set, variable: Variable) -> bool {
        let mut set = set.clone();
        let mut planner = Planner {
            assigned: HashSet::from([variable]),
            memos: MemoCounts::default(),
        };
        let reading = planner.set(&mut set);
        !reading.state && !reading.variables.contains(&variable)
    }
}

/// What the value of a filter depends on, besides the game and its effects.
#[derive(Default)]
struct Reading {
    /// The current position.
    here: bool,
    /// Other positions of the game, so that its moves must be known.
    tree: bool,
    /// Variables that are bound outside of the filter.
    variables: HashSet<Variable>,
    /// More than that: whether variables are bound, what a path has found, which move a line has fixed.
    state: bool,
    /// There is an `echo` inside, so that copies could be many.
    echo: bool,
}

impl Reading {
    fn here() -> Reading {
        Reading {
            here: true,
            ..Reading::default()
        }
    }

    fn of_state() -> Reading {
        Reading {
            state: true,
            ..Reading::default()
        }
    }

    fn of_variable(variable: Variable) -> Reading {
        Reading {
            variables: HashSet::from([variable]),
            ..Reading::default()
        }
    }

    fn join(&mut self, other: Reading) {
        self.here |= other.here;
        self.tree |= other.tree;
        self.variables.extend(other.variables);
        self.state |= other.state;
        self.echo |= other.echo;
    }

    /// The value is the same in the whole game, and known without its moves. Whatever has an effect counts as reading the current
    /// position.
    fn is_of_game(&self) -> bool {
        !self.here && !self.tree && !self.echo && self.is_of_position()
    }

    /// The value is a function of the current position.
    fn is_of_position(&self) -> bool {
        !self.state && self.variables.is_empty()
    }
}

/// The variables of an `echo`.
#[derive(Clone, Copy)]
struct Pair {
    source: PosVar,
    target: PosVar,
}

impl Pair {
    fn subject(self, reading: &Reading) -> Subject {
        let target = Variable::Position(self.target);
        if reading.state {
            Subject::Pair
        } else if !reading.here && !reading.variables.contains(&target) {
            Subject::Source
        } else if reading.variables.iter().all(|variable| *variable == target) {
            Subject::Target
        } else {
            Subject::Pair
        }
    }
}

struct Planner {
    /// The variables that something other than a loop or an `echo` binds.
    assigned: HashSet<Variable>,
    memos: MemoCounts,
}

impl Planner {
    fn child(&mut self, child: Child<'_>) -> Reading {
        match child {
            Child::Set(set) => self.set(set),
            Child::Number(number) => self.number(number),
            Child::String(string) => self.string(string),
            Child::Position(position) => self.position(position),
            Child::Condition(condition) => self.condition(condition),
            other => {
                let mut reading = Reading::default();
                other.parts(&mut |part| reading.join(self.child(part)));
                reading
            }
        }
    }

    fn part<N: Part>(&mut self, part: &mut N) -> Reading {
        let mut reading = Reading::default();
        part.child(&mut |child| reading.join(self.child(child)));
        reading
    }

    fn set(&mut self, set: &mut Set) -> Reading {
        let mut reading = match &mut set.kind {
            SetExpr::Flow(flow) => return self.flow(flow),
            SetExpr::Variable(variable) => return Reading::of_variable(Variable::Set(*variable)),
            SetExpr::Piece(variable) => {
                let mut reading = Reading::of_variable(Variable::Piece(*variable));
                reading.here = true;
                return reading;
            }
            SetExpr::Squares(squares) => return self.over(Variable::Set(squares.variable), squares),
            SetExpr::Pieces(pieces) => return self.over(Variable::Piece(pieces.variable), pieces),
            SetExpr::Together(together) => return self.together(together),
            SetExpr::Move(parameters) if parameters.tied => Reading::of_state(),
            SetExpr::Designator(designator) if !designator.has_contents => Reading::default(),
            SetExpr::Constant(_)
            | SetExpr::Complement(_)
            | SetExpr::Intersection(..)
            | SetExpr::Union(..)
            | SetExpr::Common(..)
            | SetExpr::SquareColor { .. }
            | SetExpr::Between(..)
            | SetExpr::Intersections(_)
            | SetExpr::MakeSquare(..)
            | SetExpr::NamedSquare(_)
            | SetExpr::Versions(_) => Reading::default(),
            _ => Reading::here(),
        };
        set.kind.children(&mut |child| reading.join(self.child(child)));
        reading
    }

    fn number(&mut self, number: &mut Num) -> Reading {
        let mut reading = match &mut number.kind {
            NumExpr::Flow(flow) => return self.flow(flow),
            NumExpr::Variable(variable) => return Reading::of_variable(Variable::Number(*variable)),
            NumExpr::Identity(variable) => return Reading::of_variable(Variable::Piece(*variable)),
            NumExpr::PathCount { .. } | NumExpr::PathCountUnfocused | NumExpr::Entries(_) | NumExpr::GroupStart(_) => {
                return Reading::of_state();
            }
            NumExpr::Find(find, _) => return self.find(find),
            NumExpr::Echo(echo) => return self.echo(echo),
            NumExpr::ConsecutiveMoves(run) => {
                let mut reading = Reading::of_variable(Variable::Position(run.first.variable));
                reading.variables.insert(Variable::Position(run.second.variable));
                return reading;
            }
            NumExpr::Literal(_)
            | NumExpr::Negate(_)
            | NumExpr::Arithmetic(..)
            | NumExpr::Compare(..)
            | NumExpr::Abs(_)
            | NumExpr::Sqrt(_)
            | NumExpr::Max(_)
            | NumExpr::Min(_)
            | NumExpr::Count(_)
            | NumExpr::Length(_)
            | NumExpr::Parse(_)
            | NumExpr::Code(_)
            | NumExpr::IndexOf(..)
            | NumExpr::Distance(..)
            | NumExpr::Color(_)
            | NumExpr::Rating(_)
            | NumExpr::BestRating
            | NumExpr::Year
            | NumExpr::Fact(Fact::GameNumber | Fact::LastGameNumber)
            | NumExpr::Versions(_) => Reading::default(),
            _ => Reading::here(),
        };
        number.kind.children(&mut |child| reading.join(self.child(child)));
        reading
    }

    fn string(&mut self, string: &mut Str) -> Reading {
        let mut reading = match &mut string.kind {
            StrExpr::Flow(flow) => return self.flow(flow),
            StrExpr::Variable(variable) => return Reading::of_variable(Variable::String(*variable)),
            StrExpr::Group(_) | StrExpr::ReadFile(_) => return Reading::of_state(),
            StrExpr::Match { kept, .. } => Reading {
                state: *kept,
                ..Reading::default()
            },
            StrExpr::Text(items) => items.iter().fold(Reading::here(), |mut reading, item| {
                if let TextItem::Variable(variable, _) = item {
                    reading.variables.insert(*variable);
                }
                reading
            }),
            StrExpr::Literal(_)
            | StrExpr::Concat(..)
            | StrExpr::Compare(..)
            | StrExpr::Part(..)
            | StrExpr::Uppercase(_)
            | StrExpr::Lowercase(_)
            | StrExpr::Max(_)
            | StrExpr::Min(_)
            | StrExpr::Character(_)
            | StrExpr::Player(_)
            | StrExpr::Players
            | StrExpr::PlayerTag(_)
            | StrExpr::GameTag(_)
            | StrExpr::Tag(_) => Reading::default(),
            _ => Reading::here(),
        };
        string.kind.children(&mut |child| reading.join(self.child(child)));
        reading
    }

    fn position(&mut self, position: &mut Pos) -> Reading {
        let mut reading = match &mut position.kind {
            PosExpr::Flow(flow) => return self.flow(flow),
            PosExpr::Variable(variable) => return Reading::of_variable(Variable::Position(*variable)),
            PosExpr::PathStart | PosExpr::PathLast => return Reading::of_state(),
            PosExpr::Find(find) => return self.find(find),
            PosExpr::Initial | PosExpr::Numbered(_) => Reading {
                tree: true,
                ..Reading::default()
            },
            PosExpr::CommonAncestor(..) | PosExpr::Compare(..) => Reading::default(),
            _ => Reading::here(),
        };
        position.kind.children(&mut |child| reading.join(self.child(child)));
        reading
    }

    fn condition(&mut self, condition: &mut Cond) -> Reading {
        let mut reading = match &mut condition.kind {
            CondExpr::Flow(flow) => return self.flow(flow),
            CondExpr::Echo(echo) => return self.echo(echo),
            CondExpr::AllSquares(squares) => return self.over(Variable::Set(squares.variable), squares),
            CondExpr::AllPieces(pieces) => return self.over(Variable::Piece(pieces.variable), pieces),
            CondExpr::AllTogether(together) => return self.together(together),
            CondExpr::IsBound { .. }
            | CondExpr::Dictionary(..)
            | CondExpr::WhileMatch { .. }
            | CondExpr::WriteFile { .. } => Reading::of_state(),
            CondExpr::Move(parameters) if parameters.tied => Reading::of_state(),
            CondExpr::Constant(_)
            | CondExpr::NonEmpty(_)
            | CondExpr::HasNumber(_)
            | CondExpr::HasString(_)
            | CondExpr::HasPosition(_)
            | CondExpr::Not(_)
            | CondExpr::And(..)
            | CondExpr::Or(..)
            | CondExpr::SameSet(..)
            | CondExpr::Subset(..)
            | CondExpr::Substring(..)
            | CondExpr::Equal(..)
            | CondExpr::Ancestor { .. }
            | CondExpr::Result(_)
            | CondExpr::Variant(_)
            | CondExpr::Versions(_) => Reading::default(),
            _ => Reading::here(),
        };
        condition.kind.children(&mut |child| reading.join(self.child(child)));
        reading
    }

    fn flow<N: Part>(&mut self, flow: &mut Flow<N>) -> Reading {
        match flow {
            Flow::At { position, value } => {
                let mut reading = self.position(position);
                let there = self.part(value);
                reading.join(Reading { here: false, ..there });
                reading
            }
            Flow::Group(_) | Flow::Block { .. } | Flow::If { .. } | Flow::Fixed(_) => {
                let mut reading = Reading::default();
                flow.children(&mut |child| reading.join(self.child(child)));
                reading
            }
            Flow::Call { arguments, body } => {
                let mut reading = self.part(body);
                // What is passed is bound inside.
                for variable in arguments.iter().filter_map(bound_by) {
                    reading.variables.remove(&variable);
                }
                for argument in arguments {
                    reading.join(self.condition(argument));
                }
                reading
            }
            Flow::Entry { .. } => {
                let mut reading = Reading::of_state();
                flow.children(&mut |child| reading.join(self.child(child)));
                reading
            }
            Flow::Dash(..) | Flow::Previous(..) => {
                let mut reading = Reading::here();
                flow.children(&mut |child| reading.join(self.child(child)));
                reading
            }
        }
    }

    /// A loop over a domain: its variable is bound inside, unless it may have been bound outside, which ends the run.
    fn over<V>(&mut self, variable: Variable, squares: &mut Loop<V>) -> Reading {
        let mut reading = self.condition(&mut squares.body);
        reading.join(self.set(&mut squares.domain));
        reading.variables.remove(&variable);
        reading.here |= matches!(variable, Variable::Piece(_));
        reading.state |= self.assigned.contains(&variable);
        reading
    }

    fn together(&mut self, together: &mut Together) -> Reading {
        let mut reading = self.set(&mut together.kept);
        reading.join(self.set(&mut together.domain));
        reading.variables.remove(&Variable::Set(together.variable));
        reading
    }

    fn find(&mut self, find: &mut Find) -> Reading {
        let mut reading = self.condition(&mut find.body);
        if reading.is_of_position() {
            find.memo = Some(self.memos.finds);
            self.memos.finds += 1;
        }
        reading.here = true;
        reading
    }

    fn echo(&mut self, echo: &mut Echo) -> Reading {
        let pair = Pair {
            source: echo.source.variable,
            target: echo.target.variable,
        };
        let mut whole = Reading::default();
        let mut plan = EchoPlan {
            memo: self.memos.echoes,
            ..EchoPlan::default()
        };
        self.memos.echoes += 1;
        for test in &mut echo.tests {
            let reading = self.condition(&mut test.condition);
            test.subject = pair.subject(&reading);
            if test.subject == Subject::Pair && !reading.echo {
                plan.equations
                    .extend(equated(&test.condition.kind).and_then(|sides| self.equation(sides, pair)));
                plan.spans.extend(span(&test.condition.kind, pair));
            }
            whole.join(reading);
        }
        if let Some(value) = &mut echo.value {
            let reading = self.number(value);
            if !reading.echo {
                plan.equations
                    .extend(equated_numbers(&value.kind).and_then(|sides| self.equation(sides, pair)));
            }
            whole.join(reading);
        }
        echo.plan = plan;
        for variable in [pair.source, pair.target].map(Variable::Position) {
            whole.variables.remove(&variable);
            // It must be unbound when the `echo` begins, else the run ends.
            whole.state |= self.assigned.contains(&variable);
        }
        whole.here = true;
        whole.echo = true;
        whole
    }

    /// The equation of two sides, if one is of the source and the other of the target.
    fn equation(&mut self, (left, right): (Operand, Operand), pair: Pair) -> Option<Equation> {
        let (mut left, mut right) = (left, right);
        match (self.subject(&mut left, pair), self.subject(&mut right, pair)) {
            (Subject::Target, Subject::Source) => Some(Equation {
                target: left,
                source: right,
            }),
            (Subject::Source, Subject::Target) => Some(Equation {
                target: right,
                source: left,
            }),
            _ => None,
        }
    }

    fn subject(&mut self, operand: &mut Operand, pair: Pair) -> Subject {
        let mut reading = Reading::default();
        match operand {
            Operand::Value(filter) => filter.child(&mut |child| reading.join(self.child(child))),
            Operand::Board(position) => reading.join(self.position(position)),
        }
        pair.subject(&reading)
    }
}

/// Collects the variables that assignments and calls bind.
fn collect_assigned(child: Child<'_>, assigned: &mut HashSet<Variable>) {
    if let Child::Condition(condition) = &child {
        assigned.extend(bound_by(condition));
    }
    child.parts(&mut |part| collect_assigned(part, assigned));
}

/// The variable that a condition binds.
fn bound_by(condition: &Cond) -> Option<Variable> {
    match &condition.kind {
        CondExpr::Assign(assignment) => assignment.binds(),
        _ => None,
    }
}
