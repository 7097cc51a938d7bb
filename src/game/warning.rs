//! What is said about text that could not be read as it stands.

use std::fmt;
use std::sync::Arc;

#[cfg(feature = "database")]
use serde::Deserialize;
#[cfg(any(feature = "database", feature = "service"))]
use serde::Serialize;

use crate::terminal::in_a_line;

/// Something in a source that could not be read as it stands. The search continues.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Warning {
    /// Of which kind it is; of many of one kind only the first is shown.
    pub kind: WarningKind,
    /// The source, as messages name it.
    pub source: Arc<str>,
    /// The line or row of the source, from 1; 0 for the source as a whole.
    pub line: u64,
    /// The number of the game; 0 for text before the first game.
    pub game: u64,
    /// What is wrong and what is done about it.
    pub message: String,
}

/// What is lost with the text that a [`Warning`] is about, the worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
pub enum Loss {
    /// A whole game: none of its positions is searched.
    Game,
    /// Moves of a game: positions after them are not searched.
    Moves,
    /// Something of a game that is neither move nor position, such as a tag or a piece of a comment.
    Text,
    /// Nothing: it is clear what is meant.
    Nothing,
}

/// The kinds of warnings, those with the greatest [loss](WarningKind::loss) first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "database", derive(Deserialize))]
#[cfg_attr(
    any(feature = "database", feature = "service"),
    derive(Serialize),
    serde(rename_all = "kebab-case")
)]
pub enum WarningKind {
    /// A start position that is none.
    BadStart,
    /// A row of a list or table of positions that has none, or cannot be read.
    BadPosition,
    /// A game of a database of another program that cannot be read, as it is damaged; or the database as a whole is.
    BadGame,
    /// A game of a variant that is not known.
    UnknownVariant,
    /// A move of the main line that cannot be played or read.
    WrongMove,
    /// A move of a variation that cannot be played or read.
    WrongVariation,
    /// A game that is cut short because it has too much text, or cannot be read to its end.
    CutShort,
    /// Parentheses that do not pair up, or stand where no variation can be.
    Parentheses,
    /// Text that belongs to no game.
    StrayText,
    /// A tag that cannot be read.
    BadTag,
    /// A comment without an end, or with braces in it; an annotation symbol without a number.
    BadComment,
    /// A clock of which nobody knows whether it shows hours.
    UnclearClock,
    /// Bytes that are no text.
    BadBytes,
    /// A column of an archive that holds something else, or nothing for a game.
    BadColumn,
    /// Rows of a database that cannot be read, as it is damaged there; or a row of a table in memory that is not as those of a database are.
    BadRow,
    /// A tablebase that a query asks for, and that is in none of the folders. It is the source of the warning.
    MissingTable,
    /// Games of a database that are marked as deleted there, so they are left out.
    DeletedGames,
    /// A file without games.
    NoGames,
    /// A database of an older version, which is not protected as well.
    OldDatabase,
    /// A game without tags.
    NoTags,
    /// A first move with another number than 1, or than that of the FEN tag.
    LateNumber,
    /// Numbers of moves that leave whole moves out, or repeat them.
    Renumbered,
    /// A result that the moves end with, and another one in the tags.
    TwoResults,
    /// A game without a result behind its moves.
    NoResult,
}

impl WarningKind {
    /// What is lost.
    pub fn loss(self) -> Loss {
        match self {
            WarningKind::BadStart
            | WarningKind::BadPosition
            | WarningKind::BadGame
            | WarningKind::UnknownVariant
            | WarningKind::BadRow => Loss::Game,
            WarningKind::WrongMove | WarningKind::WrongVariation | WarningKind::CutShort => Loss::Moves,
            WarningKind::Parentheses
            | WarningKind::StrayText
            | WarningKind::BadTag
            | WarningKind::BadComment
            | WarningKind::UnclearClock
            | WarningKind::BadBytes
            | WarningKind::BadColumn => Loss::Text,
            WarningKind::MissingTable
            | WarningKind::DeletedGames
            | WarningKind::NoGames
            | WarningKind::OldDatabase
            | WarningKind::NoTags
            | WarningKind::LateNumber
            | WarningKind::Renumbered
            | WarningKind::TwoResults
            | WarningKind::NoResult => Loss::Nothing,
        }
    }
}

/// A word of a text as messages show it: all of it, or its beginning if it is long.
pub(crate) fn shown(word: &[u8]) -> String {
    const LONGEST: usize = 60;
    // A character has four bytes at most.
    let beginning = word.get(..4 * (LONGEST + 1)).unwrap_or(word);
    let beginning = String::from_utf8_lossy(beginning);
    match beginning.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &beginning[..end]),
        None => beginning.into_owned(),
    }
}

impl Warning {
    /// A warning about a line or row of a source, and about the game with this number.
    pub(crate) fn new(
        kind: WarningKind,
        source: &Arc<str>,
        line: u64,
        game: u64,
        message: impl Into<String>,
    ) -> Warning {
        Warning {
            kind,
            source: Arc::clone(source),
            line,
            game,
            message: message.into(),
        }
    }

    /// Whether only someone who wants the moves of the game has to know.
    pub fn is_in_moves(&self) -> bool {
        !matches!(self.kind, WarningKind::BadTag | WarningKind::BadColumn)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&in_a_line(&self.source))?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        f.write_str(": ")?;
        if self.game > 0 {
            write!(f, "game {}: ", self.game)?;
        }
        f.write_str(&self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_shown_by_their_beginning() {
        assert_eq!(shown(b"Nxg3"), "Nxg3");
        assert_eq!(shown(&[b'x'; 60]), "x".repeat(60));
        assert_eq!(shown(&[b'x'; 61]), "x".repeat(60) + "…");
        assert_eq!(shown("é".repeat(48 << 10).as_bytes()), "é".repeat(60) + "…");
        assert_eq!(shown(b"M\xfcller"), "M\u{fffd}ller");
    }
}
