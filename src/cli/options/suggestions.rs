//! Advice for commands and options that do not exist: searches without the command, and words of other programs.

use std::ffi::OsString;
use std::sync::LazyLock;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cli::shell;
use crate::syntax::table::Table;

/// Words that are not commands, and options that no command has, below the command or advice that is meant.
static TABLE: LazyLock<Table> = LazyLock::new(|| Table::read(include_str!("suggestions.txt")));

/// Returns what to use instead of a word or an option.
fn meant(given: &str) -> Option<&'static str> {
    let mut rows = TABLE.rows.iter();
    let row = rows.find(|row| row.keys().any(|known| known == given))?;
    Some(row.heading)
}

/// Returns advice for arguments that no command takes. Removes clap's proposal from the error if that would be misleading.
pub(crate) fn advice(error: &mut clap::Error, arguments: &[OsString]) -> Option<String> {
    let given = |error: &clap::Error, kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        _ => String::new(),
    };
    let advice = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = given(error, ContextKind::InvalidSubcommand);
            match meant(&word) {
                Some(command) => format!("`skewer {command}` does that: `skewer help {command}`"),
                None if is_nearly_a_command(error) => return None,
                None => search_with(arguments.get(1..).unwrap_or_default()),
            }
        }
        ErrorKind::UnknownArgument => {
            let option = given(error, ContextKind::InvalidArg);
            let is_number = option
                .strip_prefix('-')
                .is_some_and(|number| number.parse::<u64>().is_ok());
            let known = meant(&option).filter(|_| option.starts_with('-'));
            let is_first = arguments
                .get(1)
                .is_some_and(|first| first.to_string_lossy().starts_with('-'));
            match known {
                None if !option.starts_with('-') && arguments.get(1).is_some_and(|command| command == "library") => {
                    "words are looked for with --find, between quotation marks if there are several: `skewer library --find 'back rank'`"
                        .to_owned()
                }
                _ if is_first && option == "-e" => search_with(&arguments[1..]),
                _ if is_number => "a number after an option is 1 or more".to_owned(),
                Some(advice) => advice.to_owned(),
                None => return None,
            }
        }
        _ => return None,
    };
    for proposal in [
        ContextKind::SuggestedSubcommand,
        ContextKind::SuggestedArg,
        ContextKind::Suggested,
    ] {
        error.remove(proposal);
    }
    Some(format!("help: {advice}"))
}

/// Returns whether clap proposes a command that differs in a letter or two.
fn is_nearly_a_command(error: &clap::Error) -> bool {
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return false;
    };
    let is_near = |command: &str| crate::syntax::edits(word, command) <= word.chars().count() / 3;
    match error.get(ContextKind::SuggestedSubcommand) {
        Some(ContextValue::String(command)) => is_near(command),
        Some(ContextValue::Strings(commands)) => commands.iter().any(|command| is_near(command)),
        _ => false,
    }
}

/// Returns the search that was meant by arguments without a command.
fn search_with(arguments: &[OsString]) -> String {
    let is_file = |argument: &OsString| argument.to_string_lossy().contains(['.', '/']);
    let is_option = |argument: &OsString| argument.to_string_lossy().starts_with('-');
    match arguments {
        [first, ..] if is_file(first) || is_option(first) => {
            let mut all = vec![OsString::from("skewer"), OsString::from("search")];
            all.extend(arguments.iter().cloned());
            format!("a search begins with its command: `{}`", shell::shown(all))
        }
        _ => "filters are searched with `skewer search -e 'mate' games.pgn`, a query file with `skewer search mate.cql games.pgn`".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_is_there_once_below_what_is_meant() {
        for row in &TABLE.rows {
            assert!(
                !row.heading.is_empty() && row.values.is_empty(),
                "suggestions.txt:{}",
                row.line
            );
            for word in row.keys() {
                assert_eq!(meant(word), Some(row.heading), "suggestions.txt:{}: {word}", row.line);
            }
        }
    }
}
