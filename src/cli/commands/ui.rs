//! `skewer ui`: a page in the browser that asks, and the server behind it.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::inputs::Inputs;
use crate::cli::options::limits::{bytes, duration};
use crate::cli::options::reading::ReadingOptions;
use crate::cli::options::threads::Threads;
use crate::cli::outputs::print;
use crate::cli::signal;
use crate::serve::{self, Limits, Server};
use crate::service;

/// Ask in the browser: queries, a board, results
///
/// Starts a server that only this machine reaches, and prints its address, which holds a secret: whoever knows it can read the inputs. It writes
/// nothing. Ctrl-C ends it.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  skewer ui games.pgn --open          search these games in the browser
  skewer ui folder/ games.parquet     print the address alone
  skewer ui --port 8080               always at the same port

Exit code: 0 ended by a signal, 2 error.")]
pub(crate) struct Arguments {
    /// What can be searched: PGN files and positions, also packed, databases, folders with such files
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    /// The port to listen to [default: one that is free]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,

    /// Start the browser
    #[arg(long)]
    open: bool,

    /// Stop a search after this time, with what it has found by then; 90, 90s, 1.5m, 2h [default: 10m]
    #[arg(long, value_name = "TIME", value_parser = duration)]
    timeout: Option<Duration>,

    /// The most memory that the query of a search may take for strings, comments, sort keys ...; 500M, 4G [default: 2G]
    #[arg(long, value_name = "SIZE", value_parser = bytes)]
    max_memory: Option<usize>,

    #[command(flatten)]
    reading: ReadingOptions,

    #[command(flatten)]
    threads: Threads,

    /// Say nothing beside the address
    #[arg(short, long)]
    quiet: bool,

    /// How long a client may take to send the head of a request, and its body
    #[arg(long, value_name = "TIME", value_parser = duration, hide = true)]
    request_time: Option<Duration>,

    /// How long a client may read nothing of an answer
    #[arg(long, value_name = "TIME", value_parser = duration, hide = true)]
    answer_time: Option<Duration>,
}

impl Arguments {
    fn limits(&self) -> Limits {
        let usual = Limits::default();
        Limits {
            request_time: self.request_time.unwrap_or(usual.request_time),
            answer_time: self.answer_time.unwrap_or(usual.answer_time),
            search_time: self.timeout.unwrap_or(usual.search_time),
            search_memory: self.max_memory.unwrap_or(usual.search_memory),
            threads: self.threads.count(),
        }
    }
}

/// Serves until a signal comes.
pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, Failure> {
    let inputs = Inputs::find(&arguments.inputs, arguments.reading)?;
    inputs.check_lasting()?;
    if !arguments.quiet {
        inputs.say_left_out();
    }
    let sources = service::Inputs::new(inputs.into_sources());
    let server = Server::bind(arguments.port, sources, arguments.limits());
    let server = server.map_err(|error| match arguments.port {
        0 => Failure::new(format_args!("cannot listen to a port: {error}")),
        port => Failure::with_help(
            format_args!("cannot listen to port {port}: {error}"),
            "without --port there is one that is free",
        ),
    })?;
    let stop = server.stop();
    signal::until_ended(move || stop.stop());
    let address = server.address();
    print(format!("{address}\n").as_bytes())?;
    if !arguments.quiet {
        if !serve::is_built_in() {
            signal::say(&format!(
                "note: this skewer was built without its pages: `{}`, then build it again",
                serve::BUILD_COMMAND
            ));
        }
        signal::say("Ctrl-C ends it");
    }
    if arguments.open {
        // What starts a browser may wait until it ends.
        thread::spawn(move || {
            if let Err(error) = open::that(address) {
                signal::say(&format!("note: no browser could be started: {error}"));
            }
        });
    }
    server
        .run()
        .map_err(|error| Failure::new(format_args!("cannot serve: {error}")))?;
    Ok(Exit::Success)
}
