//! The grammar of the Chess Query Language as skewer reads it: `cql.pest`, and the parser that pest derives from it.
//!
//! It is a crate of its own so that debug builds optimise it, because tests parse thousands of queries.

#![forbid(unsafe_code)]

pub use parser::{CqlParser, Rule};

/// The text of the grammar.
pub const TEXT: &str = include_str!("cql.pest");

#[expect(
    missing_docs,
    reason = "pest derives an item from each rule, and the grammar explains the rules"
)]
mod parser {
    /// The parser that pest derives from the grammar.
    #[derive(pest_derive::Parser)]
    #[grammar = "cql.pest"]
    pub struct CqlParser;
}
