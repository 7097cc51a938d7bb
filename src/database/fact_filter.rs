//! Decides by facts which queries may match games, for [`LANES`] games at once.

use crate::board::columns::{Column, LANES, Lanes};
use crate::query::prefilter::{GamePrefilter, GameTest, Overview};

/// The tests of each query, and the answers for the games that were tested last.
pub(super) struct FactFilter {
    tests: Vec<GameTest>,
    /// The number of the group of games that was tested last. Group 0 has the first [`LANES`] games of the block, group 1 the next.
    known: Option<usize>,
    /// For each query, the games of the group that may match.
    of_each: Vec<Lanes>,
}

impl FactFilter {
    /// Creates a filter. Each query has a prefilter, and themes that must hold.
    pub(super) fn new(prefilters: &[GamePrefilter], themes: &[GamePrefilter]) -> FactFilter {
        let tests = prefilters.iter().zip(themes);
        let tests = tests.map(|(facts, themes)| GamePrefilter::all(vec![facts.clone(), themes.clone()]));
        FactFilter {
            tests: tests.map(|prefilter| GameTest::of(&prefilter)).collect(),
            known: None,
            of_each: Vec::new(),
        }
    }

    /// Starts another block.
    pub(super) fn begin(&mut self) {
        self.known = None;
    }

    /// Finds out for which queries a game and its neighbours may match. `is_known` tells whether there are facts about a game; other games may always
    /// match. `lines` returns the facts of the games from an index on.
    pub(super) fn learn<O: Overview>(
        &mut self,
        index: usize,
        is_known: impl Fn(usize) -> bool,
        lines: impl FnOnce(usize) -> O,
    ) {
        let number = index / LANES;
        if self.known == Some(number) {
            return;
        }
        let first = number * LANES;
        let (lines, asked) = (lines(first), Column::lanes_where(|lane| is_known(first + lane)));
        let tests = self.tests.iter();
        self.of_each.clear();
        self.of_each
            .extend(tests.map(|test| test.allowed(&lines, asked) | !asked));
        self.known = Some(number);
    }

    /// Returns whether a game in the current group may match for any query.
    pub(super) fn allows_any(&self, index: usize) -> bool {
        let mut of_each = self.of_each.iter();
        of_each.any(|allowed| allowed >> (index % LANES) & 1 == 1)
    }

    /// Returns for each query the games of the group that may match.
    pub(super) fn of_each(&self) -> &[Lanes] {
        &self.of_each
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::facts::{Events, Facts, Lines};
    use crate::query::prefilter::Event;

    #[test]
    fn games_are_ruled_out_as_each_would_be_alone() {
        let mut random = fastrand::Rng::with_seed(3);
        let prefilters = [
            GamePrefilter::None,
            GamePrefilter::Event(Event::Mate),
            GamePrefilter::Plies(40),
            GamePrefilter::All(vec![GamePrefilter::Event(Event::Check), GamePrefilter::Plies(20)]),
        ];
        let facts: Vec<Option<Facts>> = (0..50)
            .map(|_| {
                (random.u8(..5) > 0).then(|| Facts {
                    plies: random.u32(..80),
                    events: Events(random.u32(..4)),
                    ..Facts::default()
                })
            })
            .collect();
        let expected = |query: usize, index: usize| {
            facts[index].is_none_or(|facts| match query {
                0 => true,
                1 => facts.events.has(Events::MATE),
                2 => facts.plies >= 40,
                _ => facts.events.has(Events::CHECK) && facts.plies >= 20,
            })
        };
        let known = |index: usize| facts.get(index).copied().flatten();
        let lines_from = |first: usize| {
            let facts = move |lane| known(first + lane).unwrap_or_default();
            Lines::new(Lanes::MAX, facts)
        };
        for some in [&[1, 2][..], &[3], &[0, 1, 2, 3]] {
            let asked: Vec<GamePrefilter> = some.iter().map(|query| prefilters[*query].clone()).collect();
            let mut fact_filter = FactFilter::new(&asked, &vec![GamePrefilter::None; asked.len()]);
            for index in (0..facts.len()).chain([7]) {
                fact_filter.learn(index, |index| known(index).is_some(), lines_from);
                let any = some.iter().any(|query| expected(*query, index));
                assert_eq!(fact_filter.allows_any(index), any, "game {index}, queries {some:?}");
                for (place, query) in some.iter().enumerate() {
                    let may_match = fact_filter.of_each()[place] >> (index % LANES) & 1 == 1;
                    assert_eq!(may_match, expected(*query, index), "game {index}, query {query}");
                }
            }
            fact_filter.begin();
            fact_filter.learn(7, |_| false, lines_from);
            assert!(fact_filter.allows_any(7), "nothing is known of another block");
        }
    }
}
