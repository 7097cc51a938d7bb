//! skewer finds chess positions: it answers CQL 6.2 queries over PGN databases.
//!
//! Three types matter:
//!
//! - [`Query`]: a compiled query. Threads may share it.
//! - [`Games`]: the games to search: files and folders, bytes, streams, positions. A path converts to it.
//! - [`FoundGame`]: a game that matches, with its tags and a [`Match`] for each position that matches.
//!
//! This program prints the positions in which a white bishop looks through a black piece at the black king, as JSON:
//!
//! ```
//! use skewer::Query;
//!
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("games.pgn");
//! # std::fs::write(&path, "[White \"Morphy\"]\n[Black \"Isouard\"]\n\n1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. Bb5+ Nd7 1-0\n")?;
//! # let games = &path;
//! let query = Query::compile("xray (B a k)")?;
//! for game in query.search(games)? {
//!     let game = game?;
//!     for found in game.matches() {
//!         let line = serde_json::json!({
//!             "game": game.number(),
//!             "white": game.tag("White"),
//!             "black": game.tag("Black"),
//!             "positionid": found.position_id(),
//!             "fen": found.fen(),
//!             "last_move": found.last_move_san(),
//!             "comments": found.comments(),
//!             "squares": found.squares().into_iter().map(|square| square.to_string()).collect::<Vec<_>>(),
//!         });
//!         println!("{line}");
//! #       assert_eq!((found.last_move_san(), found.last_move_uci()), (Some("Nd7"), Some("b8d7")));
//! #       assert_eq!(game.tag("White"), Some("Morphy"));
//!     }
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Query::run`] hands each game it finds to a [`Sink`] instead, which is faster. [`run_all`] searches for many queries in one pass.
//! [`Query::matches_fen`] looks at a single position and [`Query::find_in`] at a single game. [`Options`] limit time, memory and threads. An
//! error in a query is a [`QueryError`], with its place and advice; everything else is an [`Error`]. Imperfect PGN is not an error but a
//! warning.
//!
//! # Which games to search
//!
//! [`QueryOptions`] say how a query is read. Their [`Narrowing`] leaves games out by their tags, before their moves are read, as the options
//! of the command do:
//!
//! ```
//! use skewer::{Narrowing, Query, QueryOptions};
//!
//! let mut options = QueryOptions::default();
//! options.narrowing = Narrowing::new().player("Tal").years(1957..=1961).elo(2500..);
//! let query = Query::compile_with("mate", &options)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Modules
//! Three modules are public: [`board`], geometry on bitboards; [`game`], games in memory; and [`library`], the queries that come with
//! skewer. The first two hold types that results are made of. The other modules serve the command, tests and benchmarks. They can be called,
//! but they are not documented here and change without notice. `docs/architecture.md` says what each of them does, and `docs/rust.md` which
//! features there are.

// The feature `ui` needs all others but `mcp`, so only builds with it can tell what nothing uses.
#![cfg_attr(not(feature = "ui"), allow(dead_code, unused_imports))]

mod api;
pub mod board;
#[doc(hidden)]
pub mod chess;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "database")]
#[doc(hidden)]
pub mod database;
#[doc(hidden)]
pub mod eval;
#[cfg(any(feature = "scid", feature = "chessbase"))]
mod foreign;
pub mod game;
#[cfg(feature = "lsp")]
#[doc(hidden)]
pub mod guide;
#[cfg(feature = "library")]
pub mod library;
#[doc(hidden)]
pub mod limits;
#[cfg(feature = "lsp")]
#[doc(hidden)]
pub mod lsp;
#[cfg(feature = "mcp")]
#[doc(hidden)]
pub mod mcp;
#[doc(hidden)]
pub mod moves;
#[doc(hidden)]
pub mod output;
#[doc(hidden)]
pub mod pattern;
#[doc(hidden)]
pub mod pgn;
#[doc(hidden)]
pub mod query;
#[doc(hidden)]
pub mod search;
#[cfg(feature = "ui")]
#[doc(hidden)]
pub mod serve;
#[cfg(feature = "service")]
#[doc(hidden)]
pub mod service;
#[doc(hidden)]
pub mod setup;
#[cfg(any(feature = "cli", feature = "service"))]
mod stats;
#[doc(hidden)]
pub mod syntax;
#[doc(hidden)]
pub mod tablebase;
#[doc(hidden)]
pub mod terminal;
#[cfg(any(feature = "cli", feature = "lsp"))]
#[doc(hidden)]
pub mod testing;
#[doc(hidden)]
pub mod why;

#[cfg(doctest)]
#[doc = include_str!("../docs/rust.md")]
mod rust {}

#[cfg(feature = "cli")]
#[doc(hidden)]
pub use api::{CountError, CountOptions, Counts, PartCounts};
pub use api::{
    Error, FoundGame, Games, Match, Narrowing, Options, Progress, Query, QueryError, QueryOptions, Search, Sink,
    SortKey, SortKeyValue, TextFormat, run_all,
};
#[cfg(feature = "database")]
pub use api::{columns_read, row_groups, spark_condition};
pub use board::{Bitboard, Color, Square};
#[cfg(feature = "database")]
pub use database::GroupSize as RowGroup;
pub use game::{GameTable, Warning, WarningKind};
pub use limits::Interrupt;
pub use output::{Column, ColumnError, ColumnType, ColumnValue, Picture, QuerySide, Totals};
#[cfg(feature = "database")]
pub use query::Obstacle;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use stats::{GroupCounts, GroupValue};
