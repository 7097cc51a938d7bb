//! Counts the games and positions that a query finds, group by group.

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

/// The side in question: its wins, rating and name are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Spoken {
    /// None: wins are White's, ratings those of both.
    None,
    /// The same side in all games.
    Always(Color),
    /// The side to move at a match.
    Mover,
    /// White where the query matches as written, Black where it matches with exchanged colours.
    Query,
    /// Each side by itself.
    Each,
}

/// What may be asked for: whose wins, whose rating and whose name count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[cfg_attr(feature = "service", derive(serde::Deserialize), serde(rename_all = "lowercase"))]
#[cfg_attr(feature = "mcp", derive(schemars::JsonSchema))]
pub(crate) enum Whom {
    /// White
    White,
    /// Black
    Black,
    /// The side to move at a match; a game may count once for each side
    Mover,
    /// White where a query matches as written, Black where it matches in a copy with exchanged colours, as of `flipcolor`
    Query,
}

impl From<Whom> for Spoken {
    fn from(asked: Whom) -> Spoken {
        match asked {
            Whom::White => Spoken::Always(Color::White),
            Whom::Black => Spoken::Always(Color::Black),
            Whom::Mover => Spoken::Mover,
            Whom::Query => Spoken::Query,
        }
    }
}

/// What is counted of each query: for whom, and by which keys.
#[derive(Clone, Debug)]
pub(crate) struct Counting {
    /// The keys, in the order in which they were named.
    pub(super) keys: Vec<NamedKey>,
    /// The places of those that are the same in a whole game, and then of the others: the order of values in the bytes of a group.
    order: Vec<usize>,
    /// How many of them are the same in a whole game.
    game_keys: usize,
    /// The filters whose values are asked for at each match: those of keys first, then the one that is measured.
    columns: Vec<String>,
    /// The place of the value of each key.
    column_of_key: Vec<Option<usize>>,
    /// A value is measured.
    is_measured: bool,
    spoken: Spoken,
    /// A part of the name of the player of the side in question, in any case.
    player: Option<Vec<u8>>,
}

impl Counting {
    /// Counts by keys for a side. If a player is named, of whose games or of whose matches alone it is counted, only games count in which that
    /// is the player of this side. The value of a filter may be measured.
    pub(crate) fn new(
        Keys(keys): Keys,
        side: Option<Whom>,
        player: Option<&str>,
        by_player: Option<&str>,
        measured: Option<&str>,
    ) -> Counting {
        // Who asks for the matches of a player wants to know how that player scored.
        let side = side.or(by_player.map(|_| Whom::Query));
        let spoken = side.map_or(Spoken::None, Spoken::from);
        let player = match spoken {
            Spoken::None => None,
            Spoken::Query => by_player.or(player),
            _ => player,
        };
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
        let has_player = keys.iter().any(|key| key.key == Key::Player);
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
            spoken: match spoken {
                // Whoever asks for players asks for what they have done.
                Spoken::None if has_player => Spoken::Each,
                spoken => spoken,
            },
            player: player.map(|name| part_of_name(name.as_bytes())),
        }
    }

    /// The keys in the order in which they were named, each with the place of its filter among the [columns](Counting::columns), if it is one.
    #[cfg(feature = "cli")]
    pub(super) fn keys_and_columns(&self) -> impl Iterator<Item = (&Key, Option<usize>)> {
        let keys = self.keys.iter().map(|key| &key.key);
        keys.zip(self.column_of_key.iter().copied())
    }

    /// Whether some key differs from position to position, so that shares are those of the games that match. Else they are those of the games
    /// that are searched.
    pub(crate) fn is_of_positions(&self) -> bool {
        self.game_keys < self.order.len()
    }

    /// The filters whose values are asked for at each match. After them stands of which side it is, if that is [kept](Counting::match_sides).
    pub(crate) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The same, each with the name of its key; what is measured is called `value`.
    #[cfg(feature = "cli")]
    pub(crate) fn named_columns(&self) -> impl Iterator<Item = (&str, &str)> {
        let of_keys = self.keys.iter().zip(&self.column_of_key);
        let names = of_keys.filter_map(|(key, column)| column.map(|_| key.name.as_str()));
        names.chain(["value"]).zip(self.columns.iter().map(String::as_str))
    }

    /// Whether the input is a key.
    #[cfg(feature = "cli")]
    pub(crate) fn asks_for_source(&self) -> bool {
        self.keys.iter().any(|key| key.key == Key::Source)
    }

    /// Whether it is kept for which side a query matches.
    pub(crate) fn match_sides(&self) -> MatchSides {
        match self.spoken {
            Spoken::Query => MatchSides::Kept,
            _ => MatchSides::NotKept,
        }
    }

    /// Checks that what is measured of a query is a number.
    ///
    /// # Errors
    /// What is wrong otherwise.
    pub(crate) fn check_measured(&self, query: &Query) -> Result<(), String> {
        match self.measured().and_then(|place| query.columns.get(place)) {
            None | Some(Type::Number | Type::Set) => Ok(()),
            Some(other) => Err(format!(
                "expected a number, or a set whose squares are counted, and this is {}",
                other.described()
            )),
        }
    }

    /// The place among the [columns](Counting::columns) of the value that is measured.
    pub(crate) fn measured(&self) -> Option<usize> {
        self.columns.len().checked_sub(1).filter(|_| self.is_measured)
    }

    /// Whether positions are looked at one by one.
    fn asks_for_positions(&self) -> bool {
        self.is_of_positions() || matches!(self.spoken, Spoken::Mover | Spoken::Query) || self.is_measured
    }

    /// The sides that may be in question.
    fn sides(&self) -> &'static [Side] {
        match self.spoken {
            Spoken::None => &[None],
            Spoken::Always(Color::White) => &[Some(Color::White)],
            Spoken::Always(Color::Black) => &[Some(Color::Black)],
            Spoken::Mover | Spoken::Query | Spoken::Each => &[Some(Color::White), Some(Color::Black)],
        }
    }

    /// The keys that are the same in a whole game.
    fn game_keys(&self) -> impl Iterator<Item = &Key> {
        let places = self.order.iter().take(self.game_keys);
        places.filter_map(|place| self.keys.get(*place)).map(|key| &key.key)
    }

    /// The others, each with the place of its value if it is that of a filter.
    fn position_keys(&self) -> impl Iterator<Item = (&Key, Option<usize>)> {
        let places = self.order.iter().skip(self.game_keys);
        places.filter_map(|place| Some((&self.keys.get(*place)?.key, *self.column_of_key.get(*place)?)))
    }

    /// Whether a match with these values is one of a side.
    fn is_of_side(&self, side: Side, position: &Position, values: &[MatchValue]) -> bool {
        match (self.spoken, side) {
            (Spoken::Mover, Some(color)) => position.turn == color,
            (Spoken::Query, Some(color)) => {
                let place = self.columns.len() + color.fold_wb(0, 1);
                values.get(place) == Some(&MatchValue::Truth(true))
            }
            _ => true,
        }
    }

    /// The values in the bytes of a group, each with the place of its key, and where those end that are the same in a whole game.
    pub(super) fn places(&self) -> (&[usize], usize) {
        (&self.order, self.game_keys)
    }

    /// Whether the named player has the side in question.
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

    /// Adds the values of the other keys.
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
        // All games come here, so no more is asked than the keys need.
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

    /// The tags that are asked for.
    pub(crate) fn tags(&self) -> TagUse {
        let mut names: Vec<&[u8]> = vec![b"Date"];
        let players = Color::ALL.map(player_tag);
        for key in self.game_keys() {
            match key {
                Key::Eco(_) => names.push(b"ECO"),
                Key::Player => names.extend(players),
                // These are known of every game.
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

/// Writes the value of a filter as that of a key.
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

/// The number that is measured: of a set, how many squares.
fn number(value: &MatchValue) -> Option<i32> {
    match value {
        MatchValue::Number(number) => Some(*number),
        MatchValue::Squares(squares) => i32::try_from(squares.count()).ok(),
        _ => None,
    }
}

/// The first number of the span in which a number is.
fn span(number: u32, step: u32) -> i64 {
    i64::from(number - number % step)
}

fn write_number(key: &mut KeyBytes, number: i64, is_known: bool) {
    match is_known {
        true => key.number(number),
        false => key.unknown(),
    }
}

/// Writes a text; an empty one and `?` say nothing.
fn write_text(key: &mut KeyBytes, text: Option<&[u8]>) {
    match text {
        None | Some(b"" | b"?") => key.unknown(),
        Some(text) => key.text(text),
    }
}

fn player_tag(color: Color) -> &'static [u8] {
    color.fold_wb(b"White", b"Black")
}

/// The rating that is meant.
fn rating(summary: &GameSummary, rated: Rated, side: Side) -> Option<u32> {
    let [white, black] = summary.ratings.map(|rating| rating.map(u32::from));
    match (rated, side) {
        (Rated::White, _) | (Rated::Spoken, Some(Color::White)) => white,
        (Rated::Black, _) | (Rated::Spoken, Some(Color::Black)) => black,
        (Rated::Mean, _) | (Rated::Spoken, None) => match (white, black) {
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

/// The groups of a batch of games, and room to write keys.
#[derive(Default)]
pub(crate) struct BatchGroups {
    groups: Groups,
    /// Of each side.
    keys: [KeyBytes; 2],
    text: Vec<u8>,
}

/// Counts on the threads that evaluate. It makes one item of all games of a batch.
pub(crate) struct CountingRecorder<'c> {
    counting: &'c Counting,
    counts_searched: bool,
}

/// What is counted of a game, beside groups that there are already, is nothing to speak of.
fn grown(batch: &BatchGroups, before: usize) -> usize {
    batch.groups.bytes() - before
}

/// The item of a batch.
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

/// What was counted of all queries of a pass.
#[derive(Debug)]
pub(crate) struct Counted {
    /// Of each query.
    queries: Vec<OfQuery>,
    /// There are this many groups.
    total: usize,
    /// There may be this many.
    limit: usize,
}

/// What was counted of a query.
#[derive(Debug)]
struct OfQuery {
    groups: Groups,
    /// The first query that looks at the same games: the one that counts the games of which shares are taken.
    base: usize,
    /// It has failed, so what was counted says nothing.
    is_left_out: bool,
}

impl Counted {
    /// Nothing yet. There may be this many groups.
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

    /// Whether a query counts the games for others, too.
    #[cfg(feature = "cli")]
    pub(crate) fn is_base_of_others(&self, query: usize) -> bool {
        self.queries.iter().filter(|of_query| of_query.base == query).count() > 1
    }

    /// Whether there would be more groups than there may be. Not all games were counted then.
    pub(crate) fn is_overfull(&self) -> bool {
        self.total > self.limit
    }

    /// Leaves out a query that has failed.
    #[cfg(feature = "cli")]
    pub(crate) fn leave_out(&mut self, query: usize) {
        if let Some(query) = self.queries.get_mut(query) {
            query.is_left_out = true;
        }
    }

    /// The places of queries, the groups of each, and the groups that have the games of which shares are taken.
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
    /// The place of the query.
    query: usize,
    /// Whether it counts the games that are searched, for itself and other queries that look at the same games.
    counts_searched: bool,
}

impl<'c> CountingSink<'c> {
    /// One for each of the queries of which is counted.
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
