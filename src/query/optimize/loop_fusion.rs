//! Loop fusion: a test of a loop variable becomes one set operation on all squares of the loop.
//!
//! A loop whose whole body can be fused becomes a set. In other loops, the tests that can be fused narrow the domain.

use std::collections::HashSet;

use crate::board::Bitboard;
use crate::query::ast::moves::{MoveSource, MoveSquares};
use crate::query::ast::node::{Cond, Flow, Set, node};
use crate::query::ast::numbers::SetNumber;
use crate::query::ast::sets::{Absence, Line, Pin, PinPart, has_written_bounds};
use crate::query::ast::variables::{SetVar, Variable};
use crate::query::ast::{Assignment, Comparison, CondExpr, Dash, Imagined, Move, NumExpr, PosExpr, SetExpr, required};
use crate::syntax::token::Span;

/// The variable of a loop, and the variable that replaces it and holds all squares of the loop.
pub(crate) struct Element<'s> {
    /// The variables that get a value other than by a loop.
    assigned: &'s HashSet<Variable>,
    /// The variable of the loop and the variables that its body assigns.
    inside: &'s HashSet<Variable>,
    looped: Variable,
    variable: SetVar,
    /// The set that earlier tests have kept; `None` means all elements.
    left: Option<Set>,
    /// Whether the set replaces the loop: then it has to highlight the same squares and lines as the body.
    replaces: bool,
}

impl<'s> Element<'s> {
    /// Creates the element of a loop. `inside` has the variable of the loop and those that its body assigns.
    pub(crate) fn new(
        assigned: &'s HashSet<Variable>,
        inside: &'s HashSet<Variable>,
        looped: Variable,
        variable: SetVar,
    ) -> Element<'s> {
        Element {
            assigned,
            inside,
            looped,
            variable,
            left: None,
            replaces: false,
        }
    }

    /// Returns the elements for which the body holds, as a set that replaces the loop.
    pub(crate) fn kept_by_body(&self, body: &Cond) -> Option<Set> {
        if body.facts.is_cheap() {
            return Some(self.all_if(body.clone()));
        }
        let element = Element {
            left: None,
            replaces: true,
            ..*self
        };
        element.kept_by(body)
    }

    fn all(&self, span: Span) -> Set {
        match &self.left {
            Some(left) => left.clone(),
            None => node(SetExpr::Variable(self.variable), span),
        }
    }

    /// Returns the elements for which two conditions hold. If possible, the second is tested in one step, only on those that the first has
    /// kept.
    fn kept_by_both(&self, kept: Set, second: &Cond) -> Option<Set> {
        let span = second.span;
        match &second.kind {
            CondExpr::NonEmpty(set) => {
                let left = Some(kept);
                Element { left, ..*self }.kept_by_set(set, None)
            }
            _ => Some(node(SetExpr::Intersection(kept, self.kept_by(second)?), span)),
        }
    }

    /// Returns whether the value of a set does not depend on the element.
    fn is_apart(&self, set: &Set) -> bool {
        set.facts.is_free_of(self.inside)
    }

    /// Returns the elements for which a condition holds, if they can be computed together.
    fn kept_by(&self, condition: &Cond) -> Option<Set> {
        let span = condition.span;
        let kept = match &condition.kind {
            CondExpr::NonEmpty(set) => return self.kept_by_set(set, None),
            // A constant is the declaration of a function.
            CondExpr::Constant(true) if !self.replaces => return Some(self.all(span)),
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
            // For an expensive condition, an earlier test might have avoided the work.
            _ if condition.facts.is_cheap() && !self.replaces => return Some(self.all_if(condition.clone())),
            _ => return None,
        };
        Some(node(kept, span))
    }

    /// Returns all elements if a condition that does not depend on them holds, and none otherwise.
    fn all_if(&self, condition: Cond) -> Set {
        let span = condition.span;
        let value = self.all(span);
        let tests = vec![condition];
        node(SetExpr::Flow(Flow::Block { tests, value }), span)
    }

    /// Returns the elements for which a test may hold: all elements except some for which the test fails or a required move was not played.
    /// `None` if they cannot be computed together.
    pub(crate) fn may_be_kept_by(&self, test: &Cond) -> Option<Set> {
        match &test.kind {
            CondExpr::Flow(Flow::Group(test)) => return self.may_be_kept_by(test),
            CondExpr::SameSet(left, right) => self
                .kept_by_equality(left, right)
                .or_else(|| self.kept_by_equality(right, left)),
            CondExpr::NonEmpty(set) => self.may_be_kept_by_set(set),
            CondExpr::HasNumber(number) => self.may_be_kept_by_number(&number.kind),
            CondExpr::Or(first, second) => {
                let kept = SetExpr::Union(self.may_be_kept_by(first)?, self.may_be_kept_by(second)?);
                Some(node(kept, test.span))
            }
            _ => self.kept_by(test).or_else(|| self.kept_by_absence(test, true)),
        }
        .or_else(|| self.kept_by_move(test))
        .or_else(|| match tests_of(test)[..] {
            [_] => None,
            ref tests => tests.iter().filter_map(|test| self.may_be_kept_by(test)).reduce(both),
        })
    }

    fn may_be_kept_by_set(&self, set: &Set) -> Option<Set> {
        self.kept_by_set(set, None).or_else(|| match &set.kind {
            SetExpr::Flow(Flow::Group(set)) => self.may_be_kept_by_set(set),
            SetExpr::Line(line) => self.may_be_within(line, set.span),
            _ => None,
        })
    }

    /// `#S > 1`, `#S >= #T + 1`: S must have squares, because it is larger than something.
    fn may_be_kept_by_number(&self, number: &NumExpr) -> Option<Set> {
        let (greater, less, by) = match number {
            NumExpr::Flow(Flow::Group(number)) => return self.may_be_kept_by_number(&number.kind),
            NumExpr::Compare(Comparison::Greater, left, right) => (left, right, 1),
            NumExpr::Compare(Comparison::Less, left, right) => (right, left, 1),
            NumExpr::Compare(Comparison::LessEqual, left, right) => (right, left, 0),
            NumExpr::Compare(Comparison::GreaterEqual | Comparison::Equal, left, right) => (left, right, 0),
            _ => return None,
        };
        let set = match &greater.kind {
            NumExpr::Count(set) | NumExpr::OfSet(SetNumber::Power, set) => set,
            _ => return None,
        };
        let least = match &less.kind {
            NumExpr::Literal(number) => *number,
            NumExpr::Count(_) | NumExpr::OfSet(SetNumber::Power, _) => 0,
            _ => return None,
        };
        (least.saturating_add(by) > 0).then(|| self.may_be_kept_by_set(set))?
    }

    /// Returns the elements in the middle of a line: they end its front part and begin the rest.
    fn may_be_within(&self, line: &Line, span: Span) -> Option<Set> {
        let place = line.sets.iter().position(|set| !self.is_apart(set))?;
        let part = |sets: &[Set], value_first: bool, slider_first: bool| {
            let line = Line {
                sets: sets.to_vec(),
                value_first,
                slider_first,
                ..*line
            };
            self.kept_by_line(&line, None, span)
        };
        let before = part(line.sets.get(..=place)?, false, line.slider_first)?;
        let behind = part(line.sets.get(place..)?, true, false)?;
        Some(both(before, behind))
    }

    /// `without(x check)` and `without(x legalposition)`: the board tells at once which pieces make a difference.
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

    /// Returns the elements from which a required move was played, or at which it arrived.
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
        // In the sides, `from` and `to` refer to the move that led here.
        let here = SetExpr::Flow(Flow::At {
            position: node(PosExpr::Current, condition.span),
            value: kept.reduce(both)?,
        });
        Some(node(here, condition.span))
    }

    /// Returns the elements for which a set has a square in common with `other`, which does not depend on them.
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

    /// Returns whether a set is the element itself.
    fn is_element(&self, set: &Set) -> bool {
        match &set.kind {
            SetExpr::Variable(variable) => self.looped == Variable::Set(*variable),
            SetExpr::Piece(variable) => self.looped == Variable::Piece(*variable),
            SetExpr::Flow(Flow::Group(set)) => self.is_element(set),
            _ => false,
        }
    }

    /// `T attacks x` equals the square of another loop: then that square attacks x.
    fn kept_by_equality(&self, attacks: &Set, square: &Set) -> Option<Set> {
        let SetExpr::Attackers { targets, .. } = &attacks.kind else {
            return None;
        };
        let SetExpr::Variable(other) = square.kind else {
            return None;
        };
        let other = Variable::Set(other);
        if other == self.looped || self.assigned.contains(&other) {
            return None;
        }
        let attacked = SetExpr::Attacked {
            attackers: square.clone(),
            targets: self.kept(targets)?,
        };
        Some(node(attacked, attacks.span))
    }

    /// Returns the elements for which a set has a square, or a square of `other` if it is given. `other` does not depend on them.
    fn kept_by_set(&self, set: &Set, other: Option<Set>) -> Option<Set> {
        let span = set.span;
        let met = |set: Set| match &other {
            Some(other) => both(set, other.clone()),
            None => set,
        };
        let others = || other.clone().unwrap_or_else(|| all_squares(span));
        if let Some(kept) = self.kept(set) {
            return Some(met(kept));
        }
        if self.replaces {
            return self.kept_by_attack(set);
        }
        if self.is_apart(set) {
            let any = node(CondExpr::NonEmpty(met(set.clone())), span);
            return any.facts.is_cheap().then(|| self.all_if(any));
        }
        let (set, other) = match &set.kind {
            SetExpr::Flow(Flow::Group(set)) => (set, other),
            SetExpr::Intersection(set, apart) | SetExpr::Intersection(apart, set) if self.is_apart(apart) => {
                (set, Some(met(apart.clone())))
            }
            SetExpr::SquareColor { light, set } => {
                let (light, others) = (*light, others());
                (set, Some(node(SetExpr::SquareColor { light, set: others }, span)))
            }
            // Otherwise `left` would occur twice, and four times after the next union.
            SetExpr::Union(..) if self.left.is_some() => return None,
            SetExpr::Union(first, second) => {
                let first = self.kept_by_set(first, other.clone())?;
                let kept = SetExpr::Union(first, self.kept_by_set(second, other)?);
                return Some(node(kept, span));
            }
            // `T attacks x`: x is attacked by T.
            SetExpr::Attackers { attackers, targets } if self.is_apart(attackers) => {
                let attacked = |targets| {
                    let attackers = met(attackers.clone());
                    node(SetExpr::Attacked { attackers, targets }, span)
                };
                match self.kept(targets) {
                    Some(kept) => return Some(attacked(kept)),
                    None => (targets, Some(attacked(all_squares(span)))),
                }
            }
            // `T attackedby x`: x attacks T.
            SetExpr::Attacked { attackers, targets } if self.is_apart(targets) => {
                let attacking = |attackers| {
                    let targets = met(targets.clone());
                    node(SetExpr::Attackers { attackers, targets }, span)
                };
                match self.kept(attackers) {
                    Some(kept) => return Some(attacking(kept)),
                    None => (attackers, Some(attacking(all_squares(span)))),
                }
            }
            // Follows the directions back from the other squares.
            SetExpr::Direction { directions, range, set } if has_written_bounds(*range) => {
                let back = SetExpr::Direction {
                    directions: directions.opposites(),
                    range: *range,
                    set: others(),
                };
                (set, Some(node(back, span)))
            }
            SetExpr::Flow(flow) if let Some((names, set)) = flow.as_block() => {
                return self.kept_in_block(names, set, other);
            }
            SetExpr::Line(line) => return self.kept_by_line(line, other, span),
            SetExpr::Pin(pin) => return self.kept_by_pin(pin, other, span),
            _ => return None,
        };
        self.kept_by_set(set, other)
    }

    /// Returns the elements that attack a set or are attacked by it. The set of them all highlights the same as each of them would.
    fn kept_by_attack(&self, set: &Set) -> Option<Set> {
        let kept = match &set.kind {
            SetExpr::Attackers { attackers, targets } if self.is_apart(attackers) => SetExpr::Attacked {
                attackers: attackers.clone(),
                targets: self.kept(targets)?,
            },
            SetExpr::Attacked { attackers, targets } if self.is_apart(targets) => SetExpr::Attackers {
                attackers: self.kept(attackers)?,
                targets: targets.clone(),
            },
            _ => return None,
        };
        Some(node(kept, set.span))
    }

    /// Returns the elements kept by the value of a block or function body that only gives names to sets first. These sets do not depend on
    /// the elements.
    fn kept_in_block(&self, names: &[Cond], set: &Set, other: Option<Set>) -> Option<Set> {
        let mut inside = self.inside.clone();
        for name in names {
            match &name.kind {
                CondExpr::Assign(Assignment::Set(variable, value)) if self.is_apart(value) => {
                    inside.remove(&Variable::Set(*variable));
                }
                _ => return None,
            }
        }
        let element = Element {
            inside: &inside,
            left: self.left.clone(),
            ..*self
        };
        let block = Flow::Block {
            tests: names.to_vec(),
            value: element.kept_by_set(set, other)?,
        };
        Some(node(SetExpr::Flow(block), set.span))
    }

    /// Returns the elements at one end of a line through sets that do not depend on them.
    fn kept_by_line(&self, line: &Line, other: Option<Set>, span: Span) -> Option<Set> {
        let mut line = line.clone();
        let last = line.sets.len().checked_sub(1)?;
        let place = line.sets.iter().position(|set| !self.is_apart(set))?;
        if let Some(other) = other {
            let value = line.sets.get_mut(if line.value_first { 0 } else { last })?;
            *value = both(value.clone(), other);
        }
        let is_alone = line.sets.iter().skip(place + 1).all(|set| self.is_apart(set));
        if !is_alone || last == 0 || (place != 0 && place != last) {
            return None;
        }
        let end = line.sets.get_mut(place)?;
        *end = self.kept(end)?;
        line.value_first = place == 0;
        Some(node(SetExpr::Line(line), span))
    }

    /// Returns the elements that take part in a pin with sets that do not depend on them.
    fn kept_by_pin(&self, pin: &Pin, other: Option<Set>, span: Span) -> Option<Set> {
        let mut pin = pin.clone();
        let value = match pin.value {
            PinPart::From => &mut pin.from,
            PinPart::Through => &mut pin.through,
            PinPart::To => &mut pin.to,
        };
        if let Some(other) = other {
            *value = Some(both(value.take()?, other));
        }
        let mut place = None;
        let parts = [
            (PinPart::From, &mut pin.from),
            (PinPart::Through, &mut pin.through),
            (PinPart::To, &mut pin.to),
        ];
        for (part, set) in parts {
            let Some(set) = set.as_mut().filter(|set| !self.is_apart(set)) else {
                continue;
            };
            *set = self.kept(set)?;
            if place.replace(part).is_some() {
                return None;
            }
        }
        pin.value = place?;
        Some(node(SetExpr::Pin(pin), span))
    }

    /// Returns the set for all elements at once, if for each element it is the element or empty.
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

/// Returns the intersection of two sets.
fn both(left: Set, right: Set) -> Set {
    let span = right.span;
    node(SetExpr::Intersection(left, right), span)
}

/// Returns the conditions that must all hold for a condition to hold, in order, without those that always hold.
pub(crate) fn tests_of(condition: &Cond) -> Vec<&Cond> {
    let mut tests = required(condition);
    tests.retain(|test| !matches!(test.kind, CondExpr::Constant(true)));
    tests
}

/// Returns all squares.
fn all_squares(span: Span) -> Set {
    node(SetExpr::Constant(Bitboard::FULL), span)
}

/// The sets where a fitting move must start and where it must arrive or what it must capture, each with the squares of the move that must
/// be in it.
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
