//! Evaluates a query whose parts are traced at one position.

use crate::game::{Game, Identities};
use crate::limits::Share;
use crate::query::{Query, Reads};

use crate::eval::context::{Budget, Context, Stopped};
use crate::eval::evaluator::stopped;
use crate::eval::files::folder::Files;
use crate::eval::interpreter::Eval;
use crate::eval::prepared::Prepared;
use crate::eval::report::{CalledOff, Stop};
use crate::eval::settings::Settings;
use crate::eval::state::dictionaries::Dictionaries;
use crate::eval::state::memo::Memos;
use crate::eval::state::variables::Variables;
use crate::eval::trace::Trace;

/// Where and how the parts of a query are evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Traced {
    /// The id of the position.
    pub(crate) position: u32,
    /// Whether the positions before it are evaluated first, because their effects matter.
    pub(crate) from_start: bool,
    /// Whether filters are evaluated even after one before them has failed.
    pub(crate) asks_all: bool,
}

/// Evaluates the body of a query at a position of a game, regardless of its header. Returns the values of its traced parts there; `None` if
/// the position does not exist, or the search was cancelled.
///
/// # Errors
/// Returns an error if the query asks for something impossible.
pub(crate) fn trace(
    query: &Query,
    prepared: &Prepared,
    settings: &Settings,
    game: &Game,
    traced: Traced,
    called_off: &CalledOff<'_>,
) -> Result<Option<Trace>, Stop> {
    let mut identities = Identities::default();
    if query.reads.contains(Reads::IDENTITIES) {
        identities.follow(game);
    }
    let mut variables = Variables::new(&query.variables, &query.persistent);
    variables.begin_game();
    let mut dictionaries = Dictionaries::new(query.dictionaries.len());
    dictionaries.begin_game(&query.dictionaries);
    let budget = Budget {
        max_rounds: settings.max_rounds,
        called_off,
        share: Share::of(&settings.memory),
    };
    let mut context = Context {
        memos: Memos::new(query),
        dictionaries,
        files: Files::new(settings.files.clone(), &settings.memory),
        ..Context::new(query, prepared, game, &identities, variables, budget)
    };
    context.begin_game();
    let last = traced.position as usize;
    let first = if traced.from_start { 0 } else { last };
    for position in game.positions.get(first..=last).unwrap_or_default() {
        if !context.begin_position(position) {
            break;
        }
        if position.id == traced.position {
            context.trace = Some(Box::new(Trace::new(traced.asks_all)));
        }
        query.body.eval(&mut context, position);
    }
    let Context { trace, stop, .. } = context;
    match stop {
        Some(Stopped::Error(error)) => Err(stopped(&error, game)),
        Some(Stopped::CalledOff) => Ok(None),
        None => Ok(trace.map(|trace| *trace)),
    }
}
