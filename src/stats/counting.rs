//! Counts the games and positions that a query finds, by groups.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;

use shakmaty::{KnownOutcome, Outcome};

use super::groups::{GameSummary, Groups, KeyBytes, Side};
use super::key::{Key, Keys, NamedKey, Rated};
use crate::board::Color;
use crate::chess::Position;
use crate::eval::report::{Extras, GameReport, MatchValue};
use crate::game::{has_any_case, part_of_name};
use crate::output::{GameFacts, Matched, matched, next_position, write_value};
use crate::query::ast::Type;
use crate::query::tags::TagUse;
use crate::query::{MatchSides, Query, SortKey};
use crate::search::{Recorder, Sink, SinkBatch};

/// The side in question: whose wins, whose rating and whose name count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[cfg_attr(feature = "service", derive(serde::Deserialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "mcp", derive(schemars::JsonSchema))]
pub(crate) enum Perspective {
    /// White
    White,
    /// Black
    Black,
    /// The side to move at a match; a game may count once for each side
    Mover,
    /// White where a query matches as written, Black where it matches in a copy with exchanged colours, as of `flipcolor`
    Query,
}

/// What to count for each query: by which keys, and for which side.
#[derive(Clone, Debug)]
pub(crate) struct Counting {
    /// The keys, in the order in which they were given.
    pub(super) keys: Vec<NamedKey>,
    /// The indexes of the keys that are the same in a whole game, then those of the others. Values have this order in the bytes of a group.
    order: Vec<usize>,
    /// How many of the keys are the same in a whole game.
    game_keys: usize,
    /// The filters whose values are needed at each match: those of keys, then the measured one.
    columns: Vec<String>,
    /// The index of the value of each key.
    column_of_key: Vec<Option<usize>>,
    /// Whether a value is measured.
    is_measured: bool,
    /// The side in question. Without one, wins are White's, and ratings are those of both players; with players as a key, each side in turn
    /// is in question.
    side: Option<Perspective>,
    /// A part of the name of the player who must have the side in question, in any case.
    player: Option<Vec<u8>>,
}

impl Counting {
    /// Creates the counting by keys, for a side. If a player is named, only games count in which this player has that side; `by_player` is
    /// for counting only the player's own matches. `measured` is a filter whose value is measured.
    pub(crate) fn new(
        Keys(keys): Keys,
        side: Option<Perspective>,
        player: Option<&str>,
        by_player: Option<&str>,
        measured: Option<&str>,
    ) -> Counting {
        // Whoever asks for the matches of a player wants that player's score.
        let side = side.or(by_player.map(|_| Perspective::Query));
        let player = by_player.or(player).filter(|_| side.is_some());
        let mut columns = Vec::new();
        let column_of_key = keys.iter().map(|key| match &key.key {
            Key::Value(filter, _) => {
                columns.push(filter.clone());
                Some(columns.len() - 1)
            }
            _ => None,
        });
        let column_of_key = column_of_key.collect();
        columns.extend(measured.map(str::to_owned));
        let is_counted = |place: &usize| keys[*place].key != Key::Query;
        let (of_game, of_position): (Vec<usize>, Vec<usize>) = (0..keys.len())
            .filter(is_counted)
            .partition(|place| !keys[*place].key.is_of_position());
        Counting {
            game_keys: of_game.len(),
            order: of_game.into_iter().chain(of_position).collect(),
            keys,
            columns,
            column_of_key,
            is_measured: measured.is_some(),
            side,
            player: player.map(|name| part_of_name(name.as_bytes())),
        }
    }

    /// Returns the keys in the order in which they were given, each with the index of its filter among the [columns](Counting::columns), if
    /// it is a filter.
    pub(super) fn keys_and_columns(&self) -> impl Iterator<Item = (&Key, Option<usize>)> {
        let keys = self.keys.iter().map(|key| &key.key);
        keys.zip(self.column_of_key.iter().copied())
    }

    /// Returns whether a key can differ between the positions of a game. Shares are then computed from the games that match, otherwise from
    /// the games that are searched.
    pub(crate) fn is_of_positions(&self) -> bool {
        self.game_keys < self.order.len()
    }

    /// Returns the filters whose values are needed at each match. The match's side follows them, if it is [kept](Counting::match_sides).
    pub(crate) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// Returns the names and filters of the columns. They are named after their keys; the measured value is called `value`.
    pub(crate) fn named_columns(&self) -> impl Iterator<Item = (&str, &str)> {
        let of_keys = self.keys.iter().zip(&self.column_of_key);
        let names = of_keys.filter_map(|(key, column)| column.map(|_| key.name.as_str()));
        names.chain(["value"]).zip(self.columns.iter().map(String::as_str))
    }

    /// Returns whether the input is a key.
    pub(crate) fn asks_for_source(&self) -> bool {
        self.keys.iter().any(|key| key.key == Key::Source)
    }

    /// Returns whether to keep which side each match is of.
    pub(crate) fn match_sides(&self) -> MatchSides {
        match self.side {
            Some(Perspective::Query) => MatchSides::Kept,
            _ => MatchSides::NotKept,
        }
    }

    /// Checks that the measured value of a query is a number.
    ///
    /// # Errors
    /// Returns what is wrong if it is not.
    pub(crate) fn check_measured(&self, query: &Query) -> Result<(), String> {
        match self.measured().and_then(|place| query.columns.get(place)) {
            None | Some(Type::Number | Type::Set) => Ok(()),
            Some(other) => Err(format!(
                "expected a number, or a set whose squares are counted, and this is {}",
                other.described()
            )),
        }
    }

    /// Returns the index of the measured value among the [columns](Counting::columns).
    pub(crate) fn measured(&self) -> Option<usize> {
        self.columns.len().checked_sub(1).filter(|_| self.is_measured)
    }

    /// Returns whether positions must be looked at one by one.
    fn asks_for_positions(&self) -> bool {
        self.is_of_positions() || matches!(self.side, Some(Perspective::Mover | Perspective::Query)) || self.is_measured
    }

    /// Returns the sides that games are counted for.
    fn sides(&self) -> &'static [Side] {
        match self.side {
            None if !self.game_keys().any(|key| *key == Key::Player) => &[None],
            Some(Perspective::White) => &[Some(Color::White)],
            Some(Perspective::Black) => &[Some(Color::Black)],
            None | Some(Perspective::Mover | Perspective::Query) => &[Some(Color::White), Some(Color::Black)],
        }
    }

    /// Returns the keys that are the same in a whole game.
    fn game_keys(&self) -> impl Iterator<Item = &Key> {
        let places = self.order.iter().take(self.game_keys);
        places.filter_map(|place| self.keys.get(*place)).map(|key| &key.key)
    }

    /// Returns the other keys, each with the index of its value if it is a filter.
    fn position_keys(&self) -> impl Iterator<Item = (&Key, Option<usize>)> {
        let places = self.order.iter().skip(self.game_keys);
        places.filter_map(|place| Some((&self.keys.get(*place)?.key, *self.column_of_key.get(*place)?)))
    }

    /// Returns whether a match with these values is of a side.
    fn is_of_side(&self, side: Side, position: &Position, values: &[MatchValue]) -> bool {
        match (self.side, side) {
            (Some(Perspective::Mover), Some(color)) => position.turn == color,
            (Some(Perspective::Query), Some(color)) => {
                let place = self.columns.len() + color.fold_wb(0, 1);
                values.get(place) == Some(&MatchValue::Truth(true))
            }
            _ => true,
        }
    }

    /// Returns the indexes of the keys whose values are in the bytes of a group, and how many of them are the same in a whole game.
    pub(super) fn places(&self) -> (&[usize], usize) {
        (&self.order, self.game_keys)
    }

    /// Returns whether the named player, if any, has the side in question.
    fn is_of_player(&self, game: &dyn GameFacts, side: Side) -> bool {
        let (Some(part), Some(color)) = (&self.player, side) else {
            return true;
        };
        let name = game.value(player_tag(color));
        name.is_some_and(|name| has_any_case(&name, part))
    }

    /// Writes the values of the keys that are the same in a whole game.
    fn write_game_keys(&self, game: &dyn GameFacts, summary: &GameSummary, side: Side, key: &mut KeyBytes) {
        key.clear();
        for of_game in self.game_keys() {
            match of_game {
                Key::Year(step) => write_number(key, span(summary.year.into(), step.get()), summary.year > 0),
                Key::Elo(rated, step) => match rating(summary, *rated, side) {
                    Some(rating) => key.number(span(rating, step.get())),
                    None => key.unknown(),
                },
                Key::Eco(signs) => {
                    let code = game.value(b"ECO");
                    let length = signs.map_or(usize::MAX, |signs| signs.get() as usize);
                    write_text(key, code.as_deref().map(|code| &code[..code.len().min(length)]));
                }
                Key::Result => key.text(game.outcome().as_str().as_bytes()),
                Key::Player => write_text(key, side.and_then(|color| game.value(player_tag(color))).as_deref()),
                Key::Tag(name) => write_text(key, game.value(name.as_bytes()).as_deref()),
                Key::Source => key.text(game.source().as_bytes()),
                Key::Query | Key::Ply(_) | Key::MoveNumber(_) | Key::Next | Key::Value(..) => {}
            }
        }
    }

    /// Appends the values of the other keys.
    fn write_position_keys(&self, game: &dyn GameFacts, matched: &Matched<'_>, text: &mut Vec<u8>, key: &mut KeyBytes) {
        let position = matched.position;
        for (of_position, column) in self.position_keys() {
            match of_position {
                Key::Ply(step) => key.number(span(position.ply.into(), step.get())),
                Key::MoveNumber(step) => key.number(span(game.move_number(position), step.get())),
                Key::Next => {
                    text.clear();
                    if let Some(next) = next_position(game, position) {
                        game.write_san(next, text);
                    }
                    write_text(key, Some(text));
                }
                Key::Value(_, step) => {
                    let value = column.and_then(|column| matched.values.get(column));
                    write_key(key, value.unwrap_or(&MatchValue::Unknown), step.get(), game, text);
                }
                _ => {}
            }
        }
    }

    /// Counts a game in which something was found.
    fn count_found(&self, game: &dyn GameFacts, report: &GameReport, batch: &mut BatchGroups) {
        let summary = summary(game);
        let BatchGroups { groups, keys, text } = batch;
        if !self.asks_for_positions() {
            let [key, _] = keys;
            for side in self.sides().iter().filter(|side| self.is_of_player(game, **side)) {
                self.write_game_keys(game, &summary, *side, key);
                groups.count(key, |tally| {
                    tally.add_game(&summary, *side);
                    tally.add_positions(report.positions.len());
                });
            }
            return;
        }
        let sides = self.sides();
        for (side, key) in sides.iter().zip(&mut *keys) {
            self.write_game_keys(game, &summary, *side, key);
        }
        let is_wanted: [bool; 2] = [0, 1].map(|at| sides.get(at).is_some_and(|side| self.is_of_player(game, *side)));
        for matched in matched(game, report) {
            let position = matched.position;
            let wanted = sides.iter().zip(&mut *keys).zip(is_wanted);
            for ((side, key), _) in wanted.filter(|(_, is_wanted)| *is_wanted) {
                if !self.is_of_side(*side, position, matched.values) {
                    continue;
                }
                if self.is_of_positions() {
                    groups.add_to_base(key, summary.number);
                }
                let of_game = key.len();
                self.write_position_keys(game, &matched, text, key);
                groups.count(key, |tally| {
                    tally.add_game(&summary, *side);
                    tally.add_position(position.id);
                });
                if let Some(number) = self.measured().and_then(|place| number(matched.values.get(place)?)) {
                    groups.measure(key, number);
                }
                key.truncate(of_game);
            }
        }
    }

    /// Counts a game among those that are searched.
    fn count_searched(&self, game: &dyn GameFacts, batch: &mut BatchGroups) {
        // This runs for all games, so it asks only for what the keys need.
        let has = |wanted: fn(&Key) -> bool| self.game_keys().any(wanted);
        let summary = GameSummary {
            number: game.number(),
            white_score: None,
            ratings: match has(|key| matches!(key, Key::Elo(..))) {
                true => ratings(game),
                false => [None, None],
            },
            year: match has(|key| matches!(key, Key::Year(_))) {
                true => game.date().year,
                false => 0,
            },
        };
        let BatchGroups { groups, keys, .. } = batch;
        let [key, _] = keys;
        for side in self.sides().iter().filter(|side| self.is_of_player(game, **side)) {
            self.write_game_keys(game, &summary, *side, key);
            groups.add_to_base(key, summary.number);
        }
    }

    /// Returns the tags that are needed.
    pub(crate) fn tags(&self) -> TagUse {
        let mut names: Vec<&[u8]> = vec![b"Date"];
        let players = Color::ALL.map(player_tag);
        for key in self.game_keys() {
            match key {
                Key::Eco(_) => names.push(b"ECO"),
                Key::Player => names.extend(players),
                // These are known for every game.
                Key::Tag(name) if matches!(name.as_str(), "FEN" | "Result") => {}
                Key::Tag(name) => names.push(name.as_bytes()),
                _ => {}
            }
        }
        if self.player.is_some() {
            names.extend(players);
        }
        TagUse {
            names: names.into_iter().map(<[u8]>::to_vec).collect(),
            ratings: true,
            ..TagUse::default()
        }
    }
}

/// Writes the value of a filter as the value of a key.
fn write_key(key: &mut KeyBytes, value: &MatchValue, step: u32, game: &dyn GameFacts, text: &mut Vec<u8>) {
    match value {
        MatchValue::Unknown => key.unknown(),
        MatchValue::Number(number) => {
            let number = i64::from(*number);
            key.number(number - number.rem_euclid(step.into()));
        }
        value => {
            text.clear();
            write_value(value, game, text);
            write_text(key, Some(text));
        }
    }
}

/// Returns the measured number. For a set, it is the number of squares.
fn number(value: &MatchValue) -> Option<i32> {
    match value {
        MatchValue::Number(number) => Some(*number),
        MatchValue::Squares(squares) => i32::try_from(squares.count()).ok(),
        _ => None,
    }
}

/// Returns the first number of the range that contains a number.
fn span(number: u32, step: u32) -> i64 {
    i64::from(number - number % step)
}

fn write_number(key: &mut KeyBytes, number: i64, is_known: bool) {
    match is_known {
        true => key.number(number),
        false => key.unknown(),
    }
}

/// Writes a text. An empty one and `?` mean that it is unknown.
fn write_text(key: &mut KeyBytes, text: Option<&[u8]>) {
    match text {
        None | Some(b"" | b"?") => key.unknown(),
        Some(text) => key.text(text),
    }
}

fn player_tag(color: Color) -> &'static [u8] {
    color.fold_wb(b"White", b"Black")
}

/// Returns the rating that a key asks for.
fn rating(summary: &GameSummary, rated: Rated, side: Side) -> Option<u32> {
    let [white, black] = summary.ratings.map(|rating| rating.map(u32::from));
    match (rated, side) {
        (Rated::White, _) | (Rated::Viewpoint, Some(Color::White)) => white,
        (Rated::Black, _) | (Rated::Viewpoint, Some(Color::Black)) => black,
        (Rated::Mean, _) | (Rated::Viewpoint, None) => match (white, black) {
            (Some(white), Some(black)) => Some((white + black) / 2),
            (rating, None) | (None, rating) => rating,
        },
    }
}

fn ratings(game: &dyn GameFacts) -> [Option<u16>; 2] {
    Color::ALL.map(|color| game.rating(color))
}

fn summary(game: &dyn GameFacts) -> GameSummary {
    GameSummary {
        number: game.number(),
        white_score: match game.outcome() {
            Outcome::Known(KnownOutcome::Decisive { winner }) => Some(winner.fold_wb(2, 0)),
            Outcome::Known(KnownOutcome::Draw) => Some(1),
            Outcome::Unknown => None,
        },
        ratings: ratings(game),
        year: game.date().year,
    }
}

/// The groups of a batch of games, and buffers for keys.
#[derive(Default)]
pub(crate) struct BatchGroups {
    groups: Groups,
    /// One for each side.
    keys: [KeyBytes; 2],
    text: Vec<u8>,
}

/// Counts on the threads that evaluate. It makes one item for all games of a batch.
pub(crate) struct CountingRecorder<'c> {
    counting: &'c Counting,
    counts_searched: bool,
}

/// Returns how much memory a game has added. A game in groups that exist already takes almost none.
fn grown(batch: &BatchGroups, before: usize) -> usize {
    batch.groups.bytes() - before
}

/// Returns the item of a batch.
fn of_batch(items: &mut Vec<BatchGroups>) -> Option<&mut BatchGroups> {
    if items.is_empty() {
        items.push(BatchGroups::default());
    }
    items.first_mut()
}

impl Recorder for CountingRecorder<'_> {
    type Item = BatchGroups;

    fn extras(&self) -> Extras {
        match self.counting.asks_for_positions() {
            true => Extras::empty(),
            false => Extras::IDS_ALONE,
        }
    }

    fn record(&self, game: &dyn GameFacts, report: &GameReport, items: &mut Vec<BatchGroups>) -> usize {
        let Some(batch) = of_batch(items).filter(|_| !game.is_given_up()) else {
            return 0;
        };
        let before = batch.groups.bytes();
        if self.counts_searched {
            self.counting.count_searched(game, batch);
        }
        if report.matched {
            self.counting.count_found(game, report, batch);
        }
        grown(batch, before)
    }

    fn pass_by(&self, game: &dyn GameFacts, items: &mut Vec<BatchGroups>) -> usize {
        let Some(batch) = of_batch(items).filter(|_| self.counts_searched) else {
            return 0;
        };
        let before = batch.groups.bytes();
        self.counting.count_searched(game, batch);
        grown(batch, before)
    }
}

/// The counts of all queries of a pass.
#[derive(Debug)]
pub(crate) struct Counted {
    /// One for each query.
    queries: Vec<OfQuery>,
    /// The number of groups.
    total: usize,
    /// The largest number of groups allowed.
    limit: usize,
}

/// The counts of a query.
#[derive(Debug)]
struct OfQuery {
    groups: Groups,
    /// The index of the first query that looks at the same games. That query counts the games that shares are computed from.
    base: usize,
    /// Whether the query has failed, so that its counts are meaningless.
    is_left_out: bool,
}

impl Counted {
    /// Creates empty counts. `limit` is the largest number of groups allowed.
    pub(crate) fn new<'q>(queries: impl IntoIterator<Item = &'q Query>, limit: usize) -> Counted {
        let mut bases = HashMap::new();
        let of_query = |(place, query): (usize, &'q Query)| OfQuery {
            groups: Groups::default(),
            base: *bases.entry(query.header.games).or_insert(place),
            is_left_out: false,
        };
        Counted {
            queries: queries.into_iter().enumerate().map(of_query).collect(),
            total: 0,
            limit,
        }
    }

    /// Returns whether a query also counts the games for others.
    pub(crate) fn is_base_of_others(&self, query: usize) -> bool {
        self.queries.iter().filter(|of_query| of_query.base == query).count() > 1
    }

    /// Returns whether there are more groups than allowed. Not all games were counted then.
    pub(crate) fn is_overfull(&self) -> bool {
        self.total > self.limit
    }

    /// Leaves out a query that has failed.
    pub(crate) fn leave_out(&mut self, query: usize) {
        if let Some(query) = self.queries.get_mut(query) {
            query.is_left_out = true;
        }
    }

    /// Returns the index of each query, its groups, and the groups with the games that shares are computed from.
    pub(super) fn groups(&self) -> impl Iterator<Item = (usize, &Groups, &Groups)> {
        let used = self.queries.iter().enumerate().filter(|(_, query)| !query.is_left_out);
        used.filter_map(|(place, query)| Some((place, &query.groups, &self.queries.get(query.base)?.groups)))
    }

    fn add(&mut self, query: usize, groups: Groups) {
        if let Some(query) = self.queries.get_mut(query) {
            let before = query.groups.len();
            query.groups.merge(groups);
            self.total += query.groups.len() - before;
        }
    }
}

/// Takes the groups of a query.
pub(crate) struct CountingSink<'c> {
    counting: &'c Counting,
    counted: &'c RefCell<Counted>,
    /// The index of the query.
    query: usize,
    /// Whether it counts the games that are searched, for itself and for other queries that look at the same games.
    counts_searched: bool,
}

impl<'c> CountingSink<'c> {
    /// Creates a sink for each of the queries that are counted.
    pub(crate) fn of_queries(
        counting: &'c Counting,
        counted: &'c RefCell<Counted>,
    ) -> impl Iterator<Item = CountingSink<'c>> {
        (0..counted.borrow().queries.len()).map(move |query| CountingSink {
            counting,
            counted,
            query,
            counts_searched: counted
                .borrow()
                .queries
                .get(query)
                .is_some_and(|of_query| of_query.base == query),
        })
    }
}

impl<'c> Sink for CountingSink<'c> {
    type Recorder = CountingRecorder<'c>;

    fn recorder(&self, _keys: &[SortKey]) -> CountingRecorder<'c> {
        CountingRecorder {
            counting: self.counting,
            counts_searched: self.sees_all(),
        }
    }

    fn sees_all(&self) -> bool {
        self.counts_searched && !self.counting.is_of_positions()
    }

    fn tags(&self) -> TagUse {
        self.counting.tags()
    }

    fn take(&mut self, batch: SinkBatch<'_, BatchGroups>) -> io::Result<ControlFlow<usize>> {
        let mut counted = self.counted.borrow_mut();
        for (count, batch) in batch.counted() {
            counted.add(self.query, batch.groups);
            if counted.is_overfull() {
                return Ok(ControlFlow::Break(count));
            }
        }
        Ok(match counted.is_overfull() {
            true => ControlFlow::Break(0),
            false => ControlFlow::Continue(()),
        })
    }
}
