//! Finds out which signals were ignored when the process started, as with `nohup` or in a script with `&`, because it is then meant to go
//! on.

use std::fs;
use std::process::{Command, Stdio};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// The signals that ask a process to end, with their names in shells.
const SIGNALS: [(i32, &str); 3] = [(SIGHUP, "HUP"), (SIGINT, "INT"), (SIGTERM, "TERM")];

/// A script that sends each signal to the shell that runs it. The shell inherits ignored signals and cannot change that, so it prints only
/// the others.
const SCRIPT: &str = r#"for name in HUP INT TERM; do trap "echo $name" "$name"; kill -s "$name" $$; done"#;

/// Returns the signals that ask a process to end and were not ignored at the start.
pub(super) fn not_ignored() -> Vec<i32> {
    // Linux reports this. On other systems it cannot be asked without `unsafe`.
    let status = fs::read_to_string("/proc/self/status").ok();
    match status.as_deref().and_then(ignored) {
        Some(ignored) => {
            let numbers = SIGNALS.iter().map(|(number, _)| *number);
            numbers.filter(|number| ignored >> (number - 1) & 1 == 0).collect()
        }
        None => not_ignored_by(Command::new("sh")),
    }
}

/// Returns the ignored signals, one bit each, from the status of a process.
fn ignored(status: &str) -> Option<u64> {
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
    u64::from_str_radix(mask.trim(), 16).ok()
}

/// Returns the signals that are not ignored in a shell that this process starts, and so not in this process either. Returns all if there is
/// no shell.
fn not_ignored_by(mut shell: Command) -> Vec<i32> {
    let output = shell
        .args(["-c", SCRIPT])
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output();
    let said = output.ok().filter(|output| output.status.success());
    let said = said.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    let is_reported = |name: &str| said.as_ref().is_none_or(|said| said.lines().any(|line| line == name));
    let handled = SIGNALS.iter().filter(|(_, name)| is_reported(name));
    handled.map(|(number, _)| *number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_and_shells_say_the_same() {
        // They may be ignored where the tests run.
        let handled = not_ignored();
        assert_eq!(not_ignored_by(Command::new("sh")), handled);
        for (names, numbers) in [("HUP", &[SIGHUP][..]), ("INT TERM", &[SIGINT, SIGTERM])] {
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("trap '' {names}; exec sh \"$@\""), "sh"]);
            let others: Vec<i32> = handled
                .iter()
                .copied()
                .filter(|number| !numbers.contains(number))
                .collect();
            assert_eq!(not_ignored_by(shell), others, "{names}");
        }
        assert_eq!(
            not_ignored_by(Command::new("/dev/null")),
            SIGNALS.map(|(number, _)| number)
        );
    }

    #[test]
    fn the_status_of_a_process_is_read() {
        assert_eq!(
            ignored("Name:\tskewer\nSigIgn:\t0000000000001003\nSigCgt:\t0000000000000000\n"),
            Some(0x1003)
        );
        assert_eq!(ignored("Name:\tskewer\n"), None);
    }
}
