//! The page with a list of the matches.
//!
//! The games follow each other in it as they are found, in two lines each: tags, moves and matches, then the PGN.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt::{Display, Write as _};

use serde::{Deserialize, Serialize};

use super::moves;
use super::sheet;
use super::solution::unplayed;
use crate::board::{Bitboard, Square};
use crate::chess::Position;
use crate::eval::report::{Extras, GameReport};
use crate::game::{ShapeColor, Shapes};
use crate::output::columns::{self, Column};
use crate::output::facts::{GameFacts, Matched, matched};
use crate::output::format::{About, Format, Totals};
use crate::output::jsonl::SortValues;
use crate::output::look::{Look, PerPage};
use crate::output::markup::{escaped, escaped_with_code, filled};
use crate::output::row::{Cell, GameRow};
use crate::output::text::{text, written};
use crate::output::{picture, script};
use crate::query::SortKey;

const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = concat!(include_str!("page/page.css"), include_str!("page/sheet.css"));
/// One module; what stands in a file may use what stands in those before.
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

/// Browsers are slow to open a page with more bytes than this.
const LARGE: u64 = 20_000_000;

/// What to do about a page that is slow to open, if one with so many bytes and games is.
#[cfg(feature = "cli")]
pub(crate) fn advice(bytes: u64, games: u64) -> Option<String> {
    if bytes < LARGE {
        return None;
    }
    let megabytes = bytes.div_ceil(1_000_000);
    let few = rounded(u128::from(games) * u128::from(LARGE) / u128::from(bytes));
    Some(format!(
        "the page has {megabytes} MB, and browsers are slow to open it; `-n {few}` makes a smaller one: it ends after so many games"
    ))
}

/// Rounded down to two digits, and at least 1.
#[cfg(feature = "cli")]
fn rounded(count: u128) -> u128 {
    let unit = 10_u128.pow(count.max(1).ilog10().saturating_sub(1));
    (count / unit * unit).max(1)
}

/// A page with a list of all matching positions.
pub(super) struct Html {
    /// The titles of the sort keys.
    titles: Vec<String>,
    /// Boards have no marks.
    plain: bool,
    per_page: PerPage,
    columns: Vec<Column>,
    /// What stands above it in place of the name of the query.
    title: Option<String>,
}

/// What the page knows of a game.
#[derive(Serialize)]
struct GameLine<'g> {
    number: u64,
    #[serde(flatten)]
    columns: GameRow<'g>,
    sort: SortValues<'g>,
    #[serde(skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    moves: String,
    /// The comments of the query with their positions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    said: Vec<(u32, Cow<'g, str>)>,
    matches: Vec<MatchCells>,
    /// What the comments of the game draw, by position: squares, then arrows, each with the letter of its colour in front.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    drawn: Vec<(u32, String, String)>,
    /// What stands in the added columns, match by match.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<Vec<Cell<'g>>>,
    /// Evaluations and clocks of the main line, by the ids of the positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    evals: Option<Vec<Option<i32>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clocks: Option<Vec<Option<i32>>>,
}

/// A matching position: `positionid`, last move, highlighted squares, rays, moves, the first and the last position of its line, its
/// solution unless that is the moves of the game. Squares and pairs of squares follow each other without anything between.
#[derive(Serialize, Deserialize)]
pub(super) struct MatchCells(
    pub(super) u32,
    pub(super) String,
    pub(super) String,
    pub(super) String,
    pub(super) String,
    pub(super) Option<(u32, u32)>,
    pub(super) Option<String>,
);

/// What the page knows of the whole search.
#[derive(Serialize)]
struct TotalsLine<'a> {
    games: u64,
    sort: &'a [String],
    /// Boards have no marks.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    plain: bool,
    /// The names of the added columns.
    columns: Vec<&'a str>,
    /// From how many bytes of data on the page says how to make a smaller one.
    large: u64,
    /// How many diagrams are printed on a sheet of paper.
    per_page: u8,
    /// What a printed page is called that shall not tell what to look for.
    neutral_title: &'static str,
}

impl Html {
    pub(super) fn new(look: &Look, keys: &[SortKey]) -> Html {
        let titles = keys.iter().map(|key| text(Cow::Borrowed(&key.title)).into_owned());
        Html {
            titles: titles.collect(),
            plain: look.plain,
            per_page: look.per_page,
            columns: look.columns.clone(),
            title: look.title.clone(),
        }
    }
}

impl Format for Html {
    fn extras(&self) -> Extras {
        Extras {
            comments: true,
            highlights: !self.plain,
            tried: Column::ask_for_tried(&self.columns),
            ..Extras::default()
        }
    }

    fn is_by_game(&self) -> bool {
        true
    }

    fn begin(&self, about: &About, out: &mut Vec<u8>) {
        let title = escaped(self.title.as_deref().unwrap_or(&about.title));
        let is_whole = about.title == about.query.trim();
        let page = filled(before_data(), |name| match name {
            "version" => env!("CARGO_PKG_VERSION").into(),
            "title" => Cow::Borrowed(&*title),
            "titleclass" if self.title.is_some() => " class=\"own\"".into(),
            "titleclass" if about.has_name => "".into(),
            "titleclass" => " class=\"filters\"".into(),
            "style" => STYLE.into(),
            "allowed" => script::source(SCRIPT).into(),
            "pieces" => picture::PIECES.into(),
            "dark" => picture::dark_squares().into(),
            "description" if about.description.is_empty() => "".into(),
            "description" => format!("<p class=\"lead\">{}</p>\n", escaped_with_code(&about.description)).into(),
            "query" if is_whole && self.title.is_none() => "".into(),
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
        let matches: Vec<_> = matched(game, report)
            .map(
                |Matched {
                     position, highlights, ..
                 }| {
                    MatchCells(
                        position.id,
                        written(|out| game.write_move(position, out)),
                        squares(highlights.squares),
                        pairs(&highlights.rays),
                        pairs(&highlights.moves),
                        highlights.line,
                        unplayed(game, position, highlights),
                    )
                },
            )
            .collect();
        if matches.is_empty() {
            return;
        }
        let values = matched(game, report).filter(|_| !self.columns.is_empty());
        let values = values.map(|matched| {
            let values = columns::values(&self.columns, game, matched);
            values.map(Cell::of).collect()
        });
        let line = GameLine {
            number: game.number(),
            columns: GameRow(game),
            sort: SortValues(&report.keys),
            start: moves::start(game),
            moves: moves::moves(game),
            said: said(report),
            matches,
            drawn: if self.plain { Vec::new() } else { drawn(game) },
            values: values.collect(),
            evals: of_main_line(game, |position| game.evaluation(position)),
            clocks: of_main_line(game, |position| game.clock(position)),
        };
        write_json(&line, out);
        write_json(&written(|out| game.write_pgn(report, out)).trim_end(), out);
    }

    fn end(&self, totals: &Totals, out: &mut Vec<u8>) {
        let line = TotalsLine {
            games: totals.games,
            sort: &self.titles,
            plain: self.plain,
            columns: self.columns.iter().map(Column::name).collect(),
            large: LARGE,
            per_page: self.per_page.count(),
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

/// The line before that of the first game.
#[cfg(feature = "cli")]
pub(super) const DATA_BEGINS: &str = "<script type=\"application/json\" id=\"data\">";
/// Where the games stand in the page.
const DATA: &str = "{{data}}";

fn before_data() -> &'static str {
    PAGE.split(DATA).next().unwrap_or_default()
}

fn after_data() -> &'static str {
    PAGE.split(DATA).nth(1).unwrap_or_default()
}

/// Writes a value as a line of JSON that no script element ends in, whatever its strings hold.
fn write_json(value: &impl Serialize, out: &mut Vec<u8>) {
    // Neither the values nor a vector can make it fail.
    let json = serde_json::to_string(value).unwrap_or_default();
    // Outside of strings JSON has none.
    out.extend_from_slice(json.replace('<', "\\u003c").as_bytes());
    out.push(b'\n');
}

/// Escaped text that keeps its lines.
fn escaped_lines(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        out.push_str(&escaped(&line.replace('\t', "    ")));
        out.push('\n');
    }
    out
}

/// The comments of the query as they are written into the game: in the order of the positions, and mostly not twice.
fn said(report: &GameReport) -> Vec<(u32, Cow<'_, str>)> {
    let mut said: Vec<_> = report.comments.iter().filter(|(_, words)| !words.is_empty()).collect();
    said.sort_by_key(|(position, _)| *position);
    if !report.repeats_comments {
        let mut known = HashSet::new();
        said.retain(|comment| known.insert(*comment));
    }
    let texts = said.into_iter();
    texts
        .map(|(position, words)| (*position, text(Cow::Borrowed(words))))
        .collect()
}

/// What the comments of a game draw, by position.
fn drawn(game: &dyn GameFacts) -> Vec<(u32, String, String)> {
    let positions = game.positions().iter().take_while(|_| !game.is_given_up());
    let drawn = positions.filter_map(|position| {
        let Shapes { squares, arrows } = game.shapes(position);
        let squares = squares.iter().map(|shape| colored(*shape));
        let arrows = arrows
            .iter()
            .map(|(color, (from, to))| colored((*color, format_args!("{from}{to}"))));
        let (squares, arrows) = (squares.collect::<String>(), arrows.collect::<String>());
        let is_empty = squares.is_empty() && arrows.is_empty();
        (!is_empty).then_some((position.id, squares, arrows))
    });
    drawn.collect()
}

fn colored((color, squares): (ShapeColor, impl Display)) -> String {
    format!("{}{squares}", color.letter())
}

/// What is known of the positions of the main line, in order; `None` if nothing is known of any.
fn of_main_line(game: &dyn GameFacts, known: impl Fn(&Position) -> Option<i32>) -> Option<Vec<Option<i32>>> {
    let line = game.positions().iter().take_while(|position| position.depth == 0);
    let values: Vec<_> = line.take_while(|_| !game.is_given_up()).map(known).collect();
    values.iter().any(Option::is_some).then_some(values)
}

fn squares(set: Bitboard) -> String {
    set.into_iter().fold(String::new(), |mut names, square| {
        // Writing to a string cannot fail.
        let _ = write!(names, "{square}");
        names
    })
}

fn pairs(pairs: &[(Square, Square)]) -> String {
    pairs.iter().fold(String::new(), |mut names, (from, to)| {
        let _ = write!(names, "{from}{to}");
        names
    })
}
