//! The words beyond CQL 6.2, which are names to the grammar and words of the language in queries that do not declare them.
//!
//! None of them is reserved, so they do not change the meaning of any query of CQL 6.2: there an undeclared name is an error.
//!
//! ```
//! use skewer::query::{Options, compile};
//! use skewer::syntax::Source;
//!
//! let compiles = |text: &str| compile(&Source::new("q.cql", text), &Options::default()).is_ok();
//! assert!(compiles("cql() not legalposition"), "a word");
//! assert!(compiles("cql() legalposition=3 ply>legalposition"), "a variable");
//! ```

use std::collections::BTreeSet;

use super::forms::Parsed;
use super::keywords::{beyond_word, beyond_words};
use super::source::Source;
use super::token::{Token, TokenKind};
use super::tree::{Node, Rule};

/// Decides which names of a query are words beyond CQL 6.2.
#[derive(Default, Debug)]
pub(crate) struct BeyondWords {
    /// The words to which the query gives a meaning of its own.
    own: BTreeSet<&'static str>,
    /// Whether only words of CQL 6.2 are allowed.
    off: bool,
}

impl BeyondWords {
    /// Creates it for a query that consists of these texts.
    pub(crate) fn of<'s>(texts: impl Iterator<Item = &'s Source>) -> BeyondWords {
        let declared = texts.flat_map(|text| {
            let leaves = text.tree().all(Rule::name).filter(|leaf| declares(*leaf));
            leaves.filter_map(|leaf| beyond_word(text.slice(leaf.span())))
        });
        BeyondWords {
            own: declared.collect(),
            off: false,
        }
    }

    /// Creates it for a query in CQL 6.2, which has no such words.
    pub(crate) fn none() -> BeyondWords {
        BeyondWords {
            own: beyond_words().collect(),
            off: true,
        }
    }

    /// Returns whether the query is read as CQL 6.2, without forms beyond it.
    pub(crate) fn is_off(&self) -> bool {
        self.off
    }

    /// Returns the word beyond CQL 6.2 that a name is, if it is one.
    pub(crate) fn word(&self, text: &Source, name: Node<'_>) -> Option<&'static str> {
        let is_study = || name.parent().is_some_and(|form| form.rule() == Rule::study);
        beyond_word(text.slice(name.span())).filter(|word| !self.own.contains(word) && !is_study())
    }

    /// Returns the tokens of one of the texts, in which such names are words.
    pub(crate) fn named(&self, text: &Source, parsed: Parsed) -> Parsed {
        let leaves = text.tree().all(Rule::name);
        let mut words = leaves.filter_map(|leaf| Some((leaf.span().start, self.word(text, leaf)?)));
        let Some(mut word) = words.next() else { return parsed };
        let mut tokens: Vec<Token> = parsed.tokens.to_vec();
        for token in &mut tokens {
            while word.0 < token.span.start
                && let Some(next) = words.next()
            {
                word = next;
            }
            if word.0 == token.span.start && matches!(token.kind, TokenKind::Name(_)) {
                token.kind = TokenKind::Word(word.1);
            }
        }
        Parsed {
            tokens: tokens.into(),
            ..parsed
        }
    }
}

/// Returns whether a name is declared here, or is where any name may be: `isbound x`.
fn declares(name: Node<'_>) -> bool {
    name.parent().is_some_and(|form| {
        matches!(
            form.rule(),
            Rule::function
                | Rule::parameters
                | Rule::dictionary
                | Rule::assignment
                | Rule::square_loop
                | Rule::loop_over
                | Rule::key_loop
                | Rule::piece_loop
                | Rule::piece_binding
                | Rule::positions
                | Rule::bound_test
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{parse, reserved_words};

    /// Returns the words beyond CQL 6.2 of a query.
    fn words(text: &str) -> Vec<&'static str> {
        let source = Source::new("q.cql", text);
        let parsed = parse(&source).expect("it has tokens");
        let named = BeyondWords::of(std::iter::once(&source)).named(&source, parsed);
        let words = named.tokens.iter().filter_map(|token| match token.kind {
            TokenKind::Word(word) => beyond_word(word),
            _ => None,
        });
        words.collect()
    }

    #[test]
    fn a_name_is_a_word_only_in_a_query_that_does_not_declare_it() {
        let word = "legalposition";
        assert_eq!(words("cql() legalposition x=1 not legalposition"), [word, word]);
        for declared in [
            "N=1",
            "N|=R",
            "persistent N=1",
            "persistent quiet N+=1",
            "atomic N=1",
            "function N(x) {x}",
            "function F(N) {N}",
            "dictionary N",
            "local dictionary N",
            "square N in R true",
            "square all N in R true",
            "N∊R true",
            "∀N∊R true",
            "piece N in R true",
            "piece N=R",
            "◭N=R",
            "◭N∊R true",
            "echo (N q) true",
            "string N in D true",
            "isbound N",
            "isunbound N",
            "hhdb N",
        ] {
            let declared = declared.replace('N', word);
            let others = format!("cql() {declared} {word}");
            let expected = usize::from(declared.starts_with("hhdb"));
            assert_eq!(words(&others).len(), expected, "{others}");
            let others = format!("cql() {word} {declared}");
            assert_eq!(words(&others).len(), expected, "{others}");
        }
        assert_eq!(words("cql() LEGALPOSITION legalpositions"), [] as [&str; 0]);
    }

    #[test]
    fn no_word_is_reserved_or_there_twice() {
        let mut all: Vec<&str> = beyond_words().collect();
        assert!(
            all.iter()
                .all(|word| !reserved_words().any(|reserved| reserved == *word))
        );
        let length = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), length);
    }
}
