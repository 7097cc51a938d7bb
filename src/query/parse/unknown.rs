//! Names that are not declared.

use crate::syntax::slips::{Word, known_words, meant_by};
use crate::syntax::token::{Sign, Span};
use crate::syntax::{Diagnostic, beyond_words, nearest, reserved_words};

use super::builder::Builder;
use super::prelude_names::PreludeNames;

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
    use crate::query::parse::{Options, typed_or_errors};
    use crate::syntax::{Diagnostic, Source};

    /// Returns the errors for unknown names.
    fn unknown(source: &Source) -> Vec<Diagnostic> {
        let errors = typed_or_errors(source, &Options::default()).0.err().unwrap_or_default();
        let is_unknown = |error: &Diagnostic| error.message.starts_with("unknown name");
        errors.into_iter().filter(is_unknown).collect()
    }

    /// Returns the replacement in the first fix for each unknown name.
    fn changes(text: &str) -> Vec<String> {
        let errors = unknown(&Source::new("q.cql", text));
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
        let errors = unknown(&source);
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
}
