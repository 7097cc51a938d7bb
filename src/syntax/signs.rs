//! The spellings of signs, and of the words that have a sign of their own.

use super::token::Sign;

/// The sign with this spelling, ASCII or Unicode.
pub(super) fn sign(text: &str) -> Option<Sign> {
    Some(match text {
        "[element]" | "∊" => Sign::Element,
        "[forall]" | "∀" => Sign::ForAll,
        "-->" => Sign::LineForward,
        "<--" => Sign::LineBackward,
        "{*}" => Sign::BraceStar,
        "{+}" => Sign::BracePlus,
        "->" | "→" => Sign::Right,
        "<-" | "←" => Sign::Left,
        "~~" => Sign::Match,
        "<=" | "≤" => Sign::LessEqual,
        ">=" | "≥" => Sign::GreaterEqual,
        "==" => Sign::Equal,
        "!=" | "≠" => Sign::NotEqual,
        "+=" => Sign::PlusAssign,
        "-=" => Sign::MinusAssign,
        "*=" => Sign::TimesAssign,
        "/=" => Sign::DivideAssign,
        "%=" => Sign::RemainderAssign,
        "|=" | "∪=" => Sign::UnionAssign,
        "&=" | "∩=" => Sign::IntersectAssign,
        "[<]" | "≺" => Sign::Ancestor,
        "[<=]" | "≼" => Sign::AncestorOrSame,
        "[>]" | "≻" => Sign::Descendant,
        "[>=]" | "≽" => Sign::DescendantOrSame,
        "=?" => Sign::AssignIfAny,
        "[]" => Sign::EmptySet,
        "+" => Sign::Plus,
        "-" => Sign::Minus,
        "*" => Sign::Star,
        "/" => Sign::Slash,
        "=" => Sign::Assign,
        ">" => Sign::Greater,
        "<" => Sign::Less,
        "." | "▦" => Sign::Dot,
        "(" => Sign::OpenParen,
        ")" => Sign::CloseParen,
        "{" => Sign::OpenBrace,
        "}" => Sign::CloseBrace,
        "|" | "∪" => Sign::Union,
        "?" => Sign::Question,
        ":" => Sign::Colon,
        "#" => Sign::Hash,
        "~" => Sign::Tilde,
        "&" | "∩" => Sign::Intersect,
        "%" => Sign::Percent,
        "," => Sign::Comma,
        "[" => Sign::OpenBracket,
        "]" => Sign::CloseBracket,
        _ => return None,
    })
}

/// The reserved word that a Unicode character stands for.
pub(super) fn unicode_word(text: &str) -> Option<&'static str> {
    Some(match text {
        "∙" => "currentposition",
        "⬓" => "flipcolor",
        "⊢" => "path",
        "◎" => "focus",
        "✵" => "flip",
        _ => return None,
    })
}
