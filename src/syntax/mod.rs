//! Query text to tokens: the words, signs and brackets of CQL, and the diagnostics that point at them.

pub mod diagnostic;
pub mod token;
