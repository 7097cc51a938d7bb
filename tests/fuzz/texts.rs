//! No text of a query makes skewer panic, hang or overflow its stack. `tests/fuzz/` tries mutations of real queries and games.
//!
//! The texts are made at random from the golden cases, the same ones each time. `ROBUSTNESS=20` makes twenty times as many.
//! The text that is being tried is kept in `target/tmp/robustness-*.txt`, so that what ends the process outright, as a stack
//! overflow does, leaves its cause there.

use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use fastrand::Rng;
use skewer::eval::Settings;
use skewer::output::FormatName;
use skewer::query::{self, Options, Query};
use skewer::search::{self, STACK_BYTES, search_in_memory};
use skewer::syntax::token::TokenKind;
use skewer::syntax::{Source, tokens};

/// A text that takes longer counts as one that never ends.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many texts of a kind are tried.
fn count(number: usize) -> usize {
    let times = std::env::var("ROBUSTNESS").ok().and_then(|times| times.parse().ok());
    number * times.unwrap_or(1)
}

/// The files of the golden cases below a folder with this extension, in order; none where they are not there.
fn golden(folder: &str, extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(folder);
    let files = walkdir::WalkDir::new(&folder).sort_by_file_name().into_iter();
    let paths = files.filter_map(|entry| Some(entry.ok()?.into_path()));
    let found: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .collect();
    if found.is_empty() {
        println!("skipped: there are no .{extension} files in {}", folder.display());
    }
    found
}

/// Tries texts one after the other on a stack as large as the command's. How many of them the trial says `true` of.
fn try_all(
    name: &str,
    texts: impl Iterator<Item = Vec<u8>> + Send + 'static,
    trial: impl Fn(&[u8]) -> bool + Send + 'static,
) -> usize {
    let current = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("robustness-{name}.txt"));
    let (sender, tried) = mpsc::channel();
    let file = current.clone();
    let work = move || {
        for text in texts {
            fs::write(&file, &text).expect("the folder for temporary files can be written to");
            let result = panic::catch_unwind(AssertUnwindSafe(|| trial(&text)));
            if sender.send(result.map_err(|_| text)).is_err() {
                return;
            }
        }
    };
    let worker = thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    let worker = worker.expect("a thread can be started");
    let (mut good, mut panics) = (0, Vec::new());
    loop {
        match tried.recv_timeout(PATIENCE) {
            Ok(Ok(is_good)) => good += usize::from(is_good),
            Ok(Err(text)) => panics.push(String::from_utf8_lossy(&text).into_owned()),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => panic!("no end in sight for the text in {}", current.display()),
        }
    }
    worker.join().expect("panics were caught");
    assert!(
        panics.is_empty(),
        "{} texts panic:\n\n{}",
        panics.len(),
        panics.join("\n\n")
    );
    let _ = fs::remove_file(current);
    good
}

/// The golden queries, each cut into tokens with the blanks that follow them.
fn golden_queries() -> Vec<Vec<Vec<u8>>> {
    let pieces = |path: PathBuf| {
        let source = Source::new("golden", fs::read(path).expect("golden queries can be read"));
        let tokens = tokens(&source).ok()?;
        let places = tokens
            .iter()
            .filter(|token| !matches!(token.kind, TokenKind::PathEnd))
            .map(|token| token.span.start as usize);
        let places: Vec<usize> = places.collect();
        let pieces = places.windows(2).map(|ends| source.bytes()[ends[0]..ends[1]].to_vec());
        Some(pieces.collect())
    };
    golden("", "cql").into_iter().filter_map(pieces).collect()
}

/// Compiles a query. An error must be one that can be shown.
fn compiled(text: &[u8]) -> Option<Query> {
    let filters_only = !text.starts_with(b"cql");
    let source = Source::new("text", text);
    let options = Options {
        filters_only,
        ..Options::default()
    };
    match query::compile(&source, &options) {
        Ok(query) => Some(query),
        Err(error) => {
            for color in [false, true] {
                assert!(error.render(&source, color).contains(&error.message));
            }
            assert!(error.render(&source, false).starts_with("error: "));
            None
        }
    }
}

/// Searches a file and formats what is found in the format that does most.
fn search_file(query: &Query, pgn: &Path) -> Result<u64, search::Error> {
    let options = search::Options {
        quiet: false,
        ..search::Options::quiet(FormatName::Pgn)
    };
    Ok(search_in_memory(query, Settings::default(), pgn, &options)?
        .totals
        .games)
}

/// A folder that is there as long as the trials run, and a file in it.
fn temporary_file(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let file = folder.path().join(name);
    (folder, file)
}

#[test]
fn random_bytes_are_refused_with_a_message() {
    let mut random = Rng::with_seed(1);
    let texts = (0..count(500)).map(move |_| {
        let begin: &[u8] = random.choice([b"cql()".as_slice(), b"", b"cql("]).unwrap_or_default();
        let bytes = (0..random.usize(1..60)).map(|_| {
            if random.bool() {
                random.u8(..)
            } else {
                random.u8(32..127)
            }
        });
        [begin, &bytes.collect::<Vec<u8>>()].concat()
    });
    try_all("bytes", texts, |text| compiled(text).is_some());
}

#[test]
fn token_soups_compile_or_are_refused() {
    let mut words: Vec<Vec<u8>> = golden_queries().concat();
    if words.is_empty() {
        return;
    }
    words.sort();
    words.dedup();
    let mut random = Rng::with_seed(2);
    let texts = (0..count(1000)).map(move |_| {
        let length = random.usize(1..25);
        let soup: Vec<_> = (0..length).filter_map(|_| random.choice(&words).cloned()).collect();
        soup.concat()
    });
    let good = try_all("soup", texts, |text| compiled(text).is_some());
    assert!(good > 10, "only {good} soups compile");
}

#[test]
fn deep_and_long_queries_are_refused_or_answered() {
    const DEEP: usize = 600;
    let enclosed = [
        ("(", "mate", ")"),
        ("{", "mate", "}"),
        ("not ", "mate", ""),
        ("~ ", "R", ""),
        ("- ", "ply", ""),
        ("#", "R", ""),
        ("parent:", "mate", ""),
        ("if mate then ", "mate", ""),
        ("if mate then mate else ", "mate", ""),
        ("while (false) ", "mate", ""),
        ("find quiet ", "mate", ""),
        ("--(", "mate", ")"),
        ("up ", "R", ""),
        ("flip ", "Ra1", ""),
        ("notransform ", "R", ""),
        ("max (1 ", "2", ")"),
        ("comment (", "\"a\"", ")"),
        ("sort \"a\" ", "ply", ""),
        ("square s in A ", "R", ""),
    ];
    let chained = [
        ("mate", " or mate"),
        ("mate", " and mate"),
        ("Ka1", " qb2"),
        ("event", "[0]"),
    ];
    let nested = enclosed
        .iter()
        .map(|(open, inner, close)| [open.repeat(DEEP).as_str(), inner, &close.repeat(DEEP)].concat());
    let chain = |(first, next): &(&str, &str), length: usize| first.to_string() + &next.repeat(length);
    let long = chained.iter().map(|parts| chain(parts, 19_000));
    let too_long = chained.first().map(|parts| chain(parts, 21_000));
    let doubled = (0..60).map(|n| format!("function f{}x() {{f{n}x() f{n}x()}} ", n + 1));
    let doubled = doubled.fold("function f0x() {mate} ".to_owned(), |all, one| all + &one) + "f60x()";
    let copied = [
        "shift {b2 or ".repeat(6) + "c3" + &"}".repeat(6),
        "shift {b2 or notransform ".repeat(6) + "c3" + &"}".repeat(6),
    ];
    let texts: Vec<Vec<u8>> = nested
        .chain(copied)
        .chain(long)
        .chain(too_long)
        .chain([doubled])
        .map(String::into_bytes)
        .collect();
    let (folder, pgn) = temporary_file("game.pgn");
    fs::write(&pgn, "[White \"A\"]\n\n*\n").expect("the game can be written");
    let good = try_all("deep", texts.into_iter(), move |text| {
        compiled(text).is_some_and(|query| search_file(&query, &pgn).is_ok())
    });
    drop(folder);
    assert!(good == chained.len(), "{good} long queries are answered");
}
