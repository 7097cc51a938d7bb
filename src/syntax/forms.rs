//! Maps the forms of a text to its tokens: which form begins with a token, and which tokens each of its parts has.

use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::token::{Span, Token, TokenKind};
use super::tree::{Node, Rule, Tree};

/// The input of a parser: the tokens of a text, and the forms that they make.
#[derive(Clone, Debug)]
pub(crate) struct Parsed {
    pub(crate) tokens: Arc<[Token]>,
    pub(crate) forms: Forms,
}

impl Parsed {
    /// Returns the text with these names replaced.
    pub(crate) fn replaced(&self, names: &[String], replacement: impl Fn(usize) -> TokenKind) -> Parsed {
        self.changed(|token| {
            let replaced = match &token.kind {
                TokenKind::Name(name) => names.iter().position(|known| known == name),
                _ => None,
            };
            if let Some(index) = replaced {
                token.kind = replacement(index);
            }
        })
    }

    /// Returns the text with all its tokens at one place.
    pub(crate) fn moved_to(&self, place: Span) -> Parsed {
        self.changed(|token| token.span = place)
    }

    fn changed(&self, change: impl Fn(&mut Token)) -> Parsed {
        let mut tokens = self.tokens.to_vec();
        tokens.iter_mut().for_each(change);
        Parsed {
            tokens: tokens.into(),
            forms: self.forms.clone(),
        }
    }
}

/// The places of tokens in the tree of their text.
#[derive(Clone, Debug)]
pub(crate) struct Forms {
    tree: Arc<Tree>,
    /// The leaf of each token. A token for a line end has the node of the line end.
    leaves: Arc<[u32]>,
    /// The paths that end at blank lines, in the order of the text.
    path_ends: Arc<[PathEnd]>,
}

/// A word `path` and the blank line that ends the path, as indexes in the tree.
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
    /// The index of its first token.
    pub(crate) first: usize,
    /// One past the index of its last token.
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

    /// Returns the forms of these tokens and of the token after them.
    pub(crate) fn within(&self, tokens: Range<usize>) -> Forms {
        Forms {
            tree: Arc::clone(&self.tree),
            leaves: self.leaves[tokens.start..=tokens.end].into(),
            path_ends: Arc::clone(&self.path_ends),
        }
    }

    /// Returns the rule of a single token.
    pub(crate) fn rule(&self, token: usize) -> Option<Rule> {
        Some(self.tree.node(*self.leaves.get(token)?).rule())
    }

    /// Returns the token for the blank line that ends the path of a word `path`, if there is one.
    pub(crate) fn path_end(&self, path: usize) -> Option<usize> {
        let leaf = self.leaves.get(path)?;
        let end = self.path_ends.binary_search_by_key(leaf, |end| end.path).ok()?;
        let token = self.first_from(self.path_ends[end].blank_line);
        (token < self.leaves.len()).then_some(token)
    }

    /// Returns the largest form that begins with a token, or `None` if the token is not part of one.
    pub(crate) fn at(&self, token: usize) -> Option<Form> {
        let leaf = self.tree.node(*self.leaves.get(token)?);
        let form = leaf.outermost_that_begins();
        (form.index() != leaf.index()).then(|| Form {
            rule: form.rule(),
            parts: self.parts_of_node(form),
        })
    }

    /// Returns a part as a form.
    pub(crate) fn form(&self, part: Part) -> Form {
        Form {
            rule: part.rule,
            parts: self.parts(part),
        }
    }

    /// Returns the parts of a part.
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

    /// Returns the first token whose leaf is at or after an index in the tree.
    fn first_from(&self, place: u32) -> usize {
        self.leaves.partition_point(|leaf| *leaf < place)
    }
}

impl Form {
    /// Returns the first part with this rule.
    pub(crate) fn part(&self, rule: Rule) -> Option<Part> {
        self.parts.iter().copied().find(|part| part.rule == rule)
    }

    /// Returns all parts with this rule, in order.
    pub(crate) fn parts(&self, rule: Rule) -> impl Iterator<Item = Part> {
        self.parts.iter().copied().filter(move |part| part.rule == rule)
    }

    /// Returns all parts, in order.
    pub(crate) fn all(&self) -> &[Part] {
        &self.parts
    }

    /// Returns one past the index of its last token.
    pub(crate) fn end(&self) -> usize {
        self.parts.last().map_or(0, |last| last.end)
    }

    /// Returns whether it has a part with this rule.
    pub(crate) fn has(&self, rule: Rule) -> bool {
        self.part(rule).is_some()
    }
}
