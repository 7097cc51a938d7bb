//! The defects that the text of a game can have.

use crate::game::WarningKind::{
    self, BadBytes, BadComment, BadTag, CutShort, NoResult, NoTags, Parentheses, WrongMove, WrongVariation,
};

/// A violation of the rules of PGN in a game: the kind of its warning, what is wrong, and what is done about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Defect(pub(crate) WarningKind, pub(crate) &'static str);

impl Defect {
    pub(crate) const NO_TAGS: Defect = Defect(NoTags, "the game has no tags");
    pub(crate) const NO_TERMINATOR: Defect = Defect(
        NoResult,
        "the game does not end with 1-0, 0-1, 1/2-1/2 or *; its Result tag counts",
    );
    pub(crate) const NO_RESULT: Defect = Defect(
        NoResult,
        "the game does not end with 1-0, 0-1, 1/2-1/2 or *, and no Result tag tells its result",
    );
    pub(crate) const UNCLOSED_TAG: Defect = Defect(BadTag, "a tag without closing quote and bracket is ignored");
    pub(crate) const VALUELESS_TAG: Defect = Defect(BadTag, "a tag without a value in quotes is ignored");
    pub(crate) const BROKEN_TAG: Defect = Defect(BadTag, "the value of a tag continues on the next line");
    pub(crate) const TEXT_BEHIND_TAG: Defect = Defect(BadTag, "text after a tag is ignored");
    pub(crate) const SPLIT_TAGS: Defect = Defect(BadTag, "there is an empty line between the tags of a game");
    pub(crate) const BAD_TAG_NAME: Defect = Defect(BadTag, "a tag whose name does not begin with a letter is ignored");
    pub(crate) const SIGN_IN_TAG: Defect = Defect(BadTag, "a sign between the name of a tag and its value is ignored");
    pub(crate) const TOO_MANY_TAGS: Defect = Defect(
        BadTag,
        "the game has more than 10,000 tags, or more than 16 MiB of them; the others are ignored",
    );
    pub(crate) const UNKNOWN_LANGUAGE: Defect = Defect(
        WrongMove,
        "the letters for pieces may be those of more than one language, so moves with them are not read; --language says which one",
    );
    pub(crate) const STRAY_BRACKET: Defect = Defect(
        BadComment,
        "a closing brace or bracket without an opening one is ignored",
    );
    pub(crate) const BRACKET_TEXT: Defect = Defect(BadComment, "text in brackets is ignored");
    pub(crate) const MARKUP: Defect = Defect(BadComment, "tags of HTML in the moves are ignored");
    pub(crate) const UNCLOSED_COMMENT: Defect = Defect(
        BadComment,
        "a comment has no closing brace; it ends at the next one, or with the game",
    );
    pub(crate) const BRACES: Defect = Defect(BadComment, "braces inside a comment are read as parentheses");
    pub(crate) const BAD_NAG: Defect = Defect(BadComment, "a $ without the number of an annotation symbol is ignored");
    pub(crate) const CONTROL: Defect = Defect(BadBytes, "control bytes are ignored");
    pub(crate) const EARLY_VARIATION: Defect =
        Defect(WrongVariation, "a variation before the first move is not searched");
    pub(crate) const TOO_DEEP: Defect = Defect(
        WrongVariation,
        "variations inside of more than 32,768 others are ignored",
    );
    pub(crate) const EMPTY_VARIATION: Defect = Defect(Parentheses, "a variation without moves is ignored");
    pub(crate) const UNPAIRED_PARENTHESIS: Defect =
        Defect(Parentheses, "the parentheses of the variations do not pair up");
    pub(crate) const TOO_MANY_MOVES: Defect = Defect(
        CutShort,
        "a line has more than 262,144 moves, counted with those of the lines that it branches off from; the rest of the line is ignored",
    );
    pub(crate) const TOO_LONG: Defect =
        Defect(CutShort, "the game does not end in 48 MiB of text; the rest is ignored");
}
