//! The page of a search in a real browser.
//!
//! Chromium, without a window, opens a page with 5,000 matches to which `script.js` has been added: it presses keys, types
//! into the filter and sorts, as a reader would, and notes what it sees. Where no Chromium is installed, nothing is tested, and
//! the test says so; `CHROMIUM` names another program.

use std::env;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

/// What looks for elements, acts, and leaves its notes in the page.
const SCRIPT: &str = include_str!("script.js");

/// How many games there are, each with one match.
const GAMES: usize = 5000;

/// The names under which Chromium is installed.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// A browser, if there is one.
fn chromium() -> Option<OsString> {
    let named = env::var_os("CHROMIUM");
    let candidates = named.into_iter().chain(NAMES.map(OsString::from));
    candidates.into_iter().find(|name| {
        let version = Command::new(name).arg("--version").stdout(Stdio::null()).status();
        version.is_ok_and(|status| status.success())
    })
}

/// Games that end in the same mate, with players and years of their own. Some names would break a careless page.
fn games() -> String {
    let mut pgn = String::new();
    for number in 0..GAMES {
        let white = match number {
            17 => "</script><script>window.broken = 1</script>".to_owned(),
            18 => "<b onmouseover=alert(1)>Bold & 'quoted'".to_owned(),
            _ => format!("Réti {number}"),
        };
        let year = 1900 + number % 100;
        // Writing to a string cannot fail.
        let _ = write!(
            pgn,
            "[Event \"Open\"]\n[Date \"{year}.??.??\"]\n[White \"{white}\"]\n[Black \"Black\"]\n[Result \"0-1\"]\n\n\
             1. f3 e5 2. g4 Qh4# 0-1\n\n"
        );
    }
    pgn
}

/// Runs the search and adds the script to its page.
fn page(folder: &Path) -> std::path::PathBuf {
    let (input, output) = (folder.join("games.pgn"), folder.join("mates.html"));
    fs::write(&input, games()).expect("there is room for the games");
    let searched = Command::new(env!("CARGO_BIN_EXE_skewer"))
        .args(["search", "-e", "mate q attacks K", "--format", "html", "-o"])
        .args([&output, &input])
        .status()
        .expect("the command runs");
    assert!(searched.success());
    let page = fs::read_to_string(&output).expect("the page is UTF-8");
    let (before, after) = page.rsplit_once("</body>").expect("the page has a body");
    let tested = format!("{before}<script>{SCRIPT}</script></body>{after}");
    fs::write(&output, tested).expect("the page can be written");
    output
}

/// What the script has noted in a window of this width.
fn notes(browser: &OsString, page: &Path, profile: &Path, width: u32) -> Value {
    let printed = Command::new(browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--dump-dom",
        ])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ])
        .args([
            &format!("--window-size={width},900"),
            "--timeout=60000",
            "--virtual-time-budget=60000",
        ])
        .arg(format!("--user-data-dir={}", profile.display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .expect("the browser runs");
    let dom = String::from_utf8_lossy(&printed.stdout);
    let notes = dom
        .split("<pre id=\"notes\">")
        .nth(1)
        .and_then(|rest| rest.split("</pre>").next());
    let notes = notes.unwrap_or_else(|| panic!("no notes: {}", String::from_utf8_lossy(&printed.stderr)));
    serde_json::from_str(&notes.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))
        .expect("notes are JSON")
}

#[test]
fn a_page_with_5000_matches_works() {
    let Some(browser) = chromium() else {
        eprintln!("skipped: no Chromium is installed (`CHROMIUM` names one)");
        return;
    };
    let folder = tempfile::tempdir().expect("there is room for temporary files");
    let (page, profile) = (page(folder.path()), folder.path().join("profile"));
    for width in [1100, 700] {
        let row = notes(&browser, &page, &profile, width)["row_width"].as_f64();
        let row = row.expect("a number");
        assert!(
            row > 0.99,
            "a row is as wide as the table in a window of {width}: {row}"
        );
    }
    let notes = notes(&browser, &page, &profile, 1400);
    let note = |name: &str| {
        notes
            .get(name)
            .unwrap_or_else(|| panic!("no note {name}: {notes}"))
            .clone()
    };

    assert_eq!(note("errors"), serde_json::json!([]), "errors of the page");
    assert_eq!(note("found"), "5,000 positions in 5,000 games; 5,000 games searched");
    assert_eq!(note("rowcount"), "5001");
    let drawn = note("drawn").as_u64().expect("a number");
    assert!((1..200).contains(&drawn), "{drawn} boards are drawn at first");
    assert_eq!(note("first"), "match-0", "the first match is selected");
    assert_eq!(note("men"), 32, "all men are on the large board");
    assert_eq!(note("marks"), serde_json::json!([2, 2, 1]), "last move, squares, rays");
    assert_eq!(note("after_j"), "match-2");
    assert_eq!(note("after_k"), "match-1");
    assert_eq!(note("after_end"), "match-4999");
    let drawn = note("drawn_at_end").as_u64().expect("a number");
    assert!(drawn < 300, "{drawn} boards are drawn at the end");
    assert_eq!(note("filtered"), "1 of 5,000", "accents do not matter to the filter");
    assert_eq!(note("filtered_white"), "Réti 4321");
    assert_eq!(
        note("by_year"),
        serde_json::json!(["1900", "1999"]),
        "sorted up and down"
    );
    assert_eq!(note("focus"), "filter");
    assert_eq!(note("help"), true);
    assert_eq!(note("theme"), serde_json::json!(["dark", "light"]));
    assert_eq!(
        note("fen"),
        "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 0 1"
    );
    let pgn = note("pgn").to_string();
    assert!(pgn.contains("Réti 4321") && pgn.contains("2.g4 Qh4#"), "{pgn}");
    assert_eq!(note("broken"), false, "names are text");
    assert_eq!(note("odd_white"), "</script><script>window.broken = 1</script>");
    assert_eq!(note("requests"), 0, "nothing is loaded");
}
