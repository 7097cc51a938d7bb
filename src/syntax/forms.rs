//! The forms of a text in terms of its tokens: which form begins with a token, and which tokens each of its parts has.

use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::token::Token;
use super::tree::{Node, Rule, Tree};

/// What a parser reads: the tokens of a text, and the forms that they make.
#[derive(Clone, Debug)]
pub(crate) struct Parsed {
    pub(crate) tokens: Arc<[Token]>,
    pub(crate) forms: Forms,
}

/// Where tokens stand in the tree of their text.
#[derive(Clone, Debug)]
pub(crate) struct Forms {
    tree: Arc<Tree>,
    /// For each token its leaf. A token that stands for a line end has the node of the line end.
    leaves: Arc<[u32]>,
    /// The paths that blank lines end, in the order of the text.
    path_ends: Arc<[PathEnd]>,
}

/// A word `path` and the blank line that ends the path, by their places in the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct PathEnd {
    pub(super) path: u32,
    pub(super) blank_line: u32,
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
    pub(super) fn new(tree: Arc<Tree>, leaves: Vec<u32>, path_ends: Vec<PathEnd>) -> Forms {
        Forms {
            tree,
            leaves: leaves.into(),
            path_ends: path_ends.into(),
        }
    }

    /// The forms of some of the tokens, and of the token after them.
    pub(crate) fn within(&self, tokens: Range<usize>) -> Forms {
        Forms {
            tree: Arc::clone(&self.tree),
            leaves: self.leaves[tokens.start..=tokens.end].into(),
            path_ends: Arc::clone(&self.path_ends),
        }
    }

    /// The rule of a token by itself.
    pub(crate) fn rule(&self, token: usize) -> Option<Rule> {
        Some(self.tree.node(*self.leaves.get(token)?).rule())
    }

    /// The token that stands for the blank line that ends the path of a word `path`, if there is one.
    pub(crate) fn path_end(&self, path: usize) -> Option<usize> {
        let leaf = self.leaves.get(path)?;
        let end = self.path_ends.binary_search_by_key(leaf, |end| end.path).ok()?;
        let token = self.first_from(self.path_ends[end].blank_line);
        (token < self.leaves.len()).then_some(token)
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

    /// A part as a form by itself.
    pub(crate) fn form(&self, part: Part) -> Form {
        Form {
            rule: part.rule,
            parts: self.parts(part),
        }
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
                first: self.first_from(part.index()),
                end: self.first_from(part.end()),
                node: part.index(),
            })
            .collect()
    }

    /// The first token whose leaf is not before a place in the tree.
    fn first_from(&self, place: u32) -> usize {
        self.leaves.partition_point(|leaf| *leaf < place)
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

    /// One past the place of its last token.
    pub(crate) fn end(&self) -> usize {
        self.parts.last().map_or(0, |last| last.end)
    }

    /// Whether it has a part of this rule.
    pub(crate) fn has(&self, rule: Rule) -> bool {
        self.part(rule).is_some()
    }
}
