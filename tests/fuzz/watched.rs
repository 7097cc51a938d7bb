//! Trials that may panic or never end.

use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use skewer::search::STACK_BYTES;

/// An input that takes longer than this counts as endless.
const PATIENCE: Duration = Duration::from_secs(60);

/// Tries inputs one after the other, on a stack as large as that of the command. Returns for how many the trial returns `true`.
pub(crate) fn try_all(
    name: &str,
    inputs: impl Iterator<Item = Vec<u8>> + Send + 'static,
    trial: impl Fn(&[u8]) -> bool + Send + 'static,
) -> usize {
    let current = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{name}"));
    let (sender, tried) = mpsc::channel();
    let file = current.clone();
    let work = move || {
        for input in inputs {
            fs::write(&file, &input).expect("the folder for temporary files can be written to");
            let result = panic::catch_unwind(AssertUnwindSafe(|| trial(&input)));
            let failed = result.is_err();
            if sender.send(result.map_err(|_| ())).is_err() || failed {
                return;
            }
        }
    };
    let worker = thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    let worker = worker.expect("a thread can be started");
    let mut good = 0;
    loop {
        match tried.recv_timeout(PATIENCE) {
            Ok(Ok(is_good)) => good += usize::from(is_good),
            Ok(Err(())) => panic!("something does not hold for the input in {}", current.display()),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => panic!("no end in sight for the input in {}", current.display()),
        }
    }
    worker.join().expect("panics were caught");
    let _ = fs::remove_file(current);
    good
}

/// Tries inputs with a trial that returns nothing.
pub(crate) fn try_each(
    name: &str,
    inputs: impl Iterator<Item = Vec<u8>> + Send + 'static,
    trial: impl Fn(&[u8]) + Send + 'static,
) {
    try_all(name, inputs, move |input| {
        trial(input);
        true
    });
}
