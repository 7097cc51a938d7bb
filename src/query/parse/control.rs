//! Blocks, parentheses, `if`, `loop`, `while`, `assert` and others.

use crate::syntax::token::{Sign, Span, TokenKind};
use crate::syntax::{Diagnostic, Form};

use super::builder::{Builder, Built, Wrapper};
use super::names::{Asked, Name};
use super::operators::Level;
use crate::query::ast::node::{Cond, Expression, Filter, Flow, node};
use crate::query::ast::{CondExpr, Node, NumExpr, PosExpr, SetExpr, StrExpr};

impl Builder {
    /// Reads `{ f … }`. The opening brace is next.
    pub(super) fn braces(&mut self) -> Built {
        let first = self.cursor.at;
        let opened = self.cursor.next().span;
        let filters = self.filters("in the braces")?;
        if !self.cursor.take_sign(Sign::CloseBrace) {
            return Err(self
                .unexpected("expected a filter or `}`")
                .related(opened, "opened here"));
        }
        let span = self.cursor.span_from(first);
        let block = self.block(filters, span)?;
        Ok(self.grouped(block, span))
    }

    /// Reads `( f )`. The opening parenthesis is next.
    pub(super) fn parentheses(&mut self) -> Built {
        let first = self.cursor.at;
        let opened = self.cursor.next().span;
        let filter = self.filter_expected("in the parentheses")?;
        if self.cursor.begins_filter() {
            let error = self
                .unexpected("expected `)`")
                .related(opened, "these parentheses hold one filter");
            let error = match self.cursor.tokens[..first].last().map(|token| &token.kind) {
                Some(TokenKind::Word("pin")) => error.hint("`pin` names its parts: `pin from R through n to k`"),
                _ => self.braces_instead(
                    error.hint("several filters of which all must match are written in braces: `{ f g }`"),
                    first,
                ),
            };
            return Err(if self.nesting.paths > 0 {
                error.hint("a chain of a path cannot follow a target; after a repetition it can: `--{1} (-- check)`")
            } else {
                error
            });
        }
        self.close(opened, "the filter")?;
        let span = self.cursor.span_from(first);
        Ok(self.grouped(filter, span))
    }

    /// Reads `if f then? g (else h)?`. The word is read.
    pub(super) fn conditional(&mut self, first: usize) -> Built {
        let test = self.condition_expected("after `if`")?;
        self.cursor.take_word("then");
        let yes = self.filter_expected("after the test of `if`")?;
        let no = if self.cursor.take_word("else") {
            Some(self.filter_expected("after `else`")?)
        } else {
            None
        };
        let span = self.cursor.span_from(first);
        match (yes, no) {
            (Filter::Set(yes), Some(Filter::Set(no))) => Ok(choice(test, yes, no, span)),
            (Filter::Number(yes), Some(Filter::Number(no))) => Ok(choice(test, yes, no, span)),
            (Filter::String(yes), Some(Filter::String(no))) => Ok(choice(test, yes, no, span)),
            (Filter::Position(yes), Some(Filter::Position(no))) => Ok(choice(test, yes, no, span)),
            (yes, no) => {
                let yes = self.condition(yes)?;
                let no = match no {
                    Some(no) => self.condition(no)?,
                    None => node(CondExpr::Constant(true), span),
                };
                Ok(choice(test, yes, no, span))
            }
        }
    }

    /// Reads `loop f`. The word is read.
    pub(super) fn repeat(&mut self, first: usize) -> Built {
        let body = self.condition_expected("after `loop`")?;
        self.complete(CondExpr::Loop(body), first)
    }

    /// Reads `while (t) f`. The form is next.
    pub(super) fn while_loop(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        let opened = self.enter(form)?;
        let test = self.filter_expected("as the test of `while`")?;
        self.close(opened, "the test of `while`")?;
        self.repeated_test(test, first)
    }

    /// Reads `assert f`. The word is read. If f is only a variable, the filter asserts that it is bound.
    pub(super) fn assertion(&mut self, first: usize) -> Built {
        let start = self.cursor.at;
        let bound = match &self.cursor.token().kind {
            TokenKind::Name(name) => match self.symbols.names.get(name) {
                Some(Name::Variable(variable)) => Some(variable),
                _ => None,
            },
            _ => None,
        };
        let filter = self.filter_expected("after `assert`")?;
        let test = match bound {
            Some(variable) if self.cursor.at == start + 1 => {
                let name = self.ask(Asked::Variable(variable));
                node(CondExpr::IsBound { name, bound: true }, filter.span())
            }
            _ => self.condition(filter)?,
        };
        self.complete(CondExpr::Assert(test), first)
    }

    /// Reads `not f`. The word is read.
    pub(super) fn negation(&mut self, first: usize) -> Built {
        let operand = self.operand(Level::In, "a filter after `not`")?;
        let operand = self.condition(operand)?;
        self.complete(CondExpr::Not(operand), first)
    }

    /// Reads `equal(f g)`. The form is next.
    pub(super) fn equality(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        let opened = self.enter(form)?;
        let left = self.filter_expected("as first argument of `equal`")?;
        let right = self.filter_expected("as second argument of `equal`")?;
        self.close(opened, "two filters")?;
        self.complete(CondExpr::Equal(left, right), first)
    }

    /// Reads `cql_assertvariations "text"`. The form is next.
    pub(super) fn assert_variations(&mut self, form: &Form) -> Built {
        let first = self.cursor.read_whole(form);
        let text = self.cursor.text_of(form).map(|(text, _)| text).unwrap_or_default();
        let span = self.cursor.span_from(first);
        if !self.variations {
            let error = Diagnostic::new(span, String::from_utf8_lossy(&text).into_owned())
                .label("the query asks for this")
                .hint("search variations, too: `cql(variations …)` or `--variations`");
            return Err(self.with_variations(error));
        }
        Ok(Filter::new(CondExpr::Constant(true), span))
    }

    /// Reads a filter that must be next, as a condition.
    pub(super) fn condition_expected(&mut self, place: &str) -> Built<Cond> {
        let filter = self.filter_expected(place)?;
        self.condition(filter)
    }

    /// Groups a filter in brackets. If it is a theme, the brackets belong to it.
    fn grouped(&mut self, filter: Filter, span: Span) -> Filter {
        self.themes.enclose(filter.span(), span);
        grouped(filter, span)
    }
}

/// Groups a filter in brackets. Brackets around a single filter only matter for variables and matches, which they turn into values.
fn grouped(filter: Filter, span: Span) -> Filter {
    let mut filter = filter;
    let variable = match &mut filter {
        Filter::Set(set) => {
            set.span = span;
            matches!(set.kind, SetExpr::Variable(_) | SetExpr::Piece(_))
        }
        Filter::Number(number) => {
            number.span = span;
            matches!(number.kind, NumExpr::Variable(_))
        }
        Filter::String(string) => {
            string.span = span;
            matches!(string.kind, StrExpr::Variable(_) | StrExpr::Match { .. })
        }
        Filter::Position(position) => {
            position.span = span;
            matches!(position.kind, PosExpr::Variable(_))
        }
        Filter::Condition(condition) => {
            condition.span = span;
            false
        }
    };
    if variable {
        filter.with_flow(span, Wrapper::Group)
    } else {
        filter
    }
}

fn choice<E: Expression>(test: Cond, yes: Box<Node<E>>, no: Box<Node<E>>, span: Span) -> Filter {
    E::filter(node(E::flow(Flow::If { test, yes, no }), span))
}
