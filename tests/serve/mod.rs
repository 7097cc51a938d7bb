//! `skewer ui`: the server, tested by the bytes that it gets and sends.

mod client;
mod hostile;
mod interface;
mod pages;
mod refusals;
mod schema;
mod search;

/// Eighteen famous games, eight of which end in mate.
const CLASSICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classics.pgn");
