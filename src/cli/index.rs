//! `skewer index`: games into a database.

use std::io::{self, IsTerminal, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::engine::Inputs;
use super::{Exit, Failure, signal};
use crate::database::Writer;
use crate::game::{Batch, Warning};
use crate::limits::Interrupt;
use crate::output::Destination;
use crate::search::{self, Error, Progress, Show};

/// Make a database of games, which searches read many times faster than PGN
///
/// Inputs are PGN files (also packed: .pgn.zst, .pgn.gz), folders with such files, or - for standard input. The database is a
/// Parquet file, one row per game, that DuckDB, Polars and others read, too.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  skewer index games.pgn.zst -o games.parquet           one file
  skewer index 2024/ 2025/ -o games.parquet --force     two folders, in place of an older database
  skewer index new.pgn -o games.parquet --append        more games; their numbers go on
  skewer search -e 'mate Nf7' games.parquet             search it

Exit code: 0 the database is complete, 2 error (an older file is left as it was), 130 interrupted (the same).")]
pub(super) struct Arguments {
    /// Games
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<PathBuf>,

    /// The database
    #[arg(short, long, value_name = "DB.parquet")]
    output: PathBuf,

    /// Replace a file that is there
    #[arg(long, conflicts_with = "append")]
    force: bool,

    /// Add the games to the database that is there
    #[arg(long)]
    append: bool,

    /// No warnings
    #[arg(short, long)]
    quiet: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let output = &arguments.output;
    let unwritten = |error: io::Error| Failure::new(format_args!("cannot write {}: {error}", output.display()));
    check_output(arguments)?;
    let inputs = Inputs::open(&arguments.inputs).map_err(Failure::new)?;
    let interrupt = signal::handle(Interrupt::default());
    let destination = Destination::file(output).map_err(unwritten)?;
    let writer = if arguments.append && output.exists() {
        Writer::append(output, destination)
            .map_err(|error| Failure::new(format_args!("cannot add to {}: {error}", output.display())))?
    } else {
        Writer::new(destination).map_err(unwritten)?
    };
    let Some(writer) = add_games(inputs, writer, arguments.quiet, &interrupt)? else {
        let _ = writeln!(io::stderr(), "interrupted: {} is as it was", output.display());
        return Ok(Exit::Interrupted);
    };
    writer.finish().and_then(Destination::commit).map_err(unwritten)?;
    Ok(Exit::Success)
}

/// Refuses an output that would lose something.
fn check_output(arguments: &Arguments) -> Result<(), Failure> {
    let output = arguments.output.as_path();
    if output.as_os_str() == "-" {
        return Err(Failure::new(
            "a database has to be a file, it cannot be written to standard output",
        ));
    }
    if output.exists() && !arguments.force && !arguments.append {
        let message = format_args!(
            "{} is there already: --append adds games to it, --force replaces it",
            output.display()
        );
        return Err(Failure::new(message));
    }
    let is_output = |input: &Path| same_file(input, output);
    if let Some(input) = arguments.inputs.iter().find(|input| is_output(input)) {
        return Err(Failure::new(format_args!("{} is input and output", input.display())));
    }
    Ok(())
}

fn same_file(left: &Path, right: &Path) -> bool {
    match (left.canonicalize(), right.canonicalize()) {
        (Ok(left), Ok(right)) => left == right,
        _ => false,
    }
}

/// Adds all games of the inputs; nothing if somebody has interrupted it.
fn add_games<W: Write + Send>(
    inputs: Inputs,
    mut writer: Writer<W>,
    quiet: bool,
    interrupt: &Arc<Interrupt>,
) -> Result<Option<Writer<W>>, Failure> {
    let mut log = io::stderr();
    let show = match log.is_terminal() && !quiet {
        true => Show::Progress(inputs.bytes()),
        false => Show::Nothing,
    };
    let mut progress = Progress::new(&mut log, show);
    let (mut recycled, mut bytes) = (Batch::default(), 0);
    for source in inputs.into_sources() {
        let mut batches = match search::text_of(source, writer.games(), interrupt) {
            Err(_) if interrupt.is_raised() => return Ok(None),
            batches => batches.map_err(Failure::new)?,
        };
        while let Some(batch) = batches.next_batch(mem::take(&mut recycled)) {
            let batch = match batch {
                Err(_) if interrupt.is_raised() => return Ok(None),
                batch => batch.map_err(Failure::new)?,
            };
            let mut warnings = Vec::new();
            let mut warn = |warning: &Warning| {
                if !quiet {
                    // Writing to a vector cannot fail.
                    let _ = writeln!(warnings, "warning: {warning}");
                }
            };
            writer
                .add(&batch, &mut warn)
                .map_err(|error| Failure::new(Error::Output(error)))?;
            progress.print(&warnings);
            bytes += batch.text.len() as u64;
            progress.advance_games(bytes, writer.games());
            if interrupt.is_raised() {
                return Ok(None);
            }
            recycled = batch;
        }
    }
    Ok(Some(writer))
}
