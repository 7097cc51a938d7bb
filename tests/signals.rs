//! Signals to processes that tests have started.
//!
//! No test sleeps before a signal: it waits for a sign that the process is ready.
//!
//! Tests send SIGTERM, because other signals may be ignored when the tests run under `&` or `nohup`.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;

/// The exit code of a run that SIGTERM ended.
pub(crate) const TERMINATED: Option<i32> = Some(128 + 15);

/// Sends a signal to a process.
pub(crate) fn send(process: u32, name: &str) {
    let sent = Command::new("kill")
        .args([format!("-{name}"), process.to_string()])
        .stderr(Stdio::null())
        .status();
    // The process may already have ended.
    sent.expect("there is `kill`");
}

/// Sends SIGTERM to a process.
pub(crate) fn terminate(child: &Child) {
    send(child.id(), "TERM");
}

/// Waits until a process handles signals, where the system shows that.
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

/// Returns whether the tests run with a signal ignored.
pub(crate) fn is_ignored(name: &str) -> bool {
    let script = format!("trap 'echo handled' {name}; kill -{name} $$");
    let output = Command::new("sh").args(["-c", &script]).output();
    output.expect("there is a shell").stdout.is_empty()
}
