//! Slips that people and language models make.
//!
//! `slips.txt` lists queries that do not compile, the message about each, and the query after the first proposed change, until it compiles.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use skewer::query::{Options, compile};
use skewer::syntax::{Diagnostic, Source};

use crate::recorded::recorded;

/// Returns the entry for a query in the table: a block of lines that begins with the query after `? `.
fn block(query: &str) -> String {
    let mut block = format!("? {query}\n");
    let mut text = query.to_owned();
    // A query may have several slips, each with its own change.
    for _ in 0..5 {
        let Err(error) = compiled(&text) else { break };
        let hints = error.hints.join("; ");
        let said = [&error.message, &error.label, &hints].map(String::as_str);
        let said = said.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
        writeln!(block, "  {}", said.join(" | ")).expect("a text takes it");
        let Some(fix) = error.fixes.first() else { break };
        text = fix.apply(&text);
        writeln!(block, "! {}", text.replace('\n', "\\n")).expect("a text takes it");
    }
    block
}

fn compiled(filters: &str) -> Result<(), Diagnostic> {
    let options = Options {
        filters_only: !filters.trim_start().to_ascii_lowercase().starts_with("cql"),
        ..Options::default()
    };
    compile(&Source::new("slip", filters), &options).map(drop)
}

fn file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/syntax/slips.txt")
}

#[test]
fn slips_are_answered_with_what_was_meant() {
    let file = file();
    let before = fs::read_to_string(&file).expect("it is there");
    let (introduction, _) = before.split_once("\n? ").expect("queries");
    let queries: Vec<&str> = before.lines().filter_map(|line| line.strip_prefix("? ")).collect();
    let blocks: Vec<String> = queries.iter().map(|query| block(query)).collect();
    let today = format!("{introduction}\n{}", blocks.concat());
    let recorded = recorded(&file, &today);
    for (today, recorded) in today.lines().zip(recorded.lines()) {
        assert_eq!(today, recorded);
    }
    assert_eq!(today.len(), recorded.len());
}

#[test]
fn every_change_for_a_slip_compiles() {
    let recorded = fs::read_to_string(file()).expect("it is there");
    let mut seen = HashSet::new();
    let blocks = recorded.split("\n? ").skip(1);
    for block in blocks {
        let query = block.lines().next().unwrap_or_default();
        assert!(seen.insert(query), "twice: {query}");
        assert!(compiled(query).is_err(), "it is not a slip: {query}");
        let changed = block.lines().filter_map(|line| line.strip_prefix("! ")).next_back();
        let changed = changed
            .unwrap_or_else(|| panic!("no change: {query}"))
            .replace("\\n", "\n");
        compiled(&changed).unwrap_or_else(|error| panic!("{query} became {changed}: {}", error.message));
    }
    assert!(seen.len() >= 150, "{} slips", seen.len());
}
