//! What can be wrong with the text of a game, and the warning about it.

use crate::game::WarningKind;

/// Something in a game that is against the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Defect {
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

impl Defect {
    /// What is wrong and what is done about it.
    pub(crate) fn message(self) -> &'static str {
        match self {
            Defect::NoTags => "the game has no tags",
            Defect::NoTerminator => "the game does not end with 1-0, 0-1, 1/2-1/2 or *; its Result tag counts",
            Defect::UnclosedTag => "a tag without closing quote and bracket is ignored",
            Defect::ValuelessTag => "a tag without a value in quotes is ignored",
            Defect::BrokenTag => "the value of a tag goes on on the next line",
            Defect::TextBehindTag => "text after a tag is ignored",
            Defect::SplitTags => "an empty line stands between the tags of a game",
            Defect::BadTagName => "a tag whose name begins with no letter is ignored",
            Defect::SignInTag => "a sign between the name of a tag and its value is ignored",
            Defect::UnknownLanguage => {
                "the letters for pieces may be those of more than one language, so moves with them are not read; --language says which one"
            }
            Defect::StrayBracket => "a closing brace or bracket without an opening one is ignored",
            Defect::BracketText => "text in brackets is ignored",
            Defect::Markup => "tags of HTML in the moves are ignored",
            Defect::UnclosedComment => "a comment has no closing brace; it ends at the next one, or with the game",
            Defect::Braces => "braces inside a comment are read as parentheses",
            Defect::BadNag => "a $ without the number of an annotation symbol is ignored",
            Defect::Control => "control bytes are ignored",
            Defect::EmptyVariation => "a variation without moves is ignored",
            Defect::EarlyVariation => "a variation before the first move is not searched",
            Defect::UnpairedParenthesis => "the parentheses of the variations do not pair up",
            Defect::TooManyTags => {
                "the game has more than 10,000 tags, or more than 16 MiB of them; the others are ignored"
            }
            Defect::TooManyMoves => {
                "a line has more than 262,144 moves, counted with those of the lines that it branches off from; the rest of the line is ignored"
            }
            Defect::TooDeep => "variations inside of more than 32,768 others are ignored",
            Defect::TooLong => "the game does not end in 48 MiB of text; the rest is ignored",
        }
    }

    /// The kind of warning that it is.
    pub(crate) fn kind(self) -> WarningKind {
        match self {
            Defect::NoTags => WarningKind::NoTags,
            Defect::NoTerminator => WarningKind::NoResult,
            Defect::UnclosedTag
            | Defect::ValuelessTag
            | Defect::BrokenTag
            | Defect::TextBehindTag
            | Defect::SplitTags
            | Defect::BadTagName
            | Defect::SignInTag
            | Defect::TooManyTags => WarningKind::BadTag,
            Defect::UnknownLanguage => WarningKind::WrongMove,
            Defect::StrayBracket
            | Defect::BracketText
            | Defect::Markup
            | Defect::UnclosedComment
            | Defect::Braces
            | Defect::BadNag => WarningKind::BadComment,
            Defect::Control => WarningKind::BadBytes,
            Defect::EarlyVariation | Defect::TooDeep => WarningKind::WrongVariation,
            Defect::EmptyVariation | Defect::UnpairedParenthesis => WarningKind::Parentheses,
            Defect::TooManyMoves | Defect::TooLong => WarningKind::CutShort,
        }
    }
}
