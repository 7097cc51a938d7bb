//! In which order the positions of a game are asked, as the last games show what takes the least.

use std::iter;

use smallvec::SmallVec;

/// What is asked of stretches of positions, or of pawn structures, before anything is asked of the positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Course {
    /// Nothing.
    Blocks,
    /// The cover of the verdict, before all others.
    Cover,
    /// Each question of the prefilter, before it is asked of positions.
    Questions,
    /// What the verdict asks of pawns is asked of pawn structures, before all others.
    Structures,
    /// The cover of the verdict, and then what it asks of pawns.
    Both,
}

/// A course, and what it has taken.
#[derive(Debug)]
struct Trial {
    course: Course,
    /// How many instructions, more or less, for how many positions.
    taken: u64,
    positions: u64,
}

impl Trial {
    fn of(course: Course) -> Trial {
        Trial {
            course,
            taken: 0,
            positions: 0,
        }
    }

    fn of_positions(&self) -> u64 {
        self.taken * 1000 / self.positions.max(1)
    }
}

/// The courses that a query may take.
#[derive(Debug)]
pub(super) struct Courses {
    /// The first of them asks nothing but the positions.
    trials: SmallVec<[Trial; 4]>,
    games: u32,
    chosen: usize,
}

impl Courses {
    /// So many games are spent on trials, on each course in turn.
    const TRIED: u32 = 48;
    /// After so many games the courses are tried anew.
    const KEPT: u32 = 2000;

    /// To ask nothing but the positions, or one of these courses.
    pub(super) fn of(others: impl IntoIterator<Item = Course>) -> Courses {
        Courses {
            trials: iter::once(Course::Blocks).chain(others).map(Trial::of).collect(),
            games: 0,
            chosen: 0,
        }
    }

    /// The course for the next game.
    pub(super) fn next(&self) -> Course {
        self.trials
            .get(self.index())
            .map_or(Course::Blocks, |trial| trial.course)
    }

    fn index(&self) -> usize {
        if self.games < Courses::TRIED {
            self.games as usize % self.trials.len()
        } else {
            self.chosen
        }
    }

    /// Learns what the course has taken for a game of so many positions.
    pub(super) fn learn(&mut self, taken: u64, positions: usize) {
        let index = self.index();
        if let Some(trial) = self.trials.get_mut(index) {
            trial.taken += taken;
            trial.positions += positions as u64;
        }
        self.games += 1;
        if self.games == Courses::TRIED {
            // The figures are rough, and flatter stretches: they have to spare a third.
            let limit = self.trials.first().map_or(0, Trial::of_positions) * 2;
            let trials = self.trials.iter().enumerate();
            let best = trials.min_by_key(|(_, trial)| trial.of_positions());
            self.chosen = best
                .filter(|(_, best)| best.of_positions() * 3 < limit)
                .map_or(0, |(index, _)| index);
        }
        if self.games == Courses::KEPT {
            *self = Courses::of(self.trials.iter().skip(1).map(|trial| trial.course));
        }
    }
}

impl Default for Courses {
    fn default() -> Courses {
        Courses::of([])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OTHERS: [Course; 3] = [Course::Cover, Course::Questions, Course::Structures];

    /// The courses of some games of which each takes so much: to ask nothing but the positions, and others in order.
    fn chosen<const N: usize>(blocks: u64, others: [u64; N], games: u32) -> Vec<Course> {
        let mut courses = Courses::of(OTHERS.into_iter().take(N));
        let course = |_| {
            let course = courses.next();
            let place = OTHERS.iter().position(|other| *other == course);
            courses.learn(place.map_or(blocks, |place| others[place]), 80);
            course
        };
        (0..games).map(course).collect()
    }

    #[test]
    fn the_course_that_takes_the_least_is_kept_for_a_while() {
        let chosen = chosen(150, [90, 120], Courses::KEPT + 2);
        assert_eq!(
            chosen[..4],
            [Course::Blocks, Course::Cover, Course::Questions, Course::Blocks]
        );
        let kept = &chosen[Courses::TRIED as usize..Courses::KEPT as usize];
        assert!(kept.iter().all(|course| *course == Course::Cover));
        assert_eq!(
            chosen[Courses::KEPT as usize..],
            [Course::Blocks, Course::Cover],
            "they are tried anew"
        );
    }

    #[test]
    fn less_is_asked_first_only_where_that_spares_much() {
        for (blocks, others, course) in [
            (150, [110, 120, 130], Course::Blocks),
            (150, [200, 90, 100], Course::Questions),
            (150, [120, 110, 60], Course::Structures),
            (0, [0, 0, 0], Course::Blocks),
        ] {
            let chosen = chosen(blocks, others, Courses::TRIED + 1);
            assert_eq!(chosen.last(), Some(&course), "{blocks} {others:?}");
        }
        assert_eq!(chosen(150, [], Courses::TRIED + 1).last(), Some(&Course::Blocks));
    }
}
