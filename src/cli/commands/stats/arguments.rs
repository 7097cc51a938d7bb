//! The arguments of `skewer stats`.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use crate::cli::commands::completions::{of_keys, of_queries};
use crate::cli::commands::search::SearchOptions;
use crate::cli::options::numbers::positive;
use crate::cli::outputs::Force;
use crate::cli::pager::Paging;
use crate::stats::{FileFormat, Keys, Order, Perspective};

/// Count what queries find: how often, in which games, and how they ended
///
/// Groups the games by keys, such as `--by year:10,eco:1`. For each group you see how many games it has, how many games and positions match,
/// the share of games that match, wins, draws and losses, the score, the mean rating, and the first and last year. Shares and scores come
/// with their 95 % Wilson intervals. Queries are files that end in .cql, names and sections of the library, or a folder as the first argument;
/// all are counted in one pass. Without a query, the initial positions of the games are counted. All other paths are inputs, as for
/// `skewer search`.
///
/// Keys of a game are year, elo (the mean rating, or that of the side --for names), whiteelo, blackelo, meanelo, eco, result, player, white,
/// black, event, site, source, query and tag:NAME. Keys of a matching position are ply, movenumber, next (the move played next), and any
/// number, text or set of the language under a name of yours: pawns=#P. A number after the key sets the size of a group (year:10, elo:200,
/// ply:20, movenumber:5) or how many characters of the code count (eco:1). With a key of positions, the share is that of the games that match.
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "skewer stats [OPTIONS] [QUERY]... <INPUT>... --by <KEYS>\n       skewer stats [OPTIONS] -e <FILTERS> <INPUT>... --by <KEYS>",
    after_help = "\
Examples:
  skewer stats smothered-mate games.pgn --by year:10      how often, by decade
  skewer stats opposite-coloured-bishops games.pgn --by elo:200
  skewer stats mates games.parquet --by elo:200 -o mates.csv    all mates of the library, by rating
  skewer stats games.pgn --by player --min 50 --sort score      who scores best in at least 50 games
  skewer stats -e 'fen \"...\"' games.pgn --next             what was played there, and how it scored

Exit code: 0 some game matches, 1 none does, 2 error, 124 out of time, 130 interrupted (nothing is printed then)."
)]
pub(crate) struct Arguments {
    /// The queries, and what to search
    #[arg(value_name = "QUERY | INPUT", required_unless_present = "since", add = of_queries())]
    pub(super) paths: Vec<PathBuf>,

    /// Filters or a whole query, in place of a query file. With query files, or given several times, all of them must match
    #[arg(short, long, value_name = "FILTERS", allow_hyphen_values = true)]
    pub(super) expression: Vec<String>,

    /// One or more keys to group by, such as year:10,eco:1. Can be given several times
    #[arg(long, value_name = "KEYS", add = of_keys())]
    pub(super) by: Vec<Keys>,

    /// The same as --by next --sort count: which moves were played next
    #[arg(long)]
    pub(super) next: bool,

    /// Whose wins, rating and name to count [default: White's wins, both players' ratings; with --by-player, that player's]
    ///
    /// With --player or --by-player, only games in which the player has this side count.
    #[arg(long = "for", value_name = "SIDE", value_enum)]
    pub(super) for_whom: Option<Perspective>,

    /// A number of the language, such as movenumber: for each group, print its mean, median, quartiles and extremes at the matches
    ///
    /// A set counts as the number of its squares.
    #[arg(long, value_name = "FILTER", allow_hyphen_values = true)]
    pub(super) value: Option<String>,

    /// With --value, show how often each value occurs; on a terminal, as a small chart
    #[arg(long, requires = "value")]
    pub(super) histogram: bool,

    /// How to order the groups [default: by the keys; by count if a key is a name or `next`]
    #[arg(long, value_name = "WHAT", value_enum)]
    pub(super) sort: Option<Order>,

    /// Only the first N groups
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>)]
    pub(super) top: Option<NonZeroUsize>,

    /// Only groups in which at least N games match
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroU64>)]
    pub(super) min: Option<NonZeroU64>,

    /// The most groups there can be; more end the run with an error
    #[arg(long, value_name = "N", value_parser = positive::<NonZeroUsize>, default_value_t = NonZeroUsize::new(1_000_000).unwrap())]
    pub(super) max_groups: NonZeroUsize,

    /// The output format [default: by the extension of -o; otherwise table on a terminal and csv in a pipe]
    #[arg(short, long, value_enum)]
    pub(super) format: Option<FileFormat>,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub(super) json: bool,

    /// The heading of a drawing or page [default: the names of the queries]
    #[arg(long, value_name = "TEXT")]
    pub(super) title: Option<String>,

    /// With csv and tsv, write ' before texts that spreadsheets would take for formulas: those that begin with = + - or @
    #[arg(long)]
    pub(super) quote_formulas: bool,

    /// The output file, - for standard output [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,

    #[command(flatten)]
    pub(super) options: SearchOptions,

    #[command(flatten)]
    pub(super) force: Force,

    #[command(flatten)]
    pub(super) paging: Paging,
}
