//! The prelude: functions that every query may call without defining them, read from `prelude.cql` when a query first calls one.
//!
//! A function of the prelude takes sets and means what its text says, as in a query that defines it, with these differences: arguments at
//! the end may be left out and are then all squares; names in its text are unrelated to names in the query; and errors are shown at the
//! call.

use std::sync::LazyLock;

use crate::syntax::token::{Sign, Span, Token, TokenKind};
use crate::syntax::tree::{Node, Rule};
use crate::syntax::{BeyondWords, Form, Forms, Parsed, Part, Source, parse};

/// The functions, in CQL.
const TEXT: &str = include_str!("prelude.cql");

/// The suffix of a name that refers to a function from inside the prelude. Names in a query have no spaces.
const INSIDE: &str = " of the prelude";

static FUNCTIONS: LazyLock<Vec<Function>> =
    LazyLock::new(|| read(&Source::new("prelude", TEXT)).expect("the prelude is a list of functions"));

/// A function that every query may call.
#[derive(Debug)]
pub struct Function {
    name: String,
    parameters: Vec<String>,
    documentation: String,
    /// The body and an end. Its forms are the same whatever the arguments are.
    body: Parsed,
}

impl Function {
    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the names of its parameters, which are all sets.
    pub fn parameters(&self) -> &[String] {
        &self.parameters
    }

    /// Returns a description of what it finds: sentences, a drawn position, and filters that match at this position.
    pub fn documentation(&self) -> &str {
        &self.documentation
    }

    /// Returns the body with its parameters replaced by the arguments, and missing arguments by all squares. All its tokens have the span
    /// `place`.
    pub(crate) fn body(&self, arguments: &[String], place: Span) -> Parsed {
        let argument = |index: usize| match arguments.get(index) {
            Some(argument) => TokenKind::Name(argument.clone()),
            None => TokenKind::Sign(Sign::Dot),
        };
        self.body.replaced(&self.parameters, argument).moved_to(place)
    }
}

/// Returns all functions, in the order of the text.
pub fn functions() -> &'static [Function] {
    &FUNCTIONS
}

/// Returns the names of the functions, in the order of the text, without reading the functions.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| {
        let heads = TEXT.lines().filter_map(|line| line.strip_prefix("function "));
        heads
            .filter_map(|head| Some(head.split_once('(')?.0.trim_end()))
            .collect()
    });
    NAMES.iter().copied()
}

/// Returns the function that a name in a query refers to.
pub(crate) fn function(name: &str) -> Option<&'static Function> {
    functions().iter().find(|function| function.name == name)
}

/// Returns the function that a name in the text of the prelude refers to.
pub(crate) fn function_inside(name: &str) -> Option<&'static Function> {
    name.strip_suffix(INSIDE).and_then(function)
}

/// Reads a text of functions. Returns `None` if there is anything else in it.
fn read(source: &Source) -> Option<Vec<Function>> {
    let words = BeyondWords::of(std::iter::once(source));
    let Parsed { tokens, forms } = words.named(source, parse(source).ok()?);
    let mut functions = Vec::new();
    let mut at = 0;
    while tokens.get(at)?.kind != TokenKind::End {
        let form = forms.at(at).filter(|form| form.rule == Rule::function)?;
        functions.push(function_of(source, &tokens, &forms, &form)?);
        at = form.all().last()?.end;
    }
    let names: Vec<String> = functions.iter().map(|function| function.name.clone()).collect();
    for function in &mut functions {
        let inside = |index: usize| TokenKind::Name(format!("{}{INSIDE}", names[index]));
        function.body = function.body.replaced(&names, inside);
    }
    Some(functions)
}

/// Returns the function that a form defines.
fn function_of(source: &Source, tokens: &[Token], forms: &Forms, form: &Form) -> Option<Function> {
    let named = |part: Part| as_name(&tokens[part.first]);
    let parameters = forms.parts(form.part(Rule::parameters)?);
    let names = parameters.into_iter().filter(|part| part.rule == Rule::name);
    let braces = form.part(Rule::braces)?;
    let inside = braces.first + 1..braces.end - 1;
    let mut body = tokens[inside.start..=inside.end].to_vec();
    body.last_mut()?.kind = TokenKind::End;
    let word = tokens[form.all().first()?.first].span;
    Some(Function {
        name: named(form.part(Rule::name)?)?,
        parameters: names.filter_map(named).collect(),
        documentation: documentation(source, word),
        body: Parsed {
            tokens: body.into(),
            forms: forms.within(inside),
        },
    })
}

/// Returns the comments directly before the word `function`, back to the last blank line, without their slashes.
fn documentation(source: &Source, word: Span) -> String {
    let gaps = source.tree().all(Rule::gap);
    let Some(gap) = gaps.filter(|gap| gap.span().end == word.start).last() else {
        return String::new();
    };
    let mut lines: Vec<&str> = Vec::new();
    for part in gap.children() {
        match part.rule() {
            Rule::blank_line => lines.clear(),
            Rule::comment => lines.push(line_of(source, part)),
            _ => {}
        }
    }
    lines.join("\n")
}

fn line_of<'s>(source: &'s Source, comment: Node<'_>) -> &'s str {
    source.slice(comment.span()).trim_start_matches("//")
}

fn as_name(token: &Token) -> Option<String> {
    match &token.kind {
        TokenKind::Name(name) => Some(name.clone()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_the_text_are_functions_with_documentation_those_along_a_line_with_three_parameters() {
        let names: Vec<&str> = functions().iter().map(Function::name).collect();
        assert!(names.iter().copied().eq(super::names()));
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
                "xrayattack",
                "timetrouble",
                "missedwin",
                "swindle",
                "blunders",
                "cook",
                "onlymove",
                "mutualzugzwang",
                "dual"
            ]
        );
        for function in functions() {
            let parameters = match function.name() {
                "timetrouble" | "missedwin" | "swindle" | "cook" | "mutualzugzwang" | "dual" => 0,
                "blunders" => 1,
                "onlymove" => 2,
                _ => 3,
            };
            assert_eq!(function.parameters().len(), parameters, "{}", function.name());
            let first = function.documentation().split_whitespace().next();
            assert!(matches!(first, Some("A" | "Two" | "The")), "{}", function.name());
        }
    }

    #[test]
    fn names_of_other_functions_are_told_apart_from_those_of_a_query() {
        let source = Source::new("prelude", "function one(x) { x & a1 } function two(x y) { one(x) | z }");
        let functions = read(&source).expect("two functions");
        let place = Span::new(3, 5);
        let body = functions[1].body(&["argument".to_owned()], place);
        let names: Vec<String> = body.tokens.iter().filter_map(as_name).collect();
        assert_eq!(names, ["one of the prelude", "argument", "z"]);
        assert!(body.tokens.iter().all(|token| token.span == place));
    }

    #[test]
    fn other_text_is_refused() {
        for text in ["check", "function f(x) { x } check", "function f(x) { x"] {
            assert!(read(&Source::new("prelude", text)).is_none(), "{text}");
        }
    }
}
