//! Comparisons (1.5.5): which types can be compared, and the results.

use crate::syntax::Diagnostic;

use super::builder::{Builder, Built};
use super::operators::{Level, Relation};
use crate::query::ast::node::{Filter, Flow, Num, Set, Type, node};
use crate::query::ast::{Comparison, CondExpr, NumExpr, PosExpr, PositionComparison, SetExpr, StrExpr};
use crate::syntax::token::Span;

impl Builder {
    /// Reads a comparison. The sign is next. Comparisons group from the right.
    pub(super) fn relation(&mut self, relation: Relation, left: Filter, first: usize) -> Built {
        let sign = self.cursor.next().span;
        let right = self.operand(Level::Relation, "something to compare with")?;
        let span = self.cursor.span_from(first);
        let comparison = relation.comparison();
        let compared = match (left, right) {
            (Filter::Position(left), Filter::Position(right)) => {
                let comparison = match relation {
                    Relation::Ancestry(ancestry) => ancestry,
                    _ => PositionComparison::Order(comparison),
                };
                Filter::new(PosExpr::Compare(comparison, left, right), span)
            }
            (left, right) if matches!(relation, Relation::Ancestry(_)) => {
                return Err(Diagnostic::new(sign, "ancestry compares positions").label(format!(
                    "{} and {}",
                    left.kind().described(),
                    right.kind().described()
                )));
            }
            (Filter::Set(left), Filter::Set(right)) => {
                if comparison != Comparison::Equal {
                    let error = Diagnostic::new(sign, "sets can only be compared by `==` and `!=`")
                        .label("between two sets")
                        .hint("to compare sizes, write `#S` for one of them");
                    return Err([left, right]
                        .into_iter()
                        .fold(error, |error, set| size_of(error, &Filter::Set(set))));
                }
                Filter::new(CondExpr::SameSet(left, right), span)
            }
            (Filter::String(left), Filter::String(right)) => {
                let right = self.beside(&left, right);
                let left = self.beside(&right, left);
                Filter::new(StrExpr::Compare(comparison, left, right), span)
            }
            (left @ (Filter::Set(_) | Filter::Number(_)), right @ (Filter::Set(_) | Filter::Number(_))) => {
                let (left, right) = (size(left)?, size(right)?);
                Filter::new(NumExpr::Compare(comparison, left, right), span)
            }
            (left, right) => return Err(unlike(sign, &left, &right)),
        };
        if relation != Relation::NotEqual {
            return Ok(compared);
        }
        let equal = self.condition(compared)?;
        Ok(Filter::new(CondExpr::Not(equal), span))
    }
}

/// Returns a number, or the size of a set.
fn size(filter: Filter) -> Built<Num> {
    match filter {
        Filter::Set(set) => {
            let span = set.span;
            Ok(node(NumExpr::Count(set), span))
        }
        Filter::Number(number) => Ok(number),
        other => Err(Diagnostic::new(other.span(), "expected a number")),
    }
}

fn unlike(sign: Span, left: &Filter, right: &Filter) -> Diagnostic {
    let error = Diagnostic::new(
        sign,
        format!(
            "{} cannot be compared with {}",
            left.kind().described(),
            right.kind().described()
        ),
    )
    .label("comparison of unlike types");
    if right.kind() == Type::Condition {
        error.hint("a chain like `a<b<c` needs a value in the middle; `!=` and `==` of sets have none")
    } else {
        error
    }
}

/// Adds a fix that replaces a set by its size.
pub(super) fn size_of(error: Diagnostic, set: &Filter) -> Diagnostic {
    let is_word = |set: &Set| {
        matches!(
            set.kind,
            SetExpr::Designator(_) | SetExpr::Variable(_) | SetExpr::Piece(_) | SetExpr::Flow(Flow::Group(_))
        )
    };
    match set {
        Filter::Set(set) if is_word(set) => error.fix("Write the size of the set", [(set.span.before(), "#")]),
        set => error.surround(set.span(), "#(", ")"),
    }
}
