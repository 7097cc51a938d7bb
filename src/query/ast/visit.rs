//! The visitor: the parts of every expression, in the order in which transforms compare copies.
//!
//! They are listed once, in [`parts`], for code that reads them ([`Child`], [`Children::children`]) and code that changes them ([`ChildMut`],
//! [`Children::children_mut`]). A function that answers a question about a query takes a [`Child`] and calls itself for its
//! [`parts`](Child::parts).
//!
//! Each part uses only those before it: `self`, `parts`.

use shakmaty::{Color, KnownOutcome};

use crate::board::DirectionSet;
use crate::query::ast::facts::Facts;
use crate::query::ast::node::{Cond, Num, Pos, Set, Str};
use crate::query::ast::versions::{TransformName, Versions};
use crate::syntax::token::{Designator, Span};

/// An expression, or what consists of expressions.
pub(crate) trait Children {
    /// Passes the expressions that it consists of to `visit`: the direct parts of a form, or a node itself.
    fn children(&self, visit: &mut dyn FnMut(Child<'_>));
    /// Passes the expressions that it consists of to `visit`.
    fn children_mut(&mut self, visit: &mut dyn FnMut(ChildMut<'_>));
}

macro_rules! child {
    ($(#[$about:meta])* $name:ident, $children:ident $(, $mutable:tt)?) => {
        $(#[$about])*
        #[allow(missing_docs)]
        pub(crate) enum $name<'a> {
            Set(&'a $($mutable)? Set),
            Number(&'a $($mutable)? Num),
            String(&'a $($mutable)? Str),
            Position(&'a $($mutable)? Pos),
            Condition(&'a $($mutable)? Cond),
            Designator(&'a $($mutable)? Designator),
            Directions(&'a $($mutable)? DirectionSet),
            /// `light` is true, `dark` is false.
            SquareColor(&'a $($mutable)? bool),
            /// `wtm`, `white` as a number, `elo white`: White sorts first.
            Color(&'a $($mutable)? Color),
            /// `player white`, `tag "White"`: Black sorts first.
            TagColor(&'a $($mutable)? Color),
            Result(&'a $($mutable)? KnownOutcome),
            #[allow(dead_code, reason = "only a transform has to do with names")]
            TransformNames(&'a $($mutable)? Vec<TransformName>),
            SetVersions(&'a $($mutable)? Versions<Set>),
            NumberVersions(&'a $($mutable)? Versions<Num>),
            ConditionVersions(&'a $($mutable)? Versions<Cond>),
            /// A part that `notransform` shields.
            Fixed(Box<$name<'a>>),
        }

        impl $name<'_> {
            /// Passes the direct parts to `visit`. Versions have their copies as parts, and `Fixed` has the part that it shields.
            pub(crate) fn parts(self, visit: &mut dyn FnMut($name<'_>)) {
                match self {
                    $name::Set(set) => set.kind.$children(visit),
                    $name::Number(number) => number.kind.$children(visit),
                    $name::String(string) => string.kind.$children(visit),
                    $name::Position(position) => position.kind.$children(visit),
                    $name::Condition(condition) => condition.kind.$children(visit),
                    $name::SetVersions(versions) => versions.copies.$children(visit),
                    $name::NumberVersions(versions) => versions.copies.$children(visit),
                    $name::ConditionVersions(versions) => versions.copies.$children(visit),
                    $name::Fixed(child) => visit(*child),
                    $name::Designator(_)
                    | $name::Directions(_)
                    | $name::SquareColor(_)
                    | $name::Color(_)
                    | $name::TagColor(_)
                    | $name::Result(_)
                    | $name::TransformNames(_) => {}
                }
            }
        }
    };
}

child!(
    /// A part of an expression, to read.
    Child, children
);
child!(
    /// A part of an expression, to change.
    ChildMut, children_mut, mut
);

impl Child<'_> {
    /// Returns what is known about an expression without a position.
    pub(crate) fn facts(&self) -> Option<&Facts> {
        match self {
            Child::Set(set) => Some(&set.facts),
            Child::Number(number) => Some(&number.facts),
            Child::String(string) => Some(&string.facts),
            Child::Position(position) => Some(&position.facts),
            Child::Condition(condition) => Some(&condition.facts),
            _ => None,
        }
    }

    /// Returns the text of an expression.
    pub(crate) fn span(&self) -> Option<Span> {
        match self {
            Child::Set(set) => Some(set.span),
            Child::Number(number) => Some(number.span),
            Child::String(string) => Some(string.span),
            Child::Position(position) => Some(position.span),
            Child::Condition(condition) => Some(condition.span),
            _ => None,
        }
    }
}

/// The meaning of the lists for code that reads.
mod reading {
    pub(crate) use super::Child;
    use super::Children;
    use crate::query::ast::program::{Program, Step};

    pub(crate) fn parts(parts: &impl Children, visit: &mut dyn FnMut(Child<'_>)) {
        parts.children(visit);
    }

    pub(crate) fn both(first: &impl Children, second: &impl Children, visit: &mut dyn FnMut(Child<'_>)) {
        first.children(visit);
        second.children(visit);
    }

    pub(crate) fn steps<S: Step>(program: &Program<S>) -> impl Iterator<Item = &S> {
        program.steps()
    }
}

/// The meaning of the lists for code that changes.
mod changing {
    pub(crate) use super::ChildMut as Child;
    use super::Children;
    use crate::query::ast::program::{Program, Step};

    pub(crate) fn parts(parts: &mut impl Children, visit: &mut dyn FnMut(Child<'_>)) {
        parts.children_mut(visit);
    }

    pub(crate) fn both(first: &mut impl Children, second: &mut impl Children, visit: &mut dyn FnMut(Child<'_>)) {
        first.children_mut(visit);
        second.children_mut(visit);
    }

    pub(crate) fn steps<S: Step>(program: &mut Program<S>) -> impl Iterator<Item = &mut S> {
        program.steps_mut()
    }
}

/// Implements [`Children`] by one list for both of its methods. In the list, the names `Child`, `parts`, `both` and `steps` are from
/// `reading` or from `changing`.
macro_rules! visits {
    ($(impl[$($generics:tt)*] $kind:ty: |$this:ident, $visit:ident| $body:expr;)*) => {
        $(impl<$($generics)*> Children for $kind {
            fn children(&self, $visit: &mut dyn FnMut(Child<'_>)) {
                #[allow(unused_imports, reason = "most lists need only some of them")]
                use reading::{Child, both, parts, steps};
                let $this = self;
                $body
            }

            fn children_mut(&mut self, $visit: &mut dyn FnMut(ChildMut<'_>)) {
                #[allow(unused_imports, reason = "most lists need only some of them")]
                use changing::{Child, both, parts, steps};
                let $this = self;
                $body
            }
        })*
    };
}

mod parts;

impl<P: Children> Children for Box<P> {
    fn children(&self, visit: &mut dyn FnMut(Child<'_>)) {
        (**self).children(visit);
    }

    fn children_mut(&mut self, visit: &mut dyn FnMut(ChildMut<'_>)) {
        (**self).children_mut(visit);
    }
}
