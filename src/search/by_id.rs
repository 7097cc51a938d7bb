//! Finds games and positions by their numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};

use super::inputs::{InputGames, whole_readers};
use super::listener::Listener;
use super::options::Options;
use super::run::{Outcome, Search, run};
use super::sink::Sink;
use crate::eval::report::{CalledOff, Compiled, Evaluate, Extras, GameReport, Stop};
use crate::game::Game;
use crate::limits::{Interrupt, Memory, locked};
use crate::pgn::Source;
use crate::query::SortKey;
use crate::syntax::token::Span;

/// The number of a game, optionally with that of a position in it: `5` or `5:33`, as in the format `ids`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Id {
    /// The number of the game, from 1.
    pub game: u64,
    /// The `positionid`, from 0.
    pub position: Option<u32>,
}

impl FromStr for Id {
    type Err = String;

    fn from_str(text: &str) -> Result<Id, String> {
        let id = match text.split_once(':') {
            None => number(text).map(|game| Id { game, position: None }),
            Some((game, position)) => number(game).zip(number(position)).map(|(game, position)| Id {
                game,
                position: Some(position),
            }),
        };
        id.filter(|id| id.game > 0)
            .ok_or_else(|| format!("`{text}` is not a game, such as 5, nor a position of one, such as 5:33"))
    }
}

/// Parses a number that consists of digits only.
fn number<N: FromStr>(text: &str) -> Option<N> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            None => self.game.fmt(f),
            Some(position) => write!(f, "{}:{position}", self.game),
        }
    }
}

/// What is requested from one game.
#[derive(Clone, Default, Debug)]
struct OfGame {
    positions: BTreeSet<u32>,
    /// Whether the game itself is requested too.
    whole: bool,
}

/// What a request for a whole game finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whole {
    /// The game without a position.
    Game,
    /// Its initial position.
    FirstPosition,
    /// The last position of its main line.
    LastPosition,
}

/// The games and positions to find.
#[derive(Debug)]
pub struct RequestedIds {
    games: BTreeMap<u64, OfGame>,
    whole: Whole,
    /// The games that were found, if they are kept.
    kept: Option<Mutex<BTreeMap<u64, Game>>>,
    /// For each game that was found, the requested positions that it does not have and the number of its last position.
    seen: Mutex<BTreeMap<u64, (Vec<u32>, u32)>>,
    memory: Arc<Memory>,
}

impl RequestedIds {
    /// Requests these games and positions.
    pub fn new(ids: impl IntoIterator<Item = Id>, whole: Whole) -> RequestedIds {
        let mut games: BTreeMap<u64, OfGame> = BTreeMap::new();
        for id in ids {
            let of_game = games.entry(id.game).or_default();
            match id.position {
                Some(position) => drop(of_game.positions.insert(position)),
                None => of_game.whole = true,
            }
        }
        RequestedIds {
            games,
            whole,
            kept: None,
            seen: Mutex::default(),
            memory: Arc::default(),
        }
    }

    /// Keeps the games that are found.
    pub(crate) fn keeping_games(self) -> RequestedIds {
        RequestedIds {
            kept: Some(Mutex::default()),
            ..self
        }
    }

    /// Returns the games that were kept, by number.
    pub(crate) fn into_games(self) -> BTreeMap<u64, Game> {
        let kept = self.kept.unwrap_or_default();
        kept.into_inner().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a message for each requested game or position that was not found.
    pub fn missing(&self) -> Vec<String> {
        let seen = locked(&self.seen);
        let of_game = |number: &u64| match seen.get(number) {
            None => vec![format!("there is no game {number}")],
            Some((missing, last)) => {
                let position = |id: &u32| format!("game {number} has no position {id}; its last is {number}:{last}");
                missing.iter().map(position).collect()
            }
        };
        self.games.keys().flat_map(of_game).collect()
    }
}

/// Finds the requested games and positions in the games of `inputs`. Games are read as a whole.
///
/// # Errors
/// Returns the errors of any search.
pub(crate) fn search_by_id<S: Sink>(
    requested: &RequestedIds,
    inputs: impl IntoIterator<Item = Source>,
    sink: S,
    options: &Options,
    listener: &mut dyn Listener,
) -> Outcome {
    let games = InputGames::new(inputs)
        .with_rules(options.rules)
        .within(&requested.memory)
        .until(&options.interrupt);
    let numbers = requested.games.keys().copied().collect();
    let search = Search {
        query: requested,
        name: None,
        games: Some(Arc::new(numbers)),
        sink,
    };
    run(search, games, whole_readers(), options, listener)
}

impl Compiled for RequestedIds {
    type Game = Game;
    type Prepared = ();
    type Evaluator<'q> = Finder<'q>;

    fn needs_last_game(&self) -> bool {
        false
    }

    fn prepare(&self, _last_game: Option<u64>, _interrupt: &Arc<Interrupt>) -> Result<(), Stop> {
        Ok(())
    }

    fn evaluator<'q>(&'q self, _prepared: &'q (), _extras: Extras) -> Finder<'q> {
        Finder {
            requested: self,
            report: GameReport::default(),
        }
    }

    fn sort_keys(&self) -> &[SortKey] {
        &[]
    }

    fn is_serial(&self) -> bool {
        false
    }

    fn memory(&self) -> &Arc<Memory> {
        &self.memory
    }

    fn span(&self) -> Span {
        Span::default()
    }

    fn game_numbers(&self) -> Option<(i32, i32)> {
        None
    }
}

/// Finds the positions on one thread.
pub struct Finder<'q> {
    requested: &'q RequestedIds,
    report: GameReport,
}

impl Evaluate<Game> for Finder<'_> {
    type Batch = ();

    fn evaluate(&mut self, game: &Game, _called_off: &CalledOff<'_>) -> Result<&GameReport, Stop> {
        self.report = GameReport::default();
        let Some(wanted) = self.requested.games.get(&game.number) else {
            return Ok(&self.report);
        };
        self.report.matched = true;
        let last = game.positions.last().map_or(0, |position| position.id);
        let (there, missing): (Vec<u32>, Vec<u32>) = wanted.positions.iter().partition(|id| **id <= last);
        self.report.positions = there;
        let mut main_line = game.positions.iter().take_while(|position| position.depth == 0);
        let position = match self.requested.whole {
            _ if !wanted.whole => None,
            Whole::Game => None,
            Whole::FirstPosition => main_line.next(),
            Whole::LastPosition => main_line.last(),
        };
        let id = position.map(|position| position.id);
        self.report
            .positions
            .extend(id.filter(|id| !wanted.positions.contains(id)));
        self.report.positions.sort_unstable();
        locked(&self.requested.seen).insert(game.number, (missing, last));
        if let Some(kept) = &self.requested.kept {
            locked(kept).insert(game.number, game.clone());
        }
        Ok(&self.report)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_numbers_of_games_and_positions() {
        for text in ["5", "5:0", "12:345"] {
            assert_eq!(text.parse::<Id>().unwrap().to_string(), text);
        }
        for text in ["", "0", "0:1", "5:", ":5", "5:33:1", "+5", "5:+3", "a", "5:99999999999"] {
            assert!(text.parse::<Id>().is_err(), "{text}");
        }
    }
}
