//! `skewer why`: says why a query matches a position or not, and how many games each filter removes.

mod arguments;

use std::io::{self, IsTerminal};
use std::iter;
use std::path::PathBuf;
use std::sync::Arc;

use clap::ColorChoice;
use serde::Serialize;
use shakmaty::Square;

pub(crate) use arguments::Arguments;

use arguments::Format;

use crate::api::game_of_fen;
use crate::cli::color::has_color;
use crate::cli::commands::help::layout::{folded, text_width};
use crate::cli::commands::search::{Request, nothing_to_search, tell_of_gaps};
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::inputs::Inputs;
use crate::cli::options::ids::id_of;
use crate::cli::outputs;
use crate::cli::pager::Pages;
use crate::cli::progress::{Progress, Show};
use crate::cli::queries::compiled::Query;
use crate::cli::signal;
use crate::game::Game;
use crate::limits::Cause;
use crate::output::{Diagram, FormatName};
use crate::search::{Id, RequestedIds, TextSink, Whole, search_by_id};
use crate::why::{self, Funnel, Subject, text};

/// Explains the query.
pub(crate) fn execute(arguments: &Arguments, choice: ColorChoice, color: bool) -> Result<Exit, Failure> {
    let (mut paths, mut ids): (Vec<PathBuf>, Vec<Id>) = Default::default();
    let first_input = usize::from(arguments.expression.is_empty());
    for (index, path) in arguments.paths.iter().enumerate() {
        match if index < first_input { None } else { id_of(path)? } {
            Some(id) => ids.push(id),
            None => paths.push(path.clone()),
        }
    }
    let asked = &arguments.options;
    let request = Request::one(&paths, &arguments.expression, asked.quiet)?;
    let Request {
        queries,
        filters,
        inputs,
    } = request;
    let [query] = queries.as_slice() else {
        return Err(Failure::new("one query at a time"));
    };
    let inputs = asked.narrowing.inputs(inputs)?;
    let query = asked.compile(query, &asked.beside(filters), false, color)?;
    query.warn(color);
    if let Some(fen) = &arguments.fen {
        if let Some(path) = inputs.first() {
            return Err(Failure::with_help(
                format_args!(
                    "--fen names the position, and {} is named, too",
                    crate::terminal::shown(path)
                ),
                "a position of games has a number, such as `5:33`",
            ));
        }
        let game = game_of_fen(fen).map_err(|error| Failure::new(format_args!("--fen: {error}")))?;
        return positions(arguments, &query, vec![(game, 0)], (choice, color));
    }
    if inputs.is_empty() {
        return Err(match ids.is_empty() {
            true => Failure::with_help(
                "nothing to ask about: name games, games and the number of a position, or --fen",
                "`skewer why QUERY games.pgn 5:33` asks about a position, `skewer why QUERY games.pgn` about all games",
            ),
            false => nothing_to_search(None),
        });
    }
    let games = Inputs::find(&inputs, asked.reading)?;
    if !asked.quiet {
        games.say_left_out();
    }
    if ids.is_empty() {
        return funnel(arguments, &query, games, color);
    }
    let found = named(arguments, games, &ids)?;
    positions(arguments, &query, found, (choice, color))
}

/// Returns the games of the positions that are named.
fn named(arguments: &Arguments, games: Inputs, ids: &[Id]) -> Result<Vec<(Game, u32)>, Failure> {
    if let Some(id) = ids.iter().find(|id| id.position.is_none()) {
        return Err(Failure::with_help(
            format_args!("`{id}` is a whole game, and one of its positions is asked for"),
            format_args!("`{id}:33` is a position of it; `skewer show GAMES {id}` shows its moves"),
        ));
    }
    let asked = &arguments.options;
    let interrupt = signal::handle(asked.limits.interrupt());
    let requested = RequestedIds::new(ids.iter().copied(), Whole::Game).keeping_games();
    let mut unread = io::sink();
    let sink = TextSink::new(FormatName::Count, &mut unread);
    let pages = Pages::default();
    let mut log = pages.log();
    let mut progress = Progress::new(&mut log, Show::Nothing).with_warnings(asked.warnings.shown);
    let options = asked.run(None, Arc::clone(&interrupt));
    let totals = search_by_id(&requested, games.into_sources(), sink, &options, &mut progress);
    totals.map_err(Failure::new)?;
    drop(progress);
    if let Some(cause) = interrupt.cause() {
        return Err(Failure::ended(cause, "nothing is written"));
    }
    if let Some(missing) = requested.missing().first() {
        return Err(Failure::new(missing));
    }
    let games = requested.into_games();
    let found = ids
        .iter()
        .filter_map(|id| Some((games.get(&id.game)?.clone(), id.position?)));
    Ok(found.collect())
}

/// Explains positions.
fn positions(
    arguments: &Arguments,
    query: &Query,
    positions: Vec<(Game, u32)>,
    (choice, color): (ColorChoice, bool),
) -> Result<Exit, Failure> {
    let asked = &arguments.options;
    let (settings, interrupt) = (asked.settings(), signal::handle(asked.limits.interrupt()));
    let is_one = positions.len() == 1;
    let colors = has_color(choice, io::stdout().is_terminal());
    let mut answers = Vec::new();
    let mut all_match = true;
    for (game, position) in &positions {
        let subject = Subject {
            game,
            position: *position,
            settings: &settings,
            interrupt: &interrupt,
        };
        let why = why::at(query.source(), query.options(), &subject).map_err(|error| match error {
            why::Error::Query(error) => query.wrong(&error, color),
            why::Error::Interrupted => Failure::ended(interrupt.cause().unwrap_or(Cause::Raised), "nothing is written"),
            why::Error::NoPosition { is_variation: true, .. } => Failure::with_help(
                format_args!(
                    "{}:{position} is in a variation, and the query searches main lines alone",
                    game.number
                ),
                "`--variations` searches variations, too",
            ),
            error => Failure::new(error),
        })?;
        all_match &= why.matches;
        answers.push(match arguments.format() {
            Format::Json => json(&why)?,
            Format::Text => {
                let title = match (&arguments.fen, &why.position.last_move) {
                    (Some(_), _) => String::new(),
                    (None, last_move) => {
                        let last_move = last_move.as_ref().map(|last_move| format!("  {last_move}"));
                        format!("{}:{position}{}\n\n", game.number, last_move.unwrap_or_default())
                    }
                };
                format!(
                    "{title}{}\n{}\n{}",
                    board(arguments, game, *position, &why.marks, colors),
                    paragraph(&why.sentences),
                    text::parts(&why, arguments.all)
                )
            }
        });
    }
    let separator = match arguments.format() {
        Format::Text if !is_one => "\n",
        _ => "",
    };
    outputs::page(&answers.join(separator), arguments.paging)?;
    Ok(if all_match { Exit::Success } else { Exit::NoMatch })
}

/// Draws the position.
fn board(arguments: &Arguments, game: &Game, position: u32, marks: &[String], color: bool) -> String {
    let Some(position) = game.positions.get(position as usize) else {
        return String::new();
    };
    let marks = marks.iter().filter_map(|mark| Square::from_ascii(mark.as_bytes()).ok());
    let diagram = Diagram::of_board(&position.board, marks.collect(), arguments.drawing.drawing(color));
    format!("{diagram}{:?} to move\n", position.turn)
}

/// Says how many games each filter removes.
fn funnel(arguments: &Arguments, query: &Query, games: Inputs, color: bool) -> Result<Exit, Failure> {
    let asked = &arguments.options;
    let funnel = Funnel::new(query.source(), query.options()).map_err(|error| query.wrong(&error, color))?;
    let interrupt = signal::handle(asked.limits.interrupt());
    let queries: Vec<_> = funnel.queries().collect();
    let mut outputs: Vec<io::Sink> = queries.iter().map(|_| io::sink()).collect();
    let queries = iter::zip(&queries, &mut outputs)
        .map(|(query, output)| (None, &**query, TextSink::new(FormatName::Count, output)));
    let outcomes = asked.count(games, queries, interrupt, false, color)?;
    let totals = outcomes.into_iter().collect::<Result<Vec<_>, _>>();
    let totals = totals.map_err(|error| query.failed(error, color))?;
    let report = funnel.report(&totals);
    let text = match arguments.format() {
        Format::Json => json(&report)?,
        Format::Text => format!("{}\n{}", paragraph(&report.sentences), text::steps(&report)),
    };
    outputs::page(&text, arguments.paging)?;
    let is_damaged = tell_of_gaps(totals.iter().copied());
    Ok(match report.found.games {
        _ if is_damaged => Exit::Error,
        0 => Exit::NoMatch,
        _ => Exit::Success,
    })
}

/// Returns sentences, one per line.
fn paragraph(sentences: &[String]) -> String {
    folded(&sentences.join("\n"), text_width())
}

/// Returns an answer as an object in one line.
fn json(answer: &impl Serialize) -> Result<String, Failure> {
    let json = serde_json::to_string(answer)
        .map_err(|error| Failure::new(format_args!("cannot write it as JSON: {error}")))?;
    Ok(json + "\n")
}
