//! What the values of filters depend on.

use std::collections::HashSet;

use super::assigned::bound_by;
use crate::query::ast::echo::{Echo, Subject};
use crate::query::ast::node::{Cond, Flow, Num, Pos, Set, Str};
use crate::query::ast::numbers::Fact;
use crate::query::ast::sets::Together;
use crate::query::ast::variables::Variable;
use crate::query::ast::visit::{Child, Part, Parts};
use crate::query::ast::{CondExpr, Find, Loop, NumExpr, PosExpr, SetExpr, StrExpr, TextItem};

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
    pub(crate) echo: bool,
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

    /// Which positions it reads where it is evaluated at a target, which may have a variable.
    pub(crate) fn subject(&self, target: Option<Variable>) -> Subject {
        if self.state {
            Subject::Pair
        } else if !self.here && target.is_none_or(|target| !self.variables.contains(&target)) {
            Subject::Source
        } else if self.variables.iter().all(|variable| Some(*variable) == target) {
            Subject::Target
        } else {
            Subject::Pair
        }
    }

    /// The value is a function of the current position.
    pub(crate) fn is_of_position(&self) -> bool {
        !self.state && self.variables.is_empty()
    }
}

/// Whether a condition says the same at every position of a game, whatever its moves are, and has no effect.
pub(crate) fn is_of_game(condition: &Cond) -> bool {
    Reader::new(&HashSet::new()).condition(condition).is_of_game()
}

/// Whether a set has nothing to do with some variables, neither reads nor binds them.
pub(crate) fn is_free_of(set: &Set, variables: &HashSet<Variable>) -> bool {
    let reading = Reader::new(variables).set(set);
    !reading.state && reading.variables.is_disjoint(variables)
}

/// Finds out what filters depend on.
pub(crate) struct Reader<'a> {
    /// The variables that something other than a loop or an `echo` binds.
    assigned: &'a HashSet<Variable>,
    /// What regular expressions have matched is kept and read by nothing else, so that it is no state.
    knows_groups: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(assigned: &'a HashSet<Variable>) -> Reader<'a> {
        Reader {
            assigned,
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
}

impl Reader<'_> {
    fn child(&self, child: Child<'_>) -> Reading {
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

    pub(crate) fn part<N: Part>(&self, part: &N) -> Reading {
        let mut reading = Reading::default();
        part.child(&mut |child| reading.join(self.child(child)));
        reading
    }

    /// What the parts of something depend on.
    pub(crate) fn parts(&self, whole: &impl Parts) -> Reading {
        let mut reading = Reading::default();
        whole.children(&mut |child| reading.join(self.child(child)));
        reading
    }

    pub(crate) fn set(&self, set: &Set) -> Reading {
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

    pub(crate) fn number(&self, number: &Num) -> Reading {
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

    pub(crate) fn string(&self, string: &Str) -> Reading {
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

    pub(crate) fn position(&self, position: &Pos) -> Reading {
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

    pub(crate) fn condition(&self, condition: &Cond) -> Reading {
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

    fn flow<N: Part>(&self, flow: &Flow<N>) -> Reading {
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
    fn over<V>(&self, variable: Variable, squares: &Loop<V>) -> Reading {
        let mut reading = self.condition(&squares.body);
        reading.join(self.set(&squares.domain));
        reading.variables.remove(&variable);
        reading.here |= matches!(variable, Variable::Piece(_));
        reading.state |= self.assigned.contains(&variable);
        reading
    }

    fn together(&self, together: &Together) -> Reading {
        let mut reading = self.set(&together.domain);
        reading.join(self.set(&together.kept));
        reading.variables.remove(&Variable::Set(together.variable));
        reading
    }

    fn find(&self, find: &Find) -> Reading {
        Reading {
            here: true,
            ..self.condition(&find.body)
        }
    }

    fn echo(&self, echo: &Echo) -> Reading {
        let mut whole = Reading::default();
        for test in &echo.tests {
            whole.join(self.condition(&test.condition));
        }
        if let Some(value) = &echo.value {
            whole.join(self.number(value));
        }
        for variable in [&echo.source, &echo.target].map(|name| Variable::Position(name.variable)) {
            whole.variables.remove(&variable);
            // It must be unbound when the `echo` begins, else the run ends.
            whole.state |= self.assigned.contains(&variable);
        }
        whole.here = true;
        whole.echo = true;
        whole
    }
}
