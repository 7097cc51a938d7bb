//! Runs the queries, and prints what was counted.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, IsTerminal};
use std::iter;
use std::num::{NonZeroU64, NonZeroUsize};

use indicatif::HumanCount;

use super::arguments::{Arguments, ForWhom};
use crate::cli::commands::search::{Request, all_or_failure, check, drawn, nothing_to_search, tells};
use crate::cli::exit::Exit;
use crate::cli::failure::{Failure, cause_of_end};
use crate::cli::inputs::Inputs;
use crate::cli::options::formats::{self, Form, screen_width};
use crate::cli::outputs::{self, not_stdout};
use crate::cli::pager::Pages;
use crate::cli::progress::{Progress, Show};
use crate::cli::queries::compiled::{self, Query};
use crate::cli::signal;
use crate::eval::Settings;
use crate::game::Rules;
use crate::output::{Destination, Guard, Kind, Role, Totals};
use crate::query::ast::Type;
use crate::query::{self, HeaderOptions};
use crate::search::{self, Error, Options, in_parallel, search_all};
use crate::stats::{self, Counted, Counting, CountingSink, FileFormat, Key, Keys, NamedKey, Order, Table};
use crate::syntax::Source;

/// Counts what queries find, and prints it.
pub(super) fn run(arguments: &Arguments, color: bool) -> Result<Exit, Failure> {
    let quiet = arguments.quiet;
    let counting = counting(arguments)?;
    let request = Request::any(&arguments.paths, &arguments.expression, quiet)?;
    let narrowing = &arguments.narrowing;
    let every_game = query::Options {
        header: HeaderOptions {
            variations: arguments.variations.then_some(true),
            within_games: narrowing.games(),
            ..HeaderOptions::default()
        },
        narrowing: narrowing.filters(),
        first_of_game: narrowing.first,
        variant: arguments.variant,
        tablebase: arguments.tablebase.tablebase(),
        ..arguments.language.options()
    };
    let (filters_behind, filters) = request.filters.into_iter().partition(tells);
    let language = query::Options {
        filters,
        filters_behind,
        columns: columns(&counting),
        sides: counting.asks_for_sides(),
        ..every_game.clone()
    };
    let threads = arguments.threads.count();
    let queries = in_parallel(&request.queries, threads, |_, query| {
        let compile = if quiet {
            compiled::compile
        } else {
            compiled::compile_linted
        };
        let query = compile(query.text.clone()?, language.clone(), color)?;
        check(&query, narrowing.first, false, color)?;
        check_measured(&query, &counting)?;
        Ok(query)
    });
    let queries: Vec<Query> = all_or_failure(queries)?.into_iter().collect::<Result<_, _>>()?;
    queries.iter().for_each(|query| query.warn(color));
    let names: Vec<String> = iter::zip(&request.queries, &queries)
        .map(|(named, query)| match named.name.as_str() {
            "" => query.about().title,
            name => name.to_owned(),
        })
        .collect();

    if request.inputs.is_empty() {
        return Err(nothing_to_search(arguments.output.as_deref()));
    }
    let games = Inputs::find(&request.inputs, arguments.reading)?;
    if !quiet {
        games.say_left_out();
    }
    let output = not_stdout(arguments.output.as_deref());
    let is_screen = output.is_none() && io::stdout().is_terminal();
    let asked = arguments.format.or(arguments.json.then_some(FileFormat::Json));
    let usual = if is_screen { FileFormat::Table } else { FileFormat::Csv };
    let form = formats::form(asked, arguments.output.as_deref(), usual)?;
    let mut guard = Guard::new(arguments.force.force);
    let files = request.queries.iter().filter_map(|query| query.file.as_deref());
    files.for_each(|file| guard.protect(Role::Query, file));
    games.protect(&mut guard);
    queries.iter().for_each(|query| query.protect_compared(&mut guard));
    let interrupt = signal::handle(arguments.limits.interrupt());
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
    let settings = Settings {
        max_rounds: arguments.max_rounds,
        files: None,
        memory: arguments.limits.memory(),
    };
    let options = Options {
        threads,
        limit: None,
        rules: Rules::Full,
        quiet: quiet || arguments.warnings.are_none(),
        interrupt,
    };
    let drawn = match narrowing.draw() {
        Some(draw) => Some(drawn(&games, draw, every_game, &settings, &options, color)?.into()),
        None => None,
    };
    let show = if quiet || !io::stderr().is_terminal() {
        Show::Nothing
    } else {
        Show::Progress(games.bytes())
    };

    let bases = bases(&queries);
    let counted = RefCell::new(Counted::new(bases.iter().copied(), arguments.max_groups.get()));
    let is_alone = queries.len() == 1;
    let tasks = queries.iter().zip(&names).zip(&bases).enumerate();
    let tasks = tasks.map(|(place, ((query, name), base))| search::Task {
        name: Some(name.as_str()).filter(|_| !is_alone),
        query: query.compiled(),
        games: drawn.clone(),
        files: None,
        sink: CountingSink {
            counting: &counting,
            counted: &counted,
            query: place,
            counts_searched: *base == place,
        },
    });
    let pages = Pages::default();
    let mut log = pages.log();
    let mut progress = Progress::new(&mut log, show).with_warnings(arguments.warnings.shown());
    let outcomes = search_all(tasks, games.into_sources(), &settings, &options, &mut progress)
        .map_err(|error| Failure::new(Error::from(error)))?;
    let totals: Vec<Totals> = iter::zip(&queries, outcomes)
        .map(|(query, outcome)| outcome.map_err(|error| query.failed(error, color)))
        .collect::<Result<_, _>>()?;
    let counted = counted.into_inner();
    if counted.is_overfull() {
        return Err(too_many_groups(arguments.max_groups));
    }
    // A part of the games would give shares of nothing in particular.
    if let Some(cause) = options.interrupt.cause().filter(|_| options.interrupt.was_heeded()) {
        let (why, exit) = cause_of_end(cause);
        drop(progress);
        signal::say(&format!("{why}: not all games were counted, so nothing is printed"));
        return Ok(exit);
    }
    match totals.first() {
        Some(totals) if is_alone => progress.finish(*totals),
        _ => drop(progress),
    }

    let table = table(arguments, &counting, &counted, &names);
    print(&table, form, destination, arguments)?;
    if let Some(path) = output.filter(|_| show != Show::Nothing) {
        outputs::say_written(path, None);
    }
    Ok(match totals.iter().any(|totals| totals.matches > 0) {
        true => Exit::Success,
        false => Exit::NoMatch,
    })
}

/// What is to be counted.
fn counting(arguments: &Arguments) -> Result<Counting, Failure> {
    let mut keys: Vec<NamedKey> = arguments.by.iter().flat_map(|Keys(keys)| keys.clone()).collect();
    if arguments.next && !keys.iter().any(|key| key.key == Key::Next) {
        keys.push(NamedKey {
            name: "next".to_owned(),
            key: Key::Next,
        });
    }
    for (place, key) in keys.iter().enumerate() {
        if stats::is_column(&key.name) {
            let message = format_args!("`{}` is the name of a column that counts something", key.name);
            return Err(Failure::with_help(message, "give the key another name: `my_name=...`"));
        }
        if keys.iter().take(place).any(|other| other.name == key.name) {
            let message = format_args!(
                "there are two keys with the name `{}`, and columns have different names",
                key.name
            );
            return Err(Failure::with_help(message, "leave one of them out"));
        }
    }
    let spoken = ForWhom::spoken(arguments.for_whom);
    let player = arguments
        .narrowing
        .player_of_any_color()
        .filter(|_| arguments.for_whom.is_some());
    Ok(Counting::new(Keys(keys), spoken, player, arguments.value.as_deref()))
}

/// The filters whose values are asked for, under the names of their options.
fn columns(counting: &Counting) -> Vec<Source> {
    let measured = counting.measured();
    let columns = counting.columns().iter().enumerate().map(|(place, filter)| {
        let option = if Some(place) == measured { "<--value>" } else { "<--by>" };
        Source::new(option, filter.as_str())
    });
    columns.collect()
}

/// Refuses to measure what is no number.
fn check_measured(query: &Query, counting: &Counting) -> Result<(), Failure> {
    let measured = counting
        .measured()
        .and_then(|place| query.compiled().columns.get(place));
    match measured {
        None | Some(Type::Number | Type::Set) => Ok(()),
        Some(other) => Err(Failure::with_help(
            format_args!(
                "--value takes a number, or a set to be counted, and this is {}",
                other.described()
            ),
            "group by it: `--by 'name=...'`",
        )),
    }
}

/// For each query the first one that looks at the same games: the one that counts them.
fn bases(queries: &[Query]) -> Vec<usize> {
    let mut first = HashMap::new();
    let of_query = |(place, query): (usize, &Query)| *first.entry(query.compiled().header.games).or_insert(place);
    queries.iter().enumerate().map(of_query).collect()
}

/// The groups in the order and number that the arguments ask for.
fn table(arguments: &Arguments, counting: &Counting, counted: &Counted, names: &[String]) -> Table {
    let order = arguments
        .sort
        .map(Order::from)
        .or(arguments.next.then_some(Order::Count));
    let least = arguments.min.map_or(0, NonZeroU64::get);
    let mut table = Table::new(counting, counted, names, order, least);
    if let Some(top) = arguments.top {
        table.truncate(top.get());
    }
    if arguments.histogram {
        table.show_histograms();
    }
    table
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

/// Prints the table, or writes it to a file.
fn print(
    table: &Table,
    form: Form<FileFormat>,
    destination: Option<Destination>,
    arguments: &Arguments,
) -> Result<(), Failure> {
    let is_table = form.format == FileFormat::Table;
    let text = match is_table {
        true => stats::on_screen(table, screen_width().filter(|_| destination.is_none())).into_bytes(),
        false => stats::write(table, form.format, arguments.quote_formulas),
    };
    match destination {
        Some(destination) => outputs::write(destination, &text),
        None if is_table => outputs::page(&String::from_utf8_lossy(&text), arguments.paging).map(drop),
        None => outputs::print(&text).map(drop),
    }
}
