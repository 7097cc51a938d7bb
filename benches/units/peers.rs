//! Compares skewer with other programs that search games, if they are installed: pgn-extract and scoutfish.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, iter};

use crate::command::{run, skewer};
use crate::corpus::Corpus;
use crate::replay::Unit;

/// A question for all programs.
struct Question {
    name: &'static str,
    /// Filters for skewer.
    cql: &'static str,
    /// An option of pgn-extract that selects games.
    pgn_extract: &'static str,
    /// A condition for scoutfish.
    scoutfish: &'static str,
}

/// One question for each kind that all programs know: material, pieces on squares, the end of the game.
const QUESTIONS: &[Question] = &[
    Question {
        name: "rook and pawn against rook",
        cql: "R==1 r==1 P==1 [Aa]==5",
        pgn_extract: "-ymaterial",
        scoutfish: r#"{ "material": "KRPKR" }"#,
    },
    Question {
        name: "kings on g1 and c8",
        cql: "Kg1 kc8",
        pgn_extract: "-Tf??k?????/*/*/*/*/*/*/??????K?",
        scoutfish: r#"{ "sub-fen": "2k5/8/8/8/8/8/8/6K1" }"#,
    },
    Question {
        name: "mate",
        cql: "mate",
        pgn_extract: "-M",
        scoutfish: r#"{ "result-type": "mate" }"#,
    },
];

/// The content of the file `material` for pgn-extract: for any length of time, White has exactly one rook and one pawn, and Black exactly one rook.
const MATERIAL: &str = "0 R1P1 R1\n";

/// The first lines of the table, as Markdown.
const HEAD: &str = "\
| program, 1 thread | question | games | units |
|---|---|--:|--:|";

/// Measures how long the programs take for the same questions, and prints a table.
pub(crate) fn print(corpus: &Corpus, unit: &Unit) -> Result<(), Box<dyn Error>> {
    println!("{HEAD}");
    for (name, games) in [("skewer, PGN", &corpus.pgn), ("skewer, database", &corpus.database)] {
        print_answers(name, unit, |question| ask_skewer(question, games, corpus))?;
    }
    let mut missing = Vec::new();
    match find("pgn-extract") {
        Some(program) => print_or_say("pgn-extract", pgn_extract(&program, corpus, unit)),
        None => missing.push("pgn-extract"),
    }
    match find("scoutfish") {
        Some(program) => print_or_say("scoutfish", scoutfish(&program, corpus, unit)),
        None => missing.push("scoutfish"),
    }
    if !missing.is_empty() {
        println!("\nNot installed: {}.", missing.join(", "));
    }
    Ok(())
}

/// Prints an error of another program as a row. The run continues.
fn print_or_say(name: &str, printed: Result<(), Box<dyn Error>>) {
    if let Err(error) = printed {
        println!("| {name} | {} | | |", error.to_string().replace('|', "\\|"));
    }
}

/// Prints a row for each question, with the number of games in the answer of a program.
fn print_answers(
    name: &str,
    unit: &Unit,
    ask: impl Fn(&Question) -> Result<usize, Box<dyn Error>>,
) -> Result<(), Box<dyn Error>> {
    for question in QUESTIONS {
        let games = ask(question)?;
        let units = unit.measure(|| ask(question).map(|_| ()))?;
        println!("| {name} | {} | {games} | {units:.2} |", question.name);
    }
    Ok(())
}

/// Asks skewer, which writes the matching games to a file, as pgn-extract does.
fn ask_skewer(question: &Question, games: &Path, corpus: &Corpus) -> Result<usize, Box<dyn Error>> {
    let found = corpus.folder.join("found.pgn");
    let mut command = skewer();
    command.args(["-e", question.cql]).arg(games).arg("-o").arg(&found);
    run(&mut command, &[0, 1])?;
    games_in(&found)
}

/// Measures pgn-extract, which reads the PGN and writes the matching games to a file.
fn pgn_extract(program: &Path, corpus: &Corpus, unit: &Unit) -> Result<(), Box<dyn Error>> {
    let (material, found) = (corpus.folder.join("material"), corpus.folder.join("extracted.pgn"));
    fs::write(&material, MATERIAL)?;
    print_answers("pgn-extract", unit, |question| {
        let mut command = Command::new(program);
        command.current_dir(&corpus.folder);
        command
            .args(["-s", question.pgn_extract, "-oextracted.pgn"])
            .arg(&corpus.pgn);
        run(&mut command, &[0])?;
        games_in(&found)
    })
}

/// Returns how many games a PGN file has. Each game must have an `Event` tag.
fn games_in(pgn: &Path) -> Result<usize, Box<dyn Error>> {
    let text = fs::read(pgn)?;
    Ok(text
        .split(|&byte| byte == b'\n')
        .filter(|line| line.starts_with(b"[Event "))
        .count())
}

/// Measures scoutfish, which makes an index next to the PGN and answers from it.
fn scoutfish(program: &Path, corpus: &Corpus, unit: &Unit) -> Result<(), Box<dyn Error>> {
    let index = corpus.pgn.with_extension("scout");
    let make = || {
        run(Command::new(program).arg("make").arg(&corpus.pgn), &[0])?;
        fs::metadata(&index).map_err(|error| format!("{}: {error}", index.display()))?;
        Ok(())
    };
    println!("| scoutfish | making its index | | {:.2} |", unit.measure(make)?);
    print_answers("scoutfish", unit, |question| ask_scoutfish(program, question, &index))
}

/// Asks scoutfish in its interactive mode, where the number of threads can be set.
fn ask_scoutfish(program: &Path, question: &Question, index: &Path) -> Result<usize, Box<dyn Error>> {
    let mut process = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let commands = format!(
        "setoption name threads value 1\nscout {} {}\nquit\n",
        index.display(),
        question.scoutfish
    );
    let written = process
        .stdin
        .take()
        .map(|mut input| input.write_all(commands.as_bytes()));
    let output = process.wait_with_output()?;
    written.transpose()?;
    let text = String::from_utf8_lossy(&output.stdout);
    match_count(&text).ok_or_else(|| format!("no match count in its answer: {}", text.trim()).into())
}

/// Returns the number after `"match count":`, which comes before the list of matches in an answer of scoutfish.
fn match_count(answer: &str) -> Option<usize> {
    let (_, after) = answer.split_once("\"match count\":")?;
    let after = after.trim_start();
    let end = after.find(|character: char| !character.is_ascii_digit());
    after[..end.unwrap_or(after.len())].parse().ok()
}

/// Returns the path of a program in `PATH`, or in the folder where Debian installs games.
fn find(program: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&path).chain(iter::once(PathBuf::from("/usr/games")));
    let mut files = folders.map(|folder| folder.join(format!("{program}{}", env::consts::EXE_SUFFIX)));
    files.find(|file| file.is_file())
}
