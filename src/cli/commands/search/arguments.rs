//! The arguments of `skewer search`.

use std::num::NonZeroU64;
use std::path::PathBuf;

use super::options::SearchOptions;
use crate::cli::commands::completions::{of_columns, of_queries};
use crate::cli::options::drawing::DrawingArguments;
use crate::cli::options::handout::HandoutOptions;
use crate::cli::options::numbers::positive;
use crate::cli::outputs::Force;
use crate::cli::pager::Paging;
use crate::output::{Column, FormatName};

/// Search games for positions
///
/// The first argument is a query: a file, or a name from the library. The others are inputs: PGN files and positions (.epd, .fen, .csv, .tsv,
/// .jsonl; also compressed: .zst, .gz, .bz2, .xz, .zip), databases (.parquet; Scid's and ChessBase's .si4, .si5, .cbh, .cbv), and folders
/// of such files. With -e you can leave the query out; with both, both must match. One argument can be - for standard input. The input and
/// output that a query's header names count only with --allow-files.
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "skewer search [OPTIONS] <QUERY> [INPUT]...\n       skewer search [OPTIONS] -e <FILTERS> [INPUT]...\n       skewer search [OPTIONS] <QUERIES>... <INPUT>... --out-dir <DIR>",
    after_help = "\
Examples:
  skewer search pins.cql games.pgn -o pins.pgn            matching games with the query's comments
  skewer search pins.cql games.pgn -o pins.html           a page for the browser, with boards
  skewer search pins.cql games.pgn -o pins.csv --column next --column 'pawns=#P'    a table with two more columns
  skewer search -e 'mate Nf7' --format fen games.pgn.zst  positions as FEN
  skewer search mate-in-two games.pgn -o sheet.html --layout sheet  diagrams to print and hand out
  skewer search -e stalemate --format count folder/       how many games, how many positions
  skewer search smothered-mate games.pgn --player Tal     a query of the library, in games of one player
  skewer search pins.cql -e wtm games.pgn --year 1990-    a query and a filter, in games since 1990
  skewer search -e 'mate' puzzles.csv.zst                 positions of a table, with the moves beside them
  skewer search queries/ folder/ --out-dir results/       all queries of a folder in one pass
  zstdcat games.zst | skewer search -e 'Q==0 q==0' - --format csv

Exit code: 0 some game matches, 1 none does, 2 error, 124 out of time, 130 interrupted (what was found is written; an existing
file stays as it was, and what was found is beside it as NAME.partial)."
)]
pub(crate) struct Arguments {
    /// The query, and what to search
    #[arg(value_name = "QUERY | INPUT", required_unless_present = "expression", add = of_queries())]
    pub(super) paths: Vec<PathBuf>,

    /// Filters or a whole query, in place of a query file. With a query file, or given several times, all of them must match
    #[arg(short, long, value_name = "FILTERS", allow_hyphen_values = true)]
    pub(super) expression: Vec<String>,

    /// The output format [default: by the extension of -o, such as .html; otherwise lines on a terminal and pgn in a pipe]
    #[arg(short, long, value_enum)]
    pub(super) format: Option<FormatName>,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub(super) json: bool,

    /// Add a column to tables and pages: a name and a filter, such as pawns=#P; or `next`, the move played next; or `solution`, the first tried
    /// move that works. Can be given several times
    ///
    /// The filter is a number, a text, a set, a position (shown as FEN) or a condition. It is evaluated after those of the query and can read their
    /// variables.
    #[arg(long, value_name = "NAME=FILTER", add = of_columns())]
    pub(super) column: Vec<Column>,

    /// With csv and tsv, write ' before texts that spreadsheets would take for formulas: those that begin with = + - or @
    #[arg(long)]
    pub(super) quote_formulas: bool,

    /// The output file, - for standard output [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Run many queries in one pass, and write a result for each and a summary to this folder
    ///
    /// The first path and all others that end in .cql are queries or folders of queries. Each result is named after its query, with the
    /// format as its extension; summary.csv has the numbers of matching games and positions. A faulty query does not stop the others.
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub(super) out_dir: Option<PathBuf>,

    #[command(flatten)]
    pub(super) options: SearchOptions,

    /// Stop after N matching games; if the query sorts, print the N best
    #[arg(short = 'n', long, value_name = "N", value_parser = positive::<NonZeroU64>)]
    pub(super) limit: Option<NonZeroU64>,

    /// Print only N matches, drawn at random from all
    ///
    /// Searches all games. The same --seed draws the same matches. They are printed in the usual order.
    #[arg(long, value_name = "N", group = "drawn", conflicts_with = "limit", value_parser = positive::<NonZeroU64>)]
    pub(super) sample_matches: Option<NonZeroU64>,

    /// Let the query use files, but only in this folder: read and write .cqo and .cql files, read .pgn files, and name its input and output
    ///
    /// Replaces files that existed before only with --force.
    #[arg(long, value_name = "DIR")]
    pub(super) allow_files: Option<PathBuf>,

    #[command(flatten)]
    pub(super) force: Force,

    #[command(flatten)]
    pub(super) drawing: DrawingArguments,

    #[command(flatten)]
    pub(super) handout: HandoutOptions,

    #[command(flatten)]
    pub(super) paging: Paging,
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Command {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn parse(arguments: &[&str]) -> Result<Arguments, clap::Error> {
        let all = ["search"].iter().chain(arguments);
        Command::try_parse_from(all).map(|command| command.arguments)
    }

    #[test]
    fn an_expression_may_look_like_an_option() {
        assert_eq!(parse(&["-e", "--=N", "a.pgn"]).unwrap().expression, ["--=N"]);
    }

    #[test]
    fn counts_begin_with_one() {
        assert!(parse(&[]).is_err());
        assert!(parse(&["q.cql", "--threads", "0"]).is_err());
        assert!(parse(&["q.cql", "--limit", "0"]).is_err());
        let arguments = parse(&["q.cql", "--threads", "3", "--limit", "5"]).unwrap();
        assert_eq!(
            (arguments.options.threads.count().get(), arguments.limit),
            (3, NonZeroU64::new(5))
        );
    }
}
