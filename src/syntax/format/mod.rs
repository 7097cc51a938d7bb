//! The formatter: writes a query in one style, with the same tokens and comments, and so with the same meaning.
//!
//! In CQL, white space decides which sides belong to a move, which parenthesis is its target, and where a `path` ends. The formatter does
//! not change such white space. Everything else is laid out again:
//! 1. `items`: splits the text into tokens and comments, each with the line ends before it;
//! 2. `spelling`: spells tokens as they were written, in ASCII or in Unicode;
//! 3. `spacing`: decides which neighbours on a line have a space between them;
//! 4. `breaks`: decides where lines begin, from the author's lines and the rules of the style;
//! 5. `lines`: indents lines, and breaks those that are too long.
//!
//! The result is split into tokens again and compared with the original, so that a mistake here cannot change a query.
//!
//! Each part uses only those before it: `outline`, `spelling`, `items`, `spacing`, `breaks`, `lines`.

mod breaks;
mod items;
mod lines;
mod outline;
mod spacing;
mod spelling;

pub use lines::WIDTH;
pub use outline::Outline;
pub use spelling::Spelling;

use super::{
    Diagnostic, Source, parse,
    token::{Sign, Span, Token, TokenKind},
};
use items::{Items, ends_paths};
use outline::Shape;

/// How often a text may be laid out until it no longer changes. Twice is nearly always enough.
const ROUNDS: usize = 6;

/// Formats a query in the style of skewer. `outline` says where its filters begin and end.
///
/// ```
/// use skewer::query::{self, Options};
/// use skewer::syntax::{Source, format};
///
/// let source = Source::new("q.cql", "cql( input a.pgn )  wtm  R==1 {A>3 // many\n check}");
/// let outline = query::outline(&source, &Options::default()).unwrap();
/// let text = format::format(&source, &outline, format::Spelling::AsWritten).unwrap();
/// assert_eq!(String::from_utf8(text).unwrap(), "\
/// cql(input a.pgn)
///
/// wtm R == 1
/// {
///   A > 3 // many
///   check
/// }
/// ");
/// ```
///
/// # Errors
///
/// Returns an error if the query cannot be read. Also returns one if the new text would have another meaning, which is a bug in the
/// formatter.
pub fn format(source: &Source, outline: &Outline, spelling: Spelling) -> Result<Vec<u8>, Diagnostic> {
    let original = parse(source)?.tokens;
    let shape = Shape::new(outline, &original);
    let mut text = laid_out(source, &original, &shape, spelling);
    for _ in 1..ROUNDS {
        let next = Source::new(source.name(), text.clone());
        let parsed = parse(&next).map_err(|error| not_kept(source, &original, error.span))?;
        let tokens = parsed.tokens;
        if let Some(changed) = first_change(&original, &tokens) {
            return Err(not_kept(source, &original, changed));
        }
        let again = laid_out(&next, &tokens, &shape, spelling);
        if again == text {
            break;
        }
        text = again;
    }
    Ok(text)
}

fn laid_out(source: &Source, tokens: &[Token], shape: &Shape, spelling: Spelling) -> Vec<u8> {
    let items = Items::new(source, tokens, spelling);
    let spacing = spacing::Spacing::new(&items, shape);
    let breaks = breaks::breaks(&items, shape);
    lines::write(&items, shape, &spacing, breaks)
}

/// Returns the place of the first token in which two texts differ in meaning, if they do.
fn first_change(original: &[Token], formatted: &[Token]) -> Option<Span> {
    let (before, after) = (significant(original), significant(formatted));
    let same = std::iter::zip(&before, &after)
        .take_while(|(before, after)| before.kind == after.kind && before.touches == after.touches)
        .count();
    let differs = same < before.len().max(after.len());
    differs.then(|| before.get(same).map_or_else(Span::default, |token| token.span))
}

/// The parts of a token that have a meaning.
struct Significant<'a> {
    kind: &'a TokenKind,
    /// Whether it is a parenthesis that is the target of a move, because it touches the move's side.
    touches: bool,
    span: Span,
}

fn significant(tokens: &[Token]) -> Vec<Significant<'_>> {
    let mut significant: Vec<Significant<'_>> = Vec::with_capacity(tokens.len());
    // For each open bracket, whether there is a move in the sequence of touching tokens that continues around it.
    let mut rows = vec![false];
    for token in tokens {
        let moves = rows.last_mut().is_some_and(|moves| {
            *moves = *moves && !token.spaced || matches!(token.kind, TokenKind::Dash { .. });
            *moves
        });
        if ends_paths(&token.kind) {
            while significant.pop_if(|last| *last.kind == TokenKind::PathEnd).is_some() {}
        }
        let before = significant.last().map(|token| token.kind);
        significant.push(Significant {
            kind: &token.kind,
            touches: token.kind == TokenKind::Sign(Sign::OpenParen) && before.is_some_and(is_side_of_move) && moves,
            span: token.span,
        });
        match token.kind {
            TokenKind::Sign(sign) if sign.is_opening() => rows.push(false),
            TokenKind::Sign(sign) if sign.is_closing() && rows.len() > 1 => {
                rows.pop();
            }
            _ => {}
        }
    }
    significant
}

/// Returns whether a parenthesis after a token may be the target of a move. Words and names with parentheses of their own do not depend on
/// spaces.
fn is_side_of_move(kind: &TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Dash { .. }
            | TokenKind::Designator(_)
            | TokenKind::String(_)
            | TokenKind::Sign(Sign::CloseParen | Sign::CloseBrace | Sign::CloseBracket | Sign::Dot | Sign::EmptySet)
    )
}

fn not_kept(source: &Source, original: &[Token], near: Span) -> Diagnostic {
    let known = original.iter().any(|token| token.span == near);
    let span = if known { near } else { Span::default() };
    Diagnostic::new(
        span,
        "internal error: formatting would change the meaning of this query",
    )
    .label(format!("`{}` is left as it is", source.name()))
    .hint("please report it with the query")
}
