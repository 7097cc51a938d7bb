//! Edits the text of a query.

use std::cmp::Reverse;

use crate::syntax::Source;
use crate::syntax::token::Span;

/// The filter that replaces a removed one where something is required.
pub(super) const NOTHING: &str = "true";

/// A change of the text of a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Edit {
    pub(super) span: Span,
    /// The replacement; `None` if the text is removed.
    pub(super) insert: Option<String>,
}

impl Edit {
    /// Returns the edit that removes a filter.
    pub(super) fn removal(span: Span) -> Edit {
        Edit { span, insert: None }
    }
}

/// Returns the text of a query with edits applied. Edits within others are ignored. `nothing` replaces removed text. If it
/// is empty, spaces after the removed text are removed, too.
pub(super) fn changed<'e>(
    source: &Source,
    edits: impl IntoIterator<Item = &'e Edit>,
    nothing: &str,
) -> Option<Vec<u8>> {
    let mut edits: Vec<&Edit> = edits.into_iter().collect();
    edits.sort_by_key(|edit| (edit.span.start, Reverse(edit.span.end)));
    let bytes = source.bytes();
    let (mut text, mut end) = (Vec::new(), 0);
    for edit in edits {
        let range = edit.span.range();
        if range.end <= end {
            continue;
        }
        text.extend_from_slice(bytes.get(end..range.start)?);
        let insert = edit.insert.as_deref().unwrap_or(nothing);
        text.extend_from_slice(insert.as_bytes());
        end = range.end;
        if insert.is_empty() {
            end += bytes.get(end..)?.iter().take_while(|byte| **byte == b' ').count();
            while end == bytes.len() && text.last() == Some(&b' ') {
                text.pop();
            }
        }
    }
    text.extend_from_slice(bytes.get(end..)?);
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_within_others_do_not_count() {
        let source = Source::new("q", "btm {a b} R");
        let edits = [
            Edit::removal(Span::new(5, 6)),
            Edit::removal(Span::new(4, 9)),
            Edit {
                span: Span::new(0, 3),
                insert: Some("wtm".to_owned()),
            },
        ];
        let text =
            |edits: &[Edit], nothing| changed(&source, edits, nothing).map(|text| String::from_utf8(text).unwrap());
        assert_eq!(text(&edits, NOTHING).as_deref(), Some("wtm true R"));
        assert_eq!(text(&edits, "").as_deref(), Some("wtm R"));
        assert_eq!(
            text(&[Edit::removal(Span::new(10, 11))], "").as_deref(),
            Some("btm {a b}")
        );
        assert_eq!(text(&[Edit::removal(Span::new(10, 99))], ""), None);
    }
}
