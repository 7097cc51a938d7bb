//! Options that several commands share, and why the other commands have them not.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// An option that several commands share.
struct Shared {
    long: &'static str,
    short: Option<char>,
    /// The commands without it, each with the reason.
    refused: &'static [(&'static str, &'static str)],
}

const NO_QUERY: &str = "it has no query";
const NO_GAMES: &str = "it reads no games";
const LITTLE: &str = "it says nothing beside its result";
const STDOUT: &str = "it prints to standard output: `> FILE` writes a file";
const NO_FILE: &str = "it writes no file";

/// Which option is not for which command. `--color` is for all of them.
const TABLE: [Shared; 6] = [
    Shared {
        long: "expression",
        short: Some('e'),
        refused: &[
            (
                "show",
                "it shows games and positions by number; `skewer search -e` finds them",
            ),
            ("fmt", "it lays out files; `-` stands for a query from standard input"),
            (
                "index",
                "a database has all games; `skewer search -e` finds some of them",
            ),
            (
                "board",
                "it draws one position; `skewer search -e ... -f board` draws those that match",
            ),
            ("test", "self-tests stand in query files"),
            ("library", "`--find` looks for words"),
            ("new", "it writes a query to start from, which you then edit"),
            ("lsp", NO_QUERY),
            ("help", NO_QUERY),
            ("completions", NO_QUERY),
            ("man", NO_QUERY),
        ],
    },
    Shared {
        long: "threads",
        short: Some('j'),
        refused: &[
            ("fmt", NO_GAMES),
            ("explain", NO_GAMES),
            ("board", NO_GAMES),
            ("new", NO_GAMES),
            ("lsp", NO_GAMES),
            ("help", NO_GAMES),
            ("completions", NO_GAMES),
            ("man", NO_GAMES),
        ],
    },
    Shared {
        long: "quiet",
        short: Some('q'),
        refused: &[
            ("fmt", LITTLE),
            ("explain", LITTLE),
            ("board", LITTLE),
            ("new", LITTLE),
            ("lsp", LITTLE),
            ("help", LITTLE),
            ("completions", LITTLE),
            ("man", LITTLE),
        ],
    },
    Shared {
        long: "output",
        short: Some('o'),
        refused: &[
            ("check", STDOUT),
            ("fmt", "it writes the files that it reads, or standard output for `-`"),
            ("explain", STDOUT),
            ("test", "`--junit FILE` writes a report"),
            ("new", "the name that you give is that of the file"),
            ("lsp", "it speaks with an editor"),
            ("help", STDOUT),
            ("completions", STDOUT),
            ("man", "`--out-dir DIR` writes the pages"),
        ],
    },
    Shared {
        long: "json",
        short: None,
        refused: &[
            ("fmt", "it prints queries"),
            ("index", "a database is Parquet, which other programs read"),
            ("board", "it draws; `--svg` is for programs"),
            ("new", "it prints nothing"),
            ("lsp", "it speaks JSON anyway"),
            ("help", "it prints text"),
            ("completions", "it prints a script"),
            ("man", "it prints manual pages"),
        ],
    },
    Shared {
        long: "force",
        short: None,
        refused: &[
            ("check", NO_FILE),
            ("fmt", "it writes only files that are still what it read"),
            ("explain", NO_FILE),
            ("new", "it never replaces a file"),
            ("lsp", NO_FILE),
            ("help", NO_FILE),
            ("completions", NO_FILE),
        ],
    },
];

/// Why the command that was run does not take the option that an error is about, if it is one that other commands take.
pub(crate) fn reason(error: &clap::Error, command: &str) -> Option<String> {
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let option = option.split('=').next().unwrap_or(option);
    let shared = TABLE.iter().find(|shared| match option.strip_prefix("--") {
        Some(long) => shared.long == long,
        None => shared.short.is_some_and(|short| option == format!("-{short}")),
    })?;
    let (_, reason) = shared.refused.iter().find(|(name, _)| *name == command)?;
    Some(format!("note: `skewer {command}` does not take {option}: {reason}"))
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
            for shared in &TABLE {
                let takes = command
                    .get_arguments()
                    .any(|argument| argument.get_long() == Some(shared.long));
                let refuses = shared.refused.iter().any(|(name, _)| *name == command.get_name());
                assert!(takes != refuses, "{} --{}", command.get_name(), shared.long);
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
