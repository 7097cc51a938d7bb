//! Packed files.

use std::io::Write as _;

use predicates::prelude::*;

use super::*;

#[test]
fn large_windows_are_read_on_demand_only() {
    let folder = Folder::new();
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("zstd");
    encoder.window_log(28).expect("zstd");
    let pgn = std::fs::read(CLASSICS).expect("the games");
    encoder.write_all(&pgn).expect("zstd");
    let path = folder.file("long.pgn.zst", encoder.finish().expect("zstd"));
    let arguments = ["-e", "mate", "-f", "ids", text(&path)];
    let expected = "long.pgn.zst: it was packed with a larger window than is allowed: `--long`";
    search(&arguments)
        .assert()
        .code(2)
        .stderr(predicate::str::contains(expected));
    for long in ["--long", "--long=28"] {
        assert_eq!(stdout(search(&arguments).arg(long)), MATES, "{long}");
    }
}
