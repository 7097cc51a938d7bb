//! The interpreter: evaluates an expression at a position.
//!
//! Every type of expression implements [`Eval`]. `values` has one file for each type, which passes an expression on to the family of its filter:
//! `moves`, `paths`, `tree` (other positions of the game), `text`, `variables`, `control` (forms that evaluate others). Filters contain filters
//! of all types, so the files of this room call each other. From the room around them, they only know `state` and `context`.

pub(crate) mod control;
pub(crate) mod imagine;
pub(crate) mod moves;
pub(crate) mod paths;
pub(crate) mod text;
pub(crate) mod tree;
pub(crate) mod values;
pub(crate) mod variables;

use crate::board::Bitboard;
use crate::eval::context::Context;
use crate::eval::report::MatchValue;
use crate::game::Position;
use crate::query::facts::context_free;
use crate::query::{CondExpr, Node, NumExpr, PosExpr, SetExpr, StrExpr};

use imagine::context_free::PositionView;
use values::{conditions, numbers, positions, sets, strings};

/// An expression that has a value at a position.
pub(crate) trait Eval {
    /// The type of its values. If a value may be missing, the type has a value for that.
    type Value<'a>: Clone;

    /// Whether a failing block or dash of this type drops the comments made inside it.
    const DROPS_COMMENTS: bool = true;

    /// Returns the value at a position.
    fn eval<'a>(&'a self, context: &mut Context<'a>, at: &'a Position) -> Self::Value<'a>;

    /// Returns the value that stands for a missing one.
    fn missing<'a>() -> Self::Value<'a>;

    /// Returns whether `value` stands for a missing one.
    fn is_missing(value: &Self::Value<'_>) -> bool;

    /// Returns the value as it is stored and reported.
    fn noted(value: Self::Value<'_>) -> MatchValue;

    /// Returns a value from an imagined position in a form that outlives the position.
    fn kept<'a>(value: Self::Value<'_>) -> Self::Value<'a>;

    /// Returns whether it is context-free. If so, [`context_free`](Eval::context_free) returns its value.
    fn is_context_free(&self) -> bool {
        false
    }

    /// Returns the value of a context-free expression in an imagined position.
    fn context_free<'a>(&self, _: &PositionView<'_>, _: &Position) -> Self::Value<'a> {
        Self::missing()
    }

    /// Returns the value stored in a dictionary with values of this type.
    fn stored<'a>(value: &MatchValue, context: &Context<'a>) -> Self::Value<'a>;
}

impl Eval for Node<SetExpr> {
    type Value<'a> = Bitboard;
    const DROPS_COMMENTS: bool = false;

    #[inline]
    fn eval<'a>(&'a self, context: &mut Context<'a>, at: &'a Position) -> Bitboard {
        match &self.kind {
            // By far the most frequent form. Handling it here saves a call.
            SetExpr::Designator(designator) => sets::designated(designator, &at.board),
            _ => sets::eval(self, context, at),
        }
    }

    fn missing<'a>() -> Self::Value<'a> {
        Bitboard::EMPTY
    }

    /// A set always has a value, so nothing ends because of it.
    fn is_missing(_: &Bitboard) -> bool {
        false
    }

    fn noted(value: Bitboard) -> MatchValue {
        MatchValue::Squares(value)
    }

    fn kept<'a>(value: Self::Value<'_>) -> Self::Value<'a> {
        value
    }

    fn stored<'a>(value: &MatchValue, _: &Context<'a>) -> Bitboard {
        match value {
            MatchValue::Squares(set) => *set,
            _ => Bitboard::EMPTY,
        }
    }
}

impl Eval for Node<NumExpr> {
    type Value<'a> = Option<i32>;

    #[inline(always)]
    fn eval<'a>(&'a self, context: &mut Context<'a>, at: &'a Position) -> Option<i32> {
        match &self.kind {
            // By far the most frequent forms. Handling them here saves a call.
            NumExpr::Literal(number) => Some(*number),
            NumExpr::Count(set) => Some(numbers::size(set, context, at)),
            _ => numbers::eval(self, context, at),
        }
    }

    fn missing<'a>() -> Self::Value<'a> {
        None
    }

    fn is_missing(value: &Option<i32>) -> bool {
        value.is_none()
    }

    fn noted(value: Option<i32>) -> MatchValue {
        value.map_or(MatchValue::Unknown, MatchValue::Number)
    }

    fn kept<'a>(value: Self::Value<'_>) -> Self::Value<'a> {
        value
    }

    fn stored<'a>(value: &MatchValue, _: &Context<'a>) -> Option<i32> {
        match value {
            MatchValue::Number(number) => Some(*number),
            _ => None,
        }
    }
}

impl Eval for Node<StrExpr> {
    type Value<'a> = Option<strings::Text<'a>>;

    fn eval<'a>(&'a self, context: &mut Context<'a>, at: &'a Position) -> Option<strings::Text<'a>> {
        strings::eval(self, context, at)
    }

    fn missing<'a>() -> Option<strings::Text<'a>> {
        None
    }

    fn is_missing(value: &Option<strings::Text<'_>>) -> bool {
        value.is_none()
    }

    fn noted(value: Option<strings::Text<'_>>) -> MatchValue {
        value.map_or(MatchValue::Unknown, |text| MatchValue::Text(text.into_owned()))
    }

    fn kept<'a>(value: Self::Value<'_>) -> Self::Value<'a> {
        value.map(|text| text.into_owned().into())
    }

    fn stored<'a>(value: &MatchValue, _: &Context<'a>) -> Option<strings::Text<'a>> {
        match value {
            MatchValue::Text(string) => Some(string.clone().into()),
            _ => None,
        }
    }
}

impl Eval for Node<PosExpr> {
    type Value<'a> = Option<&'a Position>;

    fn eval<'a>(&'a self, context: &mut Context<'a>, at: &'a Position) -> Option<&'a Position> {
        positions::eval(self, context, at)
    }

    fn missing<'a>() -> Option<&'a Position> {
        None
    }

    fn is_missing(value: &Option<&Position>) -> bool {
        value.is_none()
    }

    fn noted(value: Option<&Position>) -> MatchValue {
        value.map_or(MatchValue::Unknown, |there| MatchValue::Position(there.id))
    }

    /// The compiler rejects filters whose value is an imagined position.
    fn kept<'a>(_: Self::Value<'_>) -> Self::Value<'a> {
        None
    }

    fn stored<'a>(value: &MatchValue, context: &Context<'a>) -> Option<&'a Position> {
        match value {
            MatchValue::Position(id) => context.position(*id),
            _ => None,
        }
    }
}

impl Eval for Node<CondExpr> {
    type Value<'a> = bool;

    #[inline]
    fn eval<'a>(&'a self, context: &mut Context<'a>, at: &'a Position) -> bool {
        conditions::eval(self, context, at)
    }

    fn missing<'a>() -> Self::Value<'a> {
        false
    }

    fn is_missing(value: &bool) -> bool {
        !value
    }

    fn noted(value: bool) -> MatchValue {
        MatchValue::Truth(value)
    }

    fn kept<'a>(value: Self::Value<'_>) -> Self::Value<'a> {
        value
    }

    fn is_context_free(&self) -> bool {
        context_free::is_context_free(self)
    }

    fn context_free<'a>(&self, scene: &PositionView<'_>, at: &Position) -> Self::Value<'a> {
        scene.holds(self, at)
    }

    /// As a condition, an entry only says that it exists.
    fn stored<'a>(_: &MatchValue, _: &Context<'a>) -> bool {
        true
    }
}
