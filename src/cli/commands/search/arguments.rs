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
/// The first argument is a query, a file or the name of one in the library; the others are inputs: PGN files and positions (.epd, .fen, .csv,
/// .tsv, .jsonl; also packed: .zst, .gz, .bz2, .xz, .zip), databases (.parquet; of Scid and ChessBase: .si4, .si5, .cbh, .cbv), folders with such files. With -e the query may be left out; with both, both must match. One of the arguments can
/// be - for standard input. What a query's header names as input and output counts only with --allow-files.
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

Exit code: 0 some game matches, 1 none does, 2 error, 124 out of time, 130 interrupted (what was found is written; a file that is there
stays then, and what was found is beside it as NAME.partial)."
)]
pub(crate) struct Arguments {
    /// The query, and what to search
    #[arg(value_name = "QUERY | INPUT", required_unless_present = "expression", add = of_queries())]
    pub(super) paths: Vec<PathBuf>,

    /// Filters, or a whole query, instead of a query file; with a query file, or given again, filters that must match as well
    #[arg(short, long, value_name = "FILTERS", allow_hyphen_values = true)]
    pub(super) expression: Vec<String>,

    /// What to print [default: what the name after -o ends in, such as .html; else lines on a terminal, pgn in a pipe]
    #[arg(short, long, value_enum)]
    pub(super) format: Option<FormatName>,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub(super) json: bool,

    /// One more column of the tables and the page: a name and a filter of the language, pawns=#P; or next, the move played next; or solution, the first move that the query tries with success. May be given again
    ///
    /// The filter is a number, a text, a set, a position, which is shown as FEN, or a condition. It stands behind those of the query and may read
    /// its variables.
    #[arg(long, value_name = "NAME=FILTER", add = of_columns())]
    pub(super) column: Vec<Column>,

    /// With csv and tsv, write ' before texts that begin with = + - or @, which spreadsheets take for formulas
    #[arg(long)]
    pub(super) quote_formulas: bool,

    /// Where to print, - for standard output [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    /// Run many queries in one pass; a result for each and a summary go to this folder
    ///
    /// The first path and all others that end in .cql are queries, or folders of them. Each result is named after its query,
    /// with the format as its extension; summary.csv has the numbers of matching games and positions. A query that is wrong
    /// does not stop the others.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["output", "title"])]
    pub(super) out_dir: Option<PathBuf>,

    #[command(flatten)]
    pub(super) options: SearchOptions,

    /// Stop after N matching games; of a sorted query print the N best
    #[arg(short = 'n', long, value_name = "N", value_parser = positive::<NonZeroU64>)]
    pub(super) limit: Option<NonZeroU64>,

    /// Print only N of the matches, drawn at random from all
    ///
    /// All games are searched. The same --seed draws the same matches. They come in the usual order.
    #[arg(long, value_name = "N", group = "drawn", conflicts_with = "limit", value_parser = positive::<NonZeroU64>)]
    pub(super) sample_matches: Option<NonZeroU64>,

    /// Let the query use files in this folder only: read and write .cqo and .cql files, read .pgn files, and name its input and output
    ///
    /// Files that were there before are overwritten with --force only.
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
