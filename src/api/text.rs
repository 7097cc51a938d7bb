//! Searches that write a text.

use std::io::Write;

use super::error::Error;
use super::games::Games;
use super::options::Options;
use super::query::Query;
use super::run::run_sinks;
use crate::output::{FormatName, Look, SearchInfo, Totals};
use crate::search::{Listener, NoListener, TextSink, on_deep_stack};

/// The texts that a search can write. Each is the command's format of the same name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum TextFormat {
    /// The games that match, with the query's comments.
    Pgn,
    /// A page for the browser: the matching positions as boards, and their games to play through.
    #[cfg(feature = "files")]
    Html,
}

impl TextFormat {
    fn name(self) -> FormatName {
        match self {
            TextFormat::Pgn => FormatName::Pgn,
            #[cfg(feature = "files")]
            TextFormat::Html => FormatName::Html,
        }
    }
}

impl Query {
    /// Searches games and writes what is found as the command does, sorted if the query sorts. Returns how much was found. Options that say
    /// what to keep of a game are ignored.
    ///
    /// # Errors
    /// Returns the same errors as [`run`](Query::run), and [`Error::Output`] if the text cannot be written.
    ///
    /// ```
    /// use skewer::{Games, Options, Query, TextFormat};
    ///
    /// let games = Games::of_bytes("fool.pgn", "1. f3 e5 2. g4 Qh4# 0-1");
    /// let mut pgn = Vec::new();
    /// Query::compile("cql(quiet) mate comment(\"over\")")?.write(games, TextFormat::Pgn, &Options::default(), &mut pgn)?;
    /// assert!(String::from_utf8(pgn)?.contains("Qh4# {over}"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write(
        &self,
        games: impl Into<Games>,
        format: TextFormat,
        options: &Options,
        out: &mut (dyn Write + Send),
    ) -> Result<Totals, Error> {
        self.write_as(games.into(), format.name(), options, out, &mut NoListener)
    }

    /// Searches and writes in any format, with a listener.
    pub(crate) fn write_as(
        &self,
        games: Games,
        format: FormatName,
        options: &Options,
        out: &mut (dyn Write + Send),
        listener: &mut (dyn Listener + Send),
    ) -> Result<Totals, Error> {
        let sources = games.sources()?;
        let interrupt = options.interrupt();
        let name = Some(self.source().name()).filter(|name| *name != "query");
        let about = SearchInfo::of_query(name, String::from_utf8_lossy(self.text()).into_owned());
        let look = Look {
            columns: self.asked_columns().to_vec(),
            ..Look::default()
        };
        let outcomes = on_deep_stack(|| {
            let sink = TextSink::new(format, out).looking(look).about(about);
            run_sinks([(self, sink)], sources, options, &interrupt, listener)
        });
        let outcome = outcomes.map_err(Error::Thread)??.into_iter().next();
        outcome.unwrap_or_else(|| Ok(Totals::default()))
    }
}
