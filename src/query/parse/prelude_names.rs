//! Which names are words of the prelude in a query.

use std::collections::HashSet;

use super::options::{Options, Vocabulary};
use super::prelude;
use crate::syntax::Source;
use crate::syntax::tree::{Node, Rule};

/// The word of the filter whose name queries may use for themselves.
pub(super) const INTERSECTION: &str = "intersection";

/// The word of the filter that asks for a kind of chess. Queries may use it for themselves, too.
pub(super) const VARIANT: &str = "variant";

/// The words of the prelude in a query.
#[derive(Default)]
pub(super) struct PreludeNames {
    /// The prelude is not to be used.
    off: bool,
    /// The words to which the query or its options give a meaning of their own.
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

    /// All words of the prelude.
    pub(super) fn words(&self) -> impl Iterator<Item = &'static str> {
        prelude::names().chain([INTERSECTION, VARIANT]).filter(|_| !self.off)
    }

    /// Whether a name is a word of the prelude.
    pub(super) fn has(&self, name: &str) -> bool {
        self.words().any(|word| word == name)
    }

    /// Whether a name is a word of the prelude before this.
    pub(super) fn means(&self, name: &str, next: Option<Node<'_>>) -> bool {
        let is_used = match next.map(|next| next.rule()) {
            Some(Rule::string | Rule::escape) => name == VARIANT,
            Some(Rule::parens) => name != VARIANT,
            _ => false,
        };
        is_used && self.has(name) && !self.is_own(name)
    }

    /// Whether the texts give a name a meaning of its own, before or after the place that asks.
    pub(super) fn is_own(&self, name: &str) -> bool {
        self.own.contains(name)
    }
}

/// The names in a text that are not only called: they are assigned to, looped over, defined …
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
