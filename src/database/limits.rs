//! Limits of pieces, as most prefilters have them, asked of the facts of a game all at once.

use super::facts::{Facts, PieceCounts, numbers_of};
use crate::query::prefilter::GamePrefilter;

/// A prefilter, made ready for being asked of many games: limits of pieces of one kind are asked all at once.
pub(super) struct FactsTest {
    limits: Limits,
    /// One of these has to be kept, if there are any.
    choices: Vec<Limits>,
    rest: GamePrefilter,
}

impl FactsTest {
    pub(super) fn of(prefilter: &GamePrefilter) -> FactsTest {
        let mut test = FactsTest {
            limits: Limits::NONE,
            choices: Vec::new(),
            rest: GamePrefilter::None,
        };
        let parts = match prefilter {
            GamePrefilter::All(parts) => parts.as_slice(),
            part => std::slice::from_ref(part),
        };
        let rest = parts.iter().filter(|part| !test.takes(part)).cloned();
        test.rest = GamePrefilter::all(rest.collect());
        test
    }

    /// Takes a part among what is asked at once; whether it can.
    fn takes(&mut self, part: &GamePrefilter) -> bool {
        if self.limits.take(part) {
            return true;
        }
        if let GamePrefilter::Either(choices) = part
            && self.choices.is_empty()
            && let Some(choices) = choices.iter().map(Limits::of).collect()
        {
            self.choices = choices;
            return true;
        }
        false
    }

    /// Whether a position of the main line may be as a query wants one.
    pub(super) fn allows(&self, facts: &Facts) -> bool {
        self.limits.allow(facts)
            && (self.choices.is_empty() || self.choices.iter().any(|choice| choice.allow(facts)))
            && facts.allow(&self.rest)
    }
}

/// Limits of pieces of one kind, or of all of a colour.
#[derive(Clone, Copy)]
struct Limits {
    /// So many there must be at some position.
    most_reaches: PieceCounts,
    /// More there must not be at some position.
    least_stays_within: PieceCounts,
}

impl Limits {
    const NONE: Limits = Limits {
        most_reaches: PieceCounts(0),
        least_stays_within: PieceCounts(u64::MAX),
    };

    /// A prefilter that asks for nothing but such limits.
    fn of(prefilter: &GamePrefilter) -> Option<Limits> {
        let mut limits = Limits::NONE;
        let are_all_taken = match prefilter {
            GamePrefilter::All(parts) => parts.iter().all(|part| limits.take(part)),
            part => limits.take(part),
        };
        are_all_taken.then_some(limits)
    }

    /// Takes a limit among the others; whether it can.
    fn take(&mut self, part: &GamePrefilter) -> bool {
        let (GamePrefilter::AtLeast(pieces, limit) | GamePrefilter::AtMost(pieces, limit)) = part else {
            return false;
        };
        let (kings, places) = numbers_of(*pieces);
        let (&[place], Some(limit @ 0..=15)) = (&places[..], limit.checked_sub(kings)) else {
            return false;
        };
        let limit = u64::from(limit);
        if matches!(part, GamePrefilter::AtLeast(..)) {
            self.most_reaches.set(place, limit.max(self.most_reaches.get(place)));
        } else {
            self.least_stays_within
                .set(place, limit.min(self.least_stays_within.get(place)));
        }
        true
    }

    fn allow(&self, facts: &Facts) -> bool {
        facts.most.are_at_least(self.most_reaches) && self.least_stays_within.are_at_least(facts.least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Contents;

    #[test]
    fn limits_that_are_asked_at_once_allow_what_each_allows() {
        let mut random = fastrand::Rng::with_seed(7);
        let mut counts = || PieceCounts(random.u64(..) >> 16);
        let pairs: Vec<[PieceCounts; 2]> = (0..300).map(|_| [counts(), counts()]).collect();
        let contents = [1, 1 << 3, 1 << 5, 1 << 7, 1 << 12, 0x3f, 0x1f80, 0x1fbf, 3, 0].map(Contents);
        let (mut allowed, mut asked) = (0, 0);
        for _ in 0..3000 {
            let part = |random: &mut fastrand::Rng| {
                let (pieces, limit) = (contents[random.usize(..contents.len())], random.u32(..18));
                match random.bool() {
                    true => GamePrefilter::AtLeast(pieces, limit),
                    false => GamePrefilter::AtMost(pieces, limit),
                }
            };
            let parts = |random: &mut fastrand::Rng| (0..4).map(|_| part(random)).collect();
            let choices = |random: &mut fastrand::Rng| {
                let choice = |random: &mut fastrand::Rng| match random.bool() {
                    true => part(random),
                    false => GamePrefilter::All(parts(random)),
                };
                GamePrefilter::Either((0..3).map(|_| choice(random)).collect())
            };
            let prefilter = match random.u32(..4) {
                0 => part(&mut random),
                1 => GamePrefilter::All(parts(&mut random)),
                2 => choices(&mut random),
                _ => GamePrefilter::All(vec![choices(&mut random), part(&mut random), choices(&mut random)]),
            };
            let test = FactsTest::of(&prefilter);
            let [least, most] = pairs[random.usize(..pairs.len())];
            let facts = Facts {
                least,
                most,
                ..Facts::default()
            };
            assert_eq!(test.allows(&facts), facts.allow(&prefilter), "{prefilter:?} {facts:?}");
            allowed += u32::from(test.allows(&facts));
            asked += u32::from(test.rest.is_none());
        }
        assert!(allowed > 500 && asked > 500, "{allowed} {asked}");
    }
}
