//! The index of the commands for working on skewer. `cargo xtask` lists them, `cargo xtask NAME [ARGUMENT]...` runs one.

use std::env;
use std::path::Path;
use std::process::{Command, ExitCode};

/// The name of a command, its description, and the line that a shell runs in the root of the repository.
type Task = (&'static str, &'static str, &'static str);

#[rustfmt::skip]
const TASKS: &[Task] = &[
    ("ci", "everything that has to pass, or some of its steps", ".ci/run"),
    ("lint", "formatting and clippy", ".ci/run format lint"),
    ("test", "all tests, or those of a path such as cli::", "cargo test --locked"),
    ("bless", "record today's results: tests/README.md", "SKEWER_BLESS=1 cargo test --locked --test tests"),
    ("bench", "time searches: docs/benchmarks.md", "cargo bench --bench units --"),
    ("bench-board", "time routines on bitboards: docs/board-variants.md", "cargo bench --bench board --"),
    ("shape", "show how time and memory grow with the games", "benches/scale/shape"),
    ("fuzz", "look for inputs that break something: docs/fuzzing.md", "fuzz/run"),
    ("python", "build and test the Python package", "python/test"),
    ("vscode", "test the extension for Visual Studio Code", ".ci/run vscode"),
    ("book", "make a book of docs/ in target/book", ".ci/book"),
    ("doc", "document the crate", "cargo doc --no-deps --locked"),
    ("archive", "build an archive of a release for a target", "packaging/archive"),
    ("repository", "say in all files where the repository is", "packaging/repository"),
];

fn main() -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    let Some(name) = arguments.next() else {
        for (name, does, line) in TASKS {
            println!("{name:12} {does}\n{:12}   {line}", "");
        }
        return ExitCode::SUCCESS;
    };
    let Some((_, _, line)) = TASKS.iter().find(|(task, ..)| name == *task) else {
        eprintln!(
            "error: there is no command {}; `cargo xtask` lists them",
            name.display()
        );
        return ExitCode::from(2);
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("it is in the repository");
    let mut shell = Command::new("sh");
    shell
        .args(["-c", &format!("{line} \"$@\""), line])
        .args(arguments)
        .current_dir(root);
    match shell.status() {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(status) => ExitCode::from(status.code().and_then(|code| code.try_into().ok()).unwrap_or(1)),
        Err(error) => {
            eprintln!("error: sh cannot be started: {error}");
            ExitCode::FAILURE
        }
    }
}
