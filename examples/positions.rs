//! Prints FEN and players of each position that matches, one JSON object a line:
//!
//! ```sh
//! cargo run --release --example positions -- 'xray (B a k)' examples/classics.pgn
//! ```

use std::env;
use std::error::Error;

use skewer::{Games, Query};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let text = arguments.next().ok_or("which query?")?;
    let query = Query::compile(text).map_err(|error| error.drawn().to_owned())?;
    let games: Games = arguments.collect();
    let mut search = query.search(games)?;
    for game in &mut search {
        let game = game?;
        for found in game.matches() {
            let line = serde_json::json!({
                "fen": found.fen(),
                "white": game.tag("White"),
                "black": game.tag("Black"),
            });
            println!("{line}");
        }
    }
    for warning in search.warnings() {
        eprintln!("warning: {warning}");
    }
    Ok(())
}
