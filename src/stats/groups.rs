//! Groups of games with their counts.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use crate::board::Color;

/// A value of a key.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum KeyValue {
    /// A number, or the first number of a range.
    Number(i64),
    /// Bytes of a game, or text.
    Text(Vec<u8>),
    /// The value is not known.
    Unknown,
}

/// The values of several keys as bytes, by which groups are looked up without an allocation.
#[derive(Clone, Default, Debug)]
pub(crate) struct KeyBytes(Vec<u8>);

/// The first byte of a value.
const NUMBER: u8 = 0;
const TEXT: u8 = 1;
const UNKNOWN: u8 = 2;

impl KeyBytes {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Removes the bytes after this length.
    pub(super) fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    pub(super) fn number(&mut self, number: i64) {
        self.0.push(NUMBER);
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    pub(super) fn text(&mut self, text: &[u8]) {
        self.0.push(TEXT);
        let length = u32::try_from(text.len()).unwrap_or(u32::MAX);
        self.0.extend_from_slice(&length.to_le_bytes());
        self.0.extend_from_slice(text.get(..length as usize).unwrap_or(text));
    }

    pub(super) fn unknown(&mut self) {
        self.0.push(UNKNOWN);
    }

    /// Returns the bytes of the first values.
    pub(super) fn first(bytes: &[u8], values: usize) -> &[u8] {
        let mut rest = bytes;
        for _ in 0..values {
            let length = match rest.split_first() {
                Some((&NUMBER, _)) => 1 + size_of::<i64>(),
                Some((&TEXT, behind)) => {
                    let length = behind
                        .first_chunk()
                        .map_or(0, |length| u32::from_le_bytes(*length) as usize);
                    1 + size_of::<u32>() + length
                }
                _ => 1,
            };
            rest = rest.get(length..).unwrap_or_default();
        }
        &bytes[..bytes.len() - rest.len()]
    }

    /// Decodes the values.
    pub(super) fn values(bytes: &[u8]) -> impl Iterator<Item = KeyValue> + '_ {
        let mut rest = bytes;
        std::iter::from_fn(move || {
            let (kind, behind) = rest.split_first()?;
            let (value, behind) = match *kind {
                NUMBER => {
                    let (number, behind) = behind.split_first_chunk()?;
                    (KeyValue::Number(i64::from_le_bytes(*number)), behind)
                }
                TEXT => {
                    let (length, behind) = behind.split_first_chunk()?;
                    let (text, behind) = behind.split_at_checked(u32::from_le_bytes(*length) as usize)?;
                    (KeyValue::Text(text.to_vec()), behind)
                }
                _ => (KeyValue::Unknown, behind),
            };
            rest = behind;
            Some(value)
        })
    }
}

/// The counts of a group.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Tally {
    /// Games that match.
    pub(crate) games: u64,
    /// Positions that match.
    pub(crate) positions: u64,
    /// Games won by the side in question, or by White if there is none.
    pub(crate) wins: u64,
    /// Games drawn.
    pub(crate) draws: u64,
    /// Games lost by that side.
    pub(crate) losses: u64,
    /// The sum of the known ratings.
    pub(crate) rating_sum: u64,
    /// The number of known ratings.
    pub(crate) ratings: u64,
    /// The first and the last year, 0 if none is known.
    pub(crate) years: (u16, u16),
    /// The last game that was counted, and for which sides.
    pub(super) last: LastCounted,
}

/// The last game that was counted. A game is counted in a group once, and once for each side.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct LastCounted {
    game: u64,
    sides: u8,
    /// One more than the last position that was counted.
    position: u32,
}

/// What a tally needs to know about a game.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameSummary {
    pub(super) number: u64,
    /// White's score in half points, if the result is known.
    pub(super) white_score: Option<u8>,
    /// The ratings of White and Black.
    pub(super) ratings: [Option<u16>; 2],
    /// The year, or 0 if it is not known.
    pub(super) year: u16,
}

/// The side in question, if there is one.
pub(super) type Side = Option<Color>;

impl Tally {
    /// Counts a game for a side, unless it has already been counted.
    pub(super) fn add_game(&mut self, game: &GameSummary, side: Side) {
        if self.last.game != game.number {
            self.last = LastCounted {
                game: game.number,
                ..LastCounted::default()
            };
            self.games += 1;
            self.add_year(game.year, game.year);
        }
        let bit = side.map_or(4, |color| color.fold_wb(1, 2));
        if self.last.sides & bit != 0 {
            return;
        }
        self.last.sides |= bit;
        let score = game.white_score.map(|score| match side {
            Some(Color::Black) => 2 - score,
            _ => score,
        });
        match score {
            Some(2) => self.wins += 1,
            Some(1) => self.draws += 1,
            Some(_) => self.losses += 1,
            None => {}
        }
        let [white, black] = game.ratings;
        let ratings = match side {
            None => [white, black],
            Some(color) => [color.fold_wb(white, black), None],
        };
        for rating in ratings.into_iter().flatten() {
            self.rating_sum += u64::from(rating);
            self.ratings += 1;
        }
    }

    /// Counts a position of the last counted game, unless it has already been counted.
    pub(super) fn add_position(&mut self, position: u32) {
        if self.last.position != position + 1 {
            self.last.position = position + 1;
            self.positions += 1;
        }
    }

    /// Counts all positions of the last counted game, unless they have already been counted.
    pub(super) fn add_positions(&mut self, positions: usize) {
        if std::mem::replace(&mut self.last.position, u32::MAX) != u32::MAX {
            self.positions += positions as u64;
        }
    }

    fn add_year(&mut self, first: u16, last: u16) {
        if first == 0 {
            return;
        }
        let (earliest, latest) = self.years;
        self.years = match earliest {
            0 => (first, last),
            _ => (earliest.min(first), latest.max(last)),
        };
    }

    /// Adds the counts of other games.
    fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        self.positions += other.positions;
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        self.rating_sum += other.rating_sum;
        self.ratings += other.ratings;
        self.add_year(other.years.0, other.years.1);
    }
}

/// How often each value of a number occurs.
#[derive(Clone, Default, Debug)]
pub(crate) struct Distribution {
    pub(super) counts: BTreeMap<i32, u64>,
}

impl Distribution {
    /// Returns the number of values, including equal ones.
    pub(super) fn len(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Returns the mean, or `None` if there are no values.
    pub(super) fn mean(&self) -> Option<f64> {
        let sum: f64 = self
            .counts
            .iter()
            .map(|(value, count)| f64::from(*value) * *count as f64)
            .sum();
        (!self.counts.is_empty()).then(|| sum / self.len() as f64)
    }

    /// Returns the value below which this share of the values lies, interpolated between two values. Returns `None` if there are no values.
    pub(super) fn quantile(&self, share: f64) -> Option<f64> {
        let place = share * self.len().checked_sub(1)? as f64;
        let [below, above] = [place.floor(), place.ceil()].map(|place| self.at(place as u64));
        let (below, above) = (below?, above?);
        Some(below + (above - below) * place.fract())
    }

    /// Returns the value at an index in sorted order.
    fn at(&self, place: u64) -> Option<f64> {
        let mut before = 0;
        let found = self.counts.iter().find(|(_, count)| {
            before += **count;
            before > place
        });
        found.map(|(value, _)| f64::from(*value))
    }
}

impl fmt::Display for Distribution {
    /// Writes each value with how often it occurs, `42:1 43:7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (value, count)) in self.counts.iter().enumerate() {
            let before = if place > 0 { " " } else { "" };
            write!(f, "{before}{value}:{count}")?;
        }
        Ok(())
    }
}

/// The number of games that the share of a group is computed from.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Base {
    games: u64,
    last_game: u64,
}

impl Base {
    /// Counts a game, unless it has already been counted.
    fn add_game(&mut self, number: u64) {
        if self.last_game != number {
            self.last_game = number;
            self.games += 1;
        }
    }
}

/// The counts of games, by the [bytes](KeyBytes) of the values of keys.
#[derive(Clone, Default, Debug)]
pub(crate) struct Groups {
    /// What matches.
    found: HashMap<Box<[u8]>, Tally>,
    /// The numbers of games that shares are computed from, by the keys that are the same in a whole game.
    bases: HashMap<Box<[u8]>, Base>,
    /// The measured values at the matches, if there are any.
    values: HashMap<Box<[u8]>, Distribution>,
    /// How many different values the groups have together.
    different: usize,
    /// How many bytes the keys have.
    key_bytes: usize,
}

impl Groups {
    /// Returns the number of groups. Each different value in a group counts as one more.
    pub(super) fn len(&self) -> usize {
        self.found.len().max(self.bases.len()) + self.different
    }

    /// Returns about how many bytes they take.
    pub(super) fn bytes(&self) -> usize {
        let found = self.found.len() * (size_of::<Tally>() + size_of::<Box<[u8]>>());
        let bases = self.bases.len() * (size_of::<Base>() + size_of::<Box<[u8]>>());
        let values = self.values.len() * size_of::<(Box<[u8]>, Distribution)>();
        found + bases + values + self.different * size_of::<(i32, u64)>() + self.key_bytes
    }

    /// Counts in the group with this key.
    pub(super) fn count(&mut self, key: &KeyBytes, count: impl FnOnce(&mut Tally)) {
        update(&mut self.found, &mut self.key_bytes, key, count);
    }

    /// Counts a measured value in the group with this key.
    pub(super) fn measure(&mut self, key: &KeyBytes, value: i32) {
        let different = &mut self.different;
        update(
            &mut self.values,
            &mut self.key_bytes,
            key,
            |values: &mut Distribution| {
                let count = values.counts.entry(value).or_default();
                *different += usize::from(*count == 0);
                *count += 1;
            },
        );
    }

    /// Counts a game among those that shares are computed from.
    pub(super) fn add_to_base(&mut self, key: &KeyBytes, number: u64) {
        update(&mut self.bases, &mut self.key_bytes, key, |base: &mut Base| {
            base.add_game(number)
        });
    }

    /// Adds the counts of other games.
    pub(super) fn merge(&mut self, other: Groups) {
        if self.found.is_empty() && self.bases.is_empty() {
            *self = other;
            return;
        }
        for (key, tally) in other.found {
            self.found.entry(key).or_default().merge(&tally);
        }
        for (key, base) in other.bases {
            self.bases.entry(key).or_default().games += base.games;
        }
        for (key, values) in other.values {
            let known = self.values.entry(key).or_default();
            for (value, count) in values.counts {
                let sum = known.counts.entry(value).or_default();
                self.different += usize::from(*sum == 0);
                *sum += count;
            }
        }
    }

    /// Returns the groups that have matches.
    pub(super) fn found(&self) -> impl Iterator<Item = (&[u8], &Tally)> {
        self.found.iter().map(|(key, tally)| (&**key, tally))
    }

    /// Returns the counts of a group, which are zero if it has no matches.
    pub(super) fn of(&self, key: &[u8]) -> Tally {
        self.found.get(key).copied().unwrap_or_default()
    }

    /// Returns the measured values at the matches of a group.
    pub(super) fn values(&self, key: &[u8]) -> Distribution {
        self.values.get(key).cloned().unwrap_or_default()
    }

    /// Returns the number of games that the share of a group is computed from.
    pub(super) fn base(&self, key: &[u8]) -> u64 {
        self.bases.get(key).map_or(0, |base| base.games)
    }

    /// Returns the keys of all groups of games that shares are computed from.
    pub(super) fn bases(&self) -> impl Iterator<Item = &[u8]> {
        self.bases.keys().map(|key| &**key)
    }
}

/// Changes the value of a key. Only a new key allocates memory.
fn update<T: Default>(
    values: &mut HashMap<Box<[u8]>, T>,
    key_bytes: &mut usize,
    KeyBytes(key): &KeyBytes,
    change: impl FnOnce(&mut T),
) {
    if let Some(value) = values.get_mut(key.as_slice()) {
        change(value);
        return;
    }
    let mut value = T::default();
    change(&mut value);
    *key_bytes += key.len();
    values.insert(key.as_slice().into(), value);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distribution(values: &[i32]) -> Distribution {
        let mut distribution = Distribution::default();
        for value in values {
            *distribution.counts.entry(*value).or_default() += 1;
        }
        distribution
    }

    #[test]
    fn quantiles_lie_between_values() {
        let quartiles = |values: &[i32]| {
            let distribution = distribution(values);
            [0.0, 0.25, 0.5, 0.75, 1.0].map(|share| distribution.quantile(share))
        };
        assert_eq!(quartiles(&[4, 1, 3, 2]), [1.0, 1.75, 2.5, 3.25, 4.0].map(Some));
        assert_eq!(quartiles(&[7]), [Some(7.0); 5]);
        assert_eq!(quartiles(&[-2, -2, 5]), [-2.0, -2.0, -2.0, 1.5, 5.0].map(Some));
        assert_eq!(quartiles(&[]), [None; 5]);
        assert_eq!(
            (distribution(&[-2, -2, 5]).mean(), distribution(&[]).mean()),
            (Some(1.0 / 3.0), None)
        );
    }

    #[test]
    fn values_of_keys_are_read_as_they_were_written() {
        let mut key = KeyBytes::default();
        key.number(-7);
        key.unknown();
        key.text(b"a\0b");
        key.text(b"");
        let values: Vec<KeyValue> = KeyBytes::values(&key.0).collect();
        let text = |text: &[u8]| KeyValue::Text(text.to_vec());
        assert_eq!(
            values,
            [KeyValue::Number(-7), KeyValue::Unknown, text(b"a\0b"), text(b"")]
        );
        for count in 0..=4 {
            assert_eq!(KeyBytes::values(KeyBytes::first(&key.0, count)).count(), count);
        }
    }
}
