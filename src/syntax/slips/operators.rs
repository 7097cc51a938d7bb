//! Operators of other languages that CQL reads as two signs.

use super::super::diagnostic::Diagnostic;
use super::super::source::Source;
use super::super::token::{Sign, Token, TokenKind};

/// The two signs, their replacements, and the advice.
const OPERATORS: [(Sign, Sign, &[&str], &str); 9] = [
    (
        Sign::Intersect,
        Sign::Intersect,
        &[" and ", "&"],
        "`and` for conditions, `&` for the intersection of sets",
    ),
    (
        Sign::Union,
        Sign::Union,
        &[" or ", "|"],
        "`or` for conditions, `|` for the union of sets",
    ),
    (Sign::Equal, Sign::Assign, &["=="], "`==`"),
    (Sign::NotEqual, Sign::Assign, &["!="], "`!=`"),
    (Sign::Less, Sign::Greater, &["!="], "`!=`"),
    (Sign::Tilde, Sign::Assign, &["!="], "`!=`"),
    (Sign::Assign, Sign::Less, &["<="], "`<=`"),
    (Sign::Assign, Sign::Greater, &[">="], "`>=`"),
    (Sign::Colon, Sign::Assign, &["="], "`=`"),
];

/// If the tokens begin with an operator of another language, returns an error.
pub(crate) fn foreign_operator(source: &Source, tokens: &[&Token]) -> Option<Diagnostic> {
    let [first, second, ..] = tokens else { return None };
    let (TokenKind::Sign(left), TokenKind::Sign(right), false) = (&first.kind, &second.kind, second.spaced) else {
        return None;
    };
    let (.., instead, advice) = OPERATORS
        .iter()
        .find(|(one, other, ..)| one == left && other == right)?;
    let span = first.span.to(second.span);
    let text = source.slice(span);
    let error = Diagnostic::new(span, format!("`{text}` is not an operator of CQL")).hint(format!("write {advice}"));
    Some(instead.iter().fold(error, |error, text| error.change(span, *text)))
}
