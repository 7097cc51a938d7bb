//! Words that every query may use without declaring them: the functions of the prelude, `intersection` and `variant`.
//!
//! None of them is reserved. They only count before a parenthesis (`variant` before a text) in a query that does not use the name in any
//! other way, so they never change the meaning of a query.

use crate::board::DirectionSet;
use crate::chess::Variant;
use crate::syntax::token::{Sign, TokenKind};
use crate::syntax::{Diagnostic, nearest};

use super::builder::{Builder, Built, Wrapper};
use super::functions::Argument;
use super::names::Name;
use super::prelude_names::{INTERSECTION, VARIANT};
use crate::query::ast::node::{Cond, Filter};
use crate::query::ast::sets::LinesThrough;
use crate::query::ast::variables::Variable;
use crate::query::ast::{CondExpr, SetExpr};
use crate::query::parse::prelude;
use crate::query::parse::prelude::Function;

/// The meaning of a name that the query has not declared.
pub(super) enum Predefined {
    /// A function of the prelude.
    Function(&'static Function),
    /// `intersection ( S T )`
    Intersection,
    /// `variant "atomic"`
    Variant,
}

impl Builder {
    /// Returns the meaning of the name that was just read, if it is a word of the prelude.
    pub(super) fn predefined(&self, name: &str) -> Option<Predefined> {
        if let Some(function) = prelude::function_inside(name) {
            return Some(Predefined::Function(function));
        }
        let is_used = if name == VARIANT {
            matches!(self.cursor.token().kind, TokenKind::String(_))
        } else {
            self.cursor.at_sign(Sign::OpenParen)
        };
        if !is_used || !self.symbols.prelude.has(name) || self.symbols.prelude.is_own(name) {
            return None;
        }
        if name == VARIANT {
            return Some(Predefined::Variant);
        }
        Some(match prelude::function(name) {
            Some(function) => Predefined::Function(function),
            None => Predefined::Intersection,
        })
    }

    /// Makes the filter for a word of the prelude. The name is read.
    pub(super) fn predefined_filter(&mut self, word: Predefined, first: usize) -> Built {
        match word {
            Predefined::Function(function) => self.prelude_call(function, first),
            Predefined::Intersection => self.lines_intersection(first),
            Predefined::Variant => self.variant(first),
        }
    }

    /// Reads `variant "atomic"`. The word is read, and a text is next.
    fn variant(&mut self, first: usize) -> Built {
        let token = self.cursor.next();
        let name = match &token.kind {
            TokenKind::String(name) => name.as_slice(),
            _ => &[],
        };
        let Some(variant) = Variant::of_name(name) else {
            let name = String::from_utf8_lossy(name);
            let known = Variant::ALL.map(|variant| format!("`{variant}`")).join(", ");
            let error = Diagnostic::new(token.span, format!("unknown variant `{name}`"))
                .hint(format!("variants are {known}; case, spaces and hyphens do not count"));
            let names: Vec<String> = Variant::ALL.iter().map(ToString::to_string).collect();
            return Err(match nearest(&name, names.iter().map(String::as_str)) {
                Some(close) => error.change(token.span, format!("\"{close}\"")),
                None => error,
            });
        };
        self.complete(CondExpr::Variant(variant), first)
    }

    /// Reads `F ( S T … )`. The name is read.
    fn prelude_call(&mut self, function: &'static Function, first: usize) -> Built {
        let name = function.name();
        let opened = self.open(name)?;
        let outer = self.symbols.passed.len();
        let mut assignments = Vec::new();
        let mut arguments = Vec::new();
        while !self.cursor.at_sign(Sign::CloseParen) {
            let Some(parameter) = function.parameters().get(arguments.len()) else {
                return Err(self
                    .unexpected(&format!("`{name}` takes at most {} sets", arguments.len()))
                    .related(opened, "the arguments begin here"));
            };
            arguments.push(self.set_argument(name, parameter, &mut assignments)?);
        }
        self.close(opened, "the arguments")?;
        let span = self.cursor.span_from(first);
        // The text of the prelude cannot be changed at the call.
        let body = self
            .expanded(function.body(&arguments, span))
            .map_err(|error| Diagnostic {
                fixes: Box::default(),
                ..error
            })?;
        self.symbols.passed.truncate(outer);
        Ok(body.with_flow(span, Wrapper::Call(assignments)))
    }

    /// Reads an argument, which has to be a set.
    fn set_argument(&mut self, function: &str, parameter: &str, assignments: &mut Vec<Cond>) -> Built<String> {
        let start = self.cursor.at;
        let place = format!("as an argument of `{function}`");
        match self.argument_filter()? {
            Argument::Name(name) => match self.symbols.names.get(&name) {
                Some(Name::Variable(Variable::Set(_) | Variable::Piece(_))) | None => Ok(name),
                Some(other) => Err(Diagnostic::new(
                    self.cursor.span_from(start),
                    format!("expected a set {place}, found {}", other.described()),
                )
                .label(format!("this is {}", other.described()))),
            },
            Argument::Value(value) => {
                let set = self.typed(value, &place)?;
                self.pass(parameter, Filter::Set(set), assignments)
            }
        }
    }

    /// Reads `intersection ( kinds? S kinds? T )`. The name is read.
    fn lines_intersection(&mut self, first: usize) -> Built {
        let opened = self.open(INTERSECTION)?;
        let left = self.lines_through("as first argument of `intersection`")?;
        let right = self.lines_through("as second argument of `intersection`")?;
        self.close(opened, "two sets")?;
        let span = self.cursor.span_from(first);
        if left.kinds == right.kinds && left.kinds.len() == 2 {
            return Err(Diagnostic::new(span, "lines of one kind do not cross").label("both sets have the same"));
        }
        Ok(Filter::new(SetExpr::Intersections([left, right]), span))
    }

    /// Reads `kinds? S`: kinds of lines, all if none is given, and the set that they go through.
    fn lines_through(&mut self, place: &str) -> Built<LinesThrough> {
        let kinds = self.kinds_of_lines()?;
        let written = !kinds.is_empty();
        if written
            && matches!(
                self.cursor.token().kind,
                TokenKind::Integer(_) | TokenKind::Sign(Sign::Minus)
            )
        {
            return Err(self
                .unexpected(&format!("expected a set {place}"))
                .hint("lines have no steps; to go some steps from a set, put that into braces: `{diagonal 1 R}`"));
        }
        let set = self.filter_expected(place)?;
        Ok(LinesThrough {
            kinds: if written { kinds } else { DirectionSet::ALL },
            written,
            set: self.typed(set, place)?,
        })
    }

    /// Reads kinds of lines, as long as there are any. They are directions with their opposites.
    fn kinds_of_lines(&mut self) -> Built<DirectionSet> {
        let mut kinds = DirectionSet::EMPTY;
        while let TokenKind::Word(word) = self.cursor.token().kind
            && let Some(more) = super::sets::directions(word)
        {
            let span = self.cursor.token().span;
            if more != more.opposites() {
                return Err(Diagnostic::new(span, format!("`{word}` is not a kind of line"))
                    .label("a line goes both ways")
                    .hint(
                        "the kinds are `horizontal`, `vertical`, `maindiagonal`, `offdiagonal` and the groups of them",
                    )
                    .hint(format!("to go {word} from a set, put that into braces: `{{{word} R}}`")));
            }
            if kinds.intersects(more) {
                return Err(Diagnostic::new(span, "a kind of line is given twice")
                    .label(format!("`{word}` includes one given before")));
            }
            kinds |= more;
            self.cursor.next();
        }
        Ok(kinds)
    }
}
