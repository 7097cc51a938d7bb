//! Searches whose output stays in memory, for programs that use skewer as a library, and for tests.

use super::{Error, InputGames, Options, Progress, Search, Show, readers, run};
use crate::eval::{Program, Settings};
use crate::game::Input;
use crate::output::Totals;
use crate::query::Query;

/// What a search printed.
#[derive(Clone, Debug)]
pub struct Printed {
    /// The output in the format that was asked for.
    pub output: Vec<u8>,
    /// Messages of the query and, unless they were not wanted, warnings about the games.
    pub log: Vec<u8>,
    /// How much was found.
    pub totals: Totals,
}

/// Searches an input and keeps what is printed.
///
/// # Errors
///
/// When the input cannot be read or the evaluation ends the run.
pub fn search_in_memory(
    query: &Query,
    settings: Settings,
    input: impl Into<Input>,
    options: &Options,
) -> Result<Printed, Error> {
    let games = InputGames::new(input.into().sources()?).with_rules(options.rules);
    let (mut output, mut log) = (Vec::new(), Vec::new());
    let mut progress = Progress::new(&mut log, Show::Nothing);
    let make_reader = readers(&[query], options.format);
    let program = Program::new(query, settings);
    let search = Search::new(&program, &mut output);
    let totals = run(search, games, make_reader, options, &mut progress)?;
    drop(progress);
    Ok(Printed { output, log, totals })
}
