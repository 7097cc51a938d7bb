//! Decides by the values of tags which queries want which games, for [`LANES`] games at once, before anything is made of their rows.

use std::collections::HashMap;

use super::columns::{Int32Column, Tag};
use super::facts::Events;
use super::layout::{DATE, TAGS, UTC_DATE, is_number, tag_column};
use super::record::outcome_of_code;
use crate::board::columns::{Column, LANES, Lanes};
use crate::game::Game;
use crate::query::TagCondition;
use crate::query::tag_tests::{Decided, SoleTag, TagTests};

/// The number of values whose answers are kept for the next row groups.
const MOST_VALUES: usize = 1 << 14;
/// The most bytes of such a value.
const MOST_BYTES: usize = 256;

/// Says whether a game that has only the tag that a condition reads fulfils it, for the query with this index. Returns `None` if that takes a run.
pub(crate) type Fulfils<'a> = dyn FnMut(usize, &TagCondition, &Game) -> Option<bool> + 'a;

/// The tests of each query, and what they say of the games that were tested last.
pub(super) struct TagFilter {
    searches: Vec<Search>,
    /// The number of the group of games that was tested last. Group 0 has the first [`LANES`] games of the block, group 1 the next.
    known: Option<usize>,
    of_each: Vec<OfTags>,
    /// A game with the tag that is tested.
    game: Game,
}

/// What tags say of several games, a lane for each. Of the others, too little is known.
#[derive(Clone, Copy, Default)]
pub(super) struct OfTags {
    /// Games that are not searched.
    pub(super) left_alone: Lanes,
    /// Games that are searched but do not match.
    pub(super) unwanted: Lanes,
    /// Games that may match.
    pub(super) wanted: Lanes,
}

struct Search {
    tests: TagTests,
    /// The answers to each condition.
    answers: Vec<Answers>,
}

/// The answers to a condition.
#[derive(Default)]
struct Answers {
    /// The place of the column of the tag among those that were read.
    place: Option<usize>,
    /// The answers for the keys of the games that were read last, if they are known. An answer is `None` if it takes a run.
    of_keys: Vec<Option<Option<bool>>>,
    /// Which keys these are.
    keys: usize,
    /// The answers for texts in this row group and others.
    of_texts: HashMap<Box<[u8]>, Option<bool>>,
}

/// The columns that say something of tags.
pub(super) struct TagColumns<'c> {
    /// Tags, each with its column.
    pub(super) tags: &'c [(usize, Tag)],
    pub(super) outcome: &'c Int32Column,
    pub(super) events: &'c Int32Column,
}

impl TagColumns<'_> {
    fn key(&self, tag: &SoleTag, place: Option<usize>, game: usize) -> Option<usize> {
        let (SoleTag::Named(_) | SoleTag::Rating(_)) = tag else {
            return self.outcome.key(game);
        };
        if matches!(tag, SoleTag::Rating(_)) && self.events.events(game).has(Events::OTHER_RATINGS) {
            return None;
        }
        let (column, values) = self.tags.get(place?)?;
        // Where there are both dates, both count.
        let has_date_of_utc = || {
            let of_utc = self.tags.iter().find(|(column, _)| *column == UTC_DATE);
            of_utc.is_none_or(|(_, dates)| dates.key(game) != Some(0))
        };
        match *column == DATE && has_date_of_utc() {
            true => None,
            false => values.key(game),
        }
    }
}

/// Returns the column of a tag.
fn column_of(tag: &SoleTag) -> Option<usize> {
    match tag {
        SoleTag::Named(name) => tag_column(name).filter(|column| !is_number(*column)),
        SoleTag::Rating(color) => tag_column(color.fold_wb(b"WhiteElo", b"BlackElo")),
        SoleTag::Result => None,
    }
}

impl TagFilter {
    /// Creates a filter for queries, by the order of the tags whose columns are read.
    pub(super) fn new(tests: &[TagTests], tags: &[(usize, Tag)]) -> TagFilter {
        let place = |tag: &SoleTag| {
            let column = column_of(tag)?;
            tags.iter().position(|(read, _)| *read == column)
        };
        let search = |tests: &TagTests| Search {
            answers: tests
                .conditions
                .iter()
                .map(|condition| Answers {
                    place: place(&condition.tag),
                    ..Answers::default()
                })
                .collect(),
            tests: tests.clone(),
        };
        TagFilter {
            searches: tests.iter().map(search).collect(),
            known: None,
            of_each: Vec::new(),
            game: Game::default(),
        }
    }

    /// Starts another block.
    pub(super) fn begin(&mut self) {
        self.known = None;
    }

    /// Returns whether tags can rule a game out.
    pub(super) fn asks(&self) -> bool {
        self.searches.iter().any(|search| !search.answers.is_empty())
    }

    /// Finds out what tags say of a game and its neighbours. `is_read` tells whether a game is read from columns, and `is_told` whether its head can
    /// be read from them for certain.
    pub(super) fn learn(
        &mut self,
        index: usize,
        is_read: impl Fn(usize) -> bool,
        is_told: impl Fn(usize) -> bool,
        columns: &TagColumns<'_>,
        fulfils: &mut Fulfils<'_>,
    ) {
        let number = index / LANES;
        if self.known == Some(number) {
            return;
        }
        let first = number * LANES;
        let read = Column::lanes_where(|lane| is_read(first + lane));
        let told = match self.asks() {
            true => Column::lanes_where(|lane| read >> lane & 1 != 0 && is_told(first + lane)),
            false => 0,
        };
        self.of_each.clear();
        for (query, Search { tests, answers }) in self.searches.iter_mut().enumerate() {
            let conditions = &tests.conditions;
            let game = &mut self.game;
            let mut holds = |index: usize, asked: Lanes| {
                let (condition, answers) = (&conditions[index], &mut answers[index]);
                let mut fulfils = |game: &Game| fulfils(query, condition, game);
                answers.of_games(first, asked, &condition.tag, columns, game, &mut fulfils)
            };
            let told = if tests.want_all() { read } else { told };
            let searched = tests.narrowing.ask(told, &mut holds);
            let selected = tests.selection.ask(searched.yes, &mut holds);
            self.of_each.push(OfTags {
                left_alone: searched.no,
                unwanted: selected.no,
                wanted: selected.yes,
            });
        }
        self.known = Some(number);
    }

    /// Returns what tags say of the games of the group, for each query.
    pub(super) fn of_each(&self) -> &[OfTags] {
        &self.of_each
    }
}

impl Answers {
    /// Answers for the `asked` ones of the games from `first` on.
    fn of_games(
        &mut self,
        first: usize,
        asked: Lanes,
        tag: &SoleTag,
        columns: &TagColumns<'_>,
        game: &mut Game,
        fulfils: &mut dyn FnMut(&Game) -> Option<bool>,
    ) -> Decided {
        let mut decided = Decided::default();
        let values = self
            .place
            .and_then(|place| columns.tags.get(place))
            .map(|(_, values)| values);
        let keys = values.map_or(0, Tag::keys);
        if self.keys != keys {
            self.keys = keys;
            self.of_keys.clear();
        }
        for lane in (0..LANES).filter(|lane| asked >> lane & 1 != 0) {
            let index = first + lane;
            let Some(key) = columns.key(tag, self.place, index) else {
                continue;
            };
            if key >= self.of_keys.len() {
                self.of_keys.resize(key + 1, None);
            }
            let answer = match self.of_keys[key] {
                Some(answer) => answer,
                None => {
                    let answer = self.of_value(index, values, columns, game, fulfils);
                    *self.of_keys[key].insert(answer)
                }
            };
            decided.yes |= Lanes::from(answer == Some(true)) << lane;
            decided.no |= Lanes::from(answer == Some(false)) << lane;
        }
        decided
    }

    /// Answers for the value that the game with this index has.
    fn of_value(
        &mut self,
        index: usize,
        values: Option<&Tag>,
        columns: &TagColumns<'_>,
        game: &mut Game,
        fulfils: &mut dyn FnMut(&Game) -> Option<bool>,
    ) -> Option<bool> {
        game.tags.clear();
        let name = |place: usize| columns.tags.get(place).map(|(column, _)| TAGS[*column].as_bytes());
        let name = self.place.and_then(name);
        match (values, name) {
            (Some(Tag::Text(texts)), Some(name)) => {
                let Some(text) = texts.get(index) else {
                    return fulfils(game);
                };
                if let Some(answer) = self.of_texts.get(text) {
                    return *answer;
                }
                game.tags.push(name, text);
                let answer = fulfils(game);
                if self.of_texts.len() == MOST_VALUES {
                    self.of_texts.clear();
                }
                if text.len() <= MOST_BYTES {
                    self.of_texts.insert(text.into(), answer);
                }
                answer
            }
            (Some(Tag::Number(numbers)), Some(name)) => {
                if let Some(number) = numbers.get(index) {
                    game.tags.push(name, number.to_string().as_bytes());
                }
                fulfils(game)
            }
            _ => {
                game.result = outcome_of_code(columns.outcome.get(index).unwrap_or(-1)).ok()?;
                fulfils(game)
            }
        }
    }
}
