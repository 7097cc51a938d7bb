//! `show`: shows games and positions by their numbers.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::Deserialize;

use super::super::call::Call;
use super::context::ToolContext;
use super::tool::Question;
use crate::game::Rules;
use crate::limits::Interrupt;
use crate::output::FormatName;
use crate::search::{Id, NoListener, Options, RequestedIds, TextSink, Whole, search_by_id};
use crate::service::{Error, Named};

/// The largest number of games and positions to show at once.
const MOST: usize = 20;

/// Games and positions.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Show {
    /// Numbers as `search` lists them: `5:33` is a position, `5` a game. At most 20.
    numbers: Vec<String>,
    /// The same `inputs` as those of the search, as games are numbered through all of them.
    #[serde(default)]
    inputs: Option<Vec<Named>>,
    /// How they are shown.
    #[serde(default, rename = "as")]
    view: View,
}

/// How something is shown.
#[derive(Deserialize, JsonSchema, Clone, Copy, Default)]
#[serde(rename_all = "lowercase")]
enum View {
    /// Positions as drawn boards, of a game its last one.
    #[default]
    Board,
    /// The moves of the games, with those marked that lead to the positions.
    Moves,
    /// Whole games as PGN.
    Pgn,
    /// Positions as FEN, of a game its last one.
    Fen,
}

impl Question for Show {
    const NAME: &'static str = "show";
    const TITLE: &'static str = "Show games and positions";
    const PURPOSE: &'static str = "Shows games and positions that `search` has listed, by their numbers: as drawn boards, as moves, as PGN or as FEN. Use it \
                                   to look at what was found, before you tell the user about it.";

    fn answer(self, context: &ToolContext, call: &Call) -> Result<String, Error> {
        if self.numbers.is_empty() || self.numbers.len() > MOST {
            return Err(Error::new(format!(
                "`numbers` has 1 to {MOST} numbers of games or positions"
            )));
        }
        let ids = self.numbers.iter().map(|number| number.trim().parse());
        let ids: Vec<Id> = ids.collect::<Result<_, String>>().map_err(Error::new)?;
        let (format, whole) = match self.view {
            View::Board => (FormatName::Board, Whole::LastPosition),
            View::Moves => (FormatName::Moves, Whole::Game),
            View::Pgn => (FormatName::Pgn, Whole::Game),
            View::Fen => (FormatName::Fen, Whole::LastPosition),
        };
        let requested = RequestedIds::new(ids, whole);
        let interrupt = Arc::new(context.limits.time.map_or_else(Interrupt::default, Interrupt::after));
        call.begin(&interrupt);
        let options = Options {
            threads: context.limits.threads,
            rules: Rules::Full,
            interrupt: Arc::clone(&interrupt),
            ..Options::quiet()
        };
        let sources = context.inputs.sources(self.inputs.as_deref())?;
        let mut shown = Vec::new();
        let sink = TextSink::new(format, &mut shown);
        search_by_id(&requested, sources, sink, &options, &mut NoListener)
            .map_err(|error| Error::new(error.to_string()))?;
        let mut text = String::from_utf8_lossy(&shown).trim_end().to_owned();
        text.push('\n');
        if interrupt.was_acknowledged() {
            text.push_str("(the time was up before all of it was found)\n");
        } else {
            text.extend(requested.missing().iter().map(|missing| format!("{missing}\n")));
        }
        Ok(text)
    }
}
