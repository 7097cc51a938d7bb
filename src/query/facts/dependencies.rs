//! What the values of filters depend on.

use std::collections::HashSet;

use super::assigned::bound_by;
use crate::query::ast::echo::{Echo, JoinSide};
use crate::query::ast::node::{Cond, Flow, Num, Pos, Set, Str};
use crate::query::ast::numbers::Fact;
use crate::query::ast::sets::FusedLoop;
use crate::query::ast::variables::Variable;
use crate::query::ast::visit::{Child, Children, Subtree};
use crate::query::ast::{CondExpr, Find, Loop, NumExpr, PosExpr, SetExpr, StrExpr, TextItem};

/// What the value of a filter depends on, besides the game.
#[derive(Default)]
pub(crate) struct Dependencies {
    /// The current position.
    here: bool,
    /// Other positions of the game, so its moves must be known.
    tree: bool,
    /// Free variables.
    pub(crate) variables: HashSet<Variable>,
    /// Other state: whether variables are bound, the result of a path, the move of a line.
    pub(crate) state: bool,
    /// It contains an `echo`, so copies of it are expensive.
    pub(crate) echo: bool,
}

impl Dependencies {
    fn here() -> Dependencies {
        Dependencies {
            here: true,
            ..Dependencies::default()
        }
    }

    fn of_state() -> Dependencies {
        Dependencies {
            state: true,
            ..Dependencies::default()
        }
    }

    fn of_variable(variable: Variable) -> Dependencies {
        Dependencies {
            variables: HashSet::from([variable]),
            ..Dependencies::default()
        }
    }

    fn join(&mut self, other: Dependencies) {
        self.here |= other.here;
        self.tree |= other.tree;
        self.variables.extend(other.variables);
        self.state |= other.state;
        self.echo |= other.echo;
    }

    /// Whether the value is constant within a game and known without its moves. Filters with effects count as reading the current
    /// position.
    pub(crate) fn is_of_game(&self) -> bool {
        !self.here && !self.tree && !self.echo && self.is_of_position()
    }

    /// The same if some variables are constant within a game.
    pub(crate) fn is_of_game_with(&self, known: &HashSet<Variable>) -> bool {
        !self.here && !self.tree && !self.echo && !self.state && self.variables.is_subset(known)
    }

    /// Returns the side of a join that it depends on when it is evaluated at a target, which may have a variable.
    pub(crate) fn subject(&self, target: Option<Variable>) -> JoinSide {
        if self.state {
            JoinSide::Pair
        } else if !self.here && target.is_none_or(|target| !self.variables.contains(&target)) {
            JoinSide::Source
        } else if self.variables.iter().all(|variable| Some(*variable) == target) {
            JoinSide::Target
        } else {
            JoinSide::Pair
        }
    }

    /// Whether the value is a function of the current position.
    pub(crate) fn is_of_position(&self) -> bool {
        !self.state && self.variables.is_empty()
    }
}

/// Whether a condition is pure and constant within a game, whatever its moves are.
pub(crate) fn is_of_game(condition: &Cond) -> bool {
    DependencyReader::new(&HashSet::new()).condition(condition).is_of_game()
}

/// Whether a set neither reads nor binds some variables.
pub(crate) fn is_free_of(set: &Set, variables: &HashSet<Variable>) -> bool {
    let reading = DependencyReader::new(variables).set(set);
    !reading.state && reading.variables.is_disjoint(variables)
}

/// Computes what filters depend on.
pub(crate) struct DependencyReader<'a> {
    /// The variables that something other than a loop or an `echo` binds.
    assigned: &'a HashSet<Variable>,
    /// Groups of regular expressions are set and read inside the filter only, so they are no state.
    knows_groups: bool,
}

impl<'a> DependencyReader<'a> {
    pub(crate) fn new(assigned: &'a HashSet<Variable>) -> DependencyReader<'a> {
        DependencyReader {
            assigned,
            knows_groups: false,
        }
    }

    /// A reader for filters that set the groups of regular expressions they read.
    pub(crate) fn with_groups(assigned: &'a HashSet<Variable>) -> DependencyReader<'a> {
        DependencyReader {
            knows_groups: true,
            ..DependencyReader::new(assigned)
        }
    }
}

impl DependencyReader<'_> {
    fn child(&self, child: Child<'_>) -> Dependencies {
        match child {
            Child::Set(set) => self.set(set),
            Child::Number(number) => self.number(number),
            Child::String(string) => self.string(string),
            Child::Position(position) => self.position(position),
            Child::Condition(condition) => self.condition(condition),
            other => {
                let mut reading = Dependencies::default();
                other.parts(&mut |part| reading.join(self.child(part)));
                reading
            }
        }
    }

    pub(crate) fn part<N: Subtree>(&self, part: &N) -> Dependencies {
        let mut reading = Dependencies::default();
        part.child(&mut |child| reading.join(self.child(child)));
        reading
    }

    /// Returns what the parts of an expression depend on.
    pub(crate) fn parts(&self, whole: &impl Children) -> Dependencies {
        let mut reading = Dependencies::default();
        whole.children(&mut |child| reading.join(self.child(child)));
        reading
    }

    pub(crate) fn set(&self, set: &Set) -> Dependencies {
        let mut reading = match &set.kind {
            SetExpr::Flow(flow) => return self.flow(flow),
            SetExpr::Variable(variable) => return Dependencies::of_variable(Variable::Set(*variable)),
            SetExpr::Piece(variable) => {
                let mut reading = Dependencies::of_variable(Variable::Piece(*variable));
                reading.here = true;
                return reading;
            }
            SetExpr::Squares(squares) => return self.over(Variable::Set(squares.variable), squares),
            SetExpr::Pieces(pieces) => return self.over(Variable::Piece(pieces.variable), pieces),
            SetExpr::FusedLoop(fused) => return self.fused(fused),
            SetExpr::Move(parameters) if parameters.tied => Dependencies::of_state(),
            SetExpr::Designator(designator) if !designator.has_contents => Dependencies::default(),
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
            | SetExpr::Versions(_) => Dependencies::default(),
            _ => Dependencies::here(),
        };
        set.kind.children(&mut |child| reading.join(self.child(child)));
        reading
    }

    pub(crate) fn number(&self, number: &Num) -> Dependencies {
        let mut reading = match &number.kind {
            NumExpr::Flow(flow) => return self.flow(flow),
            NumExpr::Variable(variable) => return Dependencies::of_variable(Variable::Number(*variable)),
            NumExpr::Identity(variable) => return Dependencies::of_variable(Variable::Piece(*variable)),
            NumExpr::GroupStart(_) if self.knows_groups => return Dependencies::default(),
            NumExpr::PathCount { .. } | NumExpr::PathCountUnfocused | NumExpr::Entries(_) | NumExpr::GroupStart(_) => {
                return Dependencies::of_state();
            }
            NumExpr::Find(find, _) => return self.find(find),
            NumExpr::Echo(echo) => return self.echo(echo),
            NumExpr::ConsecutiveMoves(run) => {
                let mut reading = Dependencies::of_variable(Variable::Position(run.first.variable));
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
            | NumExpr::Versions(_) => Dependencies::default(),
            NumExpr::Study(study) if study.is_of_tags() => Dependencies::default(),
            _ => Dependencies::here(),
        };
        number.kind.children(&mut |child| reading.join(self.child(child)));
        reading
    }

    pub(crate) fn string(&self, string: &Str) -> Dependencies {
        let mut reading = match &string.kind {
            StrExpr::Flow(flow) => return self.flow(flow),
            StrExpr::Variable(variable) => return Dependencies::of_variable(Variable::String(*variable)),
            StrExpr::Group(_) if self.knows_groups => return Dependencies::default(),
            StrExpr::Group(_) | StrExpr::ReadFile(_) => Dependencies::of_state(),
            StrExpr::Match { kept, .. } => Dependencies {
                state: *kept && !self.knows_groups,
                ..Dependencies::default()
            },
            StrExpr::Text(items) => items.iter().fold(Dependencies::here(), |mut reading, item| {
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
            | StrExpr::Tag(_) => Dependencies::default(),
            StrExpr::Study(text) if text.is_of_tags() => Dependencies::default(),
            _ => Dependencies::here(),
        };
        string.kind.children(&mut |child| reading.join(self.child(child)));
        reading
    }

    pub(crate) fn position(&self, position: &Pos) -> Dependencies {
        let mut reading = match &position.kind {
            PosExpr::Flow(flow) => return self.flow(flow),
            PosExpr::Variable(variable) => return Dependencies::of_variable(Variable::Position(*variable)),
            PosExpr::PathStart | PosExpr::PathLast => return Dependencies::of_state(),
            PosExpr::Find(find) => return self.find(find),
            PosExpr::Initial | PosExpr::Numbered(_) => Dependencies {
                tree: true,
                ..Dependencies::default()
            },
            PosExpr::CommonAncestor(..) | PosExpr::Compare(..) => Dependencies::default(),
            _ => Dependencies::here(),
        };
        position.kind.children(&mut |child| reading.join(self.child(child)));
        reading
    }

    pub(crate) fn condition(&self, condition: &Cond) -> Dependencies {
        let mut reading = match &condition.kind {
            CondExpr::Flow(flow) => return self.flow(flow),
            CondExpr::Echo(echo) => return self.echo(echo),
            CondExpr::AllSquares(squares) => return self.over(Variable::Set(squares.variable), squares),
            CondExpr::AllPieces(pieces) => return self.over(Variable::Piece(pieces.variable), pieces),
            CondExpr::AllFused(fused) => return self.fused(fused),
            CondExpr::IsBound { .. }
            | CondExpr::Dictionary(..)
            | CondExpr::WhileMatch { .. }
            | CondExpr::WriteFile { .. } => Dependencies::of_state(),
            CondExpr::Move(parameters) if parameters.tied => Dependencies::of_state(),
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
            | CondExpr::Versions(_) => Dependencies::default(),
            CondExpr::Study(study) if study.is_of_tags() => Dependencies::default(),
            _ => Dependencies::here(),
        };
        condition.kind.children(&mut |child| reading.join(self.child(child)));
        reading
    }

    fn flow<N: Subtree>(&self, flow: &Flow<N>) -> Dependencies {
        match flow {
            Flow::At { position, value } => {
                let mut reading = self.position(position);
                let there = self.part(value);
                reading.join(Dependencies { here: false, ..there });
                reading
            }
            Flow::Group(_) | Flow::Block { .. } | Flow::If { .. } | Flow::Fixed(_) => {
                let mut reading = Dependencies::default();
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
                let mut reading = Dependencies::of_state();
                flow.children(&mut |child| reading.join(self.child(child)));
                reading
            }
            Flow::Dash(..) | Flow::Previous(..) | Flow::Lookahead(..) | Flow::Imagined(..) => {
                let mut reading = Dependencies::here();
                flow.children(&mut |child| reading.join(self.child(child)));
                reading
            }
        }
    }

    /// A loop over a domain: its variable is bound inside, unless it may have been bound outside, which ends the run.
    fn over<V>(&self, variable: Variable, squares: &Loop<V>) -> Dependencies {
        let mut reading = self.condition(&squares.body);
        reading.join(self.set(&squares.domain));
        reading.variables.remove(&variable);
        reading.here |= matches!(variable, Variable::Piece(_));
        reading.state |= self.assigned.contains(&variable);
        reading
    }

    fn fused(&self, fused: &FusedLoop) -> Dependencies {
        let mut reading = self.set(&fused.domain);
        reading.join(self.set(&fused.kept));
        reading.variables.remove(&Variable::Set(fused.variable));
        reading
    }

    fn find(&self, find: &Find) -> Dependencies {
        Dependencies {
            here: true,
            ..self.condition(&find.body)
        }
    }

    fn echo(&self, echo: &Echo) -> Dependencies {
        let mut whole = Dependencies::default();
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
