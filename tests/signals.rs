//! Signals to processes that tests have started. Nobody sleeps: what has to happen before is looked for.
//!
//! Tests send SIGTERM, as whoever runs them with `&` or `nohup` has them ignore others.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;

/// The exit code of a run that SIGTERM has ended.
pub(crate) const TERMINATED: Option<i32> = Some(128 + 15);

/// Sends a signal to a process.
pub(crate) fn send(process: u32, name: &str) {
    let sent = Command::new("kill")
        .args([format!("-{name}"), process.to_string()])
        .stderr(Stdio::null())
        .status();
    // The process may just have ended.
    sent.expect("there is `kill`");
}

/// Asks a process to end.
pub(crate) fn terminate(child: &Child) {
    send(child.id(), "TERM");
}

/// Waits until a process handles signals, where the system says so.
pub(crate) fn wait_until_handled(child: &mut Child) {
    let status = format!("/proc/{}/status", child.id());
    while let Ok(status) = fs::read_to_string(&status) {
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        if caught.is_none_or(|caught| caught >> 14 & 1 == 1) {
            return;
        }
        assert!(child.try_wait().expect("it can be asked").is_none(), "it has ended");
        thread::yield_now();
    }
}

/// Whether whoever runs the tests has them ignore a signal.
pub(crate) fn is_ignored(name: &str) -> bool {
    let script = format!("trap 'echo handled' {name}; kill -{name} $$");
    let output = Command::new("sh").args(["-c", &script]).output();
    output.expect("there is a shell").stdout.is_empty()
}
