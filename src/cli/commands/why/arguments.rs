//! The arguments of `skewer why`.

use std::path::PathBuf;

use crate::cli::commands::completions::of_queries;
use crate::cli::commands::search::SearchOptions;
use crate::cli::options::drawing::DrawingArguments;
use crate::cli::pager::Paging;

/// Show why a query matches a position, or why not
///
/// Given the number of a position, such as 5:33, or a FEN, shows which filters fail there, the value of each part of the query, and the
/// smallest change that would make the position match. Given only games, shows how many games and positions each filter leaves, and how many
/// there would be without it: so you see which filter makes a query find nothing.
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "skewer why [OPTIONS] <QUERY> <INPUT>... <NUMBER>...\n       skewer why [OPTIONS] <QUERY> --fen <FEN>\n       skewer why [OPTIONS] <QUERY> <INPUT>...",
    after_help = "\
Examples:
  skewer why pins.cql games.pgn 5:33            why position 33 of game 5 matches, or why not
  skewer why -e 'wtm #P>=3 R attacks k' --fen '6k1/8/8/8/8/8/PP6/K6R w'
  skewer why greek-gift games.pgn               which filter removes how many games

Exit code: 0 it matches, 1 it does not, 2 error."
)]
pub(crate) struct Arguments {
    /// The query, the inputs, and the numbers of positions in them
    #[arg(value_name = "QUERY | INPUT | NUMBER", required_unless_present = "expression", add = of_queries())]
    pub(super) paths: Vec<PathBuf>,

    /// Filters or a whole query, in place of a query file. With a query file, or given several times, all of them must match
    #[arg(short, long, value_name = "FILTERS", allow_hyphen_values = true)]
    pub(super) expression: Vec<String>,

    /// A position in place of games; you can leave out castling rights and what follows them
    #[arg(long, value_name = "FEN")]
    pub(super) fen: Option<String>,

    /// Show all parts of the query, not only the decisive ones
    #[arg(long)]
    pub(super) all: bool,

    /// The output format
    #[arg(short, long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub(super) json: bool,

    #[command(flatten)]
    pub(super) options: SearchOptions,

    #[command(flatten)]
    pub(super) drawing: DrawingArguments,

    #[command(flatten)]
    pub(super) paging: Paging,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Format {
    /// For people
    Text,
    /// One JSON object per line, for programs
    Json,
}

impl Arguments {
    /// Returns the output format.
    pub(super) fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}
