//! Regular expressions: `~~`, the groups of the last match, and the loop over all matches (chapter 8, 11).

use std::sync::Arc;

use crate::pattern::Pattern;
use crate::syntax::Diagnostic;
use crate::syntax::token::{Span, TokenKind};

use super::builder::{Builder, Built};
use crate::query::ast::node::Filter;
use crate::query::ast::{CondExpr, StrExpr};

impl Builder {
    /// Reads `s ~~ "re"`. The sign is next.
    pub(super) fn matched(&mut self, target: Filter, first: usize) -> Built {
        let kept = self.asks_for_groups;
        self.cursor.next();
        let target = self.typed(target, "on the left of `~~`")?;
        let TokenKind::String(text) = self.cursor.token().kind.clone() else {
            return Err(self
                .unexpected("expected a regular expression in quotes")
                .hint("patterns are compiled before the search: they are written out, not computed"));
        };
        let span = self.cursor.next().span;
        let pattern = self.pattern(&text, span)?;
        self.complete(StrExpr::Match { target, pattern, kept }, first)
    }

    /// Returns the compiled pattern. Equal patterns are compiled once.
    pub(super) fn pattern(&mut self, text: &[u8], span: Span) -> Built<Arc<Pattern>> {
        if let Some(known) = self.found.patterns.get(text) {
            return Ok(Arc::clone(known));
        }
        let pattern = Pattern::new(text).map_err(|error| {
            // The literal without its quotes is the pattern. `\n` and the like have no quotes.
            let quoted = span.range().len() == text.len() + 2;
            let start = span.start as usize + 1;
            let place = if quoted {
                Span::new(start + error.range.start, start + error.range.end)
            } else {
                span
            };
            Diagnostic::new(place, "malformed regular expression").label(error.message)
        })?;
        let pattern = Arc::new(pattern);
        self.found.patterns.insert(text.to_vec(), Arc::clone(&pattern));
        Ok(pattern)
    }

    /// Reads `while (t) f`, where t may be `s ~~ "re"`. f is next.
    pub(super) fn repeated_test(&mut self, test: Filter, first: usize) -> Built {
        let over_matches = match test {
            Filter::String(string) => match string.kind {
                StrExpr::Match { target, pattern, .. } => Ok((target, pattern)),
                kind => Err(Filter::new(kind, string.span)),
            },
            test => Err(test),
        };
        let kind = match over_matches {
            Ok((target, pattern)) => CondExpr::WhileMatch {
                target,
                pattern,
                body: self.condition_expected("as the body of `while`")?,
            },
            Err(test) => CondExpr::While {
                test: self.condition(test)?,
                body: self.condition_expected("as the body of `while`")?,
            },
        };
        self.complete(kind, first)
    }
}
