//! Turns the arguments of a search into the search, and makes all checks that need no games.

use std::io::{self, IsTerminal};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use clap::ColorChoice;

use super::arguments::Arguments;
use super::header;
use super::request::Request;
use super::results_folder::{self, ResultsFolder};
use super::run::SearchCommand;
use crate::cli::color::has_color;
use crate::cli::failure::Failure;
use crate::cli::inputs::Inputs;
use crate::cli::options::formats;
use crate::cli::outputs::{self, not_stdout};
use crate::cli::pager::Pages;
use crate::cli::progress::Show;
use crate::cli::queries::compiled::Query;
use crate::cli::search::{Search, Task};
use crate::cli::signal;
use crate::eval::Folder;
use crate::output::{self, Column, FormatName, Guard, Look, Role};
use crate::query::{self, MatchSides};
use crate::search::in_parallel;
use crate::syntax::Source;
use crate::terminal::shown;

/// Returns the search that the arguments describe. With `color`, errors have colours.
pub(super) fn resolve(arguments: &Arguments, choice: ColorChoice, color: bool) -> Result<SearchCommand, Failure> {
    let asked = &arguments.options;
    let quiet = asked.quiet;
    let out_dir = arguments.out_dir.as_deref();
    let request = match out_dir {
        None => Request::one(&arguments.paths, &arguments.expression, quiet)?,
        Some(_) => Request::many(&arguments.paths, &arguments.expression, quiet)?,
    };
    let Request { queries, filters, .. } = request;

    // Errors in the only query are found before anything is opened.
    let chosen = arguments.format.or(arguments.json.then_some(FormatName::Json));
    let format = formats::form(chosen, arguments.output.as_deref(), FormatName::Pgn)?.format;
    let columns = added_columns(&arguments.column, format)?;
    let language = query::Options {
        columns: filters_of(&columns),
        sides: match format.is_table() {
            true => MatchSides::KeptIfKnown,
            false => MatchSides::NotKept,
        },
        ..asked.beside(filters)
    };
    let compiled = in_parallel(&queries, asked.threads.count(), |_, query| {
        let query = asked.compile(query, &language, arguments.allow_files.is_some(), color)?;
        check_titles(&query, &columns)?;
        Ok(query)
    });
    let compiled = match out_dir {
        None => all_or_failure(compiled)?,
        Some(_) => compiled,
    };
    let usable = || compiled.iter().flatten();
    usable().for_each(|query| query.warn(color));

    let force = arguments.force.force;
    let folder = arguments.allow_files.as_deref().map(|path| {
        Folder::open(path, force)
            .map_err(|error| Failure::new(format_args!("cannot use the folder {}: {error}", shown(path))))
    });
    let folder = folder.transpose()?;
    let query_files = || queries.iter().filter_map(|query| query.file.as_deref());
    let mut inputs = asked.narrowing.inputs(request.inputs)?;
    if out_dir.is_some() && inputs.is_empty() {
        return Err(Failure::new(
            "nothing to search: name a file or a folder after the queries, or - for standard input",
        ));
    }
    let mut output = not_stdout(arguments.output.as_deref()).map(Path::to_path_buf);
    if let (None, Some(query)) = (out_dir, usable().next()) {
        let named = &query.compiled().header;
        if inputs.is_empty() {
            let Some(name) = &named.input else {
                return Err(nothing_to_search(arguments.output.as_deref()));
            };
            inputs.push(header::input(name, folder.as_ref(), query_files().next())?);
        }
        if let (None, Some(name)) = (&arguments.output, &named.output) {
            output = header::output(name, folder.as_ref(), quiet);
        }
    }
    let games = Inputs::find(&inputs, asked.reading)?;
    if !quiet {
        games.say_left_out();
    }

    let is_stdout = out_dir.is_none() && output.is_none();
    let is_screen = is_stdout && io::stdout().is_terminal();
    let usual = match is_screen && arguments.output.is_none() {
        true => FormatName::Lines,
        false => FormatName::Pgn,
    };
    let usual = arguments.handout.usual().unwrap_or(usual);
    let form = formats::form(chosen, arguments.output.as_deref(), usual)?;
    let format = form.format;
    if format == FormatName::Parquet && is_screen {
        return Err(Failure::with_help(
            "a table in Parquet cannot be printed on a terminal",
            "name a file: `-o matches.parquet`",
        ));
    }
    let sample = arguments.sample_matches.map(|count| asked.narrowing.draw_of(count));
    if sample.is_some() && format == FormatName::Count {
        return Err(Failure::with_help(
            "--sample-matches draws some of the matches, and the format count says how many there are",
            "leave out --sample-matches, or ask for another format, such as `-f fen`",
        ));
    }
    if arguments.drawing.flip && format != FormatName::Board {
        return Err(Failure::with_help(
            format_args!(
                "--flip is for boards drawn with characters, and the format is {}",
                format.extension()
            ),
            "`-f board` draws such boards",
        ));
    }
    // The summary of many queries is a table for spreadsheets.
    if arguments.quote_formulas && out_dir.is_none() {
        formats::only_spreadsheets(&format)?;
    }
    let colors = out_dir.is_none() && has_color(choice, is_screen);
    let look = Look {
        columns,
        quotes_formulas: arguments.quote_formulas,
        ..formats::look(&arguments.drawing, colors, !is_stdout)
    };
    let look = arguments.handout.look(format, look)?;
    let outputs: Vec<PathBuf> = match out_dir {
        None => output.into_iter().collect(),
        Some(folder) => results_folder::paths(&queries, folder, format)?,
    };

    // The queries may not write the files of the search itself.
    let own_files = || query_files().chain(inputs.iter().chain(&outputs).map(PathBuf::as_path));
    let folder = folder.map(|folder| own_files().fold(folder, Folder::protect));
    let mut guard = Guard::new(force);
    query_files().for_each(|file| guard.protect(Role::Query, file));
    games.protect(&mut guard);
    usable().for_each(|query| query.protect_compared(&mut guard));
    let interrupt = signal::handle(asked.limits.interrupt());
    let (destinations, pages, results_folder) = match out_dir {
        None => {
            let paging = (arguments.paging, colors);
            let output = outputs.first().map(PathBuf::as_path);
            let (pages, destination) = outputs::of_run(&guard, output, form, paging, &interrupt)?;
            (vec![destination], pages, None)
        }
        Some(path) => {
            let (folder, destinations) = ResultsFolder::open(path, &outputs, format, &look, &guard)?;
            (destinations, Pages::default(), Some(folder))
        }
    };
    let show = match asked.progress(&games) {
        // Matches would be printed over a progress bar.
        Show::Progress(_) if is_screen => Show::Summary,
        show => show,
    };
    let settings = asked.settings();
    let options = asked.run(arguments.limit.map(NonZeroU64::get), interrupt);
    let drawn = asked.drawn(&games, &settings, &options, color)?;
    let (mut tasks, mut broken) = (Vec::new(), Vec::new());
    for ((query, named), output) in compiled.into_iter().zip(&queries).zip(destinations) {
        match query {
            Ok(query) => {
                broken.push(None);
                tasks.push(Task {
                    query,
                    name: out_dir.map(|_| named.name.clone()),
                    output,
                    files: match &folder {
                        Some(folder) => Some(folder.for_another_query().map_err(outputs::unwritten)?.into()),
                        None => None,
                    },
                })
            }
            Err(failure) => broken.push(Some(failure)),
        }
    }
    Ok(SearchCommand {
        search: Search {
            tasks,
            games,
            drawn,
            sample,
            format,
            look,
            settings,
            options,
            guard,
            color,
        },
        queries,
        broken,
        outputs,
        results_folder,
        pages,
        show,
        warnings: asked.warnings.shown,
        quiet,
        narrowing: asked.narrowing.clone(),
    })
}

/// Returns the columns that are added to those of a format.
fn added_columns(columns: &[Column], format: FormatName) -> Result<Vec<Column>, Failure> {
    if !columns.is_empty() && !format.has_columns() {
        return Err(Failure::with_help(
            format_args!("--column is for tables, and {} has no columns", format.extension()),
            "choose a table: `-f csv`, or tsv, json, jsonl, parquet; or `-o matches.html`, the page",
        ));
    }
    // A page has no column of its own for the position.
    let is_taken = |name: &str| output::is_own_column(name) && (format.is_table() || name != "fen");
    Column::beside(columns, is_taken).map_err(|error| Failure::new(format_args!("--column: {error}")))
}

/// Returns the filters of columns, named after the option.
fn filters_of(columns: &[Column]) -> Vec<Source> {
    let filters = columns.iter().filter_map(Column::filter);
    filters.map(|filter| Source::new("<--column>", filter)).collect()
}

/// Refuses a column with the title of one of the query's sort keys.
fn check_titles(query: &Query, columns: &[Column]) -> Result<(), Failure> {
    let mut titles = query.compiled().sort_keys.iter().map(|key| &key.title);
    match titles.find(|title| columns.iter().any(|column| column.name().as_bytes() == **title)) {
        None => Ok(()),
        Some(title) => Err(Failure::with_help(
            format_args!(
                "--column: the query sorts by `{}`, so that is the name of another column",
                String::from_utf8_lossy(title)
            ),
            "give the column another name: `my_name=...`",
        )),
    }
}

/// Returns all queries, or the failure of the first wrong one.
pub(crate) fn all_or_failure(queries: Vec<Result<Query, Failure>>) -> Result<Vec<Result<Query, Failure>>, Failure> {
    queries.into_iter().map(|query| query.map(Ok)).collect()
}

/// Returns the failure of a search without games. The path after `-o` may be the games.
pub(crate) fn nothing_to_search(output: Option<&Path>) -> Failure {
    let message = "nothing to search: name a file or a folder, or - for standard input";
    match output.filter(|output| output.exists()) {
        Some(output) => Failure::with_help(
            message,
            format_args!("{} stands after -o, which names the file to write", shown(output)),
        ),
        None => Failure::new(message),
    }
}
