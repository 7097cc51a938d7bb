//! Numbers: literals, sizes and functions.

use crate::syntax::token::{Sign, TokenKind};
use crate::syntax::tree::Rule;
use crate::syntax::{Diagnostic, Form};

use super::builder::{Builder, Built, of_wrong_type};
use super::operators::Level;
use crate::query::ast::node::{Filter, Num, Str, node};
use crate::query::ast::numbers::SetNumber;
use crate::query::ast::{NumExpr, SetExpr, StrExpr};

impl Builder {
    /// Reads `round`: the number at the beginning of the tag `Round`. The word is read.
    pub(super) fn round(&mut self, first: usize) -> Built {
        let span = self.cursor.span_from(first);
        let number = StrExpr::Match {
            target: node(StrExpr::Tag(b"Round".to_vec()), span),
            pattern: self.pattern(b"^[0-9]+", span)?,
            kept: false,
        };
        self.complete(NumExpr::Parse(node(number, span)), first)
    }

    /// Reads `-5`, `-n`. The sign is next.
    pub(super) fn minus(&mut self) -> Built {
        let first = self.cursor.at;
        self.cursor.next();
        if let TokenKind::Integer(number) = self.cursor.token().kind {
            self.cursor.next();
            return self.complete(NumExpr::Literal(-number), first);
        }
        let operand = self.operand(Level::Imbue, "a number after `-`")?;
        let is_set = matches!(operand, Filter::Set(_));
        let number = self.typed(operand, "after `-`").map_err(|error| {
            let error =
                error.hint("`-` subtracts only after a number; the squares of S without those of T are `S & ~T`");
            if is_set {
                let fixes = Box::default();
                Diagnostic { fixes, ..error }.change(self.cursor.tokens[first].span, "& ~")
            } else {
                error
            }
        })?;
        self.complete(NumExpr::Negate(number), first)
    }

    /// Reads `#S`, `#s`. The sign is next.
    pub(super) fn size(&mut self) -> Built {
        let first = self.cursor.at;
        self.cursor.next();
        if self.at_dictionary() {
            return self.entry_count(first);
        }
        let start = self.cursor.at;
        let kind = match self.operand(Level::Dash, "a set or a string after `#`")? {
            Filter::Set(set) => NumExpr::Count(set),
            string @ Filter::String(_) => {
                let whole = self.climb(string, start, Level::Sum, Level::Product)?;
                NumExpr::Length(self.typed(whole, "after `#`")?)
            }
            other => {
                let error = of_wrong_type(&other, "`#` takes a set or a string");
                return Err(match other {
                    Filter::Condition(condition) => self.joined_as_sets(
                        error.hint("`and` and `or` join conditions; sets are joined by `&` and `|`: `#(R|N)`"),
                        &condition,
                    ),
                    _ => error,
                });
            }
        };
        self.complete(kind, first)
    }

    /// Reads `rank S` and the like. The word is read.
    pub(super) fn set_number(&mut self, number: SetNumber, word: &str, first: usize) -> Built {
        let set = self.typed_operand(Level::Dash, &format!("after `{word}`"))?;
        let kind = match (number, set.kind) {
            (SetNumber::PieceId, SetExpr::Piece(variable)) => NumExpr::Identity(variable),
            (_, kind) => NumExpr::OfSet(number, node(kind, set.span)),
        };
        self.complete(kind, first)
    }

    /// Reads `abs n`, `sqrt n`. The word is read.
    pub(super) fn number_function(&mut self, word: &str, make: fn(Num) -> NumExpr, first: usize) -> Built {
        let number = self.typed_operand(Level::Sum, &format!("after `{word}`"))?;
        self.complete(make(number), first)
    }

    /// Reads `int s`. The word is read.
    pub(super) fn parse_number(&mut self, first: usize) -> Built {
        let string = self.typed_operand(Level::Sum, "after `int`")?;
        self.complete(NumExpr::Parse(string), first)
    }

    /// Reads `ascii n`, `ascii s`. The word is read.
    pub(super) fn ascii(&mut self, first: usize) -> Built {
        match self.operand(Level::Sum, "a number or a string after `ascii`")? {
            Filter::String(string) => self.complete(NumExpr::Code(string), first),
            other => {
                let number = self.typed(other, "after `ascii`")?;
                self.complete(StrExpr::Character(number), first)
            }
        }
    }

    /// Reads `indexof(s t)`. The form is next.
    pub(super) fn index_of(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        let opened = self.enter(form)?;
        let part = self.typed_operand(Level::Sum, "as first argument of `indexof`")?;
        let whole = self.typed_operand(Level::Sum, "as second argument of `indexof`")?;
        self.close(opened, "two strings")?;
        self.complete(NumExpr::IndexOf(part, whole), first)
    }

    /// Reads `max(n m …)`, `min(s t …)`. The form is next.
    pub(super) fn extreme(&mut self, form: &Form) -> Built {
        let greatest = form.has(Rule::MAX);
        let word = if greatest { "max" } else { "min" };
        let first = self.cursor.at;
        let opened = self.enter(form)?;
        let (mut numbers, mut strings): (Vec<Num>, Vec<Str>) = (Vec::new(), Vec::new());
        while !self.cursor.at_sign(Sign::CloseParen) {
            match self.operand(Level::Sum, "a number or a string")? {
                Filter::Number(number) if strings.is_empty() => numbers.push(number),
                Filter::String(string) if numbers.is_empty() => strings.push(string),
                other => {
                    let expected = format!("`{word}` takes numbers or strings of one type");
                    return Err(of_wrong_type(&other, &expected));
                }
            }
        }
        self.close(opened, &format!("the arguments of `{word}`"))?;
        let span = self.cursor.span_from(first);
        if numbers.len() + strings.len() < 2 {
            return Err(
                Diagnostic::new(span, format!("`{word}` needs at least two arguments")).hint(
                    "an argument is as long as possible: `max(1 -2)` has the one argument 1-2; write `max(1 (-2))`",
                ),
            );
        }
        Ok(match (numbers.is_empty(), greatest) {
            (false, true) => Filter::new(NumExpr::Max(numbers), span),
            (false, false) => Filter::new(NumExpr::Min(numbers), span),
            (true, true) => Filter::new(StrExpr::Max(strings), span),
            (true, false) => Filter::new(StrExpr::Min(strings), span),
        })
    }
}
