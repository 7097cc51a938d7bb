//! `flip`, `shift` and the other words that make many copies of a filter (chapter 4.6).

use crate::syntax::token::Span;
use crate::syntax::tree::Rule;
use crate::syntax::{Diagnostic, Form};

use super::builder::{Builder, Built, Wrapper};
use crate::query::ast::facts::Effects;
use crate::query::ast::node::{Filter, node};
use crate::query::ast::versions::Versions;
use crate::query::ast::visit::Children;
use crate::query::ast::{Bound, CondExpr, NumExpr, Range, SetExpr};
use crate::query::transform::{Group, Guarded, first_squares, work};

/// The maximum number of parts of filters that the transforms of a query may copy in total, before equal copies are merged. Each transform
/// multiplies the parts inside it, so a few nested ones could fill any memory.
const MOST_COPIED_PARTS: usize = 2_000_000;

impl Builder {
    /// Reads `flip range? f`. The form is next.
    pub(super) fn transform(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        let word = form.all().first().map_or("", |word| self.cursor.word_of(*word));
        let Some(group) = Group::named(word) else {
            return Err(self.unexpected("expected a transform"));
        };
        self.cursor.next();
        let similars = self.found.similars;
        let range = if form.has(Rule::REVERSECOLOR) {
            None
        } else {
            self.range()
        };
        let body = self.filter_expected(&format!("after `{word}`"))?;
        let pure = self.effects(body.facts(), Effects::empty()).is_empty() && !reads_variable(range);
        let span = self.cursor.span_from(first);
        if self.found.similars > similars {
            return Err(Diagnostic::new(span, "`similarposition` under a transform")
                .label("it compares with transformed positions by itself"));
        }
        let versions = Copies { group, pure, span };
        match range {
            None => versions.merged(self, body),
            Some(range) => {
                let body = self.condition(body)?;
                let copies = versions.of(self, body)?;
                Ok(Filter::new(NumExpr::CountVersions(copies, range), span))
            }
        }
    }

    /// Puts the whole body under a transform. `word` is its place.
    pub(super) fn under_transform(&mut self, group: Group, word: Span, body: Filter) -> Built {
        let versions = Copies {
            group,
            pure: self.effects(body.facts(), Effects::empty()).is_empty(),
            span: word,
        };
        versions.merged(self, body)
    }

    /// Reads `notransform f`. The word is read.
    pub(super) fn no_transform(&mut self, first: usize) -> Built {
        let body = self.filter_expected("after `notransform`")?;
        Ok(body.with_flow(self.cursor.span_from(first), Wrapper::Fixed))
    }
}

/// How to make the copies.
struct Copies {
    group: Group,
    pure: bool,
    span: Span,
}

impl Copies {
    /// Returns the copies as a filter of the type of the body. If the body is itself a transform, both are merged into one list.
    fn merged(&self, builder: &mut Builder, body: Filter) -> Built {
        Ok(match body {
            Filter::Set(set) => {
                let set = *set;
                let copies = match set.kind {
                    SetExpr::Versions(inner) => self.around(builder, inner)?,
                    kind => self.of(builder, node(kind, set.span))?,
                };
                Filter::new(SetExpr::Versions(copies), self.span)
            }
            Filter::Number(number) => {
                let number = *number;
                let kind = match number.kind {
                    NumExpr::Versions(inner) => NumExpr::Versions(self.around(builder, inner)?),
                    NumExpr::CountVersions(inner, range) => NumExpr::CountVersions(self.around(builder, inner)?, range),
                    kind => NumExpr::Versions(self.of(builder, node(kind, number.span))?),
                };
                Filter::new(kind, self.span)
            }
            other => {
                let condition = *builder.condition(other)?;
                let copies = match condition.kind {
                    CondExpr::Versions(inner) => self.around(builder, inner)?,
                    kind => self.of(builder, node(kind, condition.span))?,
                };
                Filter::new(CondExpr::Versions(copies), self.span)
            }
        })
    }

    /// Returns an error for copies that take too much work, and for squares that cannot be turned.
    fn check(&self, builder: &mut Builder, body: &impl Children) -> Built<()> {
        let work = work(body);
        if let (Group::Rotate45, Some(place)) = (self.group, first_squares(body)) {
            return Err(Diagnostic::new(place, "`rotate45` of squares")
                .label("a square or a square colour cannot be turned by 45 degrees")
                .hint("`notransform` shields a part; designators without squares and directions can be turned"));
        }
        let copies = self.group.transforms().len();
        builder.limits.copied_parts = copies.saturating_mul(work).saturating_add(builder.limits.copied_parts);
        if builder.limits.copied_parts > MOST_COPIED_PARTS {
            return Err(Diagnostic::new(self.span, "the transforms make too many copies")
                .label(format!("{copies} copies of {work} parts each"))
                .hint("a transform inside another one is copied with all its versions"));
        }
        Ok(())
    }

    fn of<N: Guarded>(&self, builder: &mut Builder, body: N) -> Built<Versions<N>> {
        self.check(builder, &body)?;
        Ok(Versions::new(self.group, body, self.pure))
    }

    fn around<N: Guarded>(&self, builder: &mut Builder, inner: Versions<N>) -> Built<Versions<N>> {
        self.check(builder, &inner.copies)?;
        Ok(inner.under(self.group))
    }
}

fn reads_variable(range: Option<Range>) -> bool {
    match range {
        Some(Range::Within(least, most)) => [least, most].iter().any(|bound| matches!(bound, Bound::Variable(..))),
        Some(Range::Any) | None => false,
    }
}
