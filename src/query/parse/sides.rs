//! Finds out for which side a query matches: White as it is written, Black in a copy with exchanged colours.

use crate::syntax::Diagnostic;
use crate::syntax::token::Span;

use super::builder::{Builder, Built};
use crate::query::ast::facts::Effects;
use crate::query::ast::node::{Cond, Filter, node};
use crate::query::ast::versions::Colors;
use crate::query::ast::visit::Child;
use crate::query::ast::{CondExpr, NumExpr, SetExpr, required};
use crate::query::transform::Group;

impl Builder {
    /// Returns two conditions: that the first transform that exchanges colours holds as written, and that it holds exchanged. Returns
    /// `None` for a query without such a transform.
    pub(super) fn sides(&mut self, filters: &[Filter]) -> Built<Option<[Filter; 2]>> {
        let conditions = filters.iter().map(|filter| self.condition(filter.clone()));
        let conditions: Vec<Cond> = conditions.collect::<Built<_>>()?;
        let is_sided = |condition: &&Cond| with_colors(condition, Colors::EXCHANGED).is_some();
        let Some(sided) = conditions.iter().flat_map(required).find(is_sided) else {
            return match conditions
                .iter()
                .find_map(|part| first_exchanging(Child::Condition(part)))
            {
                None => Ok(None),
                Some(span) => Err(Diagnostic::new(span, "it is not clear for which side this matches")
                    .label("colours are exchanged inside of another filter")
                    .hint("put `flipcolor` around all filters that are about one side")),
            };
        };
        let effects = self.effects(&sided.facts, Effects::COMMENT | Effects::ASSIGN);
        if !effects.only_assigns() {
            return Err(
                Diagnostic::new(sided.span, "it is not clear for which side this matches")
                    .label("it does more than match, and would do it twice"),
            );
        }
        Ok(Some([Colors::WRITTEN, Colors::EXCHANGED].map(|colors| {
            let kind = with_colors(sided, colors).unwrap_or(CondExpr::Constant(false));
            Filter::new(kind, sided.span)
        })))
    }

    /// Returns the same for a query that does not exchange colours: it holds as written, and also exchanged if a copy with exchanged
    /// colours holds. If that copy would do more than match, it is not evaluated.
    pub(super) fn as_written(&mut self, filters: &[Filter]) -> Built<[Filter; 2]> {
        let body = self.block_condition(filters.to_vec())?;
        let span = body.span;
        let effects = self.effects(&body.facts, Effects::COMMENT | Effects::ASSIGN);
        let exchanged = if effects.only_assigns() {
            let both = self.under_transform(Group::FlipColor, span, Filter::Condition(body))?;
            let both = self.condition(both)?;
            with_colors(&both, Colors::EXCHANGED)
        } else {
            None
        };
        let exchanged = exchanged.unwrap_or(CondExpr::Constant(false));
        Ok([CondExpr::Constant(true), exchanged].map(|kind| Filter::new(kind, span)))
    }
}

/// Returns the copies of a transform with these colours, if there are any.
fn with_colors(condition: &Cond, colors: Colors) -> Option<CondExpr> {
    Some(match &condition.kind {
        CondExpr::Versions(versions) => CondExpr::Versions(versions.with_colors(colors)?),
        CondExpr::NonEmpty(set) => match &set.kind {
            SetExpr::Versions(versions) => {
                CondExpr::NonEmpty(node(SetExpr::Versions(versions.with_colors(colors)?), set.span))
            }
            _ => return None,
        },
        CondExpr::HasNumber(number) => match &number.kind {
            NumExpr::Versions(versions) => {
                CondExpr::HasNumber(node(NumExpr::Versions(versions.with_colors(colors)?), number.span))
            }
            _ => return None,
        },
        _ => return None,
    })
}

/// Finds the first transform inside a filter that exchanges colours, and returns its text.
fn first_exchanging(child: Child<'_>) -> Option<Span> {
    let span = child.span();
    let mut found = None;
    child.parts(&mut |part| {
        let exchanges = match &part {
            Child::SetVersions(versions) => versions.has_exchanged(),
            Child::NumberVersions(versions) => versions.has_exchanged(),
            Child::ConditionVersions(versions) => versions.has_exchanged(),
            _ => false,
        };
        found = found.or_else(|| if exchanges { span } else { first_exchanging(part) });
    });
    found
}
