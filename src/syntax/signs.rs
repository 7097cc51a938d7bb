//! The spellings of signs, and of words that have a sign.

use super::token::Sign;

/// The ASCII spelling of each sign, and its Unicode spelling if it has one.
const SPELLINGS: [(Sign, &str, Option<&str>); 48] = [
    (Sign::Element, "[element]", Some("∊")),
    (Sign::ForAll, "[forall]", Some("∀")),
    (Sign::LineForward, "-->", None),
    (Sign::LineBackward, "<--", None),
    (Sign::BraceStar, "{*}", None),
    (Sign::BracePlus, "{+}", None),
    (Sign::Right, "->", Some("→")),
    (Sign::Left, "<-", Some("←")),
    (Sign::Match, "~~", None),
    (Sign::LessEqual, "<=", Some("≤")),
    (Sign::GreaterEqual, ">=", Some("≥")),
    (Sign::Equal, "==", None),
    (Sign::NotEqual, "!=", Some("≠")),
    (Sign::PlusAssign, "+=", None),
    (Sign::MinusAssign, "-=", None),
    (Sign::TimesAssign, "*=", None),
    (Sign::DivideAssign, "/=", None),
    (Sign::RemainderAssign, "%=", None),
    (Sign::UnionAssign, "|=", Some("∪=")),
    (Sign::IntersectAssign, "&=", Some("∩=")),
    (Sign::Ancestor, "[<]", Some("≺")),
    (Sign::AncestorOrSame, "[<=]", Some("≼")),
    (Sign::Descendant, "[>]", Some("≻")),
    (Sign::DescendantOrSame, "[>=]", Some("≽")),
    (Sign::AssignIfAny, "=?", None),
    (Sign::EmptySet, "[]", None),
    (Sign::Plus, "+", None),
    (Sign::Minus, "-", None),
    (Sign::Star, "*", None),
    (Sign::Slash, "/", None),
    (Sign::Assign, "=", None),
    (Sign::Greater, ">", None),
    (Sign::Less, "<", None),
    (Sign::Dot, ".", Some("▦")),
    (Sign::OpenParen, "(", None),
    (Sign::CloseParen, ")", None),
    (Sign::OpenBrace, "{", None),
    (Sign::CloseBrace, "}", None),
    (Sign::Union, "|", Some("∪")),
    (Sign::Question, "?", None),
    (Sign::Colon, ":", None),
    (Sign::Hash, "#", None),
    (Sign::Tilde, "~", None),
    (Sign::Intersect, "&", Some("∩")),
    (Sign::Percent, "%", None),
    (Sign::Comma, ",", None),
    (Sign::OpenBracket, "[", None),
    (Sign::CloseBracket, "]", None),
];

/// Returns the ASCII spelling of each sign, and its Unicode spelling if it has one.
pub fn signs_with_spellings() -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
    SPELLINGS.iter().map(|(_, ascii, unicode)| (*ascii, *unicode))
}

/// Returns the sign with this spelling, ASCII or Unicode.
pub(super) fn sign(text: &str) -> Option<Sign> {
    SPELLINGS
        .iter()
        .find(|(_, ascii, unicode)| *ascii == text || *unicode == Some(text))
        .map(|(sign, ..)| *sign)
}

impl Sign {
    /// Returns the ASCII spelling.
    pub fn ascii(self) -> &'static str {
        match self {
            Sign::RepeatPlus => "+",
            Sign::RepeatStar => "*",
            sign => SPELLINGS
                .iter()
                .find(|(known, ..)| *known == sign)
                .map_or("", |(_, ascii, _)| ascii),
        }
    }
}

/// Returns the Unicode spelling of a sign, if it has one.
pub(super) fn unicode(sign: Sign) -> Option<&'static str> {
    SPELLINGS
        .iter()
        .find(|(known, ..)| *known == sign)
        .and_then(|(_, _, unicode)| *unicode)
}

/// Characters for reserved words.
const WORDS: [(&str, &str); 5] = [
    ("∙", "currentposition"),
    ("⬓", "flipcolor"),
    ("⊢", "path"),
    ("◎", "focus"),
    ("✵", "flip"),
];

/// Returns the reserved word that a Unicode character stands for.
pub(super) fn unicode_word(text: &str) -> Option<&'static str> {
    WORDS
        .iter()
        .find(|(character, _)| *character == text)
        .map(|(_, word)| *word)
}

/// Returns the Unicode character for a reserved word.
pub(super) fn unicode_of_word(word: &str) -> Option<&'static str> {
    WORDS
        .iter()
        .find(|(_, known)| *known == word)
        .map(|(character, _)| *character)
}

/// Returns the ASCII spelling of a sign, a dash, or a Unicode character that stands for a word.
///
/// ```
/// use skewer::syntax::ascii_spelling;
///
/// assert_eq!(ascii_spelling("→"), Some("->"));
/// assert_eq!(ascii_spelling("⊢"), Some("path"));
/// assert_eq!(ascii_spelling("path"), None);
/// ```
pub fn ascii_spelling(text: &str) -> Option<&'static str> {
    match text {
        "--" | "――" => Some("--"),
        "[x]" | "×" => Some("[x]"),
        _ => sign(text).map(Sign::ascii).or_else(|| unicode_word(text)),
    }
}
