//! Warnings about text that could not be read as it is.

use std::fmt;
use std::sync::Arc;

#[cfg(feature = "database")]
use serde::Deserialize;
#[cfg(any(feature = "database", feature = "service"))]
use serde::Serialize;

use crate::terminal::in_a_line;

/// Something in a source that could not be read as it is. The search continues.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Warning {
    /// The kind of warning. Of many warnings of one kind, only the first is shown.
    pub kind: WarningKind,
    /// The name of the source in messages.
    pub source: Arc<str>,
    /// The line or row of the source, from 1; 0 for the source as a whole.
    pub line: u64,
    /// The number of the game; 0 for text before the first game.
    pub game: u64,
    /// What is wrong, and how it is handled.
    pub message: String,
}

/// The loss caused by the text that a [`Warning`] is about, the worst first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
pub enum Loss {
    /// A whole game: none of its positions is searched.
    Game,
    /// Moves of a game: positions after them are not searched.
    Moves,
    /// A part of a game that is neither move nor position, such as a tag or a piece of a comment.
    Text,
    /// Nothing: the meaning is clear.
    Nothing,
}

/// The kinds of warnings, with the greatest [loss](WarningKind::loss) first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[non_exhaustive]
#[cfg_attr(feature = "database", derive(Deserialize))]
#[cfg_attr(
    any(feature = "database", feature = "service"),
    derive(Serialize),
    serde(rename_all = "kebab-case")
)]
pub enum WarningKind {
    /// A file or folder found in a folder that cannot be read, or not to its end.
    UnreadFile,
    /// An invalid start position.
    BadStart,
    /// A row of a list or table of positions that has no position, or cannot be read.
    BadPosition,
    /// A game of another program's database that is damaged and cannot be read; or the whole database.
    BadGame,
    /// A game of an unknown variant.
    UnknownVariant,
    /// A move of the main line that cannot be played or read.
    WrongMove,
    /// A move of a variation that cannot be played or read.
    WrongVariation,
    /// A game that is cut short because it has too much text, or cannot be read to its end.
    CutShort,
    /// Parentheses that do not pair up, or are where no variation can be.
    Parentheses,
    /// Text that belongs to no game.
    StrayText,
    /// A tag that cannot be read.
    BadTag,
    /// A comment without an end, or with braces in it; an annotation symbol without a number.
    BadComment,
    /// A clock that may or may not show hours.
    UnclearClock,
    /// Bytes that are not text.
    BadBytes,
    /// A column of an archive with unexpected content, or without a value for a game.
    BadColumn,
    /// Rows of a database that are damaged and cannot be read; or a row of a table in memory that does not have the form of a database's rows.
    BadRow,
    /// A tablebase that a query needs and that is in none of the folders. It is the source of the warning.
    MissingTable,
    /// Games of a database that are marked there as deleted, so they are left out.
    DeletedGames,
    /// A file without games, or in a format that is not read.
    NoGames,
    /// A database of an older version, which is less protected.
    OldDatabase,
    /// A game without tags.
    NoTags,
    /// A first move whose number is neither 1 nor that of the FEN tag.
    LateNumber,
    /// Numbers of moves that skip whole moves, or repeat them.
    Renumbered,
    /// Different results after the moves and in the tags.
    TwoResults,
    /// A game without a result after its moves.
    NoResult,
}

impl WarningKind {
    /// Returns the loss that it means.
    pub fn loss(self) -> Loss {
        match self {
            WarningKind::UnreadFile
            | WarningKind::BadStart
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

/// Returns a word of a text as messages show it: all of it, or its beginning if it is long.
pub(crate) fn shown(word: &[u8]) -> String {
    const LONGEST: usize = 60;
    // A character has at most four bytes.
    let beginning = word.get(..4 * (LONGEST + 1)).unwrap_or(word);
    let beginning = String::from_utf8_lossy(beginning);
    match beginning.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &beginning[..end]),
        None => beginning.into_owned(),
    }
}

impl Warning {
    /// Creates a warning about a line or row of a source, and about the game with this number.
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

    /// Returns whether the warning only matters if the moves of the game are wanted.
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
