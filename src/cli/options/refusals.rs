//! Explains why a command does not have an option that others have.

use std::sync::LazyLock;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::syntax::table::{Row, Table};

/// For each option, the commands without it and the reason.
static TABLE: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("refusals.txt")));

/// If an error is about an option that only other commands have, returns why this command does not have it.
pub(crate) fn reason(error: &clap::Error, command: &str) -> Option<String> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let option = option.split('=').next().unwrap_or(option);
    let row = TABLE.rows.iter().find(|row| refuses(row, option, command))?;
    let reason = row.values.first()?;
    Some(format!("note: `skewer {command}` does not take {option}: {reason}"))
}

/// Returns whether a row says why a command does not have an option.
fn refuses(row: &Row, option: &str, command: &str) -> bool {
    row.heading.split(' ').any(|known| known == option) && row.keys().any(|known| known == command)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn every_command_takes_a_shared_option_or_says_why_not() {
        let mut program = Cli::command();
        program.build();
        for command in program.get_subcommands().filter(|command| command.get_name() != "cql") {
            for row in &TABLE.rows {
                let option = row.heading.split(' ').next().unwrap_or_default();
                let takes = command
                    .get_arguments()
                    .any(|argument| argument.get_long() == option.strip_prefix("--"));
                let reasons = TABLE.rows.iter().filter(|row| refuses(row, option, command.get_name()));
                assert_eq!(row.values.len(), 1, "refusals.txt:{}", row.line);
                let expected = usize::from(!takes);
                assert_eq!(
                    reasons.count(),
                    expected,
                    "{} {option}, refusals.txt:{}",
                    command.get_name(),
                    row.line
                );
            }
            let color = command
                .get_arguments()
                .any(|argument| argument.get_long() == Some("color"));
            assert!(color, "{}", command.get_name());
        }
    }

    #[test]
    fn the_reason_is_that_of_the_command() {
        for (arguments, expected) in [
            (
                &["skewer", "explain", "-j", "4"][..],
                "note: `skewer explain` does not take -j: it reads no games",
            ),
            (
                &["skewer", "board", "--json", "8/8/8/8/8/8/8/8"],
                "note: `skewer board` does not take --json: it draws",
            ),
        ] {
            let error = Cli::command().try_get_matches_from(arguments).unwrap_err();
            let said = reason(&error, arguments[1]).unwrap_or_default();
            assert!(said.starts_with(expected), "{said}");
        }
        let error = Cli::command()
            .try_get_matches_from(["skewer", "check", "--jso"])
            .unwrap_err();
        assert_eq!(reason(&error, "check"), None);
    }
}
