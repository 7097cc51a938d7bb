//! Where output is written.

use std::io::Read;
use std::process::{self, Stdio};

use super::*;

#[test]
fn a_file_is_written_and_standard_output_stays_empty() {
    let folder = Folder::new();
    let path = folder.path().join("out.txt");
    search(&["-e", "mate", "--format", "ids", CLASSICS, "-o", text(&path)])
        .assert()
        .code(0)
        .stdout("");
    assert_eq!(std::fs::read_to_string(&path).expect("the file exists"), MATES);
    assert_eq!(folder.names(), ["out.txt"]);
}

#[test]
fn a_file_is_empty_when_nothing_matches() {
    let folder = Folder::new();
    let path = folder.path().join("out.pgn");
    for (query, code) in [("mate", 0), ("stalemate", 1)] {
        search(&["-e", query, CLASSICS, "-o", text(&path)]).assert().code(code);
    }
    assert_eq!(std::fs::read_to_string(&path).expect("the file exists"), "");
}

#[test]
fn a_failed_run_leaves_the_old_file() {
    let folder = Folder::new();
    let path = folder.file("out.pgn", "old");
    // The name of the file that `writefile` writes has a wrong extension, which is only found out in game 5.
    let query = "mate gamenumber==5 writefile(\"report.doc\" \"x\")";
    search(&["-e", query, CLASSICS, "-o", text(&path)]).assert().code(2);
    search(&["-e", "mate", "missing.pgn", "-o", text(&path)])
        .assert()
        .code(2);
    assert_eq!(std::fs::read_to_string(&path).expect("the file exists"), "old");
    assert_eq!(folder.names(), ["out.pgn"]);
}

#[test]
fn the_header_names_an_output_in_an_allowed_folder_unless_there_is_an_argument() {
    let folder = Folder::new();
    let victim = folder.file("victim.pgn", "1. e4 *\n");
    let inner = folder.path().join("inner");
    let query = |output: &str| folder.file("inner/q.cql", format!("cql(output {output}) mate"));
    let run = |output: &str, arguments: &[&str]| {
        let query = query(output);
        let mut command = search(&[text(&query), CLASSICS, "--format", "ids"]);
        let output = command
            .args(arguments)
            .current_dir(&inner)
            .output()
            .expect("the command runs");
        (
            String::from_utf8(output.stdout).expect("UTF-8"),
            String::from_utf8(output.stderr).expect("UTF-8"),
        )
    };
    let allowed = ["--allow-files", text(&inner)];
    for (output, arguments) in [
        ("found.pgn", &[][..]),
        (text(&victim), &[]),
        (text(&victim), &allowed),
        ("../victim.pgn", &allowed),
    ] {
        let (printed, said) = run(output, arguments);
        assert_eq!(printed, MATES);
        assert!(
            said.contains("note: the header's `output ") && said.contains("--allow-files DIR"),
            "{said}"
        );
        assert_eq!(std::fs::read_to_string(&victim).expect("it is there"), "1. e4 *\n");
        assert_eq!(std::fs::read_dir(&inner).expect("it is there").count(), 1);
    }
    assert_eq!(
        run("found.pgn", &[&allowed[..], &["-o", "-"]].concat()),
        (MATES.to_owned(), String::new())
    );
    assert_eq!(run("found.pgn", &allowed), (String::new(), String::new()));
    assert_eq!(
        std::fs::read_to_string(inner.join("found.pgn")).expect("it is there"),
        MATES
    );
}

#[test]
fn a_file_in_a_missing_folder_is_an_error() {
    let folder = Folder::new();
    let path = folder.path().join("missing/out.pgn");
    search(&["-e", "mate", CLASSICS, "-o", text(&path)]).assert().code(2);
}

#[test]
fn a_reader_that_closes_the_pipe_ends_the_run_quietly() {
    let folder = Folder::new();
    let games = std::fs::read_to_string(CLASSICS).expect("the examples are there") + "\n";
    let many = folder.file("many.pgn", games.repeat(100));
    let mut child = process::Command::new(assert_cmd::cargo::cargo_bin!("skewer"))
        .args(["search", "-e", "mate", text(&many)])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    let mut pipe = child.stdout.take().expect("it is piped");
    pipe.read_exact(&mut [0; 100]).expect("games are printed");
    drop(pipe);
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(output.status.code(), Some(0), "something had matched");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// Runs a search of `games.pgn` for `q.cql` that must refuse to write, asserts that no file has changed, and returns the message.
fn refused(folder: &Folder, arguments: &[&str]) -> String {
    let contents = || -> Vec<_> {
        let names = folder.names().into_iter();
        names.map(|name| std::fs::read(folder.path().join(name)).ok()).collect()
    };
    let before = (folder.names(), contents());
    let mut command = search(&["q.cql", "games.pgn"]);
    let output = command
        .args(arguments)
        .current_dir(folder.path())
        .output()
        .expect("the command runs");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(
        (folder.names(), contents()) == before,
        "{arguments:?} changed something"
    );
    String::from_utf8(output.stderr).expect("UTF-8")
}

fn games_and_a_query() -> Folder {
    let folder = Folder::new();
    folder.file("games.pgn", std::fs::read(CLASSICS).expect("the examples are there"));
    folder.file("similar.pgn", "1. e4 *\n");
    folder.file("q.cql", "cql() mate similarposition \"similar.pgn\"");
    folder
}

#[test]
fn what_is_read_is_never_written() {
    let folder = games_and_a_query();
    let absolute = folder.path().join("games.pgn");
    for output in ["games.pgn", "./games.pgn", text(&absolute), "q.cql", "similar.pgn"] {
        for force in [&[][..], &["--force"]] {
            let said = refused(&folder, &[&["-f", "pgn", "-o", output], force].concat());
            assert!(said.contains("never overwritten"), "{said}");
        }
    }
    let whole = text(folder.path());
    let said = refused(&folder, &[whole, "-o", "similar.pgn", "--force"]);
    assert!(
        said.contains("an input of this run"),
        "found by looking into a folder: {said}"
    );
    let output = skewer()
        .args(["cql", "-input", "games.pgn", "-output", "games.pgn", "q.cql"])
        .current_dir(folder.path())
        .output()
        .expect("the command runs");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        std::fs::read(&absolute).expect("it is there"),
        std::fs::read(CLASSICS).expect("the examples are there")
    );
}

#[cfg(unix)]
#[test]
fn links_to_what_is_read_count() {
    let folder = games_and_a_query();
    std::os::unix::fs::symlink("games.pgn", folder.path().join("soft.pgn")).expect("links can be made");
    for (file, link) in [("games.pgn", "hard.pgn"), ("q.cql", "hard.cql")] {
        std::fs::hard_link(folder.path().join(file), folder.path().join(link)).expect("links can be made");
    }
    for output in ["soft.pgn", "hard.pgn", "hard.cql"] {
        let said = refused(&folder, &["-f", "pgn", "-o", output, "--force"]);
        assert!(said.contains("never overwritten"), "{said}");
    }
    // If standard input is redirected from a file, that file counts as an input, whether it has games or a query.
    for (file, arguments) in [
        ("games.pgn", ["-e", "mate", "-"]),
        ("q.cql", ["-f", "pgn", "games.pgn"]),
    ] {
        let query = ["-"].iter().filter(|_| file == "q.cql");
        let input = std::fs::File::open(folder.path().join(file)).expect("it is there");
        let output = process::Command::new(assert_cmd::cargo::cargo_bin!("skewer"))
            .arg("search")
            .args(query)
            .args(arguments)
            .args(["-o", file, "--force"])
            .current_dir(folder.path())
            .stdin(input)
            .output()
            .expect("the command runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("never overwritten"), "{said}");
    }
    // A search that writes to its own input would never end.
    let games = folder.path().join("games.pgn");
    let before = std::fs::read(&games).expect("it is there");
    let output = process::Command::new(assert_cmd::cargo::cargo_bin!("skewer"))
        .args(["search", "-e", "true", text(&games)])
        .stdout(std::fs::File::options().append(true).open(&games).expect("it is there"))
        .output()
        .expect("the command runs");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(std::fs::read(&games).expect("it is there"), before);
}

#[test]
fn a_file_of_somebody_else_is_replaced_by_force_only() {
    let folder = games_and_a_query();
    folder.file("other.pgn", "1. d4 *\n");
    let said = refused(&folder, &["-o", "other.pgn"]);
    assert!(said.contains("--force"), "{said}");
    let run = |arguments: &[&str]| {
        let mut command = search(&["-e", "mate", "games.pgn", "-o"]);
        command.args(arguments).current_dir(folder.path()).assert()
    };
    run(&["other.pgn", "--force"]).code(0);
    run(&["other.pgn"]).code(0);
    run(&["other.pgn", "-f", "fen"]).code(2);
    run(&["new.csv"]).code(0);
    run(&["new.csv"]).code(0);
    let table = folder.path().join("new.csv");
    let changed = std::fs::read_to_string(&table).expect("it is there") + "a remark\n";
    std::fs::write(&table, &changed).expect("it can be written");
    run(&["new.csv"]).code(2);
    assert_eq!(std::fs::read_to_string(&table).expect("it is there"), changed);
}

#[test]
fn an_output_that_cannot_be_written_is_named_with_its_query() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let full = || {
        std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .expect("it is there")
    };
    let skewer = assert_cmd::cargo::cargo_bin!("skewer");
    let named = process::Command::new(skewer)
        .args(["search", "-e", "true", CLASSICS, "-o", "/dev/full"])
        .output()
        .expect("the command runs");
    let printed = process::Command::new(skewer)
        .args(["search", "-e", "true", CLASSICS])
        .stdout(full())
        .output()
        .expect("the command runs");
    for (output, name) in [(named, "/dev/full"), (printed, "standard output")] {
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        let expected = format!("error: cannot write the output: {name}: No space left on device");
        assert!(said.contains(&expected) && said.contains("of the query <-e>"), "{said}");
    }
}

/// Escapes in games or names must not act as commands to the terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_sees_escapes_of_others_as_text() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", "[Event \"\u{1b}]0;pwned\u{e}\"]\n\n1. e4 *\n");
    let skewer = assert_cmd::cargo::cargo_bin!("skewer");
    for (arguments, shown) in [
        ("-e 'initial message(event)' games.pgn -f ids", "\\x1b]0;pwned\\x0e"),
        ("-e initial games.pgn -f csv", "\\x1b]0;pwned\\x0e"),
        ("-e initial \"$(printf 'no\\033[31m.pgn')\"", "no\\x1b[31m.pgn"),
    ] {
        let command = format!("'{}' search --color never {arguments}", skewer.display());
        let output = process::Command::new("script")
            .args(["-qec", &command, "/dev/null"])
            .env("PAGER", "")
            .current_dir(folder.path())
            .output();
        let Ok(output) = output else {
            eprintln!("skipped: there is no `script` for a terminal");
            return;
        };
        let seen = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(seen.contains(shown) && !seen.contains('\u{1b}'), "{seen:?}");
    }
    let piped = stdout(&mut search(&["-e", "initial", text(&games), "-f", "csv"]));
    assert!(piped.contains("\u{1b}]0;pwned"), "other programs get it as it is");
}
