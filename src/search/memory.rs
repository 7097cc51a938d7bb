//! Searches whose output stays in memory, for programs that use skewer as a library, and for tests.

use super::error::Error;
use super::options::Options;
use super::{Log, Task, TextSink, search_one};
use crate::eval::Settings;
use crate::output::{FormatName, Totals};
use crate::pgn::{Input, Source};
use crate::query::Query;

/// What a search printed.
#[derive(Clone, Debug)]
pub struct Printed {
    /// The output in the format that was asked for.
    pub output: Vec<u8>,
    /// The messages of the query and, unless they are switched off, the warnings about the games.
    pub log: Vec<u8>,
    /// How much was found.
    pub totals: Totals,
}

/// Searches an input and returns what is printed.
///
/// # Errors
///
/// Returns an error if the input cannot be read or the evaluation ends the run.
pub fn search_in_memory(
    query: &Query,
    settings: Settings,
    input: impl Into<Input>,
    format: FormatName,
    options: &Options,
) -> Result<Printed, Error> {
    search_sources(query, settings, input.into().sources()?, format, options)
}

/// Searches sources, which may be [in memory](Source::of_bytes) too, and returns what is printed.
///
/// # Errors
///
/// Returns an error if a source cannot be read or the evaluation ends the run.
pub fn search_sources(
    query: &Query,
    settings: Settings,
    sources: impl IntoIterator<Item = Source>,
    format: FormatName,
    options: &Options,
) -> Result<Printed, Error> {
    let (mut output, mut log) = (Vec::new(), Vec::new());
    let task = Task {
        name: None,
        query,
        games: None,
        files: None,
        sink: TextSink::new(format, &mut output),
    };
    let totals = search_one(task, sources, &settings, options, &mut Log::new(&mut log))?;
    Ok(Printed { output, log, totals })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::Writer;
    use crate::pgn::sample;
    use crate::{query, syntax};

    const PGN: &str = "[White \"A\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

    #[test]
    fn sources_in_memory_are_searched_like_files() {
        let mut writer = Writer::new(Vec::new()).expect("a database");
        writer.add(&sample::batch(PGN), &mut |_| {}).expect("a database");
        let database = writer.finish().expect("a database");
        let packed = zstd::encode_all(PGN.as_bytes(), 1).expect("it can be packed");
        let sources = [
            Source::of_bytes("a.pgn", PGN),
            Source::of_bytes("b.pgn.zst", packed),
            Source::of_bytes("c.parquet", database),
        ];
        let query = syntax::Source::new("q", "cql() mate gamenumber <= lastgamenumber");
        let query = query::compile(&query, &query::Options::default()).expect("it compiles");
        let printed = search_sources(&query, Settings::default(), sources, FormatName::Ids, &Options::quiet());
        assert_eq!(printed.expect("they can be read").output, b"1:4\n2:4\n3:4\n");
    }
}
