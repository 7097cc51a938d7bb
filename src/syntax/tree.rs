//! The tree that the grammar makes of a text: every token, comment and space in it, in the forms to which they belong.
//!
//! It is made once for each [`Source`](super::Source), whatever the text is: what is wrong is a leaf, too
//! ([`Node::is_error`]). `grammar/cql.pest` says what the nodes are. They stand in one list, each before its descendants.

use std::iter;

use pest::Parser;
use pest::iterators::Pairs;
use skewer_grammar::CqlParser;

use super::token::Span;

/// A query text of this many bytes or more is refused.
pub const SIZE_LIMIT: usize = 10_000_000;

/// How deep filters may nest.
pub(crate) const DEEPEST: usize = 500;

pub(crate) use skewer_grammar::Rule;

/// A text as the grammar sees it.
#[derive(Debug)]
pub struct Tree {
    nodes: Vec<Entry>,
    /// The bracket that is too deep. The tree has no form then, only tokens.
    too_deep: Option<Span>,
}

#[derive(Debug)]
struct Entry {
    rule: Rule,
    span: Span,
    parent: u32,
    /// One past its last descendant.
    end: u32,
}

impl Tree {
    /// The tree of a text.
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
        // The grammar fits every text. It is left only where the stack of the thread is too small for this one.
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

    /// One error leaf for a text that is not read.
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

    /// The text as a run of tokens.
    fn flat(text: &str) -> Tree {
        Tree::of(Rule::flat, text).unwrap_or_else(|| Tree::unread(text))
    }

    /// All nodes, in the order in which they begin, each before what is in it.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = Node<'_>> {
        (0..self.nodes.len()).map(|index| Node { tree: self, index })
    }

    /// The leaves: the tokens and the gaps between them, in the order of the text, which they cover whole.
    pub fn leaves(&self) -> impl Iterator<Item = Node<'_>> {
        let first = self.nodes().find(Node::is_leaf);
        iter::successors(first, |leaf| {
            let rest = self.nodes[leaf.index].end as usize..self.nodes.len();
            rest.map(|index| Node { tree: self, index }).find(Node::is_leaf)
        })
    }

    /// The leaves that are tokens: those that are written and neither white space nor comments.
    pub fn tokens(&self) -> impl Iterator<Item = Node<'_>> {
        let none = |leaf: &Node<'_>| matches!(leaf.rule(), Rule::gap | Rule::byte_order_mark) || leaf.span().is_empty();
        self.leaves().filter(move |leaf| !none(leaf))
    }

    /// The node at a place in the list.
    pub(super) fn node(&self, index: u32) -> Node<'_> {
        Node {
            tree: self,
            index: index as usize,
        }
    }

    /// The nodes of a rule, in order.
    pub(crate) fn all(&self, rule: Rule) -> impl Iterator<Item = Node<'_>> {
        self.nodes().filter(move |node| node.rule() == rule)
    }

    /// The nodes that hold a place, outermost first. A node holds the place where it ends if nothing but white space begins
    /// there.
    #[cfg(feature = "lsp")]
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

    /// The bracket that has too many others around it, if there is one.
    pub(super) fn too_deep(&self) -> Option<Span> {
        self.too_deep
    }
}

/// The nodes of what pest recognised.
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

/// How many brackets are open after each opening one, of a text without nesting.
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

/// A part of a text that the grammar has a rule for.
#[derive(Clone, Copy, Debug)]
pub struct Node<'t> {
    tree: &'t Tree,
    index: usize,
}

impl PartialEq for Node<'_> {
    /// Whether both are the same node of one tree.
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.tree, other.tree) && self.index == other.index
    }
}

impl Eq for Node<'_> {}

impl<'t> Node<'t> {
    fn entry(&self) -> &'t Entry {
        &self.tree.nodes[self.index]
    }

    /// Its place in the list.
    pub(super) fn index(&self) -> u32 {
        self.index as u32
    }

    /// One past the place of the last node in it.
    pub(super) fn end(&self) -> u32 {
        self.entry().end
    }

    /// The largest node that begins where this one begins, the whole text apart.
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

    /// Whether it is a part of a token.
    pub(super) fn is_in_token(&self) -> bool {
        let around = iter::successors(self.parent(), Node::parent).take(2);
        around
            .into_iter()
            .any(|around| matches!(around.rule(), Rule::designator | Rule::file))
    }

    /// Its rule in the grammar.
    pub(crate) fn rule(&self) -> Rule {
        self.entry().rule
    }

    /// The name of its rule in the grammar.
    pub fn name(&self) -> String {
        format!("{:?}", self.rule())
    }

    /// Its place in the text.
    pub fn span(&self) -> Span {
        self.entry().span
    }

    /// The node that it is a part of; none for the whole text.
    pub fn parent(&self) -> Option<Node<'t>> {
        let index = self.entry().parent as usize;
        (index != self.index).then_some(Node { index, ..*self })
    }

    /// Its parts, in order.
    pub fn children(&self) -> impl Iterator<Item = Node<'t>> {
        let (tree, end) = (self.tree, self.entry().end as usize);
        let node = move |index| (index < end).then_some(Node { tree, index });
        iter::successors(node(self.index + 1), move |child| node(child.entry().end as usize))
    }

    /// The first part of this kind.
    pub(crate) fn child(&self, rule: Rule) -> Option<Node<'t>> {
        self.children().find(|child| child.rule() == rule)
    }

    /// Its parts of this kind, in order.
    pub(crate) fn children_of(&self, rule: Rule) -> impl Iterator<Item = Node<'t>> {
        self.children().filter(move |child| child.rule() == rule)
    }

    /// The part of the same node that follows it, white space and comments left out.
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

    /// The part of the same node before it, white space and comments left out.
    pub(crate) fn previous(&self) -> Option<Node<'t>> {
        let parent = self.parent()?;
        // What stands before it in the list is the parent, or the last node within the part in front.
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

    /// Of an opening bracket the one that closes it, if it is there.
    pub(crate) fn closing(&self) -> Option<Node<'t>> {
        let closes = match self.rule() {
            Rule::open_paren => Rule::close_paren,
            Rule::open_brace => Rule::close_brace,
            Rule::open_bracket => Rule::close_bracket,
            _ => return None,
        };
        self.parent()?.children().last().filter(|last| last.rule() == closes)
    }

    /// Whether it is a token or a gap: it has no parts, or only those of a designator, a file name or white space.
    pub fn is_leaf(&self) -> bool {
        matches!(self.rule(), Rule::designator | Rule::file | Rule::gap) || self.entry().end as usize == self.index + 1
    }

    /// Whether it is something that no query has.
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
