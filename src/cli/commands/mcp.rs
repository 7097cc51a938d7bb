//! `skewer mcp`: tools for assistants, on standard input and output.

use super::serving::ServingOptions;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;

/// Serve assistants: find themes, write and mend queries, search games
///
/// Speaks the Model Context Protocol on standard input and output. Your assistant starts it: see docs/mcp.md. It reads the inputs and nothing
/// else, and writes no files.
#[derive(clap::Args, Debug)]
#[command(
    // Assistants do not wait for long.
    mut_arg("timeout", |timeout| timeout.default_value("1m")),
    mut_arg("max_memory", |memory| memory.default_value("512M")),
    after_help = "\
Examples:
  skewer mcp games.pgn                search these games
  skewer mcp folder/ games.parquet    all games of a folder, and a database
  skewer mcp --timeout 5m games.pgn   for long searches

Exit code: 0 ended by the assistant, 2 error."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    serving: ServingOptions,
}

/// Serves until the assistant ends it.
#[cfg(feature = "mcp")]
pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, Failure> {
    use std::io::{self, BufReader};

    let (inputs, limits) = (arguments.serving.inputs()?, arguments.serving.limits());
    crate::mcp::serve(BufReader::new(io::stdin()), io::stdout(), inputs, limits)
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
