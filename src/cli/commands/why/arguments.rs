//! The arguments of `skewer why`.

use std::path::PathBuf;

use crate::cli::commands::completions::of_queries;
use crate::cli::commands::search::SearchOptions;
use crate::cli::options::drawing::DrawingArguments;
use crate::cli::pager::Paging;

/// Say why a query matches a position, or why not
///
/// With the number of a position, such as 5:33, or a FEN: which of the filters fail there, what each part of the query says, and the smallest
/// change under which the position would match. With games alone: how many games and positions each filter leaves, and how many there would
/// be without it, so that a query that finds nothing shows where.
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
    /// The query, what to search, and numbers of positions in it
    #[arg(value_name = "QUERY | INPUT | NUMBER", required_unless_present = "expression", add = of_queries())]
    pub(super) paths: Vec<PathBuf>,

    /// Filters, or a whole query, instead of a query file; with a query file, or given again, filters that must match as well
    #[arg(short, long, value_name = "FILTERS", allow_hyphen_values = true)]
    pub(super) expression: Vec<String>,

    /// A position in place of games; castling rights and what follows them may be left out
    #[arg(long, value_name = "FEN")]
    pub(super) fen: Option<String>,

    /// Show all parts of the query, not only those that decide
    #[arg(long)]
    pub(super) all: bool,

    /// How to print it
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
    /// One object a line, for programs
    Json,
}

impl Arguments {
    /// How it is printed.
    pub(super) fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}
