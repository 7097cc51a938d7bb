//! Runs the queries and prints the counts.

use std::cell::RefCell;
use std::io::{self, IsTerminal};
use std::iter;
use std::num::NonZeroUsize;

use indicatif::HumanCount;

use super::arguments::Arguments;
use super::queries::Queries;
use crate::cli::commands::search::{Request, nothing_to_search, tell_of_gaps};
use crate::cli::exit::Exit;
use crate::cli::failure::{Failure, fail};
use crate::cli::inputs::Inputs;
use crate::cli::options::formats::{self, Form, screen_width};
use crate::cli::outputs::{self, not_stdout};
use crate::cli::progress::Show;
use crate::cli::queries::compiled::Query;
use crate::cli::signal;
use crate::output::{Destination, Guard, Kind, Role, Totals};
use crate::stats::{self, Counted, Counting, CountingSink, FileFormat, Keys, Order, Table, TableOptions};

/// Counts what queries find, and prints the counts.
pub(crate) fn execute(arguments: &Arguments, color: bool) -> Result<Exit, Failure> {
    let asked = &arguments.options;
    let quiet = asked.quiet;
    let counting = counting(arguments)?;
    let request = Request::any(&arguments.paths, &arguments.expression, quiet)?;
    let Queries {
        queries,
        names,
        are_incomplete,
    } = Queries::compile(arguments, &counting, &request, color)?;
    let inputs = asked.narrowing.inputs(request.inputs)?;
    if inputs.is_empty() {
        return Err(nothing_to_search(arguments.output.as_deref()));
    }
    let games = Inputs::find(&inputs, asked.reading)?;
    if !quiet {
        games.say_left_out();
    }
    let output = not_stdout(arguments.output.as_deref());
    let is_screen = output.is_none() && io::stdout().is_terminal();
    let chosen = arguments.format.or(arguments.json.then_some(FileFormat::Json));
    let usual = if is_screen { FileFormat::Table } else { FileFormat::Csv };
    let form = formats::form(chosen, arguments.output.as_deref(), usual)?;
    if arguments.quote_formulas {
        formats::only_spreadsheets(&form.format)?;
    }
    if arguments.title.is_some() && !form.format.has_title() {
        return Err(Failure::with_help(
            format_args!(
                "--title is for drawings and pages, and the format is {}",
                formats::name(&form.format)
            ),
            "`-o counts.svg` draws, and `-o counts.html` writes a page",
        ));
    }
    if form.format == FileFormat::Parquet && is_screen {
        return Err(Failure::with_help(
            "a table in Parquet cannot be printed on a terminal",
            "name a file: `-o counts.parquet`",
        ));
    }
    let mut guard = Guard::new(arguments.force.force);
    let files = request.queries.iter().filter_map(|query| query.file.as_deref());
    files.for_each(|file| guard.protect(Role::Query, file));
    games.protect(&mut guard);
    queries.iter().for_each(|query| query.protect_compared(&mut guard));
    let interrupt = signal::handle(asked.limits.interrupt());
    let destination = match output {
        None => {
            guard.permit_stdout()?;
            None
        }
        Some(path) => Some(packed(
            outputs::destination(&guard, Some(path), Kind::Stats, &interrupt)?,
            form,
        )?),
    };
    let show = asked.progress(&games);
    let counted = Counted::new(queries.iter().map(Query::compiled), arguments.max_groups.get());
    let counted = RefCell::new(counted);
    let is_alone = queries.len() == 1;
    let sinks = CountingSink::of_queries(&counting, &counted);
    let searched = queries.iter().zip(&names).zip(sinks).map(|((query, name), sink)| {
        let name = Some(name.as_str()).filter(|_| !is_alone);
        (name, query.compiled(), sink)
    });
    let outcomes = asked.count(games, searched, interrupt, true, color)?;
    let mut counted = counted.into_inner();
    if counted.is_overfull() {
        return Err(too_many_groups(arguments.max_groups));
    }
    let mut totals: Vec<Totals> = Vec::new();
    let mut failures: Vec<Failure> = Vec::new();
    for (place, (query, outcome)) in iter::zip(&queries, outcomes).enumerate() {
        match outcome {
            Ok(found) => totals.push(found),
            Err(error) if is_alone || counted.is_base_of_others(place) => {
                return Err(query.failed(error, color));
            }
            Err(error) => {
                failures.push(query.failed(error, color));
                counted.leave_out(place);
            }
        }
    }
    for failure in &failures {
        fail(failure);
    }

    let options = TableOptions {
        // What is played next is asked for by how often it is played.
        order: arguments.sort.or(arguments.next.then_some(Order::Count)),
        min: arguments.min,
        top: arguments.top,
        histogram: arguments.histogram,
    };
    let table = Table::new(&counting, &counted, &names, request.queries.len() > 1, &options);
    let title = arguments.title.clone().unwrap_or_else(|| title(&names));
    print(&table, &title, form, destination, arguments)?;
    if let Some(path) = output.filter(|_| show != Show::Nothing) {
        outputs::say_written(path, None);
    }
    let is_damaged = tell_of_gaps(totals.iter().copied());
    Ok(if are_incomplete || is_damaged || !failures.is_empty() {
        Exit::Error
    } else if totals.iter().any(|totals| totals.matches > 0) {
        Exit::Success
    } else {
        Exit::NoMatch
    })
}

/// Returns what to count.
fn counting(arguments: &Arguments) -> Result<Counting, Failure> {
    let mut keys = Keys(arguments.by.iter().flat_map(|Keys(keys)| keys.clone()).collect());
    if arguments.next {
        keys.add_next();
    }
    stats::check_names(&keys.0).map_err(|clash| Failure::with_help(clash.message, clash.advice))?;
    let narrowing = &arguments.options.narrowing;
    Ok(Counting::new(
        keys,
        arguments.for_whom,
        narrowing.player_of_any_color(),
        narrowing.by_player(),
        arguments.value.as_deref(),
    ))
}

fn too_many_groups(limit: NonZeroUsize) -> Failure {
    Failure::with_help(
        format_args!("there are more than {} groups", HumanCount(limit.get() as u64)),
        "group more coarsely, such as by year:10 or eco:1, or allow more with --max-groups",
    )
}

fn packed(destination: Destination, form: Form<FileFormat>) -> Result<Destination, Failure> {
    match form.packing {
        Some(packing) => destination.packed(packing).map_err(outputs::unwritten),
        None => Ok(destination),
    }
}

/// Returns a title for people.
fn title(names: &[String]) -> String {
    match names {
        [] | [_] | [_, _] | [_, _, _] => names.join(", "),
        _ => format!("{} queries", names.len()),
    }
}

/// Prints the table, or writes it to a file.
fn print(
    table: &Table,
    title: &str,
    form: Form<FileFormat>,
    destination: Option<Destination>,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let is_table = form.format == FileFormat::Table;
    let look = stats::Look {
        title,
        width: screen_width().filter(|_| destination.is_none()),
        quotes_formulas: arguments.quote_formulas,
    };
    let text = stats::write(table, form.format, &look).map_err(outputs::unwritten)?;
    match destination {
        Some(destination) => outputs::write(destination, &text),
        None if is_table => outputs::page(&String::from_utf8_lossy(&text), arguments.paging).map(drop),
        None => outputs::print(&text).map(drop),
    }
}
