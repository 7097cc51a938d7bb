//! Clocks of two fields, which may be minutes and seconds or hours and minutes.
//!
//! On most servers, `[%clk 1:29]` is a minute and a half. On the boards of a tournament, which show minutes and
//! seconds only near the end, it is an hour and a half. The time control and the course of the game decide. If neither does, the clock has no value.

use super::time_control::TimeControl;
use super::tree::Game;
use crate::chess::Position;

/// In this many moves, no side uses up nearly all its time.
const EARLY_MOVES: i64 = 20;
/// A minute in tenths of a second, and the factor between minutes and hours.
const MINUTE: i64 = 600;
const SIXTY: i64 = 60;
/// No clock shows this much without a time control that allows it.
const MOST: i64 = 10 * 60 * MINUTE;

/// The time that a side may have on its clock, in tenths of a second.
#[derive(Clone, Copy)]
struct Allowance {
    base: i64,
    increment: i64,
    /// The time that later periods add.
    later: i64,
}

impl Allowance {
    /// Returns the allowance of a tag `TimeControl`, if it names a time.
    fn of(tag: &[u8]) -> Option<Allowance> {
        let TimeControl { base, increment } = TimeControl::parse(tag)?;
        let tenths = |seconds: i32| i64::from(seconds) * 10;
        let later = tag.split(|byte| *byte == b':').skip(1).filter_map(TimeControl::parse);
        // A period for a number of moves is repeated.
        let repeated = if tag.contains(&b'/') { base } else { 0 };
        Some(Allowance {
            base: tenths(base),
            increment: tenths(increment),
            later: later
                .map(|period| tenths(period.base))
                .sum::<i64>()
                .max(tenths(repeated)),
        })
    }

    /// Returns the most that a side may have after this many of its moves.
    fn most(self, moves: i64) -> i64 {
        self.base + self.increment * (moves + 1) + self.later
    }
}

impl Game {
    /// Decides what clocks of two fields show. Returns the first position whose clock stays unclear and so has no value.
    pub(crate) fn settle_clocks(&mut self) -> Option<u32> {
        let mut short = std::mem::take(&mut self.commands.short_clocks);
        short.sort_unstable();
        let control = self.tags.raw(b"TimeControl").and_then(Allowance::of);
        let mut unclear = self.commands.dotted_clock;
        match self.are_hours(&short, control) {
            Some(false) => {}
            Some(true) => unclear = unclear.or(self.read_hours(&short, control)),
            None => {
                unclear = unclear.or(short.first().copied());
                short.iter().for_each(|id| self.commands.values_mut(*id).clock = None);
            }
        }
        self.commands.short_clocks = short;
        self.commands.short_clocks.clear();
        unclear
    }

    /// Returns whether the clocks of two fields begin with hours; `None` if that is not certain.
    fn are_hours(&self, short: &[u32], control: Option<Allowance>) -> Option<bool> {
        let decided = |id: &u32| {
            let position = self.positions.get(*id as usize)?;
            let minutes = self.clock_after(*id)?;
            let hours = minutes * SIXTY;
            match control {
                Some(control) => {
                    let moves = moves_of_side(position);
                    let most = control.most(moves);
                    let is_likely = 3 * hours >= control.base && 2 * hours <= 3 * most;
                    if moves <= EARLY_MOVES && is_likely && hours > 0 {
                        return Some(true);
                    }
                    (hours > 4 * most).then_some(false)
                }
                None => {
                    let before = self
                        .clock_before(position)
                        .filter(|(id, _)| short.binary_search(id).is_err());
                    let is_less = before.is_some_and(|(_, before)| hours > before + 60 * MINUTE);
                    (hours >= MOST || is_less).then_some(false)
                }
            }
        };
        short
            .iter()
            .find_map(decided)
            .or_else(|| self.are_hours_by_times(short))
    }

    /// Returns the same from the times of moves, which are hours, minutes and seconds. Their sum is the time that the clocks have lost plus
    /// the increments for the moves.
    fn are_hours_by_times(&self, short: &[u32]) -> Option<bool> {
        let (mut spent, mut lost, mut moves) = (0, 0, 0);
        for id in short {
            let position = self.positions.get(*id as usize)?;
            let (time, clock) = (self.commands.values(*id).spent, self.clock_after(*id)?);
            if let (Some(time), Some((before, clock_before))) = (time, self.clock_before(position))
                && short.binary_search(&before).is_ok()
            {
                spent += i64::from(time);
                lost += clock_before - clock;
                moves += 1;
            }
        }
        // Minutes are rounded, and at most a minute is added for a move.
        if moves > 0 && SIXTY * lost > spent + 2 * MINUTE {
            return Some(false);
        }
        (moves > 0 && spent - lost > MINUTE * moves).then_some(true)
    }

    /// Reads clocks of two fields that begin with hours, except for those near the end that can only be minutes and seconds. Returns the first
    /// unclear one.
    fn read_hours(&mut self, short: &[u32], control: Option<Allowance>) -> Option<u32> {
        let mut have_minutes = [false; 2];
        let mut unclear = None;
        for id in short {
            let Some(position) = self.positions.get(*id as usize) else {
                continue;
            };
            let Some(minutes) = self.clock_after(*id) else { continue };
            let hours = minutes * SIXTY;
            let most = match (control, self.clock_before(position)) {
                (Some(control), Some((_, before))) => before + control.increment + control.later + MINUTE,
                (Some(control), None) => control.most(moves_of_side(position)) + MINUTE,
                (None, _) => MOST,
            };
            let side = &mut have_minutes[usize::from(position.turn.is_white())];
            *side |= hours > most;
            let is_unclear = *side && hours <= most;
            let clock = if *side { minutes } else { hours };
            if is_unclear {
                unclear.get_or_insert(*id);
            }
            self.commands.values_mut(*id).clock = i32::try_from(clock).ok().filter(|_| !is_unclear);
        }
        unclear
    }

    fn clock_after(&self, id: u32) -> Option<i64> {
        self.commands.values(id).clock.map(i64::from)
    }

    /// Returns the clock of the same side one move before, and its position.
    fn clock_before(&self, position: &Position) -> Option<(u32, i64)> {
        let before = self.parent(self.parent(position)?)?;
        Some((before.id, self.clock_after(before.id)?))
    }
}

/// Returns the number of moves of the side that has just moved.
fn moves_of_side(position: &Position) -> i64 {
    i64::from(position.ply.div_ceil(2))
}

#[cfg(test)]
mod tests {
    use crate::pgn::sample::game;

    /// Returns the clocks of a game in seconds, and whether there is no warning about an unclear one.
    fn clocks(control: &str, moves: &str) -> (Vec<Option<i32>>, bool) {
        let game = game(&format!("[TimeControl \"{control}\"]\n\n{moves} *\n"));
        let clocks = game.positions.iter().skip(1).map(|position| game.clock(position));
        (
            clocks.map(|clock| clock.map(|tenths| tenths / 10)).collect(),
            !game.warnings.is_empty(),
        )
    }

    #[test]
    fn the_time_control_and_the_course_of_the_game_decide() {
        let two = "1. e4 {[%clk 1:29]} e5 {[%clk 1:28]}";
        let (hours, minutes) = (vec![Some(5_340), Some(5_280)], vec![Some(89), Some(88)]);
        for (control, moves, expected) in [
            ("5400+30", two, hours.clone()),
            ("40/5400:1800", two, hours.clone()),
            ("7200", two, hours),
            ("90+1", two, minutes.clone()),
            ("60", two, minutes.clone()),
            (
                "3600",
                "1. e4 {[%clk 59:30]} e5 {[%clk 0:59]}",
                vec![Some(3_570), Some(59)],
            ),
            ("180", "1. e4 {[%clk 3:00]} e5 {[%clk 0:03]}", vec![Some(180), Some(3)]),
            (
                "300",
                "1. e4 {[%clk 4:59]} e5 {[%clk 0:04:58]}",
                vec![Some(299), Some(298)],
            ),
            (
                "?",
                "1. e4 {[%clk 75:00]} e5 {[%clk 1:14]}",
                vec![Some(4_500), Some(74)],
            ),
            (
                "",
                "1. e4 {[%clk 1:29.5]} e5 {[%clk 1:00:00]}",
                vec![Some(89), Some(3_600)],
            ),
            (
                "-",
                "1. e4 {[%clk 1:00:10]} e5 2. d4 {[%clk 9:58]}",
                vec![Some(3_610), None, Some(598)],
            ),
            (
                "?",
                "1. e4 {[%clk 1:29]} e5 2. d4 {[%clk 1:25] [%emt 0:04:20]}",
                vec![Some(5_340), None, Some(5_100)],
            ),
            (
                "?",
                "1. e4 {[%clk 2:58]} e5 2. d4 {[%clk 2:50] [%emt 0:00:08]}",
                vec![Some(178), None, Some(170)],
            ),
            (
                "1200",
                "1. e4 {[%clk 0:20]} e5 {[%clk 0:19]} 2. d4 {[%clk 19:40]} d5 {[%clk 0:18]}",
                vec![Some(1_200), Some(1_140), Some(1_180), Some(1_080)],
            ),
        ] {
            assert_eq!(clocks(control, moves), (expected, false), "{control} {moves}");
        }
    }

    #[test]
    fn what_nothing_decides_has_no_value() {
        for (control, moves, expected) in [
            ("?", "1. e4 {[%clk 1:29]} e5 {[%clk 1:28]}", vec![None, None]),
            ("5400", "1. e4 {[%clk 3:00]} e5", vec![None, None]),
            (
                "90+1",
                "1. e4 {[%clk 1.29]} e5 {[%clk 1:28]} 2. d4 {[%clk 59.5]}",
                vec![None, Some(88), Some(59)],
            ),
            (
                "1200",
                "1. e4 {[%clk 0:20]} e5 2. d4 {[%clk 1:05]} d5 3. c4 {[%clk 0:01]}",
                vec![Some(1_200), None, Some(65), None, None],
            ),
        ] {
            assert_eq!(clocks(control, moves), (expected, true), "{control} {moves}");
        }
    }

    #[test]
    fn clocks_of_variations_are_as_those_of_the_game() {
        let game = game(
            "[TimeControl \"5400\"]\n\n1. e4 {[%clk 1:29]} (1. d4 {[%clk 1:20]} d5 {[%clk 1:10]}) 1... e5 {[%clk 1:28]} *\n",
        );
        let clocks: Vec<_> = game.positions.iter().map(|position| game.clock(position)).collect();
        let hours = |minutes: i32| Some(minutes * 600);
        assert_eq!(clocks, [None, hours(89), hours(88), hours(80), hours(70)]);
    }
}
