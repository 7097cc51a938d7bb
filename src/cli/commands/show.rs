//! `skewer show`: shows games and positions by their numbers.

use std::collections::BTreeSet;
use std::env;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ColorChoice;

use crate::cli::color::has_color;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::inputs::Inputs;
use crate::cli::options::drawing::DrawingArguments;
use crate::cli::options::formats;
use crate::cli::options::handout::HandoutOptions;
use crate::cli::options::ids::id_of;
use crate::cli::options::reading::ReadingOptions;
use crate::cli::options::threads::Threads;
use crate::cli::options::warnings::WarningOptions;
use crate::cli::outputs::{self, Force, not_stdout};
use crate::cli::pager::Paging;
use crate::cli::progress::{Progress, Show};
use crate::cli::queries::files::only_games;
use crate::cli::shell;
use crate::cli::signal;
use crate::game::Rules;
use crate::limits::Interrupt;
use crate::output::{FormatName, Guard, SearchInfo, Totals};
use crate::pgn::Source;
use crate::search::{Error, Id, Options, RequestedIds, TextSink, Whole, search_by_id};
use crate::terminal::shown;

/// Show games and positions by their numbers
///
/// A number such as 5:33 names a game and a position in it, as `search` prints them on a terminal and with -f ids. A single number names a
/// whole game. The output is in the order of the games.
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "skewer show [OPTIONS] <INPUT>... <NUMBER>...\n       skewer search -f ids ... | skewer show [OPTIONS] <INPUT>...",
    after_help = "\
Examples:
  skewer show games.pgn 5:33              draw a position
  skewer show games.pgn 5                 the moves of a game
  skewer show games.pgn 5:33 --moves      the moves of its game, with the one that leads there marked
  skewer show games.pgn 5 9 --pgn         two games as PGN
  skewer show games.pgn 5:33 9:12 --from-match -o exercises.pgn
                                          games that begin at these positions
  skewer search -e mate games.pgn -f ids | skewer show games.pgn --fen
  skewer show games.pgn 5 9 -o two.pgn.gz games in a packed file

Exit code: 0 everything was found, 2 something was not, or another error."
)]
pub(crate) struct Arguments {
    /// Games, and the numbers of what to show; - for numbers from standard input, which is the default
    #[arg(value_name = "INPUT | NUMBER", required = true)]
    arguments: Vec<PathBuf>,

    /// Draw positions; for a whole game, its last one [default for positions]
    #[arg(long, group = "what")]
    board: bool,

    /// Print positions as FEN; for a whole game, its last one
    #[arg(long, group = "what")]
    fen: bool,

    /// Print positions as EPD with the move played there; for a whole game, its last one
    #[arg(long, group = "what")]
    epd: bool,

    /// Print games as PGN
    #[arg(long, group = "what")]
    pgn: bool,

    /// Print the moves of games, and mark those that lead to the positions [default for games]
    #[arg(long, group = "what")]
    moves: bool,

    /// Print positions as JSON; for a whole game, its last one
    #[arg(long, group = "what")]
    json: bool,

    /// The output file, - for standard output [default: standard output]
    ///
    /// If no option gives the format, the extension does, as for `skewer search`: positions.fen, games.pgn.gz, page.html.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: Force,

    #[command(flatten)]
    reading: ReadingOptions,

    #[command(flatten)]
    warnings: WarningOptions,

    #[command(flatten)]
    threads: Threads,

    /// No warnings
    #[arg(short, long)]
    quiet: bool,

    #[command(flatten)]
    drawing: DrawingArguments,

    #[command(flatten)]
    handout: HandoutOptions,

    #[command(flatten)]
    paging: Paging,
}

/// The argument that stands for numbers from standard input.
const STDIN: &str = "-";

impl Arguments {
    /// Returns the inputs, and the numbers of what to show.
    fn named(&self) -> Result<Named, Failure> {
        let mut named = Named::default();
        for (index, argument) in self.arguments.iter().enumerate() {
            let id = if index > 0 { id_of(argument)? } else { None };
            match id {
                Some(id) => drop(named.ids.insert(id)),
                None if index > 0 && argument.as_os_str() == STDIN => named.more_from_stdin = true,
                None if index > 0 && is_bare_word(argument) && !argument.exists() => {
                    return Err(Failure::with_help(
                        format_args!(
                            "{} is neither a file nor the number of a game or position",
                            shown(argument)
                        ),
                        "`5` is a game, `5:33` a position in it; `skewer search -f ids` prints such numbers",
                    ));
                }
                _ => named.inputs.push(argument.clone()),
            }
        }
        named.more_from_stdin |= named.ids.is_empty();
        Ok(named)
    }

    /// Returns the format that the options ask for.
    fn asked(&self) -> Option<FormatName> {
        let asked = [
            (self.board, FormatName::Board),
            (self.fen, FormatName::Fen),
            (self.epd, FormatName::Epd),
            (self.pgn, FormatName::Pgn),
            (self.moves, FormatName::Moves),
            (self.json, FormatName::Json),
        ];
        asked
            .into_iter()
            .find_map(|(is_asked, format)| is_asked.then_some(format))
    }

    /// Returns the default format.
    fn usual(&self, ids: &BTreeSet<Id>) -> FormatName {
        if let Some(format) = self.handout.usual() {
            return format;
        }
        match ids.iter().all(|id| id.position.is_none()) {
            true => FormatName::Moves,
            false => FormatName::Board,
        }
    }
}

/// The inputs and numbers on the command line.
#[derive(Default)]
struct Named {
    inputs: Vec<PathBuf>,
    ids: BTreeSet<Id>,
    /// Whether there are more numbers on standard input.
    more_from_stdin: bool,
}

impl Named {
    /// Returns all numbers, including those from standard input.
    fn all_ids(mut self) -> Result<BTreeSet<Id>, Failure> {
        if !self.more_from_stdin {
            return Ok(self.ids);
        }
        if self.inputs.iter().any(|path| path.as_os_str() == STDIN) {
            return Err(Failure::new(
                "standard input cannot have both the games and the numbers of what to show",
            ));
        }
        if io::stdin().is_terminal() {
            return Err(Failure::with_help(
                "nothing to show: name a game, such as 5, or a position, such as 5:33, after the games",
                "`skewer search -f ids` prints the numbers of what it finds",
            ));
        }
        self.ids.extend(ids_of_stdin()?);
        Ok(self.ids)
    }
}

fn is_bare_word(path: &Path) -> bool {
    !path.to_string_lossy().contains(['.', '/', '\\'])
}

/// Reads numbers from standard input, which are separated by white space.
fn ids_of_stdin() -> Result<Vec<Id>, Failure> {
    let mut text = String::new();
    io::stdin()
        .read_to_string(&mut text)
        .map_err(|error| Failure::new(format_args!("cannot read standard input: {error}")))?;
    let lines = text.lines().enumerate();
    let words = lines.flat_map(|(line, text)| text.split_whitespace().map(move |word| (line + 1, word)));
    words
        .map(|(line, word)| {
            let id = word.parse();
            id.map_err(|error| Failure::new(format_args!("standard input, line {line}: {error}")))
        })
        .collect()
}

/// Shows the games and positions.
pub(crate) fn execute(arguments: &Arguments, choice: ColorChoice) -> Result<Exit, Failure> {
    let named = arguments.named()?;
    only_games(&named.inputs)?;
    let games = Inputs::find(&named.inputs, arguments.reading)?;
    games.say_left_out();
    let ids = named.all_ids()?;
    if ids.is_empty() {
        return Ok(Exit::NoMatch);
    }
    let mut guard = Guard::new(arguments.force.force);
    games.protect(&mut guard);
    let interrupt = signal::handle(Interrupt::default());
    let output = not_stdout(arguments.output.as_deref());
    let form = formats::form(arguments.asked(), output, arguments.usual(&ids))?;
    let format = form.format;
    let colors = has_color(choice, output.is_none() && io::stdout().is_terminal());
    let look = formats::look(&arguments.drawing, colors, output.is_some());
    let look = arguments.handout.look(format, look)?;
    let (pages, mut destination) = outputs::of_run(&guard, output, form, (arguments.paging, colors), &interrupt)?;
    let whole = match format {
        FormatName::Pgn if look.from_match.is_some() => Whole::FirstPosition,
        FormatName::Pgn | FormatName::Moves => Whole::Game,
        _ => Whole::LastPosition,
    };
    let chosen = RequestedIds::new(ids, whole);
    let options = Options {
        threads: arguments.threads.count(),
        rules: Rules::Full,
        quiet: arguments.quiet || arguments.warnings.are_none(),
        interrupt: Arc::clone(&interrupt),
        ..Options::quiet()
    };
    let mut log = pages.log();
    let progress = Progress::new(&mut log, Show::Nothing);
    let mut progress = progress.with_warnings(arguments.warnings.shown);
    let sink = TextSink::new(format, &mut destination)
        .looking(look)
        .about(about(games.sources()));
    let shown = search_by_id(&chosen, games.into_sources(), sink, &options, &mut progress);
    let is_damaged = shown.as_ref().is_ok_and(Totals::has_gaps);
    let committed = shown.and_then(|_| destination.commit().map_err(Error::Output));
    pages.finish();
    drop(progress);
    match committed {
        Err(Error::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {}
        committed => committed.map_err(Failure::new)?,
    }
    if interrupt.was_acknowledged() && !pages.were_left() {
        return Ok(Exit::Interrupted);
    }
    match chosen.missing().as_slice() {
        // A warning has already said so.
        _ if is_damaged => Ok(Exit::Error),
        [] => Ok(Exit::Success),
        [only] => Err(Failure::new(only)),
        [first, others @ ..] => Err(Failure::with_note(first, others.join("; "))),
    }
}

/// Describes games of these sources for the output.
fn about(sources: &[Source]) -> SearchInfo {
    let names: Vec<_> = sources.iter().filter_map(|source| source.file()?.file_name()).collect();
    SearchInfo {
        title: match names.as_slice() {
            [name] => format!("Games of {}", name.to_string_lossy()),
            _ => "Games".to_owned(),
        },
        has_name: true,
        command: shell::shown(env::args_os()),
        ..SearchInfo::default()
    }
}
