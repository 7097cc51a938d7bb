//! `skewer mcp`: conversations with an assistant, over the streams of the built command.

mod client;
mod conversations;
mod hostile;
mod searches;

/// Eighteen famous games, eight of which end in mate.
const CLASSICS: &str = "examples/classics.pgn";
