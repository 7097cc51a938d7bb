//! What a search prints: one file per format, and where it goes.

#[cfg(feature = "cli")]
mod boards;
#[cfg(feature = "cli")]
mod catalogue;
mod count;
#[cfg(feature = "files")]
mod csv;
#[cfg(any(feature = "cli", feature = "lsp"))]
mod diagram;
mod fen;
#[cfg(feature = "files")]
mod files;
#[cfg(feature = "files")]
mod html;
mod ids;
#[cfg(feature = "files")]
mod json;
#[cfg(feature = "files")]
mod jsonl;
#[cfg(feature = "cli")]
mod lines;
mod markup;
#[cfg(feature = "cli")]
mod movetext;
mod pgn;
mod picture;
mod remarks;
#[cfg(feature = "files")]
mod row;
#[cfg(feature = "cli")]
mod screen;
#[cfg(feature = "files")]
mod script;
#[cfg(feature = "cli")]
mod summary;
mod svg;
#[cfg(all(feature = "files", feature = "database"))]
mod table;
#[cfg(test)]
pub(crate) mod tests;
mod text;

use std::borrow::Cow;
use std::io::{self, BufRead, Seek, Write};
use std::path::Path;

use shakmaty::Color;

use crate::board::Bitboard;
use crate::eval::report::{Extras, GameReport, Highlights};
use crate::game::{Date, Position};
use crate::limits::Interrupt;
use crate::query::SortKey;

#[cfg(feature = "cli")]
pub(crate) use catalogue::titled;
#[cfg(feature = "cli")]
pub use catalogue::{Catalogue, Entry, Section, Yields};
#[cfg(any(feature = "cli", feature = "lsp"))]
pub use diagram::{Diagram, Drawing, PieceStyle};
#[cfg(feature = "cli")]
pub(crate) use files::is_found;
#[cfg(feature = "files")]
pub use files::{
    Busy, Destination, Guard, Kind, Packing, Permit, Placed, Refused, Results, Role, remove_unfinished, replace_text,
};
#[cfg(feature = "cli")]
pub use html::first_match;
pub(crate) use picture::Picture;
#[cfg(feature = "cli")]
pub use picture::Sketch;
pub(crate) use remarks::remarks;
#[cfg(feature = "cli")]
pub use screen::Screen;
#[cfg(feature = "cli")]
pub use summary::Summary;
pub use svg::board_picture;
pub(crate) use text::text as decoded_text;

/// The formats that a search can print.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FormatName {
    /// The matching games with the query's comments.
    Pgn,
    /// `GAME:POSITIONID` of every matching position, in order of evaluation.
    Ids,
    /// The FEN of each matching position.
    Fen,
    /// A table with one row per matching position.
    #[cfg(feature = "files")]
    Csv,
    /// The same with tabs between the columns.
    #[cfg(feature = "files")]
    Tsv,
    /// The same as one JSON object per line.
    #[cfg(feature = "files")]
    Jsonl,
    /// The same as one JSON document.
    #[cfg(feature = "files")]
    Json,
    /// The same in Parquet.
    #[cfg(all(feature = "files", feature = "database"))]
    Parquet,
    /// A page for the browser: the matching positions with boards, and their games to play through.
    #[cfg(feature = "files")]
    Html,
    /// A drawing of each matching position, all in one SVG document.
    Svg,
    /// The numbers of matching games and positions.
    Count,
    /// A line for each matching position, for people.
    #[cfg(feature = "cli")]
    Lines,
    /// A drawing of each matching position with characters.
    #[cfg(feature = "cli")]
    Board,
    /// The moves of each matching game.
    #[cfg(feature = "cli")]
    Moves,
}

impl FormatName {
    /// The extension of files in this format.
    pub fn extension(self) -> &'static str {
        match self {
            FormatName::Pgn => "pgn",
            FormatName::Ids => "ids",
            FormatName::Fen => "fen",
            #[cfg(feature = "files")]
            FormatName::Csv => "csv",
            #[cfg(feature = "files")]
            FormatName::Tsv => "tsv",
            #[cfg(feature = "files")]
            FormatName::Jsonl => "jsonl",
            #[cfg(feature = "files")]
            FormatName::Json => "json",
            #[cfg(all(feature = "files", feature = "database"))]
            FormatName::Parquet => "parquet",
            #[cfg(feature = "files")]
            FormatName::Html => "html",
            FormatName::Svg => "svg",
            FormatName::Count => "count",
            #[cfg(feature = "cli")]
            FormatName::Lines => "lines",
            #[cfg(feature = "cli")]
            FormatName::Board => "board",
            #[cfg(feature = "cli")]
            FormatName::Moves => "moves",
        }
    }

    /// Those that users name.
    pub const NAMED: &'static [FormatName] = &[
        FormatName::Pgn,
        FormatName::Ids,
        FormatName::Fen,
        #[cfg(feature = "files")]
        FormatName::Csv,
        #[cfg(feature = "files")]
        FormatName::Tsv,
        #[cfg(feature = "files")]
        FormatName::Jsonl,
        #[cfg(feature = "files")]
        FormatName::Json,
        #[cfg(all(feature = "files", feature = "database"))]
        FormatName::Parquet,
        #[cfg(feature = "files")]
        FormatName::Html,
        FormatName::Svg,
        FormatName::Count,
        #[cfg(feature = "cli")]
        FormatName::Lines,
        #[cfg(feature = "cli")]
        FormatName::Board,
        #[cfg(feature = "cli")]
        FormatName::Moves,
    ];

    /// What it prints, in a line.
    pub fn description(self) -> &'static str {
        match self {
            FormatName::Pgn => "The matching games with the query's comments",
            FormatName::Ids => "GAME:POSITIONID of every matching position, in order of evaluation",
            FormatName::Fen => "The FEN of each matching position",
            #[cfg(feature = "files")]
            FormatName::Csv => "A table with one row per matching position",
            #[cfg(feature = "files")]
            FormatName::Tsv => "The same with tabs between the columns",
            #[cfg(feature = "files")]
            FormatName::Jsonl => "The same as one JSON object per line",
            #[cfg(feature = "files")]
            FormatName::Json => "The same as one JSON document",
            #[cfg(all(feature = "files", feature = "database"))]
            FormatName::Parquet => "The same in Parquet, for DuckDB, Polars and others",
            #[cfg(feature = "files")]
            FormatName::Html => {
                "A page for the browser: the matching positions with boards, and their games to play through"
            }
            FormatName::Svg => "A drawing of each matching position, all in one SVG document",
            FormatName::Count => "The numbers of matching games and positions",
            #[cfg(feature = "cli")]
            FormatName::Lines => "A line to read for each matching position",
            #[cfg(feature = "cli")]
            FormatName::Board => "A drawing of each matching position with characters",
            #[cfg(feature = "cli")]
            FormatName::Moves => "The moves of each matching game, with those that lead to a match marked",
        }
    }

    /// Whether its text may have colours.
    pub fn has_colors(self) -> bool {
        #[cfg(feature = "cli")]
        return matches!(self, FormatName::Lines | FormatName::Board | FormatName::Moves);
        #[cfg(not(feature = "cli"))]
        false
    }

    /// The format of files with this extension.
    pub fn of_extension(extension: &str) -> Option<FormatName> {
        let extension = match extension.to_ascii_lowercase().as_str() {
            "htm" => "html".to_owned(),
            "ndjson" => "jsonl".to_owned(),
            other => other.to_owned(),
        };
        let mut all = FormatName::NAMED.iter().copied();
        all.find(|format| format.extension() == extension)
    }

    /// What to do about a file in this format, if one with so many bytes of so many games is too large for those who read it.
    #[cfg(feature = "cli")]
    pub fn advice(self, bytes: u64, games: u64) -> Option<String> {
        match self {
            FormatName::Html => html::advice(bytes, games),
            _ => None,
        }
    }

    /// What prints this format for a query with the given sort keys.
    pub fn format(self, keys: &[SortKey]) -> Box<dyn Format> {
        self.format_in(&Look::default(), keys)
    }

    /// The same with a look.
    #[cfg_attr(
        not(feature = "files"),
        expect(unused_variables, reason = "the others show no keys and have one look")
    )]
    pub fn format_in(self, look: &Look, keys: &[SortKey]) -> Box<dyn Format> {
        match self {
            FormatName::Pgn => Box::new(pgn::Pgn),
            FormatName::Ids => Box::new(ids::Ids),
            FormatName::Fen => Box::new(fen::Fen),
            #[cfg(feature = "files")]
            FormatName::Csv => Box::new(csv::Csv::new(b',', keys, look)),
            #[cfg(feature = "files")]
            FormatName::Tsv => Box::new(csv::Csv::new(b'\t', keys, look)),
            #[cfg(feature = "files")]
            FormatName::Json => Box::new(json::Json(jsonl::Jsonl::new(keys, look.measures))),
            #[cfg(all(feature = "files", feature = "database"))]
            FormatName::Parquet => Box::new(table::Table::new(keys, look.measures)),
            #[cfg(feature = "files")]
            FormatName::Jsonl => Box::new(jsonl::Jsonl::new(keys, look.measures)),
            #[cfg(feature = "files")]
            FormatName::Html => Box::new(html::Html::new(keys)),
            FormatName::Svg => Box::new(svg::Svg),
            FormatName::Count => Box::new(count::Count),
            #[cfg(feature = "cli")]
            FormatName::Lines => Box::new(lines::Lines::new(look.screen, keys)),
            #[cfg(feature = "cli")]
            FormatName::Board => Box::new(boards::Boards::new(look.screen, keys)),
            #[cfg(feature = "cli")]
            FormatName::Moves => Box::new(movetext::Movetext::new(look.screen, keys)),
        }
    }
}

/// How the text of formats looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Look {
    /// The screen for which formats write that people look at.
    #[cfg(feature = "cli")]
    pub screen: Screen,
    /// Tables have columns for what engines and clocks say.
    pub measures: bool,
    /// Tables in text have no cells that a spreadsheet takes for formulas.
    pub quotes_formulas: bool,
}

/// Turns what was found into text.
///
/// Workers call it, each for its own games, so it has no state; the search puts the pieces in order.
pub trait Format: Sync {
    /// What it shows beside what matches. One with comments writes whole games, so that games have to be read with everything
    /// in them.
    fn extras(&self) -> Extras {
        Extras::default()
    }

    /// Whether it follows the query's sort keys. If not, games come in the order of the input.
    fn is_sorted(&self) -> bool {
        true
    }

    /// Whether it shows tags, which then have to be kept of all games.
    fn shows_tags(&self) -> bool {
        false
    }

    /// What comes before the first game.
    fn begin(&self, _about: &About, _out: &mut Vec<u8>) {}

    /// The text of one game; called for every game, whether or not it matches.
    fn game(&self, game: &dyn GameFacts, report: &GameReport, out: &mut Vec<u8>);

    /// Whether the whole is more than its games one after the other: the text of the games waits until all are known and is
    /// then handed to [`assemble`](Format::assemble).
    fn is_assembled(&self) -> bool {
        false
    }

    /// Writes the whole, given the text of all games; without some of them if there is no time.
    ///
    /// # Errors
    /// When the text cannot be read or the whole not be written.
    fn assemble(&self, games: &mut dyn Waiting, out: &mut dyn Write, _interrupt: &Interrupt) -> io::Result<()> {
        io::copy(games, out).map(drop)
    }

    /// What comes after the last game.
    fn end(&self, _totals: &Totals, _out: &mut Vec<u8>) {}

    /// Whether the end says all that there is, and says it of a part of the games, too: of those before one that cannot be read.
    fn is_end_alone(&self) -> bool {
        false
    }
}

/// Text that waits for the end. It can be read from its beginning more than once.
pub trait Waiting: BufRead + Seek {}

impl<T: BufRead + Seek> Waiting for T {}

/// What the output may say about the search that made it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct About {
    /// The name of the query.
    pub title: String,
    /// Whether that is a name, not the text itself.
    pub has_name: bool,
    /// What it finds, in a sentence; empty if nobody says.
    pub description: String,
    /// Its text.
    pub query: String,
    /// The command that was run; empty if it was none.
    pub command: String,
}

impl About {
    /// Of a query in a file of this name, or without a name.
    pub(crate) fn of_query(name: Option<&str>, query: String) -> About {
        let title = match name {
            // The name of the file without its folder and extension.
            Some(name) => {
                let stem = Path::new(name).file_stem();
                stem.map_or_else(|| name.to_owned(), |stem| stem.to_string_lossy().into_owned())
            }
            None => query.split_whitespace().collect::<Vec<_>>().join(" "),
        };
        About {
            title,
            has_name: name.is_some(),
            query,
            ..About::default()
        }
    }
}

/// How much was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Totals {
    /// Games that were looked at.
    pub games: u64,
    /// Games that match.
    pub matches: u64,
    /// Positions that match, also those of games that `matchcount` shuts out.
    pub positions: u64,
    /// Games that were read as PGN and have variations, searched or not.
    pub with_variations: u64,
    /// Games that are not among those to which the search is narrowed.
    pub left_alone: u64,
    /// Games that were not searched, because their database is damaged where they stand. They count as games that do not match.
    pub unreadable: u64,
}

/// Tags that formats print beside the ratings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TagName {
    /// The name of the player of the white pieces.
    White,
    /// The name of the player of the black pieces.
    Black,
    /// The event.
    Event,
    /// The site.
    Site,
    /// The date, `yyyy.mm.dd` with `?`.
    Date,
    /// The result.
    Result,
    /// The opening.
    Eco,
}

/// What formats ask of a game.
pub trait GameFacts {
    /// Where the game comes from: the name of the input as the user gave it.
    fn source(&self) -> &str;
    /// The number of the game.
    fn number(&self) -> u64;
    /// The value of a tag as it stands in the file, and as the PGN output has it; `None` when it is not known.
    fn tag(&self, name: TagName) -> Option<Cow<'_, [u8]>>;
    /// The rating of a player.
    fn rating(&self, player: Color) -> Option<u16>;
    /// The date, as far as it is certain.
    fn date(&self) -> Date;
    /// The positions, by `positionid`.
    fn positions(&self) -> &[Position];
    /// Whether nobody wants the game any more: what is written of it then counts for nothing.
    fn is_given_up(&self) -> bool {
        false
    }
    /// The `movenumber` of CQL: the initial position has number 1, each position with White to move after it the next.
    fn move_number(&self, position: &Position) -> u32 {
        let black_began = self.positions().first().is_some_and(|root| root.turn.is_black());
        (u32::from(position.ply) + u32::from(black_began)) / 2 + 1
    }
    /// The evaluation of a position in centipawns from White's side, if the game was read with evaluations and it has one; a mate in
    /// `n` moves is 100,000 less `n`, negative if Black mates.
    fn evaluation(&self, _position: &Position) -> Option<i32> {
        None
    }
    /// The tenths of a second that are left to the side that has moved, if the game was read with clocks and it is known.
    fn clock(&self, _position: &Position) -> Option<i32> {
        None
    }
    /// Appends the FEN of a position, all six fields, as queries see it.
    fn write_fen(&self, position: &Position, out: &mut Vec<u8>);
    /// Appends the move that led to a position, with its number: `12.Nf3`, `12...Nf6`; nothing for the initial position.
    fn write_move(&self, position: &Position, out: &mut Vec<u8>);
    /// Appends the same move without its number: `Nf3`.
    fn write_san(&self, position: &Position, out: &mut Vec<u8>);
    /// Appends the same move in the notation of the Universal Chess Interface: `g1f3`.
    fn write_uci(&self, position: &Position, out: &mut Vec<u8>);
    /// Shows each tag that the game has once, with the value that [`tag`](GameFacts::tag) gives, and the result.
    fn each_tag(&self, visit: &mut dyn FnMut(&[u8], &[u8]));
    /// Appends the game as PGN with the report's comments and tags, and two empty lines.
    fn write_pgn(&self, report: &GameReport, out: &mut Vec<u8>);
}

/// The matching positions of a game that matches; none for a game that does not.
fn matching_positions<'a>(game: &'a dyn GameFacts, report: &'a GameReport) -> impl Iterator<Item = &'a Position> {
    matched(game, report).map(|(position, _)| position)
}

/// The matching positions of a game that matches, each with what is known of why.
fn matched<'a>(
    game: &'a dyn GameFacts,
    report: &'a GameReport,
) -> impl Iterator<Item = (&'a Position, &'a Highlights)> {
    const NONE: &Highlights = &Highlights {
        squares: Bitboard::EMPTY,
        rays: Vec::new(),
        moves: Vec::new(),
        line: None,
    };
    let ids: &[u32] = if report.matched { &report.positions } else { &[] };
    let highlights = report.highlights.iter().chain(std::iter::repeat(NONE));
    let found = |(id, highlights): (&u32, &'a Highlights)| Some((game.positions().get(*id as usize)?, highlights));
    let wanted = |_: &(&u32, &Highlights)| !game.is_given_up();
    ids.iter().zip(highlights).take_while(wanted).filter_map(found)
}
