//! The ways to answer a query: with and without shortcuts, from PGN and from a database.

use std::env;
use std::fs;
use std::panic;
use std::process::Command;

use skewer::database::Writer;
use skewer::output::FormatName;
use skewer::pgn::{self, Batch, Batches};
use skewer::query::Shortcuts;
use skewer::syntax::Source;

use super::minimize::minimized;
use super::{Answer, answer, compiled, source, switched_off};

/// Returns a number from the environment.
pub(super) fn number(name: &str) -> Option<u64> {
    env::var(name).ok()?.parse().ok()
}

/// Games as PGN and as a database.
pub(super) struct Games {
    pgn: Vec<u8>,
    database: Vec<u8>,
}

/// The answers of a query.
pub(super) struct Answers {
    /// The usual answer: with all shortcuts, from PGN.
    pub(super) expected: Answer,
    /// Answers that differ, and the ways that gave them.
    pub(super) others: Vec<(String, Answer)>,
}

/// A way to answer a query.
#[derive(Clone, Copy)]
struct Way {
    shortcuts: Shortcuts,
    from_database: bool,
}

impl Way {
    /// The usual way.
    const USUAL: Way = Way::new(Shortcuts::all(), false);

    const fn new(shortcuts: Shortcuts, from_database: bool) -> Way {
        Way {
            shortcuts,
            from_database,
        }
    }

    /// Returns other ways: with all shortcuts from a database, with none from PGN, and with single shortcuts switched off. These
    /// are all shortcuts if the variable `EQUIVALENCE` is set, and otherwise two that depend on `number`.
    fn others(number: usize) -> Vec<Way> {
        let mut ways = vec![Way::new(Shortcuts::all(), true), Way::new(Shortcuts::empty(), false)];
        let alone = switched_off().skip(1);
        let alone = alone.flat_map(|shortcuts| [false, true].map(|from_database| Way::new(shortcuts, from_database)));
        let alone: Vec<Way> = alone.collect();
        if env::var_os("EQUIVALENCE").is_some() {
            ways.push(Way::new(Shortcuts::empty(), true));
            ways.extend(alone);
        } else {
            let count = alone.len();
            ways.extend([alone[number % count], alone[(number / 3 + count / 2) % count]]);
        }
        ways
    }
}

impl Games {
    /// Makes a database from a PGN file and keeps both.
    pub(super) fn of(pgn: &[u8]) -> Games {
        let mut writer = Writer::new(Vec::new()).expect("a database");
        let mut batches = Batches::new([pgn::Source::of_bytes("games.pgn", pgn.to_vec())]);
        while let Some(batch) = batches.next_batch(Batch::default()) {
            writer.add(&batch.expect("PGN"), &mut |_| {}).expect("a database");
        }
        Games {
            pgn: pgn.to_vec(),
            database: writer.finish().expect("a database"),
        }
    }

    /// Does the same, with a database that knows in which games these themes hold.
    pub(super) fn with_themes(pgn: &[u8], themes: &[&str]) -> Games {
        let folder = tempfile::tempdir().expect("there is room for temporary files");
        let [input, output] = ["games.pgn", "games.parquet"].map(|name| folder.path().join(name));
        fs::write(&input, pgn).expect("the file can be written");
        let mut command = Command::new(env!("CARGO_BIN_EXE_skewer"));
        command.arg("index").arg(input).arg("-o").arg(&output);
        command.args(themes.iter().flat_map(|theme| ["--theme", theme]));
        let indexed = command.output().expect("the command runs");
        assert!(indexed.status.success(), "{}", String::from_utf8_lossy(&indexed.stderr));
        Games {
            pgn: pgn.to_vec(),
            database: fs::read(output).expect("it is there"),
        }
    }

    pub(super) fn pgn(&self) -> &[u8] {
        &self.pgn
    }

    /// Returns the answer of a query in one way, or `None` if it does not compile.
    fn answer(&self, source: &Source, way: &Way, format: FormatName) -> Option<Answer> {
        let query = compiled(source, way.shortcuts)?;
        let (name, bytes) = match way.from_database {
            true => ("games.parquet", &self.database),
            false => ("games.pgn", &self.pgn),
        };
        let answered = panic::catch_unwind(|| answer(&query, name, bytes, format));
        Some(answered.unwrap_or_else(|_| Err("a panic".to_owned())))
    }

    /// Returns the answers of a query, or `None` if it does not compile.
    pub(super) fn answers(&self, text: &str, number: usize, format: FormatName) -> Option<Answers> {
        let source = source(text);
        let expected = self.answer(&source, &Way::USUAL, format)?;
        let mut others = Vec::new();
        for way in Way::others(number) {
            let found = self.answer(&source, &way, format)?;
            // A way with fewer steps may end within a limit that another way exceeds.
            let is_given_up = |answer: &Answer| matches!(answer, Err(error) if error.contains("does not end"));
            if found != expected && !is_given_up(&found) && !is_given_up(&expected) {
                let off = Shortcuts::all() - way.shortcuts;
                let from = if way.from_database { "a database" } else { "PGN" };
                others.push((format!("without {off:?}, from {from}"), found));
            }
        }
        Some(Answers { expected, others })
    }

    /// Describes how the answers of a query differ, after making the query as small as possible.
    pub(super) fn fault(&self, text: &str, number: usize, format: FormatName) -> String {
        let others = |text: &str| self.answers(text, number, format).map(|answers| answers.others);
        let smallest = minimized(text, |text| others(text).is_some_and(|others| !others.is_empty()));
        match self.answers(&smallest, number, format) {
            Some(Answers { expected, others }) => {
                let others = others
                    .iter()
                    .map(|(how, found)| format!("{how}: {}", difference(&expected, found)));
                let others: Vec<String> = others.collect();
                format!("{smallest}\nof\n{text}\n{}\n", others.join("\n"))
            }
            None => text.to_owned(),
        }
    }
}

/// Returns the first line in which an answer differs from the expected one.
fn difference(expected: &Answer, found: &Answer) -> String {
    let lines = |answer: &Answer| match answer {
        Ok((output, messages)) => [output.as_str(), messages].join("\n"),
        Err(error) => error.clone(),
    };
    let (expected, found) = (lines(expected), lines(found));
    let end = "the end";
    let mut pairs = expected.lines().chain([end]).zip(found.lines().chain([end]));
    match pairs.find(|(expected, found)| expected != found) {
        Some((expected, found)) => format!("{found:?} in place of {expected:?}"),
        None => "more lines".to_owned(),
    }
}
