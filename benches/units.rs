//! How long the benchmark queries take, in units of a plain replay of the same games: `docs/benchmarks.md` says more.

use std::env;
use std::error::Error;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Chess, Position};
use skewer::database::Writer;
use skewer::eval::Settings;
use skewer::game::{Batches, Input};
use skewer::output::FormatName;
use skewer::query::{self, Query};
use skewer::search::{self, search_in_memory};
use skewer::syntax::Source;

/// How many games are searched.
const GAMES: usize = 10_000;

/// How often each measurement is repeated; the fastest counts.
const REPEATS: usize = 5;

/// Plays the moves of games and does nothing else.
#[derive(Default)]
struct Replay {
    moves: u64,
}

impl Visitor for Replay {
    type Tags = ();
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), _: &[u8], _: RawTag<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        match san.san.to_move(position) {
            Ok(played) => {
                position.play_unchecked(played);
                self.moves += 1;
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn end_game(&mut self, _: Chess) {}
}

/// Copies the first games of the corpus to a file.
fn copy_games(corpus: &Path, copy: &Path) -> Result<usize, Box<dyn Error>> {
    let mut batches = Batches::new(Input::from(corpus).sources()?);
    let mut out = BufWriter::new(File::create(copy)?);
    let mut copied = 0;
    while copied < GAMES {
        let Some(batch) = batches.next_batch(Default::default()) else {
            break;
        };
        let batch = batch?;
        for text in batch.texts().take(GAMES - copied) {
            out.write_all(text)?;
            out.write_all(b"\n\n")?;
            copied += 1;
        }
    }
    out.flush()?;
    Ok(copied)
}

/// The shortest time that something takes.
fn fastest(mut run: impl FnMut() -> Result<(), Box<dyn Error>>) -> Result<Duration, Box<dyn Error>> {
    let mut best = Duration::MAX;
    for _ in 0..REPEATS {
        let start = Instant::now();
        run()?;
        best = best.min(start.elapsed());
    }
    Ok(best)
}

fn replay(games: &Path) -> Result<u64, Box<dyn Error>> {
    let mut replay = Replay::default();
    let mut reader = Reader::new(BufReader::new(File::open(games)?));
    while reader.read_game(&mut replay)?.is_some() {}
    Ok(replay.moves)
}

/// Makes a database of a PGN file.
fn index(games: &Path, database: &Path) -> Result<(), Box<dyn Error>> {
    let mut writer = Writer::new(BufWriter::new(File::create(database)?))?;
    let mut batches = Batches::new(Input::from(games).sources()?);
    while let Some(batch) = batches.next_batch(Default::default()) {
        writer.add(&batch?, &mut |_| {})?;
    }
    writer.finish()?.flush()?;
    Ok(())
}

fn search_games(query: &Query, games: &Path, threads: usize) -> Result<u64, Box<dyn Error>> {
    let options = search::Options {
        threads: NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN),
        ..search::Options::quiet(FormatName::Count)
    };
    Ok(search_in_memory(query, Settings::default(), games, &options)?
        .totals
        .matches)
}

/// A query by its name, or why it is not supported.
type Named = (String, Result<Query, String>);

/// The benchmark queries, by name.
fn queries() -> Result<Vec<Named>, Box<dyn Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bench-queries");
    let mut paths = fs::read_dir(folder)?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<Vec<PathBuf>, std::io::Error>>()?;
    paths.sort();
    let compiled = paths.iter().map(|path| {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let source = Source::new(name.as_str(), fs::read(path)?);
        let query = query::compile(&source, &query::Options::default()).map_err(|error| error.message);
        Ok((name, query))
    });
    compiled.collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let usual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus/masters-100k.pgn.zst");
    let corpus = env::var_os("SKEWER_CORPUS").map_or(usual, PathBuf::from);
    if !corpus.exists() {
        println!(
            "skipped: there is no {}; SKEWER_CORPUS names another file of games",
            corpus.display()
        );
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let games = folder.path().join("games.pgn");
    let count = copy_games(&corpus, &games)?;
    let moves = replay(&games)?;
    let unit = fastest(|| replay(&games).map(|_| ()))?;
    let database = folder.path().join("games.parquet");
    index(&games, &database)?;
    let indexing = fastest(|| index(&games, &database))?;
    println!(
        "{count} games, {moves} moves; 1 unit is {:.3} s. Making the database takes {:.2} units.\n",
        unit.as_secs_f64(),
        indexing.as_secs_f64() / unit.as_secs_f64()
    );
    println!("| query | games | PGN, 1 thread | 2 threads | database, 1 thread | 2 threads |");
    println!("|---|--:|--:|--:|--:|--:|");
    for (name, query) in queries()? {
        let query = match query {
            Ok(query) => query,
            Err(error) => {
                println!("| {name} | | {error} | | | |");
                continue;
            }
        };
        let matches = search_games(&query, &games, 1)?;
        let units = |input: &Path, threads| {
            let time = fastest(|| search_games(&query, input, threads).map(|_| ()));
            time.map(|time| time.as_secs_f64() / unit.as_secs_f64())
        };
        println!(
            "| {name} | {matches} | {:.2} | {:.2} | {:.2} | {:.2} |",
            units(&games, 1)?,
            units(&games, 2)?,
            units(&database, 1)?,
            units(&database, 2)?
        );
    }
    Ok(())
}
