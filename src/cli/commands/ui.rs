//! `skewer ui`: a page in the browser, and the server behind it.

use std::thread;
use std::time::Duration;

use super::serving::ServingOptions;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::options::limits::duration;
use crate::cli::outputs::print;
use crate::cli::signal;
use crate::serve::{self, Limits, Server};

/// Ask in your browser: queries, a board, results
///
/// Starts a server that only this machine can reach, and prints its address. The address contains a secret: whoever knows it can read the
/// inputs. The server writes no files. Ctrl-C ends it.
#[derive(clap::Args, Debug)]
#[command(
    mut_arg("timeout", |timeout| timeout.default_value("10m")),
    mut_arg("max_memory", |memory| memory.default_value("2G")),
    after_help = "\
Examples:
  skewer ui games.pgn --open          search these games in the browser
  skewer ui folder/ games.parquet     print the address alone
  skewer ui --port 8080               always at the same port

Exit code: 0 ended by a signal, 2 error."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    serving: ServingOptions,

    /// The port to listen on [default: a free one]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,

    /// Start the browser
    #[arg(long)]
    open: bool,

    /// How long a client may take to send the head of a request, and its body
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "10s", hide = true)]
    request_time: Duration,

    /// How long a client may read nothing of an answer
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "30s", hide = true)]
    answer_time: Duration,
}

/// Serves until a signal arrives.
pub(crate) fn execute(arguments: &Arguments) -> Result<Exit, Failure> {
    let limits = Limits {
        request_time: arguments.request_time,
        answer_time: arguments.answer_time,
        search: arguments.serving.limits(),
    };
    let server = Server::bind(arguments.port, arguments.serving.inputs()?, limits);
    let server = server.map_err(|error| match arguments.port {
        0 => Failure::new(format_args!("cannot listen to a port: {error}")),
        port => Failure::with_help(
            format_args!("cannot listen to port {port}: {error}"),
            "without --port, a free one is chosen",
        ),
    })?;
    let stop = server.stop();
    signal::until_ended(move || stop.stop());
    let address = server.address();
    print(format!("{address}\n").as_bytes())?;
    if !arguments.serving.quiet {
        if !serve::is_built_in() {
            signal::say(&format!(
                "note: this skewer was built without its pages: `{}`, then build it again",
                serve::BUILD_COMMAND
            ));
        }
        signal::say("Ctrl-C ends it");
    }
    if arguments.open {
        // The program that starts a browser may not return until it ends.
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
