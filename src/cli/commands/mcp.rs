//! `skewer mcp`: tools for assistants on standard input and output.

use std::path::PathBuf;
use std::time::Duration;

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
#[cfg(feature = "mcp")]
use crate::cli::inputs::Inputs;
use crate::cli::options::limits::{bytes, duration};
use crate::cli::options::reading::ReadingOptions;
use crate::cli::options::threads::Threads;

/// Serve assistants: find themes, write and mend queries, search games
///
/// Speaks the Model Context Protocol on standard input and output. Assistants start it; docs/mcp.md says how they are told to. It reads the
/// inputs and nothing else, and writes no file.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  skewer mcp games.pgn                search these games
  skewer mcp folder/ games.parquet    all games of a folder, and a database
  skewer mcp --timeout 5m games.pgn   for long searches

Exit code: 0 the assistant has ended it, 2 error.")]
#[cfg_attr(
    not(feature = "mcp"),
    allow(dead_code, reason = "without the feature they are named in help and errors alone")
)]
pub(crate) struct Arguments {
    /// What can be searched: PGN files and positions, also packed, databases, folders with such files
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// Stop a search after this time, with what it has found by then; 90, 90s, 1.5m, 2h [default: 1m]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    timeout: Option<Duration>,

    /// The most memory that the query of a search may take for strings, comments, sort keys ...; 500M, 4G [default: 512M]
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    max_memory: Option<usize>,

    #[command(flatten)]
    reading: ReadingOptions,

    #[command(flatten)]
    threads: Threads,

    /// Say nothing on standard error
    #[arg(short, long)]
    quiet: bool,
}

/// Serves until the assistant ends it.
#[cfg(feature = "mcp")]
pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, Failure> {
    use std::io::{self, BufReader};

    use crate::{mcp, service};

    /// How long a search may take where nobody says it: assistants do not wait for long.
    const TIME: Duration = Duration::from_secs(60);
    /// How many bytes what a query makes may take where nobody says it.
    const MEMORY: usize = 512 << 20;

    let inputs = Inputs::find(&arguments.inputs, arguments.reading)?;
    inputs.check_lasting()?;
    if !arguments.quiet {
        inputs.say_left_out();
    }
    let limits = service::Limits {
        time: Some(arguments.timeout.unwrap_or(TIME)),
        memory: arguments.max_memory.unwrap_or(MEMORY),
        threads: arguments.threads.count(),
    };
    let inputs = service::Inputs::new(inputs.into_sources());
    mcp::serve(BufReader::new(io::stdin()), io::stdout(), inputs, limits)
        .map_err(|error| Failure::new(format_args!("the conversation with the assistant failed: {error}")))?;
    Ok(Exit::Success)
}

/// Says what is missing.
#[cfg(not(feature = "mcp"))]
pub(crate) fn execute(_: &Arguments) -> Result<Exit, Failure> {
    Err(Failure::with_help(
        "this skewer was built without what `mcp` needs",
        "releases and the Python package have it; from the sources: `cargo install --path . --features mcp`",
    ))
}
