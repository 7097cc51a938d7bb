//! `skewer lsp`: the language server on standard input and output.

use std::io::{self, BufReader};

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::lsp::{self, Ended};

/// Serve editors: errors, explanations, completion and more while you write a query
///
/// Speaks the Language Server Protocol on standard input and output. Your editor starts it: see docs/editors.md.
#[derive(clap::Args, Debug)]
pub(crate) struct Arguments {
    /// The only way there is; some editors say it
    #[arg(long, hide = true)]
    stdio: bool,
}

/// Serves until the client ends it.
pub(crate) fn execute(_: &Arguments) -> Result<Exit, Failure> {
    match lsp::serve(BufReader::new(io::stdin()), &mut io::stdout()) {
        Ok(Ended::Properly) => Ok(Exit::Success),
        Ok(Ended::Abruptly) => Err(Failure::new("the client went away without `shutdown` and `exit`")),
        Err(error) => Err(Failure::new(format_args!(
            "the conversation with the client failed: {error}"
        ))),
    }
}
