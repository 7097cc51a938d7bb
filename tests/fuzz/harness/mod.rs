//! The properties that hold for any input: a function for each kind of input, which panics if they do not.
//!
//! The same functions run in two places: under libFuzzer, which searches for inputs (`fuzz/fuzz_targets/`, `docs/fuzzing.md`), and
//! in `cargo test`, which tries the inputs of `tests/fuzz/corpus/` and some thousand mutations of them (`tests/fuzz/`).
//!
//! | module | input | what must hold |
//! |---|---|---|
//! | [`query`] | the text of a query | errors can be shown; formatting keeps the meaning; threads, databases and shortcuts give the same answers |
//! | [`pgn`] | a PGN file | an intact game after it is found; threads and databases give the same answers; what is written can be read again |
//! | [`positions`] | a list or table of positions | an intact row after it is found; threads and databases give the same positions |
//! | [`database`] | damage to a database of skewer, or any bytes as a Parquet file | an error, or the answers of the intact file |
//! | [`foreign`] | damage to databases of other programs | an error or an answer, the same for all threads and from a database |
//! | [`conversation`] | edits and requests of an editor | each request has one answer; the server has the text that the editor has |
//!
//! Nothing may panic. The caller limits time and memory: libFuzzer by `-timeout` and `-rss_limit_mb`, the tests by a clock.

pub mod conversation;
pub mod database;
pub mod foreign;
pub mod mutation;
pub mod pgn;
pub mod positions;
pub mod query;
mod searching;
