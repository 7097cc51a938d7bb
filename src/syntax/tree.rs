//! The syntax tree of a text: every token, comment and space, within the forms that they belong to.
//!
//! It is built once for each [`Source`](super::Source), whatever the text is: errors are leaves, too ([`Node::is_error`]).
//! `grammar/cql.pest` defines the nodes. They are in one list, each before its descendants.

use std::iter;

use pest::Parser;
use pest::iterators::Pairs;
use skewer_grammar::CqlParser;

use super::token::Span;

/// Query texts of this many bytes or more are refused.
pub const SIZE_LIMIT: usize = 10_000_000;

/// The largest depth of nested filters.
pub(crate) const DEEPEST: usize = 500;

pub(crate) use skewer_grammar::Rule;

/// A text as the grammar sees it.
#[derive(Debug)]
pub struct Tree {
    nodes: Vec<Entry>,
    /// The bracket that is nested too deeply. The tree then has only tokens and no forms.
    too_deep: Option<Span>,
}

#[derive(Debug)]
struct Entry {
    rule: Rule,
    span: Span,
    parent: u32,
    /// One past the index of its last descendant.
    end: u32,
}

impl Tree {
    /// Builds the tree of a text.
    pub(super) fn new(text: &str) -> Tree {
        if text.len() >= SIZE_LIMIT {
            return Tree::unread(text);
        }
        // Brackets in strings and comments count here, so that most texts are read only once.
        if memchr::memchr3_iter(b'(', b'{', b'[', text.as_bytes())
            .nth(DEEPEST)
            .is_some()
        {
            let tokens = Tree::flat(text);
            let too_deep = too_deep(&tokens);
            if too_deep.is_some() {
                return Tree { too_deep, ..tokens };
            }
        }
        // The grammar accepts every text. It fails only if the stack of the thread is too small.
        Tree::of(Rule::query, text).unwrap_or_else(|| {
            let tokens = Tree::flat(text);
            let too_deep = Some(deepest(&tokens).unwrap_or_default());
            Tree { too_deep, ..tokens }
        })
    }

    fn of(rule: Rule, text: &str) -> Option<Tree> {
        let pairs = CqlParser::parse(rule, text).ok()?;
        Some(Tree {
            nodes: entries(pairs),
            too_deep: None,
        })
    }

    /// Returns one error leaf for a text that is not read.
    fn unread(text: &str) -> Tree {
        let whole = Entry {
            rule: Rule::unknown,
            span: Span::new(0, text.len()),
            parent: 0,
            end: 1,
        };
        Tree {
            nodes: vec![whole],
            too_deep: None,
        }
    }

    /// Reads the text as a sequence of tokens.
    fn flat(text: &str) -> Tree {
        Tree::of(Rule::flat, text).unwrap_or_else(|| Tree::unread(text))
    }

    /// Returns all nodes in the order in which they begin, each before its descendants.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = Node<'_>> {
        (0..self.nodes.len()).map(|index| Node { tree: self, index })
    }

    /// Returns the leaves, which are the tokens and the gaps between them, in the order of the text. They cover all of it.
    pub fn leaves(&self) -> impl Iterator<Item = Node<'_>> {
        let first = self.nodes().find(Node::is_leaf);
        iter::successors(first, |leaf| {
            let rest = self.nodes[leaf.index].end as usize..self.nodes.len();
            rest.map(|index| Node { tree: self, index }).find(Node::is_leaf)
        })
    }

    /// Returns the leaves that are written tokens, without white space and comments.
    pub fn tokens(&self) -> impl Iterator<Item = Node<'_>> {
        let none = |leaf: &Node<'_>| matches!(leaf.rule(), Rule::gap | Rule::byte_order_mark) || leaf.span().is_empty();
        self.leaves().filter(move |leaf| !none(leaf))
    }

    /// Returns the node at an index of the list.
    pub(super) fn node(&self, index: u32) -> Node<'_> {
        Node {
            tree: self,
            index: index as usize,
        }
    }

    /// Returns the nodes with this rule, in order.
    pub(crate) fn all(&self, rule: Rule) -> impl Iterator<Item = Node<'_>> {
        self.nodes().filter(move |node| node.rule() == rule)
    }

    /// Returns the nodes around a place, outermost first. A node also contains the place where it ends, if only white space begins there.
    pub(crate) fn around(&self, offset: u32) -> Vec<Node<'_>> {
        let mut around = Vec::new();
        let mut next = self.nodes().next();
        while let Some(node) = next {
            around.push(node);
            if node.is_leaf() && node.rule() != Rule::gap {
                break;
            }
            let holds = |child: &Node<'_>| child.span().start <= offset && offset < child.span().end;
            let ends = |child: &Node<'_>| child.span().end == offset && !child.span().is_empty();
            let is_gap = |child: &Node<'_>| child.rule() == Rule::gap;
            let ending = || node.children().find(|child| ends(child) && !is_gap(child));
            next = match node.children().find(holds) {
                Some(gap) if is_gap(&gap) => ending().or(Some(gap)),
                Some(child) => Some(child),
                None => ending(),
            };
        }
        around
    }

    /// Returns the bracket that is nested too deeply, if there is one.
    pub(super) fn too_deep(&self) -> Option<Span> {
        self.too_deep
    }
}

/// Converts the output of pest to nodes.
fn entries(pairs: Pairs<'_, Rule>) -> Vec<Entry> {
    let mut nodes: Vec<Entry> = Vec::new();
    let mut open: Vec<u32> = Vec::new();
    for token in pairs.tokens() {
        match token {
            pest::Token::Start { rule, pos } => {
                let index = nodes.len() as u32;
                nodes.push(Entry {
                    rule,
                    span: Span::new(pos.pos(), pos.pos()),
                    parent: open.last().copied().unwrap_or(index),
                    end: index + 1,
                });
                open.push(index);
            }
            pest::Token::End { pos, .. } => {
                let end = nodes.len() as u32;
                if let Some(node) = open.pop().and_then(|index| nodes.get_mut(index as usize)) {
                    node.span = Span::new(node.span.start as usize, pos.pos());
                    node.end = end;
                }
            }
        }
    }
    nodes
}

/// Returns each opening bracket with the number of brackets that are open after it, for a flat tree.
fn depths(tokens: &Tree) -> impl Iterator<Item = (Span, usize)> {
    let mut depth = 0_usize;
    tokens.nodes().filter_map(move |node| match node.rule() {
        Rule::open_paren | Rule::open_brace | Rule::open_bracket => {
            depth += 1;
            Some((node.span(), depth))
        }
        Rule::close_paren | Rule::close_brace | Rule::close_bracket => {
            depth = depth.saturating_sub(1);
            None
        }
        _ => None,
    })
}

fn too_deep(tokens: &Tree) -> Option<Span> {
    depths(tokens)
        .find(|(_, depth)| *depth > DEEPEST)
        .map(|(bracket, _)| bracket)
}

fn deepest(tokens: &Tree) -> Option<Span> {
    let deepest = depths(tokens).max_by_key(|(_, depth)| *depth);
    deepest.map(|(bracket, _)| bracket)
}

/// A part of a text that matches a rule of the grammar.
#[derive(Clone, Copy, Debug)]
pub struct Node<'t> {
    tree: &'t Tree,
    index: usize,
}

impl PartialEq for Node<'_> {
    /// Returns whether both are the same node of the same tree.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.tree, other.tree) && self.index == other.index
    }
}

impl Eq for Node<'_> {}

impl<'t> Node<'t> {
    fn entry(&self) -> &'t Entry {
        &self.tree.nodes[self.index]
    }

    /// Returns its index in the list.
    pub(super) fn index(&self) -> u32 {
        self.index as u32
    }

    /// Returns one past the index of its last descendant.
    pub(super) fn end(&self) -> u32 {
        self.entry().end
    }

    /// Returns the largest node that begins where this one begins, other than the whole text.
    pub(super) fn outermost_that_begins(self) -> Node<'t> {
        let mut node = self;
        while let Some(around) = node.parent()
            && around.index + 1 == node.index
            && around.parent().is_some()
        {
            node = around;
        }
        node
    }

    /// Returns whether it is a part of a token.
    pub(super) fn is_in_token(&self) -> bool {
        let around = iter::successors(self.parent(), Node::parent).take(2);
        around
            .into_iter()
            .any(|around| matches!(around.rule(), Rule::designator | Rule::file))
    }

    /// Returns its rule in the grammar.
    pub(crate) fn rule(&self) -> Rule {
        self.entry().rule
    }

    /// Returns the name of its rule in the grammar.
    pub fn name(&self) -> String {
        format!("{:?}", self.rule())
    }

    /// Returns its place in the text.
    pub fn span(&self) -> Span {
        self.entry().span
    }

    /// Returns the node that contains it, or `None` for the whole text.
    pub fn parent(&self) -> Option<Node<'t>> {
        let index = self.entry().parent as usize;
        (index != self.index).then_some(Node { index, ..*self })
    }

    /// Returns its parts, in order.
    pub fn children(&self) -> impl Iterator<Item = Node<'t>> {
        let (tree, end) = (self.tree, self.entry().end as usize);
        let node = move |index| (index < end).then_some(Node { tree, index });
        iter::successors(node(self.index + 1), move |child| node(child.entry().end as usize))
    }

    /// Returns the first part with this rule.
    pub(crate) fn child(&self, rule: Rule) -> Option<Node<'t>> {
        self.children().find(|child| child.rule() == rule)
    }

    /// Returns its parts with this rule, in order.
    pub(crate) fn children_of(&self, rule: Rule) -> impl Iterator<Item = Node<'t>> {
        self.children().filter(move |child| child.rule() == rule)
    }

    /// Returns the next part of its parent, without white space and comments.
    pub(crate) fn next(&self) -> Option<Node<'t>> {
        let end = self.parent()?.entry().end;
        let node = |index: u32| {
            (index < end).then_some(Node {
                index: index as usize,
                ..*self
            })
        };
        let next = node(self.entry().end)?;
        if next.rule() == Rule::gap {
            next.next()
        } else {
            Some(next)
        }
    }

    /// Returns the previous part of its parent, without white space and comments.
    pub(crate) fn previous(&self) -> Option<Node<'t>> {
        let parent = self.parent()?;
        // The entry before it in the list is the parent, or the last node within the previous part.
        let mut before = Node {
            index: self.index - 1,
            ..*self
        };
        if before.index == parent.index {
            return None;
        }
        while let Some(around) = before.parent().filter(|around| around.index != parent.index) {
            before = around;
        }
        if before.rule() == Rule::gap {
            before.previous()
        } else {
            Some(before)
        }
    }

    /// For an opening bracket, returns its closing bracket, if there is one.
    pub(crate) fn closing(&self) -> Option<Node<'t>> {
        let closes = match self.rule() {
            Rule::open_paren => Rule::close_paren,
            Rule::open_brace => Rule::close_brace,
            Rule::open_bracket => Rule::close_bracket,
            _ => return None,
        };
        self.parent()?.children().last().filter(|last| last.rule() == closes)
    }

    /// Returns whether it is a token or a gap. It then has no parts, or only those of a designator, a file name or white space.
    pub fn is_leaf(&self) -> bool {
        matches!(self.rule(), Rule::designator | Rule::file | Rule::gap) || self.entry().end as usize == self.index + 1
    }

    /// Returns whether it is something that no correct query has.
    pub fn is_error(&self) -> bool {
        matches!(
            self.rule(),
            Rule::unclosed
                | Rule::stray
                | Rule::misplaced
                | Rule::second_message
                | Rule::open_comment
                | Rule::bad_escape
                | Rule::open_string
                | Rule::unknown
                | Rule::reversed_files
        )
    }
}
