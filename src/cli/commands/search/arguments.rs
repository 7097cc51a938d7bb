//! The arguments of `skewer search`, and what they mean for one query as for many.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::chess::Variant;
use crate::cli::commands::completions::of_queries;
use crate::cli::options::drawing::DrawingArguments;
use crate::cli::options::formats::{self, Form};
use crate::cli::options::letters::Letters;
use crate::cli::options::limits::Limits;
use crate::cli::options::mistaken::positive;
use crate::cli::options::narrowing::Narrowing;
use crate::cli::options::packed::Packed;
use crate::cli::options::tablebase::TablebaseFolders;
use crate::cli::options::threads::Threads;
use crate::cli::options::warnings::WarningOptions;
use crate::cli::outputs::Force;
use crate::cli::pager::Paging;
use crate::cli::progress::Show;
use crate::cli::queries::files::{is_query, only_games};
use crate::cli::queries::names::{Named, is_library_name};
use crate::cli::queries::text::{Language, QueryText, STDIN_PATH};
use crate::cli::{Failure, command_line, engine};
use crate::eval::{Folder, Settings};
use crate::game::Rules;
use crate::limits::Interrupt;
use crate::output::{Destination, FormatName, Look};
use crate::pgn::holds_games;
use crate::query::{self, HeaderOptions};
use crate::search::Options;
use crate::syntax::token::TokenKind;
use crate::syntax::{Source, scan};
use crate::terminal::shown;

/// Search games for positions
///
/// The first argument is a query, a file or the name of one in the library; the others are inputs: PGN files (also packed: .zst, .gz,
/// .bz2, .xz, .zip), databases, folders with such files. With -e the query may be left out; with both, both must match. One of the arguments can
/// be - for standard input. What a query's header names as input and output counts only with --allow-files.
#[derive(clap::Args, Debug)]
#[command(
    override_usage = "skewer search [OPTIONS] <QUERY> [INPUT]...\n       skewer search [OPTIONS] -e <FILTERS> [INPUT]...\n       skewer search [OPTIONS] <QUERIES>... <INPUT>... --out-dir <DIR>",
    after_help = "\
Examples:
  skewer search pins.cql games.pgn -o pins.pgn            matching games with the query's comments
  skewer search pins.cql games.pgn -o pins.html           a page for the browser, with boards
  skewer search -e 'mate Nf7' --format fen games.pgn.zst  positions as FEN
  skewer search -e stalemate --format count folder/       how many games, how many positions
  skewer search smothered-mate games.pgn --player Tal     a query of the library, in games of one player
  skewer search pins.cql -e wtm games.pgn --year 1990-    a query and a filter, in games since 1990
  skewer search queries/ folder/ --out-dir results/       all queries of a folder in one pass
  zstdcat games.zst | skewer search -e 'Q==0 q==0' - --format csv

Exit code: 0 some game matches, 1 none does, 2 error, 124 out of time, 130 interrupted (what was found is written; a file that is there
stays then, and what was found is beside it as NAME.partial)."
)]
pub(in crate::cli) struct Arguments {
    /// The query, and what to search
    #[arg(value_name = "QUERY | INPUT", required_unless_present = "expression", add = of_queries())]
    pub(super) paths: Vec<PathBuf>,

    /// Filters, or a whole query, instead of a query file; with a query file, or given again, filters that must match as well
    #[arg(short, long, value_name = "FILTERS", allow_hyphen_values = true)]
    pub(super) expression: Vec<String>,

    /// What to print [default: what the name after -o ends in, such as .html; else lines on a terminal, pgn in a pipe]
    #[arg(short, long, value_enum)]
    format: Option<FormatName>,

    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,

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
    #[arg(long, value_name = "DIR", conflicts_with = "output")]
    pub(super) out_dir: Option<PathBuf>,

    #[command(flatten)]
    pub(super) threads: Threads,

    /// Search variations, too, as the header's `variations`
    #[arg(long)]
    variations: bool,

    /// Search games of this variant only, such as standard, chess960, atomic
    #[arg(long, value_name = "NAME", value_parser = variant)]
    variant: Option<Variant>,

    /// Stop after N matching games; of a sorted query print the N best
    #[arg(short = 'n', long, value_name = "N", value_parser = positive::<NonZeroU64>)]
    limit: Option<NonZeroU64>,

    /// Let the query use files in this folder only: read and write .cqo and .cql files, read .pgn files, and name its input and output
    ///
    /// Files that were there before are overwritten with --force only.
    #[arg(long, value_name = "DIR")]
    pub(super) allow_files: Option<PathBuf>,

    #[command(flatten)]
    pub(super) force: Force,

    /// How many rounds the loops of the query may make at one position before they count as endless
    ///
    /// `find`, `echo`, `path`, `line` and loops over squares together may try ten times as much.
    #[arg(long, value_name = "N", default_value_t = Settings::default().max_rounds)]
    max_rounds: u64,

    #[command(flatten)]
    pub(super) limits: Limits,

    #[command(flatten)]
    pub(super) letters: Letters,

    #[command(flatten)]
    pub(super) packed: Packed,

    #[command(flatten)]
    language: Language,

    #[command(flatten)]
    tablebase: TablebaseFolders,

    #[command(flatten)]
    pub(super) warnings: WarningOptions,

    /// No warnings, no progress
    #[arg(short, long)]
    pub(super) quiet: bool,

    #[command(flatten)]
    pub(super) narrowing: Narrowing,

    #[command(flatten)]
    pub(super) drawing: DrawingArguments,

    #[command(flatten)]
    pub(super) paging: Paging,
}

/// What a search is about.
#[derive(Debug)]
pub(super) struct Asked<'a> {
    pub(super) query: QueryText,
    /// The file of the query.
    pub(super) file: Option<PathBuf>,
    /// Filters that must match, too.
    pub(super) filters: Vec<Source>,
    pub(super) inputs: &'a [PathBuf],
}

/// The variant of a name; an unknown one is an error that lists those that there are.
pub(in crate::cli) fn variant(name: &str) -> Result<Variant, String> {
    let known = || Variant::ALL.map(|variant| variant.to_string()).join(", ");
    Variant::of_name(name.as_bytes()).ok_or_else(|| format!("there are {}", known()))
}

impl Arguments {
    /// What is the query, and what is left of the paths as inputs.
    pub(super) fn asked(&self) -> Result<Asked<'_>, Failure> {
        let first = self.paths.first().map(PathBuf::as_path);
        let with_query =
            self.expression.is_empty() || first.is_some_and(|path| is_query(path) || is_library_name(path));
        let asked = if with_query {
            self.asked_by_name()?
        } else {
            let (query, filters) = joined(&self.expression)?;
            Asked {
                query,
                file: None,
                filters,
                inputs: &self.paths,
            }
        };
        match &self.paths[..self.paths.len() - asked.inputs.len()] {
            [query] => only_one(query, &self.expression, asked.inputs)?,
            _ => only_games(asked.inputs)?,
        }
        Ok(asked)
    }

    /// The same where the first path is the query.
    fn asked_by_name(&self) -> Result<Asked<'_>, Failure> {
        let Some((name, inputs)) = self.paths.split_first() else {
            return Err(Failure::new("no query: name a file or use -e"));
        };
        if holds_games(name) {
            let message = format!("{} has games, and the first path is the query", shown(name));
            let query = inputs
                .iter()
                .find(|path| path.extension().is_some_and(|extension| extension == "cql"));
            return Err(match query {
                Some(query) => Failure::with_help(
                    message,
                    format_args!("the other way round: `skewer search {} {}`", shown(query), shown(name)),
                ),
                None => Failure::with_help(
                    message,
                    "`skewer search QUERY.cql GAMES.pgn`, or `skewer search -e 'FILTERS' GAMES.pgn`",
                ),
            });
        }
        if name.is_dir() {
            return Err(Failure::with_help(
                format_args!("{} is a folder, not a query", shown(name)),
                "`skewer search QUERIES INPUT --out-dir DIR` searches with all queries of a folder",
            ));
        }
        if name == Path::new(STDIN_PATH) && inputs.contains(name) {
            return Err(Failure::new(
                "standard input cannot be both the query and what to search",
            ));
        }
        let (query, named) = QueryText::from_name(name, self.quiet)?;
        Ok(Asked {
            query,
            file: named.and_then(Named::into_file),
            filters: self.added_filters()?,
            inputs,
        })
    }

    /// The filters of `-e` where something else is the query.
    pub(super) fn added_filters(&self) -> Result<Vec<Source>, Failure> {
        let texts = self.expression.iter().map(|text| QueryText::from_argument(text));
        texts.map(QueryText::into_filters).collect()
    }

    /// What to print, and how it is packed.
    pub(super) fn form(&self, is_screen: bool) -> Result<Form, Failure> {
        let asked = self.format.or(self.json.then_some(FormatName::Json));
        let usual = match is_screen {
            true => FormatName::Lines,
            false => FormatName::Pgn,
        };
        formats::form(asked, self.output.as_deref(), usual)
    }

    /// How text looks on standard output, or in a file.
    pub(super) fn look(&self, color: bool, is_file: bool) -> Look {
        Look {
            quotes_formulas: self.quote_formulas,
            ..formats::look(&self.drawing, color, is_file)
        }
    }

    /// The query with `filters` beside it, as far as this run may search with it. A quiet run has no warnings of it.
    pub(super) fn compile(&self, text: QueryText, filters: Vec<Source>, color: bool) -> Result<engine::Query, Failure> {
        let compile = if self.quiet {
            engine::compile
        } else {
            engine::compile_linted
        };
        let query = compile(text, self.query_options(filters), color)?;
        if self.narrowing.first && query.header().match_count.is_some() {
            return Err(Failure::with_help(
                "the query counts matching positions, `matchcount`, and --first looks at one only",
                "leave out --first",
            ));
        }
        if let Some(lacking) = query.lacks_tablebase(color) {
            return Err(lacking);
        }
        match query.file_access(color) {
            Some(refused) if self.allow_files.is_none() => Err(refused),
            _ => Ok(query),
        }
    }

    /// The games that are drawn from those that the options leave, if some are to be.
    pub(super) fn drawn(
        &self,
        games: &engine::Inputs,
        settings: &Settings,
        interrupt: &Arc<Interrupt>,
        color: bool,
    ) -> Result<Option<Arc<BTreeSet<u64>>>, Failure> {
        let Some(draw) = self.narrowing.draw() else {
            return Ok(None);
        };
        let every_game = QueryText::from_argument("true");
        let query = engine::compile(every_game, self.query_options(Vec::new()), color)?;
        let options = self.options(Arc::clone(interrupt));
        let drawn = games.drawn(&query, draw, settings, &options, color)?;
        Ok(Some(Arc::new(drawn)))
    }

    /// The options for the compiler, with `filters` beside the query: behind it those that say or write something, which is to be told of what
    /// is found alone, and the others in front of it.
    fn query_options(&self, filters: Vec<Source>) -> query::Options {
        let (filters_behind, filters) = filters.into_iter().partition(tells);
        query::Options {
            header: HeaderOptions {
                variations: self.variations.then_some(true),
                within_games: self.narrowing.games(),
                ..HeaderOptions::default()
            },
            filters,
            filters_behind,
            narrowing: self.narrowing.filters(),
            first_of_game: self.narrowing.first,
            variant: self.variant,
            tablebase: self.tablebase.tablebase(),
            ..self.language.options()
        }
    }

    pub(super) fn options(&self, interrupt: Arc<Interrupt>) -> Options {
        Options {
            threads: self.threads.count(),
            limit: self.limit.map(NonZeroU64::get),
            rules: Rules::Full,
            quiet: self.quiet || self.warnings.are_none(),
            interrupt,
        }
    }

    /// The folder in which the query may use files, if there is one.
    pub(super) fn folder(&self) -> Result<Option<Folder>, Failure> {
        let Some(path) = &self.allow_files else {
            return Ok(None);
        };
        let folder = Folder::open(path, self.force.force);
        folder
            .map(Some)
            .map_err(|error| Failure::new(format_args!("cannot use the folder {}: {error}", shown(path))))
    }

    /// What the evaluation may do. The files of the search itself are no files for its query.
    pub(super) fn settings<P: AsRef<Path>>(
        &self,
        folder: Option<Folder>,
        own_files: impl IntoIterator<Item = P>,
    ) -> Settings {
        let protected = |folder| {
            let own_files = own_files.into_iter();
            own_files.fold(folder, |folder: Folder, file| folder.protect(file.as_ref()))
        };
        Settings {
            max_rounds: self.max_rounds,
            files: folder.map(protected).map(Arc::new),
            memory: self.limits.memory(),
        }
    }

    /// What the user sees of a search for `bytes` bytes.
    pub(super) fn show(&self, destination: &Destination, bytes: Option<u64>) -> Show {
        if self.quiet || !io::stderr().is_terminal() {
            Show::Nothing
        } else if destination.is_stdout() && io::stdout().is_terminal() {
            // Matches would be printed across a bar.
            Show::Summary
        } else {
            Show::Progress(bytes)
        }
    }
}

/// Refuses further queries behind the one that is searched with, and says how several are combined.
fn only_one(query: &Path, filters: &[String], inputs: &[PathBuf]) -> Result<(), Failure> {
    let (others, mut games): (Vec<&Path>, Vec<&Path>) = inputs
        .iter()
        .map(PathBuf::as_path)
        .partition(|path| is_query(path) || is_library_name(path));
    let Some(other) = others.first() else {
        return Ok(());
    };
    if games.is_empty() {
        games.push(Path::new("games.pgn"));
    }
    let all = || std::iter::once(query).chain(others.iter().copied());
    let command = |words: Vec<&Path>| {
        let words = ["skewer", "search"]
            .map(OsString::from)
            .into_iter()
            .chain(words.into_iter().map(OsString::from));
        let filters = filters
            .iter()
            .flat_map(|filters| ["-e", filters.as_str()])
            .map(OsString::from);
        command_line::shown(words.chain(filters))
    };
    let each = all()
        .chain(games.iter().copied())
        .chain(["--out-dir", "results"].map(Path::new));
    let one_after_another = all().enumerate().map(|(place, query)| match place {
        0 => command(std::iter::once(query).chain(games.iter().copied()).collect()),
        _ => command(vec![query, Path::new(STDIN_PATH)]),
    });
    Err(Failure::with_help(
        format_args!("{} is another query, and games are expected in its place", shown(other)),
        format_args!(
            "each by itself: `{}`; games in which all find something: `{}`; positions that all find: put their filters into one query",
            command(each.collect()),
            one_after_another.collect::<Vec<_>>().join(" | ")
        ),
    ))
}

/// Whether filters say, write or sort something.
fn tells(filters: &Source) -> bool {
    const TELLING: [&str; 6] = ["sort", "comment", "message", "settag", "removecomment", "writefile"];
    let (tokens, _) = scan(filters);
    tokens.iter().any(|token| match token.kind {
        TokenKind::Word(word) => TELLING.contains(&word),
        TokenKind::LineMessage => true,
        _ => false,
    })
}

/// Several values of `-e` as one query: the one with a header, else the last, and the others as filters beside it.
fn joined(texts: &[String]) -> Result<(QueryText, Vec<Source>), Failure> {
    let mut texts: Vec<_> = texts.iter().map(|text| QueryText::from_argument(text)).collect();
    let whole = texts.iter().position(|text| !text.filters_only);
    let query = match whole {
        Some(whole) => Some(texts.remove(whole)),
        None => texts.pop(),
    };
    let query = query.ok_or_else(|| Failure::new("no query: name a file or use -e"))?;
    let filters = texts.into_iter().map(QueryText::into_filters);
    Ok((query, filters.collect::<Result<_, _>>()?))
}

#[cfg(test)]
mod tests {
    use std::fs;

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

    fn paths(names: &[&str]) -> Vec<PathBuf> {
        names.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn with_an_expression_all_paths_are_inputs() {
        let arguments = parse(&["a.pgn", "-e", "mate", "b.pgn"]).unwrap();
        let asked = arguments.asked().unwrap();
        assert_eq!(asked.query.bytes, b"mate");
        assert_eq!(asked.inputs, paths(&["a.pgn", "b.pgn"]));
    }

    #[test]
    fn without_an_expression_the_first_path_is_the_query() {
        let folder = tempfile::tempdir().unwrap();
        let query = folder.path().join("q.cql");
        fs::write(&query, "cql() mate").unwrap();
        let arguments = parse(&[query.to_str().unwrap(), "a.pgn", "-"]).unwrap();
        let asked = arguments.asked().unwrap();
        assert_eq!(asked.query.bytes, b"cql() mate");
        assert!(!asked.query.filters_only);
        assert_eq!(asked.inputs, paths(&["a.pgn", "-"]));
    }

    #[test]
    fn an_expression_may_look_like_an_option() {
        let arguments = parse(&["-e", "--=N", "a.pgn"]).unwrap();
        assert_eq!(arguments.asked().unwrap().query.bytes, b"--=N");
    }

    #[test]
    fn a_missing_query_is_refused() {
        assert!(parse(&[]).is_err());
        let arguments = parse(&["there is no such file.cql"]).unwrap();
        let Failure { text: message, .. } = arguments.asked().unwrap_err();
        assert!(
            message.starts_with("error: cannot read the query there is no such file.cql: "),
            "{message}"
        );
    }

    #[test]
    fn games_in_the_place_of_the_query_are_refused() {
        for arguments in [
            ["games.pgn", "mate.cql"],
            ["GAMES.PGN.ZST", "-"],
            ["g.parquet", "a.pgn"],
        ] {
            let Failure { text, .. } = parse(&arguments).unwrap().asked().unwrap_err();
            assert!(text.contains("has games, and the first path is the query"), "{text}");
        }
    }

    #[test]
    fn the_format_is_that_of_the_command_line_then_of_the_name_of_the_output() {
        for (arguments, format) in [
            (&["-o", "page.html"][..], FormatName::Html),
            (&["-o", "page.HTML", "-f", "svg"], FormatName::Svg),
            (&["-o", "rows.csv"], FormatName::Csv),
            (&["-o", "games"], FormatName::Pgn),
            (&["-o", "-"], FormatName::Pgn),
            (&[], FormatName::Pgn),
        ] {
            let all = [&["-e", "mate"], arguments].concat();
            assert_eq!(
                parse(&all).unwrap().form(false).unwrap().format,
                format,
                "{arguments:?}"
            );
        }
    }

    #[test]
    fn counts_begin_with_one() {
        assert!(parse(&["q.cql", "--threads", "0"]).is_err());
        assert!(parse(&["q.cql", "--limit", "0"]).is_err());
        let options = parse(&["q.cql", "--threads", "3", "--limit", "5"])
            .unwrap()
            .options(Arc::default());
        assert_eq!((options.threads.get(), options.limit), (3, Some(5)));
    }
}
