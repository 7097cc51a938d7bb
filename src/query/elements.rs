//! What a condition asks of the element of a loop, asked of all elements at once.
//!
//! A loop whose body asks the same simple thing of every square becomes a set: what the body keeps of them. Of other loops the first tests
//! say which squares they need not go round.

use std::collections::HashSet;

use super::moves::{MoveSource, MoveSquares};
use super::node::{Cond, Flow, Set, node};
use super::plan::Scope;
use super::sets::Absence;
use super::variables::{SetVar, Variable};
use super::{Assignment, CondExpr, Dash, Imagined, Move, NumExpr, PosExpr, SetExpr};
use crate::syntax::token::Span;

/// The square or piece of a loop, and the variable that stands for all of them instead.
pub(super) struct Element<'s> {
    scope: &'s Scope,
    /// The variable of the loop and those that its body gives values.
    inside: &'s HashSet<Variable>,
    looped: Variable,
    variable: SetVar,
    /// What earlier tests have kept; all elements if there was none.
    left: Option<Set>,
}

impl<'s> Element<'s> {
    /// That of a loop, of whose variable and those that its body gives values `inside` has all.
    pub(super) fn new(
        scope: &'s Scope,
        inside: &'s HashSet<Variable>,
        looped: Variable,
        variable: SetVar,
    ) -> Element<'s> {
        Element {
            scope,
            inside,
            looped,
            variable,
            left: None,
        }
    }

    fn all(&self, span: Span) -> Set {
        match &self.left {
            Some(left) => left.clone(),
            None => node(SetExpr::Variable(self.variable), span),
        }
    }

    /// The elements for which two conditions hold: the second is asked only of those that the first has kept, if it can be
    /// asked in one step.
    fn kept_by_both(&self, kept: Set, second: &Cond) -> Option<Set> {
        let span = second.span;
        match &second.kind {
            CondExpr::NonEmpty(set) => {
                let left = Some(kept);
                Element { left, ..*self }.kept_by_set(set)
            }
            _ => Some(node(SetExpr::Intersection(kept, self.kept_by(second)?), span)),
        }
    }

    /// Whether the value of a set has nothing to do with the element.
    fn is_apart(&self, set: &Set) -> bool {
        Scope::is_free_of(set, self.inside)
    }

    /// The elements for which a condition holds, if they can be told together.
    pub(super) fn kept_by(&self, condition: &Cond) -> Option<Set> {
        let span = condition.span;
        let kept = match &condition.kind {
            CondExpr::NonEmpty(set) => return self.kept_by_set(set),
            CondExpr::Subset(element, domain) if self.is_apart(domain) => {
                SetExpr::Intersection(self.kept(element)?, domain.clone())
            }
            CondExpr::Not(condition) => {
                let dropped = self.kept_by(condition)?;
                SetExpr::Intersection(self.all(span), node(SetExpr::Complement(dropped), span))
            }
            CondExpr::And(first, second) => return self.kept_by_both(self.kept_by(first)?, second),
            CondExpr::Or(first, second) => SetExpr::Union(self.kept_by(first)?, self.kept_by(second)?),
            CondExpr::Flow(Flow::Group(condition)) => return self.kept_by(condition),
            CondExpr::Flow(Flow::Block { tests, value }) => {
                let mut conditions = tests.iter().chain([value]);
                let first = self.kept_by(conditions.next()?)?;
                return conditions.try_fold(first, |kept, condition| self.kept_by_both(kept, condition));
            }
            _ => return None,
        };
        Some(node(kept, span))
    }

    /// All elements but some for which one of the first tests of a condition fails, or for which no move was played that it asks
    /// for; nothing if that cannot be asked of all together.
    pub(super) fn kept_at_first(&self, condition: &Cond) -> Option<Set> {
        match &condition.kind {
            CondExpr::Flow(Flow::Group(condition)) => self.kept_at_first(condition),
            CondExpr::Flow(Flow::Block { tests, value }) => self.kept_in_order(tests.iter().chain([value])),
            CondExpr::And(first, second) => self.kept_in_order([first, second].into_iter()),
            CondExpr::SameSet(left, right) => self
                .kept_by_equality(left, right)
                .or_else(|| self.kept_by_equality(right, left)),
            _ => self
                .kept_by(condition)
                .or_else(|| self.kept_by_absence(condition, true))
                .or_else(|| self.kept_by_move(condition)),
        }
    }

    /// Those that the first of some tests keep. Of the later ones only the moves are asked for, which say most for the least work.
    fn kept_in_order<'c>(&self, tests: impl Iterator<Item = &'c Cond>) -> Option<Set> {
        let mut are_first = true;
        let tests = tests.filter(|test| !is_name(test));
        let kept = tests.filter_map(|test| {
            let kept = if are_first {
                self.kept_at_first(test)
            } else {
                self.kept_by_move(test)
            };
            are_first &= kept.is_some();
            kept
        });
        kept.reduce(both)
    }

    /// `without(x check)` and `without(x legalposition)`: which pieces make a difference, the board says at once.
    fn kept_by_absence(&self, condition: &Cond, holds: bool) -> Option<Set> {
        let (taken, asked) = match &condition.kind {
            CondExpr::Flow(Flow::Group(condition)) => return self.kept_by_absence(condition, holds),
            CondExpr::Not(condition) => return self.kept_by_absence(condition, !holds),
            CondExpr::Flow(Flow::Imagined(Imagined::Without(taken), asked)) => (taken, asked),
            _ => return None,
        };
        let (asked, holds) = match &asked.kind {
            CondExpr::Not(denied) => (denied, !holds),
            _ => (asked, holds),
        };
        if !matches!(asked.kind, CondExpr::Check | CondExpr::LegalPosition) {
            return None;
        }
        let (element, also) = match &taken.kind {
            SetExpr::Union(element, also) if self.is_apart(also) => (element, Some(also)),
            SetExpr::Union(also, element) if self.is_apart(also) => (element, Some(also)),
            _ => (taken, None),
        };
        self.is_element(element).then(|| {
            let absence = SetExpr::Absence(Box::new(Absence {
                squares: self.all(condition.span),
                also: also.cloned(),
                asked: asked.clone(),
                holds,
            }));
            node(absence, condition.span)
        })
    }

    /// A move that has to be played from here, by the element or to it.
    fn kept_by_move(&self, condition: &Cond) -> Option<Set> {
        let sides = match &condition.kind {
            CondExpr::Flow(Flow::Group(condition)) => return self.kept_by_move(condition),
            CondExpr::Flow(Flow::Dash(dash, _)) => sides_of(dash),
            CondExpr::Move(parameters) => sides_of_move(parameters)?,
            CondExpr::NonEmpty(set) => match &set.kind {
                SetExpr::Flow(Flow::Dash(dash, _)) => sides_of(dash),
                SetExpr::Move(parameters) => sides_of_move(parameters)?,
                _ => return None,
            },
            CondExpr::HasNumber(number) => match &number.kind {
                NumExpr::Flow(Flow::Dash(dash, _)) => sides_of(dash),
                NumExpr::Path(path) => sides_of(path.first_move()?),
                _ => return None,
            },
            CondExpr::HasPosition(position) => match &position.kind {
                PosExpr::Flow(Flow::Dash(dash, _)) => sides_of(dash),
                PosExpr::Path(path) => sides_of(path.first_move()?),
                _ => return None,
            },
            _ => return None,
        };
        let kept = sides.into_iter().filter_map(|(side, squares)| {
            let squares = node(SetExpr::Played(squares), condition.span);
            self.kept_by_meeting(side?, &squares)
        });
        // `from` and `to` in the sides are those of the move that led here.
        let here = SetExpr::Flow(Flow::At {
            position: node(PosExpr::Current, condition.span),
            value: kept.reduce(both)?,
        });
        Some(node(here, condition.span))
    }

    /// The elements for which a set has a square of another, which has nothing to do with them.
    fn kept_by_meeting(&self, set: &Set, other: &Set) -> Option<Set> {
        let span = set.span;
        match &set.kind {
            SetExpr::Flow(Flow::Group(set)) => self.kept_by_meeting(set, other),
            SetExpr::Union(apart, rest) | SetExpr::Union(rest, apart) if self.is_apart(apart) => {
                let met = node(SetExpr::Intersection(apart.clone(), other.clone()), span);
                let all_or_rest = Flow::If {
                    test: node(CondExpr::NonEmpty(met), span),
                    yes: self.all(span),
                    no: self.kept_by_meeting(rest, other)?,
                };
                Some(node(SetExpr::Flow(all_or_rest), span))
            }
            _ => Some(both(self.kept(set)?, other.clone())),
        }
    }

    /// Whether a set is the element itself.
    fn is_element(&self, set: &Set) -> bool {
        match &set.kind {
            SetExpr::Variable(variable) => self.looped == Variable::Set(*variable),
            SetExpr::Piece(variable) => self.looped == Variable::Piece(*variable),
            SetExpr::Flow(Flow::Group(set)) => self.is_element(set),
            _ => false,
        }
    }

    /// `T attacks x` is the square of another loop: that square attacks x.
    fn kept_by_equality(&self, attacks: &Set, square: &Set) -> Option<Set> {
        let SetExpr::Attackers { targets, .. } = &attacks.kind else {
            return None;
        };
        let SetExpr::Variable(other) = square.kind else {
            return None;
        };
        let other = Variable::Set(other);
        if other == self.looped || !self.scope.binds_in_loops_only(other) {
            return None;
        }
        let attacked = SetExpr::Attacked {
            attackers: square.clone(),
            targets: self.kept(targets)?,
        };
        Some(node(attacked, attacks.span))
    }

    /// The elements for which a set is not empty.
    fn kept_by_set(&self, set: &Set) -> Option<Set> {
        let kept = match &set.kind {
            // `T attacks x`: x is attacked by T.
            SetExpr::Attackers { attackers, targets } if self.is_apart(attackers) => SetExpr::Attacked {
                attackers: attackers.clone(),
                targets: self.kept(targets)?,
            },
            // `T attackedby x`: x attacks T.
            SetExpr::Attacked { attackers, targets } if self.is_apart(targets) => SetExpr::Attackers {
                attackers: self.kept(attackers)?,
                targets: targets.clone(),
            },
            _ => return self.kept(set),
        };
        Some(node(kept, set.span))
    }

    /// The set for all elements at once, if for one it is that element or nothing.
    fn kept(&self, set: &Set) -> Option<Set> {
        let kept = match &set.kind {
            SetExpr::Variable(variable) if self.looped == Variable::Set(*variable) => return Some(self.all(set.span)),
            SetExpr::Piece(variable) if self.looped == Variable::Piece(*variable) => return Some(self.all(set.span)),
            SetExpr::Flow(Flow::Group(set)) => return self.kept(set),
            SetExpr::Attackers { attackers, targets } if self.is_apart(targets) => SetExpr::Attackers {
                attackers: self.kept(attackers)?,
                targets: targets.clone(),
            },
            SetExpr::Attacked { attackers, targets } if self.is_apart(attackers) => SetExpr::Attacked {
                attackers: attackers.clone(),
                targets: self.kept(targets)?,
            },
            SetExpr::Intersection(left, right) if self.is_apart(right) => {
                SetExpr::Intersection(self.kept(left)?, right.clone())
            }
            SetExpr::Intersection(left, right) if self.is_apart(left) => {
                SetExpr::Intersection(left.clone(), self.kept(right)?)
            }
            SetExpr::SquareColor { light, set } => SetExpr::SquareColor {
                light: *light,
                set: self.kept(set)?,
            },
            _ => return None,
        };
        Some(node(kept, set.span))
    }
}

/// The squares that are in two sets.
fn both(left: Set, right: Set) -> Set {
    let span = right.span;
    node(SetExpr::Intersection(left, right), span)
}

/// Whether a condition always holds and does nothing but give a set a name.
fn is_name(condition: &Cond) -> bool {
    matches!(condition.kind, CondExpr::Assign(Assignment::Set(..)))
}

/// Where a move that fits begins and where it arrives, or what it takes, with what is said of that.
type Sides<'q> = [(Option<&'q Set>, MoveSquares); 2];

fn sides_of(dash: &Dash) -> Sides<'_> {
    let right = if dash.capture {
        MoveSquares::Capture
    } else {
        MoveSquares::To
    };
    [(dash.left.as_ref(), MoveSquares::From), (dash.right.as_ref(), right)]
}

fn sides_of_move(parameters: &Move) -> Option<Sides<'_>> {
    let is_played_here = parameters.source == MoveSource::Continuations && !parameters.tied;
    let sides = [
        (parameters.from.as_ref(), MoveSquares::From),
        (parameters.to.as_ref(), MoveSquares::To),
    ];
    is_played_here.then_some(sides)
}
