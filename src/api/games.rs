//! The games that are searched.

use std::io::Read;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::Error;
use crate::chess::Start;
use crate::game::{Game, GameTable, Rules};
use crate::limits::InterruptHandle;
use crate::pgn::{Batch, GameReader, Input, Scope, Source};

/// The games to search: files and folders, bytes in memory, streams, positions. Several inputs can be joined to one, whose games are
/// numbered throughout, from 1.
///
/// A path converts to `Games`, so `query.search("games.pgn")` works. Input packed with gzip or zstd is unpacked, and UTF-16 is converted to
/// UTF-8. Databases of skewer are read from files and from memory, but not from streams.
///
/// ```
/// use skewer::{Games, Query};
///
/// let query = Query::compile("cql() mate")?;
/// let games = Games::of_bytes("fool.pgn", "1. f3 e5 2. g4 Qh4# 0-1")
///     .and(Games::of_fens(["7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"])?);
/// let numbers: Result<Vec<u64>, _> = query.search(games)?.map(|game| game.map(|game| game.number())).collect();
/// assert_eq!(numbers?, [1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Games {
    parts: Vec<Part>,
}

#[derive(Clone, Debug)]
enum Part {
    Path(PathBuf),
    #[cfg(feature = "files")]
    Positions(PathBuf),
    Source(Source),
}

impl Games {
    /// Returns the games of a file, or of all files in a folder and its subfolders whose names end in `.pgn`, `.pgn.gz`, `.pgn.zst`, `.epd`,
    /// `.fen` or `.parquet`, ordered by path. The files are looked for when a search begins.
    ///
    /// What cannot be read in a folder is a warning, and the rest is searched.
    ///
    /// For positions in files with other names, see [`of_positions`](Games::of_positions).
    pub fn at(path: impl Into<PathBuf>) -> Games {
        Games {
            parts: vec![Part::Path(path.into())],
        }
    }

    /// Returns the positions in a list or table, packed or not, or in a folder of such files. Each position is a game that begins there. The files
    /// are looked for when a search begins.
    ///
    /// A list (`.fen`, `.epd`) has one FEN per line. What follows it, such as the operations of EPD, becomes tags. A table (`.csv`, `.tsv`,
    /// `.jsonl`, `.parquet`) has a column `FEN` or `epd`, in any case. A column `Moves` has the moves of the game, the columns `cp`, `mate`, `depth` and
    /// `evals` evaluate the position, and other columns become tags. A row that cannot be read is a warning.
    ///
    /// [`at`](Games::at), [`of_bytes`](Games::of_bytes) and [`of_reader`](Games::of_reader) also read positions, which they recognise by
    /// names and first lines. This function reads them whatever the name of a file is, and takes all tables of a folder.
    ///
    /// ```
    /// use skewer::{Games, Query};
    ///
    /// let puzzles = "PuzzleId,FEN,Moves\n00x,6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1,d1d8\n";
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("puzzles.txt");
    /// std::fs::write(&path, puzzles)?;
    /// let query = Query::compile("cql() mate tag \"PuzzleId\" == \"00x\"")?;
    /// assert!(query.search(Games::of_positions(&path))?.next().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "files")]
    pub fn of_positions(path: impl Into<PathBuf>) -> Games {
        Games {
            parts: vec![Part::Positions(path.into())],
        }
    }

    /// Returns the games in bytes, which are read like a file of this name: PGN or positions, packed or not, or a database. The file need
    /// not exist.
    pub fn of_bytes(name: impl Into<Arc<str>>, bytes: impl Into<Vec<u8>>) -> Games {
        Games::of_source(Source::of_bytes(name, bytes.into()))
    }

    /// Returns the games of a stream of PGN or positions, packed or not. Messages use the name. The first search reads the stream on a
    /// thread of its own; any further search with it is an error.
    pub fn of_reader(name: impl Into<Arc<str>>, reader: impl Read + Send + 'static) -> Games {
        Games::of_source(Source::of_reader(name, reader))
    }

    /// Returns games that are rows in memory. Messages use the name. The number of a game is the number of its row, from 1.
    ///
    /// A search fails if the columns are not those of games, or if one is missing that the search reads;
    /// [`columns_read`](super::columns_read) returns those. A row that cannot be read is a warning.
    #[cfg(feature = "database")]
    pub fn of_table(name: impl Into<Arc<str>>, table: GameTable) -> Games {
        Games::of_source(Source::of_table(name, table))
    }

    /// Returns the games of certain row groups of a Parquet file, given by their indices, so that several processes can share a file. Games
    /// keep the numbers that they have in the file.
    #[cfg(feature = "database")]
    pub fn of_row_groups(path: impl Into<PathBuf>, groups: Range<usize>) -> Games {
        Games::of_source(Source::of_row_groups(path.into(), groups))
    }

    /// Positions in memory, each a game without moves. They need not be reachable.
    ///
    /// # Errors
    /// Returns [`Error::Fen`] if a text is not the FEN of a position.
    pub fn of_fens<F: AsRef<str>>(fens: impl IntoIterator<Item = F>) -> Result<Games, Error> {
        let pgn = fens.into_iter().map(|fen| pgn_of_fen(fen.as_ref()));
        Ok(Games::of_bytes("FEN", pgn.collect::<Result<String, Error>>()?))
    }

    /// Appends other games to these.
    #[must_use]
    pub fn and(mut self, others: impl Into<Games>) -> Games {
        self.parts.extend(others.into().parts);
        self
    }

    /// Returns the number of bytes that a search reads, or `None` if it is not known beforehand.
    pub(crate) fn plain_length(&self) -> Option<u64> {
        let sources = self.clone().sources().ok()?;
        sources.iter().map(Source::plain_length).sum()
    }

    /// Creates the games of sources that have already been looked for.
    pub(crate) fn of_sources(sources: Vec<Source>) -> Games {
        Games {
            parts: sources.into_iter().map(Part::Source).collect(),
        }
    }

    fn of_source(source: Source) -> Games {
        Games {
            parts: vec![Part::Source(source)],
        }
    }

    /// Returns the sources to read, in order.
    ///
    /// # Errors
    /// Returns an error if a file or folder does not exist, or a folder has no games.
    pub(crate) fn sources(self) -> Result<Vec<Source>, Error> {
        let mut sources = Vec::new();
        for part in self.parts {
            match part {
                Part::Path(path) => sources.extend(Input::Path(path).sources()?),
                #[cfg(feature = "files")]
                Part::Positions(path) => sources.extend(Input::Path(path).positions()?),
                Part::Source(source) => sources.push(source),
            }
        }
        Ok(sources)
    }
}

/// Returns the PGN of a game without moves that begins at a position.
fn pgn_of_fen(fen: &str) -> Result<String, Error> {
    // A valid FEN has neither quotation marks nor line ends.
    Start::from_fen(fen.as_bytes()).map_err(|error| Error::of_fen(fen, &error))?;
    Ok(format!("[FEN \"{fen}\"]\n\n*\n\n"))
}

/// Returns a game without moves. Its text needs no splitting.
pub(crate) fn game_of_fen(fen: &str) -> Result<Game, Error> {
    let text = pgn_of_fen(fen)?;
    let batch = Batch::of_game(text.trim_end().into(), Rules::default(), InterruptHandle::default());
    let mut game = Game::default();
    GameReader::new(&batch).read(Scope::ALL, &mut game, |_| true);
    Ok(game)
}

impl<P: AsRef<Path> + ?Sized> From<&P> for Games {
    fn from(path: &P) -> Games {
        Games::at(path.as_ref())
    }
}

impl From<String> for Games {
    fn from(path: String) -> Games {
        Games::at(path)
    }
}

impl From<PathBuf> for Games {
    fn from(path: PathBuf) -> Games {
        Games::at(path)
    }
}

impl<G: Into<Games>> FromIterator<G> for Games {
    /// Joins the games in order.
    fn from_iter<I: IntoIterator<Item = G>>(parts: I) -> Games {
        parts.into_iter().fold(Games::default(), Games::and)
    }
}
