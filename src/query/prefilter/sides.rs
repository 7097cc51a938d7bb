//! Merges two alternatives, one for each side to move, into one test of the board as the side to move sees it.
//!
//! `flipcolor { wtm … }` has two copies, of which only one can match, depending on the side to move. What both require is tested once; where
//! Black is to move, on the board with ranks and colours reversed.

use super::condition::{BySide, ColumnTest, Pieces, Prefilter, REVERSING, all};
use crate::board::Color;
use crate::query::columns::REVERSAL;

/// What takes less is asked for each side: to reverse the boards takes a part of what would be spared, and stretches, which are asked for each
/// side, spare as much.
const LEAST_COST: u32 = 50;

impl Prefilter {
    /// The same as two choices, one of them for White to move and the other for Black, with what both ask asked once, if that is worth it.
    pub(super) fn by_side(choices: &[Prefilter]) -> Option<Prefilter> {
        let [first, second] = choices else {
            return None;
        };
        let sides = match (first.to_move()?, second.to_move()?) {
            (Color::White, Color::Black) => [first, second],
            (Color::Black, Color::White) => [second, first],
            _ => return None,
        };
        let [mut white, mut black] = sides.map(|choice| choice.questions().cloned().collect::<Vec<_>>());
        let mut shared = [Vec::new(), Vec::new()];
        white.retain(|question| {
            let reversed = question.reversed();
            let is_same = |other: &Prefilter| reversed.as_ref().is_some_and(|reversed| other.asks_as(reversed));
            let Some(place) = black.iter().position(is_same) else {
                return true;
            };
            let [of_white, of_black] = &mut shared;
            of_white.push(question.clone());
            of_black.push(black.remove(place));
            false
        });
        let choices = |[white, black]: [Vec<Prefilter>; 2]| {
            [(Color::White, white), (Color::Black, black)]
                .map(|(color, questions)| all([Prefilter::ToMove(color)].into_iter().chain(questions).collect()))
        };
        let sides = BySide {
            choices: choices(shared),
        };
        if sides.cost() < REVERSING + LEAST_COST {
            return None;
        }
        let mut asked = vec![Prefilter::BySide(Box::new(sides))];
        if !white.is_empty() || !black.is_empty() {
            asked.push(Prefilter::Either(choices([white, black]).into()));
        }
        asked.sort_by_key(Prefilter::cost);
        Some(all(asked))
    }

    /// The side that has to be to move.
    fn to_move(&self) -> Option<Color> {
        self.conjuncts().iter().find_map(|part| match part {
            Prefilter::ToMove(color) => Some(*color),
            _ => None,
        })
    }

    /// What a board with ranks and colours reversed is asked, if nothing but the board is.
    fn reversed(&self) -> Option<Prefilter> {
        Some(match self {
            Prefilter::Count(pieces, least, most) => Prefilter::Count(pieces.reversed(), *least, *most),
            Prefilter::Placed(contents, squares) => Prefilter::Placed(contents.color_swapped(), REVERSAL.set(*squares)),
            Prefilter::InLine(from, to, lines) => Prefilter::InLine(from.reversed(), to.reversed(), *lines),
            Prefilter::Reach(from, to, least) => Prefilter::Reach(from.reversed(), to.reversed(), *least),
            Prefilter::Holds(held) => Prefilter::Holds(ColumnTest {
                condition: held.condition.reversed()?,
                ..held.clone()
            }),
            _ => return None,
        })
    }

    /// Whether the answers are the same, whatever place in the query is asked.
    fn asks_as(&self, other: &Prefilter) -> bool {
        match (self, other) {
            (Prefilter::Holds(one), Prefilter::Holds(other)) => one.condition == other.condition,
            (one, other) => one == other,
        }
    }
}

impl Pieces {
    fn reversed(self) -> Pieces {
        Pieces {
            contents: self.contents.color_swapped(),
            squares: REVERSAL.set(self.squares),
        }
    }
}
