//! The library of queries, `queries/`: it finds what its examples say, is laid out in the common style, gives no warning, and its
//! index is up to date.

use std::fs;
use std::path::Path;
use std::process::Command;

/// What `skewer library` makes of the folder.
fn index(format: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_skewer"))
        .args(["library", "queries", "--format", format])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the command runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{errors}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn the_index_is_made_of_the_queries_that_are_there() {
    for (format, name) in [("markdown", "queries/README.md"), ("html", "queries/index.html")] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let committed = fs::read_to_string(path).unwrap_or_default();
        assert!(
            committed == index(format),
            "{name} is not up to date: skewer library queries --format {format} -o {name}"
        );
    }
}

#[test]
fn every_query_finds_what_its_examples_say() {
    for arguments in [
        &["test", "queries", "--quiet"][..],
        &["fmt", "--check", "queries"],
        &["check", "--deny", "warnings", "queries"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_skewer"))
            .args(arguments)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("the command runs");
        assert!(
            output.status.success(),
            "skewer {}:\n{}{}",
            arguments.join(" "),
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
