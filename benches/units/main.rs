//! Measures the benchmark queries in units of a plain replay of the same games.
//!
//! `docs/benchmarks.md` says more.

mod command;
mod corpus;
mod many;
mod peers;
mod plot;
mod replay;
mod table;
mod written;

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;

use crate::corpus::Corpus;
use crate::replay::{Unit, replay};
use crate::table::Row;

/// Prints what the benchmark queries take, in units of a plain replay of the same games
#[derive(Parser)]
struct Arguments {
    /// Draws the table as an SVG file
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    /// Draws a table that was printed before; measures nothing
    #[arg(long, value_name = "PAGE.md", requires = "plot")]
    plot_from: Option<PathBuf>,

    /// What `cargo bench` adds
    #[arg(long = "bench", hide = true)]
    _bench: bool,
}

/// Measures everything and prints the tables. Returns the rows of the first table.
fn measure(source: &Path) -> Result<Vec<Row>, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let corpus = Corpus::copy(source, folder.path())?;
    let moves = replay(&corpus.pgn)?;
    let unit = Unit::of(&corpus.pgn);
    println!(
        "{} games, {moves} moves; 1 unit is {:.3} s. Making the database takes {:.2} units.\n",
        corpus.count,
        unit.seconds()?,
        unit.measure(|| corpus.index())?
    );
    let files = table::query_files("bench-queries")?;
    let rows = print(&files, &corpus, &unit)?;
    many::print(&corpus, &unit)?;
    println!();
    written::print(&files, &corpus, &unit)?;
    println!();
    peers::print(&corpus, &unit)?;
    println!();
    print(&table::query_files("bench-beyond")?, &corpus.analysed()?, &unit)?;
    Ok(rows)
}

/// Measures queries and prints a table. Returns its rows.
fn print(files: &[(String, PathBuf)], corpus: &Corpus, unit: &Unit) -> Result<Vec<Row>, Box<dyn Error>> {
    let mut rows = Vec::new();
    println!("{}", table::HEAD);
    for (name, path) in files {
        let row = Row::measure(name, &table::compile(path)?, corpus, unit)?;
        println!("{row}");
        rows.push(row);
    }
    println!();
    Ok(rows)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let rows = if let Some(page) = &arguments.plot_from {
        table::read(page)?
    } else {
        let Some(source) = env::var_os("SKEWER_CORPUS").map(PathBuf::from) else {
            println!("skipped: SKEWER_CORPUS names no file of games; docs/benchmarks.md says where to get some");
            return Ok(());
        };
        measure(&source)?
    };
    if let Some(file) = &arguments.plot {
        fs::write(file, plot::draw(rows)).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}
