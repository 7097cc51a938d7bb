//! The places where filters begin and end, which can be known only with types.

use super::super::token::{Span, Token, TokenKind};

/// The places of the filters of a query, found while it is compiled.
///
/// Functions that are never called have none, because their bodies are not read.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// Whole filters: elements of lists, bodies, arguments.
    pub filters: Vec<Span>,
    /// Filters in the body of the query, in braces, or in the target of a move. All of them must match.
    pub statements: Vec<Span>,
    /// The constituents of paths.
    pub constituents: Vec<Span>,
}

/// An outline as indexes of tokens, which do not change with the layout.
pub(super) struct Shape {
    /// Filters as first and last token. Outer filters come before inner ones.
    pub(super) filters: Vec<(usize, usize)>,
    /// For each token, whether a filter begins with it.
    pub(super) starts: Vec<bool>,
    /// For each token, the last token of the statement that begins with it.
    pub(super) statements: Vec<Option<usize>>,
    /// For each token, whether a constituent of a path begins with it.
    pub(super) constituents: Vec<bool>,
}

impl Shape {
    pub(super) fn new(outline: &Outline, tokens: &[Token]) -> Shape {
        let meaningful: Vec<&Token> = tokens.iter().filter(|token| is_written(&token.kind)).collect();
        let range = |span: &Span| {
            let first = meaningful
                .binary_search_by_key(&span.start, |token| token.span.start)
                .ok()?;
            let last = meaningful
                .partition_point(|token| token.span.end <= span.end)
                .checked_sub(1)?;
            (first <= last).then_some((first, last))
        };
        let mut filters: Vec<(usize, usize)> = outline.filters.iter().filter_map(range).collect();
        filters.sort_unstable_by_key(|&(first, last)| (first, std::cmp::Reverse(last)));
        filters.dedup();
        let mut starts = vec![false; meaningful.len()];
        for &(first, _) in &filters {
            starts[first] = true;
        }
        let mut statements = vec![None; meaningful.len()];
        for (first, last) in outline.statements.iter().filter_map(range) {
            statements[first] = Some(last);
        }
        let mut constituents = vec![false; meaningful.len()];
        for (first, _) in outline.constituents.iter().filter_map(range) {
            constituents[first] = true;
        }
        Shape {
            filters,
            starts,
            statements,
            constituents,
        }
    }
}

/// Returns whether a token is written, unlike tokens for line ends and for the end of the text.
pub(super) fn is_written(kind: &TokenKind) -> bool {
    !matches!(kind, TokenKind::PathEnd | TokenKind::LineMessageEnd | TokenKind::End)
}
