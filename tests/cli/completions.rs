//! `skewer completions` and `skewer man`.

use std::fs;

use super::{Folder, skewer, stdout, text};

#[test]
fn each_shell_gets_a_script_with_all_subcommands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = stdout(skewer().args(["completions", shell]));
        for word in ["search", "explain", "completions", "--out-dir", "--allow-files"] {
            let word = match shell {
                "fish" => word.trim_start_matches('-'),
                _ => word,
            };
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    skewer().args(["completions", "tcsh"]).assert().code(2);
}

#[test]
fn bash_accepts_the_script() {
    let folder = Folder::new();
    let script = folder.file("skewer.bash", stdout(skewer().args(["completions", "bash"])));
    let Ok(output) = std::process::Command::new("bash").arg("-n").arg(&script).output() else {
        return;
    };
    assert!(output.status.success(), "{output:?}");
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
