//! Comments in the style of other languages.

use super::super::tree::Rule;
use super::candidate::Candidate;
use super::text::Text;
use crate::syntax::token::Span;

const MESSAGE: &str = "this does not begin a comment";
const SAYS: &str = "a comment goes from `//` to the end of its line, or from `/*` to `*/`";

/// Marks that begin comments elsewhere: two backslashes; a number sign in shells and Python; a percent sign in TeX; dashes in SQL and Lua.
const MARKS: [&str; 4] = [r"\\", "#", "%", "--"];

/// Returns a correction for a comment before the error or around it, on the same line.
pub(super) fn candidates(text: &Text<'_>) -> Vec<Candidate> {
    let marked = text.tokens[..text.tokens.len().min(text.at_error() + 1)].iter().rev();
    let mark = marked
        .take(super::text::REACH)
        .filter(|token| MARKS.contains(&token.text))
        .find_map(|token| {
            let comment = text.rest_of_line(token.span.start);
            // Text that touches the dashes is a move: `--(mate)`.
            let touches = token.text == "--" && !text.source.slice(comment)[2..].starts_with(char::is_whitespace);
            if touches {
                return None;
            }
            (text.concerns(comment) && has_words(text, comment, token.text)).then_some((token, comment))
        });
    let line = mark.map(|(mark, comment)| Candidate {
        edits: vec![(mark.span, "//".to_owned())],
        // All marks except the backslashes are signs of the language.
        is_bold: mark.text != MARKS[0],
        title: Some("Begin the comment with `//`"),
        ..Candidate::new(comment, "", SAYS).with_message(MESSAGE)
    });
    line.into_iter().chain(markup(text)).collect()
}

/// Returns whether the text after a mark is for people: more than half of its words are not known to the language.
fn has_words(text: &Text<'_>, comment: Span, mark: &str) -> bool {
    let inside = text.tokens.iter().filter(|token| comment.contains(token.span));
    let words = inside.filter(|token| token.text.len() > 2 && token.text.chars().all(char::is_alphabetic));
    let (mut all, mut unknown) = (0, 0);
    for word in words {
        all += 1;
        unknown += usize::from(word.rule == Rule::name);
    }
    mark == MARKS[0] || 2 * unknown > all
}

/// Corrects `<!-- words -->`.
fn markup(text: &Text<'_>) -> Option<Candidate> {
    let source = text.source.text();
    let near = source.ceil_char_boundary((text.error.start as usize + 4).min(source.len()));
    let start = source[..near].rfind("<!--")?;
    let end = start + source[start..].find("-->")? + 3;
    let words = source.get(start + 4..end - 3)?.trim();
    let span = Span::new(start, end);
    let comment = format!("/* {words} */");
    text.concerns(span)
        .then(|| Candidate::new(span, comment, SAYS).with_message(MESSAGE))
}
