//! The parts of expressions, as transforms and everything else that looks into expressions sees them.

use shakmaty::{Color, KnownOutcome};

use super::super::node::{Cond, Flow, Num, Pos, Set, Str};
use super::super::{CondExpr, SetExpr};
use super::{TransformName, Versions};
use crate::board::DirectionSet;
use crate::syntax::token::{Designator, Span};

/// A part of an expression that transforms may change or have to look into.
#[allow(missing_docs)]
pub enum Child<'a> {
    Set(&'a mut Set),
    Number(&'a mut Num),
    String(&'a mut Str),
    Position(&'a mut Pos),
    Condition(&'a mut Cond),
    Designator(&'a mut Designator),
    Directions(&'a mut DirectionSet),
    /// `light` is true, `dark` false
    SquareColor(&'a mut bool),
    /// `wtm`, `white` as a number, `elo white`: White sorts first
    Color(&'a mut Color),
    /// `player white`, `tag "White"`: Black sorts first
    TagColor(&'a mut Color),
    Result(&'a mut KnownOutcome),
    TransformNames(&'a mut Vec<TransformName>),
    SetVersions(&'a mut Versions<Set>),
    NumberVersions(&'a mut Versions<Num>),
    ConditionVersions(&'a mut Versions<Cond>),
    /// A part that `notransform` shields.
    Fixed(Box<Child<'a>>),
}

impl Child<'_> {
    /// The text of an expression.
    pub(super) fn span(&self) -> Option<Span> {
        match self {
            Child::Set(set) => Some(set.span),
            Child::Number(number) => Some(number.span),
            Child::String(string) => Some(string.span),
            Child::Position(position) => Some(position.span),
            Child::Condition(condition) => Some(condition.span),
            _ => None,
        }
    }

    /// Shows the direct parts: of an expression, of what `notransform` shields, and the copies of versions.
    pub fn parts(self, visit: &mut dyn FnMut(Child<'_>)) {
        fn copies<N: Part>(versions: &mut Versions<N>, visit: &mut dyn FnMut(Child<'_>)) {
            versions.copies.iter_mut().for_each(|copy| copy.child(visit));
        }
        match self {
            Child::Set(set) => set.kind.children(visit),
            Child::Number(number) => number.kind.children(visit),
            Child::String(string) => string.kind.children(visit),
            Child::Position(position) => position.kind.children(visit),
            Child::Condition(condition) => condition.kind.children(visit),
            Child::SetVersions(versions) => copies(versions, visit),
            Child::NumberVersions(versions) => copies(versions, visit),
            Child::ConditionVersions(versions) => copies(versions, visit),
            Child::Fixed(child) => visit(*child),
            Child::Designator(_)
            | Child::Directions(_)
            | Child::SquareColor(_)
            | Child::Color(_)
            | Child::TagColor(_)
            | Child::Result(_)
            | Child::TransformNames(_) => {}
        }
    }
}

/// An expression that can be a part of another.
pub trait Part: Clone {
    /// Shows itself to `visit`.
    fn child(&mut self, visit: &mut dyn FnMut(Child<'_>));

    /// Collects the designators that must not be empty for the expression to match, as far as nothing else is evaluated
    /// before them. Returns whether nothing else is evaluated at all.
    fn first_designators<'e>(&'e self, _designators: &mut Vec<&'e Designator>) -> bool {
        false
    }
}

impl Part for Set {
    fn child(&mut self, visit: &mut dyn FnMut(Child<'_>)) {
        visit(Child::Set(self));
    }

    fn first_designators<'e>(&'e self, designators: &mut Vec<&'e Designator>) -> bool {
        match &self.kind {
            SetExpr::Designator(designator) if designator.has_contents => {
                designators.push(designator);
                true
            }
            _ => false,
        }
    }
}

impl Part for Num {
    fn child(&mut self, visit: &mut dyn FnMut(Child<'_>)) {
        visit(Child::Number(self));
    }
}

impl Part for Str {
    fn child(&mut self, visit: &mut dyn FnMut(Child<'_>)) {
        visit(Child::String(self));
    }
}

impl Part for Pos {
    fn child(&mut self, visit: &mut dyn FnMut(Child<'_>)) {
        visit(Child::Position(self));
    }
}

impl Part for Cond {
    fn child(&mut self, visit: &mut dyn FnMut(Child<'_>)) {
        visit(Child::Condition(self));
    }

    fn first_designators<'e>(&'e self, designators: &mut Vec<&'e Designator>) -> bool {
        match &self.kind {
            CondExpr::NonEmpty(set) => set.first_designators(designators),
            CondExpr::And(first, second) => {
                first.first_designators(designators) && second.first_designators(designators)
            }
            CondExpr::Flow(Flow::Block { tests, value }) => tests
                .iter()
                .chain([value])
                .all(|test| test.first_designators(designators)),
            _ => false,
        }
    }
}
