//! What must hold where a query matches, read off its expressions.

mod conditions;
mod moves;
mod reader;
mod sets;
