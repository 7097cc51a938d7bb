//! The table of the benchmark queries, each measured separately.

use std::error::Error;
use std::fmt;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use skewer::eval::Settings;
use skewer::output::FormatName;
use skewer::query::{self, Query};
use skewer::search::{self, search_in_memory};
use skewer::syntax::Source;
use skewer::tablebase::Tablebase;

use crate::corpus::Corpus;
use crate::replay::Unit;

/// The first lines of the table, as Markdown.
pub(crate) const HEAD: &str = "\
| query | games | PGN, 1 thread | PGN, 2 threads | database, 1 thread | database, 2 threads |
|---|--:|--:|--:|--:|--:|";

/// The measurements of one query, in units.
pub(crate) struct Row {
    /// The name of the query.
    pub(crate) query: String,
    /// The number of games that match.
    games: u64,
    /// With one and with two threads.
    pub(crate) pgn: [f64; 2],
    /// With one and with two threads.
    pub(crate) database: [f64; 2],
}

impl Row {
    /// Measures a query.
    pub(crate) fn measure(name: &str, query: &Query, corpus: &Corpus, unit: &Unit) -> Result<Row, Box<dyn Error>> {
        let units = |input: &Path, threads| unit.measure(|| search_games(query, input, threads).map(|_| ()));
        Ok(Row {
            query: name.to_owned(),
            games: search_games(query, &corpus.pgn, 1)?,
            pgn: [units(&corpus.pgn, 1)?, units(&corpus.pgn, 2)?],
            database: [units(&corpus.database, 1)?, units(&corpus.database, 2)?],
        })
    }

    /// Reads a line of the table.
    fn parse(line: &str) -> Option<Row> {
        let mut cells = line
            .trim()
            .strip_prefix('|')?
            .strip_suffix('|')?
            .split('|')
            .map(str::trim);
        let query = cells.next()?.to_owned();
        let games = cells.next()?.parse().ok()?;
        let mut units = || cells.next()?.parse().ok();
        let row = Row {
            query,
            games,
            pgn: [units()?, units()?],
            database: [units()?, units()?],
        };
        cells.next().is_none().then_some(row)
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "| {} | {} ", self.query, self.games)?;
        for units in self.pgn.iter().chain(&self.database) {
            write!(f, "| {units:.2} ")?;
        }
        f.write_str("|")
    }
}

/// Returns the rows of a table that was printed before, somewhere in a Markdown page.
pub(crate) fn read(page: &Path) -> Result<Vec<Row>, Box<dyn Error>> {
    let text = fs::read_to_string(page).map_err(|error| format!("{}: {error}", page.display()))?;
    let Some((_, table)) = text.split_once(HEAD) else {
        return Err(format!("{}: no table of units", page.display()).into());
    };
    let lines = table.trim_start().lines().take_while(|line| line.starts_with('|'));
    lines
        .map(|line| Row::parse(line).ok_or_else(|| format!("{}: not a row of units: {line}", page.display()).into()))
        .collect()
}

/// Returns the names and paths of the benchmark queries in a folder of `tests`, in order.
pub(crate) fn query_files(folder: &str) -> Result<Vec<(String, PathBuf)>, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut paths = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<PathBuf>, std::io::Error>>()?;
    paths.sort();
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(paths.into_iter().map(|path| (name(&path), path)).collect())
}

/// Compiles the query in a file.
pub(crate) fn compile(path: &Path) -> Result<Query, Box<dyn Error>> {
    let source = Source::new(path.to_string_lossy(), fs::read(path)?);
    let tables = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/syzygy");
    let options = query::Options {
        tablebase: Tablebase::in_folders(&[tables]),
        ..query::Options::default()
    };
    query::compile(&source, &options).map_err(|error| format!("{}: {}", path.display(), error.message).into())
}

/// Returns how many games match.
fn search_games(query: &Query, games: &Path, threads: usize) -> Result<u64, Box<dyn Error>> {
    let options = search::Options {
        threads: NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN),
        ..search::Options::quiet()
    };
    Ok(
        search_in_memory(query, Settings::default(), games, FormatName::Count, &options)?
            .totals
            .matches,
    )
}
