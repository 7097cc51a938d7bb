//! The functions that every query may call without defining them: the text `prelude.cql`, read when a query first calls one.
//!
//! A function of the prelude takes sets, and means what its text says as if the query had defined it, with these differences:
//! arguments may be left out at the end and stand for all squares then, names in its text have nothing to do with those of
//! the query, and what is wrong is shown at the call.

use std::sync::LazyLock;

use crate::syntax::token::{Sign, Span, Token, TokenKind};
use crate::syntax::{Source, tokens};

/// The functions, as CQL.
const TEXT: &str = include_str!("prelude.cql");

/// What follows a name that stands in the text of the prelude and means one of its functions. No name of a query has blanks.
const INSIDE: &str = " of the prelude";

static FUNCTIONS: LazyLock<Vec<Function>> =
    LazyLock::new(|| read(&Source::new("prelude", TEXT)).expect("the prelude is a list of functions"));

/// A function that every query may call.
#[derive(Debug)]
pub struct Function {
    name: String,
    parameters: Vec<String>,
    documentation: String,
    /// The tokens of the body and an end.
    body: Vec<Token>,
}

impl Function {
    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of its parameters, which are all sets.
    pub fn parameters(&self) -> &[String] {
        &self.parameters
    }

    /// What it finds: sentences, a drawn position, and filters that match in this position.
    pub fn documentation(&self) -> &str {
        &self.documentation
    }

    /// The body with the arguments in the places of the parameters, all squares for those that are missing, as if it were written
    /// at a place of the query.
    pub(super) fn body(&self, arguments: &[String], place: Span) -> impl Iterator<Item = Token> {
        self.body.iter().map(move |token| {
            let parameter = match &token.kind {
                TokenKind::Name(name) => self.parameters.iter().position(|parameter| parameter == name),
                _ => None,
            };
            let kind = match parameter.map(|index| arguments.get(index)) {
                Some(Some(argument)) => TokenKind::Name(argument.clone()),
                Some(None) => TokenKind::Sign(Sign::Dot),
                None => token.kind.clone(),
            };
            Token {
                kind,
                span: place,
                spaced: token.spaced,
            }
        })
    }
}

/// All functions, in the order of the text.
pub fn functions() -> &'static [Function] {
    &FUNCTIONS
}

/// The function that a name in a query means.
pub(super) fn function(name: &str) -> Option<&'static Function> {
    functions().iter().find(|function| function.name == name)
}

/// The function that a name in the text of the prelude means.
pub(super) fn function_inside(name: &str) -> Option<&'static Function> {
    name.strip_suffix(INSIDE).and_then(function)
}

/// Reads a text of functions; `None` if there is something else.
fn read(source: &Source) -> Option<Vec<Function>> {
    let tokens = tokens(source).ok()?;
    let mut functions = Vec::new();
    let mut rest = &*tokens;
    let mut text = 0;
    while let [word, more @ ..] = rest
        && word.kind == TokenKind::Word("function")
    {
        let (mut function, length) = definition(more)?;
        function.documentation = comment(source.text().get(text..word.span.start as usize)?);
        functions.push(function);
        rest = more.get(length..)?;
        text = more.get(length - 1)?.span.end as usize;
    }
    let names: Vec<String> = functions.iter().map(|function| function.name.clone()).collect();
    for token in functions.iter_mut().flat_map(|function| &mut function.body) {
        if let TokenKind::Name(name) = &mut token.kind
            && names.contains(name)
        {
            name.push_str(INSIDE);
        }
    }
    matches!(rest, [end] if end.kind == TokenKind::End).then_some(functions)
}

/// The function that is defined after the word `function`, and how many tokens that takes.
fn definition(tokens: &[Token]) -> Option<(Function, usize)> {
    let [name, _, rest @ ..] = tokens else { return None };
    let parameters: Vec<String> = rest.iter().map_while(as_name).collect();
    let start = 2 + parameters.len() + 2;
    let mut open = 1;
    let length = tokens.get(start..)?.iter().position(|token| {
        match token.kind {
            TokenKind::Sign(Sign::OpenBrace) => open += 1,
            TokenKind::Sign(Sign::CloseBrace) => open -= 1,
            _ => {}
        }
        open == 0
    })?;
    let mut body = tokens[start..=start + length].to_vec();
    body.last_mut()?.kind = TokenKind::End;
    let function = Function {
        name: as_name(name)?,
        parameters,
        documentation: String::new(),
        body,
    };
    Some((function, start + length + 1))
}

fn as_name(token: &Token) -> Option<String> {
    match &token.kind {
        TokenKind::Name(name) => Some(name.clone()),
        _ => None,
    }
}

/// The last comment of a text, up to a blank line before it, without its slashes.
fn comment(text: &str) -> String {
    let last = text.trim_end().rsplit("\n\n").next().unwrap_or_default();
    let lines: Vec<&str> = last
        .trim_start()
        .lines()
        .map(|line| line.trim_start_matches("//"))
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_the_text_are_functions_with_three_parameters_and_documentation() {
        let names: Vec<&str> = functions().iter().map(Function::name).collect();
        assert_eq!(
            names,
            [
                "battery",
                "discoveredattack",
                "discoveredcheck",
                "absolutepin",
                "relativepin",
                "partialpin",
                "skewer",
                "xrayattack"
            ]
        );
        for function in functions() {
            assert_eq!(function.parameters().len(), 3, "{}", function.name());
            assert!(function.documentation().starts_with(" A") || function.documentation().starts_with(" Two"));
        }
    }

    #[test]
    fn names_of_other_functions_are_told_apart_from_those_of_a_query() {
        let source = Source::new("prelude", "function one(x) { x & a1 } function two(x y) { one(x) | z }");
        let functions = read(&source).expect("two functions");
        let place = Span::new(3, 5);
        let body: Vec<Token> = functions[1].body(&["argument".to_owned()], place).collect();
        let names: Vec<String> = body.iter().filter_map(as_name).collect();
        assert_eq!(names, ["one of the prelude", "argument", "z"]);
        assert!(body.iter().all(|token| token.span == place));
    }

    #[test]
    fn other_text_is_refused() {
        for text in ["check", "function f(x) { x } check", "function f(x) { x"] {
            assert!(read(&Source::new("prelude", text)).is_none(), "{text}");
        }
    }
}
