//! `flip`, `shift` and the other words that turn one filter into many (chapter 4.6).

use crate::syntax::Diagnostic;
use crate::syntax::token::Span;

use super::super::node::{Filter, Flow, node};
use super::super::transform::{Cost, Group, MOST_COPIES, MOST_WORK, Part, Transform, Versions, has_squares};
use super::super::{Bound, CondExpr, NumExpr, Range, SetExpr};
use super::{Builder, Built, Wrap};

impl Builder {
    /// `flip range? f`: the word is read.
    pub(super) fn transform(&mut self, group: Group, word: &str, first: usize) -> Built {
        let (effects, similars) = (self.effects, self.similars);
        let range = if group == Group::ReverseColor {
            None
        } else {
            self.range()
        };
        let body = self.filter_expected(&format!("after `{word}`"))?;
        let pure = self.effects == effects && !reads_variable(range);
        let span = self.span_from(first);
        if reads_variable(range) {
            // It may stop the run.
            self.effects += 1;
        }
        if self.similars > similars {
            return Err(Diagnostic::new(span, "`similarposition` under a transform")
                .label("it compares with transformed positions by itself"));
        }
        let versions = Copies { group, pure, span };
        match range {
            None => versions.merged(self, body),
            Some(range) => {
                let body = self.condition(body)?;
                let copies = versions.of(self, body)?;
                Ok(Filter::Number(node(NumExpr::CountVersions(copies, range), span)))
            }
        }
    }

    /// The whole body under a transform that stands at `word`.
    pub(super) fn under_transform(&mut self, group: Group, word: Span, body: Filter) -> Built {
        let versions = Copies {
            group,
            pure: self.effects == 0,
            span: word,
        };
        versions.merged(self, body)
    }

    /// `notransform f`: the word is read.
    pub(super) fn no_transform(&mut self, first: usize) -> Built {
        let body = self.filter_expected("after `notransform`")?;
        Ok(body.with_flow(self.span_from(first), Fixed))
    }
}

/// How copies are made.
struct Copies {
    group: Group,
    pure: bool,
    span: Span,
}

impl Copies {
    /// The copies as a filter of the type of the body. A body that is itself a transform is merged into one list.
    fn merged(&self, builder: &mut Builder, body: Filter) -> Built {
        Ok(match body {
            Filter::Set(set) => {
                let set = *set;
                let copies = match set.kind {
                    SetExpr::Versions(inner) => self.around(builder, inner)?,
                    kind => self.of(builder, node(kind, set.span))?,
                };
                Filter::Set(node(SetExpr::Versions(copies), self.span))
            }
            Filter::Number(number) => {
                let number = *number;
                let kind = match number.kind {
                    NumExpr::Versions(inner) => NumExpr::Versions(self.around(builder, inner)?),
                    NumExpr::CountVersions(inner, range) => NumExpr::CountVersions(self.around(builder, inner)?, range),
                    kind => NumExpr::Versions(self.of(builder, node(kind, number.span))?),
                };
                Filter::Number(node(kind, self.span))
            }
            other => {
                let condition = *builder.condition(other)?;
                let copies = match condition.kind {
                    CondExpr::Versions(inner) => self.around(builder, inner)?,
                    kind => self.of(builder, node(kind, condition.span))?,
                };
                builder.condition_node(CondExpr::Versions(copies), self.span)
            }
        })
    }

    fn transforms(&self, inner: usize, turnable: bool) -> Built<Vec<Transform>> {
        if self.group == Group::Rotate45 && !turnable {
            return Err(Diagnostic::new(self.span, "`rotate45` of squares")
                .label("a square or a square colour cannot be turned by 45 degrees")
                .hint("`notransform` shields a part; designators without squares and directions can be turned"));
        }
        let transforms = self.group.transforms();
        if transforms.len().saturating_mul(inner) > MOST_COPIES {
            return Err(Diagnostic::new(self.span, "this transform makes too many copies")
                .label(format!("{} times {inner}, at most {MOST_COPIES}", transforms.len())));
        }
        Ok(transforms)
    }

    fn of<N: Part>(&self, builder: &mut Builder, body: N) -> Built<Versions<N>> {
        let mut body = body;
        let transforms = self.transforms(1, !has_squares(&mut body))?;
        self.pay(builder, transforms.len(), Cost::of(&mut body))?;
        Ok(Versions::new(&transforms, body, self.pure))
    }

    fn around<N: Part>(&self, builder: &mut Builder, inner: Versions<N>) -> Built<Versions<N>> {
        let mut inner = inner;
        let turnable = !inner.copies.iter_mut().any(has_squares);
        let transforms = self.transforms(inner.copies.len(), turnable)?;
        let mut cost = Cost::default();
        cost.add_copies(&mut inner.copies);
        self.pay(builder, transforms.len(), cost)?;
        Ok(inner.under(&transforms))
    }

    /// Adds to the work of the transforms so far, which has an end: transforms inside each other multiply.
    fn pay(&self, builder: &mut Builder, transforms: usize, cost: Cost) -> Built<()> {
        let work = transforms.saturating_mul(cost.work);
        builder.transform_work = builder.transform_work.saturating_add(work);
        if builder.transform_work > MOST_WORK {
            return Err(Diagnostic::new(self.span, "this transform makes too many copies")
                .label(format!("{transforms} times an expression of {} parts", cost.parts))
                .hint("transforms inside each other multiply; `notransform` shields a part"));
        }
        Ok(())
    }
}

/// `notransform f`
struct Fixed;

impl Wrap for Fixed {
    fn wrap<N>(self, value: N) -> Flow<N> {
        Flow::Fixed(value)
    }
}

fn reads_variable(range: Option<Range>) -> bool {
    match range {
        Some(Range::Within(least, most)) => [least, most].iter().any(|bound| matches!(bound, Bound::Variable(..))),
        Some(Range::Any) | None => false,
    }
}
