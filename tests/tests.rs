//! All tests that use skewer from outside, in one program, so that only one is linked.
//!
//! `cargo test --test tests cli::` runs those of one folder. `README.md` says what goes where.

mod beyond;
mod board;
#[cfg(unix)]
mod browser;
mod cli;
mod corpus;
mod database;
#[cfg(unix)]
mod docs;
mod equivalence;
#[cfg(unix)]
mod faults;
mod format;
mod fuzz;
mod games;
mod golden;
mod library;
mod lint;
#[cfg(feature = "mcp")]
mod mcp;
mod modules;
mod packaging;
mod paths;
mod pgn;
mod prelude;
mod recorded;
#[cfg(unix)]
mod serve;
mod service;
mod setup;
#[cfg(unix)]
mod signals;
mod syntax;
mod why;
