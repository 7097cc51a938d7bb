//! Turns the text of a query into tokens: the words, signs and brackets of CQL, and the diagnostics that point at them.
//!
//! The passes, each in a file of its own:
//! 1. [`tree`]: the grammar `grammar/cql.pest` finds the forms of the text; `lexer` converts each leaf to a [`Token`], and `forms` says
//! which tokens a form has;
//! 2. `adjacency`: ties dashes to their neighbours, and refuses neighbours that never make sense;
//! 3. `nesting`: refuses brackets without partners, and ends paths and message comments, as the tree has them.
//!
//! [`format`](mod@format) is the way back: from tokens to text in one style.
//!
//! ```
//! use skewer::syntax::{Source, token::TokenKind, tokens};
//!
//! let source = Source::new("mates.cql", "cql(input games.pgn) mate wtm");
//! let kinds: Vec<_> = tokens(&source).unwrap().into_iter().map(|token| token.kind).collect();
//! assert_eq!(kinds[0], TokenKind::Word("cql"));
//! assert_eq!(kinds[4..], [TokenKind::Word("mate"), TokenKind::Word("wtm"), TokenKind::End]);
//! ```
//!
//! Each part uses only those before it: `token`, `diagnostic`, `tree`, `forms`, `source`, `designator`, `signs`, `words`, `table`, `keywords`,
//! `slips`, `lexer`, `adjacency`, `amount`, `beyond`, `nesting`, `self`, `format`, `rendering`.

mod adjacency;
mod amount;
pub(crate) mod beyond;
mod designator;
pub mod diagnostic;
pub mod format;
mod forms;
pub(crate) mod keywords;
mod lexer;
mod nesting;
mod rendering;
mod signs;
pub(crate) mod slips;
mod source;
pub(crate) mod table;
pub mod token;
pub mod tree;
mod words;

pub(crate) use beyond::BeyondWords;
pub(crate) use designator::{letter_contents, piece_letters};
pub(crate) use diagnostic::apply;
pub use diagnostic::{Diagnostic, Elsewhere, Fix};
pub(crate) use forms::{Form, Forms, Parsed, Part};
pub(crate) use keywords::beyond_word;
pub use keywords::beyond_words;
pub use signs::{ascii_spelling, signs_with_spellings};
pub(crate) use source::UNDECODABLE;
pub use source::{Place, Source, read_text, text_of};
pub(crate) use tree::DEEPEST;
pub use tree::SIZE_LIMIT;
pub(crate) use words::edits;
pub use words::{nearest, reserved_words};

use std::sync::Arc;

use token::{Span, Token};
use tree::Rule;

/// Splits a query into tokens. The last one is [`End`](token::TokenKind::End). The spans of the tokens do not overlap and are in the order
/// of the text.
///
/// A parser can rely on the following:
/// - Brackets are balanced and properly nested.
/// - Where a blank line ends a `path`, there is a [`PathEnd`](token::TokenKind::PathEnd) for each path that it ends. A path that was
///   complete before (`path -- >= 3`) gets one, too, so a stray one has no meaning. A path has none if it is ended by a closing bracket, the
///   end of the text or the end of a message comment.
/// - Each [`LineMessage`](token::TokenKind::LineMessage) has its [`LineMessageEnd`](token::TokenKind::LineMessageEnd), with balanced
///   brackets between them. The span of both `LineMessageEnd` and `PathEnd` is the line end.
///
/// # Errors
///
/// Returns the first error that can be found without knowing what filters mean: a text that is empty or too long, bytes and characters that
/// are not a token, numbers out of range, unclosed strings, comments and brackets, or signs that cannot follow one another.
pub fn tokens(source: &Source) -> Result<Vec<Token>, Diagnostic> {
    parse(source).map(|parsed| parsed.tokens.to_vec())
}

/// Returns the tokens of a query, see [`tokens`], and the forms that they make. They are computed once for each source.
pub(crate) fn parse(source: &Source) -> Result<Parsed, Diagnostic> {
    source.parsed(|source| {
        check_size(source)?;
        let mut lexemes = lexer::lex(source)?;
        adjacency::refuse_misread(source, &lexemes)?;
        adjacency::tie_dashes(&mut lexemes);
        if let Some(bracket) = source.tree().too_deep() {
            let error = nested_too_deeply(bracket);
            return Err(if lexer::has_open_brackets(&lexemes) {
                error.hint("some of the brackets are never closed")
            } else {
                error
            });
        }
        let nested = nesting::nest(source, lexemes)?;
        Ok(Parsed {
            tokens: nested.tokens.into(),
            forms: Forms::new(Arc::clone(source.tree()), nested.leaves, nested.path_ends),
        })
    })
}

/// Returns the error for a filter that is nested in [`DEEPEST`] others.
pub(crate) fn nested_too_deeply(place: Span) -> Diagnostic {
    Diagnostic::new(place, "the query is nested too deeply")
        .label(format!("more than {DEEPEST} filters inside each other"))
}

/// Returns the comments that go to the end of their line, in order, with `//` or `;` but without the line end. `//` in a string or in a
/// comment between `/*` and `*/` does not begin one. The query may have errors; the comments that can be recognised are returned.
pub fn line_comments(source: &Source) -> Vec<Span> {
    if check_size(source).is_err() {
        return Vec::new();
    }
    let comments = source.tree().nodes().filter(|node| node.rule() == Rule::comment);
    comments
        .map(|comment| comment.span())
        .filter(|span| !source.slice(*span).starts_with("/*"))
        .collect()
}

/// Returns the text after `//?` of comments that begin with it, in order and trimmed: examples for self-tests and names of warnings to leave
/// out.
pub fn annotations(source: &Source) -> Vec<Span> {
    let annotations = line_comments(source).into_iter().filter_map(|comment| {
        let text = source.slice(comment).strip_prefix("//?")?;
        let end = comment.start as usize + "//?".len() + text.trim_end().len();
        Some(Span::new(end - text.trim().len(), end))
    });
    annotations.collect()
}

/// Returns the tokens of a text that may be wrong or unfinished, for instance while it is being written, and errors for everything that is
/// not a token. Brackets may not be balanced, and paths have no ends.
pub fn scan(source: &Source) -> (Vec<Token>, Vec<Diagnostic>) {
    match check_size(source) {
        Ok(()) => lexer::scan(source),
        Err(error) => (Vec::new(), vec![error]),
    }
}

fn check_size(source: &Source) -> Result<(), Diagnostic> {
    let size = source.bytes().len();
    let start = Span::new(0, 0);
    if size == 0 {
        return Err(Diagnostic::new(start, "the query is empty")
            .hint("the smallest query is a header and one filter: `cql(input games.pgn) mate`"));
    }
    if size >= SIZE_LIMIT {
        return Err(Diagnostic::new(
            start,
            format!("the query is too long: {size} bytes, where fewer than {SIZE_LIMIT} are allowed"),
        ));
    }
    amount::check(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_found_by_the_lexer() {
        let source = Source::new(
            "test",
            "// a\r\n\"// no\" ; b\n/* // no */ mate //c\n/// message\n[bad ]] //? d",
        );
        let comments: Vec<_> = line_comments(&source)
            .into_iter()
            .map(|span| source.slice(span))
            .collect();
        assert_eq!(comments, ["// a\r", "; b", "//c", "//? d"]);
    }

    #[test]
    fn the_size_is_limited() {
        let of_size = |size| check_size(&Source::new("test", vec![b' '; size]));
        assert!(of_size(0).is_err());
        assert_eq!(of_size(1), Ok(()));
        assert_eq!(of_size(SIZE_LIMIT - 1), Ok(()));
        assert!(of_size(SIZE_LIMIT).is_err());
    }
}
