//! `skewer ui`: the server on this machine, by the bytes that are sent and come back.

mod client;
mod hostile;
mod interface;
mod pages;
mod refusals;
mod schema;
mod search;

/// Famous games: eight of the eighteen end in mate.
const CLASSICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classics.pgn");
