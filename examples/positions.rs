//! Prints the FEN and the players of each position that matches, one JSON object on each line:
//!
//! ```sh
//! cargo run --release --example positions -- 'xray (B a k)' examples/classics.pgn
//! ```

use std::error::Error;
use std::io::{self, ErrorKind, Write};
use std::{env, process};

use skewer::{Games, Query};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let text = arguments.next().ok_or("which query?")?;
    let query = Query::compile(text)?;
    let games: Games = arguments.collect();
    let mut out = io::stdout().lock();
    let mut search = query.search(games)?;
    for game in &mut search {
        let game = game?;
        for found in game.matches() {
            let line = serde_json::json!({
                "fen": found.fen(),
                "white": game.tag("White"),
                "black": game.tag("Black"),
            });
            match writeln!(out, "{line}") {
                // The reader has closed the pipe, as `| head` does.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => process::exit(0),
                written => written?,
            }
        }
    }
    for warning in search.warnings() {
        eprintln!("warning: {warning}");
    }
    Ok(())
}
