//! What a search prints: one file per format, and where it goes.
//!
//! Each part uses only those before it: `diagram`, `text`, `facts`, `format`, `remarks`, `caption`, `screen`, `lines`, `columns`, `look`, `markup`,
//! `picture`, `boards`, `count`, `game_row`, `row`, `csv`, `epd`, `fen`, `jsonl`, `script`, `html`, `ids`, `json`, `movetext`, `pgn`, `svg`, `table`,
//! `self`, `spool`, `files`, `query_index`, `summary`.

#[cfg(feature = "cli")]
mod boards;
mod caption;
mod columns;
mod count;
#[cfg(feature = "files")]
mod csv;
#[cfg(any(feature = "cli", feature = "lsp"))]
mod diagram;
#[cfg(feature = "files")]
mod epd;
mod facts;
mod fen;
#[cfg(feature = "files")]
mod files;
mod format;
#[cfg(any(feature = "files", feature = "service"))]
mod game_row;
#[cfg(any(feature = "files", feature = "service"))]
mod html;
mod ids;
#[cfg(feature = "files")]
mod json;
#[cfg(feature = "files")]
mod jsonl;
#[cfg(feature = "cli")]
mod lines;
mod look;
mod markup;
#[cfg(feature = "cli")]
mod movetext;
mod pgn;
mod picture;
#[cfg(feature = "cli")]
mod query_index;
mod remarks;
#[cfg(feature = "files")]
mod row;
#[cfg(feature = "cli")]
mod screen;
#[cfg(feature = "files")]
mod script;
mod spool;
#[cfg(feature = "cli")]
mod summary;
mod svg;
#[cfg(all(feature = "files", feature = "database"))]
mod table;
#[cfg(test)]
pub(crate) mod tests;
mod text;

use crate::query::SortKey;

pub(crate) use columns::READY_MADE;
pub use columns::{Column, ColumnError, ColumnType, ColumnValue};
pub(crate) use columns::{NamedFilter, types as column_types, values as column_values, write_value};
#[cfg(feature = "cli")]
pub(crate) use csv::quoted;
#[cfg(any(feature = "cli", feature = "lsp"))]
pub use diagram::{Diagram, Drawing, PieceStyle};
pub(crate) use facts::matched;
pub use facts::{GameFacts, QuerySide};
pub(crate) use facts::{Matched, next_position};
#[cfg(feature = "cli")]
pub(crate) use files::is_found;
#[cfg(feature = "files")]
pub use files::{
    Busy, Destination, Guard, Kind, Packing, Permit, Placed, Refused, Results, Role, remove_unfinished, replace_text,
};
pub use format::{Format, FormatTraits, SearchInfo, Totals, Waiting};
#[cfg(feature = "cli")]
pub use html::first_match;
pub use look::{FromMatch, Layout, Look, PerPage};
pub(crate) use markup::{escaped, filled};
pub use picture::Picture;
#[cfg(feature = "cli")]
pub(crate) use query_index::titled;
#[cfg(feature = "cli")]
pub use query_index::{Entry, EntryResult, QueryIndex, Section};
pub(crate) use remarks::{remarks, says_something};
#[cfg(feature = "cli")]
pub(crate) use row::is_own_column;
#[cfg(feature = "cli")]
pub use screen::Screen;
pub(crate) use spool::{Spool, SpoolSpace};
#[cfg(feature = "cli")]
pub use summary::Summary;
#[cfg(feature = "cli")]
pub(crate) use table::{Holds, write_parquet};
pub(crate) use text::text as decoded_text;

/// The formats that a search can print. What is said of them is their help, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum FormatName {
    /// The matching games with the query's comments
    Pgn,
    /// GAME:POSITIONID of every matching position, in order of evaluation
    Ids,
    /// The FEN of each matching position
    Fen,
    /// The same as EPD, with the move that was tried or played next, game and position
    #[cfg(feature = "files")]
    Epd,
    /// A table with one row per matching position
    #[cfg(feature = "files")]
    Csv,
    /// The same with tabs between the columns
    #[cfg(feature = "files")]
    Tsv,
    /// The same as one JSON object per line
    #[cfg(feature = "files")]
    Jsonl,
    /// The same as one JSON document
    #[cfg(feature = "files")]
    Json,
    /// The same in Parquet, for DuckDB, Polars and others
    #[cfg(all(feature = "files", feature = "database"))]
    Parquet,
    /// A page for the browser: the matching positions with boards, and their games to play through
    #[cfg(feature = "files")]
    Html,
    /// The games of that page, one a line, for programs
    #[cfg(feature = "service")]
    #[cfg_attr(feature = "cli", value(skip))]
    Games,
    /// A drawing of each matching position, all in one SVG document
    Svg,
    /// The numbers of matching games and positions
    Count,
    /// A line to read for each matching position
    #[cfg(feature = "cli")]
    Lines,
    /// A drawing of each matching position with characters
    #[cfg(feature = "cli")]
    Board,
    /// The moves of each matching game, with those that lead to a match marked
    #[cfg(feature = "cli")]
    Moves,
}

impl FormatName {
    /// Returns the extension of files in this format.
    pub fn extension(self) -> &'static str {
        match self {
            FormatName::Pgn => "pgn",
            FormatName::Ids => "ids",
            FormatName::Fen => "fen",
            #[cfg(feature = "files")]
            FormatName::Epd => "epd",
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
            #[cfg(feature = "service")]
            FormatName::Games => "jsonl",
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

    /// Returns whether its text may have colours.
    pub fn has_colors(self) -> bool {
        #[cfg(feature = "cli")]
        return matches!(self, FormatName::Lines | FormatName::Board | FormatName::Moves);
        #[cfg(not(feature = "cli"))]
        false
    }

    /// Returns whether it draws boards.
    #[cfg(feature = "cli")]
    pub(crate) fn draws_boards(self) -> bool {
        matches!(self, FormatName::Board | FormatName::Svg | FormatName::Html)
    }

    /// Returns whether it has columns for each match.
    #[cfg(feature = "cli")]
    pub(crate) fn has_columns(self) -> bool {
        self.is_table() || self == FormatName::Html
    }

    /// Returns whether it is a table with a row for each match.
    #[cfg(feature = "cli")]
    pub(crate) fn is_table(self) -> bool {
        matches!(
            self,
            FormatName::Csv | FormatName::Tsv | FormatName::Json | FormatName::Jsonl | FormatName::Parquet
        )
    }

    /// If a file of this many bytes and games is too large for its readers, returns advice on what to do about it.
    #[cfg(feature = "cli")]
    pub fn advice(self, bytes: u64, games: u64) -> Option<String> {
        match self {
            FormatName::Html => html::advice(bytes, games),
            _ => None,
        }
    }

    /// Returns the format's writer for a query with the given sort keys.
    pub fn format(self, keys: &[SortKey]) -> Box<dyn Format> {
        self.format_in(&Look::default(), keys)
    }

    /// Returns the format's writer with a look.
    #[cfg_attr(not(feature = "files"), expect(unused_variables, reason = "the others show no keys"))]
    pub fn format_in(self, look: &Look, keys: &[SortKey]) -> Box<dyn Format> {
        match self {
            FormatName::Pgn => Box::new(pgn::Pgn::new(look)),
            FormatName::Ids => Box::new(ids::Ids),
            FormatName::Fen => Box::new(fen::Fen),
            #[cfg(feature = "files")]
            FormatName::Epd => Box::new(epd::Epd),
            #[cfg(feature = "files")]
            FormatName::Csv => Box::new(csv::Csv::new(b',', keys, look)),
            #[cfg(feature = "files")]
            FormatName::Tsv => Box::new(csv::Csv::new(b'\t', keys, look)),
            #[cfg(feature = "files")]
            FormatName::Json => Box::new(json::Json(jsonl::Jsonl::new(keys, look))),
            #[cfg(all(feature = "files", feature = "database"))]
            FormatName::Parquet => Box::new(table::Table::new(keys, look)),
            #[cfg(feature = "files")]
            FormatName::Jsonl => Box::new(jsonl::Jsonl::new(keys, look)),
            #[cfg(feature = "files")]
            FormatName::Html => html::format(look, keys),
            #[cfg(feature = "service")]
            FormatName::Games => html::games(look),
            FormatName::Svg => Box::new(svg::Svg::new(look)),
            FormatName::Count => Box::new(count::Count),
            #[cfg(feature = "cli")]
            FormatName::Lines => Box::new(lines::Lines::new(look.screen, keys)),
            #[cfg(feature = "cli")]
            FormatName::Board => Box::new(boards::Boards::new(look, keys)),
            #[cfg(feature = "cli")]
            FormatName::Moves => Box::new(movetext::Movetext::new(look.screen, keys)),
        }
    }
}
