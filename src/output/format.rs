//! The interface of formats, which turn what was found into text.

use std::io::{self, BufRead, Seek, Write};
use std::path::Path;

use bitflags::bitflags;

use super::facts::GameFacts;
use crate::eval::report::{Extras, GameReport};
use crate::limits::Interrupt;

bitflags! {
    /// What a search has to know about a format.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct FormatTraits: u8 {
        /// Games come in the order of the input, whatever the query sorts by.
        const UNSORTED = 1;
        /// The format shows tags, which then have to be kept for all games.
        const TAGS = 1 << 1;
        /// The text of a game is one piece, however many of its positions match. Otherwise it is the texts of its matches in sequence.
        const BY_GAME = 1 << 2;
        /// The whole is more than the sequence of its games. Their texts wait until all are known and are then handed to
        /// [`assemble`](Format::assemble).
        const ASSEMBLED = 1 << 3;
        /// The end is the whole output. It is also correct after a part of the games, if one of them cannot be read.
        const END_ALONE = 1 << 4;
    }
}

/// Turns what was found into text.
///
/// Workers call it, each for its own games, so it has no state. The search puts the pieces in order.
pub trait Format: Sync {
    /// Returns what the format shows besides the matches. A format with comments writes whole games, so games must then be read completely.
    fn extras(&self) -> Extras {
        Extras::default()
    }

    /// Returns what the search has to know about the format.
    fn traits(&self) -> FormatTraits {
        FormatTraits::empty()
    }

    /// Appends the text before the first game.
    fn begin(&self, _about: &SearchInfo, _out: &mut Vec<u8>) {}

    /// Appends the text of one game. It is called for every game, whether it matches or not.
    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>);

    /// Writes the whole from the texts of all games. It leaves some of them out if the time is up.
    ///
    /// # Errors
    /// Returns an error if the texts cannot be read or the whole cannot be written.
    fn assemble(&self, games: &mut dyn Waiting, out: &mut dyn Write, _interrupt: &Interrupt) -> io::Result<()> {
        io::copy(games, out).map(drop)
    }

    /// Appends the text after the last game.
    fn end(&self, _totals: &Totals, _out: &mut Vec<u8>) {}
}

/// Text that waits for the end of the search. It can be read from its beginning more than once.
pub trait Waiting: BufRead + Seek {
    /// Returns the number of lines, or of those that there was time to count. The next read begins at the first line.
    ///
    /// # Errors
    /// Returns an error if the text cannot be read.
    fn count_lines(&mut self, interrupt: &Interrupt) -> io::Result<usize> {
        let mut count = 0;
        while !interrupt.is_overdue() && self.skip_until(b'\n')? > 0 {
            count += 1;
        }
        self.rewind()?;
        Ok(count)
    }
}

impl<T: BufRead + Seek> Waiting for T {}

/// What the output may say about the search that made it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SearchInfo {
    /// The name of the query.
    pub title: String,
    /// Whether the title is a name, not the text of the query.
    pub has_name: bool,
    /// What the query finds, in a sentence. It is empty if there is no description.
    pub description: String,
    /// The text of the query.
    pub query: String,
    /// The command that was run, or empty if there was none.
    pub command: String,
}

impl SearchInfo {
    /// Describes a query in a file of this name, or without a name.
    pub(crate) fn of_query(name: Option<&str>, query: String) -> SearchInfo {
        let title = match name {
            // The name is the file name without folder and extension.
            Some(name) => {
                let stem = Path::new(name).file_stem();
                stem.map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned())
            }
            None => query.split_whitespace().collect::<Vec<_>>().join(" "),
        };
        SearchInfo {
            title,
            has_name: name.is_some(),
            query,
            ..SearchInfo::default()
        }
    }
}

/// How much was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Totals {
    /// Games that were looked at.
    pub games: u64,
    /// Games that match.
    pub matches: u64,
    /// Positions that match, also in games that `matchcount` excludes.
    pub positions: u64,
    /// Games that were read as PGN and have variations, searched or not.
    pub with_variations: u64,
    /// Games that the narrowing of the search leaves out.
    pub left_alone: u64,
    /// Games that were not searched, because their part of the database is damaged. They count as games that do not match.
    pub unreadable: u64,
    /// Files and folders found in a folder that could not be read, or not to their end.
    pub unread_files: u64,
}

impl Totals {
    /// Returns whether games were not searched because something is damaged or cannot be read.
    pub fn has_gaps(&self) -> bool {
        self.unreadable > 0 || self.unread_files > 0
    }
}
