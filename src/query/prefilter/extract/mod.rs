//! Extracts from the expressions of a query what must hold where they match.
//!
//! Each part uses only those before it: `extractor`, `played_moves`, `sets`, `conditions`.

mod conditions;
mod extractor;
mod played_moves;
mod sets;
