//! Quotes parts of a query: their tokens in one line, without comments and line breaks.

use crate::syntax::Source;
use crate::syntax::token::Span;

/// The text of a query, ready to be quoted.
pub(super) struct Quotes<'s> {
    source: &'s Source,
    /// The spans of the tokens, in order.
    tokens: Vec<Span>,
}

impl<'s> Quotes<'s> {
    /// Prepares a text that has been compiled.
    pub(super) fn of(source: &'s Source) -> Quotes<'s> {
        Quotes {
            source,
            tokens: source.tree().tokens().map(|token| token.span()).collect(),
        }
    }

    /// Returns the line and the column of a span.
    pub(super) fn place(&self, span: Span) -> (usize, usize) {
        let place = self.source.place(span.start);
        (place.line, place.column)
    }

    /// Returns the text of a span in one line. A long text is cut.
    pub(super) fn quote(&self, span: Span) -> String {
        const LONGEST: usize = 72;
        let first = self.tokens.partition_point(|token| token.start < span.start);
        let inside = self.tokens[first..].iter().take_while(|token| token.end <= span.end);
        let mut line = String::new();
        let mut end = span.start;
        for token in inside {
            if token.start > end && !line.is_empty() {
                line.push(' ');
            }
            line += self.source.slice(*token);
            end = token.end;
        }
        match line.char_indices().nth(LONGEST) {
            Some((cut, _)) => format!("{} …", line[..cut].trim_end()),
            None => line,
        }
    }
}

/// Returns a number with its noun.
pub(super) fn counted(count: usize, noun: &str) -> String {
    match (count, noun.strip_suffix("py")) {
        (1, _) => format!("1 {noun}"),
        (_, Some(stem)) => format!("{count} {stem}pies"),
        (_, None) => format!("{count} {noun}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> String {
        let source = Source::new("q.cql", text);
        Quotes::of(&source).quote(Span::new(0, text.len()))
    }

    #[test]
    fn a_quotation_is_one_line_without_comments() {
        assert_eq!(quoted("{Ke1 // the king\n\n  wtm /* to\nmove */}"), "{Ke1 wtm }");
        assert_eq!(quoted("event == \"//  a\""), "event == \"//  a\"");
    }

    #[test]
    fn a_long_quotation_is_cut() {
        let long = quoted(&"check ".repeat(50));
        assert!(long.starts_with("check check "));
        assert!(long.ends_with(" …"));
        assert!(long.chars().count() <= 74, "{long}");
    }
}
