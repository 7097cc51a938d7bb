//! `skewer mcp` in a program that was built without it. `tests/mcp` tests it in the others.

use predicates::prelude::*;

use super::*;

#[test]
fn what_is_missing_is_said() {
    let mut command = skewer();
    command.args(["mcp", CLASSICS]).assert().code(2).stdout("").stderr(
        predicate::str::contains("was built without what `mcp` needs").and(predicate::str::contains("--features mcp")),
    );
}
