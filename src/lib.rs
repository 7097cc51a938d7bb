//! skewer finds chess positions: it answers CQL 6.2 queries over PGN databases.
//!
//! Data goes one way, each arrow is one module:
//!
//! ```text
//!  query text ──► syntax ──► query ────┐
//!                                      ▼
//!  PGN ──► game ──► board ──────────► eval ──► search ──► output
//! ```

pub mod board;
pub mod cli;
pub mod eval;
pub mod game;
pub mod output;
pub mod pattern;
pub mod query;
pub mod search;
pub mod syntax;
