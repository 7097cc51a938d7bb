//! The games to search, as PGN and as a database.

use std::error::Error;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use skewer::database::Writer;
use skewer::pgn::{Batches, Input};

/// The number of games to search.
const GAMES: usize = 10_000;

/// The same games in two forms, in a folder for the files of the benchmark.
pub(crate) struct Corpus {
    /// A folder that is deleted after the run.
    pub(crate) folder: PathBuf,
    /// Unpacked PGN.
    pub(crate) pgn: PathBuf,
    /// A database made from the PGN.
    pub(crate) database: PathBuf,
    /// The number of games.
    pub(crate) count: usize,
}

impl Corpus {
    /// Writes movetext, optionally with a comment after each move.
    fn write_moves(moves: &str, with_comments: bool, out: &mut impl Write) -> std::io::Result<()> {
        for (place, word) in moves.split_whitespace().enumerate() {
            write!(out, "{word} ")?;
            // A result begins with a digit or a star. A move begins with a letter, possibly after its number.
            if with_comments
                && word.ends_with(|last: char| last.is_ascii_alphanumeric() || "+#".contains(last))
                && !word.contains('-')
            {
                let swing = (place * 37 % 900) as f64 / 100.0 - 4.5;
                let seconds = 180 - place % 180;
                write!(
                    out,
                    "{{ [%eval {swing:.2}] [%clk 0:{:02}:{:02}] }} ",
                    seconds / 60,
                    seconds % 60
                )?;
            }
        }
        write!(out, "\n\n")
    }

    /// Copies the first games of a source to a folder and makes their database.
    pub(crate) fn copy(source: &Path, folder: &Path) -> Result<Corpus, Box<dyn Error>> {
        let pgn = folder.join("games.pgn");
        let corpus = Corpus {
            count: copy_games(source, &pgn)?,
            folder: folder.to_owned(),
            pgn,
            database: folder.join("games.parquet"),
        };
        corpus.index()?;
        Ok(corpus)
    }

    /// Returns the same games. In every tenth one, each move has a made-up evaluation and clock.
    pub(crate) fn analysed(&self) -> Result<Corpus, Box<dyn Error>> {
        let pgn = self.folder.join("analysed.pgn");
        let mut out = BufWriter::new(File::create(&pgn)?);
        let mut batches = Batches::new(Input::from(self.pgn.as_path()).sources()?);
        let mut count = 0;
        while let Some(batch) = batches.next_batch(Default::default()) {
            for text in batch?.texts() {
                let text = String::from_utf8_lossy(text);
                let (tags, moves) = text.split_once("\n\n").unwrap_or(("", &text));
                write!(out, "{tags}\n\n")?;
                Self::write_moves(moves, count % 10 == 0, &mut out)?;
                count += 1;
            }
        }
        out.flush()?;
        let corpus = Corpus {
            folder: self.folder.clone(),
            pgn,
            database: self.folder.join("analysed.parquet"),
            count,
        };
        corpus.index()?;
        Ok(corpus)
    }

    /// Makes the database from the PGN.
    pub(crate) fn index(&self) -> Result<(), Box<dyn Error>> {
        let mut writer = Writer::new(BufWriter::new(File::create(&self.database)?))?;
        let mut batches = Batches::new(Input::from(self.pgn.as_path()).sources()?);
        while let Some(batch) = batches.next_batch(Default::default()) {
            writer.add(&batch?, &mut |_| {})?;
        }
        writer.finish()?.flush()?;
        Ok(())
    }
}

/// Copies the first games of a source to a file. Returns how many there are.
fn copy_games(source: &Path, copy: &Path) -> Result<usize, Box<dyn Error>> {
    let mut batches = Batches::new(Input::from(source).sources()?);
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
