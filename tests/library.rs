//! Tests of the library of queries, `queries/`: it finds what it claims, without warnings, is formatted, and has an up-to-date index.

use std::path::Path;
use std::process::Command;

use crate::recorded::recorded;

/// Returns what `skewer library` prints about the folder.
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
        let today = index(format);
        assert!(
            recorded(&path, &today) == today,
            "{name} is not up to date; tests/README.md says how to bless it"
        );
    }
}

#[test]
fn the_queries_are_what_continuous_integration_asks_of_queries() {
    for arguments in [
        &["fmt", "--check"][..],
        &["check", "--deny", "warnings"],
        &["test", "--quiet"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_skewer"))
            .args(arguments)
            .arg("queries")
            .env("SKEWER_TABLEBASE", "tests/syzygy")
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("the command runs");
        let said = [output.stdout, output.stderr].concat();
        assert!(
            output.status.success(),
            "skewer {arguments:?} queries:\n{}",
            String::from_utf8_lossy(&said)
        );
    }
}
