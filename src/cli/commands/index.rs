//! `skewer index`: games into a database.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use indicatif::HumanCount;

use crate::chess::Variant;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::inputs::Inputs;
use crate::cli::options::formats;
use crate::cli::options::narrowing::variant;
use crate::cli::options::reading::ReadingOptions;
use crate::cli::options::threads::Threads;
use crate::cli::options::warnings::WarningOptions;
use crate::cli::outputs::{say_written, unwritten};
use crate::cli::progress::{Progress, Show};
use crate::cli::queries::files::only_games;
use crate::cli::signal;
use crate::database::Writer;
use crate::limits::{Interrupt, Watch};
use crate::output::{Busy, Destination, Guard, Kind};
use crate::search::{self, Indexed};
use crate::terminal::{Visible, shown};

/// Make a database of games, which searches read many times faster than PGN
///
/// Inputs are PGN files and positions (.epd, .fen, .csv, .tsv, .jsonl; also packed: .zst, .gz, .bz2, .xz, .zip), folders with such files, -
/// for standard input, databases of Scid and ChessBase (.si4, .si5, .cbh, .cbv), and other databases of skewer, which are merged. The database is a Parquet file, one row per game, that DuckDB, Polars and others read, too.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  skewer index games.pgn.zst -o games.parquet           one file
  skewer index 2024/ 2025/ -o games.parquet --force     two folders, in place of an older database
  skewer index new.pgn -o games.parquet --append        more games; their numbers go on
  skewer index old.parquet new.parquet -o all.parquet   two databases in one
  skewer index all.pgn -o atomic.parquet --variant atomic   the games of a variant, numbered anew
  skewer search -e 'mate Nf7' games.parquet             search it

Exit code: 0 the database is complete, 2 error (an older file is left as it was), 130 interrupted (the same).")]
pub(crate) struct Arguments {
    /// Games; none with --append to renew a database of an older version
    #[arg(value_name = "INPUT", required_unless_present = "append")]
    inputs: Vec<PathBuf>,

    /// The database
    #[arg(short, long, value_name = "DB.parquet")]
    output: PathBuf,

    /// Replace a file that is there
    #[arg(long, conflicts_with = "append")]
    force: bool,

    /// Add the games to the database that is there
    ///
    /// While another skewer writes it, this one waits.
    #[arg(long)]
    append: bool,

    /// Take games of this variant only, such as standard, chess960, atomic
    #[arg(long, value_name = "NAME", value_parser = variant)]
    variant: Option<Variant>,

    #[command(flatten)]
    reading: ReadingOptions,

    #[command(flatten)]
    threads: Threads,

    #[command(flatten)]
    warnings: WarningOptions,

    /// No warnings
    #[arg(short, long)]
    quiet: bool,
}

pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, Failure> {
    let output = &arguments.output;
    check_output(arguments)?;
    only_games(&arguments.inputs)?;
    let inputs = Inputs::find(&arguments.inputs, arguments.reading)?;
    if !arguments.quiet {
        inputs.say_left_out();
    }
    let mut guard = Guard::new(arguments.force || arguments.append);
    inputs.protect(&mut guard);
    let permit = guard.permit(output, Kind::Database)?;
    let interrupt = signal::handle(Interrupt::default());
    let busy = match arguments.append {
        true => Busy::Wait(&interrupt),
        false => Busy::Refuse,
    };
    let destination = match Destination::file_until(permit, busy, &interrupt) {
        Err(_) if interrupt.is_raised() => return Ok(unchanged(output)),
        destination => destination.map_err(unwritten)?,
    };
    let writer = if arguments.append && output.exists() {
        match Writer::append(output, Watch::of(&interrupt), destination) {
            Err(_) if interrupt.is_raised() => return Ok(unchanged(output)),
            writer => writer.map_err(|error| Failure::new(format_args!("cannot add to {}: {error}", shown(output))))?,
        }
    } else {
        Writer::until(Watch::of(&interrupt), destination).map_err(unwritten)?
    };
    let writer = writer.of_variant(arguments.variant);
    let Some(writer) = add_games(inputs, writer, arguments, &interrupt)? else {
        return Ok(unchanged(output));
    };
    let games = writer.games();
    match writer.finish() {
        Err(_) if interrupt.is_raised() => Ok(unchanged(output)),
        finished => {
            finished.and_then(Destination::commit).map_err(unwritten)?;
            if !arguments.quiet && io::stderr().is_terminal() {
                let games = format!("{} game{}", HumanCount(games), if games == 1 { "" } else { "s" });
                say_written(output, Some(&games));
            }
            Ok(Exit::Success)
        }
    }
}

/// Says that there are no new games in the output.
fn unchanged(output: &Path) -> Exit {
    let state = match output.exists() {
        true => "is as it was",
        false => "is not written",
    };
    signal::say(&format!("interrupted: {} {state}", shown(output)));
    Exit::Interrupted
}

/// Refuses an output that would lose something.
fn check_output(arguments: &Arguments) -> Result<(), Failure> {
    let output = arguments.output.as_path();
    if output.as_os_str() == "-" {
        return Err(Failure::new(
            "a database has to be a file, it cannot be written to standard output",
        ));
    }
    if !(arguments.append && output.exists()) {
        formats::only_database(output)?;
    }
    if output.exists() && !arguments.force && !arguments.append {
        let message = format_args!(
            "{} is there already: --append adds games to it, --force replaces it",
            shown(output)
        );
        return Err(Failure::new(message));
    }
    Ok(())
}

/// Adds all games of the inputs; nothing if somebody has interrupted it.
fn add_games<W: Write + Send>(
    inputs: Inputs,
    writer: Writer<W>,
    arguments: &Arguments,
    interrupt: &Arc<Interrupt>,
) -> Result<Option<Writer<W>>, Failure> {
    let mut log = Visible::new(io::stderr());
    let quiet = arguments.quiet || arguments.warnings.are_none();
    let show = match io::stderr().is_terminal() && !arguments.quiet {
        true => Show::Progress(inputs.bytes()),
        false => Show::Nothing,
    };
    let mut progress = Progress::new(&mut log, show).with_warnings(arguments.warnings.shown());
    let mut heed = |indexed: Indexed<'_>| {
        if !quiet {
            progress.warn(indexed.warnings);
        }
        progress.advance_games(indexed.bytes, indexed.games);
    };
    let threads = arguments.threads.count();
    match search::index(inputs.into_sources(), writer, threads, interrupt, &mut heed) {
        Err(_) if interrupt.is_raised() => Ok(None),
        indexed => indexed.map_err(Failure::new),
    }
}
