//! The forms of a text in terms of its tokens: which form begins with a token, and which tokens each of its parts has.

use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::tree::{Node, Rule, Tree};

/// Where tokens stand in the tree of their text.
#[derive(Clone, Debug)]
pub(crate) struct Forms {
    tree: Arc<Tree>,
    /// For each token its leaf. A token that stands for a line end has that of the next one.
    leaves: Arc<[u32]>,
}

/// A form that begins with a token.
#[derive(Clone, Debug)]
pub(crate) struct Form {
    pub(crate) rule: Rule,
    /// Its parts in order, without white space and comments.
    parts: Parts,
}

/// Parts of a form.
pub(crate) type Parts = SmallVec<[Part; 6]>;

/// A part of a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    pub(crate) rule: Rule,
    /// The place of its first token among the tokens.
    pub(crate) first: usize,
    /// One past the place of its last token.
    pub(crate) end: usize,
    node: u32,
}

impl Forms {
    pub(super) fn new(tree: Arc<Tree>, leaves: Vec<u32>) -> Forms {
        Forms {
            tree,
            leaves: leaves.into(),
        }
    }

    /// The forms of some of the tokens, and of the token behind them.
    pub(crate) fn within(&self, tokens: Range<usize>) -> Forms {
        Forms {
            tree: Arc::clone(&self.tree),
            leaves: self.leaves[tokens.start..=tokens.end].into(),
        }
    }

    /// The largest form that begins with a token; none if the token stands by itself.
    pub(crate) fn at(&self, token: usize) -> Option<Form> {
        let leaf = self.tree.node(*self.leaves.get(token)?);
        let form = leaf.outermost_that_begins();
        (form.index() != leaf.index()).then(|| Form {
            rule: form.rule(),
            parts: self.parts_of_node(form),
        })
    }

    /// The parts of a part.
    pub(crate) fn parts(&self, part: Part) -> Parts {
        self.parts_of_node(self.tree.node(part.node))
    }

    fn parts_of_node(&self, node: Node<'_>) -> Parts {
        let parts = node.children().filter(|part| part.rule() != Rule::gap);
        parts
            .map(|part| Part {
                rule: part.rule(),
                first: self.token_of(part.index()),
                end: self.leaves.partition_point(|leaf| *leaf < part.end()),
                node: part.index(),
            })
            .collect()
    }

    /// The first token of a node. What stands for a line end in front of it has the same leaf.
    fn token_of(&self, node: u32) -> usize {
        let first = self.leaves.partition_point(|leaf| *leaf < node);
        let same =
            |token: &usize| self.leaves.get(*token + 1).is_some() && self.leaves[*token] == self.leaves[*token + 1];
        (first..).find(|token| !same(token)).unwrap_or(first)
    }
}

impl Form {
    /// The first part of a rule.
    pub(crate) fn part(&self, rule: Rule) -> Option<Part> {
        self.parts.iter().copied().find(|part| part.rule == rule)
    }

    /// All parts of a rule, in order.
    pub(crate) fn parts(&self, rule: Rule) -> impl Iterator<Item = Part> {
        self.parts.iter().copied().filter(move |part| part.rule == rule)
    }

    /// All parts, in order.
    pub(crate) fn all(&self) -> &[Part] {
        &self.parts
    }

    /// Whether it has a part of this rule.
    pub(crate) fn has(&self, rule: Rule) -> bool {
        self.part(rule).is_some()
    }
}
