//! Names that are not declared: the error for one name, and the errors for all of them in a text that does not compile.

use crate::syntax::slips::{Word, known_words, meant_by};
use crate::syntax::token::{Sign, Span};
use crate::syntax::tree::{Node, Rule};
use crate::syntax::{Diagnostic, Source, beyond_words, nearest, reserved_words};

use super::builder::Builder;
use super::options::Options;
use super::prelude_names::PreludeNames;
use crate::query::parse::declarations::Declarations;

/// Words that can begin a declaration: a name after one of them may be new.
const BEGINNINGS: [&str; 12] = [
    "all",
    "atomic",
    "dictionary",
    "echo",
    "function",
    "hhdb",
    "isbound",
    "isunbound",
    "local",
    "persistent",
    "piece",
    "square",
];

/// The maximum number of declared names among which a similar one is searched for.
const MOST_KNOWN: usize = 2000;

/// Returns the errors for names that are not declared anywhere in a text, in its order, at most this many. The compiler ends at its first
/// error. This function only looks at the tree, so it finds them in texts with other errors, too. It does not report names that are
/// declared after their use, or names in functions that are not called, which are never compiled.
pub fn undeclared_names(source: &Source, options: &Options, most: usize) -> Vec<Diagnostic> {
    let declarations = Declarations::of(source);
    let prelude = PreludeNames::new(source, options);
    let beyond = options.beyond_words(source);
    let uncalled = source.uncalled_functions();
    let bodies: Vec<Span> = uncalled.into_iter().map(|function| function.span()).collect();
    let is_undeclared = |leaf: &Node<'_>| {
        let name = source.slice(leaf.span());
        !is_part_of_other_form(*leaf)
            && !may_declare(source, *leaf)
            && !prelude.means(name, leaf.next())
            && beyond.word(source, *leaf).is_none()
            && declarations.declaration(name, leaf.span()).is_none()
            && !is_within(&bodies, leaf.span())
    };
    let names = source.tree().all(Rule::name).filter(is_undeclared);
    let known = declarations.all().iter().map(|declaration| declaration.name.as_str());
    names
        .take(most)
        .map(|leaf| {
            let is_called = leaf.next().is_some_and(|next| next.rule() == Rule::parens);
            unknown(
                source.slice(leaf.span()),
                leaf.span(),
                known.clone().take(MOST_KNOWN),
                &prelude,
                is_called,
            )
        })
        .collect()
}

/// Returns whether a place is in one of these spans, which are sorted.
fn is_within(spans: &[Span], place: Span) -> bool {
    let before = spans.partition_point(|span| span.start <= place.start);
    before.checked_sub(1).is_some_and(|last| spans[last].contains(place))
}

/// Returns whether a name is in a form where it is not a variable or function.
fn is_part_of_other_form(name: Node<'_>) -> bool {
    let mut around = std::iter::successors(name.parent(), |form| form.parent());
    around.any(|form| {
        matches!(
            form.rule(),
            Rule::study | Rule::bound_test | Rule::header | Rule::function | Rule::parameters
        ) && (form.rule() != Rule::function || name.parent() == Some(form))
    })
}

/// Returns whether a name is where a new one may be, in a form that is not finished.
fn may_declare(source: &Source, name: Node<'_>) -> bool {
    let before = name.previous().map(|before| source.slice(before.span()));
    before.is_some_and(|word| BEGINNINGS.contains(&word))
}

impl Builder {
    /// Returns an error for a name that is not declared.
    pub(super) fn unknown_name(&self, name: &str, span: Span) -> Diagnostic {
        // Single words have their own advice.
        let theme = self.unquoted_theme(span).filter(|(theme, _)| theme.contains('-'));
        if let Some((theme, place)) = theme.filter(|_| !self.beyond.is_off()) {
            let filter = format!("theme \"{theme}\"");
            return Diagnostic::new(place, format!("unknown name `{name}`"))
                .label("a query of the library or a file has this name")
                .hint(format!("write `{filter}`"))
                .change(place, filter);
        }
        let is_called = self.cursor.at_sign(Sign::OpenParen);
        let error = unknown(name, span, self.symbols.names.iter(), &self.symbols.prelude, is_called);
        let is_name = name.chars().all(char::is_alphabetic);
        if !error.hints.is_empty() || !is_name || !self.is_alone(span) {
            return error;
        }
        // Capital letters matter in names, and few begin with a small letter.
        let (first, rest) = name.split_at(name.chars().next().map_or(0, char::len_utf8));
        let name = first.to_uppercase() + rest;
        let (player, event) = (format!("player \"{name}\""), format!("event \"{name}\""));
        error
            .hint(format!(
                "write `{player}` for games of a player, `{event}` for those of an event"
            ))
            .change(span, player)
            .change(span, event)
    }
}

/// Returns an error for a name that is not declared, with a suggestion: a word of the language, or one of the known names.
fn unknown<'n>(
    name: &str,
    span: Span,
    known: impl Iterator<Item = &'n str>,
    prelude: &PreludeNames,
    is_called: bool,
) -> Diagnostic {
    let error = Diagnostic::new(span, format!("unknown name `{name}`"))
        .label("neither a filter nor a variable or function declared before");
    if let Some(word) = meant_by(name) {
        return advised(error, span, word);
    }
    if name == "variant" && prelude.has(name) {
        return error.hint("the name of a variant follows: `variant \"atomic\"`");
    }
    if prelude.has(name) && !is_called {
        return error
            .hint(format!(
                "the prelude has `{name}(…)`; its sets are written in parentheses"
            ))
            .change(span, format!("{name}()"));
    }
    let words = reserved_words().map(|word| -> &str { word });
    let of_prelude = prelude
        .words()
        .filter(|word| *word != name)
        .map(|word| -> &str { word });
    // The settings that turn off the prelude also turn these off, or do not need them.
    let beyond = beyond_words().filter(|_| prelude.words().next().is_some());
    let beyond = beyond.map(|word| -> &str { word });
    match nearest(name, words.chain(known).chain(of_prelude).chain(beyond)) {
        Some(close) => error.hint(format!("did you mean `{close}`?")).change(span, close),
        None => match nearest(name, known_words()).and_then(meant_by) {
            Some(word) => advised(error, span, word),
            None => error,
        },
    }
}

/// Adds what is known about a word to an error.
fn advised(error: Diagnostic, span: Span, word: Word) -> Diagnostic {
    let error = error.hint(word.says);
    let instead = word.instead.into_iter();
    instead.fold(error, |error, text| error.change(span, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the replacement in the first fix for each unknown name.
    fn changes(text: &str) -> Vec<String> {
        let errors = undeclared_names(&Source::new("q.cql", text), &Options::default(), 10);
        let first = |error: &Diagnostic| error.fixes.first().map(|fix| fix.edits[0].1.clone());
        errors.iter().map(|error| first(error).unwrap_or_default()).collect()
    }

    #[test]
    fn each_name_has_advice_and_none_is_far_fetched() {
        assert_eq!(
            changes("cql() rook knigth chekc checkmat hand zork"),
            ["[Rr]", "[Nn]", "check", "mate", "", ""]
        );
    }

    /// Returns the names that are reported as unknown.
    fn undeclared(text: &str) -> Vec<String> {
        let source = Source::new("q.cql", text);
        let errors = undeclared_names(&source, &Options::default(), 10);
        errors.iter().map(|error| source.slice(error.span).to_owned()).collect()
    }

    #[test]
    fn all_names_that_nothing_declares_are_found() {
        assert_eq!(undeclared("cql() R attcks k chekc x=1 x>y"), ["attcks", "chekc", "y"]);
        assert_eq!(
            undeclared("cql() { R attcks k ( chekc"),
            ["attcks", "chekc"],
            "brackets are open"
        );
        assert_eq!(undeclared("cql() function F(m) {m & z} F(R) m"), ["z", "m"]);
        assert_eq!(undeclared("cql() square s in R {s attcks t}"), ["attcks", "t"]);
        assert_eq!(undeclared("cql() unbind x message(y)"), ["x", "y"]);
    }

    #[test]
    fn what_has_or_may_get_a_meaning_is_left_alone() {
        for text in [
            "cql() function F(m) {m & z} mate",
            "cql() x>2 x=1",
            "cql() hhdb corection",
            "cql() isbound x",
            "cql(foo) mate",
            "cql() skewer(R) intersection(R N) variant \"atomic\"",
            "cql() square s",
            "cql() function F",
            "cql() function F(x y",
            "cql() echo (s t) {s<t}",
            "cql() dictionary D D[\"a\"]=1",
            "cql() piece x=R x",
            "cql() s∊R s",
            "",
        ] {
            assert_eq!(undeclared(text), [] as [&str; 0], "{text}");
        }
    }
}
