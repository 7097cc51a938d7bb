//! Folding ranges and growing selections, from the forms of the tree.

use gen_lsp_types::{FoldingRange, FoldingRangeKind, Position, SelectionRange};

use crate::syntax::token::Span;
use crate::syntax::tree::{Node, Rule};

use super::document::Document;

/// Returns the ranges to fold: brackets and comments of several lines, and several comments on successive lines. If several ranges begin on
/// a line, only the outermost is folded.
pub(super) fn folding_ranges(document: &Document) -> Vec<FoldingRange> {
    let mut ranges: Vec<FoldingRange> = Vec::new();
    for node in document.source().tree().nodes() {
        let range = match node.rule() {
            Rule::gap => {
                let known = ranges.last().map(|last| last.start_line);
                let comments = comments(document, node);
                ranges.extend(comments.filter(|range| known != Some(range.start_line)));
                continue;
            }
            _ => inside_brackets(node).and_then(|inside| {
                let (start, end) = (document.position(inside.start), document.position(inside.end));
                // The line with the closing bracket stays visible.
                range(start.line, end.line.checked_sub(1)?, None)
            }),
        };
        let is_new = |range: &FoldingRange| ranges.last().is_none_or(|last| last.start_line != range.start_line);
        ranges.extend(range.filter(is_new));
    }
    ranges
}

fn range(start: u32, end: u32, kind: Option<FoldingRangeKind>) -> Option<FoldingRange> {
    (start < end).then(|| FoldingRange::new(start, None, end, None, kind, None))
}

/// Returns the text between the brackets of a node, if it begins with one. If the closing one is missing, the text goes up to the end.
fn inside_brackets(node: Node<'_>) -> Option<Span> {
    let open = node
        .children()
        .find(|part| matches!(part.rule(), Rule::open_paren | Rule::open_brace | Rule::open_bracket))?;
    let close = node.children().last()?;
    Some(Span {
        start: open.span().end,
        end: close.span().start,
    })
}

/// Returns the comments of a gap that extend over several lines: those between `/*` and `*/`, and series of `//` lines.
fn comments<'d>(document: &'d Document, gap: Node<'d>) -> impl Iterator<Item = FoldingRange> + 'd {
    let mut lines: Vec<(u32, u32, bool)> = Vec::new();
    for comment in gap.children().filter(|part| part.rule() == Rule::comment) {
        let span = comment.span();
        let (start, end) = (document.position(span.start).line, document.position(span.end).line);
        let is_block = document.source().slice(span).starts_with("/*");
        match lines.last_mut() {
            Some((_, last, false)) if !is_block && *last + 1 == start => *last = end,
            _ => lines.push((start, end, is_block)),
        }
    }
    let comment = |(start, end, _)| range(start, end, Some(FoldingRangeKind::Comment));
    lines.into_iter().filter_map(comment)
}

/// Returns for each position the forms around it, from the word there to the whole text.
pub(super) fn selection_ranges(document: &Document, positions: &[Position]) -> Vec<SelectionRange> {
    let around = positions.iter().map(|position| selection_range(document, *position));
    around.collect()
}

fn selection_range(document: &Document, position: Position) -> SelectionRange {
    let offset = document.offset(position);
    let mut spans: Vec<Span> = Vec::new();
    for node in document.source().tree().around(offset) {
        let inside = inside_brackets(node).filter(|inside| inside.start <= offset && offset <= inside.end);
        let wider = |span: &Span| spans.last().is_none_or(|outer| outer.contains(*span) && outer != span);
        let is_new = node.rule() != Rule::gap && wider(&node.span());
        let inside = inside.filter(|inside| !inside.is_empty());
        spans.extend(is_new.then(|| node.span()));
        spans.extend(inside);
    }
    let whole = SelectionRange::new(document.range(spans.first().copied().unwrap_or_default()), None);
    let inner = spans.iter().skip(1);
    inner.fold(whole, |around, span| {
        SelectionRange::new(document.range(*span), Some(Box::new(around)))
    })
}

#[cfg(test)]
mod tests {
    use super::super::document::Encoding;
    use super::*;

    fn document(text: &str) -> Document {
        Document::new("q.cql", text.to_owned(), 1, Encoding::Utf8)
    }

    fn folded(text: &str) -> Vec<(u32, u32, bool)> {
        let ranges = folding_ranges(&document(text)).into_iter();
        ranges
            .map(|range| (range.start_line, range.end_line, range.kind.is_some()))
            .collect()
    }

    #[test]
    fn brackets_and_comments_of_several_lines_are_folded() {
        assert_eq!(
            folded(
                "// a\n// b\ncql(\n  variations\n)\nfunction F(x) {\n  x\n  {\n   x\n  }\n}\n/* a\n\nb */ {R}\nF(R)"
            ),
            [
                (0, 1, true),
                (2, 3, false),
                (5, 9, false),
                (7, 8, false),
                (11, 13, true)
            ]
        );
        assert_eq!(folded("cql() {({\nR\nN\n})}"), [(0, 2, false)], "one for each line");
        assert_eq!(
            folded("cql() R // a\n\n// b\nR {\nN\n"),
            [(3, 4, false)],
            "an open bracket; comments apart"
        );
        assert_eq!(folded("cql() {\nR }"), [], "nothing would vanish");
    }

    fn selected(text: &str) -> Vec<String> {
        let offset = text.find('|').expect("a place");
        let document = document(&text.replace('|', ""));
        let position = document.position(offset as u32);
        let mut selected = Vec::new();
        let mut next = selection_ranges(&document, &[position]).pop().map(Box::new);
        while let Some(range) = next {
            selected.push(document.source().slice(document.span(range.range)).to_owned());
            next = range.parent;
        }
        selected
    }

    #[test]
    fn a_selection_grows_form_by_form() {
        let whole = "cql() { xray(R a k) }";
        assert_eq!(
            selected("cql() { xray(R| a k) }"),
            [
                "R",
                "R a k",
                "(R a k)",
                "xray(R a k)",
                " xray(R a k) ",
                "{ xray(R a k) }",
                whole
            ]
        );
        assert_eq!(selected("cql() R|a1-3"), ["Ra1-3", "cql() Ra1-3"]);
        assert_eq!(selected("cql() // a| b\nR"), ["// a b", "cql() // a b\nR"]);
        assert_eq!(selected("cql()|"), [")", "cql()"]);
        assert_eq!(selected("|"), [""]);
    }
}
