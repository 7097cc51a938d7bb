//! What newcomers give as commands and options, and what is meant: arguments of a search without the command, words of other programs.

use std::ffi::OsString;

use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cli::shell;

/// Words that are no commands, with the command that does what they say.
const COMMANDS: [(&[&str], &str); 9] = [
    (
        &["find", "query", "grep", "run", "filter", "select", "match", "scan"],
        "search",
    ),
    (&["lint", "validate", "verify", "parse"], "check"),
    (&["format", "pretty"], "fmt"),
    (&["convert", "build", "db", "database", "import", "create"], "index"),
    (&["draw", "fen", "diagram", "position"], "board"),
    (&["view", "print", "cat", "open", "display", "game"], "show"),
    (&["list", "ls", "themes", "queries"], "library"),
    (&["init", "template"], "new"),
    (&["plan", "analyze", "analyse"], "explain"),
];

/// Options that no command has, with what there is instead.
const OPTIONS: [(&[&str], &str); 9] = [
    (
        &["--jobs", "--parallel", "--cpus", "-t"],
        "`-j N` is for the number of threads",
    ),
    (
        &["-v", "--verbose", "--debug"],
        "on a terminal a search shows how far it is; `skewer explain` says what it does",
    ),
    (
        &["--query", "--filter", "--filters", "--cql", "-c"],
        "filters stand after `-e`: `-e 'mate'`; a query file has no option in front",
    ),
    (
        &["-i", "--input", "--pgn", "--file", "--games-file", "--db"],
        "games have no option in front: `skewer search mate.cql games.pgn`; `skewer cql -input` is as CQL has it",
    ),
    (
        &["--max", "--count", "--head", "--top", "--first-n"],
        "`-n N` ends the search after N games, `-f count` counts",
    ),
    (
        &["--fix", "--write"],
        "editors with `skewer lsp` make the changes that messages propose; `skewer fmt` lays queries out",
    ),
    (
        &["--date", "--from", "--to", "--since", "--until"],
        "`--year 1990-2000` narrows by the year",
    ),
    (
        &["--not", "--exclude", "--without", "--no-player", "--not-player"],
        "`not` is a filter: `-e 'not player \"Carlsen\"'` leaves out these games",
    ),
    (
        &["--rating", "--min-elo", "--minelo"],
        "`--elo 2500-` is for ratings of 2500 and more",
    ),
];

/// Advice for arguments that no command takes. What clap would propose is left out of the error where it is about something else.
pub(crate) fn advice(error: &mut clap::Error, arguments: &[OsString]) -> Option<String> {
    let given = |error: &clap::Error, kind: ContextKind| match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        _ => String::new(),
    };
    let advice = match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let word = given(error, ContextKind::InvalidSubcommand);
            let known = COMMANDS.iter().find(|(words, _)| words.contains(&&*word));
            match known {
                Some((_, command)) => format!("`skewer {command}` does that: `skewer help {command}`"),
                None if is_nearly_a_command(error) => return None,
                None => search_with(arguments.get(1..).unwrap_or_default()),
            }
        }
        ErrorKind::UnknownArgument => {
            let option = given(error, ContextKind::InvalidArg);
            let is_number = option
                .strip_prefix('-')
                .is_some_and(|number| number.parse::<u64>().is_ok());
            let known = OPTIONS.iter().find(|(options, _)| options.contains(&&*option));
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
                Some((_, advice)) => (*advice).to_owned(),
                None => return None,
            }
        }
        _ => return None,
    };
    error.remove(ContextKind::SuggestedSubcommand);
    error.remove(ContextKind::Suggested);
    Some(format!("help: {advice}"))
}

/// Whether clap proposes a command that differs in a letter or two.
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

/// How a search is written whose arguments stand without their command.
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
