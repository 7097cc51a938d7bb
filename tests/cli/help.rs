//! `skewer help`: words of the language, titles of the guide, subcommands.

use predicates::prelude::*;

use super::{skewer, stdout};

/// Returns the reserved words of the grammar.
fn reserved_words() -> Vec<&'static str> {
    let words: Vec<_> = skewer::syntax::reserved_words().collect();
    assert!(words.len() > 200, "the grammar is not understood");
    words
}

fn help(topic: &str) -> String {
    stdout(skewer().args(["help", topic]))
}

#[test]
fn a_word_shows_its_row_and_its_section() {
    let text = help("xray");
    let (short, section) = text.split_once("\n\n").expect("two parts");
    assert!(short.starts_with("xray\n====\n  xray (S T …)"), "{short}");
    assert!(section.starts_with("Rays, attacks and pins\n====="), "{section}");
    assert!(section.contains("    skewer search"), "examples are shown: {section}");
    assert!(text.ends_with("From docs/guide/rays-attacks-pins.md\n"), "{text}");
}

#[test]
fn signs_are_words_too_in_all_spellings() {
    for (topic, title) in [
        ("->", "Rays, attacks and pins"),
        ("→", "Rays, attacks and pins"),
        ("⊢", "Constituents of a path"),
        ("-->", "line"),
        ("[x]", "Played moves"),
        ("×", "Played moves"),
        ("✵", "Transforms"),
        ("Ra1", "Designators"),
        ("♖", "Designators"),
    ] {
        let text = help(topic);
        assert!(text.contains(&format!("{title}\n===")), "{topic}: {text}");
    }
}

#[test]
fn a_title_of_the_guide_is_a_topic() {
    assert!(help("the header").starts_with("The header\n"));
    let page = help("rays-attacks-pins");
    assert!(page.contains("\nPins\n====\n"), "{page}");
    assert_eq!(page, help("Rays, attacks and pins"));
}

#[test]
fn everyday_words_lead_to_the_filters_that_say_them() {
    for (word, query, filter) in [
        ("pawn", "flipcolor Pa-h7", "passedpawns"),
        ("queen", "Q==0 q", "#"),
        ("castling", "castle", "castle"),
        ("opening", "initial eco", "eco"),
        ("promotion", "--=Q", "--"),
        ("material", "power A - power a >= 3", "power"),
        ("checkmate", "    mate\n", "mate"),
        ("fork", "(N attacks k) attacks q", "attacks"),
        ("endgame", "R r P p [QBNqbn]==0", ""),
        ("sacrifice", "B[x]ph7", "[x]"),
        ("rating", "elo white", "elo"),
    ] {
        let text = help(word);
        assert!(text.starts_with(word) && text.contains(query), "{word}: {text}");
        let explained = text.lines().any(|line| line.starts_with(&format!("  {filter}")));
        assert!(explained, "{word}: {text}");
    }
    assert_eq!(help("Forks"), help("fork"));
    assert_eq!(
        stdout(skewer().args(["help", "castling", "kingside"])),
        help("castling kingside")
    );
    let both = help("knight forks");
    assert!(both.contains("knight, horse\n") && both.contains("\nfork\n"), "{both}");
    for (form, word) in [("skewers", "skewer"), ("players", "player"), ("Year", "year")] {
        assert_eq!(help(form), help(word), "{form}");
    }
    let capture = help("capture");
    assert!(
        capture.starts_with("capture, take") && capture.contains("From docs/guide/moves.md"),
        "{capture}"
    );
    let list = help("--list");
    assert!(list.contains("\nEveryday words\n"), "{list}");
}

#[test]
fn a_word_of_several_constructs_says_where_else_it_stands() {
    let text = help("quiet");
    assert!(text.contains("find quiet …") && text.contains("[find]"), "{text}");
}

#[test]
fn subcommands_have_their_own_help() {
    for command in ["search", "index", "explain", "help", "cql", "completions", "man", "lsp"] {
        let text = help(command);
        assert!(text.contains(&format!("Usage: skewer {command}")), "{command}: {text}");
        if command != "cql" {
            let asked = stdout(skewer().args([command, "--help"]));
            assert_eq!(text, asked, "{command}");
        }
    }
    assert_eq!(stdout(skewer().arg("help")), stdout(skewer().arg("-h")));
}

#[test]
fn a_filter_with_the_name_of_a_subcommand_can_be_asked_for() {
    let text = help("check");
    assert!(text.contains("Usage: skewer check"), "{text}");
    assert!(text.contains("skewer help --filter check"), "{text}");
    let filter = stdout(skewer().args(["help", "--filter", "check"]));
    assert!(filter.contains("the side to move is in check"), "{filter}");
}

#[test]
fn what_is_unknown_is_an_error_with_advice() {
    for (topic, advice) in [
        ("attcks", "did you mean `attacks`?"),
        ("seach", "did you mean `search`?"),
        ("pwan", "did you mean `pawn`?"),
        ("qqqqqq", "skewer help --list"),
    ] {
        skewer()
            .args(["help", topic])
            .assert()
            .code(2)
            .stdout("")
            .stderr(predicate::str::contains(advice));
    }
}

#[test]
fn the_list_has_every_reserved_word() {
    let list = stdout(skewer().args(["help", "--list"]));
    let first: Vec<_> = list.lines().filter_map(|line| line.split_whitespace().next()).collect();
    for word in reserved_words() {
        assert!(first.contains(&word), "{word} is missing");
    }
    assert!(first.contains(&"->"), "signs are listed");
}

#[test]
fn colours_are_as_the_user_and_the_environment_say() {
    let is_coloured = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = skewer();
        command.args(arguments).envs(variables.iter().copied());
        stdout(&mut command).contains('\u{1b}')
    };
    let word = ["help", "xray"];
    assert!(!is_coloured(&word, &[]), "no terminal");
    assert!(is_coloured(&word, &[("CLICOLOR_FORCE", "1")]));
    assert!(!is_coloured(&word, &[("CLICOLOR_FORCE", "0")]));
    assert!(!is_coloured(&word, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]));
    assert!(is_coloured(
        &["help", "xray", "--color", "always"],
        &[("NO_COLOR", "1")]
    ));
    assert!(is_coloured(&["help", "--color=always", "search"], &[]));
    assert!(is_coloured(&["--color", "always", "search", "--help"], &[]));
    assert!(!is_coloured(
        &["--color", "never", "search", "--help"],
        &[("CLICOLOR_FORCE", "1")]
    ));
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_skewer"))
        .args(["help", "--list"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the command runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
}
