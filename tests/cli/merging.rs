//! Databases as inputs of `skewer index`.

use predicates::prelude::*;

use super::databases::{ODD, VARIANTS, many_games, printed};
use super::*;

/// Makes a database of this name. Returns its path and the warnings about the inputs.
fn make(folder: &Folder, name: &str, arguments: &[&str]) -> (PathBuf, String) {
    let path = folder.path().join(name);
    let mut command = skewer();
    command
        .args(["index", "--warnings", "all", "-o", text(&path)])
        .args(arguments);
    let (warnings, output, code) = printed(command.current_dir(env!("CARGO_MANIFEST_DIR")));
    assert_eq!((&*output, code), ("", Some(0)), "{arguments:?}: {warnings}");
    (path, warnings)
}

/// Asserts that two files give the same results and warnings. Warnings are sorted first: those about text before a file may come
/// earlier, because games are read in other groups.
fn assert_same(found: &Path, expected: &Path) {
    let queries: [(&[&str], &str); 4] = [
        (&["initial"], "pgn"),
        (&["check or stalemate", "--variations"], "ids"),
        (&["elo white > 2300 or player \"W27\""], "csv"),
        (
            &["originalcomment ~~ \"yes\" or --=N gamenumber > 3", "--variations"],
            "pgn",
        ),
    ];
    for (query, format) in queries {
        let run = |path: &Path| {
            let mut command = search(&["-f", format, "--warnings", "all", "-e"]);
            let (warnings, output, code) = printed(command.args(query).arg(path));
            let mut warnings: Vec<String> = warnings.lines().map(str::to_owned).collect();
            warnings.sort();
            (warnings, output, code)
        };
        let (found, expected) = (run(found), run(expected));
        assert_eq!(found.0, expected.0, "{query:?}, {format}");
        assert!(found == expected, "{query:?}, {format}: other games");
    }
}

#[test]
fn databases_and_pgn_make_the_database_of_all_their_games() {
    let folder = Folder::new();
    let odd = folder.file("odd.pgn", ODD);
    let [many, more] = many_games(&folder);
    let none = folder.file("none.pgn", "");
    let [odd, many, more, none] = [&odd, &many, &more, &none].map(|path| text(path));
    let (small, _) = make(&folder, "small.parquet", &[odd, CLASSICS]);
    let (large, _) = make(&folder, "large.parquet", &[odd, more, odd]);
    let (empty, _) = make(&folder, "empty.parquet", &[none, "-q"]);
    let (mixed, warnings) = make(
        &folder,
        "mixed.parquet",
        &[text(&large), odd, text(&small), text(&empty), text(&large), many],
    );
    assert!(warnings.contains("empty.parquet: the file has no games"), "{warnings}");
    assert!(
        !warnings.contains("b.pgn"),
        "what was said when they were made: {warnings}"
    );
    let all = [odd, more, odd, odd, odd, CLASSICS, none, odd, more, odd, many];
    let (expected, _) = make(&folder, "expected.parquet", &all);
    assert_same(&mixed, &expected);
}

#[test]
fn a_merged_database_is_the_same_for_any_number_of_threads() {
    let folder = Folder::new();
    let odd = folder.file("odd.pgn", ODD);
    let files = many_games(&folder);
    let [many, more] = files.each_ref().map(|path| text(path));
    let (first, _) = make(&folder, "first.parquet", &[many, more]);
    let made = ["1", "2", "7"].map(|threads| {
        let inputs = [
            text(&odd),
            text(&first),
            CLASSICS,
            text(&first),
            "--force",
            "-j",
            threads,
        ];
        let (path, warnings) = make(&folder, "merged.parquet", &inputs);
        (std::fs::read(path).expect("the database"), warnings)
    });
    assert!(made[0] == made[1] && made[0] == made[2]);
}

#[test]
fn small_databases_become_one_as_if_they_had_been_indexed_together() {
    let folder = Folder::new();
    let odd = folder.file("odd.pgn", ODD);
    let inputs = [CLASSICS, text(&odd), "examples/study.pgn", "examples/variations.pgn"];
    let (expected, _) = make(&folder, "expected.parquet", &inputs);
    let parts: Vec<PathBuf> = (0..)
        .zip(inputs)
        .map(|(number, input)| make(&folder, &format!("{number}.parquet"), &[input]).0)
        .collect();
    let parts: Vec<&str> = parts.iter().map(|path| text(path)).collect();
    let (merged, _) = make(&folder, "merged.parquet", &parts);
    let bytes = |path: &Path| std::fs::read(path).expect("the database");
    assert!(bytes(&merged) == bytes(&expected));
    let (appended, _) = make(&folder, "appended.parquet", &parts[..1]);
    for part in &parts[1..] {
        make(&folder, "appended.parquet", &["--append", part]);
    }
    assert!(bytes(&appended) == bytes(&expected), "no row group is left alone");
}

#[test]
fn games_of_a_variant_are_taken_from_databases_as_from_pgn() {
    let folder = Folder::new();
    let pgn = folder.file("variants.pgn", VARIANTS);
    let (all, _) = make(&folder, "all.parquet", &[text(&pgn), CLASSICS]);
    for variant in ["atomic", "standard"] {
        let of = |name, inputs: &[&str]| {
            let arguments = [inputs, &["--variant", variant, "-q"]].concat();
            std::fs::read(make(&folder, &format!("{variant}-{name}.parquet"), &arguments).0).expect("the database")
        };
        assert!(
            of("merged", &[text(&all)]) == of("expected", &[text(&pgn), CLASSICS]),
            "{variant}"
        );
    }
}

#[test]
fn a_database_of_the_first_version_is_merged_with_a_warning() {
    let folder = Folder::new();
    let old = "tests/database/corpus/version-1.parquet";
    let (merged, warnings) = make(&folder, "merged.parquet", &[old, CLASSICS]);
    let notice = "warning: tests/database/corpus/version-1.parquet: this database was made by an older skewer";
    assert!(warnings.starts_with(notice), "{warnings}");
    let run = |inputs: &[&str]| printed(search(&["-q", "-e", "mate or initial", "-f", "pgn"]).args(inputs));
    assert_eq!(run(&[text(&merged)]), run(&[old, CLASSICS]));
}

#[test]
fn nothing_is_written_where_a_database_is_damaged_or_is_the_output() {
    let folder = Folder::new();
    let files = many_games(&folder);
    let (good, _) = make(&folder, "good.parquet", &[text(&files[1])]);
    let whole = std::fs::read(&good).expect("the database");
    for place in [40, whole.len() / 2, whole.len() - 40] {
        let mut bytes = whole.clone();
        bytes[place] ^= 1;
        let damaged = folder.file("damaged.parquet", bytes);
        let old = folder.file("old.parquet", &whole);
        for threads in ["1", "3"] {
            for mode in ["--append", "--force"] {
                let mut command = skewer();
                command.args(["index", CLASSICS, text(&damaged), "-o", text(&old), mode, "-j", threads]);
                let (message, _, code) = printed(&mut command);
                assert_eq!(code, Some(2));
                assert!(message.contains("damaged.parquet: "), "byte {place}: {message}");
                assert!(std::fs::read(&old).expect("the database") == whole);
            }
        }
    }
    for mode in ["--append", "--force"] {
        let mut command = skewer();
        command.args(["index", CLASSICS, text(&good), "-o", text(&good), mode]);
        command
            .assert()
            .code(2)
            .stderr(predicate::str::contains("an input of this run"));
        assert!(std::fs::read(&good).expect("the database") == whole);
    }
}
