//! What filters depend on.

use std::collections::HashSet;
use std::mem;

use super::joins::{equated, equated_numbers, span};
use super::{MemoCounts, Plan, bound_by, follow, plan_parts};
use crate::query::ast::echo::{Echo, EchoPlan, Equation, Operand, Subject, conjuncts};
use crate::query::ast::node::{Cond, Flow, Num, Pos, Set, Str};
use crate::query::ast::numbers::Fact;
use crate::query::ast::sets::Together;
use crate::query::ast::variables::{PosVar, Variable};
use crate::query::ast::visit::{Child, ChildMut, Part, Parts};
use crate::query::ast::{CondExpr, Find, Lookup, Loop, NumExpr, PosExpr, SetExpr, StrExpr, TextItem};

/// What the value of a filter depends on, besides the game and its effects.
#[derive(Default)]
pub(crate) struct Reading {
    /// The current position.
    here: bool,
    /// Other positions of the game, so that its moves must be known.
    tree: bool,
    /// Variables that are bound outside of the filter.
    pub(crate) variables: HashSet<Variable>,
    /// More than that: whether variables are bound, what a path has found, which move a line has fixed.
    pub(crate) state: bool,
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
    pub(crate) fn is_of_game(&self) -> bool {
        !self.here && !self.tree && !self.echo && self.is_of_position()
    }

    /// The same where some variables have values that are the same in the whole game.
    pub(crate) fn is_of_game_with(&self, known: &HashSet<Variable>) -> bool {
        !self.here && !self.tree && !self.echo && !self.state && self.variables.is_subset(known)
    }

    /// The value is a function of the current position.
    fn is_of_position(&self) -> bool {
        !self.state && self.variables.is_empty()
    }
}

/// The variables of an `echo`.
#[derive(Clone, Copy)]
pub(crate) struct Pair {
    pub(crate) source: PosVar,
    pub(crate) target: PosVar,
}

impl Pair {
    /// The variable of the target.
    fn name(self) -> Option<Variable> {
        Some(Variable::Position(self.target))
    }
}

/// What a filter depends on that is evaluated at a target, which may have a variable.
fn subject(reading: &Reading, target: Option<Variable>) -> Subject {
    if reading.state {
        Subject::Pair
    } else if !reading.here && target.is_none_or(|target| !reading.variables.contains(&target)) {
        Subject::Source
    } else if reading.variables.iter().all(|variable| Some(*variable) == target) {
        Subject::Target
    } else {
        Subject::Pair
    }
}

/// Finds out what filters depend on, and plans the relations among them if they are wanted.
pub(crate) struct Reader<'a> {
    /// The variables that something other than a loop or an `echo` binds.
    assigned: &'a HashSet<Variable>,
    /// The plans of what was read, in the order in which it begins.
    plans: Option<Vec<Plan>>,
    memos: MemoCounts,
    /// What regular expressions have matched is kept and read by nothing else, so that it is no state.
    knows_groups: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(assigned: &'a HashSet<Variable>) -> Reader<'a> {
        Reader {
            assigned,
            plans: None,
            memos: MemoCounts::default(),
            knows_groups: false,
        }
    }

    /// One of which filters may keep and read what regular expressions have matched.
    pub(crate) fn with_groups(assigned: &'a HashSet<Variable>) -> Reader<'a> {
        Reader {
            knows_groups: true,
            ..Reader::new(assigned)
        }
    }

    /// One that makes plans.
    pub(crate) fn planning(assigned: &'a HashSet<Variable>) -> Reader<'a> {
        Reader {
            plans: Some(Vec::new()),
            ..Reader::new(assigned)
        }
    }

    /// The plans of all `find` and `echo` that were read, and how many memos they need.
    pub(crate) fn into_plans(self) -> (Vec<Plan>, MemoCounts) {
        (self.plans.unwrap_or_default(), self.memos)
    }
}

impl Reader<'_> {
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

    fn part<N: Part>(&mut self, part: &N) -> Reading {
        let mut reading = Reading::default();
        part.child(&mut |child| reading.join(self.child(child)));
        reading
    }

    /// What the parts of something depend on.
    pub(crate) fn parts(&mut self, whole: &impl Parts) -> Reading {
        let mut reading = Reading::default();
        whole.children(&mut |child| reading.join(self.child(child)));
        reading
    }

    pub(crate) fn set(&mut self, set: &Set) -> Reading {
        let mut reading = match &set.kind {
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

    fn number(&mut self, number: &Num) -> Reading {
        let mut reading = match &number.kind {
            NumExpr::Flow(flow) => return self.flow(flow),
            NumExpr::Variable(variable) => return Reading::of_variable(Variable::Number(*variable)),
            NumExpr::Identity(variable) => return Reading::of_variable(Variable::Piece(*variable)),
            NumExpr::GroupStart(_) if self.knows_groups => return Reading::default(),
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
            | NumExpr::TimeControl(_)
            | NumExpr::Fact(Fact::GameNumber | Fact::LastGameNumber)
            | NumExpr::Versions(_) => Reading::default(),
            NumExpr::Study(study) if study.is_of_tags() => Reading::default(),
            _ => Reading::here(),
        };
        number.kind.children(&mut |child| reading.join(self.child(child)));
        reading
    }

    pub(crate) fn string(&mut self, string: &Str) -> Reading {
        let mut reading = match &string.kind {
            StrExpr::Flow(flow) => return self.flow(flow),
            StrExpr::Variable(variable) => return Reading::of_variable(Variable::String(*variable)),
            StrExpr::Group(_) if self.knows_groups => return Reading::default(),
            StrExpr::Group(_) | StrExpr::ReadFile(_) => Reading::of_state(),
            StrExpr::Match { kept, .. } => Reading {
                state: *kept && !self.knows_groups,
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
            | StrExpr::Replace(..)
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
            StrExpr::Study(text) if text.is_of_tags() => Reading::default(),
            _ => Reading::here(),
        };
        string.kind.children(&mut |child| reading.join(self.child(child)));
        reading
    }

    fn position(&mut self, position: &Pos) -> Reading {
        let mut reading = match &position.kind {
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

    pub(crate) fn condition(&mut self, condition: &Cond) -> Reading {
        let mut reading = match &condition.kind {
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
            | CondExpr::SubstringInAnyCase(..)
            | CondExpr::Equal(..)
            | CondExpr::Ancestor { .. }
            | CondExpr::Result(_)
            | CondExpr::Variant(_)
            | CondExpr::Versions(_) => Reading::default(),
            CondExpr::Study(study) if study.is_of_tags() => Reading::default(),
            _ => Reading::here(),
        };
        condition.kind.children(&mut |child| reading.join(self.child(child)));
        reading
    }

    fn flow<N: Part>(&mut self, flow: &Flow<N>) -> Reading {
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
            Flow::Dash(..) | Flow::Previous(..) | Flow::Tried(..) | Flow::Imagined(..) => {
                let mut reading = Reading::here();
                flow.children(&mut |child| reading.join(self.child(child)));
                reading
            }
        }
    }

    /// A loop over a domain: its variable is bound inside, unless it may have been bound outside, which ends the run.
    fn over<V>(&mut self, variable: Variable, squares: &Loop<V>) -> Reading {
        let mut reading = self.condition(&squares.body);
        reading.join(self.set(&squares.domain));
        reading.variables.remove(&variable);
        reading.here |= matches!(variable, Variable::Piece(_));
        reading.state |= self.assigned.contains(&variable);
        reading
    }

    fn together(&mut self, together: &Together) -> Reading {
        let mut reading = self.set(&together.domain);
        reading.join(self.set(&together.kept));
        reading.variables.remove(&Variable::Set(together.variable));
        reading
    }

    fn find(&mut self, find: &Find) -> Reading {
        let place = self.reserve(Plan::Find(None, None));
        let mut reading = self.condition(&find.body);
        if reading.is_of_position() {
            let memo = self.memos.finds;
            self.memos.finds += 1;
            self.settle(place, || Plan::Find(Some(memo), None));
        } else if !reading.state && !reading.echo && self.plans.is_some() {
            let lookup = self.lookup(&find.body, &reading.variables);
            self.settle(place, || Plan::Find(None, lookup));
        }
        reading.here = true;
        reading
    }

    /// By what the positions are looked up at which the filter of a `find` can match.
    fn lookup(&mut self, body: &Cond, variables: &HashSet<Variable>) -> Option<Lookup> {
        let mut tests = Vec::new();
        conjuncts(body.clone(), &mut tests);
        let equations: Vec<Equation> = tests
            .iter()
            .filter_map(|test| self.equation(equated(&test.condition.kind)?, None))
            .collect();
        if equations.is_empty() {
            return None;
        }
        let memo = self.memos.lookups;
        self.memos.lookups += 1;
        let mut variables: Vec<Variable> = variables.iter().copied().collect();
        variables.sort_unstable();
        Some(Lookup {
            memo,
            equations,
            variables,
        })
    }

    fn echo(&mut self, echo: &Echo) -> Reading {
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
        let place = self.reserve(Plan::Echo(Vec::new(), EchoPlan::default()));
        let mut subjects = Vec::with_capacity(echo.tests.len());
        for test in &echo.tests {
            let reading = self.condition(&test.condition);
            let subject = subject(&reading, pair.name());
            if subject == Subject::Pair && !reading.echo && self.plans.is_some() {
                plan.equations
                    .extend(equated(&test.condition.kind).and_then(|sides| self.equation(sides, pair.name())));
                plan.spans.extend(span(&test.condition.kind, pair));
            }
            subjects.push(subject);
            whole.join(reading);
        }
        if let Some(value) = &echo.value {
            let reading = self.number(value);
            if !reading.echo && self.plans.is_some() {
                plan.equations
                    .extend(equated_numbers(&value.kind).and_then(|sides| self.equation(sides, pair.name())));
            }
            whole.join(reading);
        }
        self.settle(place, || Plan::Echo(subjects, plan));
        for variable in [pair.source, pair.target].map(Variable::Position) {
            whole.variables.remove(&variable);
            // It must be unbound when the `echo` begins, else the run ends.
            whole.state |= self.assigned.contains(&variable);
        }
        whole.here = true;
        whole.echo = true;
        whole
    }

    /// Keeps a place for the plan of what is read next.
    fn reserve(&mut self, undecided: Plan) -> usize {
        let Some(plans) = &mut self.plans else { return 0 };
        plans.push(undecided);
        plans.len() - 1
    }

    /// Decides the plan at a place.
    fn settle(&mut self, place: usize, plan: impl FnOnce() -> Plan) {
        if let Some(kept) = self.plans.as_mut().and_then(|plans| plans.get_mut(place)) {
            *kept = plan();
        }
    }

    /// The equation of two sides, if one is of the source and the other of the target.
    fn equation(&mut self, (left, right): (Operand, Operand), target: Option<Variable>) -> Option<Equation> {
        let (mut left, mut right) = (left, right);
        match (self.subject(&mut left, target), self.subject(&mut right, target)) {
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

    /// What an operand depends on. It is evaluated by itself, so it has plans of its own.
    fn subject(&mut self, operand: &mut Operand, target: Option<Variable>) -> Subject {
        let outer = self.plans.replace(Vec::new());
        let reading = match operand {
            Operand::Value(filter) => self.part(filter),
            Operand::Board(position) => self.position(position),
        };
        let plans = mem::replace(&mut self.plans, outer).unwrap_or_default();
        follow(plans, |plans| match operand {
            Operand::Value(filter) => filter.child_mut(&mut |child| plan_parts(child, plans)),
            Operand::Board(position) => plan_parts(ChildMut::Position(position), plans),
        });
        subject(&reading, target)
    }
}
