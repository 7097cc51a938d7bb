//! `skewer fmt`.

use predicates::prelude::*;

use super::*;

const UGLY: &str = "cql( input a.pgn )\nwtm   {A>3\nR->k} // a comment\n";
const FINE: &str = "cql(input a.pgn)\n\nwtm\n{\n  A > 3\n  R -> k\n} // a comment\n";

fn fmt(arguments: &[&str]) -> Command {
    let mut command = skewer();
    command.arg("fmt").args(arguments);
    command
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the file can be read")
}

#[test]
fn files_and_folders_are_written_in_place() {
    let folder = Folder::new();
    let file = folder.file("one.cql", UGLY);
    let inner = folder.file("inner/two.cql", UGLY);
    let other = folder.file("inner/notes.txt", UGLY);
    fmt(&[text(folder.path())]).assert().code(0).stdout("").stderr("");
    assert_eq!(read(&file), FINE);
    assert_eq!(read(&inner), FINE);
    assert_eq!(read(&other), UGLY);
    assert_eq!(folder.names(), ["inner", "one.cql"], "nothing else is left");
}

#[test]
fn a_file_that_is_fine_is_not_touched() {
    let folder = Folder::new();
    let file = folder.file("one.cql", FINE);
    let written = |path: &Path| {
        std::fs::metadata(path)
            .and_then(|data| data.modified())
            .expect("there is a time")
    };
    let before = written(&file);
    fmt(&[text(&file)]).assert().code(0);
    assert_eq!(written(&file), before);
}

#[test]
fn check_shows_what_would_change_and_writes_nothing() {
    let folder = Folder::new();
    let ugly = folder.file("ugly.cql", UGLY);
    let fine = folder.file("fine.cql", FINE);
    fmt(&["--check", text(&fine)]).assert().code(0).stdout("");
    fmt(&["--check", text(&fine), text(&ugly)])
        .assert()
        .code(1)
        .stdout(
            predicate::str::contains("ugly.cql")
                .and(predicate::str::contains("-wtm   {A>3\n").and(predicate::str::contains("+  A > 3\n"))),
        )
        .stderr("");
    assert_eq!(read(&ugly), UGLY);
}

#[test]
fn standard_input_goes_to_standard_output() {
    fmt(&["-"]).write_stdin(UGLY).assert().code(0).stdout(FINE);
    fmt(&["-"]).write_stdin(FINE).assert().code(0).stdout(FINE);
    fmt(&["-"])
        .write_stdin("wtm #A>3")
        .assert()
        .code(0)
        .stdout("wtm\n#A > 3\n");
    fmt(&["--check", "-"]).write_stdin(UGLY).assert().code(1);
}

#[test]
fn a_broken_query_is_an_error_and_stays_as_it_is() {
    let folder = Folder::new();
    let broken = folder.file("broken.cql", "cql() wtm (");
    let ugly = folder.file("ugly.cql", UGLY);
    fmt(&[text(&broken), text(&ugly)])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("broken.cql:1:11"));
    assert_eq!(read(&broken), "cql() wtm (");
    assert_eq!(read(&ugly), FINE, "the others are formatted");
    fmt(&["--check", text(&broken), "-"]).write_stdin(UGLY).assert().code(2);
    fmt(&[text(&folder.path().join("missing.cql"))]).assert().code(2);
    fmt(&[]).assert().code(2);
}

#[test]
fn spellings_can_be_chosen() {
    let query = |spelling: &str, query: &str| stdout(fmt(&[spelling, "-"]).write_stdin(query));
    assert_eq!(query("--unicode", "[RQ] -> k"), "♖♕ → ♚\n");
    assert_eq!(query("--ascii", "♖♕ → ♚"), "[RQ] -> k\n");
    fmt(&["--ascii", "--unicode", "-"]).assert().code(2);
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link_and_permissions_stay() {
    use std::os::unix::fs::PermissionsExt;

    let folder = Folder::new();
    let file = folder.file("one.cql", UGLY);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).expect("permissions can be set");
    let link = folder.path().join("link.cql");
    std::os::unix::fs::symlink(&file, &link).expect("links can be made");
    fmt(&[text(&link)]).assert().code(0);
    assert!(link.is_symlink());
    assert_eq!(read(&file), FINE);
    let mode = std::fs::metadata(&file).expect("it exists").permissions().mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn what_must_not_touch_stays_apart() {
    let folder = Folder::new();
    for (query, formatted) in [
        ("cql() A(k)", "A"),
        ("cql() function Tally(){a   [key]} mate", "a [key]"),
        ("cql() --A(k) mate", "--A(k)"),
    ] {
        let file = folder.file("one.cql", query);
        fmt(&[text(&file)]).assert().code(0).stderr("");
        let once = read(&file);
        assert!(once.contains(formatted), "{once}");
        fmt(&["--check", text(&file)]).assert().code(0);
    }
}
