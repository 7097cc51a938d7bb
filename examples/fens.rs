//! Reads positions, one FEN on each line, and prints those that match:
//!
//! ```sh
//! echo '7k/6Q1/6K1/8/8/8/8/8 b - - 0 1' | cargo run --release --example fens -- 'mate'
//! ```

use std::env;
use std::error::Error;
use std::io::{self, BufRead, Write};

use skewer::Query;

fn filter(query: &Query, fens: impl BufRead, mut out: impl Write) -> Result<(), Box<dyn Error>> {
    for (line, fen) in (1..).zip(fens.lines()) {
        let fen = fen?;
        match query.matches_fen(&fen) {
            Ok(true) => writeln!(out, "{fen}")?,
            Ok(false) => {}
            Err(error) => eprintln!("line {line}: {error}"),
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let query = Query::compile(env::args().nth(1).ok_or("which query?")?)?;
    filter(&query, io::stdin().lock(), io::stdout().lock())
}

#[test]
fn only_mates_are_kept() {
    let query = Query::compile("mate").expect("a query");
    let fens = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1\n7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\nno position\n";
    let mut kept = Vec::new();
    filter(&query, fens.as_bytes(), &mut kept).expect("it is written");
    assert_eq!(kept, b"7k/6Q1/6K1/8/8/8/8/8 b - - 0 1\n");
}
