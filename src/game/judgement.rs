//! Evaluations, clocks and judgements of positions, from the annotations of a game.

use super::embedded_commands::MOST_CENTIPAWNS;
use super::time_control::TimeControl;
use super::tree::Game;
use crate::chess::Position;

/// The factor of the logistic curve that turns an evaluation in centipawns into winning chances. Lichess has fitted it to games
/// (<https://lichess.org/page/accuracy>).
const CHANCES_FACTOR: f64 = -0.003_682_08;

/// How bad a move is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Judgement {
    /// `?!`, `$6`, or a loss of a tenth of the winning chances.
    Inaccuracy,
    /// `?`, `$2`, or a loss of two tenths.
    Mistake,
    /// `??`, `$4`, or a loss of three tenths.
    Blunder,
}

impl Judgement {
    /// Returns its annotation symbol.
    fn symbol(self) -> u32 {
        match self {
            Judgement::Inaccuracy => 6,
            Judgement::Mistake => 2,
            Judgement::Blunder => 4,
        }
    }

    fn is_symbol(symbol: u32) -> bool {
        matches!(symbol, 2 | 4 | 6)
    }

    /// Returns the judgement of a move that loses this much of the winning chances, which range from -1 to 1.
    fn of_loss(loss: f64) -> Option<Judgement> {
        // Far smaller than any difference of two decimals of a pawn. It makes a loss of exactly a tenth count as one.
        const ROUNDING: f64 = 1e-9;
        match loss + ROUNDING {
            loss if loss >= 0.3 => Some(Judgement::Blunder),
            loss if loss >= 0.2 => Some(Judgement::Mistake),
            loss if loss >= 0.1 => Some(Judgement::Inaccuracy),
            _ => None,
        }
    }
}

/// Returns the winning chances of White for an evaluation, from -1 to 1.
pub(crate) fn winning_chances(evaluation: i32) -> f64 {
    if evaluation.abs() > MOST_CENTIPAWNS {
        return f64::from(evaluation.signum());
    }
    2.0 / (1.0 + (CHANCES_FACTOR * f64::from(evaluation)).exp()) - 1.0
}

impl Game {
    /// Returns the evaluation of a position in centipawns, as seen by White. A mate in `n` moves is 100,000 minus `n`, negative if Black mates.
    pub fn evaluation(&self, position: &Position) -> Option<i32> {
        self.commands.values(position.id).evaluation
    }

    /// Returns the depth of the engine's search that evaluated a position.
    pub fn evaluation_depth(&self, position: &Position) -> Option<u16> {
        self.commands.values(position.id).depth
    }

    /// Returns the time left to the side that has moved, in tenths of a second; `None` before the first move.
    pub fn clock(&self, position: &Position) -> Option<i32> {
        self.commands.values(position.id).clock.filter(|_| position.id != 0)
    }

    /// Returns the time taken by the move to a position, in tenths of a second: the value of `%emt`, or else the loss of the side's clock since
    /// its previous move plus the increment. `None` if a clock is missing, for the first move of a side, and if the clock
    /// was set to more than it can have been.
    pub fn elapsed(&self, position: &Position) -> Option<i32> {
        let before = self.parent(position)?;
        let values = self.commands.values(position.id);
        if values.spent.is_some() {
            return values.spent;
        }
        let clock = values.clock?;
        let before = self.clock(self.parent(before)?)?;
        let increment = self.time_control().map_or(0, |control| control.increment);
        let elapsed = before.checked_sub(clock)?.checked_add(increment.checked_mul(10)?)?;
        (elapsed >= 0).then_some(elapsed)
    }

    /// Returns the first period of the tag `TimeControl`.
    pub fn time_control(&self) -> Option<TimeControl> {
        TimeControl::parse(&self.tag(b"TimeControl")?)
    }

    /// Returns whether the move to a position has this judgement: by its annotation symbols if any of them judges, otherwise by the evaluations
    /// before and after it.
    pub fn is_judged(&self, position: &Position, judgement: Judgement) -> bool {
        if self.commands.is_empty() {
            return false;
        }
        let mut judged = false;
        for symbol in self.commands.symbols(position.id) {
            if symbol == judgement.symbol() {
                return true;
            }
            judged |= Judgement::is_symbol(symbol);
        }
        !judged && self.judgement_of_loss(position) == Some(judgement)
    }

    fn judgement_of_loss(&self, position: &Position) -> Option<Judgement> {
        let before = winning_chances(self.evaluation(self.parent(position)?)?);
        let gain = winning_chances(self.evaluation(position)?) - before;
        // The side that has moved is not the side to move.
        Judgement::of_loss(position.turn.fold_wb(gain, -gain))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::sample::game;

    #[test]
    fn elapsed_comes_from_clocks_and_the_increment() {
        let head = "[TimeControl \"180+2\"]\n\n";
        let moves = "1. e4 {[%clk 0:03:00]} e5 {[%clk 0:03:00]} 2. d4 {[%clk 0:02:57.5]} d5 {[%clk 0:03:10]} \
                     3. c4 c5 {[%clk 0:03:01] [%emt 0:00:03]} 4. Nf3 {[%clk 0:02:50]} *\n";
        let game = game(&format!("{head}{moves}"));
        let elapsed: Vec<_> = game.positions.iter().map(|position| game.elapsed(position)).collect();
        // Black's second move has gained more than its increment, and White's third has no clock.
        assert_eq!(elapsed, [None, None, None, Some(45), None, None, Some(30), None]);
    }

    #[test]
    fn moves_are_judged_by_symbols_and_else_by_winning_chances() {
        let game = game(
            "1. e4 {[%eval 0.0]} e5 {[%eval 0.8]} 2. Nf3 {[%eval -0.5]} Nc6 {[%eval 1.5]} 3. Bb5 $2 {[%eval -5.0]} \
             a6 $1 {[%eval #1]} 4. Ba4 d6 {[%eval 3.0]} *\n",
        );
        use Judgement::{Blunder, Inaccuracy, Mistake};
        let judged = |position| {
            [Inaccuracy, Mistake, Blunder]
                .into_iter()
                .find(|it| game.is_judged(position, *it))
        };
        let judgements: Vec<_> = game.positions.iter().map(judged).collect();
        let expected = [
            None,
            None,
            Some(Inaccuracy),
            Some(Mistake),
            Some(Blunder),
            Some(Mistake),
            Some(Blunder),
            None,
            None,
        ];
        assert_eq!(judgements, expected);
    }

    #[test]
    fn winning_chances_are_those_of_lichess() {
        assert!((winning_chances(0)).abs() < 1e-12);
        assert!((winning_chances(100) - 0.182_069).abs() < 1e-3);
        assert!((winning_chances(-100) + winning_chances(100)).abs() < 1e-12);
        assert!((winning_chances(99_990) - 1.0).abs() < 1e-12);
    }
}
