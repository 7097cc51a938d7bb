//! What may be wrong with the text of a game, and what is said of it.

use super::super::warning::WarningKind;

/// Something in a game that is against the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::game) enum Fault {
    NoTags,
    NoTerminator,
    UnclosedTag,
    ValuelessTag,
    BrokenTag,
    TextBehindTag,
    SplitTags,
    BadTagName,
    SignInTag,
    UnknownLanguage,
    StrayBracket,
    BracketText,
    Markup,
    UnclosedComment,
    Braces,
    BadNag,
    Control,
    EmptyVariation,
    EarlyVariation,
    UnpairedParenthesis,
    TooManyTags,
    TooManyMoves,
    TooDeep,
    TooLong,
}

impl Fault {
    /// What is wrong and what is done about it.
    pub(in crate::game) fn message(self) -> &'static str {
        match self {
            Fault::NoTags => "the game has no tags",
            Fault::NoTerminator => "the game does not end with 1-0, 0-1, 1/2-1/2 or *; its Result tag counts",
            Fault::UnclosedTag => "a tag without closing quote and bracket is ignored",
            Fault::ValuelessTag => "a tag without a value in quotes is ignored",
            Fault::BrokenTag => "the value of a tag goes on on the next line",
            Fault::TextBehindTag => "text after a tag is ignored",
            Fault::SplitTags => "an empty line stands between the tags of a game",
            Fault::BadTagName => "a tag whose name begins with no letter is ignored",
            Fault::SignInTag => "a sign between the name of a tag and its value is ignored",
            Fault::UnknownLanguage => {
                "the letters for pieces may be those of more than one language, so moves with them are not read; --language says which one"
            }
            Fault::StrayBracket => "a closing brace or bracket without an opening one is ignored",
            Fault::BracketText => "text in brackets is ignored",
            Fault::Markup => "tags of HTML in the moves are ignored",
            Fault::UnclosedComment => "a comment has no closing brace; it ends at the next one, or with the game",
            Fault::Braces => "braces inside a comment are read as parentheses",
            Fault::BadNag => "a $ without the number of an annotation symbol is ignored",
            Fault::Control => "control bytes are ignored",
            Fault::EmptyVariation => "a variation without moves is ignored",
            Fault::EarlyVariation => "a variation before the first move is not searched",
            Fault::UnpairedParenthesis => "the parentheses of the variations do not pair up",
            Fault::TooManyTags => {
                "the game has more than 10,000 tags, or more than 16 MiB of them; the others are ignored"
            }
            Fault::TooManyMoves => {
                "a line has more than 262,144 moves, counted with those of the lines that it branches off from; the rest of the line is ignored"
            }
            Fault::TooDeep => "variations inside of more than 32,768 others are ignored",
            Fault::TooLong => "the game does not end in 48 MiB of text; the rest is ignored",
        }
    }

    /// The kind of warning that it is.
    pub(in crate::game) fn kind(self) -> WarningKind {
        match self {
            Fault::NoTags => WarningKind::NoTags,
            Fault::NoTerminator => WarningKind::NoResult,
            Fault::UnclosedTag
            | Fault::ValuelessTag
            | Fault::BrokenTag
            | Fault::TextBehindTag
            | Fault::SplitTags
            | Fault::BadTagName
            | Fault::SignInTag
            | Fault::TooManyTags => WarningKind::BadTag,
            Fault::UnknownLanguage => WarningKind::WrongMove,
            Fault::StrayBracket
            | Fault::BracketText
            | Fault::Markup
            | Fault::UnclosedComment
            | Fault::Braces
            | Fault::BadNag => WarningKind::BadComment,
            Fault::Control => WarningKind::BadBytes,
            Fault::EarlyVariation | Fault::TooDeep => WarningKind::WrongVariation,
            Fault::EmptyVariation | Fault::UnpairedParenthesis => WarningKind::Parentheses,
            Fault::TooManyMoves | Fault::TooLong => WarningKind::CutShort,
        }
    }
}
