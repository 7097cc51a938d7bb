//! Words that are defined by other words find the same as their long forms.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use skewer::output::FormatName;
use skewer::query::Vocabulary;

use super::{compile, searched};

/// Returns games with variations, castling, promotions, null moves and start positions.
fn games() -> [PathBuf; 4] {
    let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests");
    [
        "beyond/pgn/words.pgn",
        "beyond/pgn/what-if.pgn",
        "equivalence/bushy.pgn",
        "equivalence/random/games.pgn",
    ]
    .map(|file| tests.join(file))
}

/// Returns the positions that a query finds in a file, and what it prints.
fn found(header: &str, filters: &str, games: &Path) -> (BTreeSet<String>, String) {
    let text = format!("cql({header}) {filters}");
    let query = compile(&text, Vocabulary::Whole).unwrap_or_else(|error| panic!("{text}: {}", error.message));
    let found = searched(&query, games, FormatName::Ids, 2).unwrap_or_else(|error| panic!("{text}: {error}"));
    let positions = String::from_utf8_lossy(&found.output);
    let log = String::from_utf8_lossy(&found.log).into_owned();
    (positions.lines().map(str::to_owned).collect(), log)
}

/// Asserts that two queries find the same positions, and at least one.
fn assert_same(header: &str, word: &str, long: &str) {
    let mut all = 0;
    for games in &games() {
        let (short, _) = found(header, word, games);
        let (expected, _) = found(header, long, games);
        let differing: Vec<&String> = short.symmetric_difference(&expected).take(5).collect();
        assert!(
            differing.is_empty(),
            "{word}\n{long}\n{}: {differing:?}",
            games.display()
        );
        all += expected.len();
    }
    assert!(all > 0, "{word} finds nothing");
}

#[test]
fn what_stays_holds_at_each_of_the_positions_that_follow_or_up_to_the_end() {
    for header in ["", "variations"] {
        for filter in ["power A > power a", "q==0", "Q attacks a", "not check"] {
            let long = format!(
                "{{{filter}}} {{
                    {{child:{{{filter}}} child:child:{{{filter}}} child:child:child:{{{filter}}}}}
                    or {{child:child:{{{{{filter}}} {{mate or stalemate}}}} child:{{{filter}}}}}
                    or child:{{{{{filter}}} {{mate or stalemate}}}}
                    or {{mate or stalemate}}
                }}"
            );
            assert_same(header, &format!("stays(3 {filter})"), &long);
            assert_same(
                header,
                &format!("flipcolor stays(3 {{{filter}}})"),
                &format!("flipcolor {{{long}}}"),
            );
        }
    }
}

#[test]
fn moves_in_a_row_are_those_of_a_path_of_one_colour() {
    for header in ["", "variations"] {
        for mover in ["[Kk]", "Q", "[NBnb]"] {
            let path = format!("path quiet singlecolor {mover}--{{2}}");
            assert_same(header, &format!("inarow(2 move from {mover})"), &path);
        }
    }
    assert_same("", "inarow(3 [Kk]--)", "path quiet singlecolor [Kk]--{3}");
    assert_same("", "inarow(2 --(check))", "path quiet singlecolor (--(check)){2}");
    assert_same("", "inarow(1 move capture [Aa])", "[x]");
}

#[test]
fn pieces_that_have_not_moved_are_those_that_have_always_stood_there() {
    for header in ["", "variations"] {
        assert_same(
            header,
            "true",
            "nevermoved == {piece x in [Aa] {place=x  not find <-- {(x & place)==0}}}",
        );
        assert_same(
            header,
            "firstmove",
            "piece x in (to & ~from) parent:{place=x  not find <-- {(x & place)==0}}",
        );
    }
    // A null move moves no piece.
    let mut games = tempfile::NamedTempFile::with_suffix(".pgn").expect("there is room for a file");
    games
        .write_all(b"1. e4 -- 2. d4 -- 3. -- e5 *\n")
        .expect("it can be written");
    let (moved, _) = found("", "firstmove", games.path());
    assert_eq!(moved, ["1:1", "1:3", "1:6"].map(str::to_owned).into());
}

#[test]
fn positions_are_alike_that_have_the_same_key() {
    for games in &games() {
        let header = "variations";
        let every = "positionid % 7 == 3 message quiet(currentfen \"|\" zobristkey)";
        let (_, printed) = found(header, every, games);
        let wanted: BTreeSet<&str> = printed.lines().filter(|line| line.contains('|')).collect();
        assert!(!wanted.is_empty(), "{}", games.display());
        for line in wanted.into_iter().take(25) {
            let (fen, key) = line.split_once('|').expect("both are printed");
            let (alike, _) = found(header, &format!("likeboard(\"{fen}\")"), games);
            let (same, _) = found(header, &format!("zobristkey == \"{key}\""), games);
            assert_eq!(alike, same, "{fen} in {}", games.display());
            assert!(!alike.is_empty(), "{fen} in {}", games.display());
        }
    }
}
