//! What `skewer ui` and `skewer mcp` share: they answer questions about games until they are ended.

use std::path::PathBuf;
use std::time::Duration;

use crate::cli::failure::Failure;
use crate::cli::inputs::Inputs;
use crate::cli::options::limits::{bytes, duration};
use crate::cli::options::reading::ReadingOptions;
use crate::cli::options::threads::Threads;
use crate::service;

/// What may be searched, and what a search may take. How much that is usually, each command says.
#[derive(clap::Args, Debug)]
pub(super) struct ServingOptions {
    /// What can be searched: PGN files and positions, also compressed; databases; folders of such files
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// Stop a search after this time, with what it has found by then: 90, 90s, 1.5m, 2h
    #[arg(long, value_name = "TIME", value_parser = duration, required = false)]
    timeout: Duration,

    /// The most memory that the query of a search may use for strings, comments, sort keys and the like: 500M, 4G
    #[arg(long, value_name = "SIZE", value_parser = bytes, required = false)]
    max_memory: usize,

    #[command(flatten)]
    reading: ReadingOptions,

    #[command(flatten)]
    threads: Threads,

    /// Print nothing on standard error
    #[arg(short, long)]
    pub(super) quiet: bool,
}

#[cfg_attr(
    not(any(feature = "mcp", feature = "ui")),
    expect(dead_code, reason = "what is not built is named in help and errors alone")
)]
impl ServingOptions {
    /// Finds the inputs.
    ///
    /// # Errors
    /// Returns an error if an input does not exist, or can be read only once.
    pub(super) fn inputs(&self) -> Result<service::Inputs, Failure> {
        let inputs = Inputs::find(&self.inputs, self.reading)?;
        inputs.check_lasting()?;
        if !self.quiet {
            inputs.say_left_out();
        }
        Ok(service::Inputs::new(inputs.into_sources()))
    }

    /// Returns the limits of a search.
    pub(super) fn limits(&self) -> service::Limits {
        service::Limits {
            time: Some(self.timeout),
            memory: self.max_memory,
            threads: self.threads.count(),
        }
    }
}
