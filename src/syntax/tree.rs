//! The tree that the grammar makes of a text: every token, comment and blank in it, in the forms to which they belong.
//!
//! It is made once for each [`Source`](super::Source), whatever the text is: what is wrong is a leaf, too
//! ([`Node::is_error`]). `grammar/cql.pest` says what the nodes are. They stand in one list, each before its descendants.

use std::iter;

use pest::Parser;
use pest::iterators::Pairs;

use super::DEEPEST;
use super::token::Span;

pub(crate) use grammar::Rule;

mod grammar {
    /// The parser that pest derives from the grammar.
    #[derive(pest_derive::Parser)]
    #[grammar = "../grammar/cql.pest"]
    pub(super) struct CqlGrammar;
}

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
        // Brackets in strings and comments count here, so that most texts are read only once.
        if memchr::memchr3_iter(b'(', b'{', b'[', text.as_bytes())
            .nth(DEEPEST)
            .is_some()
        {
            let tokens = Tree::of(Rule::flat, text).unwrap_or_else(Tree::empty);
            let too_deep = too_deep(&tokens);
            if too_deep.is_some() {
                return Tree { too_deep, ..tokens };
            }
        }
        // The grammar fits every text. It is left only where the stack of the thread is too small for this one.
        Tree::of(Rule::query, text).unwrap_or_else(|| {
            let tokens = Tree::of(Rule::flat, text).unwrap_or_else(Tree::empty);
            let too_deep = deepest(&tokens);
            Tree { too_deep, ..tokens }
        })
    }

    fn of(rule: Rule, text: &str) -> Option<Tree> {
        let pairs = grammar::CqlGrammar::parse(rule, text).ok()?;
        Some(Tree {
            nodes: entries(pairs),
            too_deep: None,
        })
    }

    fn empty() -> Tree {
        Tree {
            nodes: Vec::new(),
            too_deep: None,
        }
    }

    /// The whole text.
    pub fn root(&self) -> Node<'_> {
        Node { tree: self, index: 0 }
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

/// How many brackets are open behind each opening one, of a text without nesting.
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

impl<'t> Node<'t> {
    fn entry(&self) -> &'t Entry {
        &self.tree.nodes[self.index]
    }

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
