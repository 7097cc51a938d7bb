//! The defects that the text of a game can have, and their warnings.

use crate::game::WarningKind;

/// A violation of the rules of PGN in a game.
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
    /// Returns the kind of the warning, and its text: what is wrong and what is done about it.
    pub(crate) fn warning(self) -> (WarningKind, &'static str) {
        use WarningKind::{
            BadBytes, BadComment, BadTag, CutShort, NoResult, NoTags, Parentheses, WrongMove, WrongVariation,
        };
        match self {
            Defect::NoTags => (NoTags, "the game has no tags"),
            Defect::NoTerminator => (
                NoResult,
                "the game does not end with 1-0, 0-1, 1/2-1/2 or *; its Result tag counts",
            ),
            Defect::UnclosedTag => (BadTag, "a tag without closing quote and bracket is ignored"),
            Defect::ValuelessTag => (BadTag, "a tag without a value in quotes is ignored"),
            Defect::BrokenTag => (BadTag, "the value of a tag continues on the next line"),
            Defect::TextBehindTag => (BadTag, "text after a tag is ignored"),
            Defect::SplitTags => (BadTag, "there is an empty line between the tags of a game"),
            Defect::BadTagName => (BadTag, "a tag whose name does not begin with a letter is ignored"),
            Defect::SignInTag => (BadTag, "a sign between the name of a tag and its value is ignored"),
            Defect::TooManyTags => (
                BadTag,
                "the game has more than 10,000 tags, or more than 16 MiB of them; the others are ignored",
            ),
            Defect::UnknownLanguage => (
                WrongMove,
                "the letters for pieces may be those of more than one language, so moves with them are not read; --language says which one",
            ),
            Defect::StrayBracket => (
                BadComment,
                "a closing brace or bracket without an opening one is ignored",
            ),
            Defect::BracketText => (BadComment, "text in brackets is ignored"),
            Defect::Markup => (BadComment, "tags of HTML in the moves are ignored"),
            Defect::UnclosedComment => (
                BadComment,
                "a comment has no closing brace; it ends at the next one, or with the game",
            ),
            Defect::Braces => (BadComment, "braces inside a comment are read as parentheses"),
            Defect::BadNag => (BadComment, "a $ without the number of an annotation symbol is ignored"),
            Defect::Control => (BadBytes, "control bytes are ignored"),
            Defect::EarlyVariation => (WrongVariation, "a variation before the first move is not searched"),
            Defect::TooDeep => (
                WrongVariation,
                "variations inside of more than 32,768 others are ignored",
            ),
            Defect::EmptyVariation => (Parentheses, "a variation without moves is ignored"),
            Defect::UnpairedParenthesis => (Parentheses, "the parentheses of the variations do not pair up"),
            Defect::TooManyMoves => (
                CutShort,
                "a line has more than 262,144 moves, counted with those of the lines that it branches off from; the rest of the line is ignored",
            ),
            Defect::TooLong => (CutShort, "the game does not end in 48 MiB of text; the rest is ignored"),
        }
    }
}
