//! `skewer search` with one query.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ColorChoice;

use super::arguments::{Arguments, Asked};
use super::{hint_at_names, hint_at_narrowing, hint_at_sides, hint_at_variations, tell_of_damage};
use crate::cli::color::has_color;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::outputs::{self, not_stdout};
use crate::cli::progress::{Progress, Show};
use crate::cli::{engine, signal};
use crate::eval::Folder;
use crate::output::{FormatName, Guard, Role};
use crate::query::Header;
use crate::search::Error;
use crate::terminal::shown;

/// Searches. What is wrong with the query is found before anything is opened.
pub(crate) fn execute(arguments: &Arguments, choice: ColorChoice, color: bool) -> Result<Exit, Failure> {
    let Asked {
        query,
        file: query_file,
        filters,
        inputs,
    } = arguments.asked()?;
    let query = arguments.compile(query, filters, color)?;
    query.warn(color);
    let header = query.header();
    let folder = arguments.folder()?;
    let inputs = match (inputs, &header.input) {
        ([], Some(name)) => vec![input_of_header(name, folder.as_ref(), query_file.as_deref())?],
        ([], None) => return Err(nothing_to_search(arguments.output.as_deref())),
        (inputs, _) => inputs.to_vec(),
    };
    let output = output_or(arguments, header, folder.as_ref());
    let output = output.as_deref();
    let games = engine::Inputs::find(&inputs, arguments.packed)?.in_language(arguments.letters);
    if !arguments.quiet {
        games.say_left_out();
    }
    let own_files = query_file.as_deref().into_iter().chain(output);
    let settings = arguments.settings(folder, own_files.chain(inputs.iter().map(PathBuf::as_path)));
    let mut guard = Guard::new(arguments.force.force);
    if let Some(file) = &query_file {
        guard.protect(Role::Query, file);
    }
    games.protect(&mut guard);
    query.protect_compared(&mut guard);
    let interrupt = signal::handle(arguments.limits.interrupt());
    let is_screen = output.is_none() && arguments.output.is_none() && io::stdout().is_terminal();
    let form = arguments.form(is_screen)?;
    let format = form.format;
    if format == FormatName::Parquet && output.is_none() && io::stdout().is_terminal() {
        return Err(Failure::with_help(
            "a table in Parquet is no text for a terminal",
            "name a file: `-o matches.parquet`",
        ));
    }
    let colors = has_color(choice, output.is_none() && io::stdout().is_terminal());
    let look = arguments.look(colors, output.is_some());
    let (pages, mut destination) = outputs::of_run(&guard, output, form, (arguments.paging, colors), &interrupt)?;
    let mut log = pages.log();
    let show = arguments.show(&destination, games.bytes());
    let mut progress = Progress::new(&mut log, show).with_warnings(arguments.warnings.shown());
    let options = arguments.options(Arc::clone(&interrupt));
    let databases = games.databases();
    let query = query.among(arguments.drawn(&games, &settings, &interrupt, color)?);
    let found = query.search(
        games,
        &settings,
        &options,
        (format, look),
        &mut destination,
        &mut progress,
    );
    let totals = match found {
        Ok(totals) => totals,
        Err(error) => {
            drop(destination);
            pages.finish();
            return Err(query.failed(error, color));
        }
    };
    let bytes = destination.bytes();
    let is_part = interrupt.was_heeded();
    let mut placed = outputs::place_written(&guard, settings.files.as_deref(), is_part)
        .map_err(|error| query.failed(error, color))?;
    match destination.commit_all_or_part(is_part) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            return Err(query.failed(Error::Output(error), color));
        }
        committed => placed.extend(committed),
    }
    pages.finish();
    progress.finish(totals);
    if !pages.were_left()
        && let Some(exit) = signal::ended_early(&interrupt, totals.games, &placed)
    {
        return Ok(exit);
    }
    if let Some(path) = output.filter(|_| show != Show::Nothing) {
        outputs::say_written(path, None);
    }
    if !arguments.quiet {
        outputs::advise_on_size(output, format, bytes, totals);
    }
    if !arguments.quiet {
        hint_at_sides(totals, &query, &arguments.narrowing);
    }
    if !arguments.quiet && !hint_at_narrowing(totals, &arguments.narrowing) && !hint_at_names(totals, &query) {
        hint_at_variations([(totals, query.header().variations)], &databases);
    }
    Ok(if tell_of_damage(totals) {
        Exit::Error
    } else if totals.matches > 0 {
        Exit::Success
    } else {
        Exit::NoMatch
    })
}

/// The file that the header names as its input, if the query may read it: one of the folder whose files it may use, or else one below the
/// current folder or that of the query, which people keep and pass around together.
fn input_of_header(name: &str, allowed: Option<&Folder>, query: Option<&Path>) -> Result<PathBuf, Failure> {
    let refused = |reason, advice| {
        let message = format_args!("cannot search `{name}`, the input that the header names: {reason}");
        Failure::with_help(message, advice)
    };
    if let Some(folder) = allowed {
        return folder.input(name).map_err(|reason| {
            refused(
                reason,
                "with --allow-files DIR the input is a file in DIR; give any other after the query",
            )
        });
    }
    let of_query = query.and_then(Path::parent).filter(|folder| *folder != Path::new(""));
    let below = |folder: &Path| {
        Folder::open(folder, false)
            .map_err(|error| error.to_string())?
            .input(name)
    };
    let here = below(Path::new("."));
    let found = match of_query {
        Some(folder) => here.or_else(|reason| below(folder).map_err(|_| reason)),
        None => here,
    };
    let advice =
        "the header may name a file below the current folder or that of the query; give any other after the query";
    found.map_err(|reason| refused(reason, advice))
}

/// There are no games; what stands behind `-o` may be some.
fn nothing_to_search(output: Option<&Path>) -> Failure {
    let message = "nothing to search: name a file or a folder, or - for standard input";
    match output.filter(|output| output.exists()) {
        Some(output) => Failure::with_help(
            message,
            format_args!("{} stands after -o, which names the file to write", shown(output)),
        ),
        None => Failure::new(message),
    }
}

/// The output file of the command line, else that of the header if it is in the folder whose files the query may use; `None` for
/// standard output.
fn output_or(arguments: &Arguments, header: &Header, folder: Option<&Folder>) -> Option<PathBuf> {
    let (None, Some(name)) = (&arguments.output, &header.output) else {
        return not_stdout(arguments.output.as_deref()).map(Path::to_path_buf);
    };
    let reason = match folder.map(|folder| folder.output(name)) {
        Some(Ok(path)) => return Some(path),
        Some(Err(reason)) => format!(": {reason}"),
        None => " without --allow-files".to_owned(),
    };
    if !arguments.quiet {
        signal::say(&format!(
            "note: the header's `output {name}` is ignored{reason}; `-o {name}` writes there, \
             and --allow-files DIR lets the query write in DIR"
        ));
    }
    None
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::query;
    use crate::syntax::Source;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn header(text: &str) -> Header {
        let source = Source::new("q.cql", format!("cql({text}) true"));
        let query = query::compile(&source, &query::Options::default()).unwrap();
        query.header
    }

    #[test]
    fn output_is_that_of_the_command_line_then_of_a_header_that_may_then_standard_output() {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::open(place.path(), false).unwrap();
        let header = header("output h.pgn");
        let output = |given: &[&str], folder| {
            let words = [&["search", "-q", "-e", "mate"], given].concat();
            let command = Command::try_parse_from(words).unwrap();
            output_or(&command.arguments, &header, folder)
        };
        assert_eq!(output(&["-o", "o.pgn"], Some(&folder)), Some(PathBuf::from("o.pgn")));
        assert_eq!(output(&["-o", "-"], Some(&folder)), None);
        assert!(output(&[], Some(&folder)).is_some_and(|path| path.is_absolute() && path.ends_with("h.pgn")));
        assert_eq!(output(&[], None), None);
    }
}
