//! Running programs.

use std::error::Error;
use std::fs::File;
use std::process::{Command, Output, Stdio};

/// Returns the built command, on one thread.
pub(crate) fn skewer() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skewer"));
    command.args(["search", "--threads", "1"]);
    command
}

/// Runs a program to its end. Returns its standard output.
///
/// `good` lists the exit codes that do not mean a failure.
///
/// # Errors
/// Returns an error if the program cannot be run or fails. The error has the last line that the program printed.
pub(crate) fn run(command: &mut Command, good: &[i32]) -> Result<String, Box<dyn Error>> {
    let output = finish(command, good)?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Runs a program to its end, as [`run`] does, with a file as its standard output.
pub(crate) fn run_into(command: &mut Command, file: File, good: &[i32]) -> Result<(), Box<dyn Error>> {
    finish(command.stdout(file), good).map(|_| ())
}

fn finish(command: &mut Command, good: &[i32]) -> Result<Output, Box<dyn Error>> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{program}: {error}"))?;
    if output.status.code().is_some_and(|code| good.contains(&code)) {
        Ok(output)
    } else {
        Err(format!("{program}: {}; {}", output.status, last_words(&output)).into())
    }
}

/// Returns the last line that a program printed.
fn last_words(output: &Output) -> String {
    let text = [&output.stdout[..], &output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    let last = text.lines().rfind(|line| !line.trim().is_empty());
    last.unwrap_or("it prints nothing").trim().to_owned()
}
