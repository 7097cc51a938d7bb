//! The page with a list of the matches.
//!
//! The data of the games is part of the page, in the order in which they are found. Each game has two lines: tags, moves and matches, then
//! the PGN.

use std::borrow::Cow;
use std::sync::LazyLock;

use serde::Serialize;

use super::game_line::{self, GameLine};
use super::sheet;
use crate::eval::report::{Extras, GameReport};
use crate::output::columns::Column;
use crate::output::facts::GameFacts;
use crate::output::format::{Format, FormatTraits, SearchInfo, Totals};
use crate::output::look::Look;
use crate::output::markup::{escaped, escaped_with_code, filled};
use crate::output::text::{titles, written};
use crate::output::{picture, script};
use crate::query::SortKey;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = concat!(include_str!("page/page.css"), include_str!("page/sheet.css"));
/// One module. Each file may use those before it.
const SCRIPT: &str = concat!(
    include_str!("page/data.js"),
    include_str!("page/positions.js"),
    include_str!("page/score.js"),
    include_str!("page/board.js"),
    include_str!("page/solution.js"),
    include_str!("page/list.js"),
    include_str!("page/curve.js"),
    include_str!("page/game.js"),
    include_str!("page/print.js"),
    include_str!("page/page.js"),
    include_str!("page/start.js"),
);

/// What allows the script in a page: the same for all pages of a run.
static ALLOWED: LazyLock<String> = LazyLock::new(|| script::source(SCRIPT));

/// Browsers are slow to open a page with more bytes than this.
const LARGE: u64 = 20_000_000;

/// If a page with this many bytes and games is slow to open, returns advice on what to do about it.
pub(crate) fn advice(bytes: u64, games: u64) -> Option<String> {
    if bytes < LARGE {
        return None;
    }
    let megabytes = bytes.div_ceil(1_000_000);
    let few = rounded(u128::from(games) * u128::from(LARGE) / u128::from(bytes));
    Some(format!(
        "the page has {megabytes} MB, and browsers are slow to open it; `-n {few}` makes a smaller one: it ends after that many games"
    ))
}

/// Returns the number rounded down to two digits, and at least 1.
fn rounded(count: u128) -> u128 {
    let unit = 10_u128.pow(count.max(1).ilog10().saturating_sub(1));
    (count / unit * unit).max(1)
}

/// A page with a list of all matching positions.
pub(super) struct Html {
    /// The titles of the sort keys.
    titles: Vec<String>,
    look: Look,
}

/// The page's data about the whole search.
#[derive(Serialize)]
struct TotalsLine<'a> {
    games: u64,
    sort: &'a [String],
    /// Whether boards have no marks.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    plain: bool,
    /// The names of the added columns.
    columns: Vec<&'a str>,
    /// The number of bytes of data from which the page says how to make a smaller one.
    large: u64,
    /// The number of diagrams on a printed sheet of paper.
    per_page: u8,
    /// A title for printed pages that must not reveal what to look for.
    neutral_title: &'static str,
}

impl Html {
    pub(super) fn new(look: &Look, keys: &[SortKey]) -> Html {
        Html {
            titles: titles(keys).collect(),
            look: look.clone(),
        }
    }
}

impl Format for Html {
    fn extras(&self) -> Extras {
        game_line::extras(&self.look.columns, self.look.plain)
    }

    fn traits(&self) -> FormatTraits {
        FormatTraits::BY_GAME
    }

    fn begin(&self, about: &SearchInfo, out: &mut Vec<u8>) {
        let title = escaped(self.look.title.as_deref().unwrap_or(&about.title));
        let is_whole = about.title == about.query.trim();
        let page = filled(before_data(), |name| match name {
            "version" => env!("CARGO_PKG_VERSION").into(),
            "title" => Cow::Borrowed(&*title),
            "titleclass" if self.look.title.is_some() => " class=\"own\"".into(),
            "titleclass" if about.has_name => "".into(),
            "titleclass" => " class=\"filters\"".into(),
            "style" => STYLE.into(),
            "allowed" => ALLOWED.as_str().into(),
            "pieces" => picture::PIECES.into(),
            "dark" => picture::dark_squares().into(),
            "description" if about.description.is_empty() => "".into(),
            "description" => format!("<p class=\"lead\">{}</p>\n", escaped_with_code(&about.description)).into(),
            "query" if is_whole && self.look.title.is_none() => "".into(),
            "query" => format!(
                "<details><summary>Query</summary><pre><code>{}</code></pre></details>\n",
                escaped_lines(&about.query)
            )
            .into(),
            "command" if about.command.is_empty() => "".into(),
            "command" => format!("<p><code>{}</code></p>\n", escaped(&about.command)).into(),
            _ => "".into(),
        });
        out.extend_from_slice(page.as_bytes());
    }

    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>) {
        let Some(line) = GameLine::of(game, report, &self.look.columns, self.look.plain) else {
            return;
        };
        write_json(&line, out);
        write_json(&written(|out| game.write_pgn(report, out)).trim_end(), out);
    }

    fn end(&self, totals: &Totals, out: &mut Vec<u8>) {
        let line = TotalsLine {
            games: totals.games,
            sort: &self.titles,
            plain: self.look.plain,
            columns: self.look.columns.iter().map(Column::name).collect(),
            large: LARGE,
            per_page: self.look.per_page.count(),
            neutral_title: sheet::TITLE,
        };
        let page = filled(after_data(), |name| match name {
            "totals" => written(|out| write_json(&line, out)).trim_end().to_owned().into(),
            "script" => SCRIPT.into(),
            _ => "".into(),
        });
        out.extend_from_slice(page.as_bytes());
    }
}

/// The line before the first game.
pub(super) const DATA_BEGINS: &str = "<script type=\"application/json\" id=\"data\">";
/// The placeholder for the games in the page.
const DATA: &str = "{{data}}";

fn before_data() -> &'static str {
    PAGE.split(DATA).next().unwrap_or_default()
}

fn after_data() -> &'static str {
    PAGE.split(DATA).nth(1).unwrap_or_default()
}

/// Writes a value as a line of JSON that cannot end a script element, whatever its strings hold.
fn write_json(value: &impl Serialize, out: &mut Vec<u8>) {
    // Neither the values nor a vector can make it fail.
    let json = serde_json::to_string(value).unwrap_or_default();
    // `<` occurs in JSON only inside strings.
    out.extend_from_slice(json.replace('<', "\\u003c").as_bytes());
    out.push(b'\n');
}

/// Escapes text and keeps its lines.
fn escaped_lines(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        out.push_str(&escaped(&line.replace('\t', "    ")));
        out.push('\n');
    }
    out
}
