//! `echo` and `consecutivemoves`.

use crate::syntax::token::Span;
use crate::syntax::tree::Rule;
use crate::syntax::{Diagnostic, Form};

use super::builder::{Builder, Built};
use super::names::{Name, in_use};
use crate::query::ast::echo::{ConsecutiveMoves, Echo, EchoName, EchoPlan, EchoTest, tested_number};
use crate::query::ast::facts::{Effects, Facts};
use crate::query::ast::node::{Filter, Type};
use crate::query::ast::variables::Variable;
use crate::query::ast::{CondExpr, NumExpr};

impl Builder {
    /// Reads `echo quiet? (S T) in all? f`. The form is next.
    pub(super) fn echo(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        let quiet = form.has(Rule::QUIET);
        let opened = self.enter(form)?;
        let source = self.echo_name("of the source")?;
        let target = self.echo_name("of the target")?;
        if source.variable == target.variable {
            return Err(Diagnostic::new(target.span, "source and target have one name")
                .label("names the same position")
                .hint("`echo` relates two positions; give each a name"));
        }
        self.close(opened, "the names of two positions")?;
        let with_itself = form.has(Rule::IN);
        for word in form.parts(Rule::IN).chain(form.parts(Rule::ALL)) {
            self.cursor.go_behind(word);
        }
        if with_itself && !form.has(Rule::ALL) {
            return Err(self.unexpected("expected `all` after `in`"));
        }

        let bound = [source.variable, target.variable].map(Variable::Position);
        self.symbols.looping.extend(bound);
        let body = self.filter_expected("after `echo ( … )`");
        self.symbols.looping.truncate(self.symbols.looping.len() - bound.len());
        let body = body?;
        let mut tests = Vec::new();
        let value = match body {
            Filter::Number(number) => Some(tested_number(number, &mut tests)),
            other => {
                tests.extend(EchoTest::of(&self.condition(other)?));
                None
            }
        };
        self.found.echoes += 1;
        let is_number = value.is_some();
        let mut echo = Box::new(Echo {
            source,
            target,
            quiet,
            with_itself,
            sorted: self.nesting.sorts > 0,
            tests,
            value,
            effects: Effects::all(),
            plan: EchoPlan::default(),
        });
        let facts = bound.into_iter().fold(Facts::of_parts(&echo), Facts::binds);
        echo.effects = self.effects(&facts, Effects::empty());
        let span = self.cursor.span_from(first);
        Ok(if is_number {
            Filter::new(NumExpr::Echo(echo), span)
        } else {
            Filter::new(CondExpr::Echo(echo), span)
        })
    }

    /// Reads a name that an `echo` binds: a new one, or one that another `echo` binds.
    fn echo_name(&mut self, place: &str) -> Built<EchoName> {
        let (name, span) = self.new_name(place)?;
        let variable = match self.symbols.names.get(&name) {
            None => self.new_variable(Type::Position, &name),
            Some(Name::Variable(variable)) => Some(variable),
            Some(other) => return Err(in_use(&name, span, other, "the name of a position")),
        };
        let Some(Variable::Position(variable)) = variable else {
            return Err(Diagnostic::new(span, format!("`{name}` cannot name a position"))
                .label("it is a variable of another type since its first use"));
        };
        if self.symbols.looping.contains(&Variable::Position(variable)) {
            return Err(Diagnostic::new(span, format!("`{name}` has a value here"))
                .label("an `echo` around this one binds it")
                .hint("choose another name"));
        }
        Ok(EchoName {
            variable,
            name: name.into_bytes(),
            span,
        })
    }

    /// Reads `consecutivemoves quiet? range? quiet? (X Y)`. The word is read.
    pub(super) fn consecutive_moves(&mut self, first: usize) -> Built {
        let mut quiet = self.cursor.take_word("quiet");
        let range = self.range();
        quiet |= self.cursor.take_word("quiet");
        let opened = self.open("consecutivemoves")?;
        let left = self.position_name()?;
        let right = self.position_name()?;
        if left.variable == right.variable {
            return Err(Diagnostic::new(right.span, "`consecutivemoves` of one position")
                .label("the same variable again")
                .hint("it compares the moves that lead to two positions"));
        }
        self.close(opened, "two position variables")?;
        let place = self.found.runs;
        self.found.runs += 1;
        let run = Box::new(ConsecutiveMoves {
            first: left,
            second: right,
            quiet,
            range,
            place,
        });
        self.complete(NumExpr::ConsecutiveMoves(run), first)
    }

    /// Reads the name of a position variable.
    fn position_name(&mut self) -> Built<EchoName> {
        let (name, span) = self.new_name("of a position variable")?;
        match self.symbols.names.get(&name) {
            Some(Name::Variable(Variable::Position(variable))) => Ok(EchoName {
                variable,
                name: name.into_bytes(),
                span,
            }),
            Some(_) => Err(not_a_position(&name, span)),
            None => Err(self.unknown_name(&name, span)),
        }
    }
}

fn not_a_position(name: &str, span: Span) -> Diagnostic {
    Diagnostic::new(span, format!("`{name}` is not a position variable"))
        .label("a position variable is expected")
        .hint("assign the position first: `x=parent`")
}
