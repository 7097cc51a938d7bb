//! Finds out which names in a query are words of the prelude.

use std::collections::HashSet;

use super::options::{Options, Vocabulary};
use super::prelude;
use crate::syntax::Source;
use crate::syntax::tree::{Node, Rule};

/// The filter whose name queries may also use for other things.
pub(super) const INTERSECTION: &str = "intersection";

/// The filter for the variant of chess. Queries may also use its name for other things.
pub(super) const VARIANT: &str = "variant";

/// The words of the prelude in a query.
#[derive(Default)]
pub(super) struct PreludeNames {
    /// Whether the prelude is off.
    off: bool,
    /// The words that the query or its options use in another way.
    own: HashSet<String>,
}

impl PreludeNames {
    pub(super) fn new(query: &Source, options: &Options) -> PreludeNames {
        let mut names = PreludeNames {
            off: options.vocabulary != Vocabulary::Whole,
            own: HashSet::new(),
        };
        let texts = options.texts(query).map(|(_, text)| text);
        for text in std::iter::once(query).chain(texts) {
            let own = own_names(text).filter(|name| names.has(name));
            let own: Vec<&str> = own.collect();
            names.own.extend(own.into_iter().map(str::to_owned));
        }
        names
    }

    /// Returns all words of the prelude.
    pub(super) fn words(&self) -> impl Iterator<Item = &'static str> {
        prelude::names().chain([INTERSECTION, VARIANT]).filter(|_| !self.off)
    }

    /// Returns whether a name is a word of the prelude.
    pub(super) fn has(&self, name: &str) -> bool {
        self.words().any(|word| word == name)
    }

    /// Returns whether the texts use a name in another way, before or after the current place.
    pub(super) fn is_own(&self, name: &str) -> bool {
        self.own.contains(name)
    }
}

/// Returns the names in a text that are used in other ways than in calls: assigned to, looped over, defined, and so on.
fn own_names(text: &Source) -> impl Iterator<Item = &str> {
    text.tree().all(Rule::name).filter_map(|leaf| {
        let name = text.slice(leaf.span());
        let declares = |form: Node<'_>| matches!(form.rule(), Rule::function | Rule::dictionary);
        let called = match leaf.next().map(|next| next.rule()) {
            Some(Rule::string | Rule::escape) => name == VARIANT,
            Some(Rule::parens) => name != VARIANT,
            _ => false,
        };
        (!called || leaf.parent().is_some_and(declares)).then_some(name)
    })
}
