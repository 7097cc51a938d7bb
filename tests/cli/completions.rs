//! `skewer completions` and `skewer man`.

use std::fs;

use super::{Folder, skewer, stdout, text};

#[test]
fn each_shell_gets_a_script_that_asks_the_program() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = stdout(skewer().args(["completions", shell]));
        assert!(
            script.contains("SKEWER_COMPLETE") && script.contains("skewer"),
            "{shell}: {script}"
        );
    }
    skewer().args(["completions", "tcsh"]).assert().code(2);
}

/// Returns what bash offers after the words of a command line.
fn offered(words: &[&str]) -> Vec<String> {
    let folder = Folder::new();
    folder.file("games.pgn", "");
    let answer = stdout(
        skewer()
            .current_dir(folder.path())
            .env("SKEWER_COMPLETE", "bash")
            .env("_CLAP_COMPLETE_INDEX", words.len().to_string())
            .env("_CLAP_IFS", "\n")
            .args(["--", "skewer"])
            .args(words),
    );
    answer.lines().map(str::to_owned).collect()
}

#[test]
fn names_of_queries_words_of_the_language_options_and_files_are_offered() {
    for (words, expected) in [
        (&["search", "smoth"][..], "smothered-mate"),
        (&["search", "mates/smoth"], "mates/smothered-mate"),
        (&["search", "structures/h"], "structures/hedgehog"),
        (&["search", ""], "structures/"),
        (&["search", "-e", "mate", "gam"], "games.pgn"),
        (&["search", "--see"], "--seed"),
        (&["check", "windm"], "windmill"),
        (&["test", "windm"], "windmill"),
        (&["explain", "windm"], "windmill"),
        (&["library", "--copy", "windm"], "windmill"),
        (&["library", "sacr"], "sacrifices"),
        (&["help", "xra"], "xray"),
        (&["help", "sear"], "search"),
        (&["help", "castl"], "castling"),
        (&["sea"], "search"),
    ] {
        let offered = offered(words);
        assert!(offered.iter().any(|word| word == expected), "{words:?}: {offered:?}");
    }
}

#[test]
fn shells_accept_their_scripts() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = folder.file(
            &format!("skewer.{shell}"),
            stdout(skewer().args(["completions", shell])),
        );
        if let Ok(output) = std::process::Command::new(shell).arg("-n").arg(&script).output() {
            assert!(output.status.success(), "{output:?}");
        }
    }
}

/// Asks fish as a user does. Checks nothing where fish is not installed.
#[test]
fn fish_completes_names_and_words() {
    let folder = Folder::new();
    let script = folder.file("skewer.fish", stdout(skewer().args(["completions", "fish"])));
    let programs = assert_cmd::cargo::cargo_bin("skewer");
    let others = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{others}", programs.parent().expect("it is in a folder").display());
    for (line, expected) in [
        ("skewer search smother", "smothered-mate\tSmothered mate: "),
        ("skewer help castlin", "castling\t"),
        ("skewer search --pla", "--player\t"),
    ] {
        let command = format!("source {}; complete -C '{line}'", text(&script));
        let asked = std::process::Command::new("fish")
            .args(["--no-config", "-c", &command])
            .current_dir(folder.path())
            .env("PATH", &path)
            .env("HOME", folder.path())
            .output();
        let Ok(output) = asked else {
            return;
        };
        let offered = String::from_utf8_lossy(&output.stdout);
        assert!(offered.starts_with(expected), "{line}: {offered}");
    }
}

#[test]
fn there_is_a_manual_page_for_each_subcommand() {
    let page = stdout(skewer().arg("man"));
    assert!(page.contains(".TH skewer 1"), "{page}");
    let folder = Folder::new();
    let into = folder.path().join("new/man1");
    skewer()
        .args(["man", "--out-dir", text(&into)])
        .assert()
        .success()
        .stdout("");
    for (name, word) in [
        ("skewer.1", "search"),
        ("skewer-search.1", "out\\-dir"),
        ("skewer-index.1", "append"),
        ("skewer-help.1", "list"),
    ] {
        let page = fs::read_to_string(into.join(name)).expect("the page is written");
        assert!(page.contains(".SH NAME") && page.contains(word), "{name}: {page}");
    }
}

#[test]
fn examples_in_manual_pages_keep_their_lines() {
    let folder = Folder::new();
    skewer()
        .args(["man", "--out-dir", text(folder.path())])
        .assert()
        .success();
    let page = fs::read_to_string(folder.path().join("skewer-search.1")).expect("the page is written");
    let (_, examples) = page.split_once(".SH EXAMPLES\n.nf\n").expect("there are examples");
    assert!(examples.starts_with("  skewer search pins.cql "), "{examples}");
    let (_, exit) = examples
        .split_once("\n.fi\n.SH EXIT STATUS\n")
        .expect("exit codes follow");
    assert!(exit.starts_with("0 some game matches, 1 none does"), "{exit}");
    let page = fs::read_to_string(folder.path().join("skewer-test.1")).expect("the page is written");
    assert!(page.contains(".nf\n  //? match"), "{page}");
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error() {
    let folder = Folder::new();
    let file = folder.file("file", "");
    let output = skewer()
        .args(["man", "--out-dir", text(&file.join("man1"))])
        .output()
        .expect("the command runs");
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.starts_with("error: cannot write manual pages into"), "{error}");
}
