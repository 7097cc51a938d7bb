//! In which order the positions of a game are asked, as the last games show what takes the least.

/// What is asked of stretches of positions before anything is asked of the positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Course {
    /// Nothing.
    Blocks,
    /// The cover of the verdict, before all others.
    Cover,
    /// Each question of the prefilter, before it is asked of positions.
    Questions,
}

/// What each course has taken.
#[derive(Debug, Default)]
pub(super) struct Courses {
    /// How many instructions, more or less, for how many positions.
    taken: [(u64, u64); Courses::ALL.len()],
    games: u32,
    chosen: usize,
}

impl Courses {
    const ALL: [Course; 3] = [Course::Blocks, Course::Cover, Course::Questions];
    /// So many games are spent on trials, on each course in turn.
    const TRIED: u32 = 48;
    /// After so many games the courses are tried anew.
    const KEPT: u32 = 2000;

    /// The course for the next game.
    pub(super) fn next(&self) -> Course {
        Courses::ALL[self.index()]
    }

    fn index(&self) -> usize {
        if self.games < Courses::TRIED {
            self.games as usize % Courses::ALL.len()
        } else {
            self.chosen
        }
    }

    /// Learns what the course has taken for a game of so many positions.
    pub(super) fn learn(&mut self, taken: u64, positions: usize) {
        let course = &mut self.taken[self.index()];
        course.0 += taken;
        course.1 += positions as u64;
        self.games += 1;
        if self.games == Courses::TRIED {
            let of_positions = |index: usize| self.taken[index].0 * 1000 / self.taken[index].1.max(1);
            // The figures are rough, and flatter stretches: they have to spare a third.
            let best = (1..Courses::ALL.len()).min_by_key(|index| of_positions(*index));
            self.chosen = best
                .filter(|best| of_positions(*best) * 3 < of_positions(0) * 2)
                .unwrap_or(0);
        }
        if self.games == Courses::KEPT {
            *self = Courses::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The courses of some games of which each takes so much, with their order in [`Courses::ALL`].
    fn chosen(taken: [u64; 3], games: u32) -> Vec<Course> {
        let mut courses = Courses::default();
        let course = |_| {
            let index = courses.index();
            courses.learn(taken[index], 80);
            Courses::ALL[index]
        };
        (0..games).map(course).collect()
    }

    #[test]
    fn the_course_that_takes_the_least_is_kept_for_a_while() {
        let chosen = chosen([150, 90, 120], Courses::KEPT + 2);
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
    fn stretches_are_asked_only_where_they_spare_much() {
        for (taken, course) in [
            ([150, 110, 120], Course::Blocks),
            ([150, 200, 90], Course::Questions),
            ([0, 0, 0], Course::Blocks),
        ] {
            assert_eq!(chosen(taken, Courses::TRIED + 1).last(), Some(&course), "{taken:?}");
        }
    }
}
