//! Functions: their bodies are kept as they are written, and read again at each call (1.4.5 and 8.7 of the language reference).

use std::sync::Arc;

use crate::syntax::token::{Sign, Span, Token, TokenKind};
use crate::syntax::tree::Rule;
use crate::syntax::{Diagnostic, Form, Parsed, Part};

use super::builder::{Builder, Built, Wrapper};
use super::names::{Name, in_use};
use super::symbols::Function;
use crate::query::ast::CondExpr;
use crate::query::ast::node::{Cond, Filter, node};

/// The maximum number of tokens from function bodies and themes in a query.
const MOST_EXPANDED_TOKENS: usize = 1_000_000;

impl Builder {
    /// Reads `function F(x y) {f g}`. The form is next.
    pub(super) fn function_definition(&mut self, form: &Form) -> Built {
        let first = self.cursor.at;
        self.cursor.next();
        let (name, name_span) = self.new_name("as the name of the function")?;
        if let Some(meaning) = self.symbols.names.get(&name) {
            return Err(in_use(&name, name_span, meaning, "a function"));
        }
        let Some(list) = form.part(Rule::parameters) else {
            return Err(self.unexpected("expected `(` after `function`"));
        };
        let parameters = self.parameters(list)?;
        self.cursor.go_behind(list);
        let Some(body) = form.part(Rule::braces).or_else(|| form.part(Rule::repetition)) else {
            return Err(self.unexpected("expected `{` and the body of the function"));
        };
        let text = self.body(body)?;
        self.cursor.go_behind(body);
        self.symbols
            .names
            .declare(&name, Name::Function(self.symbols.functions.len()));
        self.symbols.functions.push(Function {
            name,
            parameters,
            body: text,
        });
        self.complete(CondExpr::Constant(true), first)
    }

    /// Reads the names of the parameters.
    fn parameters(&mut self, list: Part) -> Built<Vec<String>> {
        let mut parameters: Vec<String> = Vec::new();
        let names = self.cursor.forms.parts(list).into_iter();
        for part in names.filter(|part| !matches!(part.rule, Rule::open_paren | Rule::close_paren)) {
            self.cursor.at = part.first;
            let (parameter, span) = self.new_name("as a parameter")?;
            if parameters.contains(&parameter) {
                return Err(Diagnostic::new(
                    span,
                    format!("the parameter `{parameter}` occurs twice"),
                ));
            }
            parameters.push(parameter);
        }
        Ok(parameters)
    }

    /// Returns the body in the braces of a function. A single number looks like a repetition.
    fn body(&self, braces: Part) -> Built<Parsed> {
        let inside = braces.first + 1..braces.end - 1;
        let (tokens, forms) = match self.cursor.tokens[braces.first].kind {
            TokenKind::Repetition(least, most) if least == most => {
                let token = &self.cursor.tokens[braces.first];
                let number = Token {
                    kind: TokenKind::Integer(least as i32),
                    ..token.clone()
                };
                let forms = self.cursor.forms.within(braces.first..braces.first + 1);
                (Arc::from([number, end_after(token.span)]), forms)
            }
            TokenKind::Repetition(..) => {
                return Err(self.unexpected("expected `{` and the body of the function"));
            }
            _ => {
                let end = end_after(self.cursor.tokens[inside.end].span);
                let tokens = self.cursor.tokens[inside.clone()].iter().cloned().chain([end]);
                (tokens.collect(), self.cursor.forms.within(inside))
            }
        };
        Ok(Parsed { tokens, forms })
    }

    /// Reads a name, which may be new.
    pub(super) fn new_name(&mut self, place: &str) -> Built<(String, Span)> {
        match self.cursor.token().kind.clone() {
            TokenKind::Name(name) => Ok((name, self.cursor.next().span)),
            _ => Err(self.no_name(place)),
        }
    }

    /// Returns an error for the next token, which is not a name.
    pub(super) fn no_name(&self, place: &str) -> Diagnostic {
        let error = self.unexpected(&format!("expected a name {place}"));
        match &self.cursor.token().kind {
            TokenKind::Word(word) => error.hint(format!("`{word}` is a word of the language")),
            TokenKind::Designator(_) => error.hint("this is a piece designator; names of pieces and squares are taken"),
            _ => error,
        }
    }

    /// Reads `F ( f g … )`. The name is read.
    pub(super) fn call(&mut self, function: usize, first: usize) -> Built {
        let name = self.symbols.functions[function].name.clone();
        let call_span = self.cursor.tokens[first].span;
        if self.symbols.expanding.contains(&function) {
            return Err(Diagnostic::new(call_span, format!("`{name}` calls itself"))
                .label("functions are expanded where they are called, so this would never end")
                .hint("use `loop` or `while`"));
        }
        let opened = self.open(&name)?;
        let outer = self.symbols.passed.len();
        let parameters = self.symbols.functions[function].parameters.clone();
        let mut arguments = Vec::new();
        let mut replacements = Vec::new();
        while !self.cursor.at_sign(Sign::CloseParen) {
            let Some(parameter) = parameters.get(replacements.len()) else {
                return Err(self
                    .unexpected(&format!("`{name}` takes {}", counted(parameters.len())))
                    .related(opened, "the arguments begin here"));
            };
            replacements.push(self.argument(parameter, &mut arguments)?);
        }
        if replacements.len() < parameters.len() {
            return Err(self
                .unexpected(&format!("`{name}` takes {}", counted(parameters.len())))
                .related(opened, "the arguments begin here"));
        }
        self.close(opened, "the arguments")?;
        let span = self.cursor.span_from(first);
        let body = &self.symbols.functions[function].body;
        let body = body.replaced(&parameters, |index| TokenKind::Name(replacements[index].clone()));
        self.symbols.expanding.push(function);
        let body = self
            .expanded(body)
            .map_err(|error| error.related(call_span, format!("in the body of `{name}`, called here")))?;
        self.symbols.expanding.pop();
        self.symbols.passed.truncate(outer);
        Ok(body.with_flow(span, Wrapper::Call(arguments)))
    }

    /// Reads an argument. Returns the name that replaces the parameter; a value is assigned to a variable of that name.
    fn argument(&mut self, parameter: &str, arguments: &mut Vec<Cond>) -> Built<String> {
        match self.argument_filter()? {
            Argument::Name(name) => Ok(name),
            Argument::Value(value) => self.pass(parameter, value, arguments),
        }
    }

    /// Reads an argument as it is written.
    pub(super) fn argument_filter(&mut self) -> Built<Argument> {
        let start = self.cursor.at;
        let by_name = match &self.cursor.token().kind {
            TokenKind::Name(name) if matches!(self.symbols.names.get(name), Some(Name::Variable(_))) => {
                Some((name.clone(), start + 1))
            }
            _ => self
                .lone_dictionary()?
                .map(|(id, end)| (self.symbols.dictionaries[id.index()].dictionary.name.clone(), end)),
        };
        let value = self.filter_expected("as an argument")?;
        Ok(match by_name {
            Some((name, end)) if self.cursor.at == end => Argument::Name(name),
            _ => Argument::Value(value),
        })
    }

    /// Passes a value: adds its assignment to a hidden variable, and returns the name of the variable.
    pub(super) fn pass(&mut self, parameter: &str, value: Filter, arguments: &mut Vec<Cond>) -> Built<String> {
        let span = value.span();
        let hidden = format!("{parameter} of call {}", self.symbols.names.len());
        let variable = self.new_variable(value.kind(), &hidden).ok_or_else(|| {
            Diagnostic::new(span, "a condition cannot be an argument")
                .label("it has no value")
                .hint("pass a number: `(if f 1 else 0)`")
                .surround(span, "(if ", " 1 else 0)")
        })?;
        self.symbols.passed.push(variable);
        arguments.push(node(super::assign::assignment(variable, value), span));
        Ok(hidden)
    }

    /// Reads a body whose parameters have been replaced.
    pub(super) fn expanded(&mut self, body: Parsed) -> Built {
        let place = self.cursor.token().span;
        self.count_expanded(body.tokens.len(), "the functions", place)?;
        self.reading(body, |builder| builder.nested(Builder::function_body))
    }

    /// Counts tokens that a place adds from a theme or function body.
    pub(super) fn count_expanded(&mut self, tokens: usize, of: &str, place: Span) -> Built<()> {
        self.limits.expanded_tokens += tokens;
        if self.limits.expanded_tokens <= MOST_EXPANDED_TOKENS {
            return Ok(());
        }
        Err(
            Diagnostic::new(place, format!("{of} of the query expand without bound"))
                .label(format!("more than {MOST_EXPANDED_TOKENS} tokens")),
        )
    }

    fn function_body(&mut self) -> Built {
        let filters = self.filters("in the body of the function")?;
        self.expect_end()?;
        let span = self.cursor.span_from(0);
        self.block(filters, span)
    }
}

/// An argument of a call.
pub(super) enum Argument {
    /// The name of a variable or dictionary, which the body reads and writes directly.
    Name(String),
    /// A value.
    Value(Filter),
}

fn end_after(span: Span) -> Token {
    let span = Span {
        start: span.end,
        end: span.end,
    };
    Token {
        kind: TokenKind::End,
        span,
        spaced: false,
    }
}

fn counted(parameters: usize) -> String {
    match parameters {
        0 => "no arguments".to_owned(),
        1 => "one argument".to_owned(),
        count => format!("{count} arguments"),
    }
}
