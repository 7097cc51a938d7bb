//! Completions for names: queries of the library, words of the language, files.

use std::collections::BTreeSet;
use std::ffi::OsStr;

use clap::Command;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};

use crate::cli::queries::text::description;
use crate::output::READY_MADE;
use crate::{guide, library, stats};

/// Completes names of queries of the library, and files.
pub(crate) fn of_queries() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let mut found = PathCompleter::any().complete(typed);
        found.extend(queries(typed));
        found
    })
}

/// Completes keys of `skewer stats`, which may be separated by commas.
pub(crate) fn of_keys() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let Some(typed) = typed.to_str() else {
            return Vec::new();
        };
        let begun = typed.rfind(',').map_or(0, |comma| comma + 1);
        let (before, name) = typed.split_at(begun);
        let matching = stats::NAMES.iter().filter(|(key, _)| key.starts_with(name));
        let candidate = |(key, help): &(&str, &'static str)| {
            let key = key.trim_end_matches("NAME");
            CompletionCandidate::new(format!("{before}{key}")).help(Some((*help).into()))
        };
        matching.map(candidate).collect()
    })
}

/// Completes the ready-made columns of `skewer search`.
pub(crate) fn of_columns() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let typed = typed.to_string_lossy();
        let matching = READY_MADE.iter().filter(|(name, _)| name.starts_with(&*typed));
        let candidate =
            |(name, help): &(&'static str, &'static str)| CompletionCandidate::new(*name).help(Some((*help).into()));
        matching.map(candidate).collect()
    })
}

/// Completes names of queries of the library.
pub(crate) fn of_library() -> ArgValueCompleter {
    ArgValueCompleter::new(queries)
}

/// Completes folders, and sections of the library.
pub(crate) fn of_folders() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let mut found = PathCompleter::dir().complete(typed);
        let typed = typed.to_string_lossy();
        let sections = sections().into_iter().filter(|section| section.starts_with(&*typed));
        found.extend(sections.map(CompletionCandidate::new));
        found
    })
}

/// Returns the program with a `help` that completes subcommands, words of the language and everyday words.
pub(super) fn with_topics(program: Command) -> Command {
    let named = program.clone();
    let completer = ArgValueCompleter::new(move |typed: &OsStr| topics(typed, &named));
    program.mut_subcommand("help", |help| {
        // `mut_arg` would move the argument behind the others.
        help.mut_args(|arg| match arg.get_id() == "topic" {
            true => arg.add(completer.clone()),
            false => arg,
        })
    })
}

/// Returns the queries whose names begin with the typed text: by their short names, unless several share it or a section is typed. If
/// nothing is typed, returns the sections.
fn queries(typed: &OsStr) -> Vec<CompletionCandidate> {
    let Some(typed) = typed.to_str() else {
        return Vec::new();
    };
    if typed.is_empty() {
        let sections = sections().into_iter().map(|section| format!("{section}/"));
        return sections.map(CompletionCandidate::new).collect();
    }
    let matching = library::queries().filter_map(|query| {
        let is_alone = || library::named(query.short_name()).len() == 1;
        let name = if typed.contains('/') || !is_alone() {
            query.name()
        } else {
            query.short_name()
        };
        name.starts_with(typed)
            .then(|| CompletionCandidate::new(name).help(Some(description(query.text()).into())))
    });
    matching.collect()
}

fn sections() -> BTreeSet<&'static str> {
    library::queries().map(|query| query.section()).collect()
}

fn topics(typed: &OsStr, program: &Command) -> Vec<CompletionCandidate> {
    let Some(typed) = typed.to_str() else {
        return Vec::new();
    };
    let words = guide::sections().iter().flat_map(|section| &section.words);
    let words =
        words.filter(|word| word.starts_with(typed) && word.starts_with(|sign: char| sign.is_ascii_alphanumeric()));
    let words = words.map(|word| {
        let summary = guide::topic(word).and_then(|topic| topic.summary());
        CompletionCandidate::new(*word).help(summary.map(|summary| summary.to_string().into()))
    });
    let everyday = guide::everyday_words().iter().flat_map(|word| {
        let names = word.names.iter().filter(|name| name.starts_with(typed));
        names.map(|name| CompletionCandidate::new(name).help(Some(word.meaning.to_string().into())))
    });
    let commands = program.get_subcommands().map(|command| {
        let about = command.get_about().cloned();
        CompletionCandidate::new(command.get_name()).help(about)
    });
    let commands = commands.filter(|command| command.get_value().to_string_lossy().starts_with(typed));
    commands.chain(words).chain(everyday).collect()
}
