//! Measures whole commands that write the games they find.

use std::error::Error;
use std::fs::File;
use std::path::{Path, PathBuf};

use crate::command::{run_into, skewer};
use crate::corpus::Corpus;
use crate::replay::Unit;

/// The first lines of the table, as Markdown.
const HEAD: &str = "\
| query | PGN | database |
|---|--:|--:|";

/// Measures queries whose games are written as PGN, with one thread, and prints a table.
pub(crate) fn print(queries: &[(String, PathBuf)], corpus: &Corpus, unit: &Unit) -> Result<(), Box<dyn Error>> {
    println!("{HEAD}");
    for (name, query) in queries {
        let units = |games: &Path| unit.measure(|| search(query, games, corpus));
        println!(
            "| {name} | {:.2} | {:.2} |",
            units(&corpus.pgn)?,
            units(&corpus.database)?
        );
    }
    Ok(())
}

fn search(query: &Path, games: &Path, corpus: &Corpus) -> Result<(), Box<dyn Error>> {
    let found = File::create(corpus.folder.join("written.pgn"))?;
    let mut command = skewer();
    command.arg("--quiet").args([query, games]);
    run_into(&mut command, found, &[0, 1])
}
