//! What a format is: it turns what was found into text.

use std::io::{self, BufRead, Seek, Write};
use std::path::Path;

use bitflags::bitflags;

use super::facts::GameFacts;
use crate::eval::report::{Extras, GameReport};
use crate::limits::Interrupt;

bitflags! {
    /// What a search has to know of a format.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
    pub struct FormatTraits: u8 {
        /// Games come in the order of the input, whatever the query sorts by.
        const UNSORTED = 1;
        /// It shows tags, which then have to be kept of all games.
        const TAGS = 1 << 1;
        /// The text of a game is one whole, whatever many of its positions match. If not, it is the texts of its matches, one after the other.
        const BY_GAME = 1 << 2;
        /// The whole is more than its games one after the other: the text of the games waits until all are known and is then handed to
        /// [`assemble`](Format::assemble).
        const ASSEMBLED = 1 << 3;
        /// The end says all that there is, and says it of a part of the games, too: of those before one that cannot be read.
        const END_ALONE = 1 << 4;
    }
}

/// Turns what was found into text.
///
/// Workers call it, each for its own games, so it has no state; the search puts the pieces in order.
pub trait Format: Sync {
    /// What it shows beside what matches. One with comments writes whole games, so that games have to be read with everything
    /// in them.
    fn extras(&self) -> Extras {
        Extras::default()
    }

    /// What the search has to know of it.
    fn traits(&self) -> FormatTraits {
        FormatTraits::empty()
    }

    /// What comes before the first game.
    fn begin(&self, _about: &About, _out: &mut Vec<u8>) {}

    /// The text of one game; called for every game, whether or not it matches.
    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>);

    /// Writes the whole, given the text of all games; without some of them if there is no time.
    ///
    /// # Errors
    /// When the text cannot be read or the whole not be written.
    fn assemble(&self, games: &mut dyn Waiting, out: &mut dyn Write, _interrupt: &Interrupt) -> io::Result<()> {
        io::copy(games, out).map(drop)
    }

    /// What comes after the last game.
    fn end(&self, _totals: &Totals, _out: &mut Vec<u8>) {}
}

/// Text that waits for the end. It can be read from its beginning more than once.
pub trait Waiting: BufRead + Seek {
    /// How many lines there are, as far as there is time to count them. The next read begins at the first one.
    ///
    /// # Errors
    /// When the text cannot be read.
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
pub struct About {
    /// The name of the query.
    pub title: String,
    /// Whether that is a name, not the text itself.
    pub has_name: bool,
    /// What it finds, in a sentence; empty if nobody says.
    pub description: String,
    /// Its text.
    pub query: String,
    /// The command that was run; empty if it was none.
    pub command: String,
}

impl About {
    /// Of a query in a file of this name, or without a name.
    pub(crate) fn of_query(name: Option<&str>, query: String) -> About {
        let title = match name {
            // The name of the file without its folder and extension.
            Some(name) => {
                let stem = Path::new(name).file_stem();
                stem.map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned())
            }
            None => query.split_whitespace().collect::<Vec<_>>().join(" "),
        };
        About {
            title,
            has_name: name.is_some(),
            query,
            ..About::default()
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
    /// Positions that match, also those of games that `matchcount` shuts out.
    pub positions: u64,
    /// Games that were read as PGN and have variations, searched or not.
    pub with_variations: u64,
    /// Games that are not among those to which the search is narrowed.
    pub left_alone: u64,
    /// Games that were not searched, because their database is damaged where they stand. They count as games that do not match.
    pub unreadable: u64,
}
