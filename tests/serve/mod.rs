//! `skewer ui`: the server on this machine, by the bytes that are sent and come back.

mod client;
mod hostile;
mod pages;
mod refusals;

/// Famous games: eight of the eighteen end in mate.
const CLASSICS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/classics.pgn");
