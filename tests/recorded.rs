//! Results that are recorded in files next to the tests. `tests/README.md` says how to bless new ones.

use std::env;
use std::fs;
use std::path::Path;

/// Returns the recorded result of a test. With `SKEWER_BLESS=1`, records today's result and returns it.
pub(crate) fn recorded(file: &Path, today: &str) -> String {
    if env::var_os("SKEWER_BLESS").is_some() {
        fs::write(file, today).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
    fs::read_to_string(file).unwrap_or_default()
}

/// Returns whether to run a case. With `SKEWER_CASE=NAME`, only cases of that name run.
pub(crate) fn is_wanted(case: &str) -> bool {
    env::var("SKEWER_CASE").map_or(true, |name| name == case)
}
