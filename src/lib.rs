//! skewer finds chess positions: it answers CQL 6.2 queries over PGN databases.
//!
//! Data goes one way, each arrow is one module:
//!
//! ```text
//!  query text ──► syntax ──► query ────┐
//!                                      ▼
//!  PGN ──► game ──► board ──────────► eval ──► search ──► output
//! ```
//!
//! `database` keeps games in a file that needs no parsing: PGN is read into it once, `search` reads games from it.
//! `selftest` runs queries on the examples in their comments.
//! `pattern` stands beside: the regular expressions that queries compile and evaluation searches with; and `limits`: what ends a
//! run before its end.
//!
//! # Example
//!
//! The positions of a game in which a white bishop looks through a black man at the black king:
//!
//! ```
//! use skewer::eval::{Program, Settings};
//! use skewer::eval::report::{Compiled, Evaluate, Extras};
//! use skewer::game::{Batch, Game, GameReader, Scope, Splitter};
//! use skewer::query::{self, Options};
//! use skewer::syntax::Source;
//! use std::sync::Arc;
//!
//! let source = Source::new("pins.cql", "cql() xray (B a k)");
//! let query = query::compile(&source, &Options::default())
//!     .map_err(|error| error.render(&source, false))?;
//!
//! let pgn = "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7
//!     8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7
//!     14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0";
//! let mut batch = Batch::default();
//! Splitter::new(pgn.as_bytes(), "opera.pgn".into(), 0).read_batch(&mut batch)?;
//! let mut game = Game::default();
//! GameReader::new(&batch).read(Scope::default(), &mut game, |_| true);
//!
//! let program = Program::new(&query, Settings::default());
//! let prepared = program.prepare(None, &Arc::default())?;
//! let mut evaluator = program.evaluator(&prepared, Extras::default());
//! let report = evaluator.evaluate(&game, &|| false)?;
//! assert_eq!(report.positions.first(), Some(&22)); // after 11...Nbd7
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod board;
pub mod cli;
pub mod database;
pub mod eval;
pub mod game;
pub mod guide;
pub mod limits;
pub mod lsp;
pub mod output;
pub mod pattern;
pub mod query;
pub mod search;
pub mod selftest;
pub mod syntax;
pub mod terminal;
