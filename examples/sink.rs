//! Counts the results of the games that match a query, with a custom sink:
//!
//! ```sh
//! cargo run --release --example sink -- 'mate' examples/classics.pgn
//! ```

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::ops::ControlFlow;

use skewer::{FoundGame, Games, Options, Progress, Query, Sink, Warning};

/// How many of the matching games have each result.
#[derive(Default)]
struct Results(BTreeMap<String, u32>);

impl Sink for Results {
    fn game(&mut self, game: FoundGame) -> ControlFlow<()> {
        let result = game.tag("Result").unwrap_or("*").to_owned();
        *self.0.entry(result).or_default() += 1;
        ControlFlow::Continue(())
    }

    fn warning(&mut self, warning: &Warning) {
        eprintln!("warning: {warning}");
    }

    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        eprint!("\r{} games", progress.games);
        ControlFlow::Continue(())
    }
}

fn results(query: &str, games: Games) -> Result<Results, Box<dyn Error>> {
    let mut options = Options::default();
    // Parts that the sink does not use are switched off.
    options.comments = false;
    options.squares = false;
    options.tags = Some(vec!["Result".to_owned()]);
    let mut results = Results::default();
    Query::compile(query)?.run(games, &options, &mut results)?;
    Ok(results)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let query = arguments.next().ok_or("which query?")?;
    let results = results(&query, arguments.collect())?;
    eprintln!();
    for (result, count) in results.0 {
        println!("{count:8}  {result}");
    }
    Ok(())
}

#[test]
fn white_gives_most_mates_in_the_classics() {
    let results = results("mate", Games::at("examples/classics.pgn")).expect("a search");
    assert_eq!(
        results.0.into_iter().collect::<Vec<_>>(),
        [("0-1".to_owned(), 1), ("1-0".to_owned(), 7)]
    );
}
